"""Where a Solution Descriptor stands."""

from __future__ import annotations

from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding, Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Severity


@record
class Place:
    """Where an SD stands: `layer` as `explain` names it, `title` as messages do, and the item that holds it at `path`.

    config: where it stands in the functionConfig's spec, if it does.
    """

    layer: str
    title: str
    item: Item | None = None
    path: Path = ()
    config: Path | None = None

    def error(self, kind: str, rule: str, text: str, path: Path = ()) -> Finding:
        """Return an error about something in the SD."""
        return self.finding("error", kind, rule, text, path)

    def finding(self, severity: Severity, kind: str, rule: str, text: str, path: Path = ()) -> Finding:
        """Return what is found out about the SD."""
        if self.item is None:
            config = None if self.config is None else (*self.config, *path)
            return Finding(severity, kind, rule, text, config=config)
        return Finding(severity, kind, rule, text, self.item, (*self.path, *path))

    def says(self, value: JSON, path: Path) -> Origin:
        """Return the SD as the origin of a value; `path` is within the SD."""
        if self.item is None:
            return Origin(self.layer, value)
        return Origin(self.layer, value, self.item, (*self.path, *path))
