"""G3 to G6 and G10: what is large, by time and by memory."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.bench import setting
from tests.bench.figures import Figure
from tests.bench.processes import Command, measure
from tests.bench.setting import Bench
from tests.bench.start import NAME, listed

SMALL, LARGE = 10_000, 100_000
_FREE = 15.0
"""MB that a run may take besides what its input makes it take."""
APPLICATIONS, MANY = 200, 1_000
_MOST_OF_PROCESS = 200.0
"""MB of memory at any number of environments."""


def lists(bench: Bench) -> Iterator[Figure]:
    """Yield the rows of lists, of which none is quick."""
    if bench.quick:
        return
    ours, file, idle = bench.ours(NAME), listed(bench, SMALL), listed(bench, SMALL, 0)
    found = measure({"ours": Command(ours, file), "load": Command(setting.load(), file)})
    row = found["ours"]
    shown = {"median": row.cpu_median, "wall": row.wall, "runs": row.runs}
    yield Figure("G3", f"{SMALL:,} items, 5 edited", row.cpu, "CSafeLoader load, gc off", found["load"].cpu, **shown)
    size = file.stat().st_size / 1e6
    yield Figure("G5-some", "its peak memory", row.megabytes, "1.3 times the input + 15 MB", 1.3 * size + _FREE, "MB")
    found = measure({"ours": setting.piped(idle, ours), "cat": setting.piped(idle, ["/bin/cat"])})
    row = found["ours"]
    shown = {"median": row.cpu_median, "wall": row.wall, "runs": row.runs}
    yield Figure("G4", f"{SMALL:,} items, nothing to do", row.cpu, "cat through a pipe", found["cat"].cpu, **shown)
    yield _all(bench)
    large = listed(bench, LARGE)
    found = measure({"ours": Command(ours, large), "tenth": Command(ours, file)})
    row = found["ours"]
    yield Figure("G6", f"{LARGE:,} items", row.cpu, f"{SMALL:,} items", found["tenth"].cpu, wall=row.wall, runs=row.runs)


def _all(bench: Bench) -> Figure:
    file = listed(bench, SMALL, SMALL)
    ours = bench.ours(NAME)
    row = measure({"ours": Command(ours, file)}, 1)["ours"]
    written = len(re.sub(rb"\nresults:\n(.|\n)*", b"\n", setting.output(ours, file)))
    size = (file.stat().st_size + written) / 1e6
    return Figure("G5-all", "peak memory, every item edited", row.megabytes, "input and resources of the output", size, "MB")


def environments(bench: Bench) -> Iterator[Figure]:
    """Yield the row of `process`: ten times the environments against a tenth; a quick run takes 100."""
    count, mark = (MANY // 10, "-quick") if bench.quick else (MANY, "")
    few, many = (_command(bench, size) for size in (count // 10, count))
    found = measure({"many": many, "few": few}, rounds=1 if bench.quick else 0)
    row = found["many"]
    yield Figure(
        f"G10{mark}", f"process, {count:,} environments of {APPLICATIONS} applications", row.cpu, f"{count // 10} of them",
        found["few"].cpu, median=row.cpu_median, wall=row.wall, runs=row.runs,
    )  # fmt: skip
    if not bench.quick:
        yield Figure("G10-memory", "its peak memory", row.megabytes, "200 MB", _MOST_OF_PROCESS, "MB")


def _command(bench: Bench, count: int) -> Command:
    pattern, target = bench.folder / f"pattern-{count}", bench.folder / f"instance-{count}"
    if not pattern.exists():
        for number in range(count):
            _write(pattern, number)
    incoming = bench.folder / "incoming.json"
    incoming.write_text(json.dumps({"applications": [_application(number, 2) for number in range(0, APPLICATIONS, 20)]}))

    def prepare() -> None:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(pattern, target)

    given = ["--all", "--sd-source-type", "json", "--sd-data", f"@{incoming}"]
    return Command(bench.ours("krm-values", "envgene", "process", str(target), *given), prepare=prepare)


def _write(repository: Path, number: int) -> None:
    folder = repository / f"environments/c{number % 10}/e{number}/Inventory/solution-descriptor"
    folder.mkdir(parents=True)
    lines = [
        f'- version: "{one["version"]}"\n  deployPostfix: "{one["deployPostfix"]}"\n'
        for one in map(_application, range(APPLICATIONS))
    ]
    (folder / "sd.yaml").write_text("applications:\n" + "".join(lines))


def _application(number: int, version: int = 1) -> dict[str, str]:
    return {"version": f"app-{number}:{version}.0.0", "deployPostfix": f"p{number % 7}"}
