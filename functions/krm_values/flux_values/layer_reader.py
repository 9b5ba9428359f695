"""Loads the entries of `valuesFrom`: the object, the string at the key, and the findings about both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._kit.layers.configmaps import Objects
from krm_values._kit.layers.layer_text import read_layer
from krm_values._kit.layers.references import Lookup, label
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding, Origin

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._kit.layers.configmaps import ObjectData
    from krm_values._kit.layers.embedded import Embedded
    from krm_values._kit.layers.merge import Layer
    from krm_values._kit.planner.report import Report
    from krm_values._kit.planner.resources import Resources
    from krm_values.flux_values.config import FluxValues
    from krm_values.flux_values.references import Reference

_RULES = {
    "text": "96",
    "document": "37",
    "duplicate": "38",
    "boolean": "39",
    "digits": "40",
    "date": "42",
}
"""The rules of what is wrong with the text of a layer."""


@record
class LoadedEntry:
    """An entry with what it contributes: the string for its `targetPath`, or a YAML document, or nothing.

    item: the object, None if the list has none that can be read. path: of the string in the object.
    """

    reference: Reference
    item: Item | None = None
    path: Path = ()
    text: str | None = None
    embedded: Embedded | None = None

    @property
    def layer(self) -> Layer:
        """The entry as a layer."""
        reference = self.reference
        if self.embedded is not None:
            return self.embedded.as_layer(reference.layer, reference.facts)
        return lambda _path, value: Origin(reference.layer, value, self.item, self.path, facts=reference.facts)


class Reader:
    """Reads each document once, however many releases refer to it."""

    __slots__ = ("_documents", "_hints", "_keys", "_lookup", "_objects", "limits")

    def __init__(self, config: FluxValues, resources: Resources) -> None:
        self._hints, self._objects = resources.hints, Objects()
        self.limits = resources.limits
        self._keys: dict[int, list[str]] = {}
        self._lookup = Lookup(resources, config.allow_missing, missing="94", encrypted="35")
        self._documents: dict[tuple[int, str], Embedded | None] = {}

    def load(self, reference: Reference, report: Report) -> LoadedEntry | None:
        """Return what the entry contributes, or None with an error in the report."""
        item = self._lookup.find(reference, report, optional=reference.optional)
        if not isinstance(item, Item):
            return None if item is None else LoadedEntry(reference)
        if item.error is not None or not isinstance(item.data, dict):
            return None
        if self._objects.is_encrypted(item):
            return self._encrypted(reference, item, report)
        report.extend(self._objects.unknown_keys(item, "S5"))
        data = self._objects.at(item, reference.key)
        if data.faults:
            report.extend([Finding("error", "data", "35", text, item, path) for path, text in data.faults])
            return None
        if reference.key not in data.texts:
            return self._without_key(reference, item, report)
        return self._value(reference, item, data, report)

    def _value(self, reference: Reference, item: Item, data: ObjectData, report: Report) -> LoadedEntry | None:
        path, text = data.paths[reference.key], data.texts[reference.key]
        if reference.target:
            return LoadedEntry(reference, item, path, text=text)
        key = (item.number, reference.key)
        if key not in self._documents:
            self._documents[key] = read_layer(item, path, text, _RULES, report, limits=self.limits)
        embedded = self._documents[key]
        if embedded is not None and embedded.encrypted:
            return self._encrypted(reference, item, report)
        return None if embedded is None else LoadedEntry(reference, item, path, embedded=embedded)

    def _encrypted(self, reference: Reference, item: Item, report: Report) -> LoadedEntry | None:
        return LoadedEntry(reference) if self._lookup.may_be_encrypted(reference, item, report) else None

    def _without_key(self, reference: Reference, item: Item, report: Report) -> LoadedEntry | None:
        if reference.optional:
            return LoadedEntry(reference, item)
        if item.number not in self._keys:
            fields = (get(item.data, (field,)) for field in ("data", "stringData"))
            self._keys[item.number] = list(dict.fromkeys(key for field in fields if isinstance(field, dict) for key in field))
        keys = self._keys[item.number]
        has = f"it has {suggest.listed(keys, quote='`')}" if keys else "it has none"
        near = self._hints.hint(reference.key, keys)
        text = f"{label(reference)} has no key `{reference.key}`; {has}: name one in `valuesKey`{near}"
        report.error("missing-key", "93", text, reference.owner, reference.path)
        return None
