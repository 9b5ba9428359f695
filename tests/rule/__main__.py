"""`python -m tests.rule FUNCTION RULE`: the subject of a rule, and where it is documented, coded and tested.

FUNCTION is a function's name or its first word; without RULE all rules are listed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.rule import known
from tests.rule.cited import places

_MANY = 12


def main() -> int:
    """Print it. Exit code 2 for an unknown function or rule."""
    parser = argparse.ArgumentParser(prog="python -m tests.rule", description=__doc__)
    parser.add_argument("function")
    parser.add_argument("rule", nargs="?", default="")
    options = parser.parse_args()
    try:
        name = known.function(options.function)
    except LookupError as error:
        parser.error(str(error.args[0]))
    rules = known.rules(name)
    if not options.rule:
        print(*(f"{rule:>5}  {title}" for rule, (title, _) in rules.items()), sep="\n")
    elif options.rule not in rules:
        parser.error(f"{name} has no rule {options.rule}; without RULE all rules are listed")
    else:
        print(*_lines(name, options.rule), sep="\n")
    return 0


def _lines(name: str, rule: str) -> Iterator[str]:
    title, heading = known.rules(name)[rule]
    yield f"{name}, rule {rule}: {title}"
    yield f"manual  {_shown(known.manual(name), known.headings(name)[heading])}  {heading}"
    code = places(known.sources(name), rule)
    yield from (f"code    {_shown(path, line)}  {text}" for path, line, text in code)
    cases = known.cases(name).get(rule, [])
    yield from (f"case    {_shown(path, line)}  {case}" for path, line, case in cases[:_MANY])
    if len(cases) > _MANY:
        yield f"case    and {len(cases) - _MANY} more"
    tests: dict[tuple[Path, str], int] = {}
    for path, line, text in places(known.tests(name), rule):
        tests.setdefault((path, known.test_of(path, line) or text), line)
    yield from (f"test    {_shown(path, line)}  {test}" for (path, test), line in tests.items())
    if rule in known.without_case(name):
        yield f"without a case: {known.without_case(name)[rule]}"


def _shown(path: Path, line: int) -> str:
    return f"{os.path.relpath(path, known.ROOT)}:{line}"


if __name__ == "__main__":
    sys.exit(main())
