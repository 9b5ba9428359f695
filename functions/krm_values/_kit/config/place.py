"""Where the fields of a functionConfig are: in a resource of its own, in a ResourceList, or as the `configMap` of a Kptfile's step."""

from __future__ import annotations

from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._kit.planner.plan import CONFIG, Finding, Inside, Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._kit.config.errors import Mistake
    from krm_values._kit.planner.item import Item

_DATA = "data"


@record
class ConfigPlace:
    """The resource that holds a functionConfig. step: the step of a Kptfile whose `configMap` it is."""

    item: Item
    step: Path | None = None

    def mistake(self, mistake: Mistake) -> Finding:
        """A mistake of the functionConfig, where it is."""
        path = self._at(mistake.path)
        found = get(self.item.data, path)
        inside = Inside(found, *mistake.inside) if mistake.inside and isinstance(found, str) else None
        return Finding("error", CONFIG, None, mistake.text, self.item, path, inside=inside)

    def put(self, finding: Finding) -> Finding:
        """A planner's finding about its config, where that is; others as they are."""
        if finding.config is None:
            return finding
        if finding.item is not None:
            return replace(finding, config=None, at=Origin("functionConfig", None, self.item, self._path(finding.config)))
        named = None if finding.path else finding.config
        return replace(finding, item=self.item, path=self._path(finding.config), config=named)

    def origin(self, origin: Origin) -> Origin:
        """The origin of a value of the functionConfig, as one of the resource; others as they are."""
        return origin if origin.config is None else replace(origin, item=self.item, path=self._path(origin.config), config=None)

    def _path(self, config: Path) -> Path:
        """Where a field of the spec is in the resource."""
        data = self.item.data
        is_texts = self.step is not None or (isinstance(data, dict) and data.get("kind") == "ConfigMap")
        return self._at((_DATA if is_texts else "spec", *config))

    def _at(self, path: Path) -> Path:
        """A path of the functionConfig as one of the resource."""
        if self.step is None:
            return path
        return (*self.step, "configMap", *path[1:]) if path[:1] == (_DATA,) else self.step


def unplaced(finding: Finding) -> Finding:
    """A finding about a config of which nobody knows where it is."""
    return replace(finding, config=None) if finding.item is not None else finding


def nowhere() -> ConfigPlace | None:
    """Nobody knows where the functionConfig is, or there is none."""
    return None
