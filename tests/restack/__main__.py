"""`python -m tests.restack --count N --seed S`: random packages whose steps write one place, rendered again after random changes.

Prints how many renders were made, what was refused, and every law that fell, with the seed of its package: `--only SEED` tries that one again.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.restack.hosts import by_kpt, by_pipe
from tests.restack.laws import Count, rendered, tried

FUNCTIONS = [
    "layered-values",
    "glasskube-values",
    "flux-values",
    "tekton-params",
    "giantswarm-config",
    "cartographer-params",
]
"""Not envgene-sd: a Full SD accumulates what was merged into it, as upstream's does, and keeps no record of it."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.restack", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default=str(secrets.randbelow(1_000_000)))
    parser.add_argument(
        "--functions", default=",".join(FUNCTIONS), help="separated by commas; without it all of these: %(default)s"
    )
    parser.add_argument("--kpt", type=int, default=0, help="packages that kpt renders, besides")
    parser.add_argument("--pipe", type=int, default=0, help="packages that a pipe of functions renders, besides")
    parser.add_argument("--only", help="the seed of one package, with --functions as they were")
    parser.add_argument("--show", type=int, default=12, help="falls that are described")
    options = parser.parse_args()
    functions = options.functions.split(",")
    count = Count()
    hosts = {"": (options.count, rendered), "kpt": (options.kpt, by_kpt), "pipe": (options.pipe, by_pipe)}
    seeds = [f"{options.seed}-{number}{host}" for host, (number_of, _) in hosts.items() for number in range(number_of)]
    for seed in [options.only] if options.only else seeds:
        host = seed.rpartition("-")[2].lstrip("0123456789")
        with tempfile.TemporaryDirectory(prefix="restack-") as into:
            tried(seed, functions, Path(into), count, hosts[host][1])
    for law, seed, text in count.falls[: options.show]:
        print(f"--- {law}: --functions {options.functions} --only {seed}\n{text}")
    refused = sum(count.refusals.values())
    print(
        f"seed {options.seed}: {count.packages} packages, {count.changes} changes, {count.renders} renders, {refused} refused"
    )
    for kind, number in count.refusals.most_common():
        print(f"  {number} refused: {kind}")
    for law, number in Counter(law for law, _, _ in count.falls).most_common():
        print(f"  {number} fell: {law}: {' '.join(seed for one, seed, _ in count.falls if one == law)}")
    return int(bool(count.falls))


if __name__ == "__main__":
    sys.exit(main())
