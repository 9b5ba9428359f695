"""Where the fields of a functionConfig stand: in a resource of its own, in a ResourceList, or as the `configMap` of a Kptfile's step."""

from __future__ import annotations

from krm_values._kit import yaml
from krm_values._kit.errors import InputError
from krm_values._kit.plan import CONFIG, Finding, Inside
from krm_values._kit.pointer import get
from krm_values._kit.record import record, replace
from krm_values._kit.text import LineStarts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON
    from krm_values._kit.errors import Mistake
    from krm_values._kit.item import Item
    from krm_values._kit.pointer import Path

_DATA = "data"


@record
class ConfigPlace:
    """The resource that holds a functionConfig. step: the step of a Kptfile whose `configMap` it is."""

    item: Item
    step: Path | None = None

    def mistake(self, mistake: Mistake) -> Finding:
        """A mistake of the functionConfig, where it stands."""
        return _placed(self, Finding("error", CONFIG, None, mistake.text), mistake.path, mistake.inside)

    def put(self, finding: Finding) -> Finding:
        """A planner's finding about its config, where that stands; others as they are."""
        if finding.config is None:
            return finding
        data = self.item.data
        is_texts = self.step is not None or (isinstance(data, dict) and data.get("kind") == "ConfigMap")
        return _placed(self, finding, (_DATA if is_texts else "spec", *finding.config), None)


def nowhere() -> ConfigPlace | None:
    """Nobody knows where the functionConfig stands, or there is none."""
    return None


def _placed(place: ConfigPlace, finding: Finding, path: Path, at: tuple[int, int] | None) -> Finding:
    if place.step is not None:
        path = (*place.step, "configMap", *path[1:]) if path[:1] == (_DATA,) else place.step
    inside = finding.inside or _inside(place.item.data, path, at)
    return replace(finding, item=place.item, path=path, inside=inside)


def _inside(data: JSON, path: Path, at: tuple[int, int] | None) -> Inside | None:
    """The place in a ConfigMap's YAML text, of a field below it or, `at`, of what is wrong with it; None for a place in no text."""
    for size in range(1, len(path) + 1):
        text = get(data, path[:size])
        if isinstance(text, str) and at:
            return Inside(text, *at)
        if isinstance(text, str) and size < len(path):
            return _field_inside(text, path[size:])
    return None


def _field_inside(text: str, path: Path) -> Inside | None:
    try:
        root = yaml.parse(text + "\n")
    except InputError:
        return None
    for size in range(len(path), 0, -1):
        parent = yaml.find(root, path[: size - 1])
        found = yaml.find(root, path[:size])
        if parent is not None and found is not None:
            keys = parent.keys if parent.kind == "map" else []
            node = next((key for key, item in zip(keys, parent.items, strict=False) if item is found), found)
            line, column = LineStarts(text).place(node.start)
            return Inside(text, line + 1, column + 1)
    return None
