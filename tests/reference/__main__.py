"""`python -m tests.reference SYSTEM COUNT SEED`: compare a function with the independent implementation of its rules on random input."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

SYSTEMS = sorted(path.parent.name for path in Path(__file__).parent.glob("*/differences.py"))


def main(words: list[str] | None = None) -> int:
    """Print the first differences; 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.reference", description=__doc__)
    parser.add_argument("system", choices=SYSTEMS)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="inputs per mode")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="of the first input")
    parser.add_argument("--mode", action="append", default=[], help="one mode, may be repeated (default: all)")
    parser.add_argument("--most", type=int, default=5, help="stop after so many differences")
    options = parser.parse_args(words)
    differences = importlib.import_module(f"tests.reference.{options.system}.differences")
    different = 0
    for seed in range(options.seed, options.seed + options.count):
        for mode in options.mode or differences.MODES:
            if found := differences.report(seed, mode):
                different += 1
                print(f"=== seed {seed}, {mode}: {found}", flush=True)
        if different >= options.most:
            break
    print(f"{options.count} inputs, {different} differences")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
