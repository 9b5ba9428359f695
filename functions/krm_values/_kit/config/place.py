"""The place of a functionConfig's fields: in a resource of its own, in a ResourceList, or in the `configMap` of a Kptfile's step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._kit.planner.plan import CONFIG, Finding, Inside, Origin

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._kit.config.errors import Mistake
    from krm_values._kit.planner.item import Item

_DATA = "data"


@record
class ConfigPlace:
    """The resource that holds a functionConfig. step: the step of a Kptfile whose `configMap` it is, or that has none."""

    item: Item
    step: Path | None = None

    def mistake(self, mistake: Mistake) -> Finding:
        """Return a mistake of the functionConfig as a finding with its place."""
        path = self._at(mistake.path)
        found = get(self.item.data, path)
        inside = Inside(found, *mistake.inside) if mistake.inside and isinstance(found, str) else None
        is_absent = self.step is not None and get(self.item.data, (*self.step, "configMap")) is None
        text = f"{mistake.text}; add `configPath: FILE` to this step" if is_absent else mistake.text
        return Finding("error", CONFIG, None, text, self.item, path, inside=inside)

    def put(self, finding: Finding) -> Finding:
        """Return a planner's finding with the place of the config if it is about the config; any other unchanged."""
        if finding.config is None:
            return finding
        if finding.item is not None:
            return replace(finding, config=None, at=Origin("functionConfig", None, self.item, self._path(finding.config)))
        named = None if finding.path else finding.config
        return replace(finding, item=self.item, path=self._path(finding.config), config=named)

    def origin(self, origin: Origin) -> Origin:
        """Return the origin of a value of the functionConfig as one of its resource; any other unchanged."""
        return origin if origin.config is None else replace(origin, item=self.item, path=self._path(origin.config), config=None)

    def _path(self, config: Path) -> Path:
        """Return the path in the resource of a field of the spec."""
        data = self.item.data
        is_texts = self.step is not None or (isinstance(data, dict) and data.get("kind") == "ConfigMap")
        return self._at((_DATA if is_texts else "spec", *config))

    def _at(self, path: Path) -> Path:
        """Return a path of the functionConfig as a path of the resource."""
        if self.step is None:
            return path
        return (*self.step, "configMap", *path[1:]) if path[:1] == (_DATA,) else self.step


def unplaced(finding: Finding) -> Finding:
    """Return a finding about a config whose place is not known."""
    return replace(finding, config=None) if finding.item is not None else finding


def nowhere() -> ConfigPlace | None:
    """Return None: the place of the functionConfig is not known, or there is no config."""
    return None
