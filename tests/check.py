"""`python -m tests.check giantswarm`: the cases of a function's system, and the day's part of its tests; `cli`: those of the commands."""

from __future__ import annotations

import sys

import pytest

from krm_values._krm import names
from tests.conformance import __main__ as conformance
from tests.conformance.systems import SYSTEMS
from tests.rule import known


def main(word: str) -> int:
    """Run both. LookupError if the word names no function."""
    if word == "cli":
        return int(pytest.main(["-q", "--daily", "tests/cli"]))
    name = known.function(word)
    system = known.CASES.get(name, known.system(name))
    failed = conformance.main([system], quiet=True) if system in SYSTEMS else 0
    return failed or int(pytest.main(["-q", "--daily", f"tests/functions/{names.module(name)}"]))


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (LookupError, TypeError) as error:
        sys.exit(f"make check FUNCTION=NAME: {error}")
