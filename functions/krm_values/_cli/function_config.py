"""Finds the functionConfig: in the file that `--config` names, or else the one resource of its kind among the input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._kit.config import read as configs
from krm_values._kit.config.errors import ConfigError, Mistake
from krm_values._kit.engine.run import mentioning
from krm_values._kit.planner import names
from krm_values._kit.planner.item import unreadable
from krm_values._kit.planner.plan import Finding
from krm_values._kit.process import registry
from krm_values._kit.process.report import CHOSEN

if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._kit.engine.run import Source
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Severity


def of_file(file: str, limits: Limits = DEFAULT) -> Item:
    """Return the one resource of a file, parsed."""
    from krm_values._kit.kio import documents  # noqa: PLC0415 - most runs have their functionConfig in the list
    from krm_values._kit.process.below import read_named  # noqa: PLC0415

    items = documents.read(read_named(file, limits), file, limits=limits).items
    if len(items) != 1:
        second = items[1].position.line if items else 1
        raise InputError(f"must hold one functionConfig, found {len(items)} documents", second, 1, file)
    if error := unreadable(items[0]):
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
    if item.error:
        raise ConfigError(Mistake(item.error.message))
    return item.data, item, [Finding("info", CHOSEN, None, "is used as the functionConfig", item)]


def _unused(name: str, item: Item, source: Source) -> Finding:
    """Return the finding on a config that is not used: a warning in a pipe; a step of a package may intend the defaults."""
    severity: Severity = "warning" if source.has_host_annotations and not served_by_kpt(source) else "info"
    text = f"is not used: no functionConfig is given, so {name} runs with its defaults; name this one with `--config` or `configPath`"
    return Finding(severity, "config-not-used", None, text, item)


def _candidates(name: str, source: Source) -> list[Item]:
    """Return the resources that are functionConfigs, or nearly are by a misspelt kind: of this function, or of any if none is named."""
    known = [names.kind(function) for function in registry.functions()]
    wanted = [names.kind(registry.load(name).name)] if name else known
    ours = [item for item in mentioning(names.GROUP, list(source.items), source) if item.group == names.GROUP]
    return [item for item in ours if item.kind in wanted or (item.kind not in known and suggest.nearest(item.kind, wanted))]


def served_by_kpt(source: Source) -> bool:
    """Return whether the host is kpt, which prints results itself: its items carry both annotations."""
    keys = ("internal.config.kubernetes.io/seqindent", "internal.config.kubernetes.io/id")
    if not all(map(source.contains, keys)):
        return False
    return any(all(key in text for key in keys) for text in map(source.text, range(len(source.items))))


def _title(item: Item) -> str:
    return " ".join(part for part in (item.position.path, item.kind, item.label) if part)
