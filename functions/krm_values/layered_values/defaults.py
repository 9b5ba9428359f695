"""The defaults of a schema: they fill absent keys of existing maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.layered_values.loops import target
from krm_values.layered_values.nodes import elements, is_list, leaves, listed
from krm_values.layered_values.tree import Reference, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Tree
    from krm_values.layered_values.nodes import Node
    from krm_values.layered_values.tree import Schema
    from krm_values.layered_values.work import Steps

    _Placed: TypeAlias = tuple[Any, Path]

_DEEPEST = 200
_FILLED = 3  # steps of a value that is filled, beside those of its schema


def filled(document: Tree, schema: Schema, steps: Steps, *, references: bool) -> tuple[Tree, bool]:
    """Return the tree with the defaults that its maps lack, and whether there are references among them; the tree is not changed.

    steps: the budget of the schema; TooMuchError beyond it. references: whether a default may be one.
    """
    made = _Defaults(schema, steps, may_refer=references and not schema.is_field)
    return made.map(document, [(schema.data, ())], 0), made.has_references


class _Defaults:
    __slots__ = ("_layer", "_may_refer", "_root", "_steps", "has_references")

    def __init__(self, schema: Schema, steps: Steps, *, may_refer: bool) -> None:
        self._root, self._layer, self._steps, self._may_refer = schema.data, schema.layer, steps, may_refer
        self.has_references = False

    def map(self, node: Tree, schemas: list[_Placed], depth: int) -> Tree:
        """Return a map with the defaults of schemas, each given with its path in the whole schema."""
        result = dict(node)
        parts: dict[str, list[_Placed]] = {}
        for form, place in self._forms(schemas):
            for key, part in _properties(form).items():
                self._steps.take()
                parts.setdefault(key, []).append((part, (*place, "properties", key)))
                if key not in result:
                    self._fill(result, key, parts[key][-1])
        for key, found in parts.items():
            if key in result:
                result[key] = self._node(result[key], found, depth + 1)
        return result

    def _fill(self, result: Tree, key: str, part: _Placed) -> None:
        """Set a key to the first default of its schema."""
        for form, place in self._forms([part]):
            if "default" in form:
                self._steps.take(_FILLED)
                path = (*place, "default")
                result[key] = tree(form["default"], self._layer, path, _plain if self._may_refer else None)
                self.has_references = self.has_references or _refers(result[key])
                return

    def _node(self, node: Node, schemas: list[_Placed], depth: int) -> Node:
        if depth > _DEEPEST:
            return node
        if isinstance(node, dict):
            return self.map(node, schemas, depth)
        if isinstance(node.value, dict):
            return self.map({}, schemas, depth) or node
        if not is_list(node) or not any(isinstance(one, dict) for one in node.value):  # type: ignore[union-attr]
            return node
        items = [(form["items"], (*place, "items")) for form, place in self._forms(schemas) if "items" in form]
        if not items:
            return node
        return listed(tuple(self._node(element, items, depth + 1) for element in elements(node)), node, node.over)

    def _forms(self, schemas: list[_Placed]) -> Iterator[_Placed]:
        """Yield the schemas and those that apply beside them, each once and with its path: the targets of `$ref`, and all of `allOf`."""
        seen: set[int] = set()
        left = [*reversed(schemas)]
        while left:
            schema, at = left.pop()
            if not isinstance(schema, dict) or id(schema) in seen:
                continue
            seen.add(id(schema))
            self._steps.take()
            yield schema, at
            parts = schema["allOf"] if isinstance(schema.get("allOf"), list) else []
            left += reversed([(part, (*at, "allOf", number)) for number, part in enumerate(parts)])
            if isinstance(schema.get("$ref"), str):
                path, found = target(self._root, schema["$ref"])
                left.append((found, path))


def _properties(form: Any) -> dict[str, Any]:
    found = form.get("properties") if isinstance(form, dict) else None
    return found if isinstance(found, dict) else {}


def _refers(node: Node) -> bool:
    return any(isinstance(leaf.value, Reference) for _, leaf in leaves(node))


def _plain(_path: Path) -> None:
    """Ignore a map that is not a valid reference: the check of the schema has reported it."""
