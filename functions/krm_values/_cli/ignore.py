"""`.krmignore`: which files and directories of a package are not part of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, TypeAlias

    Ignored: TypeAlias = Callable[[str], bool]  # of a slash path relative to the package; a directory's ends in a slash

NAME = ".krmignore"


def read(package: Path) -> Ignored:
    """The package's own rules; without the file nothing is ignored. They do not reach into sub-packages.

    A path is asked for only if no directory above it is ignored, so a pattern need not match what is below its match.
    """
    try:
        lines = (package / NAME).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return lambda _: False
    rules = _rules(lines)

    def ignored(path: str) -> bool:
        return next((ignores for ignores, matches in rules if matches(path)), False)

    return ignored


def _rules(lines: list[str]) -> list[tuple[bool, Callable[[str], bool]]]:
    """(whether it ignores, what it matches) of each pattern, the last first: that one decides."""
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only where there are rules

    texts = [line.strip() for line in reversed(lines)]  # kpt trims each line
    rules = [(text, pattern) for text in texts for pattern in GitIgnoreSpec.from_lines([text]).patterns]
    return [(p.include, _matcher(text.removeprefix("!"), p)) for text, p in rules if p.include is not None]


def _matcher(text: str, pattern: Any) -> Callable[[str], bool]:
    by_name = "/" not in text[:-1]
    only_directories = text.endswith("/")

    def matches(path: str) -> bool:
        if only_directories and not path.endswith("/"):
            return False
        subject = path[path.rstrip("/").rfind("/") + 1 :] if by_name else path
        return pattern.match_file(subject) is not None

    return matches
