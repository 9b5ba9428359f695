"""The command line's grammar: what `--help` prints and what shell completion is made of."""

from __future__ import annotations

import argparse

from krm_values._cli.arguments.checks import bring
from krm_values._data import suggest
from krm_values._data.printable import printable
from krm_values._data.shown import described
from krm_values._kit.process.arguments import LOCK_TIMEOUT, filled, seconds
from krm_values._kit.process.report import TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NoReturn

    from krm_values._kit.api.hooks import Commands

    Files = Mapping[str, Any]  # how each shell completes a file name, as shtab wants it

_EXIT = """\
exit codes:
  0  success
  1  invalid input, functionConfig or resources
  2  invalid command line
  3  a defect of krm-values
"""
_DIFF = """\
exit codes with --diff, and of compare:
  0  nothing would change, no value differs
  1  something would change, a value differs
  2  any failure
"""
_ENVIRONMENT = """\
environment:
  KRM_FUNCTION             the function that `run` serves when neither the command line nor the functionConfig names it
  XDG_CONFIG_HOME          where `kustomize install-plugins` writes (default ~/.config)
  KUSTOMIZE_PLUGIN_HOME    the same, if kustomize looks elsewhere
  NO_COLOR                 no colours, whatever it is set to
"""
_RUN = """\
Without FILE: a ResourceList on stdin, the resolved list on stdout: what kpt, kustomize and pipes want. With FILE or
DIR: plain resources in, plain resources out, documents joined by `---`, findings on stderr.

--config replaces the functionConfig of a list. Where there is none, the only functionConfig among plain resources is
taken, and in a list, too, if nothing names the function; this is printed. Informations are printed on a terminal and
with -v.
"""
_EXPLAIN = """\
Say where each value comes from, through every step of a pipeline, and what it overrides; nothing is changed.

The first WORD, if it is a path that exists or begins with `.` or `/`, is the package, and the words after it are
paths: krm-values explain DIR controller.replicaCount 'spec.values.*' '**.image.tag'. Else, if it is the name of a
function, the rest are plain resources: files, directories or `-`. Else all words are paths of values of the package
in this directory. Without words the input is a ResourceList on stdin. A directory that is called like a function is
written ./NAME. A `*` is one part of a path, `**` any number of them.

--json prints {apiVersion, kind: Explanation, steps, values}; `krm-values schema explanation` has its schema. --patch
prints one RFC 6902 array whose paths begin at /items/N of the input; it is [] when a finding is an error. With hidden
values in it, it cannot be applied: a warning says so. --html writes a page instead: the tree of resources, keys by
layers, each value's way, with search and filters. The exit code is the one of `run`, or 1 if no value is what is asked
for.
"""
_VALUES = """\
Print the values that a function composes, as YAML, as `helm get values` does: of a release, an App, a package, the
params of a step, a Solution Descriptor. WORDs are those of `explain`; one with a slash names the resource that has the
values, or the one that they are composed for. Without one, all composed values are printed.
"""
_WHY = """\
Say where the value on a line comes from: of a file that the pipeline of its package writes, as an editor shows it. The
package is rendered in memory; nothing is changed.
"""
_IMPACT = """\
Say what would change if a layer were not there: the values, each with its next winner, and the rendered files as a diff.
FILE is a file of the package; LINE picks one of its documents and a key of that; PATH is a value inside the layer's
values. Nothing is changed. The exit code is 1 if something would change. Where a run needs the layer, the error that it
would give is printed.
"""
_COMPARE = """\
Compare two packages after their pipelines, value by value: what was added, removed or changed, and because of which
line. --against compares the directory with what git has of it at a revision; of git only `ls-tree` and `cat-file` are
called, and nothing that the repository configures runs.
"""
_RENDER = """\
Run the pipeline of a kpt package, and of its sub-packages first, without kpt: mutators, then validators, whose image
or exec is one of our functions. Files are written in place, all or none, and only where something changes. Of several packages
each is written on its own. A package that is as an earlier run left it is not run again; the findings of that run are printed.
"""
_CLEAN = """\
For those who commit only the final form: take the annotations out by which a later run knows what an earlier one wrote,
the undo records and the marks of generated objects. Nothing else changes. What it costs: a later run cannot update or
undo what was written. Where it would write to such a resource again, or make an object that is there already, it stops
with an error, for which `krm-values.dev/released` names the functions that had written to a resource. Keep the sources,
and render from them: `krm-values render -o OUT --release` writes the same files.
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors name the nearest command, value or option, and hold no control characters of words that a shell put in."""

    def __init__(self, *arguments: Any, **form: Any) -> None:
        super().__init__(*arguments, **form)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            text = f"must be one of {', '.join(known)}; found {described(str(value))}{suggest.hint(str(value), known)}"
            raise argparse.ArgumentError(action, text)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, rest = super().parse_known_args(args, namespace)
        known = [*getattr(options, "known_options", ()), *self._option_string_actions]
        options.known_options = known
        return options, rest


