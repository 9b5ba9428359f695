"""A forked process that ends at a chosen file-system call: by SIGKILL before or after it, or with an error in its place.

The interpreter tells each call of a C function and its return, so every call that changes something on disk is a point, whoever makes
it. What only looks (`stat`, `read`, an `open`, also one that makes an empty file) leaves no state that the point before the next
change does not have.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from krm_values._krm.write import _put

MODULES = ("posix", "_io", "io", "fcntl")
CHANGING = ("mkdir", "rename", "replace", "link", "write", "flush", "fsync", "unlink", "rmdir", "truncate", "ftruncate")
ATTRIBUTES = ("chmod", "fchmod", "chown", "fchown", "setxattr")
FULL = ("mkdir", "rename", "link", "write", "flush", "fsync")
"""What finds no space on a full disk, beside an `open` that makes a file."""

Command = Callable[[], int]
Event = Callable[[str, str], object]


def is_file_call(function: Any) -> bool:
    """Whether a C function changes files, or makes one."""
    owner = type(getattr(function, "__self__", None)).__module__
    is_known = getattr(function, "__module__", None) in MODULES or owner == "_io"
    return is_known and function.__name__ in (*CHANGING, *ATTRIBUTES, "open")


def watched(module: ModuleType, name: str, event: Event) -> None:
    """From the first call of `module.name` to its end, tell each file-system call and its return."""
    original = getattr(module, name)

    def profile(frame: Any, kind: str, function: Any) -> None:
        if kind.startswith("c_") and is_file_call(function) and (function.__name__ != "open" or frame.f_code is _put.__code__):
            event(kind, function.__name__)

    def call(*arguments: Any, **named: Any) -> Any:
        sys.setprofile(profile)
        try:
            return original(*arguments, **named)
        finally:
            sys.setprofile(None)

    setattr(module, name, call)


def telling(module: ModuleType, name: str, descriptor: int) -> None:
    """Write a byte when `module.name` is called first, and close the descriptor."""
    original = getattr(module, name)

    def call(*arguments: Any, **named: Any) -> Any:
        with contextlib.suppress(OSError):
            os.write(descriptor, b"w")
            os.close(descriptor)
        return original(*arguments, **named)

    setattr(module, name, call)


def finds_no_space(kind: str, function: str) -> bool:
    """Whether a point is a call that fails on a full disk."""
    return kind == "c_call" and function in (*FULL, "open")


def count(
    command: Command, module: ModuleType, name: str, log: Path, counts: Callable[[str, str], bool] = lambda *_: True
) -> int:
    """How many points there are; without `counts` twice the number of calls."""

    def arm() -> None:
        out = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)

        def event(kind: str, function: str) -> None:
            if counts(kind, function):
                os.write(out, f"{kind} {function}\n".encode())

        watched(module, name, event)

    run(command, arm)
    return len(log.read_text().splitlines())


def kill_at(number: int) -> Event:
    """Dies at the point with this number, from 0."""
    left = [number]

    def event(_: str, __: str) -> None:
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    return event


def fail_at(number: int, code: int) -> Event:
    """Raises the system's error in the place of the failing call with this number, from 0."""
    left = [number]

    def event(kind: str, function: str) -> None:
        if not finds_no_space(kind, function):
            return
        left[0] -= 1
        if left[0] < 0:
            raise OSError(code, os.strerror(code))

    return event


def start(command: Command, arm: Callable[[], None] = lambda: None, err: int = -1) -> int:
    """Fork a process that runs the command: its id. err: the descriptor that gets its stderr."""
    child = os.fork()
    if child:
        return child
    code = 99
    try:
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out if err < 0 else err, 2)
        arm()
        code = command()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - a child must not come back
        traceback.print_exc()
        with contextlib.suppress(OSError):
            sys.stderr.flush()
    finally:
        os._exit(code)


def wait(child: int) -> int:
    """The exit code, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run(command: Command, arm: Callable[[], None] = lambda: None) -> int:
    """Fork, run, wait."""
    return wait(start(command, arm))


def told(command: Command, arm: Callable[[], None]) -> tuple[int, str]:
    """The same, with what it says on stderr, through a pipe, which no limit of files concerns."""
    reader, writer = os.pipe()
    child = start(command, arm, writer)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    return wait(child), text
