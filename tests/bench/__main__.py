"""`python -m tests.bench [--quick] [--json] [--record] [ROW...]`: whole processes against their yardsticks; exit 1 if a row falls short.

--quick: only what is small; it fails where a ratio is a quarter above what was recorded. --record: write down what was reached. ROW: the
name of a row.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench import figures, functions, large, outputs, packages, readme, start
from tests.bench.figures import Figure
from tests.bench.setting import Bench

FAMILIES: dict[tuple[str, ...], Callable[[Bench], Iterator[Figure]]] = {
    ("G1", "G2", "wall", "same"): start.rows,
    ("G7", "G8", "G9", "G11", "explain"): functions.rows,
    ("G3", "G4", "G5", "G6", "G10"): large.rows,
    ("G12", "G13", "G14"): packages.rows,
    ("G15",): outputs.rows,
}
if importlib.util.find_spec("tests.bench.page"):
    FAMILIES["page",] = importlib.import_module("tests.bench.page").rows


def main(words: list[str]) -> int:
    """Measure the rows that are asked for, or all."""
    quick, as_json = "--quick" in words, "--json" in words
    wanted = [word for word in words if not word.startswith("--")]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), quick)
        found = [
            figure
            for names, rows in FAMILIES.items()
            if not wanted or {word.partition("-")[0] for word in wanted} & {*names}
            for figure in rows(bench)
        ]
    if "--record" in words:
        readme.record(found, whole=not quick and not wanted)
    return int(figures.report(found, quick=quick, as_json=as_json))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
