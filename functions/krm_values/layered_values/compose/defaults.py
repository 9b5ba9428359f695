"""The defaults of a schema: they fill absent keys of maps that are there."""

from __future__ import annotations

from krm_values._data.pointer import get
from krm_values.layered_values.compose.nodes import elements, grown, is_list, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Layer, Tree
    from krm_values.layered_values.compose.nodes import Node

_DEEPEST = 200


def filled(tree: Tree, schema: Any, layer: Layer) -> Tree:
    """The tree with the defaults that its maps lack; it is not changed. layer: returns the origin of a value at a path of the schema."""
    return _Defaults(schema, layer).map(tree, schema, (), 0)


class _Defaults:
    __slots__ = ("_layer", "_root")

    def __init__(self, root: Any, layer: Layer) -> None:
        self._root, self._layer = root, layer

    def map(self, node: Tree, schema: Any, at: Path, depth: int) -> Tree:
        """Return a map with the defaults of a schema, which is at this path of the whole one."""
        result = dict(node)
        for form, place in self._forms(schema, at, depth):
            for key, part in _properties(form).items():
                below = (*place, "properties", key)
                if key not in result:
                    for inner, own in self._forms(part, below, depth):
                        if "default" in inner and key not in result:
                            result[key] = grown(inner["default"], self._layer, (*own, "default"))
                if key in result:
                    result[key] = self._node(result[key], part, below, depth + 1)
        return result

    def _node(self, node: Node, schema: Any, at: Path, depth: int) -> Node:
        if depth > _DEEPEST:
            return node
        if isinstance(node, dict):
            return self.map(node, schema, at, depth)
        if isinstance(node.value, dict):
            made = self.map({}, schema, at, depth)
            return made or node
        items = [(form["items"], (*place, "items")) for form, place in self._forms(schema, at, depth) if "items" in form]
        if not is_list(node) or not items or not any(isinstance(one, dict) for one in node.value):  # type: ignore[union-attr]
            return node
        found = elements(node)
        for part, place in items:
            found = tuple(self._node(element, part, place, depth + 1) for element in found)
        return listed(found, node, node.over)

    def _forms(self, schema: Any, at: Path, depth: int) -> Iterator[tuple[dict[str, Any], Path]]:
        """A schema, and those that hold beside it, each with its path: what `$ref` names, and all of `allOf`."""
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return
        yield schema, at
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            parts = reference[1:].split("/")[1:]
            path = tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)
            yield from self._forms(get(self._root, path), path, depth + 1)
        for number, part in enumerate(schema["allOf"] if isinstance(schema.get("allOf"), list) else ()):
            yield from self._forms(part, (*at, "allOf", number), depth + 1)


def _properties(form: Any) -> dict[str, Any]:
    found = form.get("properties") if isinstance(form, dict) else None
    return found if isinstance(found, dict) else {}
