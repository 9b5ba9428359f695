"""Merge strategies by path, and the checks that layers fit them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import to_field
from krm_values._data.scalars.text import text_of
from krm_values._kit.layers.merge import Assigned, origin
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values.layered_values.nodes import elements, is_map, with_dots
from krm_values.layered_values.parsed import ByKey
from krm_values.layered_values.paths import AnyKey, Each
from krm_values.layered_values.tree import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values.layered_values.parsed import Strategy
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.tree import Layer, Node

_OF_LISTS = ("append", "prepend", "unique")


class Strategies:
    """The entries of `merge`."""

    __slots__ = ("_by_size", "entries")

    def __init__(self, entries: tuple[tuple[Segments, Strategy, str], ...]) -> None:
        self.entries = entries
        self._by_size: dict[int, list[tuple[Segments, Strategy, str]]] = {}
        for entry in entries:
            self._by_size.setdefault(len(entry[0]), []).append(entry)

    def __bool__(self) -> bool:
        return bool(self.entries)

    def at(self, path: Path) -> Strategy | None:
        """Return the strategy of a path: of several that match, the one with the leftmost exact key."""
        fitting = [entry for entry in self._by_size.get(len(path), ()) if _means(entry[0], path)]
        return min(fitting, key=lambda entry: [_is_star(one) for one in entry[0]])[1] if fitting else None

    def check(self, layers: list[Layer]) -> Iterator[Finding]:
        """Yield the findings on values of layers that do not fit their strategy, and on strategies that match nothing."""
        for number, (segments, strategy, text) in enumerate(self.entries):
            found = [(layer, path, node) for layer in layers for path, node in _at(layer.tree, segments, ())]
            if not found and layers:
                known = sorted({to_field(path) for layer in layers for path in _paths(layer.tree, ())})
                meant = (with_dots(layer.tree, segments) for layer in layers)
                hint = next(filter(None, meant), "") or suggest.hint(text, known)
                said = f"`merge`: no layer has `{text}`, so its strategy has no effect{hint}"
                yield Finding("warning", "unused-strategy", "49", said, config=("merge", self.entries[number][2]))
            for layer, path, node in found:
                if self.at(path) == strategy:
                    yield from _unfit(layer, path, node, strategy)


def _means(segments: Segments, path: Path) -> bool:
    for segment, part in zip(segments, path, strict=True):
        if isinstance(segment, Each) and isinstance(part, int):
            continue
        if isinstance(segment, AnyKey) and isinstance(part, str):
            continue
        if segment != part:
            return False
    return True


def _is_star(segment: object) -> bool:
    return isinstance(segment, Each | AnyKey)


def _at(node: Node, segments: Segments, path: Path) -> Iterator[tuple[Path, Node]]:
    """Yield the places of a layer that a pattern matches."""
    if not segments:
        yield path, node
        return
    first, *rest = segments
    if isinstance(first, Each):
        for index, element in enumerate(elements(node)):
            yield from _at(element, tuple(rest), (*path, index))
    elif isinstance(node, dict):
        for key in node if isinstance(first, AnyKey) else [first]:
            if key in node:
                yield from _at(node[key], tuple(rest), (*path, key))


def _paths(node: Node, path: Path) -> Iterator[Path]:
    if path:
        yield path
    for key, below in node.items() if isinstance(node, dict) else ():
        yield from _paths(below, (*path, key))


def _unfit(layer: Layer, path: Path, node: Node, strategy: Strategy) -> Iterator[Finding]:
    """Yield the finding that the value of a layer cannot be merged by a strategy."""
    if strategy not in _OF_LISTS and not isinstance(strategy, ByKey):
        return
    word = f"`by: {strategy.key}`" if isinstance(strategy, ByKey) else f"`{strategy}`"
    field = to_field(path)
    if (
        is_map(node)
        or not isinstance(node, Assigned)
        or not isinstance(node.value, list | None)
        or isinstance(node.value, Reference)
    ):
        yield _finding(layer, node, f"`{field}` must be a list for {word}")
    elif isinstance(strategy, ByKey):
        yield from _keyless(layer, node, field, strategy.key)


def _keyless(layer: Layer, node: Assigned, field: str, key: str) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, element in enumerate(node.value if isinstance(node.value, list) else ()):
        value = element.get(key) if isinstance(element, dict) else None
        if value is None or isinstance(value, dict | list):
            yield _finding(
                layer, node, f"element {index} of `{field}` must be a map with a scalar `{key}`, as `by: {key}` needs"
            )
            continue
        text = text_of(value)
        if text in seen:
            shown = "" if origin(node).secret else f' "{text}"'
            yield _finding(layer, node, f"two elements of `{field}` have the same `{key}`{shown}")
        seen.add(text)


def _finding(layer: Layer, node: Node, text: str) -> Finding:
    leaf = node
    while isinstance(leaf, dict):
        leaf = next(iter(leaf.values()))
    at = origin(leaf)
    line = places.line_of(at)
    item = layer.item if isinstance(layer.item, Item) else None
    whole = f"layer {layer.name}{f' ({line})' if line else ''}: {text}"
    config = ("layers", layer.number, "values", *leaf.path) if layer.inline else None
    return Finding("error", "strategy", "49", whole, item, at.path if item else (), at=at if item else None, config=config)
