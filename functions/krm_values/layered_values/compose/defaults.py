"""The defaults of a schema: they fill absent keys of maps that are there."""

from __future__ import annotations

from krm_values._data.pointer import get
from krm_values.layered_values.compose.nodes import elements, grown, is_list, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._kit.layers.merge import Layer, Tree
    from krm_values.layered_values.compose.nodes import Node

_DEEPEST = 200


def filled(tree: Tree, schema: Any, layer: Layer) -> Tree:
    """The tree with the defaults that its maps lack; it is not changed. layer: what says of a value that it is one."""
    return _Defaults(schema, layer).map(tree, schema, 0)


class _Defaults:
    __slots__ = ("_layer", "_root")

    def __init__(self, root: Any, layer: Layer) -> None:
        self._root, self._layer = root, layer

    def map(self, node: Tree, schema: Any, depth: int) -> Tree:
        result = dict(node)
        for form in self._forms(schema, depth):
            for key, part in _properties(form).items():
                if key not in result:
                    for inner in self._forms(part, depth):
                        if isinstance(inner, dict) and "default" in inner and key not in result:
                            result[key] = grown(inner["default"], self._layer, (key,))
                if key in result:
                    result[key] = self._node(result[key], part, depth + 1)
        return result

    def _node(self, node: Node, schema: Any, depth: int) -> Node:
        if depth > _DEEPEST:
            return node
        if isinstance(node, dict):
            return self.map(node, schema, depth)
        if isinstance(node.value, dict):
            made = self.map({}, schema, depth)
            return made or node
        items = [form["items"] for form in self._forms(schema, depth) if isinstance(form, dict) and "items" in form]
        if not is_list(node) or not items or not any(isinstance(one, dict) for one in node.value):  # type: ignore[union-attr]
            return node
        found = elements(node)
        for part in items:
            found = tuple(self._node(element, part, depth + 1) for element in found)
        return listed(found, node, node.over)

    def _forms(self, schema: Any, depth: int) -> Iterator[Any]:
        """A schema, and those that hold beside it: what `$ref` names, and all of `allOf`."""
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return
        yield schema
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            parts = reference[1:].split("/")[1:]
            path = tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)
            yield from self._forms(get(self._root, path), depth + 1)
        for part in schema.get("allOf", ()) if isinstance(schema.get("allOf"), list) else ():
            yield from self._forms(part, depth + 1)


def _properties(form: Any) -> dict[str, Any]:
    found = form.get("properties") if isinstance(form, dict) else None
    return found if isinstance(found, dict) else {}
