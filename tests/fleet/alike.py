"""`python -m tests.fleet.alike [PACKAGES]`: the answers over a fleet against those of its packages one by one, with figures; exit 1 if one differs.

The packages hold copies of three bases. The pool that an answer is compared with asks the packages that the question reaches, and no other
(`tests/bench/singles.py`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench import singles
from tests.cli.packages import SOURCE, clean, command
from tests.fleet import bases
from tests.fleet.test_answers import unfolded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


def compared(
    name: str,
    root: Path,
    words: Sequence[str],
    ask: Callable[[Path], Sequence[str | Path]],
    rows: Callable[[dict], Iterator[dict]],
    key: str,
    select: Sequence[str],
) -> bool:
    """Print what an answer takes, and what a plain pool takes for what it reaches; return whether it is the one of single packages."""
    began = time.monotonic()
    done = command("fleet", *words, "--json", cwd=root)
    took = time.monotonic() - began
    began = time.monotonic()
    pool_words = [str(len(os.sched_getaffinity(0))), *map(str, ask(Path("PACKAGE"))), "--", *select]
    subprocess.run(
        [sys.executable, singles.__file__, *pool_words], cwd=root, env={**clean({}), "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    pool = time.monotonic() - began
    began = time.monotonic()
    single = bases.one_by_one(root, ask, rows)
    is_same = bases.grouped(json.loads(done.stdout), key) == single
    ratio = f"{took / pool:.2f} of the pool's {pool:.1f} s"
    alone = f"one by one {time.monotonic() - began:.1f} s"
    print(
        f"{name:<8} {took:6.1f} s, {ratio}, {alone}; {len(single):,} packages, {'equal' if is_same else 'NOT EQUAL'}",
        flush=True,
    )
    return is_same


def main(count: int = 2000) -> int:
    """Ask the three questions; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        root = bases.make(Path(folder) / "fleet", count)
        names = [one.relative_to(root).as_posix() for one in bases.packages(root)]
        reached = [name for name in names if (root / name / "bases/b.yaml").exists()]
        fine = [
            compared(
                "explain", root, ["explain", ".", "spec.replicas"],
                lambda package: ("explain", package, "spec.replicas", "--json"), unfolded, "values", names,
            ),
            compared(
                "impact", root, ["impact", ".", "bases/b.yaml:6=9"],
                lambda package: ("impact", f"{package / 'bases/b.yaml'}:6=9", package, "--json"),
                lambda one: iter(one["differences"]), "differences", reached,
            ),
        ]  # fmt: skip
        bases.edit(root, "b", "replicas: 3", "replicas: 30")
        fine.append(
            compared(
                "compare", root, ["compare", ".", "--against", "HEAD"],
                lambda package: ("compare", package, "--against", "HEAD", "--json"),
                lambda one: iter(one["differences"]), "differences", reached,
            )
        )  # fmt: skip
    return int(not all(fine))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
