"""Where inputs are tried: in a forked process of limited memory, watched from outside, so that a hang or a crash is found too."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import mmap
import os
import resource
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.target import Target

SECONDS, WAITING, MEMORY = 5.0, 30.0, 1 << 30
"""Seconds of a processor, and by the clock, which a busy machine stretches; bytes beyond those that the process which forks has."""
HANG, MEMORY_GONE = "hang: does not end in time", "memory: needs more than 1 GiB"
_HEADER = struct.Struct("dQ")
_MEMORY_FILES = "/dev/shm"
_OWN = ("/tests/", "/krm_values/")


class Current:
    """The input that is being tried and since when, in memory that both processes see."""

    def __init__(self, most: int, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._shared = mmap.mmap(-1, _HEADER.size + most)

    def begin(self, data: bytes) -> None:
        self._shared[_HEADER.size : _HEADER.size + len(data)] = data
        self._shared[: _HEADER.size] = _HEADER.pack(time.monotonic(), len(data))
        signal.setitimer(signal.ITIMER_PROF, self._seconds)  # nobody handles its signal, so it ends the process, in C code too

    def end(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._shared[: _HEADER.size] = _HEADER.pack(0, 0)

    def read(self) -> tuple[float, bytes]:
        """How long it takes already, and the input."""
        since, size = _HEADER.unpack(self._shared[: _HEADER.size])
        return time.monotonic() - since if since else 0.0, self._shared[_HEADER.size : _HEADER.size + size]


def watched(work: Callable[[], None], current: Current) -> tuple[str, bytes]:
    """Do work in a forked process: how it failed, and on which input; ("", b"") if it came to its end.

    Its temporary files go with it, however it ends.
    """
    memory = _MEMORY_FILES if os.path.isdir(_MEMORY_FILES) else None
    with tempfile.TemporaryDirectory(dir=memory, ignore_cleanup_errors=True) as scratch:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # newer interpreters warn where a test runner has threads
            child = os.fork()
        if not child:
            tempfile.tempdir = scratch
            _limited(work)
        return _waited(child, current)


def _waited(child: int, current: Current) -> tuple[str, bytes]:
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return (_ended(code), current.read()[1]) if code else ("", b"")
        taken, data = current.read()
        if taken > WAITING:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return HANG, data
        time.sleep(0.02)


def _ended(code: int) -> str:
    if code == -signal.SIGPROF:
        return HANG
    return f"killed: {signal.Signals(-code).name}" if code < 0 else f"killed: ends with {code}"


def _limited(work: Callable[[], None]) -> None:
    code = 99
    try:
        faulthandler.disable()
        most = _mapped() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - a child must not come back
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _mapped() -> int:
    """Bytes of address space that this process has, which a fork begins with: many in a worker that ran thousands of tests."""
    sizes = Path("/proc/self/statm")
    return int(sizes.read_text().split()[0]) * resource.getpagesize() if sizes.exists() else 0


def failure(check: Callable[[], object]) -> str:
    """How a check fails: the kind of the exception, where it came from, and its text; "" if it does not."""
    try:
        check()
    except MemoryError:
        return MEMORY_GONE
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if any(part in frame.filename for part in _OWN)]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"
        return f"{type(error).__name__} in {place}: {' '.join(str(error).split())[:300]}"
    finally:
        gc.enable()  # a run of a function turns it off
    return ""


def signature(why: str) -> str:
    """What two findings of the same fault have in common: the kind and the place, for a broken property its first words."""
    kind, _, text = why.partition(": ")
    return f"{kind}: {' '.join(text.split()[:4])}" if kind.startswith("Wrong") else kind


def tried(target: Target, data: bytes) -> str:
    """How one input fails, in a process of its own; "" if it does not."""
    current = Current(len(data), target.seconds)
    reader, writer = os.pipe()

    def work() -> None:
        current.begin(data)
        os.write(writer, failure(lambda: target.check(data)).encode(errors="replace")[:4000])

    why, _ = watched(work, current)
    os.close(writer)
    with contextlib.closing(os.fdopen(reader, encoding="utf-8")) as pipe:
        return why or pipe.read()
