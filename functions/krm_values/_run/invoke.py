"""From a functionConfig to an outcome: finds the function, reads its config, runs it.

Every host and command goes through `run_function`: a ResourceList, files, the steps of a package.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import get
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._krm import config as configs
from krm_values._krm import findings as results
from krm_values._krm import hosts, names, resourcelist
from krm_values._krm.config import ConfigError, ConfigPlace, Mistake, nowhere
from krm_values._krm.hosts import PATH
from krm_values._krm.plan import CONFIG, Finding
from krm_values._run import registry
from krm_values._run.engine import mentioning
from krm_values._run.report import CHOSEN
from krm_values._run.resolve import Outcome, resolve
from krm_values._run.step_position import in_list, writer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.names import Writer
    from krm_values._krm.plan import Severity
    from krm_values._krm.resourcelist import ResourceList
    from krm_values._run.engine import Source
    from krm_values._run.function import Function
    from krm_values._run.step_position import StepPosition


NONE: Mapping[str, str] = {}
_KUSTOMIZE_ID = "kustomize.config.k8s.io/id"
"""The annotation by which kustomize finds the items again that it sent to a function."""
_CALLED_BY = "config.kubernetes.io/function"


def run_function(
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
    stored: bool | None = None,
    call: Sequence[str] = ("run",),
    position: Callable[[Writer], StepPosition] | None = None,
) -> tuple[str, Outcome]:
    """Find the function, read its config and run it. Return the function's name and the outcome; an invalid config is an outcome too.

    place: returns where the config is. among: without a config, also a named function uses the only one of its kind among the resources.
    is_plain: whether the resources are those of files, whose documents that cannot be read are reported. programs: named on the command
    line, by tool; the environment may name others. brief: without decisions. stored: whether a later run may get what this one writes; None: unless
    the host is kustomize.
    call: the words of the command that a message suggests. position: returns that of the step in its pipeline; else the Kptfiles in the list tell it.
    """
    suggest.begin()
    stored = not served_by_kustomize(carrier, config) if stored is None else stored
    try:
        config, among_items, about_choice = find(name, config, carrier, among=among)
        place = (lambda: ConfigPlace(among_items)) if among_items else place
        function = registry.load(chosen(name, config, among_items, carrier.items, call))
        value = configs.read(function.form(), function.name, config)
    except ConfigError as error:
        findings = results.in_order(_mistakes(error, place()))
        own = configs.function_name(config)
        return name or (own if own in registry.functions() else ""), Outcome(findings, {}, frozenset(), (), (), (), ())
    given = _tools(function, programs, environment) if function.tools else None
    writer = writer_of(function.name, config)
    where = position(writer) if position else in_list(carrier, writer, place)
    outcome = resolve(
        function, value, carrier, given, place, checks_unread=is_plain, brief=brief, stored=stored, position=where
    )
    return function.name, replace(
        outcome, findings=results.in_order([*outcome.findings, *about_choice])
    ) if about_choice else outcome


def answer(
    data: bytes, name: str, programs: Mapping[str, str] = NONE, limits: Limits = DEFAULT
) -> tuple[ResourceList, Outcome]:
    """Read a ResourceList and resolve it with the function `name`, "" for the one that its functionConfig names."""
    source = resourcelist.read(data, limits)
    return source, run_function(name, source.function_config, source, place_in(source), programs=programs)[1]


def chosen(
    name: str, config: JSON, among_items: Item | None = None, items: Sequence[Item] = (), call: Sequence[str] = ("run",)
) -> str:
    """Return the function to run. ConfigError, with the fix, if nothing names one, or if call and config name different ones.

    among_items: the resource that is used as the config, if one is.
    """
    if among_items and among_items.error:
        raise ConfigError(Mistake(f"the functionConfig cannot be read: {among_items.error.message}"))
    known, own = registry.functions(), configs.function_name(config)
    if name:
        called = registry.load(name).name
        because = f"because `{called}` is called (by an argument, its own command or KRM_FUNCTION)"
        if configs.is_config_map(config) and own not in ("", called):
            text = f"must be `{called}`, {because}; found {described(own)}"
            raise ConfigError(Mistake(text, ("data", configs.FUNCTION)))
        if own in known and own != called:
            text = f"must be `{names.kind(called)}`, {because}"
            raise ConfigError(Mistake(f"{text}; found {described(names.kind(own))}, the functionConfig of `{own}`", ("kind",)))
        return called
    if own in known:
        return own
    if configs.is_missing(config):
        meant = functions_for(items)
        raise ConfigError(Mistake(configs.no_function(meant or known[::-1], call, of_resources=bool(meant))))
    raise ConfigError(configs.unknown_function(config, known))


def functions_for(items: Sequence[Item]) -> list[str]:
    """Return the functions that these resources are for, that of the most first: by kind, else by group, else those that work on any kind."""
    read = [item for item in items if item.kind]
    kinds, groups = Counter(f"{item.kind}.{item.group}" for item in read), Counter(item.group for item in read)
    known = {name: registry.load(name).kinds for name in registry.functions()}
    found = {name: sum(kinds[kind] for kind in own) for name, own in known.items()}
    if not any(found.values()):
        found = {name: sum(groups[group] for group in {kind.partition(".")[2] for kind in own}) for name, own in known.items()}
    if not any(found.values()):
        found = {name: int(bool(kinds) and not own) for name, own in known.items()}
    return sorted(filter(found.__getitem__, found), key=lambda name: -found[name])


def place_in(source: ResourceList) -> Callable[[], ConfigPlace | None]:
    """Return a function that returns the place of a list's functionConfig, which is read once."""

    @cache
    def place() -> ConfigPlace | None:
        item = source.config_item()
        return ConfigPlace(item) if item else None

    return place


