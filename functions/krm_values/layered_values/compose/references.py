"""References followed: each `{$value: PATH}` becomes what is at that path of the merged document."""

from __future__ import annotations

from krm_values._data import suggest
from krm_values._data.pointer import ABSENT, to_field
from krm_values._data.record import replace
from krm_values._kit.layers.merge import Assigned, origin
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.report import Report
from krm_values.layered_values.compose.nodes import elements, leaves, listed
from krm_values.layered_values.read.layer import Reference
from krm_values.layered_values.syntax.paths import PathError, value_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Tree
    from krm_values._kit.planner.plan import Origin
    from krm_values.layered_values.compose.nodes import Node


class Broken:
    """Stands for the value of a reference that leads nowhere: whoever takes it says nothing of it."""

    __slots__ = ()


BROKEN: Any = Broken()


class Via:
    """Says of a value that a reference led to: the layer with the reference, by the one that the value came from."""

    __slots__ = ("_found", "_holder")

    def __init__(self, holder: Assigned, found: Assigned) -> None:
        self._holder, self._found = holder, found

    def __call__(self, path: Path, value: JSON) -> Origin:
        return replace(origin(self._holder), value=value, via=(self._found.layer(path, value),))

    def written(self, path: Path, value: JSON) -> str:
        return self._found.layer.written(path, value)  # type: ignore[attr-defined,no-any-return]


class Resolver:
    """Follows the references of one document. used: the paths that references take. report: gets those that lead nowhere."""

    __slots__ = ("_active", "_done", "_tree", "report", "used")

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._done: dict[Path, Node] = {}
        self._active: list[Path] = []
        self.used: list[Path] = []
        self.report = Report()

    def resolved(self) -> Tree:
        """The document without references."""
        return self._node(self._tree, ())  # type: ignore[return-value]

    def _node(self, node: Node, path: Path) -> Node:
        if isinstance(node, Assigned) and node.elements is None and not isinstance(node.value, Reference):
            return node
        if path in self._done:
            return self._done[path]
        self._active.append(path)
        self._done[path] = made = self._made(node, path)
        self._active.pop()
        return made

    def _made(self, node: Node, path: Path) -> Node:
        if isinstance(node, dict):
            return {key: self._node(below, (*path, key)) for key, below in node.items()}
        if isinstance(node.value, Reference):
            return self._followed(node, node.value, path)
        found = tuple(self._node(element, (*path, index)) for index, element in enumerate(elements(node)))
        return listed(found, node, node.over)

    def _followed(self, holder: Assigned, reference: Reference, path: Path) -> Node:
        """What a reference leads to, each of its leaves with the reference's layer as origin."""
        try:
            found = self._target(value_path(reference), [path])
        except PathError as error:
            return self._broken(holder, "reference", "50", path, f"{_shown(holder)} {error.message}")
        if found is None:
            return self._cycle(holder, path, path)
        target, node = found
        if node is ABSENT:
            known = (to_field(one) for one, _ in leaves(self._tree))
            hint = suggest.hint(str(reference), [name for one in known for name in _prefixes(one)])
            hint = "" if origin(holder).secret else hint
            return self._broken(holder, "reference", "52", path, f"there is no {_shown(holder)}{hint}")
        self.used.append(target)
        if target in self._active:
            return self._cycle(holder, path, target)
        return _carried(self._node(node, target), holder)  # type: ignore[arg-type]

    def _target(self, path: Path, seen: list[Path]) -> tuple[Path, Node | object] | None:
        """Where a path leads, through references on its way; None if that comes back to where it was."""
        node: Node = self._tree
        for size, part in enumerate(path):
            if isinstance(node, Assigned) and isinstance(node.value, Reference):
                if path[:size] in seen:
                    return None
                self.used.append(path[:size])
                return self._target((*value_path(node.value), *path[size:]), [*seen, path[:size]])
            below = elements(node) if isinstance(part, int) else node if isinstance(node, dict) else {}
            if (part >= len(below)) if isinstance(part, int) else part not in below:
                return path, ABSENT
            node = below[part]  # type: ignore[index]
        return path, node

    def _cycle(self, holder: Assigned, path: Path, target: Path) -> Node:
        begin = self._active.index(target) if target in self._active else 0
        steps = [to_field(one) or "." for one in self._active[begin:] if one == target or self._is_step(one)]
        listed_steps = " -> ".join(f"`{step}`" for step in dict.fromkeys([*steps, to_field(path)]))
        return self._broken(holder, "cycle", "52", path, f"leads back to `{to_field(target) or '.'}`: {listed_steps}")

    def _is_step(self, path: Path) -> bool:
        node: Any = self._tree
        for part in path:
            node = elements(node)[part] if isinstance(part, int) else node[part]
        return isinstance(node, Assigned)

    def _broken(self, holder: Assigned, kind: str, rule: str, path: Path, text: str) -> Node:
        at = origin(holder)
        line = places.line_of(at)
        whole = f"the reference `{to_field(path)}` of layer {at.layer}{f' ({line})' if line else ''}: {text}"
        item = at.item if isinstance(at.item, Item) else None
        self.report.error(kind, rule, whole, item, at.path if item else (), at=at if item else None)
        return Assigned(BROKEN, holder.layer, holder.path)


def _shown(holder: Assigned) -> str:
    """The path that a reference names, but for one in a Secret."""
    return "such value" if origin(holder).secret else f"`{holder.value}`"


def _carried(node: Node, holder: Assigned) -> Node:
    if isinstance(node, dict):
        return {key: _carried(below, holder) for key, below in node.items()}
    found = None if node.elements is None else tuple(_carried(element, holder) for element in node.elements)
    return Assigned(node.value, Via(holder, node), node.path, holder.over, found)


def _prefixes(field: str) -> list[str]:
    parts = field.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts) + 1)]
