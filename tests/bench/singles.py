"""`python singles.py JOBS WORD... -- PACKAGE...`: a command about one package, asked of many in a plain pool of processes.

The yardstick of the answers over a fleet. `PACKAGE` in a word is replaced by each package.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor

from krm_values._cli.main import main


def ask(words: list[str]) -> int:
    """Run a command and return its exit code."""
    return main(words)


if __name__ == "__main__":
    sys.argv, words = ["krm-values"], sys.argv[1:]
    at = words.index("--")
    with ProcessPoolExecutor(int(words[0])) as pool:
        asked = [[word.replace("PACKAGE", package) for word in words[1:at]] for package in words[at + 1 :]]
        sys.exit(max(pool.map(ask, asked)))
