"""What `<<` merges into a map below another value of the key: it counts without that."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import replace
from krm_values._explain import in_text
from krm_values._explain.model import AUTHORED, CONFIG
from krm_values._go import yaml as goyaml
from krm_values._krm.item import Item
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._explain.model import Cell
    from krm_values._explain.ways import Trace
    from krm_values._yaml.nodes import Node


class Merges:
    """Finds the values of merge keys that others of the same map hide. number: returns which document of its text a cell is in."""

    __slots__ = ("_holders", "_number", "_trace")

    def __init__(self, trace: Trace, number: Callable[[Cell], int]) -> None:
        self._trace, self._number = trace, number
        self._holders: dict[tuple[int, Path | None], tuple[Item, str]] = {}  # with the item, so that no other takes its id over

    def beside(self, cells: list[Cell]) -> list[Cell]:
        """Return cells, each with those of what merge keys have for its key behind it, nearest first."""
        if not any(self._holder(one) for one in cells):
            return cells
        return [below for one in cells for below in (one, *self._below(one))]

    def _holder(self, cell: Cell) -> str:
        """Return the document or field of a cell with merge keys; "" if it has none."""
        item, field = cell.item, None if cell.inner is None else cell.path
        if not isinstance(item, Item):
            return ""
        key = id(item), field
        if key not in self._holders:
            at = item.position
            text = self._trace.before.text(at.path, at.index) if field is None else in_text.held(self._trace.first(item), field)
            self._holders[key] = item, text if "<<" in text else ""
        return self._holders[key][1]

    def _below(self, cell: Cell) -> Iterator[Cell]:
        path, holder = cell.path if cell.inner is None else cell.inner, self._holder(cell)
        if not path or not holder or cell.parts or cell.kept or cell.origin not in (AUTHORED, CONFIG):
            return
        text = _read(holder, self._number(cell), is_layer=cell.inner is not None)
        for at, value, line in text.below(path) if text is not None else ():
            place = {"path": at} if cell.inner is None else {"inner": at, "line": line, "column": 0, "text": None}
            source = replace(cell.source, value=value, **place)
            yield replace(cell, value=value, path=source.path, inner=source.inner, source=source, is_merged=True)


@lru_cache(16)
def _read(text: str, number: int, *, is_layer: bool) -> _Text | None:
    """Return a document of a text with merge keys; None if it cannot be read."""
    parts = goyaml.split(text) if is_layer else [text]
    try:
        root = decode.parse(parts[number] + "\n")
        return _Text(root, sum(part.count("\n") for part in parts[:number]), is_layer=is_layer)
    except (InputError, IndexError):
        return None


class _Text:
    """The nodes of one document with merge keys. above: the lines of its text before it. is_layer: it is read as Go reads a layer."""

    __slots__ = ("_above", "_finder", "_is_layer", "_maps", "_paths", "_root")

    def __init__(self, root: Node, above: int, *, is_layer: bool) -> None:
        self._root, self._above, self._is_layer, self._finder = root, above, is_layer, decode.Finder()
        self._paths = {id(node): (path, key) for path, key, node in decode.written(root)}
        self._maps: dict[int, tuple[dict[str, tuple[Node, Node]], list[tuple[Node, Node]]]] = {}

    def below(self, path: Path) -> Iterator[tuple[Path, object, int]]:
        """Yield path, value and line of what counts for a key of a map with merge keys without the entry that it has now, nearest first."""
        holder = self._finder.find(self._root, path[:-1])
        if holder is None or holder.kind != "map" or not self._entries(holder)[1]:
            return
        entries, merges = self._entries(holder)
        own = entries.get(str(path[-1]))
        is_dead = own is not None and self._is_layer and any(own[0].start < key.start for key, _ in merges)  # as Go reads it
        found = [*self._merged([item for _, item in merges], str(path[-1]), set())]
        for node in found if own is not None and not is_dead else found[1:]:
            if id(node) in self._paths:
                at, key = self._paths[id(node)]
                yield at, decode.to_data(node), self._above + key.line + 1

    def _merged(self, sources: list[Node], name: str, seen: set[int]) -> Iterator[Node]:
        """Yield what merged maps have for a key, each its own before what it merges."""
        for item in sources:
            for one in item.items if item.kind == "list" else [item]:
                source = one.target if one.kind == "alias" else one
                if source.kind == "map" and id(source) not in seen:
                    seen.add(id(source))
                    entries, merges = self._entries(source)
                    if name in entries:
                        yield entries[name][1]
                    yield from self._merged([below for _, below in merges], name, seen)

    def _entries(self, node: Node) -> tuple[dict[str, tuple[Node, Node]], list[tuple[Node, Node]]]:
        """Return the entries of a map by their names, and its merge keys."""
        if id(node) not in self._maps:
            pairs = [*zip(node.keys, node.items, strict=True)]
            named = {decode.key_text(key): (key, item) for key, item in pairs if not decode.is_merge(key)}
            self._maps[id(node)] = named, [(key, item) for key, item in pairs if decode.is_merge(key)]
        return self._maps[id(node)]
