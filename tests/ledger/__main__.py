"""`python -m tests.ledger --count N --seed S [--law NAME]`: the laws of what is said about values, on N packages each.

Prints the checks of each law, how many are right and wrong, and the seed of each fall: `--law NAME --only SEED` tries that one again.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.ledger.laws import CASE, LAWS, Count, tried


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ledger", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="packages for each law")
    parser.add_argument("--seed", default=str(secrets.randbelow(1_000_000)))
    parser.add_argument("--law", choices=LAWS, help="if only one is tried")
    parser.add_argument("--only", help="the seed of one package")
    parser.add_argument("--show", type=int, default=6, help="falls of each law that are described")
    options = parser.parse_args()
    seeds = (
        [options.only]
        if options.only
        else [f"{options.seed}-{CASE if number % 2 else ''}{number}" for number in range(options.count)]
    )
    wrong = 0
    for law in [options.law] if options.law else LAWS:
        count = Count()
        for seed in seeds:
            with tempfile.TemporaryDirectory(prefix="ledger-") as into:
                tried(law, seed, Path(into), count)
        for seed, text in count.falls[: options.show]:
            print(f"--- --law {law} --only {seed}\n{text}")
        fell = Counter(seed for seed, _ in count.falls)
        wrong += len(count.falls)
        print(
            f"{law}: {count.right + len(count.falls)} checks, {count.right} right, {len(count.falls)} wrong{''.join(f' {one}' for one in fell)}"
        )
        for reason, number in count.skipped.most_common():
            print(f"  {number} not tried: {reason}")
    print(f"seed {options.seed}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
