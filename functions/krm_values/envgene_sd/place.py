"""The place of a Solution Descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding, Origin

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Severity


@record
class Place:
    """The place of an SD: `layer` is its name in `explain`, `title` its name in messages; the item has it at `path`.

    config: its path in the functionConfig's spec, if it is there.
    """

    layer: str
    title: str
    item: Item | None = None
    path: Path = ()
    config: Path | None = None

    def error(self, kind: str, rule: str, text: str, path: Path = ()) -> Finding:
        """Return an error about a part of the SD."""
        return self.finding("error", kind, rule, text, path)

    def finding(self, severity: Severity, kind: str, rule: str, text: str, path: Path = ()) -> Finding:
        """Return a finding about a part of the SD."""
        if self.item is None:
            config = None if self.config is None else (*self.config, *path)
            return Finding(severity, kind, rule, text, config=config)
        return Finding(severity, kind, rule, text, self.item, (*self.path, *path))

    def as_origin(self, value: JSON, path: Path) -> Origin:
        """Return the SD as the origin of a value; `path` is within the SD."""
        if self.item is None:
            return Origin(self.layer, value, config=None if self.config is None else (*self.config, *path))
        return Origin(self.layer, value, self.item, (*self.path, *path))
