"""Where the places of a document are after edits, and where they were before them: edits of a list move its elements.

What a function writes itself shifts nothing: the elements of its documents are slots (`_run/edited`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, index_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON

    Operation = tuple[str, Sequence[str], Sequence[str], JSON | Absent]  # op, path, of a move where from, and the value


class Shifts:
    """What operations of a JSON patch, one after the other, did to the places of a document. Each has a path within it.

    partial: they met more than the document has, so that a part of a path which may be an index is one where nothing is known.
    """

    __slots__ = ("_root",)

    def __init__(self, document: JSON, operations: Iterable[Operation], *, partial: bool = False) -> None:
        self._root = _Place(document, partial=partial)
        for operation in operations:
            self.add(operation)

    def add(self, operation: Operation) -> None:
        """Add what a further operation does; `later` must not have been asked before."""
        op, path, source, value = operation
        holder = self._root.at(path[:-1])
        if op == "remove":
            holder.remove(path[-1])
        elif op == "move":
            holder.move(int(source[-1]), int(path[-1]))
        else:
            holder.put(path[-1], value, insert=op == "add")

    def later(self, path: Path, *, unwritten: bool = False) -> Path | None:
        """Return the path after the operations of what was at `path` before them; None if they removed it. unwritten: also if they wrote there or above."""
        return self._moved(path, backwards=False, unwritten=unwritten)

    def earlier(self, path: Path) -> Path | None:
        """Return the path before the operations of what is at `path` after them; None if they wrote it."""
        return self._moved(path, backwards=True, unwritten=True)

    def replaced(self, path: Path) -> Path | None:
        """Return the path before the operations of what is at `path` after them, or of what they replaced there; None in an element that they inserted."""
        return self._moved(path, backwards=True, unwritten=False)

    def _moved(self, path: Path, *, backwards: bool, unwritten: bool) -> Path | None:
        found: list[str | int] = [*path]
        place = self._root
        for depth, part in enumerate(path):
            moved = place.earlier(part) if backwards else place.later(part)
            if moved is None:
                return None
            found[depth] = moved
            below = place.known(part if backwards else moved)
            if below is None:
                break
            if unwritten and below.is_written:
                return None
            place = below
        return tuple(found)


class _Place:
    """A place of the document after the operations, with those below it that they met.

    origin: the index of an element before them, None for one that they inserted. is_gone: what was there before them was removed.
    """

    __slots__ = ("_elements", "_indices", "_keys", "_partial", "_taken", "is_gone", "is_written", "origin", "value")

    def __init__(self, value: JSON | Absent, origin: int | None = None, *, partial: bool) -> None:
        self.value, self.origin, self._partial = value, origin, partial
        self.is_written = self.is_gone = False
        self._keys: dict[str, _Place] = {}
        self._elements: list[_Place] = []  # the first ones: no operation met any after them, so those are as they were
        self._taken = 0  # so many of the elements before the operations are among these, or were
        self._indices: dict[int, int] | None = None  # of the elements, by their origins

    def at(self, path: Sequence[str]) -> _Place:
        """Return the place at a path below this one."""
        found = self
        for part in path:
            found = found._below(part)
        return found

    def known(self, part: str | int) -> _Place | None:
        """Return the place of a key or element; None if no operation met it."""
        if isinstance(part, str):
            return self._keys.get(part)
        return self._elements[part] if part < len(self._elements) else None

    def earlier(self, part: str | int) -> str | int | None:
        """Return the key, or the index before the operations, of what is there after them; None for an element that they inserted."""
        if isinstance(part, str):
            return part
        known = len(self._elements)
        return self._elements[part].origin if part < known else self._taken + part - known

    def later(self, part: str | int) -> str | int | None:
        """Return the key, or the index after the operations, of what was there before them; None if they removed it."""
        if isinstance(part, str):
            return None if part in self._keys and self._keys[part].is_gone else part
        if part >= self._taken:
            return len(self._elements) + part - self._taken
        if self._indices is None:
            self._indices = {one.origin: at for at, one in enumerate(self._elements) if one.origin is not None}
        return self._indices.get(part)

    def put(self, part: str, value: JSON | Absent, *, insert: bool) -> None:
        """Write at a key or element, or insert an element."""
        index = self._index(part) if insert else None
        if index is not None:
            self._take(index)
            self._elements.insert(index, _Place(value, partial=self._partial))
        else:
            found = self._below(part)
            found.value, found.is_written = value, True

    def remove(self, part: str) -> None:
        """Remove a key or element."""
        index = self._index(part)
        if index is not None:
            self._take(index + 1)
            del self._elements[index]
        else:
            self._below(part).is_gone = True

    def move(self, index: int, to: int) -> None:
        """Move an element."""
        self._take(max(index, to) + 1)
        self._elements.insert(to, self._elements.pop(index))

    def _below(self, part: str) -> _Place:
        """Return the place of a key or element."""
        index = self._index(part)
        if index is not None:
            self._take(index + 1)
            return self._elements[index]
        if part not in self._keys:
            value = self.value.get(part, ABSENT) if isinstance(self.value, dict) else ABSENT
            self._keys[part] = _Place(value, partial=self._partial)
        return self._keys[part]

    def _index(self, part: str) -> int | None:
        """Return the index that a part of a path is; None for a key, and beyond the end of the list."""
        if self.value is ABSENT and self._partial:
            return index_of(part)
        if not isinstance(self.value, list):
            return None
        index = index_of(part)
        left = max(len(self.value) - self._taken, 0)
        return None if index is None or index > len(self._elements) + left else index

    def _take(self, size: int) -> None:
        """Have places for so many elements."""
        before = self.value if isinstance(self.value, list) else []
        while len(self._elements) < size:
            value = before[self._taken] if self._taken < len(before) else ABSENT
            self._elements.append(_Place(value, self._taken, partial=self._partial))
            self._taken += 1
