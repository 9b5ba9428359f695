"""Packages rendered by kpt, and by a pipe of functions that gets them as one list. Both need kpt."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.commands import called
from tests.restack.laws import Done
from tests.restack.packages import Package

_ENV = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def by_kpt(directory: Path, _: Package) -> Done:
    """Render by `kpt fn render`, with the commands of this environment."""
    done = _run("kpt", "fn", "render", "--allow-exec", str(directory))
    lines = done.stderr.decode().splitlines()
    return Done(done.returncode != 0, [line.strip().replace("[error]", "error:") for line in lines])


def by_pipe(directory: Path, package: Package) -> Done:
    """Put every resource into one list, let each step resolve it, and write it back, unless a step fails."""
    text = _run("kpt", "fn", "source", str(directory), check=True).stdout
    said: list[str] = []
    for step in package.in_order():
        config = directory / step["package"] / step["file"]
        done = called("krm-values", "run", step["function"], "--config", config, "-v", stdin=text)
        text, said = done.stdout, [*said, *done.stderr.decode().splitlines()]
        if done.code:
            return Done(failed=True, said=said)
    sunk = directory.parent / "sunk"
    shutil.rmtree(sunk, ignore_errors=True)
    _run("kpt", "fn", "sink", str(sunk), stdin=text, check=True)
    shutil.rmtree(directory)
    sunk.rename(directory)
    return Done(failed=False, said=said)


def _run(*command: str, stdin: bytes = b"", check: bool = False) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=stdin, capture_output=True, check=check, env=_ENV)
