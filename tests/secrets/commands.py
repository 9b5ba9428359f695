"""Commands run in this process: what they print, and what they write where."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from krm_values._cli.main import main


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


def krm(*arguments: object, stdin: bytes = b"") -> Done:
    """`krm-values` with these arguments."""
    global _watched  # noqa: PLW0603 - a hook cannot be taken away
    out, err, given = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3))
    given.buffer.write(stdin)
    given.buffer.seek(0)
    opened: list[str] = []
    _watched = opened
    before = sys.stdin, sys.argv
    try:
        sys.stdin, sys.argv = given, ["krm-values"]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(map(str, arguments)))
    finally:
        _watched = None
        sys.stdin, sys.argv = before
        gc.enable()
    for stream in (out, err):
        stream.flush()
    return Done(code, out.buffer.getvalue(), err.buffer.getvalue(), opened)  # type: ignore[attr-defined]


def contents(directory: Path) -> dict[str, bytes]:
    """Every file below a directory, by its path."""
    return {str(path.relative_to(directory)): path.read_bytes() for path in _files(directory)}


def _files(directory: Path) -> Iterator[Path]:
    yield from (path for path in sorted(directory.rglob("*")) if path.is_file())
