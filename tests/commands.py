"""Runs commands in this process with their own stdin, stdout, stderr and exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from typing import IO, NamedTuple

from krm_values._cli.main import main

NOTHING = nullcontext()


class Called(NamedTuple):
    """The result of a command."""

    code: int
    stdout: bytes
    stderr: bytes


def called(program: str, *arguments: object, stdin: bytes = b"", watch: AbstractContextManager[object] = NOTHING) -> Called:
    """Run a command, within `watch`. A program that fails to write redirects its stdout: both streams are files, as in a process."""
    before, limit = (sys.stdin, sys.argv, sys.stdout, sys.stderr), sys.getrecursionlimit()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        readers = [os.dup(stream.fileno()) for stream in (out, err)]
        given, told, said = _text(io.BytesIO(stdin)), _text(out), _text(err)
        sys.stdin, sys.argv, sys.stdout, sys.stderr = given, [program], told, said
        try:
            with watch:
                code = main(list(map(str, arguments)))
            told.flush()
            said.flush()
            return Called(code, *map(_read, readers))
        finally:
            sys.stdin, sys.argv, sys.stdout, sys.stderr = before
            sys.setrecursionlimit(limit)
            gc.enable()
            for reader in readers:
                os.close(reader)


def _text(stream: IO[bytes]) -> io.TextIOWrapper:
    return io.TextIOWrapper(stream, encoding="utf-8", newline="\n")  # type: ignore[type-var]


def _read(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), "rb") as stream:
        return stream.read()
