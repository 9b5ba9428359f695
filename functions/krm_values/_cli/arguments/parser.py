"""Parsers whose errors name the nearest word, and the builder that every command uses."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._data.shown import described, inert, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, NoReturn, TypeAlias

    from krm_values._run.function import Commands

    Files: TypeAlias = Mapping[str, Any]  # how each shell completes a file name, as shtab wants it

_NOTHING: Mapping[str, str] = {}


@record
class Grammar:
    """The parser under construction, with what its commands need.

    extensions: what functions add, by function. tools: the programs that a caller may name, with their purpose. manual: appended to the help
    of `run`. files: given when completion is made.
    """

    commands: Any
    version: str
    functions: Sequence[str]
    extensions: Mapping[str, Commands]
    tools: Mapping[str, str]
    manual: str
    files: Files | None

    @property
    def choices(self) -> Sequence[str] | None:
        """The functions, where completion is made; None elsewhere, since the command itself names the nearest one."""
        return self.functions if self.files else None

    def add(self, name: str, text: str, description: str = "", epilog: str = "") -> argparse.ArgumentParser:
        """Add a command. text: one line, also the description if none is given."""
        parser: argparse.ArgumentParser = self.commands.add_parser(
            name, help=text, description=description or f"{text[0].upper()}{text[1:]}.", epilog=epilog, **_form()
        )
        _common(parser, self.version)
        return parser


def root(name: str, text: str, version: str, instead: Mapping[str, str] = _NOTHING) -> argparse.ArgumentParser:
    """Return the parser of a whole command line. instead: what to call, by words that are no command."""
    parser = _Parser(prog=name, description=text, **_form())
    parser.instead = instead
    _common(parser, version)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors name the nearest command, value or option, and escape control characters of arguments.

    instead: what to call, by words that are no command.
    """

    def __init__(self, *arguments: Any, **form: Any) -> None:
        super().__init__(*arguments, **form)
        self.instead: Mapping[str, str] = {}
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def error(self, message: str) -> NoReturn:
        super().error(inert(printable(message)))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = suggest.nearest(str(value), [*self.instead, *known])
            hint = f"; did you mean `{self.instead.get(near, near)}`?" if near else ""
            text = f"must be one of {', '.join(known)}; found {described(str(value))}{hint}"
            raise argparse.ArgumentError(action, text)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, rest = super().parse_known_args(args, namespace)
        known = [*getattr(options, "known_options", ()), *self._option_string_actions]
        options.known_options = known
        return options, rest


class _Once(argparse.Action):
    """An option with one value; a second one is an error, because it would silently replace the first."""

    def __call__(self, _: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, word: str | None = None) -> None:
        seen = vars(namespace).setdefault("seen_options", set())
        if word and self.dest in seen:
            raise argparse.ArgumentError(self, "must be given once")
        seen.add(self.dest if word else "")
        setattr(namespace, self.dest, values)


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)


def _form() -> dict[str, Any]:
    return {"formatter_class": _Help, "allow_abbrev": False}


def _common(parser: argparse.ArgumentParser, version: str) -> None:
    parser.add_argument("--version", action="version", version=f"krm-values {version}")
    parser.add_argument("--debug", action="store_true", help="show a traceback when krm-values itself fails")
