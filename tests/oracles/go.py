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

HERE = Path(__file__).parent
MISSING = "" if shutil.which("go") else "the oracles are Go programs, and Go is not installed"


@functools.cache
def built(name: str) -> Path:
    """The program of an oracle. What it needs comes from the Go module proxy."""
    directory = tempfile.mkdtemp(prefix="krm-oracle-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    program = Path(directory) / name
    environment = {**os.environ, "GOTOOLCHAIN": "auto"}  # the compiler that a go.mod asks for
    command = ["go", "build", "-o", program, "."]
    done = subprocess.run(command, cwd=HERE / name, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the oracle {name} was not built: {done.stderr}")
    return program


def ask(name: str, questions: list[object]) -> list[dict[str, object]]:
    """One answer for each question, both JSON, one per line."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([built(name)], input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
    answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(answers) == len(questions)
    return answers
