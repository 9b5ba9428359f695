"""`python -m tests.bench`: our whole process against bare Python and PyYAML's C loader, in one interleaved run."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.bench import data, layered, processes, releases

SIZES = {10: 21, 1_000: 7, 10_000: 3}
LOAD = "import sys, yaml; yaml.load(sys.stdin.buffer, yaml.CSafeLoader)"


def main(sizes: list[str]) -> None:
    ours = shutil.which("krm-tekton-params", path=str(Path(sys.executable).parent))
    if ours is None:
        raise SystemExit("krm-tekton-params is not installed beside this Python: make bench")
    commands = {
        "krm-tekton-params": [ours],
        "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
        "CSafeLoader load, gc on": [sys.executable, "-I", "-c", LOAD],
    }
    print("| items | input MB | command | median ms | to bare Python | to the load | RSS MB | RSS to input |")
    print("|---:|---:|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for count in map(int, sizes or SIZES):
            file = Path(folder, f"{count}.yaml")
            with file.open("w") as out:
                data.write(out, count)
            _print(count, file.stat().st_size / 1e6, processes.measure(commands, file, SIZES.get(count, 3)))
        if not sizes:
            layered.main(Path(folder))
            releases.main(Path(folder))


def _print(count: int, size: float, rows: dict[str, processes.Row]) -> None:
    bare, load = rows["python -I -c pass"], rows["CSafeLoader load, gc on"]
    for name, row in rows.items():
        ratio = row.milliseconds / load.milliseconds
        print(
            f"| {count} | {size:.2f} | {name} | {row.milliseconds:.1f} | {row.milliseconds / bare.milliseconds:.2f} "
            f"| {ratio:.4f} (1/{1 / ratio:.0f}) | {row.megabytes:.1f} | {row.megabytes / size:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
