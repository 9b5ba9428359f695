"""The grammar of the command line, from which `--help` and shell completion are made."""

from __future__ import annotations

from argparse import SUPPRESS
from typing import TYPE_CHECKING

from krm_values._cli.arguments import answers, fleets, options, parser, table, writers
from krm_values._cli.arguments import extensions as extensions_of
from krm_values._cli.arguments.completion import SHELLS, TOPIC
from krm_values._cli.arguments.help_texts import COMPLETION, ENVIRONMENT, NEW, RUN
from krm_values._cli.arguments.parser import Grammar
from krm_values._data.record import replace
from krm_values._run.arguments import filled

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping, Sequence

    from krm_values._run.function import Commands


def build(
    functions: Sequence[str],
    version: str,
    *,
    extensions: Mapping[str, Commands],
    tools: Mapping[str, str],
    manual: str = "",
    only: str = "",
) -> ArgumentParser:
    """Return the parser of `krm-values`. manual: stands in its help and that of `run`.

    extensions: what functions add, by function (`registry.extensions`). tools: the programs that a caller may name, with their purpose. only:
    the command that is called, if it is known: leaving out the others saves most of the time.
    """
    made = parser.root(
        "krm-values",
        "",
        version,
        {**_INSTEAD, **{function: f"krm-values run {function}" for function in functions}},
    )
    made.usage = "krm-values COMMAND [WORD...] [OPTION...]"
    commands = made.add_subparsers(prog="krm-values", dest="command", metavar="COMMAND", required=True, help=SUPPRESS)
    grammar = Grammar(commands, version, extensions, tools, manual, {})
    for add in [_COMMANDS[only]] if only in _COMMANDS else [*_COMMANDS.values(), extensions_of.groups]:
        add(grammar)
    others = {name: text for name, text in grammar.added.items() if name not in table.COMMANDS}
    made.description = f"{_SAYS}\n\n{table.synopses(others)}{_WORDS}"
    made.epilog = "\n".join((ENVIRONMENT, table.exit_codes(table.DIFFER, _DIFFERING), table.exit_codes(table.RUN)))
    made.manual = manual and f"{manual}\n"
    return made


def is_extended(command: str) -> bool:
    """Return whether functions may extend or add a command."""
    return command in _EXTENDED or command not in _COMMANDS


def single(script: str, version: str, manual: str, tools: Mapping[str, str]) -> ArgumentParser:
    """Return the parser of `krm-<function>`, whose help is the function's manual page. tools: those of the function."""
    made = parser.root(script, RUN, version)
    made.usage = f"{script} [CONFIG [FILE...]] [OPTION...]"
    made.epilog = table.exit_codes(table.RUN)
    made.manual = manual and f"{manual}\n"
    text = "a file with the functionConfig; alone: kustomize's legacy exec plugin"
    options.file(made, "config", nargs="?", metavar="CONFIG", help=text)
    options.file(made, "files", nargs="*", metavar="FILE", help="a file or directory of plain resources")
    options.programs(made, tools)
    options.amount(made)
    return made


def _list(grammar: Grammar) -> None:
    options.form(grammar.add("list"))


def _docs(grammar: Grammar) -> None:
    text = "a function (`krm-values list`), or a kind of finding, as `lint` and SARIF name it"
    options.words(grammar.add("docs"), "function", TOPIC, metavar="FUNCTION|KIND", help=text)


def _kustomize(grammar: Grammar) -> None:
    inner = grammar.add("kustomize").add_subparsers(dest="task", metavar="TASK", required=True, prog="krm-values kustomize")
    tasks = replace(grammar, commands=inner, added={})
    for name, text in _TASKS.items():
        tasks.add(name, text, examples=(f"kustomize {name}",))


def _new(grammar: Grammar) -> None:
    made = grammar.add("new", description=NEW)
    made.add_argument("function", type=filled, metavar="FUNCTION", help="its name, as in `namespace-replicas`")
    options.file(made, "directory", metavar="DIR", help="a directory that does not exist yet")


def _completion(grammar: Grammar) -> None:
    made = grammar.add("completion", description=COMPLETION)
    made.add_argument("shell", choices=SHELLS, metavar="SHELL", help=" or ".join(SHELLS))


def _help(grammar: Grammar) -> None:
    text = "a command, and a command of a function after its own"
    grammar.add("help").add_argument("words", nargs="*", metavar="COMMAND", help=text)


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
    "fleet": fleets.fleet,
    "list": _list,
    "schema": extensions_of.schema,
    "lint": extensions_of.lint,
    "docs": _docs,
    "kustomize": _kustomize,
    "new": _new,
    "completion": _completion,
    "help": _help,
}
"""The function that adds each command, in the order of the help."""
_INSTEAD = {
    "diff": "krm-values render --diff",
    "apply": "krm-values render",
    "build": "krm-values render",
    "template": "krm-values render",
    "test": "krm-values check",
    "validate": "krm-values check",
    "verify": "krm-values check",
    "undo": "krm-values revert",
    "get": "krm-values values",
    "show": "krm-values values",
    "blame": "krm-values explain --blame",
    "version": "krm-values --version",
}
"""What to call, by words of other tools."""
_TASKS = {
    "install-plugins": "write the plugin files that `kubectl kustomize --enable-alpha-plugins` runs",
    "uninstall-plugins": "remove the plugin files that krm-values has written",
}
"""Of `kustomize`."""
_EXTENDED = ("schema", "lint")
_SAYS = "Resolve layered Kubernetes values before apply, and say where every value came from."
_WORDS = "DIR is a package; without it, this directory. PATTERN is a path of values, as spec.values.* or **.tag."
_DIFFERING = "exit codes of compare and impact, and with --diff"
