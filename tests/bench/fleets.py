"""What fleets cost: `fleet render` beside `render` of as many packages, answers beside a plain pool that asks each package that they reach.

Wall time, since no process waits for the workers of another: on a machine that does something else these rows say nothing. What Dask adds is
processor time. The packages have 34 files, as those of which the gates were made.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench import page, setting, singles
from tests.bench.figures import Figure
from tests.bench.processes import Command, Row, measure, whole
from tests.bench.setting import Bench
from tests.fleet import bases, made
from tests.page import fleets as drawn
from tests.page.browser import Browser, Page, program

FEW, LARGE = 40, 2_000
_PLAIN = 28
_WORKERS, _IDLE = 3, 5.0
_DIFFERS = (0, 1)
_MEBIBYTE = 1024 * 1024 / 1e6


def rows(bench: Bench) -> Iterator[Figure]:
    """Yield all rows; none is quick."""
    if bench.quick:
        return
    yield from _renders(bench)
    yield from _dask(bench)
    yield from _answers(bench)
    yield from _memory(bench)
    yield from _page()


def _renders(bench: Bench) -> Iterator[Figure]:
    source, fleet = made.make(bench.folder / "fleet-source", LARGE, every=0, plain=_PLAIN), bench.folder / "fleet"
    few = made.make(bench.folder / "fleet-few", FEW, every=0, plain=_PLAIN)
    renew, key, state = _copy(source, fleet), bench.folder / "key", bench.folder / "state"
    settled = _settled(bench, source, key, state)
    alone = 'for directory in "$1"/*/*; do "$0" render "$directory"; done; true'

    def ours(*words: str | Path) -> list[str]:
        return bench.ours("krm-values", *map(str, words))

    stated = ("--state", state, "--state-key", key)
    found = measure({
        "warm": Command(ours("render", "--recursive", fleet), prepare=renew, accepted=_DIFFERS),
        "one": Command(ours("fleet", "render", fleet, "--jobs", 1), prepare=renew, accepted=_DIFFERS),
        "two": Command(ours("fleet", "render", fleet, "--jobs", 2), prepare=renew, accepted=_DIFFERS),
        "each": Command(["/bin/sh", "-c", alone, *ours(), str(fleet)], prepare=_copy(few, fleet)),
        "skipped": Command(ours("fleet", "render", settled, "--jobs", 1, *stated), accepted=_DIFFERS),
        "status": Command([shutil.which("git") or "", "-C", str(settled), "status", "--short"]),
    }, 2)  # fmt: skip
    warm, one, each = found["warm"], found["one"], found["each"]
    yield _row("fleet-one", f"fleet render --jobs 1, {LARGE:,} packages", one.wall, "render --recursive", warm.wall, one)
    yield _row("fleet-each", "a package of it", one.wall / LARGE, "a package by a process of its own", each.wall / FEW, one)
    if len(os.sched_getaffinity(0)) > 1:
        yield _row("fleet-two", "with two jobs", found["two"].wall, "with one job", one.wall, found["two"])
    yield _row(
        "fleet-skipped", "nothing to do, by its state", found["skipped"].wall, "with one job", one.wall, found["skipped"]
    )
    yield _row("fleet-status", "the same", found["skipped"].wall, "git status", found["status"].wall, found["skipped"])


def _dask(bench: Bench) -> Iterator[Figure]:
    """Measure what Dask adds to the pool with as many workers: the processor time of all processes, of which those of Dask run already.

    What its scheduler, nannies and workers take in the same time if they have nothing to do is not added by a run, and is subtracted.
    """
    try:
        from tests.fleet import dasks  # noqa: PLC0415 - only where Dask is installed
    except ImportError:
        setting.missing("distributed", "fleet-dask")
        return
    source, fleet = bench.folder / "fleet-source", bench.folder / "fleet"
    renew = _copy(source, fleet)
    folder = bench.folder / "dask"
    folder.mkdir(exist_ok=True)
    with dasks.Dask(folder) as dask:
        dask.start(_WORKERS)

        def ours(*words: str | Path) -> Command:
            return Command(bench.ours("krm-values", "fleet", "render", *map(str, words)), prepare=renew, accepted=_DIFFERS)

        def added() -> float:
            command = ours(fleet, *dask.words)
            before, began = dask.processor(), time.monotonic()
            time.sleep(_IDLE)
            idle = (dask.processor() - before) / (time.monotonic() - began)
            before = dask.processor()
            cpu, wall = whole(command)
            return cpu + (dask.processor() - before) * 1e3 - idle * wall

        whole(
            Command(ours(bench.folder / "fleet-few", *dask.words).argv, accepted=_DIFFERS)
        )  # the workers import what they need
        runs = [(added(), whole(ours(fleet, "--jobs", str(_WORKERS)))[0]) for _ in range(2)]
    own, pool = map(min, zip(*runs, strict=True))
    what, yardstick = f"with {_WORKERS} workers of Dask", f"with {_WORKERS} jobs"
    yield Figure("fleet-dask", f"fleet render {what}, processor time", own, yardstick, pool, runs=len(runs))


def _copy(source: Path, target: Path) -> Callable[[], None]:
    """Return what copies a fleet anew. The one before is moved away: where thousands of files have just been removed, making some takes ext4 ten times longer."""

    def renew() -> None:
        if target.exists():
            target.rename(target.with_name(f"{target.name}-{time.monotonic_ns()}"))
        shutil.copytree(source, target)

    return renew


def _settled(bench: Bench, source: Path, key: Path, state: Path) -> Path:
    """Return a rendered fleet in a clean repository, of which there is a state."""
    fleet = shutil.copytree(source, bench.folder / "fleet-settled")
    bases.git(fleet, "init", "--quiet")
    words = ("fleet", "render", str(fleet), "--state", str(state), "--state-key", str(key))
    command = Command(bench.ours("krm-values", *words), accepted=_DIFFERS)
    measure({"rendered": command}, 1)
    bases.commit(fleet)
    measure({"committed": command}, 1)
    return fleet


def _answers(bench: Bench) -> Iterator[Figure]:
    root = bases.make(bench.folder / "bases", LARGE)
    bases.edit(root, "b", "replicas: 3", "replicas: 30")
    names = [str(path.relative_to(root)) for path in bases.packages(root)]
    reached = [name for name in names if (root / name / "bases/b.yaml").exists()]
    enter = ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(root)]

    def ours(*words: str) -> Command:
        return Command([*enter, *bench.ours("krm-values", "fleet", *words)], accepted=_DIFFERS)

    def each(asked: list[str], *words: str) -> Command:
        jobs = str(len(os.sched_getaffinity(0)))
        return Command([*enter, sys.executable, "-I", singles.__file__, jobs, *words, "--", *asked], accepted=_DIFFERS)

    questions = {
        "explain": (ours("explain", ".", "spec.replicas"), each(names, "explain", "PACKAGE", "spec.replicas")),
        "impact": (ours("impact", ".", "bases/b.yaml:6=9"), each(reached, "impact", "PACKAGE/bases/b.yaml:6=9", "PACKAGE")),
        "compare": (ours("compare", ".", "--against", "HEAD"), each(reached, "compare", "PACKAGE", "--against", "HEAD")),
    }
    found = measure({f"{name}-{at}": one for name, both in questions.items() for at, one in enumerate(both)}, 3)
    for name in questions:
        what, fleet, pool = f"fleet {name}, {LARGE:,} packages", found[f"{name}-0"], found[f"{name}-1"]
        yield _row(f"fleet-{name}", what, fleet.wall, f"{name} of each that it reaches, in a plain pool", pool.wall, fleet)


def _memory(bench: Bench) -> Iterator[Figure]:
    fleet = made.make(bench.folder / "fleet-many", LARGE)
    command = Command(bench.ours("krm-values", "fleet", "render", str(fleet)), accepted=_DIFFERS)
    row = measure({"many": command}, 1)["many"]
    yield Figure(
        "fleet-memory", f"coordinator of {LARGE:,} packages, peak memory", row.megabytes, "150 MiB", 150 * _MEBIBYTE, "MB"
    )


def _page() -> Iterator[Figure]:
    if program() is None:
        print("no page of a fleet is measured: no Chromium is on PATH")
        return
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        shown = browser.page()
        for clusters, apps in ((1_000, 10), (100, 100)):
            file = Path(folder) / f"{clusters}.html"
            drawn.write(file, clusters, apps)
            shown.open(file)
            searched = [page.searched(browser, shown, "cluster-007") for _ in range(page.ROUNDS)]
            cleared = [_cleared(browser, shown) for _ in range(page.ROUNDS)]
            for name, took in (("search", searched), ("clear", cleared)):
                what = f"page: {name}, {clusters:,} clusters by {apps} apps"
                value, runs = statistics.median(took), page.ROUNDS
                yield Figure(f"fleet-page-{name}-{clusters}", what, value, "100 ms", 100, runs=runs)


def _cleared(browser: Browser, shown: Page) -> float:
    page.searched(browser, shown, "cluster-007")
    with browser.trace() as events:
        shown.press("Escape")
    return page.seen(events, "keydown")


def _row(name: str, what: str, value: float, yardstick: str, other: float, row: Row) -> Figure:
    return Figure(name, what, value, yardstick, other, wall=row.wall, runs=row.runs)
