"""A terminal for each test, and packages whose render waits until a test lets it go on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.packages import write
from tests.terminal.screen import Screen

ROOT = Path(__file__).parents[2]


@pytest.fixture
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("terminal")


@pytest.fixture
def package(tmp_path):
    """The first example."""
    folder = Path(shutil.copytree(ROOT / "examples/layered-values/first", tmp_path / "web"))
    shutil.rmtree(folder / ".expected")
    (folder / "README.md").unlink()
    return folder


@pytest.fixture
def screen(package, scratch):
    with Screen(package, scratch) as found:
        yield found


@pytest.fixture
def waiting(package, scratch):
    """The same package behind a step that is a program and waits for a line from a pipe, which the fixture is."""
    pipe, step = scratch / "pipe", scratch / "step"
    os.mkfifo(pipe)
    step.write_text(f'#!/bin/sh\nread -r line < "{pipe}"\nexec cat\n')
    step.chmod(0o755)
    kptfile = (package / "Kptfile").read_text()
    write(
        package, {"Kptfile": kptfile.replace("  - exec: krm-layered-values", f"  - exec: {step}\n  - exec: krm-layered-values")}
    )
    return pipe
