"""From a functionConfig to an outcome: finds the function, reads its config, runs it.

Every host and command goes through `settle`: a ResourceList, files, the steps of a package.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from krm_values._cli import function_config
from krm_values._data.limits import DEFAULT
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._kit.api.resolve import Outcome, resolve
from krm_values._kit.config import read as configs
from krm_values._kit.config.errors import ConfigError, Mistake
from krm_values._kit.config.place import ConfigPlace, nowhere
from krm_values._kit.kio import resourcelist
from krm_values._kit.planner import findings as results
from krm_values._kit.planner import names
from krm_values._kit.planner.plan import CONFIG, Finding
from krm_values._kit.process import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._kit.api.function import Function
    from krm_values._kit.engine.run import Source
    from krm_values._kit.kio.resourcelist import ResourceList

NONE: Mapping[str, str] = {}


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


def answer(
    data: bytes, name: str, programs: Mapping[str, str] = NONE, limits: Limits = DEFAULT
) -> tuple[ResourceList, Outcome]:
    """Read a ResourceList and resolve it with the function `name`, "" for the one that its functionConfig names."""
    source = resourcelist.read(data, limits)
    return source, settle(name, source.function_config, source, place_in(source), programs=programs)[1]


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


def place_in(source: ResourceList) -> Callable[[], ConfigPlace | None]:
    """Return a function that returns the place of a list's functionConfig."""

    def place() -> ConfigPlace | None:
        item = source.config_item(reprinted=function_config.served_by_kpt(source))
        return ConfigPlace(item) if item else None

    return place


def _mistakes(error: ConfigError, place: ConfigPlace | None) -> list[Finding]:
    if place is None:
        return [Finding("error", CONFIG, None, str(mistake)) for mistake in error.mistakes]
    return [place.mistake(mistake) for mistake in error.mistakes]


def _tools(function: Function, programs: Mapping[str, str], environment: Mapping[str, str]) -> object:
    from krm_values._cli.arguments import tools  # noqa: PLC0415 - most functions run no program

    return tools.handed(function, programs, environment)


def entries(outcome: Outcome, source: ResourceList | None = None) -> Iterator[JSON]:
    """Yield the `results` of a ResourceList, of which there may be one per item; without resource and field in messages for kpt, which shows them itself."""
    named = not (outcome.findings and source and function_config.served_by_kpt(source))
    return (results.as_result(finding, named=named) for finding in outcome.findings)
