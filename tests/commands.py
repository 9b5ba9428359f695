"""Runs commands in this process with their own stdin, stdout, stderr and exit code."""

from __future__ import annotations

import gc
import io
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import IO, Any, NamedTuple
from unittest import mock

from krm_values._cli.arguments import grammar
from krm_values._cli.main import main

NOTHING = nullcontext()


_built: dict[str, Any] = {}


def _once(build: Callable[..., Any]) -> Callable[..., Any]:
    """Return `build`, which makes the parser of a command line once for each command: a process makes one, these are thousands of commands."""

    def known(*arguments: object, **more: Any) -> Any:
        if more["extensions"] or more["manual"]:
            return build(*arguments, **more)
        key = repr((arguments, more))
        if key not in _built:
            _built[key] = build(*arguments, **more)
        return _built[key]

    return known


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
            with mock.patch.object(grammar, "build", _once(grammar.build)), watch:
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
