"""`.krmignore`: which files and directories do not belong to a package.

pathspec converts a pattern to a regular expression, and RE2 matches it in time linear in the name, whatever the pattern.
"""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.shown import described
from krm_values._golang.regexp import PatternError, compiled
from krm_values._yaml.encoding import check_utf8

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, TypeAlias

    from krm_values._cli.package.regular_files import Reader

    Ignored: TypeAlias = Callable[[str], bool]  # of a slash path relative to the package; a directory's ends in a slash

NAME = ".krmignore"
_LONGEST = 1_000  # characters of a pattern
_LONGEST_WRITTEN = 20_000  # of the expression that is made of it
_MOST = 10_000  # patterns
_WORK = 4_000_000  # steps: one for each pattern and 32 characters of each name
_UNIT = 32


def read(package: Path, reader: Reader, package_path: str = "") -> Ignored:
    """Return a function that says whether a path is ignored by the package's own rules, which do not apply to sub-packages.

    package_path: of the package, below the outermost one, which is the reader's. InputError, with file and line, for an invalid rule; and
    from the returned function, if all patterns on all names take too many steps. It is called only for paths below directories that are not
    ignored, so a pattern need not match what is below its match.
    """
    if not os.path.lexists(package / NAME):
        return lambda _: False
    data = reader.read(posixpath.join(package_path, NAME), "ignore_bytes")
    try:
        check_utf8(data)
        rules = _rules(data.decode("utf-8").split("\n"))
    except InputError as error:
        raise error.moved(posixpath.join(package_path, NAME), 1) from None

    left = _WORK

    def ignored(path: str) -> bool:
        nonlocal left
        left -= len(rules) * (1 + len(path) // _UNIT)
        if left < 0:
            text = f"must not need more than {_WORK:,} steps for all names of the package; use fewer patterns, or ignore whole directories"
            raise InputError(text, 1, 1).moved(posixpath.join(package_path, NAME), 1)
        return next((ignores for ignores, matches in rules if matches(path)), False)

    return ignored


def _rules(lines: list[str]) -> list[tuple[bool, Callable[[str], bool]]]:
    """Return (whether it ignores, matcher) of each pattern, the last one first, because that one decides."""
    rules: list[tuple[bool, Callable[[str], bool]]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()  # as kpt does
        if text and not text.startswith("#"):
            if len(rules) == _MOST:
                raise InputError(f"must not have more than {_MOST:,} patterns", number, 1)
            include, pattern = _compiled(text, number)
            rules.append((include, _matcher(text.removeprefix("!"), pattern)))
    return rules[::-1]


def _compiled(text: str, number: int) -> tuple[bool, Any]:
    """Return whether a pattern ignores, and its expression. InputError with its line if it is not valid."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only where there are rules

    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}..."
        raise InputError(
            f"must be a pattern as in `.gitignore` of at most {_LONGEST:,} characters; found {described(text)}", number, 1
        )
    # the class of a pattern writes expressions; a pattern of its own would compile one
    (known,) = GitIgnoreSpec.from_lines(["known"]).patterns
    try:
        written, include = known.pattern_to_regex(text)
        if include is not None:
            return include, compiled(str(written), _LONGEST_WRITTEN)
    except (ValueError, PatternError):
        pass
    raise InputError(f"must be a pattern as in `.gitignore`; found {described(text)}", number, 1)


def _matcher(text: str, pattern: Any) -> Callable[[str], bool]:
    by_name = "/" not in text[:-1]
    only_directories = text.endswith("/")

    def matches(path: str) -> bool:
        if only_directories and not path.endswith("/"):
            return False
        subject = path[path.rstrip("/").rfind("/") + 1 :] if by_name else path
        return pattern.search(subject.encode("utf-8", "replace").decode()) is not None

    return matches
