"""`python -m tests.oracles.cartographer --count N --seed S`: random templates and paths, compared with upstream's own code."""

from __future__ import annotations

import argparse
import sys

from tests.oracles.cartographer.compare import differences, rare


def main() -> int:
    """Print the differences, how often each feature occurs and how many questions evaluate; 1 if there is a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.cartographer", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found, counts, features = differences(options.count, options.seed)
    for line in found[:20]:
        print(line)
    print(", ".join(f"{name} {count}" for name, count in sorted(features.items())))
    print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"{options.count} questions, {len(found)} differences")
    missed = rare(options.count, features)
    print("too rare: " + ", ".join(missed) if missed else "every feature in one question of a hundred at least")
    return int(bool(found or missed))


if __name__ == "__main__":
    sys.exit(main())
