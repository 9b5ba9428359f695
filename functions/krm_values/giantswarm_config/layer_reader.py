"""Layers, read: the object a reference names, its one text, and what is wrong or odd about either."""

from __future__ import annotations

from krm_values._data import suggest
from krm_values._kit.layers.configmaps import is_encrypted, read_data, unknown_keys
from krm_values._kit.layers.embedded import Embedded
from krm_values._kit.layers.layer_text import read_layer
from krm_values._kit.layers.references import Lookup
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.layers.allowance import Allowance
    from krm_values._kit.planner.resources import Resources
    from krm_values.giantswarm_config.config import GiantswarmConfig
    from krm_values.giantswarm_config.references import Reference

EMPTY = Embedded(None, (), None)


class Reader:
    """Reads each object once, however many Apps refer to it."""

    __slots__ = ("_lookup", "_read", "_resources")

    def __init__(self, config: GiantswarmConfig, resources: Resources) -> None:
        self._resources, self._lookup = resources, Lookup(resources, config.allow_missing, missing="43")
        self._read: dict[int, Embedded | None] = {}

    def layer(self, reference: Reference, findings: list[Finding]) -> Embedded | None:
        """The layer's text; None where it cannot be had, which is then said."""
        found = self._lookup.find(reference, findings)
        if not isinstance(found, Item):
            return None if found is None else EMPTY
        if found.number not in self._read:
            self._read[found.number], told = self._open(found, reference)
            findings.extend(told)
        embedded = self._read[found.number]
        if embedded is not None and embedded.encrypted:
            return EMPTY if self._lookup.may_be_encrypted(reference, found, findings) else None
        return embedded

    @property
    def allowed(self) -> Allowance:
        """The objects that may be absent."""
        return self._lookup.allowed

    def holds(self, kind: str, namespace: str, name: str) -> bool:
        """Whether the list has this object."""
        return isinstance(self._resources.find(kind, "", namespace, name), Item)

    def _open(self, item: Item, reference: Reference) -> tuple[Embedded | None, tuple[Finding, ...]]:
        if item.error is not None or not isinstance(item.data, dict):
            return None, ()
        if is_encrypted(item):
            return Embedded(item, (), None, encrypted=True), ()
        texts = read_data(item)
        unknown = tuple(unknown_keys(item))
        faults = tuple(Finding("error", "data", "35", text, item, path) for path, text in texts.faults)
        if faults:
            return None, (*unknown, *faults)
        if len(texts.texts) > 1:
            return None, (*unknown, _several_keys(item, reference, list(texts.texts)))
        if not texts.texts:
            return Embedded(item, (), None), unknown
        ((key, text),) = texts.texts.items()
        embedded, told = read_layer(item, texts.paths[key], text, "45", self._resources.limits)
        return embedded, (*unknown, *told)


def _several_keys(item: Item, reference: Reference, keys: list[str]) -> Finding:
    named = suggest.listed(keys, quote="`")
    path = ("data",)
    if reference.level == "extraConfigs":
        text = f"must have one data key, found {len(keys)}: {named}; the operator would take any of them at random"
        return Finding("error", "several-keys", "32", text, item, path)
    text = f"must have exactly one data key ({reference.role}), found {len(keys)}: {named}"
    return Finding("error", "several-keys", "30", text, item, path)


def each(findings: list[Finding]) -> Iterator[Finding]:
    """What was found since the last call."""
    yield from findings
    findings.clear()
