"""Reads the files of an untrusted directory: regular ones only, no link out of it, up to the limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT, beyond
from krm_values._kit.process.below import Below, LeadsOutError, TooLargeError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from krm_values._data.limits import Limits


class Reader:
    """Reads files below one directory, by slash paths. Closed at the end of a `with` block."""

    __slots__ = ("_below", "_files", "_follow", "_left", "limits")

    def __init__(self, directory: Path, limits: Limits = DEFAULT, *, follow_links: bool = False) -> None:
        self._below, self.limits, self._follow = Below(directory), limits, follow_links
        self._left, self._files = limits.total_bytes, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._below.__exit__()

    def read(self, path: str, limit: str = "file_bytes") -> bytes:
        """Return the content of a file. limit: the name of the limit of its size. InputError names a file that must not be read, and how to allow it."""
        self._files += 1
        if self._files > self.limits.files:
            text = f"must not be read: the directory has more than {self.limits.files:,} files"
            raise InputError(beyond(self.limits, "files", text), file=path)
        try:
            found = self._below.read(path, getattr(self.limits, limit), follow=self._follow)
        except TooLargeError as error:
            raise InputError(beyond(self.limits, limit, error.message), file=path) from None
        except LeadsOutError as error:
            raise InputError(f"{error.message}, or allow it with `--follow-links`", file=error.file) from None
        self._left -= len(found)
        if self._left < 0:
            text = f"must not be read: the files of the directory have more than {self.limits.total_bytes:,} bytes with it"
            raise InputError(beyond(self.limits, "total_bytes", text), file=path)
        return found
