"""`python -m tests.check giantswarm`: the cases of a function's system, and the day's part of its tests and of those of all rules and configs.

`cli`: the tests of the commands; `kit`: those of the shared code.
"""

from __future__ import annotations

import sys

import pytest

from krm_values._krm import names
from tests.conformance import __main__ as conformance
from tests.conformance.systems import SYSTEMS
from tests.rule import known


def main(word: str) -> int:
    """Run them. LookupError if the word names no function."""
    if word in ("cli", "kit"):
        return int(pytest.main(["-q", "--daily", f"tests/{word}"]))
    name = known.function(word)
    system = known.CASES.get(name, known.system(name))
    failed = conformance.main([system], quiet=True) if system in SYSTEMS else 0
    tests = (f"tests/functions/{names.module(name)}", "tests/functions/test_goldens.py", "tests/rule")
    return failed or int(pytest.main(["-q", "--daily", *tests]))


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (LookupError, TypeError) as error:
        sys.exit(f"make check FUNCTION=NAME: {error}")
