"""The grammar of the commands that work on many packages: `fleet`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import options, table
from krm_values._cli.arguments.help_texts import (
    FLEET_COMPARE,
    FLEET_EXPLAIN,
    FLEET_IMPACT,
    FLEET_JOB,
    FLEET_MERGE,
    FLEET_RENDER,
)
from krm_values._data.record import replace
from krm_values._run.arguments import count, filled, seconds

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from krm_values._cli.arguments.parser import Grammar


def fleet(grammar: Grammar) -> None:
    """Add the command group."""
    parser = grammar.add("fleet")
    inner = parser.add_subparsers(dest="task", metavar="TASK", required=True, prog="krm-values fleet")
    tasks = replace(grammar, commands=inner, added={})
    _render(tasks)
    _merge(tasks)
    _job(tasks)
    _answer(
        tasks,
        "explain",
        "say where a value comes from in all packages",
        description=FLEET_EXPLAIN,
        codes=table.READ,
        last="PATTERN",
        examples=("fleet explain . spec.replicas", "fleet explain . spec.replicas --all -o json"),
    )
    text = "say what would change in all packages without a layer, or with another value"
    calls: tuple[str, ...] = ("fleet impact . layers.yaml:13", "fleet impact . layers.yaml:13=5")
    _answer(
        tasks, "impact", text, description=FLEET_IMPACT, codes=table.DIFFER, last="FILE[:LINE][:PATH][=VALUE]", examples=calls
    )
    text = "say what changes in all packages since a git revision"
    calls = ("fleet compare --against HEAD", "fleet compare . --against HEAD -o json")
    comparing = _answer(tasks, "compare", text, description=FLEET_COMPARE, codes=table.DIFFER, examples=calls)
    comparing.add_argument("--against", type=filled, metavar="REV", required=True, help="the git revision to compare with")
    text = "render a package at most so often to decide between causes (default: 8)"
    comparing.add_argument("--renders", type=count, default=8, metavar="N", help=text)


def _answer(
    grammar: Grammar,
    name: str,
    summary: str,
    *,
    description: str,
    codes: tuple[str, ...],
    examples: tuple[str, ...],
    last: str = "",
) -> ArgumentParser:
    """Add a command that asks all packages, and return its parser. last: what its last word is."""
    parser = grammar.add(name, summary, description, codes=codes, examples=examples)
    text = "directories with packages (default: this one)" + (f", and then {last}" if last else "")
    options.file(parser, "files", nargs="*", metavar=f"[ROOT...] {last}" if last else "ROOT", help=text)
    select(parser)
    jobs(parser)
    options.form(parser)
    parser.add_argument("--all", action="store_true", help="print all groups, with the names of all their packages")
    options.running(parser, grammar.tools)
    options.quiet(parser)
    return parser


def _render(grammar: Grammar) -> None:
    with_diff = table.exit_codes(table.DIFFER, table.WITH_DIFF)
    calls = ("fleet render", "fleet render . --diff", "fleet render . --shard 1/5 --bundle 1.bundle")
    text = "render all packages below directories"
    parser = grammar.add("render", text, FLEET_RENDER, epilog=with_diff, codes=table.FLEET, examples=calls)
    roots(parser)
    jobs(parser)
    parser.add_argument(
        "--since", type=filled, metavar="REV", help="only packages that are not what they were at this git revision"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--diff", action="store_true", help="write nothing, print what would change as a unified diff")
    text = "write nothing but what `merge` needs to commit this shard; a package that fails does not change the exit code"
    options.file(form, "--bundle", metavar="FILE", help=text)
    text = "only the I-th of N parts of the packages; N alone where JOB_COMPLETION_INDEX, from 0, says which"
    parser.add_argument("--shard", type=filled, metavar="I/N", help=text)
    remembering(parser)
    reports(parser)
    text = "write a page for a browser: the packages as a matrix; PACKAGE.html beside it, of `explain --html`, is linked"
    options.file(parser, "--html", metavar="FILE", help=text)
    parser.add_argument("--fail-fast", action="store_true", help="begin no other package after one that fails")
    text = "seconds that a package may take (default: what .krm-fleet.yaml says, else any)"
    parser.add_argument("--timeout", type=seconds, metavar="S", help=text)
    scheduler(parser)
    options.pipeline(parser, grammar.tools)
    options.quiet(parser)


def scheduler(parser: ArgumentParser) -> None:
    """Add the options that name a scheduler of Dask."""
    text = "the scheduler of Dask whose workers plan (default: processes on this machine)"
    parser.add_argument("--scheduler", type=filled, metavar="tls://HOST:PORT", help=text)
    text = "the certificate, in PEM, of the authority for the scheduler, its workers and this command, and for nobody else"
    options.file(parser, "--tls-ca", metavar="FILE", help=text)
    options.file(parser, "--tls-cert", metavar="FILE", help="the certificate of this command for --scheduler, in PEM")
    options.file(parser, "--tls-key", metavar="FILE", help="the key of --tls-cert, in PEM, without a passphrase")


def roots(parser: ArgumentParser) -> None:
    """Add the arguments that say which packages."""
    text = "directories with packages (default: this one)"
    options.file(parser, "roots", nargs="*", metavar="ROOT", help=text)
    select(parser)


def select(parser: ArgumentParser) -> None:
    """Add the option that narrows a fleet."""
    text = "only packages whose path below ROOT, or a directory of it, matches: `eu-*/web`, `**/web`"
    parser.add_argument("--select", action="append", type=filled, metavar="GLOB", help=text)


def jobs(parser: ArgumentParser) -> None:
    """Add the option that says how many processes work."""
    parser.add_argument("--jobs", type=count, metavar="N", help="worker processes (default: one on each processor)")


def reports(parser: ArgumentParser) -> None:
    """Add the files that tell about the packages."""
    text = "write {package, status, changed, findings} of each package as JSON lines"
    options.file(parser, "--results", metavar="FILE", help=text)
    options.file(parser, "--timings", metavar="FILE", help="write the seconds that each package took as JSON lines")


def remembering(parser: ArgumentParser) -> None:
    """Add the options about the state."""
    text = "what earlier runs have found: packages that are still the same are skipped"
    options.file(parser, "--state", metavar="FILE", help=text)
    text = "the key of the state, made if there is none; who shares the state shares it"
    options.file(parser, "--state-key", metavar="FILE", help=text)


def _merge(grammar: Grammar) -> None:
    calls = ("fleet merge . 1.bundle",)
    parser = grammar.add("merge", "commit the bundles of all shards", FLEET_MERGE, codes=table.FLEET, examples=calls)
    options.file(parser, "root", metavar="ROOT", help="the directory that the shards have rendered")
    options.file(parser, "bundles", nargs="+", metavar="BUNDLE", help="what `render --bundle` has written, of each shard")
    remembering(parser)
    reports(parser)
    options.quiet(parser)


def _job(grammar: Grammar) -> None:
    calls = ("fleet job --shards 5 --image registry.example.com/krm-values",)
    parser = grammar.add("job", "print a Kubernetes Indexed Job that renders the shards", FLEET_JOB, examples=calls)
    parser.add_argument("--shards", type=count, required=True, metavar="N", help="how many pods share the packages")
    parser.add_argument("--image", type=filled, required=True, metavar="I", help="an image with krm-values as its entry point")
