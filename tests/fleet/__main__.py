"""`python -m tests.fleet [PACKAGES [WORKER_KILLS [COORDINATOR_KILLS]]]`: the laws of tests/fleet on a large fleet, with figures; exit 1 if one breaks.

Serial, pools of 1, 2 and 4, five shards merged in a shuffled order and three workers of Dask come to one tree, results, state and exit code. Then workers and
coordinators of a fleet of 100 packages are killed at random.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cli.packages import SOURCE, START, clean
from tests.fleet import dasks, made
from tests.fleet.conftest import Serial
from tests.fleet.test_deaths import kill_coordinator, kill_worker

SHARDS = 5


def called(*words: str | Path, cwd: Path) -> tuple[int, float]:
    """A command in a process of its own: its exit code and seconds."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", START, "krm-values", *map(str, words)],
        env={**clean({}), "PYTHONPATH": str(SOURCE)}, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return done.returncode, time.monotonic() - began


def engines(folder: Path, count: int) -> int:
    """Print what each engine takes; return how many come to something else."""
    source = made.make(folder / "source", count, every=25)
    key = folder / "key"
    key.write_text("k" * 64)
    found: dict[str, tuple] = {}

    def tell(name: str, fleet: Path, code: int, seconds: float) -> None:
        reports = [file.read_bytes() for kind in ("results", "state") if (file := folder / f"{name}-{kind}").exists()]
        found[name] = (made.digest(fleet), code, *reports)
        print(f"{name:<10} {seconds:7.1f} s  {count / seconds:6.1f} packages/s", flush=True)
        shutil.rmtree(fleet)

    def reports(name: str) -> list[str | Path]:
        return ["--results", folder / f"{name}-results", "--state", folder / f"{name}-state", "--state-key", key]

    fleet = shutil.copytree(source, folder / "serial")
    tell("serial", fleet, *called("render", "--recursive", ".", cwd=fleet))
    for jobs in (1, 2, 4):
        fleet = shutil.copytree(source, folder / f"pool {jobs}")
        tell(fleet.name, fleet, *called("fleet", "render", ".", "--jobs", jobs, *reports(fleet.name), cwd=fleet))
    fleet = shutil.copytree(source, folder / "shards")
    files = [folder / f"{number}.bundle" for number in range(1, SHARDS + 1)]
    runs = [
        called("fleet", "render", ".", "--jobs", 1, "--shard", f"{number}/{SHARDS}", "--bundle", file, cwd=fleet)
        for number, file in enumerate(files, 1)
    ]
    print(
        f"{'bundles':<10} {sum(run[1] for run in runs):7.1f} s one after the other; the longest {max(run[1] for run in runs):.1f} s"
    )
    random.Random(1).shuffle(files)
    tell("shards", fleet, *called("fleet", "merge", ".", *files, *reports("shards"), cwd=fleet))
    (folder / "dask").mkdir()
    with dasks.Dask(folder / "dask") as dask:
        dask.start(3)
        for name in ("dask", "dask again"):  # the first run imports what the workers need
            fleet = shutil.copytree(source, folder / f"fleet {name}")
            began = dask.processor()
            code, seconds = called("fleet", "render", ".", *dask.words, *reports(name), cwd=fleet)
            print(f"{name}: {dask.processor() - began:.1f} s of processor in the scheduler and its workers")
            tell(name, fleet, code, seconds)
    wrong = [
        name for name, one in found.items() if one[:2] != found["serial"][:2] or (name != "serial" and one != found["pool 1"])
    ]
    print(f"{len(found)} engines, other than the rest: {', '.join(wrong) or 'none'}", flush=True)
    return len(wrong)


def kills(folder: Path, workers: int, coordinators: int) -> int:
    """Kill workers and coordinators; return how often the next run does not come to the serial bytes."""
    source = made.make(folder / "hundred", 100)
    rendered = shutil.copytree(source, folder / "rendered")
    called("render", "--recursive", ".", cwd=rendered)
    serial, wrong = Serial(source, made.digest(rendered)), 0
    for number in range(workers + coordinators):
        own = folder / f"kill-{number}"
        fleet = shutil.copytree(source, own / "fleet")
        try:
            if number < workers:
                kill_worker(fleet, own, random.Random(number))
            else:
                kill_coordinator(fleet, own, serial, random.Random(number))
        except AssertionError as error:
            print(f"kill {number}: {error}", flush=True)
            wrong += 1
        shutil.rmtree(own)
    print(f"{workers} workers and {coordinators} coordinators killed: {wrong} wrong", flush=True)
    return wrong


def main(packages: int = 2000, workers: int = 50, coordinators: int = 200) -> int:
    """Run all; return the exit code."""
    with tempfile.TemporaryDirectory() as name:
        print(f"{packages} packages, {len(os.sched_getaffinity(0))} processors", flush=True)
        wrong = engines(Path(name), packages) if packages else 0
        return int(bool(wrong + kills(Path(name), workers, coordinators)))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
