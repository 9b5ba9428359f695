"""`python -m tests.oracles.glasskube --count N --seed S`: N random inputs of each sort through the operator's modules and ours."""

from __future__ import annotations

import argparse
import sys

from tests.oracles.glasskube.compare import SORTS, compare


def main() -> int:
    """Print the differences and how many there are; 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.glasskube", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sort", choices=sorted(SORTS), action="append")
    options = parser.parse_args()
    failed = False
    for sort in options.sort or SORTS:
        found = compare(sort, options.count, options.seed)
        for line in found.differences[:20]:
            print(line)
        print(found.summary())
        failed = failed or bool(found.differences)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
