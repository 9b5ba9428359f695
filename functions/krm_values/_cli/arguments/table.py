"""The table of commands: the words that each takes, what it does in a line, its exit codes, and examples.

`help`, each `--help`, shell completion and the tests of README and manuals read it. A word means the same in each command: DIR is a package
or a directory of resources (without it this directory), FILE:LINE a line of a file, PATTERN the path of values.
"""

from __future__ import annotations

from krm_values._data.record import record

SUCCESS, INVALID, USAGE, DEFECT = (
    "success",
    "invalid input, functionConfig or resources",
    "invalid command line",
    "a defect of krm-values",
)

RUN = (SUCCESS, INVALID, USAGE, DEFECT)
READ = (SUCCESS, "invalid input, or no value matches", USAGE, DEFECT)
DIFFER = ("nothing would change, no value differs", "something would change, a value differs", "any failure", DEFECT)
CHECK = ("no error, and nothing differs", "an error, or something differs; with --strict, a warning", USAGE, DEFECT)
FLEET = (
    "every package is rendered, or the bundle is written",
    "a package failed, took too long or was changed meanwhile",
    USAGE,
    "a defect of krm-values, or a package without an answer",
)
LINT = ("no error", "an error; with --strict, a warning", USAGE, DEFECT)


@record
class Command:
    """A command. words: its arguments. text: what it does. codes: the meaning of each exit code, from 0 on. examples: run in a package.

    diff: whether it has `--diff`, with the exit codes of a comparison. group: its heading in the help.
    """

    group: str
    words: str
    text: str
    codes: tuple[str, ...]
    examples: tuple[str, ...]
    diff: bool = False


ANSWER_SCHEMAS = ("explanation", "comparison", "fleet-explanation", "fleet-comparison")
"""The schemas of `-o json`, beside those of functions."""
ANSWERS, PACKAGES, FILES, SETUP = "where values come from", "packages", "functions and files", "more"

