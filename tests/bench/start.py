"""G1 and G2: small runs, where the start of the process counts, and the same function in Go; the result is the same."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.bench import data, setting
from tests.bench.figures import Figure
from tests.bench.processes import Command, measure
from tests.bench.setting import Bench

NAME = "krm-tekton-params"
SIZES = (10, 100, 1_000, 10_000)
_BOOKKEEPING = re.compile(r"^(internal\.)?config\.(kubernetes|k8s)\.io/")
MANY = 1_000
"""So many items take a second, so that a quick run measures them less often."""
WALL, WALL_MORE = 1.4, 20.0
"""Wall time is at most this many times the processor's, and so many ms more."""


def peers(bench: Bench) -> Iterator[Figure]:
    """Yield G2, and whether the results are the same."""
    go = setting.peer()
    if go is None:
        setting.missing("Go", "G2 and whether the results are the same")
        return
    for count in SIZES[: 3 if bench.quick else None]:
        file = listed(bench, count)
        found = measure(
            {"ours": Command(bench.ours(NAME), file), "go": Command(go, file)}, bench.rounds if count >= MANY else 0
        )
        ours, other = found["ours"], found["go"]
        yield Figure(
            f"G2-{count}", f"{NAME}, {count:,} items, 5 edited", ours.cpu, "the same in Go", other.cpu,
            median=ours.cpu_median, wall=ours.wall, runs=ours.runs,
        )  # fmt: skip
    yield same(bench.ours(NAME), go, listed(bench, 100))


def small(bench: Bench) -> Iterator[Figure]:
    """Yield what needs no Go: 10 items against bare Python, and wall time against the processor's."""
    file = listed(bench, 10)
    ours, bare = Command(bench.ours(NAME), file), Command(setting.BARE)
    found = measure({"ours": ours, "bare": bare})
    row = found["ours"]
    yield Figure(
        "G1", f"{NAME}, 10 items, 5 edited", row.cpu, "python -I -c pass", found["bare"].cpu,
        median=row.cpu_median, wall=row.wall, runs=row.runs,
    )  # fmt: skip
    yield Figure("wall", "its wall time", row.wall, "processor's + 40 % + 20 ms", row.cpu * WALL + WALL_MORE, runs=row.runs)


def same(ours: list[str], go: list[str], file: Path) -> Figure:
    """Compare the resources, without the bookkeeping of hosts, which each side treats in its own way."""
    first, second = (items(setting.output(argv, file)) for argv in (ours, go))
    differing = sum(one != other for one, other in zip(first, second, strict=True))
    untouched = first == items(file.read_bytes())
    return Figure("same", "resources that differ from the Go peer's", differing + untouched, "resources", len(first), "items")


def items(text: bytes) -> list[Any]:
    """Return the resources of a list, without what hosts note on them."""
    found = yaml.load(text, yaml.CSafeLoader)["items"]
    for item in found:
        notes = item["metadata"].get("annotations", {})
        for key in [key for key in notes if _BOOKKEEPING.match(key)]:
            del notes[key]
    return list(found)


def listed(bench: Bench, count: int, edited: int = 5) -> Path:
    """Return a list of that many items."""
    return bench.file(f"list-{count}-{edited}.yaml", functools.partial(data.write, count=count, edited=edited))