class _Once(argparse.Action):
    """An option with one value: a second one would replace the first silently."""

    def __call__(self, _: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, word: str | None = None) -> None:
        seen = vars(namespace).setdefault("seen_options", set())
        if word and self.dest in seen:
            raise argparse.ArgumentError(self, "must be given once")
        seen.add(self.dest if word else "")
        setattr(namespace, self.dest, values)


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)


def build(
    functions: Sequence[str],
    version: str,
    *,
    extensions: Mapping[str, Commands],
    tools: Mapping[str, str],
    manual: str = "",
    files: Files | None = None,
) -> argparse.ArgumentParser:
    """The parser of `krm-values`. manual: appended to the help of `run`. files: given when completion is made.

    extensions: what functions add, by function (`registry.extensions`). tools: the programs that one may name, and what for.
    """
    parser = _parser(
        "krm-values", "Resolve layered Kubernetes values before apply, and say where every value came from.", version
    )
    parser.epilog = f"{_EXIT}\n{_DIFF}\n{_ENVIRONMENT}"
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    run = _command(
        commands, "run", "resolve a ResourceList or plain resources", version, _RUN, epilog=f"{_EXIT}\n{_ENVIRONMENT}\n{manual}"
    )
    _function(run, functions if files else None, optional=True)
    _inputs(run, files)
    _links(run)
    _programs(run, tools, files)
    _verbose(run)
    _format(run)

    explain = _command(commands, "explain", "say where every value comes from", version, _EXPLAIN, epilog=_EXIT)
    _inputs(explain, files, "WORD", "a package and paths, a function and files, or paths of the package here (see above)")
    _queries(explain, files)
    _forms(explain, files)
    _secrets(explain)
    _links(explain)
    _foreign(explain)
    _programs(explain, tools, files)
    _verbose(explain)

    _answers(commands, version, tools, files)

    _render(commands, version, tools, files)

    _clean(commands, version, files)
    _command(commands, "list", "list the functions", version)
    schema = _command(
        commands,
        "schema",
        "print the JSON Schema of a functionConfig, or of what `explain --json` prints (explanation)",
        version,
    )
    _function(schema, functions if files else None)
    bring(schema, {name: own.schema_arguments for name, own in extensions.items()})
    _lint(commands, version, extensions, files)
    docs = _command(commands, "docs", "print the manual page of a function", version)
    _function(docs, functions if files else None)
    kustomize = _command(commands, "kustomize", "set kustomize up", version)
    inner = kustomize.add_subparsers(dest="task", metavar="TASK", required=True)
    _command(inner, "install-plugins", "write the plugin files that `kubectl kustomize --enable-alpha-plugins` runs", version)
    _completion(commands, version)
    _groups(commands, version, extensions)
    return parser


def _render(commands: Any, version: str, tools: Mapping[str, str], files: Files | None) -> None:
    """The command that runs pipelines."""
    render = _command(commands, "render", "run the pipeline of a kpt package", version, _RENDER, epilog=f"{_EXIT}\n{_DIFF}")
    _complete(
        render.add_argument("directories", nargs="*", type=filled, metavar="DIR", help="a package (default: this directory)"),
        files,
    )
    render.add_argument("--recursive", action="store_true", help="render each outermost package in or below DIR")
    render.add_argument("--no-cache", action="store_true", help="run a package again that an earlier run left as it is now")
    form = render.add_mutually_exclusive_group()
    form.add_argument("--diff", action="store_true", help="write nothing, print what would change as a unified diff")
    form.add_argument(
        "-o",
        "--output",
        type=filled,
        metavar="OUT",
        help="stdout: a ResourceList; unwrap: documents; else a new directory to write to",
    )
    _complete(
        render.add_argument(
            "--results-dir", type=filled, metavar="D", help="write the findings to D/results.yaml, as kpt does"
        ),
        files,
    )
    render.add_argument("--release", action="store_true", help="with -o: leave out undo records and marks, as `clean` does")
    _lock(render)
    _secrets(render)
    _links(render)
    _foreign(render)
    _programs(render, tools, files)
    _verbose(render)
    _format(render)


