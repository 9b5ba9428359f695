"""A document into which a function writes again and again: who wrote or removed each value, and the smallest edits in the end.

A place is a slot. An element of a list keeps its slot while others come and go, so that no path is counted anew and no element is taken for an
equal one. There are slots only where something was written or removed, and on the way there; the rest is plain data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import same
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._krm.plan import RESOURCE, Drop, Leaf, Origin, Put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item

    Writes: TypeAlias = Sequence["Write"]


@record
class Write:
    """A value that was written, or (`removes`) the removal of one. Later writes have greater numbers.

    writer: the item for which it is. over: the earlier writes at the place, around it and in it. lost: what it overrides beside these.
    value: what was made of the value of its origin; ABSENT if it is that. is_whole: what it wrote is one value, whose keys are a part of it.
    """

    number: int
    origin: Origin
    writer: Item | None
    removes: bool
    over: Writes
    lost: Sequence[Origin]
    value: JSON | Absent = ABSENT
    is_whole: bool = False

    @property
    def is_one(self) -> bool:
        """Whether its members are not told one by one: what a Secret's text holds, or is made of it, has no keys of its own."""
        return self.is_whole or self.origin.secret

    @property
    def overridden(self) -> tuple[Origin, ...]:
        """The overridden origins, nearest first; each once."""
        found = {id(origin): origin for origin in self.lost}
        seen: set[int] = set()
        stack = [*self.over]
        while stack:
            one = stack.pop()
            if one.number not in seen:
                seen.add(one.number)
                found.setdefault(id(one.origin), one.as_overridden)
                found |= {id(origin): origin for origin in one.lost if id(origin) not in found}
                stack += one.over
        return tuple(found.values())

    @property
    def as_overridden(self) -> Origin:
        """Its origin, or what was made of that: the value that would stand there without the writes after it."""
        is_same = self.value is ABSENT or same(self.origin.value, self.value)
        return self.origin if is_same else replace(self.origin, value=self.value, via=(self.origin,))

    def leaf(self, path: Path, value: JSON | Absent) -> Leaf:
        """Return the explanation of the value at a path."""
        return Leaf(path, value, self.origin, self.overridden, writer=self.writer)


class _Slot:
    """A place. write: of its whole value. below: the slots of members, or those of all elements.

    was: the index that an element had before all writes. gone: who removed members, and elements by that index. cut: who removed the whole map
    or list that was there before this one.
    """

    __slots__ = ("below", "cut", "gone", "was", "write")

    def __init__(self, was: int | None = None, cut: Write | None = None) -> None:
        self.was, self.cut = was, cut
        self.write: Write | None = None
        self.below: Any = {}
        self.gone: dict[str | int, Write] = {}

    def each(self) -> Iterable[tuple[Any, _Slot]]:
        return enumerate(self.below) if isinstance(self.below, list) else self.below.items()

    def writes(self, path: Path = ()) -> Iterator[tuple[Path, Write]]:
        """Yield the writes at the place and below it, with their paths; no removals."""
        if self.write is not None:
            yield path, self.write
        for key, slot in self.each():
            yield from slot.writes((*path, key))

    def all(self) -> list[Write]:
        """Return the writes at the place and below it."""
        return [write for _, write in self.writes()]

    def remover(self, key: str | int) -> Write:
        """Return what removed a member or element that was there before all writes."""
        return self.gone.get(key) or self.cut  # type: ignore[return-value]

    def removals(self, path: Path = ()) -> Iterator[tuple[Path, Write]]:
        """Yield the removals below the place."""
        yield from [((*path, key), write) for key, write in self.gone.items()]
        for key, slot in self.each():
            yield from slot.removals((*path, key))


