"""Packages rendered by kpt, and by a pipe of functions that gets them as one list. Both need kpt."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path

from tests.commands import called
from tests.restack.laws import Done
from tests.restack.packages import Package

_ENV = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def _selecting(package: Package) -> Done | None:
    """Say that a package is not tried if a step of it has selectors: it gets no Kptfile then, and only `krm-values render` knows the steps."""
    return (
        Done(failed=True, said=[], skipped="a step with selectors") if any(step["selects"] for step in package.steps) else None
    )


def by_kpt(directory: Path, package: Package) -> Done:
    """Render by `kpt fn render`, with the commands of this environment."""
    if skipped := _selecting(package):
        return skipped
    done = _run("kpt", "fn", "render", "--allow-exec", str(directory))
    lines = done.stderr.decode().splitlines()
    return Done(done.returncode != 0, [line.strip().replace("[error]", "error:") for line in lines])


def by_pipe(directory: Path, package: Package) -> Done:
    """Put the resources of each package into a list, let its steps resolve it, and write it back, unless a step fails.

    Which of two steps of one name in two packages it is, a pipe does not know.
    """
    if skipped := _selecting(package):
        return skipped
    called_so = Counter((step["function"], step["name"]) for step in package.in_order())
    if any(number > 1 for number in called_so.values()):
        return Done(failed=True, said=[], skipped="steps of one name in two packages, in a pipe")
    copy = directory.parent / "piped"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(directory, copy)
    said: list[str] = []
    for folder, steps in groupby(package.in_order(), lambda step: step["package"]):
        text = _run("kpt", "fn", "source", str(copy / folder), check=True).stdout
        for step in steps:
            config = directory / step["package"] / step["file"]
            done = called("krm-values", "run", step["function"], "--config", config, "-v", stdin=text)
            text, said = done.stdout, [*said, *done.stderr.decode().splitlines()]
            if done.code:
                return Done(failed=True, said=said)
        sunk = directory.parent / "sunk"
        shutil.rmtree(sunk, ignore_errors=True)
        _run("kpt", "fn", "sink", str(sunk), stdin=text, check=True)
        shutil.rmtree(copy / folder)
        sunk.rename(copy / folder)
    shutil.rmtree(directory)
    copy.rename(directory)
    return Done(failed=False, said=said)


def _run(*command: str, stdin: bytes = b"", check: bool = False) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=stdin, capture_output=True, check=check, env=_ENV)
