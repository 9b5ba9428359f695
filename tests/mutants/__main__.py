"""`python -m tests.mutants [ID...] [--jobs N]`: changes chosen lines one by one, and runs the tests that are to fail then.

Everything happens in copies of the project. First all those tests run without a change; exit code 2 if they fail. Then a line per
mutant: killed (and by which test), SURVIVED, or NOT RUN (its tests cannot start); exit code 1 unless all are killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue

from tests.mutants import table
from tests.mutants.table import Mutant

_LEFT = (".git", ".venv", "build", "dist", ".cache", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info")
_LONGEST = 300  # seconds of one mutant's tests
_PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider")


def main(words: list[str] | None = None, root: Path = table.ROOT, rows: list[Mutant] | None = None) -> int:
    """Run the rows, or those that are named, in copies of root."""
    rows = table.read() if rows is None else rows
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="a row of the table, or the beginning of several: F12, FT (default: all)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args(words)
    if unknown := [word for word in options.ids if not any(row.id.startswith(word) for row in rows)]:
        parser.error(f"no row begins with {' or '.join(unknown)}")
    chosen = [row for row in rows if not options.ids or row.id.startswith(tuple(options.ids))]
    jobs = max(1, min(options.jobs, len(chosen)))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = shutil.copytree(root, Path(folder, "0"), symlinks=True, ignore=shutil.ignore_patterns(*_LEFT))
        failed = _test(tree, [*dict.fromkeys(test for row in chosen for test in row.tests)], jobs)
        if failed.returncode:
            print(f"the tests fail without a mutant:\n{failed.stdout}{failed.stderr}", file=sys.stderr)
            return 2
        trees: SimpleQueue[Path] = SimpleQueue()
        trees.put(tree)
        for number in range(1, jobs):
            trees.put(shutil.copytree(tree, Path(folder, str(number)), symlinks=True))
        with ThreadPoolExecutor(jobs) as pool:
            killed = sum(pool.map(partial(_run, trees), chosen))
    print(f"{killed} of {len(chosen)} killed")
    return int(killed < len(chosen))


def _run(trees: SimpleQueue[Path], row: Mutant) -> bool:
    tree, begun = trees.get(), time.monotonic()
    path, line = tree / row.path, table.number(row, tree)
    own, mutated = path.read_text("utf-8"), table.mutate(row, tree)
    try:
        _write(path, mutated)
        done = _test(tree, row.tests)
    finally:
        _write(path, own)
        trees.put(tree)
    verdict = {0: "SURVIVED", 1: "killed"}.get(done.returncode, "NOT RUN")
    fact = f"`{row.line}` -> `{row.mutated}`: {' '.join(row.tests)}" if verdict != "killed" else _first(done.stdout)
    print(f"{row.id}  {verdict}  {time.monotonic() - begun:.1f} s  {row.path}:{line}  {fact}", flush=True)
    return verdict == "killed"


def _first(output: str) -> str:
    """Return the test that failed, of pytest's summary or of what the conformance prints."""
    lines = output.split("\n")
    tests = [line.partition(" ")[2].partition(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR "))]
    return next(iter(tests or [line.partition(": FAIL ")[0] for line in lines if ": FAIL " in line]), "")


def _write(path: Path, text: str) -> None:
    """Write a module; what was compiled of it counts by its time and size, which may be the same."""
    path.write_text(text, "utf-8")
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


def _test(tree: Path, tests: list[str], jobs: int = 1) -> subprocess.CompletedProcess[str]:
    """Run conformance cases, which are quickest, then what is pytest's unless one has failed."""
    cases, others = [test for test in tests if ".yaml" in test], [test for test in tests if ".yaml" not in test]
    done = _python(tree, ("-m", "tests.conformance", *cases)) if cases else None
    if done and not done.stdout.rstrip().rpartition("\n")[2].startswith(tuple("0123456789")):
        done.returncode = 2  # it has ended before the count of cases
    if done and (done.returncode or not others):
        return done
    workers = ("-n", str(jobs)) if jobs > 1 else ("-p", "no:xdist")
    return _python(tree, (*_PYTEST, *workers, *others), None if jobs > 1 else _LONGEST)


def _python(tree: Path, arguments: Iterable[str], timeout: int | None = _LONGEST) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment["PYTHONPATH"] = str(tree / "functions")  # before what is installed
    command = [sys.executable, *arguments]
    try:
        return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=timeout)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"no end after {timeout} seconds")


if __name__ == "__main__":
    sys.exit(main())
