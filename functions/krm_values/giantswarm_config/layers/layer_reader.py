"""Reads layers: the object that a reference names, the document in it, and the findings about both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._kit.layers.configmaps import is_encrypted, read_data, unknown_keys
from krm_values._kit.layers.embedded import Embedded
from krm_values._kit.layers.layer_text import read_layer
from krm_values._kit.layers.references import Lookup
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from typing import TypeAlias

    from krm_values._kit.layers.allowance import Allowance
    from krm_values._kit.layers.configmaps import ObjectData
    from krm_values._kit.planner.report import Report
    from krm_values._kit.planner.resources import Resources
    from krm_values.giantswarm_config.config import GiantswarmConfig
    from krm_values.giantswarm_config.spec.references import Reference

    Documents: TypeAlias = tuple[Embedded, ...]

_RULES = {
    "text": "45",
    "document": "37",
    "duplicate": "38",
    "boolean": "39",
    "digits": "40",
    "date": "42",
}
"""The rules of what is wrong with the text of a layer."""


class Reader:
    """Reads each object once, however many Apps refer to it."""

    __slots__ = ("_has_one_key", "_lookup", "_read", "_resources")

    def __init__(self, config: GiantswarmConfig, resources: Resources) -> None:
        self._resources, self._lookup = resources, Lookup(resources, config.allow_missing, missing="43", encrypted="35")
        self._has_one_key = config.keys == "one"
        self._read: dict[int, Documents | None] = {}

    def documents(self, reference: Reference, report: Report) -> Documents | None:
        """Return the documents of a layer in merge order, or None with an error in the report.

        One that is missing or encrypted, which `allowMissing` permits, has no documents.
        """
        found = self._lookup.find(reference, report)
        if not isinstance(found, Item):
            return None if found is None else ()
        if found.number not in self._read:
            self._read[found.number] = self._open(found, reference, report)
        documents = self._read[found.number]
        if documents and any(document.encrypted for document in documents):
            return () if self._lookup.may_be_encrypted(reference, found, report) else None
        return documents

    def item(self, reference: Reference) -> Item | None:
        """Return the object of a reference; None if the list does not have exactly one."""
        found = self._resources.find(reference.kind, "", reference.namespace, reference.name)
        return found if isinstance(found, Item) else None

    @property
    def allowed(self) -> Allowance:
        """The objects that may be missing from the list."""
        return self._lookup.allowed

    def holds(self, kind: str, namespace: str, name: str) -> bool:
        """Return whether the list has this object."""
        return isinstance(self._resources.find(kind, "", namespace, name), Item)

    def _open(self, item: Item, reference: Reference, report: Report) -> Documents | None:
        if item.error is not None or not isinstance(item.data, dict):
            return None
        if is_encrypted(item):
            return (Embedded(item, (), None, encrypted=True),)
        data = read_data(item)
        report.extend(unknown_keys(item, "S5"))
        if data.faults:
            report.extend([Finding("error", "data", "35", text, item, path) for path, text in data.faults])
            return None
        if len(data.texts) > 1 and self._has_one_key:
            report.add(_several_keys(item, reference, list(data.texts)))
            return None
        return self._parsed(item, data, report)

    def _parsed(self, item: Item, data: ObjectData, report: Report) -> Documents | None:
        """Return the document of each data key, keys in bytewise order; None if one is unusable."""
        limits = self._resources.limits
        documents = [
            read_layer(item, data.paths[key], data.texts[key], _RULES, report, limits=limits) for key in sorted(data.texts)
        ]
        found = tuple(document for document in documents if document is not None)
        return found if len(found) == len(documents) else None


def _several_keys(item: Item, reference: Reference, keys: list[str]) -> Finding:
    named = suggest.listed(keys, quote="`")
    path = ("data",)
    if reference.level == "extraConfigs":
        text = f"must have one data key, found {len(keys)}: {named}; the operator would take one of them at random; `keys: any` merges them"
        return Finding("error", "several-keys", "32", text, item, path)
    text = f"must have exactly one data key ({reference.role}), found {len(keys)}: {named}"
    return Finding("error", "several-keys", "30", text, item, path)
