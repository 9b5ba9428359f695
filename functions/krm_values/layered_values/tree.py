"""The values of a layer as a tree of leaves, each of which knows its place in a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.scalars.text import text_of
from krm_values._kit.layers.merge import Assigned
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.yaml.read import GoText
    from krm_values._kit.layers.merge import Tree
    from krm_values.layered_values.selectors import Selector

    Node: TypeAlias = "Tree | Assigned"

REFERENCE = "$value"
WRONG = f"a reference is a map of the one key `{REFERENCE}`, whose value is the path of a value as a string"
SCHEMA = "schema"


class Reference(str):
    """The path of a value that another one refers to; in a merge it is a scalar."""

    __slots__ = ()


class OriginOf:
    """The places of a layer's values. Called with a path and a value, it returns the origin of the value.

    base: the field of the item; paths continue below it, inside its text if that was parsed. placed: converts a path of the values to one of
    the source. config: the field of the functionConfig, if the values are not in an item.
    """

    __slots__ = ("base", "config", "item", "layer", "text")

    def __init__(
        self, layer: str, item: Item | None = None, base: Path = (), text: GoText | None = None, config: Path | None = None
    ) -> None:
        self.layer, self.item, self.base, self.text, self.config = layer, item, base, text, config

    def __call__(self, path: Path, value: JSON) -> Origin:
        value = {REFERENCE: str(value)} if isinstance(value, Reference) else value
        if self.config is not None:
            return Origin(self.layer, value, config=(*self.config, *path))
        if self.text is None:
            return Origin(self.layer, value, self.item, (*self.base, *path))
        line, column = self.text.place(path) or (None, 0)
        return Origin(self.layer, value, self.item, self.base, path, line, column=column)

    def field(self, path: Path) -> Path:
        """Return the field of the item that has the value."""
        return self.base if self.text is not None else (*self.base, *path)

    def written(self, path: Path, value: JSON) -> str:
        """Return a scalar as it is written at a path, without quotes."""
        if self.text is not None:
            return self.text.written(path) or text_of(value)
        if isinstance(value, bool) and self.item is not None:
            found = self.item.scalar((*self.base, *path))
            return found.text if found else text_of(value)
        return text_of(value)


class Fixed:
    """Returns the same origin for every value: for a piece of a string, that string."""

    __slots__ = ("origin",)

    def __init__(self, origin: Origin) -> None:
        self.origin = origin

    def __call__(self, _path: Path, value: JSON) -> Origin:
        one = self.origin
        return Origin(one.layer, value, one.item, one.path, one.inner, one.line, column=one.column)

    def field(self, _path: Path) -> Path:
        """Return the field of the item that has the value."""
        return self.origin.path

    def written(self, _path: Path, value: JSON) -> str:
        """Return a scalar as it is written, without quotes."""
        return text_of(value)


class Within(Fixed):
    """Returns the string that contains a text within a text as the origin of all its values."""

    __slots__ = ("text",)

    def __init__(self, origin: Origin, text: GoText) -> None:
        super().__init__(origin)
        self.text = text

    def written(self, path: Path, value: JSON) -> str:
        return self.text.written(path) or text_of(value)


def _nothing(_path: Path, value: JSON) -> Origin:
    """Return the origin of a default if there is no schema; never called."""
    return Origin(SCHEMA, value)


@record
class Schema:
    """A JSON Schema, None if there is none. layer: returns the origin of a default at a path of it. item: the object that holds it, unless that is the config.

    config: the field of the functionConfig that has it or names it. is_field: whether it is a field of a resource, which has no references.
    """

    data: Any = None
    layer: Callable[[Path, JSON], Origin] = _nothing
    item: Item | None = None
    config: Path = (SCHEMA,)
    is_field: bool = False


@record
class Layer:
    """One layer. number: its place in the config. inline: whether its values are in the config. reads: the field of its item from which they are read."""

    name: str
    number: int
    tree: Tree
    item: Item | None
    when: Selector | None = None
    inline: bool = False
    reads: Path = ()


def tree(data: Any, say: Any, path: Path, refuse: Callable[[Path], None] | None) -> Node:
    """Return the leaves of plain data at a path of the source. refuse: called with an invalid reference, which is then kept as a map."""
    if isinstance(data, dict) and data:
        if refuse is not None and REFERENCE in data:
            return Assigned(_reference(data, path, refuse), say, path)
        return {
            key: tree(value, say, (*path, key), refuse)
            if isinstance(value, dict | list)
            else Assigned(value, say, (*path, key))  # nearly always
            for key, value in data.items()
        }
    if refuse is not None and isinstance(data, list) and _may_refer(data):
        return _list(data, say, path, refuse)
    return Assigned(data, say, path)


def _list(data: list[Any], say: Any, path: Path, refuse: Callable[[Path], None]) -> Assigned:
    nodes = tuple(tree(value, say, (*path, index), refuse) for index, value in enumerate(data))
    return Assigned(data, say, path, elements=nodes)


def _may_refer(value: Any) -> bool:
    if isinstance(value, dict):
        return REFERENCE in value or any(map(_may_refer, value.values()))
    return isinstance(value, list) and any(map(_may_refer, value))


def _reference(data: dict[str, Any], path: Path, refuse: Callable[[Path], None]) -> JSON:
    target = data[REFERENCE]
    if len(data) > 1 or not isinstance(target, str):
        refuse(path)
        return None
    return Reference(target)
