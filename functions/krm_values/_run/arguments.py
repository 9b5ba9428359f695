"""Types and checks of command-line arguments, also for the commands of functions."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._data.shown import described
from krm_values._run import registry

if TYPE_CHECKING:
    from argparse import Action, ArgumentParser, Namespace
    from collections.abc import Callable, Mapping
    from typing import Any


LOCK_TIMEOUT = 60.0
_DIGITS = 9


def filled(text: str) -> str:
    """Return an argument; ArgumentTypeError if it is empty, as an unset shell variable leaves it."""
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def count(text: str) -> int:
    """Return a number of times, 0 or more."""
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise argparse.ArgumentTypeError(f"must be a whole number, found {described(text)}")
    return int(text)


def seconds(text: str) -> float:
    """Return a number of seconds."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, found {described(text)}")
    return found


# Checks that the grammar cannot express: function or file, and options without effect.


def function_and_files(options: Namespace) -> tuple[str, list[str]]:
    """Return the function that the first argument names, "" if it is a path, and the files. UsageError if it is neither."""
    first, files = options.function, options.files
    if not first:
        return "", files
    if first not in registry.functions() and registry.is_path(first):
        return "", [first, *files]
    return registry.load_beside_files(first).name, files


def refuse(options: Namespace, where: str, *names: str) -> None:
    """Raise UsageError for each of these options that is given. where: what it belongs to, as in "only with `--diff`"."""
    for name in names:
        given = getattr(options, name.lstrip("-").replace("-", "_"))
        if given is not None and given is not False:
            raise UsageError(f"`{name}` has no effect here: use it {where}")


def refuse_foreign(options: Namespace) -> None:
    """Raise UsageError for an option that belongs to another function."""
    for function, action in options.brought:
        if function != options.function and getattr(options, action.dest) != action.default:
            raise UsageError(f"`{action.option_strings[0]}` is for `{function}`: `{options.function}` has no such option")


def bring(parser: ArgumentParser, hooks: Mapping[str, Callable[[Any], None] | None]) -> None:
    """Let functions add their options, and record which function each option belongs to."""
    brought: list[tuple[str, Action]] = []
    for name, hook in hooks.items():
        if hook:
            hook(_Noting(parser, name, brought))
    parser.set_defaults(brought=brought)


class _Noting:
    """A parser that records the options of one function."""

    __slots__ = ("_brought", "_function", "_parser")

    def __init__(self, parser: ArgumentParser, function: str, brought: list[tuple[str, Action]]) -> None:
        self._parser, self._function, self._brought = parser, function, brought

    def add_argument(self, *names: str, **form: Any) -> Action:
        action = self._parser.add_argument(*names, **form)
        self._brought.append((self._function, action))
        return action
