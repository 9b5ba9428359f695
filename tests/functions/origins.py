"""A value changed at the place that explain names as its origin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._go import yaml
from krm_values._run import objects

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._krm.plan import Origin

CHANGED = "zz9"


def other(found: Any) -> Any:
    """Another value of the same kind, a list of the same length; `...` if there is none."""
    if isinstance(found, dict):
        return {CHANGED: 1} if not found else ...
    if not isinstance(found, list):
        return CHANGED
    for number, item in enumerate(found):
        if not isinstance(item, dict) and (changed := other(item)) is not ...:
            return [*found[:number], changed, *found[number + 1 :]]
    return ...


def owner(items: list[dict[str, Any]], origin: Origin) -> dict[str, Any]:
    """The ConfigMap or Secret that an origin names."""
    called: Any = origin.item
    (item,) = (one for one in items if (one["kind"], one["metadata"]["name"]) == (called.kind, called.name))
    return item


def change_text(item: dict[str, Any], origin: Origin) -> Any:
    """Change a value of the text in an object; returns what it is then, or `...`."""
    wanted = other(origin.value)
    if wanted is not ... and origin.inner is not None:
        values = yaml.read(text_at(item, origin.path)).mapping()
        data_edits.put(values, origin.inner, wanted)
        put_text(item, origin.path, json.dumps(values, ensure_ascii=False))
    return wanted


def text_at(item: dict[str, Any], path: Path) -> str:
    """A text of an object, decoded."""
    text: Any = get(item, path)
    return objects.decode(text) if _is_encoded(item, path) else str(text)


def put_text(item: dict[str, Any], path: Path, text: str) -> None:
    """Set a text of an object, encoded where it has to be."""
    data_edits.put(item, path, objects.encode(text) if _is_encoded(item, path) else text)


def _is_encoded(item: dict[str, Any], path: Path) -> bool:
    return (item["kind"], path[0]) == ("Secret", "data")
