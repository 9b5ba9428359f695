"""`python -m tests.inputs --count N --seed S`: random edits of random repositories, against the paths that `krm-values inputs` lists.

`--only SEED` tries one repository again.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.inputs.laws import Count, tried


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.inputs", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="repositories")
    parser.add_argument("--seed", default=str(secrets.randbelow(1_000_000)))
    parser.add_argument("--only", help="the seed of one repository")
    options = parser.parse_args()
    count = Count()
    for seed in [options.only] if options.only else [f"{options.seed}-{number}" for number in range(options.count)]:
        with tempfile.TemporaryDirectory(prefix="inputs-") as into:
            tried(seed, Path(into).resolve(), count)
    for law, seed, path in count.faults[:20]:
        print(f"--- {law}: --only {seed}\n{path}")
    print(
        f"seed {options.seed}: {count.packages} packages, {sum(count.refused.values())} refused, {count.edits} edits, "
        f"{count.unlisted} of paths that are not listed, {count.changed} changed the answer; {count.listed} listed paths; "
        f"{count.unrelated} unrelated files; {len(count.faults)} wrong"
    )
    for what, number in count.refused.most_common():
        print(f"  {number} refused: {what}")
    for law, number in Counter(law for law, _, _ in count.faults).most_common():
        print(f"  {number} wrong: {law}")
    return int(bool(count.faults))


if __name__ == "__main__":
    sys.exit(main())
