"""Trees of merged values: a dict of nodes is a map, anything else a leaf, which may be a list with nodes of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT
from krm_values._kit.layers.merge import Assigned
from krm_values.layered_values import paths

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Layer, Tree
    from krm_values.layered_values.paths import Segments

    Node: TypeAlias = "Tree | Assigned"


def is_map(node: Node) -> bool:
    """Return whether a node is a map, empty or not."""
    return isinstance(node, dict) or isinstance(node.value, dict)


def is_list(node: Node) -> bool:
    """Return whether a node is a list."""
    return isinstance(node, Assigned) and isinstance(node.value, list)


def elements(node: Node) -> tuple[Node, ...]:
    """Return the elements of a list as nodes; none for anything else."""
    if not isinstance(node, Assigned) or not isinstance(node.value, list):
        return ()
    if node.elements is not None:
        return node.elements
    return tuple(grown(value, node.layer, (*node.path, index)) for index, value in enumerate(node.value))


def grown(value: JSON, layer: Layer, path: Path) -> Node:
    """Return plain data of one layer as a tree."""
    if isinstance(value, dict) and value:
        return {key: grown(one, layer, (*path, key)) for key, one in value.items()}
    return Assigned(value, layer, path)


def listed(nodes: tuple[Node, ...], like: Assigned, over: tuple[Assigned, ...] = ()) -> Assigned:
    """Return a list node of these elements, with the layer and path of `like`."""
    return Assigned([plain(node) for node in nodes], like.layer, like.path, over, nodes)


def plain(node: Node) -> Any:
    """Return a node as plain data."""
    return {key: plain(below) for key, below in node.items()} if isinstance(node, dict) else node.value


def find(node: Node, path: Path) -> Node | object:
    """Return the node at a path; ABSENT if there is none."""
    for part in path:
        if isinstance(part, int):
            found = elements(node)
            if part >= len(found):
                return ABSENT
            node = found[part]
        elif isinstance(node, dict) and part in node:
            node = node[part]
        else:
            return ABSENT
    return node


def with_dots(node: Node, segments: Segments) -> str:
    """Return `; did you mean ...?` with the path in which an existing key with dots is in brackets, "" if none is meant."""
    size, below = 0, node
    while size < len(segments) and isinstance(below, dict) and isinstance(part := segments[size], str) and part in below:
        size, below = size + 1, below[part]
    reached: Any = segments[:size]
    meant = paths.with_dots(node, reached, segments)
    return f"; did you mean `{paths.path_text(meant)}`?" if meant else ""


def leaves(node: Node, path: Path = ()) -> Iterator[tuple[Path, Assigned]]:
    """Yield the leaves below a node; for a list whose elements have origins of their own, those of the elements."""
    if isinstance(node, dict):
        for key, below in node.items():
            yield from leaves(below, (*path, key))
    elif node.elements:
        for index, element in enumerate(node.elements):
            yield from leaves(element, (*path, index))
    else:
        yield path, node


def scalars(node: Node, path: Path = ()) -> Iterator[tuple[Path, Assigned]]:
    """Yield the scalars and empty collections below a node."""
    if isinstance(node, dict):
        for key, below in node.items():
            yield from scalars(below, (*path, key))
    elif isinstance(node.value, list) and node.value:
        for index, element in enumerate(elements(node)):
            yield from scalars(element, (*path, index))
    else:
        yield path, node
