"""G12 and G14: `render` of packages, and of many at once, against `kpt fn render` with the same function."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench import data, setting
from tests.bench.figures import Figure
from tests.bench.processes import Command, measure
from tests.bench.setting import Bench

SIZES = (10, 100, 1_000)
_MANY, _FILES = 200, 50
_KPTFILE = """apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: bench
pipeline:
  mutators:
  - exec: krm-tekton-params
"""


def hosts(bench: Bench) -> Iterator[Figure]:
    """Yield G12, where kpt is installed."""
    kpt = shutil.which("kpt")
    if kpt is None:
        setting.missing("kpt", "G12")
        return
    for count in SIZES[: 2 if bench.quick else None]:
        yield _against(kpt, bench, count)


def together(bench: Bench) -> Iterator[Figure]:
    """Yield G14."""
    yield _at_once(bench, 20 if bench.quick else _MANY, "-quick" if bench.quick else "")


def _against(kpt: str, bench: Bench, count: int) -> Figure:
    pattern = _package(bench, f"package-{count}", count)
    ours, theirs = bench.folder / "ours", bench.folder / "theirs"
    bench.ours("krm-tekton-params")
    found = measure({
        "ours": Command(bench.ours("krm-values", "render", str(ours)), prepare=copy(pattern, ours)),
        "kpt": Command([kpt, "fn", "render", "--allow-exec", str(theirs)], prepare=copy(pattern, theirs),
                       environment={"PATH": f"{bench.folder}{os.pathsep}{os.environ['PATH']}"}),
    }, 3 * bench.rounds if count == SIZES[0] else bench.rounds)  # fmt: skip
    row = found["ours"]
    return Figure(
        f"G12-{count}", f"render, {count:,} files, 5 edited", row.cpu, "kpt fn render", found["kpt"].cpu,
        median=row.cpu_median, wall=row.wall, runs=row.runs,
    )  # fmt: skip


def _at_once(bench: Bench, count: int, mark: str) -> Figure:
    pattern = bench.folder / f"packages-{count}"
    for number in range(count):
        _package(bench, f"packages-{count}/{number}", _FILES)
    target = bench.folder / "all"
    one = bench.ours("krm-values", "render", "--recursive", str(target))
    each = ["/bin/sh", "-c", 'for directory in "$1"/*; do "$0" render "$directory"; done', one[0], str(target)]
    renew = copy(pattern, target)
    found = measure({"one": Command(one, prepare=renew), "each": Command(each, prepare=renew)}, 1 if bench.quick else 0)
    row = found["one"]
    return Figure(
        f"G14{mark}", f"{count} packages of {_FILES} files in one command", row.cpu, f"{count} commands", found["each"].cpu,
        median=row.cpu_median, wall=row.wall, runs=row.runs,
    )  # fmt: skip


def _package(bench: Bench, name: str, count: int) -> Path:
    folder = bench.folder / name
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "Kptfile").write_text(_KPTFILE)
        for number, text in enumerate(data.plain(count, 5)):
            (folder / f"{number}.yaml").write_text(text)
    return folder


def copy(source: Path, target: Path) -> Callable[[], None]:
    """Return what copies a folder anew."""

    def renew() -> None:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)

    return renew
