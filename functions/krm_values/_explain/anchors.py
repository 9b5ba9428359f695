"""What repeats a value: the aliases of its anchors, which go with it or change with it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, InputError
from krm_values._data.record import record
from krm_values._yaml import decode
from krm_values._yaml.nodes import leaf_end, walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._yaml.nodes import Node

_MOST = 20_000
"""So many values of a text are looked at for those that aliases repeat."""
_PASSES = 64
"""How often a text is read again, for entries that do not stand on lines of their own."""


@record
class _Entry:
    """An alias with the map or list that it is an entry of. number: of the entry."""

    holder: Node
    number: int
    alias: Node

    @property
    def start(self) -> int:
        """Where the entry begins: the key, or the element without its dash."""
        return self.holder.keys[self.number].start if self.holder.kind == "map" else self.alias.start

    def dash(self, text: str) -> int:
        """Return where the entry begins with its dash."""
        return self.start if self.holder.kind == "map" or self.holder.flow else text.rfind("-", 0, self.start)

    def has_own_line(self, text: str) -> bool:
        """Return whether nothing stands before the entry on its line."""
        dash = self.dash(text)
        return not text[text.rfind("\n", 0, dash) + 1 : dash].strip()


def repeats(text: str, path: Path) -> list[int]:
    """Return where the aliases of the anchors of a value begin, without those within it."""
    root = decode.parse(text)
    found = decode.find(root, path)
    return [one.alias.start for one in _entries(root, found)] if found is not None else []


def places(root: Node, paths: Collection[Path], *, is_text: bool) -> list[Path]:
    """Return where aliases repeat the values at paths, or anchors within those, in the order of the text. is_text: keys count as Go merges them."""
    wanted: set[int] = set()
    for path in paths:
        node = decode.find(root, path)
        if node is not None:
            wanted.update(id(one) for one in walk(node) if one is node or one.anchor)
    found = dict.fromkeys(path for path, node in islice(_expanded(root, (), is_text=is_text), _MOST) if id(node) in wanted)
    return [path for path in found if not any(path[: len(own)] == own for own in paths)]


def _expanded(node: Node, path: Path, *, is_text: bool) -> Iterator[tuple[Path, Node]]:
    """Yield each value with its path, those that aliases and merge keys repeat, too."""
    node = node.target if node.kind == "alias" else node
    yield path, node
    if node.kind == "list":
        for number, item in enumerate(node.items):
            yield from _expanded(item, (*path, number), is_text=is_text)
    pairs = [*zip(node.keys, node.items, strict=True)] if node.kind == "map" else []
    for key, item in pairs:
        if not decode.is_merge(key):
            yield from _expanded(item, (*path, decode.key_text(key)), is_text=is_text)
            continue
        for name, merged in merged_by(key, item, pairs, is_text=is_text):
            yield from _expanded(merged, (*path, name), is_text=is_text)


def merged_by(key: Node, item: Node, pairs: Sequence[tuple[Node, Node]], *, is_text: bool) -> Iterator[tuple[str, Node]]:
    """Yield the entries that a map has from a merge key: in a text also those of which it has a key above that, as in Go. pairs: all entries of the map."""
    sources = [one.target if one.kind == "alias" else one for one in (item.items if item.kind == "list" else [item])]
    known = {decode.key_text(one) for one, _ in pairs if not decode.is_merge(one) and not (is_text and one.start < key.start)}
    for source in sources:
        for name, value in zip(source.keys, source.items, strict=True) if source.kind == "map" else ():
            if (text := decode.key_text(name)) not in known:
                known.add(text)
                yield text, value


def without_repeats(text: str, path: Path) -> str:
    """Return a text without the entries that repeat a value, whose anchors nothing uses then. EditError for one that cannot be taken out."""
    for _ in range(_PASSES):
        entries = _entries(root := decode.parse(text), decode.find(root, path))
        if not entries:
            return text
        chosen = [*_lines_of_their_own(text, entries)] or [max(entries, key=_start)]
        for entry in sorted(chosen, key=_start, reverse=True):  # so that nothing before it moves
            text = _without(text, entry)
        try:
            is_gone = len(_entries(again := decode.parse(text), decode.find(again, path))) <= len(entries) - len(chosen)
        except InputError:
            is_gone = False
        if not is_gone:
            raise EditError("cannot take out what repeats it", chosen[-1].alias.line + 1)
    raise EditError(f"cannot take out what repeats it more than {_PASSES} times within lines", entries[0].alias.line + 1)


def _lines_of_their_own(text: str, entries: Sequence[_Entry]) -> Iterator[_Entry]:
    """Yield entries that stand on lines of their own, not all of any map or list: they go at once."""
    left = {id(one.holder): len(one.holder.items) for one in entries}
    for one in entries:
        if not one.holder.flow and left[id(one.holder)] > 1 and one.has_own_line(text):
            left[id(one.holder)] -= 1
            yield one


def _start(entry: _Entry) -> int:
    return entry.alias.start


def _entries(root: Node, found: Node | None) -> list[_Entry]:
    inside = {*map(id, walk(found))} if found is not None else set()
    return [one for one in _aliases(root) if id(one.alias.target) in inside and id(one.alias) not in inside]


def _aliases(node: Node) -> Iterator[_Entry]:
    for number, item in enumerate(node.items if node.kind in ("map", "list") else ()):
        if item.kind == "alias":
            yield _Entry(node, number, item)
        else:
            yield from _aliases(item)


def _without(text: str, entry: _Entry) -> str:
    """Return a text without an entry; its map or list is empty if it has no other."""
    holder, number, start, end = entry.holder, entry.number, entry.start, entry.alias.end
    empty = "{}" if holder.kind == "map" else "[]" if holder.flow else " []"  # behind a dash that may be below its key
    dash = entry.dash(text)
    if len(holder.items) == 1:
        return text[: holder.start] + empty + text[leaf_end(holder) :] if holder.flow else text[:dash] + empty + text[end:]
    line, last = text.rfind("\n", 0, dash) + 1, text.find("\n", end) + 1 or len(text)
    if not holder.flow and entry.has_own_line(text):
        return text[:line] + text[last:]
    if number + 1 < len(holder.items):
        following = (holder.keys if holder.kind == "map" else holder.items)[number + 1].start
        return text[:start] + text[following:]
    return text[: leaf_end(holder.items[number - 1])] + text[end:]
