"""The Go programs of the oracles: built once, asked line by line."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.hosts.machine import lacking

HERE = Path(__file__).parent
COMPILER = "go1.27.0+auto"
"""One for all, so that Go's own library is compiled once."""


class UnbuiltError(RuntimeError):
    """A Go program cannot be built here: why, in one line."""


def needed(*names: str) -> None:
    """Skip the test where an oracle cannot be built; with KRM_HOSTS=required, fail it."""
    try:
        for name in names:
            built(name)
    except UnbuiltError as error:
        lacking(str(error))


def built(name: str) -> Path:
    """The program of an oracle. What it needs comes from the Go module proxy."""
    found = _build(name)
    if isinstance(found, str):
        raise UnbuiltError(found)
    return found


@functools.cache
def _build(name: str) -> Path | str:
    """The program, or why there is none."""
    if not shutil.which("go"):
        return "Go is not installed"
    directory = tempfile.mkdtemp(prefix="krm-oracle-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    program = Path(directory) / name
    environment = {**os.environ, "GOTOOLCHAIN": COMPILER, "GOGC": "400"}  # less collecting: a fifth less time
    command = ["go", "build", "-o", program, "."]
    done = subprocess.run(command, cwd=HERE / name, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"Go cannot build the oracle {name}: {' '.join(done.stderr.split())[:300]}"
    return program


def ask(name: str, questions: list[object]) -> list[dict[str, object]]:
    """One answer for each question, both JSON, one per line."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([built(name)], input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
    answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(answers) == len(questions)
    return answers
