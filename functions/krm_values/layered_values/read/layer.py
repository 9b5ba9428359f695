"""What a layer says: its values as a tree of leaves, each of which knows its place in a resource."""

from __future__ import annotations

from krm_values._data.record import record
from krm_values._data.scalars.text import text_of
from krm_values._kit.layers.merge import Assigned
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.yaml.read import GoText
    from krm_values._kit.layers.merge import Tree
    from krm_values.layered_values.syntax.selectors import Selector

    Node: TypeAlias = "Tree | Assigned"

REFERENCE = "$value"
WRONG = f"a reference is a map of the one key `{REFERENCE}`, whose value is the path of a value as a string"
SCHEMA = "schema"


class Reference(str):
    """The path of a value that another one refers to; for merging it is a scalar."""

    __slots__ = ()


class Says:
    """Where the values of a layer are. Called with a path of its own it gives the origin of the value there.

    base: the field of the item; below it paths go on, inside the text that is there if it has been read. placed: how a path of the
    values, whatever is above them, becomes one of the source. config: the field of the functionConfig, where no item has the values.
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
        """The field of the item that has the value."""
        return self.base if self.text is not None else (*self.base, *path)

    def written(self, path: Path, value: JSON) -> str:
        """A scalar as it is written there, without quotes."""
        if self.text is not None:
            return self.text.written(path) or text_of(value)
        if isinstance(value, bool) and self.item is not None:
            found = self.item.scalar((*self.base, *path))
            return found.text if found else text_of(value)
        return text_of(value)


class Fixed:
    """Says of every value the same: of a piece of a string, that it comes out of that string."""

    __slots__ = ("origin",)

    def __init__(self, origin: Origin) -> None:
        self.origin = origin

    def __call__(self, _path: Path, value: JSON) -> Origin:
        one = self.origin
        return Origin(one.layer, value, one.item, one.path, one.inner, one.line, column=one.column)

    def field(self, _path: Path) -> Path:
        """The field of the item that has the value."""
        return self.origin.path

    def written(self, _path: Path, value: JSON) -> str:
        """A scalar as it is written there, without quotes."""
        return text_of(value)


class Within(Fixed):
    """Says of every value of a text within a text that it comes out of the string there."""

    __slots__ = ("text",)

    def __init__(self, origin: Origin, text: GoText) -> None:
        super().__init__(origin)
        self.text = text

    def written(self, path: Path, value: JSON) -> str:
        return self.text.written(path) or text_of(value)


def _nothing(_path: Path, value: JSON) -> Origin:
    """Of no schema there is no default."""
    return Origin(SCHEMA, value)


@record
class Schema:
    """A JSON Schema, None if there is none. layer: returns the origin of a default at a path of it. item: what holds it, but for the config.

    config: the field of the functionConfig that has it or names it. is_field: whether it is a field of a resource, which has no references.
    """

    data: Any = None
    layer: Callable[[Path, JSON], Origin] = _nothing
    item: Item | None = None
    config: Path = (SCHEMA,)
    is_field: bool = False


@record
class Layer:
    """One layer, read. number: its place in the config. inline: whether it is written there. reads: the field of its item that it takes."""

    name: str
    number: int
    tree: Tree
    item: Item | None
    when: Selector | None = None
    inline: bool = False
    reads: Path = ()


def tree(data: Any, say: Any, path: Path, refuse: Callable[[Path], None] | None) -> Node:
    """The leaves of plain data at a path of the source; references are leaves if `refuse` takes those that are wrong."""
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
