"""The grammar of commands that functions extend or add."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import completion, options
from krm_values._cli.arguments.help_texts import LINT, SCHEMA
from krm_values._data.record import replace
from krm_values._run.arguments import bring

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from krm_values._cli.arguments.parser import Grammar


def schema(grammar: Grammar) -> None:
    """Add the command that prints JSON Schemas."""
    parser = grammar.add("schema", description=SCHEMA)
    text = "a function (`krm-values list`), or the answer of a command (see above)"
    options.words(parser, "function", completion.SCHEMA, metavar="FUNCTION", help=text)
    bring(parser, {name: own.schema_arguments for name, own in grammar.extensions.items()})


def lint(grammar: Grammar) -> None:
    """Add the command that checks files without a pipeline."""
    parser = grammar.add("lint", description=LINT)
    options.function(parser)
    options.file(parser, "files", type=None, nargs="+", metavar="FILE", help="a file or directory (- for stdin)")
    parser.add_argument("--strict", action="store_true", help="exit with 1 on warnings, too")
    options.links(parser)
    options.findings(parser)
    options.quiet(parser)


def groups(grammar: Grammar) -> None:
    """Add the command groups of functions."""
    for function, own in grammar.extensions.items():
        if own.grammar:
            own.grammar(_group_of(function, grammar))


def _group_of(function: str, grammar: Grammar) -> Callable[[str, str, tuple[str, ...]], Callable[..., ArgumentParser]]:
    """Return a function that opens the command group of a function and returns the object that adds its commands."""

    def group(name: str, text: str, examples: tuple[str, ...]) -> Callable[..., ArgumentParser]:
        parser = grammar.add(name, text, examples=examples)
        parser.set_defaults(extension=function)
        inner = parser.add_subparsers(dest="task", metavar="TASK", required=True)
        return replace(grammar, commands=inner, added={}).add

    return group
