"""`.krmignore`: which files and directories of a package are not part of it."""

from __future__ import annotations

import posixpath

from krm_values._kit.errors import InputError
from krm_values._kit.text import check_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, TypeAlias

    Ignored: TypeAlias = Callable[[str], bool]  # of a slash path relative to the package; a directory's ends in a slash

NAME = ".krmignore"


def read(package: Path, path: str = "") -> Ignored:
    """The package's own rules; without the file nothing is ignored. They do not reach into sub-packages.

    path: the package's, below the outermost one. InputError, with file and line, for a rule that cannot be read.

    A path is asked for only if no directory above it is ignored, so a pattern need not match what is below its match.
    """
    try:
        data = (package / NAME).read_bytes()
    except FileNotFoundError:
        return lambda _: False
    try:
        check_utf8(data)
        rules = _rules(data.decode("utf-8").splitlines())
    except InputError as error:
        raise error.moved(posixpath.join(path, NAME), 1) from None

    def ignored(path: str) -> bool:
        return next((ignores for ignores, matches in rules if matches(path)), False)

    return ignored


def _rules(lines: list[str]) -> list[tuple[bool, Callable[[str], bool]]]:
    """(whether it ignores, what it matches) of each pattern, the last first: that one decides."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only where there are rules

    rules = []
    for number, line in enumerate(lines, 1):
        text = line.strip()  # as kpt does
        try:
            patterns = GitIgnoreSpec.from_lines([text]).patterns
        except ValueError:
            raise InputError(f'must be a pattern as in `.gitignore`; found "{text}"', number, 1) from None
        rules += [(p.include, _matcher(text.removeprefix("!"), p)) for p in patterns if p.include is not None]
    return rules[::-1]


def _matcher(text: str, pattern: Any) -> Callable[[str], bool]:
    by_name = "/" not in text[:-1]
    only_directories = text.endswith("/")

    def matches(path: str) -> bool:
        if only_directories and not path.endswith("/"):
            return False
        subject = path[path.rstrip("/").rfind("/") + 1 :] if by_name else path
        return pattern.match_file(subject) is not None

    return matches