COMMANDS = {
    "explain": Command(
        ANSWERS,
        "[DIR | FUNCTION FILE...] [PATTERN...]",
        "say where values come from",
        READ,
        ("explain .", "explain . spec.replicas", "explain layered-values . spec", "explain . --html page.html"),
    ),
    "values": Command(
        ANSWERS,
        "[DIR | FUNCTION FILE...] [PATTERN...]",
        "print the composed values",
        READ,
        ("values .", "values . Deployment/web", "values . --comments", "values . spec -o json"),
    ),
    "why": Command(
        ANSWERS,
        "FILE:LINE... [DIR]",
        "say where a line comes from",
        READ,
        ("why deployment.yaml:6", "why layers.yaml:8 layers.yaml:13", "why layers.yaml:8 -o json"),
    ),
    "impact": Command(
        ANSWERS,
        "FILE:LINE... [DIR]",
        "say what an edit would change",
        DIFFER,
        ("impact layers.yaml:13", "impact layers.yaml:13=5", "impact layers.yaml:8 layers.yaml:9"),
    ),
    "compare": Command(
        ANSWERS,
        "A B | [A] --against REV",
        "compare two packages",
        DIFFER,
        ("compare . .", "compare --against HEAD", "compare . --against HEAD --markdown"),
    ),
    "render": Command(
        PACKAGES,
        "[DIR...]",
        "write the resolved values",
        RUN,
        ("render", "render --diff", "render . -o unwrap", "render --recursive ."),
        diff=True,
    ),
    "check": Command(
        PACKAGES,
        "[DIR...]",
        "say what would be changed",
        CHECK,
        ("check", "check --recursive .", "check --strict --format github"),
    ),
    "inputs": Command(
        PACKAGES,
        "[DIR]",
        "list what a render reads",
        RUN,
        ("inputs", "inputs . -o json", "inputs --format argocd"),
    ),
    "clean": Command(
        PACKAGES,
        "[DIR]",
        "remove undo records",
        RUN,
        ("clean", "clean - < deployment.yaml"),
    ),
    "revert": Command(
        PACKAGES,
        "FUNCTION[/CONFIG] [DIR]",
        "take back what a step wrote",
        RUN,
        ("revert layered-values", "revert layered-values/web ."),
    ),
    "fleet": Command(
        PACKAGES,
        "TASK [ROOT...]",
        "work on many packages at once",
        FLEET,
        (
            "fleet render",
            "fleet render . --diff --jobs 2",
            "fleet explain . spec.replicas",
            "fleet job --shards 5 --image registry.example.com/krm-values",
        ),
        diff=True,
    ),
    "run": Command(
        FILES,
        "[FUNCTION] FILE...",
        "resolve resources",
        RUN,
        (
            "run layered-values .",
            "run --config layers.yaml deployment.yaml",
            "run layered-values - --config layers.yaml < deployment.yaml",
        ),
    ),
    "lint": Command(
        FILES,
        "FUNCTION FILE...",
        "check files of a function",
        LINT,
        ("lint layered-values layers.yaml deployment.yaml", "lint layered-values . --strict"),
    ),
    "list": Command(FILES, "", "list the functions", RUN, ("list", "list -o json")),
    "docs": Command(
        FILES,
        "FUNCTION|KIND",
        "print a function's manual, or what a kind of finding means",
        RUN,
        ("docs layered-values", "docs unknown-key"),
    ),
    "schema": Command(
        FILES,
        "FUNCTION",
        "print a JSON Schema",
        RUN,
        ("schema layered-values", "schema explanation"),
    ),
    "new": Command(FILES, "FUNCTION DIR", "write a new function", RUN, ("new namespace-labels labels",)),
    "kustomize": Command(
        SETUP,
        "TASK",
        "set up kustomize's plugins",
        RUN,
        ("kustomize install-plugins", "kustomize uninstall-plugins"),
    ),
    "completion": Command(
        SETUP,
        "SHELL",
        "print a shell's completion",
        RUN,
        ("completion bash", "completion zsh", "completion fish"),
    ),
    "help": Command(SETUP, "[COMMAND]", "print the help of a command", RUN, ("help", "help render")),
}
"""By name, in the order of the help."""

WITH_DIFF = "exit codes with --diff"
"""The heading of a command's second table."""
_COLUMN = 49  # where texts begin in the help, so that no line is longer than 78


def exit_codes(codes: tuple[str, ...], heading: str = "exit codes") -> str:
    """Return a table of exit codes, a line per code."""
    return f"{heading}:\n" + "".join(f"  {code}  {text}\n" for code, text in enumerate(codes))


def usage(name: str) -> str:
    """Return the synopsis of a command: `krm-values why FILE:LINE... [DIR] [OPTION...]`."""
    return " ".join(filter(None, ("krm-values", name, COMMANDS[name].words, "[OPTION...]")))


def epilog(name: str, between: str = "") -> str:
    """Return the end of a command's help: examples, and last its exit codes. between: what precedes the latter."""
    command = COMMANDS[name]
    second = f"{exit_codes(DIFFER, WITH_DIFF)}\n" if command.diff else ""
    return f"{calls(command.examples)}\n{between}{second}{exit_codes(command.codes)}"


def calls(examples: tuple[str, ...]) -> str:
    """Return the examples of a command, "" if it has none."""
    return "examples:\n" + "".join(f"  krm-values {one}\n" for one in examples) if examples else ""


def synopses(others: dict[str, str]) -> str:
    """Return the table of all commands by group. others: the texts of commands that functions add, by name."""
    out = ""
    for group in dict.fromkeys(command.group for command in COMMANDS.values()):
        rows = ((f"{name} {one.words}".strip(), one.text) for name, one in COMMANDS.items() if one.group == group)
        out += f"{group}:\n{''.join(_row(*row) for row in rows)}\n"
    return out + (f"of functions:\n{''.join(_row(f'{name} TASK', text) for name, text in others.items())}\n" if others else "")


def _row(words: str, text: str) -> str:
    return f"  {words:{_COLUMN - 3}} {text}\n"
