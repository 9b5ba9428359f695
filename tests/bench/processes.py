"""Whole processes, interleaved: every round runs each command once, so that noise hits all of them alike."""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """Medians over the rounds: wall time in milliseconds, and the largest resident set in MB (10^6 bytes)."""

    milliseconds: float
    megabytes: float


def measure(commands: dict[str, list[str]], stdin: Path, rounds: int) -> dict[str, Row]:
    """Run each command `rounds` times on the file, after one warm-up round that does not count."""
    seen: dict[str, list[tuple[float, int]]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, argv in commands.items():
            result = _once(argv, stdin)
            if turn:
                seen[name].append(result)
    return {
        name: Row(statistics.median(ms for ms, _ in runs), max(kb for _, kb in runs) * 1024 / 1e6)
        for name, runs in seen.items()
    }


def _once(argv: list[str], stdin: Path) -> tuple[float, int]:
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith("PYTHON")
    }  # .pyc files are used, as by everybody
    began = time.perf_counter()
    child = os.posix_spawn(argv[0], argv, clean, file_actions=actions)
    _, status, usage = os.wait4(child, 0)
    took = (time.perf_counter() - began) * 1e3
    if status:
        raise SystemExit(f"failed with {os.waitstatus_to_exitcode(status)}: {' '.join(argv)}")
    return took, usage.ru_maxrss