def _answers(commands: Any, version: str, tools: Mapping[str, str], files: Files | None) -> None:
    """The commands beside `explain` that say where values come from."""
    values = _command(commands, "values", "print the composed values as YAML", version, _VALUES, epilog=_EXIT)
    _inputs(values, files, "WORD", "a package, a resource as KIND[/NS]/NAME, and paths (as for `explain`)")
    values.add_argument("--comments", action="store_true", help="say behind each value where it comes from")
    why = _command(commands, "why", "say where the value on a line of a file comes from", version, _WHY, epilog=_EXIT)
    _complete(why.add_argument("place", type=filled, metavar="FILE:LINE", help="a line of a file of a package"), files)
    _package(why, files)
    impact = _command(commands, "impact", "say what would change without a layer", version, _IMPACT, epilog=_EXIT)
    text = "a file of a package, or a line or value of it"
    _complete(impact.add_argument("layer", type=filled, metavar="FILE[:LINE][:PATH]", help=text), files)
    _package(impact, files)
    compare = _command(commands, "compare", "compare two packages value by value", version, _COMPARE, epilog=_DIFF)
    text = "two packages, or one beside --against (default: this directory)"
    _complete(compare.add_argument("files", nargs="*", type=filled, metavar="DIR", help=text), files)
    compare.add_argument("--against", type=filled, metavar="REV", help="compare with what git has at this revision")
    for parser in (impact, compare):
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print the differences as JSON")
        form.add_argument("--markdown", action="store_true", help="print them as Markdown, for a pull request")
        if parser is compare:
            _page(form, files)
    for parser in (values, why, impact, compare):
        _secrets(parser)
        _links(parser)
        _foreign(parser)
        _programs(parser, tools, files)
        _verbose(parser)


def _completion(commands: Any, version: str) -> None:
    completion = _command(commands, "completion", "print the completion script of a shell", version)
    completion.add_argument(
        "shell",
        choices=("bash", "zsh", "tcsh"),
        help="for example: krm-values completion bash > ~/.local/share/bash-completion/completions/krm-values",
    )


def _clean(commands: Any, version: str, files: Files | None) -> None:
    clean = _command(commands, "clean", "take undo records and marks out of files", version, _CLEAN, epilog=_EXIT)
    text = "a package or directory (default: this directory)"
    _complete(clean.add_argument("directory", nargs="?", type=filled, default=".", metavar="DIR", help=text), files)
    _lock(clean)
    _links(clean)


def _lock(parser: argparse.ArgumentParser) -> None:
    text = f"seconds to wait for another writer (default {LOCK_TIMEOUT:.0f})"
    parser.add_argument("--lock-timeout", type=seconds, metavar="S", help=text)


def _forms(explain: argparse.ArgumentParser, files: Files | None) -> None:
    """In what form `explain` answers."""
    form = explain.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    form.add_argument("--patch", action="store_true", help="print the changes as an RFC 6902 patch of the list")
    _page(form, files)


def _page(group: Any, files: Files | None) -> None:
    text = "write a page for a browser that needs nothing but itself"
    _complete(group.add_argument("--html", type=filled, metavar="FILE", help=text), files)


def _package(parser: argparse.ArgumentParser, files: Files | None) -> None:
    text = "the package (default: this directory, else the nearest above FILE)"
    _complete(parser.add_argument("directory", nargs="?", type=filled, metavar="DIR", help=text), files)


def _lint(commands: Any, version: str, extensions: Mapping[str, Commands], files: Files | None) -> None:
    """`lint`, if a function has one."""
    having = [name for name, own in extensions.items() if own.lint]
    if not having:
        return
    lint = _command(commands, "lint", "check files that a function reads, without a run", version, epilog=_EXIT)
    lint.add_argument("function", choices=having if files else None, metavar="FUNCTION", help=f"one of: {', '.join(having)}")
    _complete(lint.add_argument("files", nargs="+", metavar="FILE", help="a file or directory (- for stdin)"), files)
    bring(lint, {name: own.lint_arguments for name, own in extensions.items()})
    _format(lint)