class Edited:
    """A document while it is edited. pristine: its data before that. data: its data now.

    origin_of: returns the origin of a value before all writes. apart: the path of a map whose members count as written one by one, also with a map around it.
    """

    __slots__ = ("_apart", "_count", "_origin_of", "_root", "_written", "data", "pristine")

    def __init__(self, pristine: JSON, origin_of: Callable[[Path, JSON], Origin], apart: Path = ()) -> None:
        self.pristine = self.data = pristine
        self._origin_of, self._apart, self._root, self._count = origin_of, apart, _Slot(), 0
        self._written: tuple[set[Path], set[Path]] | None = None  # the places of writes, and those around them

    def note(
        self,
        data: JSON,
        path: Path,
        origin: Origin,
        writer: Item | None,
        *,
        removes: bool = False,
        inserts: bool = False,
        default: Sequence[Origin] = (),
        made: JSON | Absent = ABSENT,
        whole: bool = False,
    ) -> int:
        """Take the data after a value was written, inserted before the element at its path, or removed. Return the number of the write.

        default: what would be written instead. made: the value, if it may be another one than the origin's. whole: its keys are a part of it.
        """
        for place, is_removal in [(path, True)] if removes else self._parts(data, path):
            slots, was = self._way(data, place, inserts=inserts)
            key = place[-1] if place else ""
            over, lost = self._losers(slots, was, key, ABSENT if inserts else get(self.data, place, ABSENT))
            self._count += 1
            value = ABSENT if is_removal or made is ABSENT else get(made, place[len(path) :], ABSENT)
            write = Write(self._count, origin, writer, is_removal, over, (*default, *lost), value, whole)
            if is_removal:
                _remove(slots[-2], key, write)
            else:
                slots[-1].write, slots[-1].below, slots[-1].gone = write, {}, {}
        self.data, self._written = data, None
        return self._count

    def places(self) -> Iterator[Path]:
        """Yield the path of each value that was written or removed."""
        yield from [path for path, _ in (*self._root.writes(), *self._root.removals())]

    def leaves(self) -> Iterator[Leaf]:
        """Yield a leaf of each value that was written, and of each member that was removed, in the order in which that was done."""
        found = [*self._root.writes(), *(one for one in self._root.removals() if isinstance(one[0][-1], str))]
        yield from self.told(sorted(found, key=_number))

    def untouched(self) -> Iterator[Leaf]:
        """Yield a leaf of each scalar that was not written."""
        yield from self._untouched(self.data, self._root, (), ())

    def decisions(self, item: Item) -> Iterator[Put | Drop]:
        """Yield the smallest edits of an item, each with the writes that it is made of; then a put for each write that made no difference.

        Every path is valid after the edits before it, and remains that of its value.
        """
        changes = _Changes(item, self, self._apart, self._root)
        yield from changes.of(self.pristine, self.data, self._root, ())
        for path, write in sorted(changes.left.values(), key=_number):
            yield Put(item, path, get(self.data, path), (*self.told([(path, write)]),))

    def told(self, found: Sequence[tuple[Path, Write]]) -> Iterator[Leaf]:
        """Yield the leaves of writes at their paths. A map in which later ones wrote is told by its other members, unless it overrides something."""
        if self._written is None:
            written = {path for path, _ in self._root.writes()}
            self._written = written, {path[:size] for path in written for size in range(len(path))}
        written, around = self._written
        for path, write in found:
            if path in around and isinstance(get(self.data, path), dict) and not write.overridden and not write.is_one:
                yield from self.left_of(write, path, [*self._others(path, written, around)])
            else:
                yield from self.explained(write, path)

    def explained(self, write: Write, path: Path) -> Sequence[Leaf]:
        """Return the leaves of a write, whose value is at a path in the end."""
        return [write.leaf(path, ABSENT if write.removes else get(self.data, path))]

    def left_of(self, write: Write, path: Path, places: Sequence[Path]) -> Sequence[Leaf]:  # noqa: ARG002 - the path tells more where a write has leaves of its own
        """Return the leaves of a write of a map, into which later ones wrote, at the places that they left as they are."""
        return [write.leaf(at, get(self.data, at)) for at in places]

    def _others(self, path: Path, written: AbstractSet[Path], around: AbstractSet[Path]) -> Iterator[Path]:
        """Yield the places in a map at which nothing was written."""
        found: Any = get(self.data, path)
        for key, value in found.items():
            at = (*path, key)
            if at in around and isinstance(value, dict) and at not in written:
                yield from self._others(at, written, around)
            elif at not in written:
                yield at

    def overridden_by(self, removal: Write) -> Sequence[Origin]:
        """Return the layers' values that are not there because of a removal."""
        return tuple([origin for origin in removal.overridden if origin.layer != RESOURCE])

    def _parts(self, data: JSON, path: Path) -> Iterator[tuple[Path, bool]]:
        """Yield the places of which a write consists, and whether it removes what is there."""
        new = get(data, path)
        if len(path) >= len(self._apart) or path != self._apart[: len(path)] or not isinstance(new, dict):
            yield path, False
            return
        old = get(self.data, path)
        yield from [((*path, key), True) for key in (old if isinstance(old, dict) else ()) if key not in new]
        for key in new:
            yield from self._parts(data, (*path, key))

    def _way(self, data: JSON, path: Path, *, inserts: bool) -> tuple[list[_Slot], Path | None]:
        """Return the slots from the root to a place, and the path that its value had before all writes; None of a new element."""
        slots, was = [self._root], [*path]
        new = data
        for depth, key in enumerate(path):
            above, is_last = slots[-1], depth == len(path) - 1
            if isinstance(new, list) and isinstance(key, int):
                if not isinstance(above.below, list):
                    old = get(self.data, path[:depth])
                    above.below = [_Slot(index) for index in range(len(old) if isinstance(old, list) else 0)]
                if (inserts and is_last) or key == len(above.below):
                    above.below.insert(key, _Slot())
                was[depth] = above.below[key].was
            elif key not in above.below:
                above.below[key] = _Slot(cut=None if is_last else above.gone.pop(key, None))
            slots.append(above.below[key])
            new = get(new, (key,))
        return slots, None if None in was else (*was,)

    def _losers(
        self, slots: list[_Slot], was: Path | None, key: str | int, before: JSON | Absent
    ) -> tuple[Writes, Sequence[Origin]]:
        """Return the writes that one overrides, and the origins beside them: of a value of which some wrote parts, that of the whole as it is."""
        *above, slot = slots
        around = [write for one in above for write in (one.cut, one.write) if write and (write.removes or before is not ABSENT)]
        own = slot.write or (above[-1].gone.pop(key, None) if above and isinstance(key, str) else None)
        inner = [write for _, write in (*slot.writes(), *slot.removals()) if write is not slot.write]
        if around and not own and not inner and before is not ABSENT and around[-1].value is not ABSENT:
            around[-1] = replace(around[-1], value=before)  # the part of what it wrote that is at the place
        over = [*around, *([own] if own else ()), *sorted(inner, key=lambda one: one.number)]
        if before is ABSENT or not inner:
            return over, () if over or before is ABSENT else self._pristine(was)
        parts = [*(() if around or own else self._pristine(was)), *(one.origin for one in over if not one.removes)]
        return ((), (Origin(parts[-1].layer, before, via=(*parts,)),)) if parts else (over, ())

    def _pristine(self, path: Path | None) -> tuple[Origin, ...]:
        value = ABSENT if path is None else get(self.pristine, path, ABSENT)
        return () if path is None or value is ABSENT else (self._origin_of(path, value),)

    def _untouched(self, value: JSON, slot: _Slot | None, path: Path, was: Path) -> Iterator[Leaf]:
        if slot is not None and slot.write is not None:
            return
        if isinstance(value, dict):
            for key, below in value.items():
                yield from self._untouched(below, slot.below.get(key) if slot else None, (*path, key), (*was, key))
        elif isinstance(value, list):
            slots = slot.below if slot and slot.below else map(_Slot, range(len(value)))
            for index, (below, one) in enumerate(zip(value, slots, strict=True)):
                yield from self._untouched(below, one, (*path, index), (*was, one.was))
        else:
            yield Leaf(path, value, self._origin_of(was, value))


