"""The protocol of hosts: a ResourceList on stdin, the resolved list on stdout."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from krm_values._cli import function_config
from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT, beyond, bounded
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._kit.api.resolve import Outcome, resolve
from krm_values._kit.config import read as configs
from krm_values._kit.config.errors import ConfigError, Mistake
from krm_values._kit.config.place import ConfigPlace, nowhere
from krm_values._kit.kio import resourcelist
from krm_values._kit.planner import findings as results
from krm_values._kit.planner import names
from krm_values._kit.planner.item import STDIN
from krm_values._kit.planner.plan import CONFIG, Finding
from krm_values._kit.process import registry, report
from krm_values._kit.process.terminal import send, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import IO

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._kit.api.function import Function
    from krm_values._kit.engine.run import Source
    from krm_values._kit.kio.resourcelist import ResourceList

_PIPE_SIZE = 1 << 20
NONE: Mapping[str, str] = {}


def run(
    name: str,
    programs: Mapping[str, str] = NONE,
    *,
    config: str | None = None,
    verbose: bool = False,
    form: str = report.TEXT,
    limits: Limits = DEFAULT,
    is_host: bool = False,
) -> int:
    """Run one function, called by its name, by KRM_FUNCTION, or by the functionConfig's kind. Return the exit code.

    config: a file whose functionConfig replaces that of the list. verbose: print informations, too. form: of the findings. is_host: as in `listed`.
    """
    source, _, outcome = listed(name, config, programs, limits, brief=True, is_host=is_host)
    is_kpt = function_config.served_by_kpt(source)
    if is_kpt:
        outcome = report.of_files(outcome)
    send(source.apply(outcome, entries(outcome, source)))
    if not is_kpt:  # which prints the results itself
        report.report(outcome.findings, [outcome.unmatched], verbose=verbose, form=form)
    return int(outcome.failed)


def listed(
    name: str,
    config: str | None,
    programs: Mapping[str, str] = NONE,
    limits: Limits = DEFAULT,
    *,
    brief: bool = False,
    is_host: bool = False,
) -> tuple[ResourceList, str, Outcome]:
    """Read a ResourceList from stdin and resolve it. Return the list, the function's name and the outcome. brief: without decisions.

    Without a functionConfig, a function that the command line names uses the only one of its kind in the list. A host that sends none means
    the defaults: kpt, and any caller of a function's own command or of KRM_FUNCTION. is_host: whether the name is that of the command.
    """
    named = name or os.environ.get("KRM_FUNCTION", "")
    if named:
        registry.load(named)  # a misspelt name is reported before anything is waited for
    place = function_config.of_file(config, limits) if config is not None else None
    source = resourcelist.read(received(limits), limits)
    given, where = (place.data, lambda: ConfigPlace(place)) if place else (source.function_config, place_in(source))
    among = bool(name) and not is_host and not function_config.served_by_kpt(source)
    found = settle(named, given, source, where, among=among, programs=programs, brief=brief)
    if programs:
        _refuse_unused(programs, found[0])
    return source, *found


def answer(
    data: bytes, name: str, programs: Mapping[str, str] = NONE, limits: Limits = DEFAULT
) -> tuple[ResourceList, Outcome]:
    """Read a ResourceList and resolve it with the function `name`, "" for the one that its functionConfig names."""
    source = resourcelist.read(data, limits)
    return source, settle(name, source.function_config, source, place_in(source), programs=programs)[1]


def place_in(source: ResourceList) -> Callable[[], ConfigPlace | None]:
    """Return a function that returns the place of a list's functionConfig."""

    def place() -> ConfigPlace | None:
        item = source.config_item(reprinted=function_config.served_by_kpt(source))
        return ConfigPlace(item) if item else None

    return place


def _refuse_unused(programs: Mapping[str, str], function: str) -> None:
    from krm_values._cli.arguments import tools  # noqa: PLC0415 - most runs name no program

    tools.refuse_unused(programs, [function])


