"""External programs, which only the caller may name: by an option or an environment variable, never by a config.

What only a run of a program needs is imported then: the command line reads this module to list the programs.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._run import registry

if TYPE_CHECKING:
    import subprocess
    from argparse import Namespace
    from collections.abc import Iterable, Mapping, Sequence
    from selectors import BaseSelector
    from typing import Any, Literal

    from krm_values._run.function import Function

_STEP = 1 << 16
_PAUSE = 0.005


def known() -> dict[str, str]:
    """Return every tool of every function, with the description of its option."""
    tools = registry.tools().values()
    return {tool: f"{text} (default: {variable(tool)})" for one in tools for tool, text in one.names.items()}


def variable(tool: str) -> str:
    """Return the variable that names a tool: `KRM_VALUES_YTT`."""
    return f"KRM_VALUES_{tool.upper()}"


def on_command_line(options: Namespace, function: str = "") -> dict[str, str]:
    """Return the programs that the options name, by tool. UsageError if the function, where it is known, does not use one."""
    named = {tool: program for tool in known() if (program := getattr(options, f"tool_{tool}", None)) is not None}
    refuse_unused(named, [function])
    return named


def refuse_unused(programs: Mapping[str, str], functions: Iterable[str]) -> None:
    """Raise UsageError if none of these functions uses one of the programs; "" is a function that is not known."""
    called = set(functions)
    if "" in called:
        return
    used = {tool for name in called for tool in registry.load(name).tools}
    for tool in programs:
        if tool not in used:
            listed = ", ".join(f"`{name}`" for name in sorted(called)) or "a pipeline without steps"
            raise UsageError(f"`--{tool}` is not for {listed}, which runs no program")


def handed(function: Function, programs: Mapping[str, str], environment: Mapping[str, str]) -> object:
    """Return the object that the function's planner gets: None if none of its programs is named. An option overrides a variable."""
    named = {tool: programs.get(tool) or environment.get(variable(tool), "") for tool in function.tools}
    named = {tool: program for tool, program in named.items() if program}
    return registry.tools()[function.name].make(named) if named else None


# Finds programs by name. A relative entry of PATH is ignored: it would depend on the working directory.


def search_path() -> str:
    """Return PATH without relative and empty entries, which would find programs in the working directory."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if os.path.isabs(entry))


def find_program(name: str) -> str | None:
    """Return the program's absolute path, None if there is none. A name with a slash is a path already."""
    import shutil  # noqa: PLC0415 - slow to import, and most runs name no program

    if os.path.dirname(name):
        found = shutil.which(name)
        return os.path.abspath(found) if found else None
    return shutil.which(name, path=search_path() or os.devnull)


class ProgramError(Exception):
    """A program does not start, does not end in time, or writes too much. reason: why it does not start."""

    def __init__(self, kind: Literal["start", "time", "size"], reason: str = "") -> None:
        self.kind, self.reason = kind, reason


def run(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    seconds: float,
    most: int,
    directory: str | None = None,
    stdin: bytes = b"",
) -> tuple[int, bytes, bytes]:
    """Run a program without a shell. Return its exit code, stdout and stderr. Raises ProgramError.

    seconds: that it may take. most: bytes of each output. environment: all variables that it gets. It and what it has started are killed
    when it ends.
    """
    import signal  # noqa: PLC0415 - see the module
    import subprocess  # noqa: PLC0415

    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(  # noqa: S603 - the caller has named the program
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=directory, env=environment, start_new_session=True
        )
    except OSError as error:
        raise ProgramError("start", error.strerror or str(error)) from None
    with process:
        try:
            out, err = _Exchange(process, stdin, seconds, most).done()
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # it is not reaped yet, so the group is still its own
    return process.returncode, out, err


class _Exchange:
    """The input and output of a running program, within the limits."""

    selector: BaseSelector

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, seconds: float, most: int) -> None:
        self.process, self.rest, self.most = process, memoryview(stdin), most
        self.until = time.monotonic() + seconds
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
            raise ProgramError("time")
        return left

    def _take(self, stream: Any) -> None:
        piece = os.read(stream.fileno(), _STEP)
        self.read[stream] += piece
        if not piece:
            self._close(stream)
        if len(self.read[stream]) > self.most:
            raise ProgramError("size")

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
