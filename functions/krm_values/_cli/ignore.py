"""`.krmignore`: which files and directories of a package are not part of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    Ignored: TypeAlias = Callable[[str], bool]  # of a slash path relative to the package; a directory's ends in a slash

NAME = ".krmignore"


def read(package: Path) -> Ignored:
    """The package's own rules; without the file nothing is ignored. They do not reach into sub-packages."""
    try:
        lines = (package / NAME).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return lambda _: False
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - only where there are rules

    spec = GitIgnoreSpec.from_lines(line.strip() for line in lines)  # kpt trims each line
    return spec.match_file
