"""The ytt program, which the caller may name: run without a shell, within limits of time and size.

What only a run of the program needs is imported then: the command line reads this module to list the programs.
"""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._data.record import record
from krm_values._run.function import Tools
from krm_values._run.tools import find_program

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping
    from selectors import BaseSelector
    from typing import Any, NoReturn

    from krm_values.cartographer_params.rendering import Renderer

_SECONDS = 4.0
_OUTPUT = 1 << 20
_ARGUMENT = 128 << 10
_STEP = 1 << 16
_SHOWN = 500  # characters of ytt's message
_PAUSE = 0.005


def make(programs: Mapping[str, str]) -> Renderer:
    """Return the renderer for the planner. `programs["ytt"]`: a path, or a name to look up on PATH. Raises UsageError."""
    named = programs["ytt"]
    found = find_program(named)
    if found is None:
        raise UsageError(f'the ytt program "{named}" does not exist, or cannot be run')
    return Ytt(found)


tools = Tools({"ytt": "the ytt program that renders templates written for ytt, where the functionConfig has `ytt: true`"}, make)


@record
class Ytt:
    """A renderer that runs the program with an empty environment in an empty directory, without a shell, for 4 seconds at most."""

    program: str

    def __call__(self, body: str, values: Mapping[str, str]) -> str:
        """Return the program's output for a body and data values, which are JSON. Raises YttError if it fails or exceeds a limit."""
        import tempfile  # noqa: PLC0415 - see the module

        arguments = [part for key in sorted(values) for part in ("--data-value-yaml", _argument(key, values[key]))]
        with tempfile.TemporaryDirectory(prefix="krm-ytt-") as directory, self._started(arguments, directory) as process:
            try:
                out, err = _Exchange(process, body.encode("utf-8", "replace")).done()
            finally:
                os.killpg(process.pid, signal.SIGKILL)  # it is not reaped yet, so the group is still its own
        if process.returncode:
            _refuse(f"is refused by ytt: {_line(err) or f'exit code {process.returncode}'}")
        return out.decode("utf-8", "replace")

    def _started(self, arguments: list[str], directory: str) -> subprocess.Popen[bytes]:
        import subprocess  # noqa: PLC0415 - see the module

        pipe = subprocess.PIPE
        command = [self.program, "-f", "-", *arguments]
        try:
            return subprocess.Popen(  # noqa: S603 - the caller named the program
                command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=directory, env={}, start_new_session=True
            )
        except OSError as error:
            _refuse(f"cannot be rendered: ytt does not start ({error.strerror})", error)


class _Exchange:
    """The input and output of a running program, within the limits."""

    selector: BaseSelector

    def __init__(self, process: subprocess.Popen[bytes], body: bytes) -> None:
        self.process, self.rest = process, memoryview(body)
        self.until = time.monotonic() + _SECONDS
        self.read: dict[Any, bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}

    def done(self) -> tuple[bytes, bytes]:
        """Wait until the program has ended; return its stdout and stderr."""
        import selectors  # noqa: PLC0415 - see the module

        with selectors.DefaultSelector() as self.selector:
            for stream in (self.process.stdin, *self.read):
                os.set_blocking(stream.fileno(), False)
                self.selector.register(stream, selectors.EVENT_READ if stream in self.read else selectors.EVENT_WRITE)
            while self.selector.get_map():
                for key, _ in self.selector.select(self._left()):
                    self._take(key.fileobj) if key.fileobj in self.read else self._give(key.fileobj)
        while os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            time.sleep(min(_PAUSE, self._left()))
        out, err = self.read.values()
        return bytes(out), bytes(err)

    def _left(self) -> float:
        left = self.until - time.monotonic()
        if left <= 0:
            _refuse(f"is not rendered within {_SECONDS:g} seconds; ytt was stopped")
        return left

    def _take(self, stream: Any) -> None:
        piece = os.read(stream.fileno(), _STEP)
        self.read[stream] += piece
        if not piece:
            self._close(stream)
        if len(self.read[stream]) > _OUTPUT:
            _refuse(f"writes more than {_OUTPUT} bytes; ytt was stopped")

    def _give(self, stream: Any) -> None:
        try:
            self.rest = self.rest[os.write(stream.fileno(), self.rest[:_STEP]) :]
        except BrokenPipeError:  # a program may end without reading all
            self.rest = self.rest[:0]
        if not self.rest:
            self._close(stream)

    def _close(self, stream: Any) -> None:
        self.selector.unregister(stream)
        stream.close()


def _argument(key: str, value: str) -> str:
    argument = f"{key}={value}"
    size = len(argument.encode("utf-8", "replace"))
    if size > _ARGUMENT:
        _refuse(f"cannot be rendered: `{key}` is {size} bytes of JSON, and a program takes {_ARGUMENT} in one argument")
    return argument


def _line(message: bytes) -> str:
    """Return the program's stderr as one line."""
    text = " ".join(message.decode("utf-8", "replace").split()).removeprefix("ytt: Error: ")
    return text if len(text) <= _SHOWN else text[:_SHOWN] + " ..."


def _refuse(fact: str, cause: BaseException | None = None) -> NoReturn:
    from krm_values.cartographer_params.rendering import YttError  # noqa: PLC0415 - see the module

    raise YttError(fact) from cause
