"""The entry point of every command: finds out which one was called, and sets the exit code by who is at fault."""

# ruff: noqa: PLC0415 - a host is served without the command line, and an interrupted import is caught

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from typing import TYPE_CHECKING

from krm_values._cli.arguments.limits import of_environment
from krm_values._data import suggest
from krm_values._data.errors import InputError, UsageError, UserError
from krm_values._data.limits import DEFAULT
from krm_values._run.terminal import say, say_error

if TYPE_CHECKING:
    from krm_values._data.limits import Limits

_CALLS = 20  # of functions by each other for a level of a text, at most
_CLOSED_PIPE, _INTERRUPTED, _OURS = 141, 130, 3


def main(argv: list[str] | None = None) -> int:
    """Run a command line and return the exit code: 0 success, 1 invalid input, 2 invalid command line, 3 a defect of krm-values."""
    gc.disable()  # collecting costs a command more than it frees, while it runs
    atexit.register(gc.freeze)  # and when it ends
    warnings.simplefilter("ignore")  # a library's may quote what it read, which may be a Secret
    program = os.path.basename(sys.argv[0]).removesuffix(".exe")
    arguments = sys.argv[1:] if argv is None else argv
    try:
        return _answered(program, arguments)
    except UserError as error:
        say_error(error)
        return error.exit_code
    except BrokenPipeError:
        return _CLOSED_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except MemoryError:
        say("error: this input needs more memory than is available: raise the memory limit, or process less at once")
        return 1
    except RecursionError:
        say("error: this input nests more deeply than can be read: flatten it")
        return 1
    except Exception as error:  # noqa: BLE001 - whatever escapes is a defect of krm-values
        from krm_values._run import fault  # hardly ever

        say(*(fault.trace(error).splitlines() if "--debug" in arguments else [fault.line(error)]))
        return _OURS


def _answered(program: str, arguments: list[str]) -> int:
    """Return the exit code, after all output is written."""
    if sys.stdout is None:
        raise UsageError("stdout is closed: open it, or send it to a file")
    try:
        code = _dispatch(program, arguments)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python writes the rest when it exits
        if isinstance(error, BrokenPipeError):
            raise
        raise InputError(error.strerror or str(error), file=error.filename or "stdout") from error
    return code


def _dispatch(program: str, arguments: list[str]) -> int:
    suggest.begin()
    limits = of_environment(os.environ)
    if limits.depth > DEFAULT.depth:
        sys.setrecursionlimit(_CALLS * limits.depth)
    function = program.removeprefix("krm-") if program.startswith("krm-") and program != "krm-values" else ""
    if not (sys.stdin and sys.stdin.isatty()):  # a terminal sends no list: there it is this directory
        if not arguments and function:
            return _pipe(function, limits, own_command=True)
        if not function and arguments[:1] == ["run"] and (not arguments[1:] or _is_function(arguments[1:])):
            return _pipe("".join(arguments[1:]), limits)
    from krm_values._cli.arguments.completion import KUBECTL
    from krm_values._cli.commands import dispatch  # argparse is not needed to serve a host

    if program == KUBECTL:
        arguments = [KUBECTL, *arguments]
    return dispatch(function, arguments, limits)


def _is_function(words: list[str]) -> bool:
    from krm_values._run.registry import functions  # so that an interrupted import is caught above

    return len(words) == 1 and words[0] in functions()


def _pipe(function: str, limits: Limits, *, own_command: bool = False) -> int:
    from krm_values._run.pipe import run  # so that an interrupted import is caught above

    return run(function, limits=limits, own_command=own_command)