def settle(
    name: str,
    config: JSON,
    carrier: Source,
    place: Callable[[], ConfigPlace | None] = nowhere,
    *,
    among: bool = False,
    is_plain: bool = False,
    programs: Mapping[str, str] = NONE,
    environment: Mapping[str, str] = os.environ,
    brief: bool = False,
) -> tuple[str, Outcome]:
    """Find the function, read its config and run it. Return the function's name and the outcome; an invalid config is an outcome too.

    place: returns where the config is. among: without a config, also a named function uses the only one of its kind among the resources.
    is_plain: whether the resources are those of files, whose documents that cannot be read are reported. programs: named on the command
    line, by tool; the environment may name others. brief: without decisions.
    """
    try:
        config, taken, extra = function_config.find(name, config, carrier, among=among)
        place = (lambda: ConfigPlace(taken)) if taken else place
        function = registry.load(chosen(name, config))
        value = configs.read(function.form(), function.name, config)
    except ConfigError as error:
        findings = results.in_order(_mistakes(error, place()))
        own = configs.function_name(config)
        return name or (own if own in registry.functions() else ""), Outcome(findings, {}, frozenset(), (), (), (), ())
    given = _tools(function, programs, environment) if function.tools else None
    outcome = resolve(function, value, carrier, given, place, checks_unread=is_plain, brief=brief)
    return function.name, replace(outcome, findings=results.in_order([*outcome.findings, *extra])) if extra else outcome


def _tools(function: Function, programs: Mapping[str, str], environment: Mapping[str, str]) -> object:
    from krm_values._cli.arguments import tools  # noqa: PLC0415 - most functions run no program

    return tools.handed(function, programs, environment)


def entries(outcome: Outcome, source: ResourceList | None = None) -> Iterator[JSON]:
    """Yield the `results` of a ResourceList, of which there may be one per item; without resource and field in messages for kpt, which shows them itself."""
    named = not (outcome.findings and source and function_config.served_by_kpt(source))
    return (results.as_result(finding, named=named) for finding in outcome.findings)


def chosen(name: str, config: JSON) -> str:
    """Return the function to run. ConfigError, with the fix, if nothing names one, or if call and config name different ones."""
    known, own = registry.functions(), configs.function_name(config)
    if name:
        called = registry.load(name).name
        if own in known and own != called:
            text = f"must be `{names.kind(called)}`, because `{called}` is called (by an argument, its own command or KRM_FUNCTION)"
            raise ConfigError(Mistake(f"{text}; found {described(names.kind(own))}, the functionConfig of `{own}`", ("kind",)))
        return called
    if own in known:
        return own
    if configs.is_missing(config):
        raise ConfigError(Mistake(configs.no_function(known)))
    raise ConfigError(Mistake(configs.unknown_kind(config, known), ("kind",)))


def received(limits: Limits = DEFAULT) -> bytes:
    """Return all of stdin; on a terminal a line says what is expected. InputError beyond the limit."""
    if sys.stdin and sys.stdin.isatty():
        tell("krm-values: waiting for a ResourceList on stdin (`krm-values run --help` shows other ways)")
    try:
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.fcntl(0, 1031, _PIPE_SIZE)  # F_SETPIPE_SZ, Linux: a host's pipe is read in bigger bites
    except (ImportError, OSError):
        pass
    return up_to(limits, sys.stdin.buffer, STDIN) if sys.stdin else b""


def up_to(limits: Limits, file: IO[bytes], name: str) -> bytes:
    """Return the content of a file. InputError beyond the limit."""
    found = bounded(file, limits.input_bytes)
    if len(found) > limits.input_bytes:
        text = f"must not have more than {limits.input_bytes:,} bytes, found more"
        raise InputError(beyond(limits, "input_bytes", text), file=name)
    return found


def _mistakes(error: ConfigError, place: ConfigPlace | None) -> list[Finding]:
    if place is None:
        return [Finding("error", CONFIG, None, str(mistake)) for mistake in error.mistakes]
    return [place.mistake(mistake) for mistake in error.mistakes]
