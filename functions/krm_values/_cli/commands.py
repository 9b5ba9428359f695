"""Every command except the one that serves hosts: parses the arguments and calls the module that does the work."""

# ruff: noqa: PLC0415 - a command imports only what it runs

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from krm_values._cli import manual
from krm_values._cli.arguments import grammar as parser
from krm_values._cli.arguments.completion import COMMAND as COMPLETE
from krm_values._cli.arguments.completion import KUBECTL
from krm_values._cli.arguments.table import ANSWER_SCHEMAS
from krm_values._data import suggest
from krm_values._data.errors import UsageError
from krm_values._data.limits import DEFAULT
from krm_values._krm import names
from krm_values._run import arguments as words
from krm_values._run import registry, tools
from krm_values._run.terminal import Called

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from krm_values._data.limits import Limits
    from krm_values._run.pipe import Release

_OF_FLEETS = ("explain", "impact", "compare")
_OPTIONS = {"--dry-run": "--diff", "--dryrun": "--diff", **dict.fromkeys(("-o", "--output", "--json"), "--format")}
"""Options of other tools or commands, and how they are called here."""


def dispatch(function: str, arguments: Sequence[str], limits: Limits = DEFAULT) -> int:
    """Run a command line that does more than reading a ResourceList from stdin, and return its exit code.

    function: the one whose script was called, "" for `krm-values`. limits: added to the options of every command.
    """
    if arguments[:1] in ([COMPLETE], [KUBECTL]):
        from krm_values._cli import complete

        complete.run(arguments[1:], sys.stdout, limits, kubectl=arguments[0] == KUBECTL)
        return 0
    try:
        if function:
            return _single(function, arguments, limits)
        options = _parsed(arguments or ["--help"])
        if options.command == "help":
            options = _parsed([*options.words, "--help"])
        options.limits = limits
        return _command(options)
    except SystemExit as stop:  # argparse has printed its message
        return int(stop.code or 0)


def _parsed(arguments: Sequence[str]) -> Namespace:
    command = arguments[0] if arguments else ""
    grammar = parser.build(
        registry.functions(),
        _version(arguments),
        extensions=registry.extensions() if parser.is_extended(command) else {},
        tools=tools.known(),
        manual=_manual(arguments),
        only=command,
    )
    return _files_anywhere(grammar, arguments)


def _files_anywhere(grammar: ArgumentParser, arguments: Sequence[str]) -> Namespace:
    """Return the options, also where files follow an option, which argparse does not allow."""
    options, rest = grammar.parse_known_args(arguments)
    command = vars(options).pop("parser")
    if rest and (not hasattr(options, "files") or any(word.startswith("-") and word != "-" for word in rest)):
        command.error(f"unrecognized arguments: {' '.join(rest)}{_near_option(rest, options)}")
    if rest:
        options.files += rest
    return options


def _near_option(words: Sequence[str], options: Namespace) -> str:
    """Return the option that is nearest to the first of the words that resembles one, or is called otherwise here."""
    known = options.known_options
    named = [word.partition("=")[0] for word in words if word.startswith("-")]
    if "--recursive" in named and getattr(options, "command", "") in _OF_FLEETS:
        return f"; did you mean `krm-values fleet {options.command}`?"
    meant = next((option for word in named if (option := _OPTIONS.get(word)) in known), None)
    return (
        f"; did you mean `{meant}`?"
        if meant
        else next((hint for word in named if word.startswith("--") and (hint := suggest.hint(word, known))), "")
    )


def _is_typed() -> bool:
    """Return whether stdin is a terminal: there a command without a file is about this directory."""
    return sys.stdin is not None and sys.stdin.isatty()


def _single(function: str, arguments: Sequence[str], limits: Limits) -> int:
    loaded = registry.load(function)
    name = loaded.name
    own = {tool: text for tool, text in tools.known().items() if tool in loaded.tools}
    grammar = parser.single(names.script(name), _version(arguments), _manual([name, *arguments]), own)
    options = _files_anywhere(grammar, arguments)
    programs = tools.on_command_line(options, name)
    with Called(quiet=options.quiet):
        return _run_single(name, options, programs, limits)


def _run_single(name: str, options: Namespace, programs: Mapping[str, str], limits: Limits) -> int:
    from krm_values._run import pipe, plain_files

    if options.config is None and _is_typed():
        return plain_files.run(name, None, [os.curdir], programs, verbose=options.verbose, limits=limits)
    if options.config is None:
        return pipe.run(name, programs, verbose=options.verbose, limits=limits, own_command=True)
    if not options.files:
        return plain_files.legacy(name, options.config, programs, verbose=options.verbose, limits=limits)
    return plain_files.run(name, options.config, options.files, programs, verbose=options.verbose, limits=limits)


def _command(options: Namespace) -> int:
    with Called(quiet=getattr(options, "quiet", False), counts=options.command != "check"):
        return _called(options)


