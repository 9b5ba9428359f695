"""A Tekton object to complete or check: an item of the list, or an element of a TriggerTemplate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item


@record
class Manifest:
    """One object. item: the resource that is edited. path: that of the object in it, () if the item itself is the object."""

    item: Item
    kind: str
    version: str
    data: JSON
    path: Path = ()

    @property
    def spec(self) -> JSON:
        return self.data.get("spec") if isinstance(self.data, dict) else None

    def field(self, key: str) -> JSON:
        """Return a field of its `spec`, or None."""
        return self.spec.get(key) if isinstance(self.spec, dict) else None

    @property
    def spec_path(self) -> Path:
        """The path of its `spec` in the item."""
        return (*self.path, "spec")


def of_item(item: Item) -> Manifest:
    """Return an item of the list as an object."""
    return Manifest(item, item.kind, item.version, item.data)
