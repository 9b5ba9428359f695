"""The installed program on lists of every function: what it prints is what it prints in this process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from krm_values._run import registry
from tests.fuzz import corpus, cut
from tests.fuzz.target import Target, require
from tests.fuzz.targets.streams import commanded

PROGRAM = Path(sys.executable).with_name("krm-values")


def seeds() -> list[bytes]:
    return [data for name in registry.functions() for data in corpus.of_function(name)]


def check(data: bytes) -> str:
    """Exit code, stdout and stderr are equal; none is a fault of ours."""
    done = subprocess.run([PROGRAM, "run"], input=data, capture_output=True, check=False)
    require(done.returncode in (0, 1), f"exit {done.returncode}: {done.stderr[-300:]!r}")
    code, out, err = commanded("run", stdin=data)
    require((done.returncode, done.stdout) == (code, out), f"another answer: exit {code}, {err[:300]}")
    require(done.stderr.decode(errors="replace") == err, f"another message: {done.stderr[:300]!r}, here {err[:300]}")
    return "error" if code else "done"


TARGET = Target("program", seeds, check, cut.TOKENS, is_yaml=True)
