"""The ytt program, which the caller may name: run without a shell, within limits of time and size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._data.record import record
from krm_values._run.function import Tools
from krm_values._run.tools import ProgramError, find_program, run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

    from krm_values.cartographer_params.rendering import Renderer

_SECONDS = 4.0
_OUTPUT = 1 << 20
_ARGUMENT = 128 << 10
_SHOWN = 500  # characters of ytt's message
_FAULTS = {
    "start": "cannot be rendered: ytt does not start ({})",
    "time": f"is not rendered within {_SECONDS:g} seconds; ytt was stopped",
    "size": f"writes more than {_OUTPUT} bytes; ytt was stopped",
}


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
        import tempfile  # noqa: PLC0415 - only a run of the program needs it

        arguments = [part for key in sorted(values) for part in ("--data-value-yaml", _argument(key, values[key]))]
        command, stdin = [self.program, "-f", "-", *arguments], body.encode("utf-8", "replace")
        with tempfile.TemporaryDirectory(prefix="krm-ytt-") as directory:
            try:
                code, out, err = run(command, environment={}, directory=directory, stdin=stdin, seconds=_SECONDS, most=_OUTPUT)
            except ProgramError as error:
                _refuse(_FAULTS[error.kind].format(error.reason), error)
        if code:
            _refuse(f"is refused by ytt: {_line(err) or f'exit code {code}'}")
        return out.decode("utf-8", "replace")


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
