"""The JSON of scalars, paths and resources, which repeat in an explanation: each is rendered once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.pointer import to_field, to_pointer
from krm_values._data.scalars.text import text_of
from krm_values._kit.planner import findings
from krm_values._kit.planner.item import Item
from krm_values._yaml.emit import as_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import New

HIDDEN = 'null,"hidden":true'
"""A value that must not be shown, followed by the member that says so."""


class Words:
    """A cache of JSON. scalars: that of values by their type, since 1 is not true."""

    __slots__ = ("_kept", "_paths", "scalars")

    def __init__(self) -> None:
        self.scalars: dict[type, dict[object, str]] = {kind: {} for kind in (str, bool, int, float, type(None))}
        self._paths: dict[Path, tuple[str, str]] = {}
        self._kept: dict[int, tuple[object, str]] = {}

    def value(self, value: Any, *, hidden: bool = False) -> str:
        """Return a value; one that must not be shown is null, and a member says so."""
        if hidden:
            return HIDDEN
        return self.scalar(value) if type(value) in self.scalars else write(value)

    def member(self, name: str, value: Any, *, hidden: bool = False) -> str:
        """Return a value under its name."""
        return f'"{name}":{self.value(value, hidden=hidden)}'

    def scalar(self, value: str | float | None) -> str:
        """Return a scalar."""
        known = self.scalars[type(value)]
        found = known.get(value)
        if found is None:
            found = write(value)
            if value or type(value) is not float:  # 0.0 is not -0.0
                known[value] = found
        return found

    def path(self, path: Path) -> tuple[str, str]:
        """Return a path as people write it, and as a JSON pointer."""
        found = self._paths.get(path)
        if found is None:
            found = self._paths[path] = as_json(to_field(path)), as_json(to_pointer(path))
        return found

    def inner(self, inner: Path | None) -> str:
        """Return the member for a path inside a text; "" if there is none."""
        return "" if inner is None else f',"inner":{self.path(inner)[0]}'

    def resource(self, item: Item | New) -> str:
        """Return the members for the resource of an item or object, and its file."""
        return self._once(item, _resource)

    def facts(self, facts: Mapping[str, JSON]) -> str:
        """Return the member for the facts of a layer; "" if it has none."""
        return self._once(facts, _facts) if facts else ""

    def _once(self, thing: object, make: Callable[[Any], str]) -> str:
        """Return the JSON of an object, cached by its identity; the object is kept, so that its id is not reused."""
        found = self._kept.get(id(thing))
        if found is None:
            found = self._kept[id(thing)] = thing, make(thing)
        return found[1]


def write(value: JSON) -> str:
    """Return a value as JSON. A number that JSON does not have, as `.nan`, is a string."""
    try:
        return as_json(value)
    except EditError:
        return as_json(_finite(value))


def _resource(item: Item | New) -> str:
    text = f'"resource":{as_json(findings.reference(item))}'
    if not isinstance(item, Item) or not item.position.file:
        return text
    return f'{text},"file":{as_json({"path": item.position.path, "index": item.position.index})}'


def _facts(facts: Mapping[str, JSON]) -> str:
    return f',"facts":{write(dict(facts))}'


def _finite(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _finite(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_finite(below) for below in value]
    return text_of(value) if isinstance(value, float) and not math.isfinite(value) else value
