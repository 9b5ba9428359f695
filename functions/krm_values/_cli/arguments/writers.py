"""The grammar of the commands that run functions and write: `run`, `render`, `check`, `inputs`, `clean`, `revert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import options
from krm_values._cli.arguments.help_texts import CHECK, CHECK_EXIT, CLEAN, DIFF, ENVIRONMENT, EXIT, INPUTS, RENDER, REVERT, RUN
from krm_values._run.arguments import filled

if TYPE_CHECKING:
    from krm_values._cli.arguments.parser import Grammar


def run(grammar: Grammar) -> None:
    """Add the command that runs one function."""
    epilog = f"{EXIT}\n{ENVIRONMENT}\n{grammar.manual}"
    parser = grammar.add("run", "resolve a ResourceList or plain resources", RUN, epilog=epilog)
    options.function(parser, grammar.choices, optional=True)
    options.inputs(parser, grammar.files)
    text = "leave out undo records and marks, as `clean` does: for what no run gets again"
    parser.add_argument("--release", action="store_true", help=text)
    options.links(parser)
    options.programs(parser, grammar.tools, grammar.files)
    options.amount(parser)
    options.findings(parser)


def render(grammar: Grammar) -> None:
    """Add the command that runs pipelines."""
    files = grammar.files
    parser = grammar.add("render", "run the pipeline of a kpt package", RENDER, epilog=f"{EXIT}\n{DIFF}")
    options.file(parser, files, "directories", nargs="*", metavar="DIR", help="a package (default: this directory)")
    parser.add_argument("--recursive", action="store_true", help="render each outermost package in or below DIR")
    options.one_function(parser, grammar.choices, files)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--diff", action="store_true", help="write nothing, print what would change as a unified diff")
    text = (
        "stdout: a ResourceList; unwrap: documents, with --release those that a cluster takes; else a new directory to write to"
    )
    form.add_argument("-o", "--output", type=filled, metavar="OUT", help=text)
    text = "write the findings to D/results.yaml, as kpt does"
    options.file(parser, files, "--results-dir", metavar="D", help=text)
    parser.add_argument("--release", action="store_true", help="with -o: leave out undo records and marks, as `clean` does")
    options.lock(parser)
    options.running(parser, grammar.tools, files)
    options.amount(parser)
    options.findings(parser)


def check(grammar: Grammar) -> None:
    """Add the command that runs a pipeline and reports what would change."""
    files = grammar.files
    parser = grammar.add("check", "report what a render would refuse, warn of or change", CHECK, epilog=CHECK_EXIT)
    text = "a package (default: this directory)"
    options.file(parser, files, "directory", nargs="?", default=".", metavar="DIR", help=text)
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    options.pipeline(parser, grammar.tools, files)
    options.amount(parser)
    options.findings(parser)


def inputs(grammar: Grammar) -> None:
    """Add the command that prints what a render depends on."""
    files = grammar.files
    parser = grammar.add("inputs", "print every path that a render depends on", INPUTS, epilog=EXIT)
    options.file(parser, files, "directory", nargs="?", default=".", metavar="DIR", help="a package (default: this directory)")
    text = "a path on each line; JSON; or the value of Argo CD's annotation manifest-generate-paths"
    parser.add_argument("--format", choices=("text", "json", "argocd"), default="text", help=text)
    options.one_function(parser, grammar.choices, files)
    options.links(parser)
    options.programs(parser, grammar.tools, files)


def clean(grammar: Grammar) -> None:
    """Add the command that removes undo records from files."""
    parser = grammar.add("clean", "remove undo records and marks from files", CLEAN, epilog=EXIT)
    text = "a package or directory (default: this directory); -: resources or a ResourceList from stdin, to stdout"
    options.file(parser, grammar.files, "directory", nargs="?", default=".", metavar="DIR", help=text)
    options.lock(parser)
    options.links(parser)
    options.quiet(parser)


def revert(grammar: Grammar) -> None:
    """Add the command that takes back what a step wrote."""
    parser = grammar.add("revert", "take back what a step wrote that is no part of the pipeline any more", REVERT, epilog=EXIT)
    text = (
        "the function and the name of its functionConfig, or the name of an undo record: layered-values/web, layered-values.web"
    )
    parser.add_argument("step", metavar="FUNCTION[/CONFIG]", type=filled, help=text)
    text = "a package or directory (default: this directory)"
    options.file(parser, grammar.files, "directory", nargs="?", default=".", metavar="DIR", help=text)
    options.lock(parser)
    options.links(parser)
    options.quiet(parser)
