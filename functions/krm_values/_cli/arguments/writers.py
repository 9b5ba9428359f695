"""The grammar of the commands that run functions and write: `run`, `render`, `check`, `inputs`, `clean`, `revert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import completion, options
from krm_values._cli.arguments.help_texts import CHECK, CLEAN, ENVIRONMENT, INPUTS, RENDER, REVERT, RUN
from krm_values._run.arguments import filled

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from krm_values._cli.arguments.parser import Grammar


def run(grammar: Grammar) -> None:
    """Add the command that runs one function."""
    parser = grammar.add("run", description=RUN, epilog=ENVIRONMENT)
    parser.manual = grammar.manual and f"{grammar.manual}\n"
    options.function(parser, optional=True)
    options.inputs(parser, completion.FILE)
    text = "leave out undo records and marks, as `clean` does: for what no run gets again"
    parser.add_argument("--release", action="store_true", help=text)
    options.links(parser)
    options.programs(parser, grammar.tools)
    options.amount(parser)
    options.findings(parser)


def render(grammar: Grammar) -> None:
    """Add the command that runs pipelines."""
    parser = grammar.add("render", description=RENDER)
    _packages(parser)
    options.one_function(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--diff", action="store_true", help="write nothing, print what would change as a unified diff")
    text = (
        "stdout: a ResourceList; unwrap: documents, with --release those that a cluster takes; else a new directory to write to"
    )
    form.add_argument("-o", "--output", type=filled, metavar="OUT", help=text)
    text = "write the findings to D/results.yaml, as kpt does"
    options.file(parser, "--results-dir", metavar="D", help=text)
    parser.add_argument("--release", action="store_true", help="with -o: leave out undo records and marks, as `clean` does")
    options.lock(parser)
    options.running(parser, grammar.tools)
    options.amount(parser)
    options.findings(parser)


def check(grammar: Grammar) -> None:
    """Add the command that runs a pipeline and reports what would change."""
    parser = grammar.add("check", description=CHECK)
    _packages(parser)
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    options.pipeline(parser, grammar.tools)
    options.amount(parser)
    options.findings(parser)


def inputs(grammar: Grammar) -> None:
    """Add the command that prints what a render depends on."""
    parser = grammar.add("inputs", description=INPUTS)
    _directory(parser, "a package (default: this directory)")
    form = options.form(parser)
    text = "the value of Argo CD's annotation manifest-generate-paths, or a form of -o"
    form.add_argument("--format", dest="output", choices=(*options.FORMS, "argocd"), metavar="FORM", help=text)
    options.one_function(parser)
    options.links(parser)
    options.programs(parser, grammar.tools)
    options.quiet(parser)


def clean(grammar: Grammar) -> None:
    """Add the command that removes undo records from files."""
    parser = grammar.add("clean", description=CLEAN)
    text = "a package or directory (default: this directory); -: resources or a ResourceList from stdin, to stdout"
    _directory(parser, text)
    options.lock(parser)
    options.links(parser)
    options.quiet(parser)


def revert(grammar: Grammar) -> None:
    """Add the command that takes back what a step wrote."""
    parser = grammar.add("revert", description=REVERT)
    text = (
        "the function and the name of its functionConfig, or the name of an undo record: layered-values/web, layered-values.web"
    )
    options.words(parser, "step", completion.FUNCTION, metavar="FUNCTION[/CONFIG]", help=text)
    _directory(parser, "a package or directory (default: this directory)")
    options.lock(parser)
    options.links(parser)
    options.quiet(parser)


def _packages(parser: ArgumentParser) -> None:
    text = "a package (default: this directory)"
    options.words(parser, "directories", completion.DIRECTORY, nargs="*", metavar="DIR", help=text)
    parser.add_argument("--recursive", action="store_true", help="each outermost package in or below DIR")


def _directory(parser: ArgumentParser, text: str) -> None:
    options.words(parser, "directory", completion.DIRECTORY, nargs="?", default=".", metavar="DIR", help=text)
