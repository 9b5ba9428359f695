"""Commands run in this process: what they print, and what they write where."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.commands import called


@dataclass
class Done:
    """What came of a command."""

    code: int
    stdout: bytes
    stderr: bytes
    opened: list[str] = field(default_factory=list)  # files that were opened for writing

    @property
    def said(self) -> bytes:
        return self.stdout + self.stderr


_watched: list[str] | None = None


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _watched is not None and event == "open":
        path, mode, flags = arguments[:3]
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or (isinstance(mode, str) and set(mode) & set("wax+")):
            _watched.append(str(path))


sys.addaudithook(_hook)


@contextlib.contextmanager
def _watching(opened: list[str]) -> Iterator[None]:
    global _watched  # noqa: PLW0603 - a hook cannot be taken away
    _watched = opened
    try:
        yield
    finally:
        _watched = None


def krm(*arguments: object, stdin: bytes = b"") -> Done:
    """`krm-values` with these arguments."""
    opened: list[str] = []
    return Done(*called("krm-values", *arguments, stdin=stdin, watch=_watching(opened)), opened)


def contents(directory: Path) -> dict[str, bytes]:
    """Every file below a directory, by its path."""
    return {str(path.relative_to(directory)): path.read_bytes() for path in _files(directory)}


def _files(directory: Path) -> Iterator[Path]:
    yield from (path for path in sorted(directory.rglob("*")) if path.is_file())
