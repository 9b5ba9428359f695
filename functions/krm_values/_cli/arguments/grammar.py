"""The grammar of the command line, from which `--help` and shell completion are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.arguments import answers, options, parser, writers
from krm_values._cli.arguments import extensions as extensions_of
from krm_values._cli.arguments.help_texts import DIFF, ENVIRONMENT, EXIT, NEW, RUN
from krm_values._cli.arguments.parser import Grammar
from krm_values._data.record import replace
from krm_values._run.arguments import filled

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping, Sequence

    from krm_values._cli.arguments.parser import Files
    from krm_values._run.function import Commands


def build(
    functions: Sequence[str],
    version: str,
    *,
    extensions: Mapping[str, Commands],
    tools: Mapping[str, str],
    manual: str = "",
    files: Files | None = None,
    only: str = "",
) -> ArgumentParser:
    """Return the parser of `krm-values`. manual: appended to its help and to that of `run`. files: given when completion is made.

    extensions: what functions add, by function (`registry.extensions`). tools: the programs that a caller may name, with their purpose. only:
    the command that is called, if it is known: leaving out the others saves most of the time.
    """
    made = parser.root(
        "krm-values",
        "Resolve layered Kubernetes values before apply, and say where every value came from.",
        version,
        {**_INSTEAD, **{function: f"krm-values run {function}" for function in functions}},
    )
    made.epilog = f"{EXIT}\n{DIFF}\n{ENVIRONMENT}" + (f"\n{manual}" if manual else "")
    commands = made.add_subparsers(dest="command", metavar="COMMAND", required=True)
    grammar = Grammar(commands, version, functions, extensions, tools, manual, files)
    for add in [_COMMANDS[only]] if only in _COMMANDS else [*_COMMANDS.values(), extensions_of.groups]:
        add(grammar)
    return made


def is_extended(command: str) -> bool:
    """Return whether functions may extend or add a command."""
    return command in _EXTENDED or command not in _COMMANDS


def single(script: str, version: str, manual: str, tools: Mapping[str, str]) -> ArgumentParser:
    """Return the parser of `krm-<function>`, whose help is the function's manual page. tools: those of the function."""
    made = parser.root(script, RUN, version)
    made.epilog = f"{EXIT}\n{manual}"
    text = "a file with the functionConfig; alone: kustomize's legacy exec plugin"
    options.file(made, None, "config", nargs="?", metavar="CONFIG", help=text)
    options.file(made, None, "files", nargs="*", metavar="FILE", help="a file or directory of plain resources")
    options.programs(made, tools, None)
    options.verbose(made)
    return made


def _list(grammar: Grammar) -> None:
    grammar.add("list", "list the functions")


def _docs(grammar: Grammar) -> None:
    made = grammar.add("docs", "print the manual page of a function, or what there is on a kind of finding")
    text = "a function (`krm-values list`), or a kind of finding, as `lint` and SARIF name it"
    made.add_argument("function", type=filled, choices=grammar.choices, metavar="FUNCTION|KIND", help=text)


def _kustomize(grammar: Grammar) -> None:
    inner = grammar.add("kustomize", "set up kustomize").add_subparsers(dest="task", metavar="TASK", required=True)
    text = "write the plugin files that `kubectl kustomize --enable-alpha-plugins` runs"
    replace(grammar, commands=inner).add("install-plugins", text)


def _new(grammar: Grammar) -> None:
    made = grammar.add("new", "write the files of a new function: code, manual, a case, tests, a package, a container", NEW)
    made.add_argument("function", type=filled, metavar="FUNCTION", help="its name, as in `namespace-replicas`")
    options.file(made, grammar.files, "directory", metavar="DIR", help="a directory that does not exist yet")


def _completion(grammar: Grammar) -> None:
    text = "for example: krm-values completion bash > ~/.local/share/bash-completion/completions/krm-values"
    made = grammar.add("completion", "print the completion script of a shell")
    made.add_argument("shell", choices=("bash", "zsh", "tcsh"), help=text)


_COMMANDS = {
    "run": writers.run,
    "explain": answers.explain,
    "values": answers.values,
    "why": answers.why,
    "impact": answers.impact,
    "compare": answers.compare,
    "render": writers.render,
    "check": writers.check,
    "inputs": writers.inputs,
    "clean": writers.clean,
    "revert": writers.revert,
    "list": _list,
    "schema": extensions_of.schema,
    "lint": extensions_of.lint,
    "docs": _docs,
    "kustomize": _kustomize,
    "new": _new,
    "completion": _completion,
}
"""The function that adds each command, in the order of the help."""
_INSTEAD = {"diff": "krm-values render --diff"}
_EXTENDED = ("schema", "lint")