def _groups(commands: Any, version: str, extensions: Mapping[str, Commands]) -> None:
    """The groups of commands that functions bring along."""

    def group_of(function: str) -> Callable[[str, str], Callable[..., argparse.ArgumentParser]]:
        def group(name: str, text: str) -> Callable[..., argparse.ArgumentParser]:
            parser = _command(commands, name, text, version)
            parser.set_defaults(extension=function)
            inner = parser.add_subparsers(dest="task", metavar="TASK", required=True)
            return lambda name, text, description="", epilog="": _command(
                inner, name, text, version, description, epilog=epilog
            )

        return group

    for function, own in extensions.items():
        if own.grammar:
            own.grammar(group_of(function))


def single(script: str, version: str, manual: str, tools: Mapping[str, str]) -> argparse.ArgumentParser:
    """The parser of `krm-<function>`, whose help is the function's manual page. tools: its own."""
    parser = _parser(script, _RUN, version)
    parser.epilog = f"{_EXIT}\n{manual}"
    parser.add_argument(
        "config",
        nargs="?",
        type=filled,
        metavar="CONFIG",
        help="a file with the functionConfig; alone: kustomize's legacy exec plugin",
    )
    parser.add_argument("files", nargs="*", type=filled, metavar="FILE", help="a file or directory of plain resources")
    _programs(parser, tools, None)
    _verbose(parser)
    return parser


def _parser(name: str, text: str, version: str) -> argparse.ArgumentParser:
    parser = _Parser(prog=name, description=text, **_form())
    _common(parser, version)
    return parser


def _command(
    commands: Any, name: str, text: str, version: str, description: str = "", *, epilog: str = ""
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=description or f"{text[0].upper()}{text[1:]}.", epilog=epilog, **_form()
    )
    _common(parser, version)
    return parser


def _form() -> dict[str, Any]:
    return {"formatter_class": _Help, "allow_abbrev": False}


def _common(parser: argparse.ArgumentParser, version: str) -> None:
    parser.add_argument("--version", action="version", version=f"krm-values {version}")
    parser.add_argument("--debug", action="store_true", help="show a traceback when krm-values itself fails")


def _verbose(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-v", "--verbose", action="store_true", help="print informations, too, as on a terminal")


def _format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=(TEXT, "github", "sarif"),
        default=TEXT,
        help="how findings are printed: as text, as workflow commands of GitHub, or as one SARIF document",
    )


def _function(parser: argparse.ArgumentParser, choices: Sequence[str] | None, *, optional: bool = False) -> None:
    text = "a function (`krm-values list`)" + (
        " (default: KRM_FUNCTION, else what the functionConfig names)" if optional else ""
    )
    parser.add_argument(
        "function", nargs="?" if optional else None, type=filled, choices=choices, metavar="FUNCTION", help=text
    )


def _inputs(
    parser: argparse.ArgumentParser,
    files: Files | None,
    metavar: str = "FILE|DIR",
    text: str = "plain resources (- for stdin)",
) -> None:
    _complete(parser.add_argument("files", nargs="*", type=filled, metavar=metavar, help=text), files)
    text = "the functionConfig (default: the list's, or the only one among plain resources)"
    _complete(parser.add_argument("--config", type=filled, metavar="FILE", help=text), files)


def _queries(parser: argparse.ArgumentParser, files: Files | None) -> None:
    """Which values are asked for."""
    parser.add_argument(
        "--path", action="append", type=filled, metavar="PATTERN", help="values of this path, as `spec.values.*` or `**.tag`"
    )
    parser.add_argument("--resource", type=filled, metavar="KIND[/NS]/NAME", help="values of this resource")
    _complete(
        parser.add_argument(
            "--from", dest="origin", type=filled, metavar="FILE[:LINE]", help="values that this file or line won or lost"
        ),
        files,
    )
    parser.add_argument("--contested", action="store_true", help="values that more than one layer sets")
    parser.add_argument("--overridden-by", type=filled, metavar="LAYER", help="values in which this layer overrides another")


def _programs(parser: argparse.ArgumentParser, tools: Mapping[str, str], files: Files | None) -> None:
    for tool, text in tools.items():
        _complete(parser.add_argument(f"--{tool}", type=filled, metavar="BIN", dest=f"tool_{tool}", help=text), files)


def _secrets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--show-secrets", action="store_true", help="print values that come out of Secrets instead of <hidden>")


def _links(parser: argparse.ArgumentParser) -> None:
    text = "read files that a link in a directory leads out to (default: an error)"
    parser.add_argument("--follow-links", action="store_true", help=text)


def _foreign(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--skip-foreign", action="store_true", help="skip the steps of a pipeline that are not ours")


def _complete(argument: argparse.Action, files: Files | None) -> None:
    if files:
        argument.complete = files  # type: ignore[attr-defined]
