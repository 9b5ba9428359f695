"""Collecting tests starts no program, compiles nothing and asks no network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
GUARD = """
import sys
def refuse(event, args):
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "socket.getaddrinfo"):
        raise RuntimeError(f"collecting must not: {event} {args[:2]}")
sys.addaudithook(refuse)
"""


def test_collecting_starts_no_program_and_asks_no_network(tmp_path):
    (tmp_path / "guard.py").write_text(GUARD, "utf-8")
    program = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "-p", "guard", "-p", "no:xdist", "--collect-only", "-q", "tests"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "tests collected" in done.stdout
