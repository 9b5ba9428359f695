"""`python -m tests.oracles.goyaml --count N --seed S`: N random odd texts through Go's reader and ours."""

from __future__ import annotations

import argparse
import sys

from tests.oracles.go import ask
from tests.oracles.goyaml.compare import difference
from tests.oracles.goyaml.texts import Texts


def main() -> int:
    """Print the differences and how many there are; 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.goyaml", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    source = Texts(args.seed)
    texts = [source.next() for _ in range(args.count)]
    answers = ask("goyaml", list(texts))
    found = [f"{text!r}: {line}" for text, answer in zip(texts, answers, strict=True) if (line := difference(text, answer))]
    for line in found[:50]:
        print(line)
    refused = sum("error" in answer for answer in answers)
    print(f"{args.count} texts, {refused} refused by Go, {len(found)} differences")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
