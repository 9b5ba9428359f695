"""`python -m tests.oracles.giantswarm --count N --seed S`: random Apps, compared with upstream's own merge."""

from __future__ import annotations

import argparse
import sys

from tests.oracles.giantswarm.compare import differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found, sorts = differences(options.count, options.seed)
    for line in found[:20]:
        print(line)
    print(
        f"{options.count} Apps ({', '.join(f'{count} {sort}' for sort, count in sorted(sorts.items()))}), {len(found)} differences"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
