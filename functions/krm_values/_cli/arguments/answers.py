"""The grammar of the commands that answer where values come from: `explain`, `values`, `why`, `impact`, `compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import options
from krm_values._cli.arguments.help_texts import COMPARE, DIFF, EXIT, EXPLAIN, IMPACT, VALUES, WHY
from krm_values._run.arguments import count, filled

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from krm_values._cli.arguments.parser import Files, Grammar


def explain(grammar: Grammar) -> None:
    """Add the command that prints every value with its layers."""
    parser = grammar.add("explain", "say where every value comes from", EXPLAIN, epilog=EXIT)
    text = "a package and paths, a function and files, or paths of the package here (see above)"
    options.inputs(parser, grammar.files, "WORD", text)
    _queries(parser, grammar.files)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    text = "the same in the form of development versions before 0.2.0"
    form.add_argument("--json=v1alpha1", dest="json", action="store_const", const="v1alpha1", help=text)
    form.add_argument("--patch", action="store_true", help="print the changes as an RFC 6902 patch of the list")
    form.add_argument("--layers", action="store_true", help="print each layer with how many of its values win")
    form.add_argument("--where", action="store_true", help="say for each value in which layers it is, and in which it could be")
    options.page(form, grammar.files)
    _blame(parser)
    options.running(parser, grammar.tools, grammar.files)
    options.verbose(parser)


def values(grammar: Grammar) -> None:
    """Add the command that prints composed values."""
    parser = grammar.add("values", "print the composed values as YAML", VALUES, epilog=EXIT)
    text = "a package, a resource as KIND[/NS]/NAME, and paths (as for `explain`)"
    options.inputs(parser, grammar.files, "WORD", text)
    parser.add_argument("--comments", action="store_true", help="say behind each value where it comes from")
    options.running(parser, grammar.tools, grammar.files)
    options.verbose(parser)


def why(grammar: Grammar) -> None:
    """Add the command that explains the value on a line."""
    parser = grammar.add("why", "say where the value on a line of a file comes from", WHY, epilog=EXIT)
    options.file(parser, grammar.files, "place", metavar="FILE:LINE", help="a line of a file of a package")
    options.package(parser, grammar.files)
    _blame(parser)
    options.running(parser, grammar.tools, grammar.files)
    options.verbose(parser)


def impact(grammar: Grammar) -> None:
    """Add the command that shows the effect of removing a layer, or of another value."""
    parser = grammar.add("impact", "say what would change without a layer, or with another value", IMPACT, epilog=DIFF)
    text = "a file of a package, or a line or value of it, with another value"
    options.file(parser, grammar.files, "layer", metavar="FILE[:LINE][:PATH][=VALUE]", help=text)
    options.package(parser, grammar.files)
    _differences(parser)
    options.running(parser, grammar.tools, grammar.files)
    options.verbose(parser)


def compare(grammar: Grammar) -> None:
    """Add the command that compares packages."""
    parser = grammar.add("compare", "compare two packages leaf by leaf", COMPARE, epilog=DIFF)
    text = "two packages, or one beside --against (default: this directory)"
    options.file(parser, grammar.files, "files", nargs="*", metavar="DIR", help=text)
    parser.add_argument("--against", type=filled, metavar="REV", help="compare with its state at this git revision")
    options.page(_differences(parser), grammar.files)
    text = "render at most so often to decide between causes (default: 8)"
    parser.add_argument("--renders", type=count, default=8, metavar="N", help=text)
    options.running(parser, grammar.tools, grammar.files)
    options.verbose(parser)


def _differences(parser: ArgumentParser) -> object:
    """Add the output formats of differences; return their group of mutually exclusive options."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the differences as JSON")
    form.add_argument("--markdown", action="store_true", help="print them as Markdown, for a pull request")
    return form


def _blame(parser: ArgumentParser) -> None:
    text = "say of each authored line who wrote it: commit, date and author, from git"
    parser.add_argument("--blame", action="store_true", help=text)


def _queries(parser: ArgumentParser, files: Files | None) -> None:
    """Add the options that select values."""
    parser.add_argument(
        "--path", action="append", type=filled, metavar="PATTERN", help="values of this path, as `spec.values.*` or `**.tag`"
    )
    parser.add_argument("--resource", type=filled, metavar="KIND[/NS]/NAME", help="values of this resource")
    text = "values that this file or line won or lost"
    options.file(parser, files, "--from", dest="origin", metavar="FILE[:LINE]", help=text)
    parser.add_argument("--all", action="store_true", help="values that no step decides, too")
    parser.add_argument("--contested", action="store_true", help="values that more than one layer sets")
    parser.add_argument("--overridden-by", type=filled, metavar="LAYER", help="values in which this layer overrides another")
