"""Where the bench works and which programs it runs: our commands as an image has them, the Go peer, PyYAML's loader."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tests.bench.processes import Command, clean

ROOT = Path(__file__).parents[2]
BARE = [sys.executable, "-I", "-c", "pass"]
TEXTS = "[load(text) for item in load(data)['items'] for text in item.get('data', {}).values()]"
_LOAD = (
    "import gc, sys, yaml; gc.disable(); load = lambda text: yaml.load(text, yaml.CSafeLoader); data = sys.stdin.buffer.read();"
)
_DUMP = "yaml.dump({}, sys.stdout, yaml.CSafeDumper, sort_keys=False)"


@dataclass(frozen=True)
class Bench:
    """A folder for inputs. quick: only what is small. prefix: lines of Python that each of our commands runs first, for tests of the bench."""

    folder: Path
    quick: bool = False
    prefix: str = ""

    @property
    def rounds(self) -> int:
        """Return how often a command of a second is run: 0 for as often as its time allows."""
        return 3 if self.quick else 0

    def ours(self, name: str, *arguments: str) -> list[str]:
        """Return one of our commands, by a script like the one that pip installs."""
        file = self.folder / name
        if not file.exists():
            lines = (
                "import sys", *self.prefix.splitlines(), "from krm_values._cli.main import main",
                "if __name__ == '__main__':", "    sys.exit(main())",
            )  # fmt: skip
            file.write_text("\n".join((f"#!{sys.executable} -I", *lines, "")))
            file.chmod(0o755)
        return [str(file), *arguments]

    def file(self, name: str, write: Callable[[TextIO], None]) -> Path:
        """Return a file of the folder, written the first time."""
        file = self.folder / name
        if not file.exists():
            with file.open("w") as out:
                write(out)
        return file


def load(*, dump: bool = False, texts: bool = False, second: Path | None = None) -> list[str]:
    """Return a program that loads stdin with PyYAML's C loader, without the collector of cycles.

    dump: it writes the data as well; texts: it loads the texts embedded in ConfigMaps, too; second: a file that it loads and writes as well.
    """
    program = _LOAD + (TEXTS if texts else "found = load(data)")
    program += ";" + _DUMP.format("found") if dump else ""
    program += f"; found = load(open({str(second)!r}, 'rb').read()); " + _DUMP.format("found") if second else ""
    return [sys.executable, "-I", "-c", program]


def piped(file: Path, argv: list[str]) -> Command:
    """Return a command that reads the file from a pipe; the process that fills the pipe counts as well."""
    return Command(["/bin/sh", "-c", 'cat "$0" | "$@"', str(file), *argv])


@functools.cache
def peer() -> list[str] | None:
    """Build the Go peer; None where Go is missing."""
    if not shutil.which("go"):
        return None
    target = ROOT / "build" / "gopeer"
    command = ["go", "build", "-o", str(target), "."]
    environment = {**os.environ, "GOTOOLCHAIN": "auto"}
    done = subprocess.run(
        command, cwd=Path(__file__).parent / "gopeer", env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"the Go peer was not built: {done.stderr}")
    return [str(target)]


def output(argv: list[str], file: Path, *, codes: tuple[int, ...] = (0,)) -> bytes:
    """Return what a command writes for a file on stdin."""
    with file.open("rb") as stdin:
        done = subprocess.run(argv, stdin=stdin, capture_output=True, env=clean(), check=False)
    if done.returncode not in codes:
        raise SystemExit(f"failed with {done.returncode}: {' '.join(argv)}: {done.stderr.decode()[-500:]}")
    return done.stdout


def missing(what: str, rows: str) -> None:
    """Print which rows cannot be measured here."""
    print(f"not run: {rows}: {what} is not installed", file=sys.stderr)