def _mistakes(error: ConfigError, place: ConfigPlace | None) -> list[Finding]:
    if place is None:
        return [Finding("error", CONFIG, None, str(mistake)) for mistake in error.mistakes]
    return [place.mistake(mistake) for mistake in error.mistakes]


def _tools(function: Function, programs: Mapping[str, str], environment: Mapping[str, str]) -> object:
    from krm_values._run import tools  # noqa: PLC0415 - most functions run no program

    return tools.handed(function, programs, environment)


def entries(outcome: Outcome, source: ResourceList | None = None) -> Iterator[JSON]:
    """Yield one result per finding; for kpt without resource and field in the message, because kpt prints them."""
    named = not (outcome.findings and source and hosts.served_by_kpt(source))
    return (results.as_result(finding, named=named) for finding in outcome.findings)


# Finds the functionConfig: in the file that `--config` names, or else the one resource of its kind among the input.


def of_file(file: str, limits: Limits = DEFAULT) -> Item:
    """Return the one resource of a file, parsed."""
    from krm_values._krm import documents  # noqa: PLC0415 - most runs have their functionConfig in the list
    from krm_values._krm.files import read_named  # noqa: PLC0415

    items = documents.read(read_named(file, limits), file, limits=limits).items
    if len(items) != 1:
        second = items[1].position.line if items else 1
        raise InputError(f"must hold one functionConfig, found {len(items)} documents", second, 1, file)
    if error := items[0].error:
        raise error
    return items[0]


def find(name: str, config: JSON, source: Source, *, among: bool) -> tuple[JSON, Item | None, list[Finding]]:
    """Return the functionConfig, its resource if it is taken from the input, and a finding about the choice. ConfigError if there are several.

    A given config is used. Without one, a call that names no function, or one that searches `among` the resources, uses the only
    functionConfig in the input.
    """
    found = _candidates(name, source) if configs.is_missing(config) else []
    if not found:
        return config, None, []
    if name and not among:
        return config, None, [_unused(name, found[0], source)]
    if len(found) > 1:
        listed = suggest.listed([_title(item) for item in found])
        text = f"{len(found)} functionConfigs are among the resources: {listed}; name one with `--config FILE`"
        raise ConfigError(Mistake(text))
    item = found[0]
    return item.data, item, [Finding("info", CHOSEN, None, "is used as the functionConfig", item)]


def _unused(name: str, item: Item, source: Source) -> Finding:
    """Return the finding on a config that is not used: a warning in a pipe; a step of a package may intend the defaults."""
    severity: Severity = "warning" if source.has_host_annotations and not hosts.served_by_kpt(source) else "info"
    text = f"is not used: no functionConfig is given, so {name} runs with its defaults; name this one with `--config` or `configPath`"
    return Finding(severity, "config-not-used", None, text, item)


def _candidates(name: str, source: Source) -> list[Item]:
    """Return the resources that are functionConfigs, or nearly are by a misspelt kind: of this function, or of any if none is named."""
    known = [names.kind(function) for function in registry.functions()]
    wanted = [names.kind(registry.load(name).name)] if name else known
    ours = [item for item in mentioning(names.GROUP, list(source.items), source) if item.group == names.GROUP]
    return [item for item in ours if item.kind in wanted or (item.kind not in known and suggest.nearest(item.kind, wanted))]


def served_by_kustomize(source: Source, config: JSON) -> bool:
    """Return whether the host is kustomize, which stores nothing: its items carry its id; a generator gets its own config only, without a file."""
    if not source.has_host_annotations or hosts.served_by_kpt(source):
        return False
    if source.contains(_KUSTOMIZE_ID) and source.items and _KUSTOMIZE_ID in source.items[0].reading.annotations:
        return True
    annotations = get(config, ("metadata", "annotations"))
    return isinstance(annotations, dict) and _CALLED_BY in annotations and not source.contains(PATH)


def about_records(outcome: Outcome, source: Source) -> str:
    """Return how to switch undo records off, if a run has written some into resources of which no file is known; "" otherwise."""
    if (
        source.contains(PATH)
        or hosts.served_by_kpt(source)
        or not any(names.RECORD in text for text in outcome.edited.values())
    ):
        return ""
    return (
        f"undo records ({names.RECORD}*) are kept in annotations, for a later run; `run --release`, or `record: false` in the "
        "functionConfig, leaves them out of resources that no run gets again"
    )


def _title(item: Item) -> str:
    return " ".join(part for part in (item.position.path, item.kind, item.label) if part)
