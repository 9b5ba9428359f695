"""python -m tests.reference layered-values COUNT SEED: compare a function with its reference implementation on random input."""

from __future__ import annotations

import argparse

from tests.reference.layered_values import compare, laws
from tests.reference.layered_values.made import Stack
from tests.reference.layered_values.scalars import written

CASES = {"layered-values": compare.difference}
LAWS = {"layered-values": laws.broken}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.reference", description=__doc__)
    parser.add_argument("function", choices=sorted(CASES))
    parser.add_argument("count", type=int, nargs="?", default=300, help="how many random inputs")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="the first one's seed")
    parser.add_argument("--most", type=int, default=5, help="print so many differences")
    parser.add_argument("--laws", action="store_true", help="check second run, undo and order of items too")
    arguments = parser.parse_args()
    different = clean = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        reasons = CASES[arguments.function](seed) or (LAWS[arguments.function](seed) if arguments.laws else [])
        clean += compare.accepted(seed)
        if reasons:
            different += 1
            if different <= arguments.most:
                stack = Stack(seed)
                print(f"=== seed {seed}", *written({"config": stack.config, "items": stack.items}), *reasons, sep="\n")
    print(f"{arguments.count} stacks, {clean} without an error, differences: {different}")
    return int(different > 0)


if __name__ == "__main__":
    raise SystemExit(main())
