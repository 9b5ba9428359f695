"""`python -m tests.rule FUNCTION RULE`: the text of a rule, and where it is documented, coded and tested.

FUNCTION is a function's name (`giantswarm-config`) or that of its system (`giantswarm`); without RULE all rules are listed.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tests.rule import known
from tests.rule.cited import places
from tests.rule.without_case import WITHOUT_CASE

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
        print(*(f"{rule.number:>5}  {rule.title}" for rule in rules.values()), sep="\n")
    elif options.rule not in rules:
        parser.error(f"{name} has no rule {options.rule}; without RULE all rules are listed")
    else:
        print(*_lines(name, options.rule), sep="\n")
    return 0


def _lines(name: str, rule: str) -> Iterator[str]:
    found = known.rules(name)[rule]
    yield f"{_shown(found.path, found.line)}  {rule}. {found.title}"
    for paragraph in filter(None, found.text.split("\n\n")):
        lines = paragraph.splitlines() if paragraph.startswith(("|", "-")) else textwrap.wrap(paragraph, 110)
        yield from (f"  {line}" for line in lines)
    if found.chapter:
        owner = known.function(found.path.stem)
        yield f"manual  {_shown(known.manual(owner), known.headings(owner)[found.chapter])}  {found.chapter}"
    code = places(known.sources(name), rule)
    yield from _first("code", [f"{_shown(path, line)}  {text}" for path, line, text in code])
    cases = known.cases(name).get(rule, [])
    yield from _first("case", [f"{_shown(path, line)}  {case}" for path, line, case in cases])
    tests: dict[tuple[Path, str], int] = {}
    for path, line, text in places(known.tests(name), rule):
        tests.setdefault((path, known.test_of(path, line) or text), line)
    yield from _first("test", [f"{_shown(path, line)}  {test}" for (path, test), line in tests.items()])
    if reason := WITHOUT_CASE.get(found.path.stem, {}).get(rule):
        yield f"without a case: {reason}"


def _first(sort: str, lines: list[str]) -> Iterator[str]:
    """Yield the first lines of a sort, and how many more there are."""
    yield from (f"{sort:<6}  {line}" for line in lines[:_MANY])
    if len(lines) > _MANY:
        yield f"{sort:<6}  and {len(lines) - _MANY} more"


def _shown(path: Path, line: int) -> str:
    return f"{os.path.relpath(path, known.ROOT)}:{line}"


if __name__ == "__main__":
    sys.exit(main())