def _called(options: Namespace) -> int:
    match options.command:
        case "run":
            return _run(options)
        case "explain" | "values" | "why" | "impact" | "compare":
            return _answer(options)
        case "render" | "check" | "inputs" | "clean" | "revert" | "fleet" | "new":
            return _writing(options)
        case "list":
            manual.show_list(sys.stdout, options.output)
        case "schema":
            return _schema(options)
        case "lint":
            return _lint(options)
        case "docs":
            manual.show_page(options.function, sys.stdout)
        case "kustomize":
            from krm_values._cli import kustomize

            (kustomize.install if options.task == "install-plugins" else kustomize.uninstall)(sys.stdout)
        case "completion":
            from krm_values._cli.arguments import completion

            completion.show(options.shell, sys.stdout)
        case _:
            from krm_values._krm import packages

            run = registry.extensions()[options.extension].run
            assert run is not None
            options.files_below = packages.files_below
            return run(options)
    return 0


def _answer(options: Namespace) -> int:
    match options.command:
        case "explain":
            from krm_values._explain.explain import run
        case "values":
            from krm_values._explain.composed import run
        case "why":
            from krm_values._explain.why import run
        case "impact":
            from krm_values._explain.impact import run
        case _:
            from krm_values._explain.compare import run
    return run(options)


def _writing(options: Namespace) -> int:
    if options.command == "check":
        from krm_values._cli.check import run as check

        return check(options)
    if options.command == "inputs":
        from krm_values._cli.inputs import run as inputs

        return inputs(options)
    if options.command == "clean":
        from krm_values._cli.clean import run as clean

        return clean(options)
    if options.command == "revert":
        from krm_values._cli.revert import run as revert

        return revert(options)
    if options.command == "fleet":
        return _fleet(options)
    if options.command == "new":
        from krm_values._cli.new import run as new

        return new(options)
    from krm_values._cli.render import run as render

    return render(options)


def _fleet(options: Namespace) -> int:
    match options.task:
        case "explain":
            from krm_values._fleet.ask import explain as run
        case "impact":
            from krm_values._fleet.ask import change as run
        case "compare":
            from krm_values._fleet.ask import compare as run
        case "merge":
            from krm_values._fleet.merge import run
        case "job":
            from krm_values._fleet.job import run
        case _:
            from krm_values._fleet.render import run
    return run(options)


def _lint(options: Namespace) -> int:
    from krm_values._krm import packages

    extension = registry.extensions().get(registry.load(options.function).name)
    if extension and extension.lint:
        options.files_below = packages.files_below
        return extension.lint(options)
    from krm_values._cli.lint import run

    return run(options)


def _schema(options: Namespace) -> int:
    """Print the schema of a functionConfig, or the one that the function's own options select; `explanation` and `comparison` are those of `--json`."""
    if options.function in ANSWER_SCHEMAS:
        words.refuse_foreign(options)
        manual.show_answer_schema(options.function, sys.stdout)
        return 0
    _refuse_unknown(options.function)
    extension = registry.extensions().get(options.function)
    words.refuse_foreign(options)
    code = extension.schema(options) if extension and extension.schema else None
    if code is None:
        manual.show_schema(options.function, sys.stdout)
    return int(code or 0)


def _refuse_unknown(name: str) -> None:
    """Raise UsageError if there is no such schema, with the nearest name, or all of them."""
    known = [*registry.functions(), *ANSWER_SCHEMAS]
    if not registry.is_path(name) and names.argument(name) not in known:
        near = suggest.nearest(name, known)
        raise UsageError(
            f'no schema is called "{name}"; ' + (f'did you mean "{near}"?' if near else f"schemas: {', '.join(known)}")
        )
    registry.load(name)


def _run(options: Namespace) -> int:
    from krm_values._run import pipe, plain_files

    function, paths = words.function_and_files(options)
    programs = tools.on_command_line(options, function)
    release: Release | None = None
    if options.release:
        from krm_values._cli.clean import of_stream as release
    if not paths and _is_typed():
        paths = [os.curdir]
    if paths:
        follow = options.follow_links
        return plain_files.run(
            function,
            options.config,
            paths,
            programs,
            verbose=options.verbose,
            form=options.format,
            follow_links=follow,
            limits=options.limits,
            release=release,
        )
    words.refuse(options, "with FILE or DIR", "--follow-links")
    return pipe.run(
        function,
        programs,
        config=options.config,
        verbose=options.verbose,
        form=options.format,
        limits=options.limits,
        release=release,
    )


def _version(arguments: Sequence[str]) -> str:
    """Return the version if the arguments ask for it; looking it up takes time."""
    return registry.version() if {"-V", "--version"} & {*arguments} else ""


def _manual(arguments: Sequence[str]) -> str:
    """Return the manual page in the help of `run`, which `kpt fn doc` shows: of the function that would run. On a terminal, how to read it."""
    if "-h" not in arguments and "--help" not in arguments:
        return ""
    known = registry.functions()
    named = next((word for word in (*arguments, os.environ.get("KRM_FUNCTION", "")) if word in known), "")
    if named and sys.stdout.isatty():
        return f"manual:\n  krm-values docs {named}\n"
    return manual.page(named) if named else ""
