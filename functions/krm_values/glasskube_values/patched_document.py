"""A resource, or the values of a chart, while targets are applied: its data so far, the origin of each written place, and its decisions.

Decisions are the edits of a plan that make the patched document of an item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import shifting
from krm_values._data.data_edits import Put as Insert
from krm_values._data.data_edits import Remove, copy
from krm_values._data.diff import diff
from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._data.scalars import TaggedList, TaggedMap, tagged
from krm_values._data.values import FlowList
from krm_values._krm.plan import RESOURCE, Drop, Leaf, Origin, Put
from krm_values.glasskube_values import json_patch
from krm_values.glasskube_values.json_patch import PatchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from krm_values._data.data_edits import Edit
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values.glasskube_values.json_patch import Patched
    from krm_values.glasskube_values.patches import Patch

_ANNOTATIONS = ("metadata", "annotations")


@record
class Written:
    """A place that a target wrote or removed.

    package: the one whose target it was. over: the earlier writes of the same place. before: the origin of the value before all of them.
    default: what the target would have written without the Package's value.
    """

    path: Path
    origin: Origin
    package: Item
    over: tuple[Written, ...] = ()
    before: tuple[Origin, ...] = ()
    removed: bool = False
    default: tuple[Origin, ...] = ()

    @property
    def overridden(self) -> tuple[Origin, ...]:
        """The overridden origins, nearest first; each once."""
        found: dict[int, Origin] = {id(origin): origin for origin in (*self.default, *self.before)}
        seen: set[int] = set()
        stack = [*self.over]
        while stack:
            one = stack.pop()
            if id(one) not in seen:
                seen.add(id(one))
                found |= {id(origin): origin for origin in (one.origin, *one.default, *one.before) if id(origin) not in found}
                stack += one.over
        return tuple(found.values())


class PatchedDocument:
    """Plain data and its patches. pristine: the data before. patched: whether any patch was applied, including a `test`."""

    __slots__ = ("_limits", "_origin_of", "_patches", "_tree", "data", "patched", "pristine")

    def __init__(self, pristine: JSON, origin_of: Callable[[Path, JSON], Origin], limits: Limits = DEFAULT) -> None:
        self.pristine = self.data = pristine
        self._origin_of, self._limits, self._patches = origin_of, limits, 0
        self._tree = PathTree()
        self.patched = False

    @property
    def written(self) -> list[Written]:
        """The written places, in the order in which they were written."""
        return self._tree.every()

    def apply(self, patch: Patch, *, create_parents: bool) -> Patched:
        """Apply one patch. PatchError, of kind `many` beyond the limit, if that is not possible: the data stay as they are, but the patch counts."""
        self._patches += 1
        if self._patches > self._limits.patches:
            text = f"must not have more than {self._limits.patches:,} patches, found more"
            raise PatchError("many", None, beyond(self._limits, "patches", text))
        target = patch.target
        done = json_patch.apply(self.data, target.op, target.pointer, patch.value, create_parents=create_parents)
        self.data, self.patched = done.data, True
        if done.path is not None:
            self._take(done, done.path, patch)
        return done

    def value(self, written: Written) -> JSON:
        """Return the final value of a written place."""
        return get(self.data, written.path)

    def origin_before(self, path: Path) -> tuple[Origin, ...]:
        """Return the origin of the value that was at a path before any patch; () if there was none."""
        value = get(self.pristine, path, ABSENT)
        return () if value is ABSENT else (self._origin_of(path, value),)

    def _take(self, done: Patched, path: Path, patch: Patch) -> None:
        """Remember one operation that wrote or removed a value."""
        if done.inserted:
            self._shift(Insert(path, None, insert=True))
        above: list[Written] = self._tree.above(path[:-1]) if path else []
        below: list[Written] = self._tree.below(path)
        over = [*above, *below]
        before = () if done.before is ABSENT or over else (self._origin_of(path, done.before),)
        if done.before is not ABSENT and any(one.path != path and not one.removed for one in below):
            over, before = [], (self._composed(path, done.before, over),)
        self._tree.drop(path)
        removed = patch.target.op == "remove"
        if removed and isinstance(get(self.data, path[:-1]), list):
            self._shift(Remove(path))
        self._tree.add(
            path, Written(path, patch.origin, patch.subject.package.item, tuple(over), before, removed, patch.default)
        )

    def _composed(self, path: Path, value: JSON, over: Sequence[Written]) -> Origin:
        """Return the origin of a value of which targets wrote parts: composed of these, and of what was there before if none wrote all of it."""
        is_whole = any(len(one.path) <= len(path) for one in over)
        parts = (*(() if is_whole else self.origin_before(path)), *(one.origin for one in over if not one.removed))
        return Origin(parts[-1].layer, value, via=parts)

    def _shift(self, edit: Edit) -> None:
        """Move the written places of elements after one that was inserted or removed."""
        elements = get(self.data, edit.path[:-1])
        if isinstance(elements, list) and edit.path[-1] == len(elements) - isinstance(edit, Insert):  # the last one
            return

        def moved(one: Written) -> tuple[Path, Written]:
            path = shifting.after(one.path, edit) or one.path
            return path, replace(one, path=path)

        self._tree.move(edit.path[:-1], moved)


def decisions(item: Item, document: PatchedDocument) -> Iterator[Put | Drop]:
    """Yield the edits from the original to the patched data, each explained by the places written in or around it.

    Then yield a Put for each written place that is still unexplained: its value was the same before.
    """
    unexplained, blame = PathTree(), _Blame(document)
    for one in document.written:
        if not one.removed:
            for part in _parts(one, document):
                unexplained.add(part.path, part)
    covered: Path | None = None  # by the last whole write: the edits below it come directly after it
    veiled = _veiled(document)
    found = [*diff(document.pristine, veiled)]
    shifted = {edit.path[:-1] for edit in found if isinstance(edit, Remove) and isinstance(edit.path[-1], int)}
    for edit in found:
        if covered is not None and edit.path[: len(covered)] == covered:
            continue
        whole = _whole_write_around(edit, unexplained)
        above = next((edit.path[:size] for size in range(len(edit.path)) if edit.path[:size] in shifted), None)
        if above is not None and unexplained.below(above) and not unexplained.above(above):
            covered = above  # an edit and a write count the elements of this list in different states
            yield Put(item, covered, _unveiled(get(veiled, covered)), _taken(unexplained, document, covered))
        elif whole is not None:
            covered = whole.path
            yield Put(item, covered, document.value(whole), _taken(unexplained, document, covered))
        elif isinstance(edit, Remove):
            yield from _drops(item, document, edit.path, blame)
        else:
            value = _unveiled(edit.value)
            yield Put(item, edit.path, value, _taken(unexplained, document, edit.path), insert=edit.insert)
    for one in unexplained.every():
        yield Put(item, one.path, document.value(one), (_leaf(one, document),))


def leaves(document: PatchedDocument, above: Path) -> Iterator[Leaf]:
    """Yield a leaf for every place of a part of a generated object that was written or, but for elements of lists, removed. above: the path of the part."""
    for one in document.written:
        if not one.removed:
            yield _leaf(one, document, above)
        elif isinstance(one.path[-1], str):
            yield Leaf((*above, *one.path), ABSENT, one.origin, one.overridden, writer=one.package)


def _whole_write_around(edit: Edit, unexplained: PathTree) -> Written | None:
    """Return the write whose whole value is put instead of an edit: one around what is removed, or around a list whose element is edited.

    It is the outermost one, which is always the first: a write forgets those below it.
    """
    lists = [edit.path[:size] for size, part in enumerate(edit.path) if isinstance(part, int)]
    places = [edit.path] if isinstance(edit, Remove) else lists
    return next((found[0] for path in places if (found := unexplained.above(path))), None)


def _parts(one: Written, document: PatchedDocument) -> Iterator[Written]:
    """Yield a written place; one that contains the annotations, which hosts also write, member by member."""
    found = document.value(one)
    if len(one.path) < len(_ANNOTATIONS) and one.path == _ANNOTATIONS[: len(one.path)] and isinstance(found, dict):
        for path in ((*one.path, key) for key in found):
            others = tuple(origin for origin in one.overridden if origin.layer != RESOURCE)
            yield from _parts(replace(one, path=path, over=(), before=(*others, *document.origin_before(path))), document)
    else:
        yield one


def _taken(left: PathTree, document: PatchedDocument, path: Path) -> tuple[Leaf, ...]:
    """Return the leaves of an edit: of the written places in it or around it."""
    return tuple(_leaf(one, document) for one in left.take(path))


def _leaf(one: Written, document: PatchedDocument, above: Path = ()) -> Leaf:
    return Leaf((*above, *one.path), document.value(one), one.origin, one.overridden, writer=one.package)


def _drops(item: Item, document: PatchedDocument, path: Path, blame: _Blame) -> Iterator[Drop]:
    """Yield a removal; of all annotations one by one, since a planner does not see all of them."""
    one = blame.for_missing(path)
    found = get(document.pristine, path)
    if path == _ANNOTATIONS and isinstance(found, dict):
        for key in found:
            yield Drop(item, (*path, key), one.origin, one.package)
    else:
        others = [origin for origin in one.overridden if origin.layer != RESOURCE] if one.path == path else ()
        yield Drop(item, path, one.origin, one.package, tuple(others))


class _Blame:
    """Which write to name for a value that is gone. In lists it is a guess: removals and the edits of a diff count elements in different states."""

    __slots__ = ("_exact", "_last", "_siblings", "_values")

    def __init__(self, document: PatchedDocument) -> None:
        written = document.written
        removals = [one for one in written if one.removed] or written
        self._values = PathTree()
        for one in written:
            if not one.removed:
                self._values.add(one.path, one)
        self._exact = {one.path: one for one in removals}
        self._siblings = {one.path[:-1]: one for one in removals}
        self._last = removals[-1:]

    def for_missing(self, path: Path) -> Written:
        """Return the innermost write of a value around a place, which left it out; else the removal of that very place, of a sibling, or the last one.

        Where nothing was removed, a write counts as a removal.
        """
        around: list[Written] = self._values.above(path)
        if around:
            return around[-1]
        return self._exact.get(path) or self._siblings.get(path[:-1]) or self._last[0]


class _Veil:
    """A value from a Secret, equal to no other: which edits there are, and their order, does not depend on what it equals."""

    __slots__ = ("value",)

    def __init__(self, value: JSON) -> None:
        self.value = value


def _veiled(document: PatchedDocument) -> Any:
    """Return the patched data with the scalars from Secrets veiled."""
    secret = [one.path for one in document.written if not one.removed and one.origin.secret]
    if not secret:
        return document.data
    data: Any = copy(document.data)
    for path in secret:
        parent = get(data, path[:-1], None)
        if path and isinstance(parent, dict | list) and get(parent, path[-1:], ABSENT) is not ABSENT:
            parent[path[-1]] = _scalars_veiled(parent[path[-1]])  # type: ignore[index]
    return data


def _scalars_veiled(value: Any) -> Any:
    return _mapped(value, lambda scalar: scalar if isinstance(scalar, _Veil) else _Veil(scalar))


def _unveiled(value: Any) -> Any:
    return _mapped(value, lambda scalar: scalar.value if isinstance(scalar, _Veil) else scalar)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy of a value with changed scalars, in the style and with the source text that the original knows."""
    if isinstance(value, dict):
        members = {key: _mapped(inner, change) for key, inner in value.items()}
        return tagged(members, value.tags) if isinstance(value, TaggedMap) else members
    if isinstance(value, list):
        elements = [_mapped(inner, change) for inner in value]
        if isinstance(value, FlowList):
            return FlowList(elements)
        return tagged(elements, value.tags) if isinstance(value, TaggedList) else elements
    return change(value)
