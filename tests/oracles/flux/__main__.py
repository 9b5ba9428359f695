"""`python -m tests.oracles.flux --count N --seed S`: random HelmReleases, compared with Flux's own code."""

from __future__ import annotations

import argparse
import sys

from tests.oracles.flux.compare import run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = run(options.count, options.seed)
    for line in found.differences[:20]:
        print(line)
    for name, number in [*sorted(found.sorts.items()), *((f"refused: {cause}", n) for cause, n in found.causes.items())]:
        print(f"{number:7} {name}")
    print(f"{options.count} HelmReleases, {len(found.differences)} differences")
    return int(bool(found.differences))


if __name__ == "__main__":
    sys.exit(main())
