"""The layers and their values as trees, references among them, and what messages say of the place of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._data.record import record, replace
from krm_values._data.scalars import text_of
from krm_values._krm import places
from krm_values._krm.item import Item
from krm_values._krm.plan import Origin
from krm_values._run.traced import Assigned, List, Map, atoms, elements, kind, node_of, plain
from krm_values.layered_values import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.yaml import GoText
    from krm_values._run.traced import Node
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.selectors import Selector

REFERENCE = "$value"
WRONG_REFERENCE = f"a reference is a map of the one key `{REFERENCE}`, whose value is the path of a value as a string"
SCHEMA = "schema"
"""The layer of the defaults of a schema."""
_NOTHING: Mapping[str, Any] = {}


@record
class Layer:
    """One layer. number: its place in the config. inline: whether its values are in the config. reads: the field of its item from which they are read."""

    name: str
    number: int
    tree: Map
    item: Item | None
    when: Selector | None = None
    inline: bool = False
    reads: Path = ()


@record
class OriginOf:
    """The places of a layer's values. Called with a path and a value, it returns the origin of the value.

    base: the field of the item; paths continue below it, inside its text if that was parsed. config: the field of the functionConfig, if the
    values are not in an item. keys: the fields of data keys, of which a Secret has two. string: the origin of the string that contains the
    values, if their places in it are not known: they are in a piece of it, or in a text within a text. facts: what ranks the layer.
    """

    layer: str
    item: Item | None = None
    base: Path = ()
    text: GoText | None = None
    config: Path | None = None
    keys: Mapping[str, Path] = _NOTHING
    string: Origin | None = None
    facts: Mapping[str, JSON] = _NOTHING

    def __call__(self, path: Path, value: JSON) -> Origin:
        value = {REFERENCE: str(value)} if isinstance(value, Reference) else value
        if (one := self.string) is not None:
            return replace(one, layer=self.layer, value=value, facts=self.facts or one.facts)
        if self.config is not None:
            return Origin(self.layer, value, config=(*self.config, *path), facts=self.facts)
        if self.text is None:
            return Origin(self.layer, value, self.item, self.field(path), facts=self.facts)
        line, column = self.text.place(path) or (None, 0)
        return Origin(self.layer, value, self.item, self.base, path, line, column=column, facts=self.facts)

    def field(self, path: Path) -> Path:
        """Return the field of the item that has the value."""
        if self.string is not None:
            return self.string.path
        if self.text is not None:
            return self.base
        base = self.keys.get(str(path[0]), self.base)[:1] if self.keys and path else self.base
        return (*base, *path)

    def written(self, path: Path, value: JSON) -> str:
        """Return a scalar as it is written at a path, without quotes."""
        if self.text is not None:
            return self.text.written(path) or text_of(value)
        found = self.item.scalar(self.field(path)) if isinstance(value, bool) and self.item is not None else None
        return found.text if found else text_of(value)


class Reference(str):
    """The path of a value that another one refers to; in a merge it is a scalar."""

    __slots__ = ()


def tree(data: Any, layer: Any, path: Path, refuse: Callable[[Path], None] | None = None) -> Node:
    """Return the values of a layer at a path of the source. refuse: if there may be references, called with a wrong one, which is then null."""
    if refuse is None or not data or not isinstance(data, (dict, list)):
        return node_of(data, layer, path)
    if isinstance(data, list):
        if not any(map(_may_refer, data)):
            return node_of(data, layer, path)
        return List(layer, path, [tree(value, layer, (*path, index), refuse) for index, value in enumerate(data)], apart=True)
    if REFERENCE not in data:
        found = {
            key: tree(value, layer, (*path, key), refuse)
            if isinstance(value, (dict, list))
            else Assigned(value, layer, (*path, key))  # nearly always
            for key, value in data.items()
        }
        return Map(layer, path, found)
    target = data[REFERENCE]
    if len(data) == 1 and isinstance(target, str):
        return Assigned(Reference(target), layer, path)
    refuse(path)
    return Assigned(None, layer, path)


def _may_refer(value: Any) -> bool:
    if isinstance(value, dict):
        return REFERENCE in value or any(map(_may_refer, value.values()))
    return isinstance(value, list) and any(map(_may_refer, value))


def place_of(origin: Origin | None) -> dict[str, Any]:
    """Return the fields of a finding that give the place of a value: in its object, or in the functionConfig; none if it is not known."""
    if origin is None:
        return {}
    if isinstance(origin.item, Item):
        return {"item": origin.item, "path": origin.path, "at": origin}
    return {"config": origin.config} if origin.config is not None else {}


def value_of(leaf: Assigned) -> Origin:
    """Return the origin of a value itself: of one that a reference led to, where the reference led."""
    return [*leaf.layer(leaf.path, leaf.value).trail()][-1]


def line_of(origin: Origin) -> str:
    """Return ` (line 3)` for messages, "" if the line is not known."""
    line = places.line_of(origin)
    return f" ({line})" if line else ""


def ambiguous(item: Item, error: paths.AmbiguousError) -> str:
    """Return what is wrong with a path that means two elements of a resource, with the line of each."""
    lines = (places.of_field(item, path)[0] for path in error.args)
    first, second = (
        f"`{to_field(path)}`{f' (line {line})' if line else ''}" for path, line in zip(error.args, lines, strict=True)
    )
    return f"means {first} and {second}, which are of different types: write both in one type, or use an index"


def hint_of_dots(node: Node, segments: Segments) -> str:
    """Return `; did you mean ...?` with the path in which an existing key with dots, or an index, is in brackets, "" if none is meant."""
    size, below = 0, node
    while size < len(segments) and isinstance(below, Map) and isinstance(part := segments[size], str) and part in below:
        size, below = size + 1, below[part]
    reached: Any = segments[:size]
    meant = paths.with_index(segments, size) if kind(below) == "list" else paths.with_dots(node, reached, segments)
    return f"; did you mean `{paths.path_text(meant)}`?" if meant else ""


def scalars(node: Node, path: Path = ()) -> Iterator[tuple[Path, Assigned]]:
    """Yield the scalars and empty collections below a node."""
    if isinstance(node, Map) and node:
        for key, below in node.items():
            yield from scalars(below, (*path, key))
    elif found := elements(node):
        for index, element in enumerate(found):
            yield from scalars(element, (*path, index))
    else:
        yield from atoms(node, path)


def first_leaf(node: Node | None) -> Assigned | None:
    """Return the first leaf of a node; None for an empty tree, and where there is no node."""
    while isinstance(node, Map) and node:
        node = next(iter(node.values()))
    if node is None or node.layer is None or isinstance(node, Assigned):
        return node if isinstance(node, Assigned) else None
    return Assigned(plain(node), node.layer, node.path)
