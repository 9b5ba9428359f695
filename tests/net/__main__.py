"""`python -m tests.net BEFORE [AFTER] [--packages N] [--keep DIR]`: the answers of two checkouts to the same inputs; exit 1 if any differ.

The inputs are made by this checkout, AFTER is this one unless it is named. --keep leaves all answers in a directory, to be compared.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.net import inputs

SHOWN = 20
"""Differences that are printed, and lines of each."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.net", description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path, nargs="?", default=inputs.ROOT)
    parser.add_argument("--packages", type=int, default=300)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="net-") as scratch:
        folder = options.keep or Path(scratch)
        given = folder / "inputs"
        given.mkdir(parents=True, exist_ok=True)
        jobs = [*inputs.jobs(given, packages=options.packages)]
        (folder / "jobs.json").write_text(json.dumps(jobs), "utf-8")
        running = [_start(side, checkout, folder) for side, checkout in (("before", options.before), ("after", options.after))]
        if any(process.wait() for process in running):
            return 2
        return _compare([job["name"] for job in jobs], folder)


def _start(side: str, checkout: Path, folder: Path) -> subprocess.Popen[bytes]:
    out = folder / side
    out.mkdir(exist_ok=True)
    functions = str(checkout.resolve() / "functions")
    command = [sys.executable, "-I", str(Path(__file__).with_name("driver.py")), functions, str(folder / "jobs.json"), str(out)]
    state = {"XDG_STATE_HOME": str(folder / f"state-{side}"), "XDG_CACHE_HOME": str(folder / f"cache-{side}")}
    return subprocess.Popen(
        command, env={"PATH": os.environ["PATH"], "HOME": str(folder), "NO_COLOR": "1", "COLUMNS": "100", **state}
    )


def _compare(names: list[str], folder: Path) -> int:
    differing = [name for name in names if (folder / "before" / name).read_bytes() != (folder / "after" / name).read_bytes()]
    for name in differing[:SHOWN]:
        texts = [(folder / side / name).read_text("utf-8", "replace").splitlines() for side in ("before", "after")]
        print(f"== {name}", *[*difflib.unified_diff(*texts, lineterm="", n=0)][2 : 2 + SHOWN], sep="\n")
    print(f"{len(differing)} of {len(names)} differ" + (f": {' '.join(differing[SHOWN:])}" if len(differing) > SHOWN else ""))
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
