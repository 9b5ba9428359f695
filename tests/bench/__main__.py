"""`python -m tests.bench [--quick] [--json] [--record] [ROW...]`: whole processes against their yardsticks; exit 1 if a row falls short.

--quick: only what is small; it fails where a ratio is a quarter above what was recorded. --record: write down what was reached. ROW: the
name of a row.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench import explained, figures, fleets, functions, images, large, outputs, packages, page, record, start
from tests.bench.figures import Figure
from tests.bench.setting import Bench

FAMILIES: tuple[tuple[Callable[[Bench], Iterator[Figure]], set[str]], ...] = (
    (start.small, {"G1", "wall"}),
    (start.peers, {"G2", "same"}),
    (functions.runs, {"G7"}),
    (functions.releases, {"G8", "explain"}),
    (functions.apps, {"G8", "explain"}),
    (functions.packages, {"G9"}),
    (functions.workloads, {"G11"}),
    (functions.deployments, {"G16"}),
    (large.environments, {"G10"}),
    (large.lists, {"G3", "G4", "G5", "G6"}),
    (packages.hosts, {"G12"}),
    (packages.together, {"G14"}),
    (images.rows, {"image"}),
    (explained.rows, {"answer"}),
    (outputs.rows, {"G15"}),
    (page.rows, {"page"}),
    (fleets.rows, {"fleet"}),
)
"""What measures rows, and the names of their gates without what follows `-`."""


def _steady(rows: Callable[[Bench], Iterator[Figure]], bench: Bench) -> list[Figure]:
    """Measure a family of rows; where one is worse than recorded, up to twice more, since another process may have disturbed it."""
    found = {figure.name: figure for figure in rows(bench)}
    for _ in range(2 if bench.quick else 0):
        if not figures.worse(found.values()):
            break
        for figure in rows(bench):
            found[figure.name] = min(figure, found[figure.name], key=lambda one: one.ratio)
    return [*found.values()]


def main(words: list[str]) -> int:
    """Measure the rows that are asked for, or all."""
    quick, as_json = "--quick" in words, "--json" in words
    wanted = [word for word in words if not word.startswith("--")]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), quick)
        families = [rows for rows, names in FAMILIES if not wanted or {word.partition("-")[0] for word in wanted} & names]
        found = [figure for rows in families for figure in _steady(rows, bench)]
    if "--record" in words:
        record.save(found, whole=not quick and not wanted)
    return int(figures.report(found, quick=quick, as_json=as_json))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
