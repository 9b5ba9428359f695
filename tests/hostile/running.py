"""Runs an attack and judges it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tests.hostile import place
from tests.hostile.attack import Ended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hostile.attack import Attack

SECONDS, LIMIT = 120, 1 << 30
"""After so many seconds a run counts as one that hangs; so many bytes of address space it may have."""
SLOW, LARGE = 60, 256 << 20
"""More seconds of the processor, and more bytes of memory, than any attack may cost. The seconds are many, for slow machines: `tests.growth` counts."""
_BIN = Path(sys.executable).parent
_LAUNCHER = Path(__file__).parent / "launcher.py"
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def carried_out(attack: Attack) -> Ended:
    """Run an attack in a directory of its own. AssertionError if krm-values fails it."""
    with _directory() as directory:
        root = Path(directory, "run")
        root.mkdir()
        place.make(root, attack)
        before = place.snapshot(root, attack.writes)
        own, left = place.snapshot(root), place.leftovers(root)
        with attack.around(root) if attack.around else contextlib.nullcontext({}) as words:
            ended = _run(attack, root, words)
        try:
            _judge(attack, ended, root)
            assert place.snapshot(root, attack.writes) == before, "something changed that must not"
            assert not attack.changed or place.snapshot(root) != own, "nothing changed"
            assert set(place.leftovers(root)) <= set(left), "something of ours was left behind"
            if attack.check:
                attack.check(root, ended)
        except AssertionError as error:
            raise AssertionError(
                f"{attack.name}: {error}\nexit {ended.code}, {ended.seconds:.2f} s\n{ended.text[-3000:]}"
            ) from None
        return ended


def shown(attack: Attack, ended: Ended) -> str:
    """Return the line for the table."""
    told = ended.text.splitlines()[: None if attack.sees else ended.err.count(b"\n")]
    return next((line for line in told if attack.sees in line), "")


def _judge(attack: Attack, ended: Ended, root: Path) -> None:
    assert ended.code == attack.code, f"exit {ended.code}, not {attack.code}"
    assert "Traceback" not in ended.text, "a traceback"
    assert "please report" not in ended.text, "a fault of krm-values"
    assert not attack.sees or shown(attack, ended), f"what is printed must hold {attack.sees!r}"
    seen = ended.err if not attack.tty else ended.out.replace(b"\r\n", b"\n")
    for text in attack.hides:
        assert text not in seen.decode(), f"{text!r} is printed"
        assert attack.stdin or text not in ended.text, f"{text!r} is printed"
    assert not _UNSEEN.search(seen.decode()), f"control characters are printed: {seen!r}"
    assert ended.seconds < SLOW, "slow"
    assert ended.bytes < LARGE, "large"


def _run(attack: Attack, root: Path, words: dict[str, str]) -> Ended:
    program, *arguments = attack.command
    report = root.parent / "report.json"
    command = [
        sys.executable,
        "-I",
        "-S",
        str(_LAUNCHER),
        str(SECONDS),
        str(LIMIT),
        str(report),
        str(_BIN / program),
        *arguments,
    ]
    environment = _environment(root) | {key: value.replace("{root}", str(root)) for key, value in attack.environment.items()}
    data = attack.stdin.encode() if isinstance(attack.stdin, str) else attack.stdin
    run = _on_terminal if attack.tty else _in_pipes
    out, err = run(command, root, environment, data)
    told = json.loads(report.read_text())
    assert not told["late"], f"{attack.name}: hangs\n{err.decode(errors='replace')[-500:]}"
    text = f"{err.decode(errors='replace')}\n{out.decode(errors='replace')}".replace(f"{root}/", "")
    return Ended(told["code"], out, err, _without_own(text, root, words), told["seconds"], told["bytes"])


def _without_own(text: str, root: Path, words: dict[str, str]) -> str:
    """Return the output without what differs between runs."""
    text = text.replace(str(root), ".")
    return text.replace(words["port"], "PORT") if "port" in words else text


def _environment(root: Path) -> dict[str, str]:
    return {
        "PATH": f"{_BIN}:/usr/bin:/bin",
        "HOME": str(root / "home"),
        "XDG_CACHE_HOME": str(root / "cache"),
        "TMPDIR": str(root / "tmp"),
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_COLOR": "1",
    }


def _in_pipes(command: list[str], root: Path, environment: dict[str, str], data: bytes) -> tuple[bytes, bytes]:
    done = subprocess.run(command, input=data, capture_output=True, cwd=root, env=environment, check=False, timeout=2 * SECONDS)
    return done.stdout, done.stderr


def _on_terminal(command: list[str], root: Path, environment: dict[str, str], data: bytes) -> tuple[bytes, bytes]:
    """Run a command with stdout and stderr on one terminal."""
    ours, theirs = pty.openpty()
    found: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):
            while piece := os.read(ours, 1 << 16):
                found.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    environment |= {"TERM": "dumb", "COLUMNS": "200"}
    subprocess.run(
        command, input=data, stdout=theirs, stderr=theirs, cwd=root, env=environment, check=False, timeout=2 * SECONDS
    )
    os.close(theirs)
    reader.join()
    os.close(ours)
    return b"".join(found), b""


@contextlib.contextmanager
def _directory() -> Iterator[str]:
    """Create a new directory; `rm` removes it, since Python's own removal is limited in depth."""
    made = os.path.realpath(tempfile.mkdtemp(prefix="hostile-"))
    try:
        yield made
    finally:
        subprocess.run(["rm", "-rf", made], check=True)