def _number(found: tuple[Path, Write]) -> int:
    return found[1].number


def _remove(holder: _Slot, key: str | int, write: Write) -> None:
    """Note what removed a member, or an element that was there before all writes."""
    slot = holder.below.pop(key)
    was = slot.was if isinstance(key, int) else key
    if was is not None:
        holder.gone[was] = write


class _Changes:
    """The edits that make the data of an item. left: the writes that none of them has so far, with their paths."""

    __slots__ = ("_apart", "_document", "_item", "left")

    def __init__(self, item: Item, document: Edited, apart: Path, root: _Slot) -> None:
        self._item, self._document, self._apart = item, document, apart
        self.left = {write.number: (path, write) for path, write in root.writes()}

    def of(self, before: JSON, now: JSON, slot: _Slot, path: Path) -> Iterator[Put | Drop]:
        """Yield the edits of a place in which something was written or removed."""
        if slot.write is not None:
            for at, value, writes in _members(before, now, slot, path, ()):
                yield (
                    Drop(self._item, at, writes[-1].origin, writes[-1].writer)
                    if value is ABSENT
                    else self._put(at, value, writes)
                )
        elif isinstance(slot.below, list) and isinstance(before, list) and isinstance(now, list):
            yield from self._elements(before, now, slot, path)
        elif isinstance(before, dict) and isinstance(now, dict):
            for key in before:
                if key not in now:
                    yield from self._drop((*path, key), before[key], slot.remover(key))
            for key, value in now.items():
                below = slot.below.get(key)
                if key not in before:
                    yield self._put((*path, key), value, below.all())
                elif below is not None:
                    yield from self.of(before[key], value, below, (*path, key))
        else:
            yield self._put(path, now, slot.all())

    def _elements(self, before: list[JSON], now: list[JSON], slot: _Slot, path: Path) -> Iterator[Put | Drop]:
        """Yield the edits of a list: removals, those of the last elements first, then each element at its place."""
        partners = _partners(slot.below, len(before))
        kept = {*partners}
        for index in range(len(before) - 1, -1, -1):
            if index not in kept:
                yield from self._drop((*path, index), before[index], slot.remover(index))
        for index, (one, old) in enumerate(zip(slot.below, partners, strict=True)):
            if old is None or one.was is one.write is None:
                yield self._put((*path, index), now[index], one.all(), insert=old is None)
            else:
                yield from self.of(before[old], now[index], one, (*path, index))

    def _put(self, path: Path, value: JSON, writes: Iterable[Write], *, insert: bool = False) -> Put:
        found = [self.left.pop(number) for number in sorted(write.number for write in writes) if number in self.left]
        return Put(self._item, path, value, (*self._document.told(found),), insert=insert)

    def _drop(self, path: Path, before: JSON, write: Write) -> Iterator[Drop]:
        """Yield a removal; of a map that is apart, those of its members."""
        if path == self._apart and isinstance(before, dict):
            yield from [Drop(self._item, (*path, key), write.origin, write.writer) for key in before]
        else:
            yield Drop(self._item, path, write.origin, write.writer, self._document.overridden_by(write))


