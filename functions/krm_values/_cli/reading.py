"""The files of a directory that somebody else may have put together: regular ones, no link out of it, up to the limits."""

from __future__ import annotations

from krm_values._kit.below import Below, LeadsOutError
from krm_values._kit.errors import InputError
from krm_values._kit.limits import DEFAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from krm_values._kit.limits import Limits


class Reader:
    """Reads files below one directory, by slash paths. Closed at the end of a `with`."""

    __slots__ = ("_below", "_follow", "_left", "_limits")

    def __init__(self, directory: Path, limits: Limits = DEFAULT, *, follow_links: bool = False) -> None:
        self._below, self._limits, self._follow = Below(directory), limits, follow_links
        self._left = limits.total_bytes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._below.__exit__()

    def read(self, path: str, most: int = 0) -> bytes:
        """The content of a file, of at most `most` bytes. InputError names a file that may not be read, and how to allow it."""
        try:
            found = self._below.read(path, most or self._limits.file_bytes, follow=self._follow)
        except LeadsOutError as error:
            raise InputError(f"{error.message}, or allow it with `--follow-links`", file=error.file) from None
        self._left -= len(found)
        if self._left < 0:
            raise InputError(
                f"the files of the directory must not have more than {self._limits.total_bytes:,} bytes", file=path
            )
        return found
