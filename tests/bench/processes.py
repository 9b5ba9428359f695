"""Whole processes, interleaved: every round runs each command once, so that noise hits all of them alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FAST, SLOW = 3.0, 60.0  # seconds of one round
MANY, SOME, FEW = 15, 9, 3  # rounds; a round that takes longer than SLOW is run once
BRIEF = 0.3
_STARTER = """
import os, sys, time
stdin, *argv = sys.argv[1:]
files = (stdin, os.O_RDONLY), (os.devnull, os.O_WRONLY), (os.devnull, os.O_WRONLY)
actions = [(os.POSIX_SPAWN_OPEN, number, path, flags, 0) for number, (path, flags) in enumerate(files)]
began = time.perf_counter()
child = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
_, status, usage = os.wait4(child, 0)
wall = time.perf_counter() - began
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss)
"""
"""Starts a command and measures it: the largest resident set of a process includes that of the one that started it, so that one is small."""

_REAPER = """
import ctypes, os, resource, sys, time
ctypes.CDLL(None).prctl(36, 1)
out = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
began = time.perf_counter()
_, status = os.waitpid(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=out), 0)
wall = time.perf_counter() - began
try:
    while True:
        os.wait()
except ChildProcessError:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, wall)
"""
"""Starts a command and becomes the parent of what it leaves (PR_SET_CHILD_SUBREAPER), whose processor time counts as well."""


@dataclass(frozen=True)
class Command:
    """A program with its arguments. prepare: called before each run, which does not count; accepted: its exit codes."""

    argv: list[str]
    stdin: Path | None = None
    prepare: Callable[[], object] = lambda: None
    accepted: tuple[int, ...] = (0,)
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Row:
    """The best of all runs of a command: processor time of the process and its children and wall time in ms, and the largest resident set in MB."""

    cpu: float
    cpu_median: float
    wall: float
    megabytes: float
    runs: int


def measure(commands: dict[str, Command], rounds: int = 0) -> dict[str, Row]:
    """Run the commands in turn. rounds: how often; 0 for as often as the time of the first, uncounted round allows."""
    began = time.perf_counter()
    first = {name: once(command) for name, command in commands.items()}
    took = time.perf_counter() - began
    more = (
        rounds - 1 if rounds else MANY if took < BRIEF * len(commands) else SOME if took < FAST else FEW if took < SLOW else 0
    )
    seen: dict[str, list[tuple[float, float, float]]] = {
        name: [run] if rounds or not more else [] for name, run in first.items()
    }
    for _ in range(more):
        for name, command in commands.items():
            seen[name].append(once(command))
    return {name: _row(runs) for name, runs in seen.items()}


def once(command: Command) -> tuple[float, float, float]:
    """Run a command and return its processor time and wall time in ms, and its largest resident set in MB."""
    command.prepare()
    starter = [sys.executable, "-I", "-S", "-c", _STARTER, str(command.stdin or os.devnull), *command.argv]
    environment = clean() | dict(command.environment)
    found = subprocess.run(starter, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    code, cpu, wall, kilobytes = map(float, found)
    if code not in command.accepted:
        raise SystemExit(f"failed with {code:.0f}: {' '.join(command.argv)}")
    return cpu * 1e3, wall * 1e3, kilobytes * 1024 / 1e6


def whole(command: Command) -> tuple[float, float]:
    """Run a command and return the processor time in ms of all processes that come of it, also of those that outlive it, and its wall time."""
    command.prepare()
    reaper = [sys.executable, "-I", "-S", "-c", _REAPER, *command.argv]
    found = subprocess.run(reaper, env=clean(), stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    code, cpu, wall = map(float, found)
    if code not in command.accepted:
        raise SystemExit(f"failed with {code:.0f}: {' '.join(command.argv)}")
    return cpu * 1e3, wall * 1e3


def clean() -> dict[str, str]:
    """Return the environment without what changes Python: .pyc files are used, as by everybody. 1,000 Workloads have 40,000 findings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "KRM_"))}
    return {**kept, "KRM_VALUES_MAX_FINDINGS": "1000000"}


def _row(runs: list[tuple[float, float, float]]) -> Row:
    cpu, wall, memory = ([run[part] for run in runs] for part in range(3))
    return Row(min(cpu), statistics.median(cpu), min(wall), max(memory), len(runs))
