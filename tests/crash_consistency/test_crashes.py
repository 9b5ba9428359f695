"""A command that writes files may end at any moment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash_consistency.__main__ import SCENARIOS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_files_are_whole_wherever_the_command_ends(scenario, capsys):
    """In a process of its own, since it forks; what it counts is printed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [ROOT, ROOT / "functions"]))}
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash_consistency", scenario, "--tries", "25"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    with capsys.disabled():
        print(f"\n{done.stdout}", end="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
