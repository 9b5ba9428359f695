"""`python -m tests.oracles.scalars --count N --seed S`: N random scalars through both Go readers and ours, and what we write back."""

from __future__ import annotations

import argparse
import sys

from tests.oracles.scalars import compare


def main() -> int:
    """Print the differences, the known disagreements of the two readers, and how many of each there are; 1 if there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.scalars", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = compare.run(args.count, args.seed)
    for line in found.differences[:50]:
        print(line)
    for cause, times in sorted(found.exceptions.items()):
        print(f"{times} disagreements of the two readers: {compare.EXCEPTIONS[cause]}")
    print(f"{args.count} scalars, {len(found.differences)} differences")
    return int(bool(found.differences))


if __name__ == "__main__":
    sys.exit(main())
