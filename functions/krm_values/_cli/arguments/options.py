"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import completion
from krm_values._krm.taint import HIDDEN
from krm_values._run.arguments import LOCK_TIMEOUT, filled, seconds
from krm_values._run.report import TEXT

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping
    from typing import Any


def function(parser: ArgumentParser, *, optional: bool = False) -> None:
    """Add the argument that names a function."""
    text = "a function (`krm-values list`)" + (
        " (default: KRM_FUNCTION, else what the functionConfig names)" if optional else ""
    )
    words(parser, "function", completion.FUNCTION, nargs="?" if optional else None, metavar="FUNCTION", help=text)


def inputs(parser: ArgumentParser, kind: str, metavar: str = "FILE|DIR", text: str = "plain resources (- for stdin)") -> None:
    """Add the files that a command reads, and the functionConfig. kind: of the words, for completion."""
    words(parser, "files", kind, nargs="*", metavar=metavar, help=text)
    text = "the functionConfig (default: the list's, or the only one among the resources)"
    file(parser, "--config", metavar="FILE", help=text)


def one_function(parser: ArgumentParser) -> None:
    """Add the options that name one function for a directory without a pipeline."""
    text = "run this function alone, on a directory whose Kptfiles, if there are any, list no steps"
    words(parser, "--function", completion.FUNCTION, metavar="FUNCTION", help=text)
    text = "with --function: the functionConfig (default: the only one among the resources)"
    file(parser, "--config", metavar="FILE", help=text)


def file(parser: Any, name: str, **form: Any) -> None:
    """Add an argument that shells complete as a file name. parser: it, or one of its groups. form: as in argparse."""
    words(parser, name, completion.FILE, **form)


def words(parser: Any, name: str, kind: str, **form: Any) -> None:
    """Add an argument whose words shells complete. kind: of the words. parser, form: as for `file`."""
    parser.add_argument(name, **{"type": filled, **form}).complete = kind


def page(group: Any) -> None:
    """Add the option that writes a page for a browser."""
    file(group, "--html", metavar="FILE", help="write a self-contained page for a browser")


def running(parser: ArgumentParser, tools: Mapping[str, str]) -> None:
    """Add the options of every command that runs the pipeline of a package, except for how much it prints."""
    secrets(parser)
    pipeline(parser, tools)


def pipeline(parser: ArgumentParser, tools: Mapping[str, str]) -> None:
    """Add the options by which the pipeline of a package runs."""
    links(parser)
    foreign(parser)
    programs(parser, tools)


def foreign(parser: ArgumentParser) -> None:
    """Add the options about steps that are not ours."""
    parser.add_argument("--skip-foreign", action="store_true", help="skip the steps of a pipeline that are not ours")
    parser.add_argument("--allow-images", action="store_true", help="run those that are images in Docker, without network")
    parser.add_argument("--allow-exec", action="store_true", help="run those that are programs, as you")
    parser.add_argument("--network", action="store_true", help="with --allow-images: let images use the network")
    parser.add_argument("--pull", action="store_true", help="with --allow-images: fetch images that are not present")


def secrets(parser: ArgumentParser) -> None:
    """Add the option that prints values of Secrets."""
    parser.add_argument("--show-secrets", action="store_true", help=f"print values from Secrets instead of {HIDDEN}")


def links(parser: ArgumentParser) -> None:
    """Add the option that allows links out of a directory."""
    text = "read files that a link in a directory leads out to (default: an error)"
    parser.add_argument("--follow-links", action="store_true", help=text)


def programs(parser: ArgumentParser, tools: Mapping[str, str]) -> None:
    """Add the options that name external programs for functions."""
    for tool, text in tools.items():
        file(parser, f"--{tool}", metavar="BIN", dest=f"tool_{tool}", help=text)


def verbose(parser: Any) -> None:
    """Add the option that prints informational messages in a pipe as well. parser: it, or one of its groups."""
    parser.add_argument("-v", "--verbose", action="store_true", help="print informational messages, too, as on a terminal")


def quiet(parser: Any) -> None:
    """Add the option that prints only errors. parser: it, or one of its groups."""
    text = "on stderr, print only errors: no warnings, no summary"
    parser.add_argument("-q", "--quiet", action="store_true", help=text)


def amount(parser: ArgumentParser) -> None:
    """Add the options that select how much is printed beside the result."""
    group = parser.add_mutually_exclusive_group()
    verbose(group)
    quiet(group)


def findings(parser: ArgumentParser) -> None:
    """Add the option that selects the format of findings."""
    parser.add_argument(
        "--format",
        choices=(TEXT, "github", "sarif"),
        default=TEXT,
        help="how findings are printed: as text, as workflow commands of GitHub, or as one SARIF document",
    )


FORMS = ("text", "json", "yaml")
"""The forms of an answer."""


def form(parser: ArgumentParser, default: str = "text") -> Any:
    """Add the options that select the form of an answer; return their group of mutually exclusive options."""
    group = parser.add_mutually_exclusive_group()
    text = f"print the answer as {', '.join(FORMS)} (default: {default})"
    group.add_argument("-o", "--output", choices=FORMS, default=default, metavar="FORM", help=text)
    group.add_argument("--json", dest="output", action="store_const", const="json", help="the same as -o json")
    return group


def lock(parser: ArgumentParser) -> None:
    """Add the option that limits the wait for another writer."""
    text = f"seconds to wait for another writer (default {LOCK_TIMEOUT:.0f})"
    parser.add_argument("--lock-timeout", type=seconds, metavar="S", help=text)
