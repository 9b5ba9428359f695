"""The grammar of the commands that answer where values come from: `explain`, `values`, `why`, `impact`, `compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import completion, options
from krm_values._cli.arguments.help_texts import COMPARE, EXPLAIN, IMPACT, VALUES, WHY
from krm_values._run.arguments import count, filled

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Any

    from krm_values._cli.arguments.parser import Grammar


def explain(grammar: Grammar) -> None:
    """Add the command that prints every value with its layers."""
    parser = grammar.add("explain", description=EXPLAIN)
    text = "a package and paths, a function and files, or paths of the package here (see above)"
    options.inputs(parser, completion.INPUT, "WORD", text)
    _queries(parser)
    form = options.form(parser)
    form.add_argument("--patch", action="store_true", help="print the changes as an RFC 6902 patch of the list")
    form.add_argument("--layers", action="store_true", help="print each layer with how many of its values win")
    form.add_argument("--where", action="store_true", help="say for each value in which layers it is, and in which it could be")
    options.page(form)
    _blame(parser)
    _running(parser, grammar)


def values(grammar: Grammar) -> None:
    """Add the command that prints composed values."""
    parser = grammar.add("values", description=VALUES)
    text = "a package, a resource as KIND[/NS]/NAME, and paths (as for `explain`)"
    options.inputs(parser, completion.INPUT, "WORD", text)
    form = options.form(parser, "yaml")
    form.add_argument("--comments", action="store_true", help="say behind each value where it comes from")
    _running(parser, grammar)


def why(grammar: Grammar) -> None:
    """Add the command that explains the value on a line."""
    parser = grammar.add("why", description=WHY)
    text = "a line of a file of a package; a DIR at the end is the package (default: the nearest above FILE)"
    options.file(parser, "places", nargs="+", metavar="FILE:LINE", help=text)
    options.form(parser)
    _blame(parser)
    _running(parser, grammar)


def impact(grammar: Grammar) -> None:
    """Add the command that shows the effect of removing a layer, or of another value."""
    parser = grammar.add("impact", description=IMPACT)
    text = "a file of a package, or a line or value of it, with another value; a DIR at the end is the package (default: the nearest above FILE)"
    options.file(parser, "places", nargs="+", metavar="FILE[:LINE][:PATH][=VALUE]", help=text)
    _markdown(options.form(parser))
    _running(parser, grammar)


def compare(grammar: Grammar) -> None:
    """Add the command that compares packages."""
    parser = grammar.add("compare", description=COMPARE)
    text = "two packages, or one beside --against (default: this directory)"
    options.words(parser, "files", completion.DIRECTORY, nargs="*", metavar="DIR", help=text)
    parser.add_argument("--against", type=filled, metavar="REV", help="compare with its state at this git revision")
    form = options.form(parser)
    _markdown(form)
    options.page(form)
    text = "render at most so often to decide between causes (default: 8)"
    parser.add_argument("--renders", type=count, default=8, metavar="N", help=text)
    _running(parser, grammar)


def _running(parser: ArgumentParser, grammar: Grammar) -> None:
    options.running(parser, grammar.tools)
    options.amount(parser)


def _markdown(form: Any) -> None:
    form.add_argument("--markdown", action="store_true", help="print the differences as Markdown, for a pull request")


def _blame(parser: ArgumentParser) -> None:
    text = "say of each authored line who wrote it: commit, date and author, from git"
    parser.add_argument("--blame", action="store_true", help=text)


def _queries(parser: ArgumentParser) -> None:
    """Add the options that select values."""
    text = "values of this path, as `spec.values.*` or `**.tag`"
    options.words(parser, "--path", completion.PATTERN, action="append", metavar="PATTERN", help=text)
    options.words(parser, "--resource", completion.RESOURCE, metavar="KIND[/NS]/NAME", help="values of this resource")
    text = "values that this file or line won or lost"
    options.file(parser, "--from", dest="origin", metavar="FILE[:LINE]", help=text)
    parser.add_argument("--all", action="store_true", help="values that no step decides, too")
    parser.add_argument("--contested", action="store_true", help="values that more than one layer sets")
    text = "values in which this layer overrides another"
    options.words(parser, "--overridden-by", completion.LAYER, metavar="LAYER", help=text)
