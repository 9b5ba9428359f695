"""Parsers whose errors name the nearest word, and the builder that every command uses."""

from __future__ import annotations

import argparse
import re
import textwrap
from typing import TYPE_CHECKING

from krm_values._cli.arguments import table
from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._data.shown import described, inert, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, NoReturn

    from krm_values._run.function import Commands

_NOTHING: Mapping[str, str] = {}
_WIDEST, _NARROW, _INDENT = 100, 24, 4
_GAP = re.compile(r"\S(?=  +\S)  +|^ +")
_TAKES_NONE = re.compile(r"argument (?:\S+/)?(-\S+): ignored explicit argument (.)(.*)\2", re.DOTALL)


@record
class Grammar:
    """The parser under construction, with what its commands need.

    extensions: what functions add, by function. tools: the programs that a caller may name, with their purpose. manual: appended to the help
    of `run`. added: the texts of the commands so far, by name.
    """

    commands: Any
    version: str
    extensions: Mapping[str, Commands]
    tools: Mapping[str, str]
    manual: str
    added: dict[str, str]

    def add(
        self,
        name: str,
        text: str = "",
        description: str = "",
        epilog: str = "",
        *,
        codes: tuple[str, ...] = table.RUN,
        examples: tuple[str, ...] = (),
    ) -> Parser:
        """Add a command. text: one line, also the description if none is given. epilog: precedes the exit codes.

        codes: the meaning of each exit code, from 0 on. examples: calls, without `krm-values`. For a command of the table text, codes and
        examples are those of the table.
        """
        known = table.COMMANDS.get(name) if self.commands.dest == "command" else None
        text = known.text if known else text
        self.added[name] = text
        parser: Parser = self.commands.add_parser(
            name,
            help=text,
            usage=table.usage(name) if known else None,
            description=description or f"{text[0].upper()}{text[1:]}.",
            epilog=table.epilog(name, epilog and f"{epilog}\n")
            if known
            else "\n".join([*filter(None, [table.calls(examples), epilog]), table.exit_codes(codes)]),
            **_form(),
        )
        _common(parser, self.version)
        return parser


def root(name: str, text: str, version: str, instead: Mapping[str, str] = _NOTHING) -> Parser:
    """Return the parser of a whole command line. instead: what to call, by words that are no command."""
    parser = Parser(prog=name, description=text, **_form())
    parser.instead = instead
    _common(parser, version)
    return parser


def _synopsis(word: str, number: int | str | None) -> str:
    """Return a word as `DIR`, `[DIR]`, `DIR...` or `[DIR...]`, or as it is written if it names several."""
    if "..." in word:
        return word
    some = f"{word}..." if number in ("*", "+") else word
    return f"[{some}]" if number in ("?", "*") else some


class Parser(argparse.ArgumentParser):
    """A parser whose errors name the nearest command, value or option, and escape control characters of arguments.

    instead: what to call, by words that are no command. manual: Markdown that stands before the exit codes in the help.
    """

    def __init__(self, *arguments: Any, **form: Any) -> None:
        super().__init__(*arguments, **form)
        self.instead: Mapping[str, str] = {}
        self.manual = ""
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def format_usage(self) -> str:
        self._name_words()
        return super().format_usage()

    def format_help(self) -> str:
        self._name_words()
        head, codes, rest = super().format_help().rpartition("exit codes:\n")
        return f"{head}{self.manual}{codes}{rest}"

    def _name_words(self) -> None:
        """Write the synopsis as the table of commands has them: the words and what must be given, without each option."""
        if self.usage is None:
            required = (
                f"{one.option_strings[-1]} {one.metavar}" for one in self._actions if one.option_strings and one.required
            )
            words = (_synopsis(str(one.metavar), one.nargs) for one in self._actions if not one.option_strings)
            self.usage = " ".join((self.prog, *words, *required, "[OPTION...]")).replace("%", "%%")

    def error(self, message: str) -> NoReturn:
        if found := _TAKES_NONE.fullmatch(message):
            text = self._option_string_actions[found[1]].help
            message = f"argument {found[1]}: takes no value; found {described(found[3])} ({found[1]}: {text})"
        super().error(inert(printable(message)))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = suggest.nearest_or_whole(str(value), [*known, *self.instead])
            hint = f"; did you mean `{self.instead.get(near, near)}`?" if near else ""
            text = f"must be one of {', '.join(known)}; found {described(str(value))}{hint}"
            raise argparse.ArgumentError(action, text)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, rest = super().parse_known_args(args, namespace)
        known = [*getattr(options, "known_options", ()), *self._option_string_actions]
        options.known_options = known
        options.parser = getattr(options, "parser", self)  # of the command that was called: the innermost is the first
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
    """Fits a terminal: paragraphs are filled, and lines that are indented keep their beginning."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)
        self._width = min(self._width, _WIDEST)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = (one.splitlines() for one in text.split("\n\n"))
        return "\n\n".join("\n".join(_filled(lines, width, indent)) for lines in paragraphs)


def _filled(lines: Sequence[str], width: int, indent: str) -> Iterator[str]:
    """Yield the lines of a paragraph in a width; lines that are indented, and headings before them, one by one."""
    if not any(line.startswith(" ") for line in lines):
        lines = [" ".join(lines)]
    for line in lines:
        column = max((found.end() for found in _GAP.finditer(line)), default=0)
        further = " " * (column if column <= width - _NARROW else _INDENT)
        yield from textwrap.wrap(
            line, width, initial_indent=indent, subsequent_indent=indent + further, break_on_hyphens=False
        ) or [""]


def _form() -> dict[str, Any]:
    return {"formatter_class": _Help, "allow_abbrev": False}


def _common(parser: argparse.ArgumentParser, version: str) -> None:
    parser.add_argument("-V", "--version", action="version", version=f"krm-values {version}")
    parser.add_argument("--debug", action="store_true", help="show a traceback when krm-values itself fails")