def _partners(slots: Sequence[_Slot], size: int) -> list[int | None]:
    """Return the first index of each element; of a new one that of an element that went from its place, None if there is none.

    size: of the list before.
    """
    partners = [one.was for one in slots]
    new: list[int] = []
    start = 0
    for index, was in enumerate([*partners, size]):
        if was is None:
            new.append(index)
            continue
        for at, old in zip(new, range(start, was), strict=False):
            partners[at] = old
        new, start = [], was + 1
    return partners


def _members(
    before: JSON, now: JSON, slot: _Slot | None, path: Path, around: Writes
) -> Iterator[tuple[Path, JSON | Absent, Writes]]:
    """Yield the members that differ in a value that was written, ABSENT where there is none any more, with the writes in and around them. A list is one.

    What comes from a Secret differs from everything, so that the edits do not tell what it equals.
    """
    if slot is not None and slot.write is not None:
        around = (*around, slot.write)
    is_one = slot is not None and slot.write is not None and slot.write.is_one
    if isinstance(before, dict) and isinstance(now, dict) and not is_one:
        yield from [((*path, key), ABSENT, around) for key in before if key not in now]
        for key, value in now.items():
            below = slot.below.get(key) if slot else None
            if key in before:
                yield from _members(before[key], value, below, (*path, key), around)
            else:
                yield (*path, key), value, (*around, *(below.all() if below else ()))
    else:
        writes = (*around, *(slot.all() if slot else ()))
        if not same(before, now) or any(write.is_one for write in writes):
            yield path, now, writes
