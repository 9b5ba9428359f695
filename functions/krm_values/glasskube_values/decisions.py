"""The decisions (edits of a plan) that change an item to the patched document, each with its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import Remove, copy
from krm_values._data.diff import diff
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import replace
from krm_values._data.scalars.tags import TaggedList, TaggedMap, tagged
from krm_values._data.values import FlowList
from krm_values._kit.planner.plan import RESOURCE, Drop, Leaf, Put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Origin
    from krm_values.glasskube_values.documents import Document, Written

_ANNOTATIONS = ("metadata", "annotations")


def decisions(item: Item, document: Document) -> Iterator[Put | Drop]:
    """Yield the smallest edits of an item; then a Put for each written place whose value was the same before."""
    left, removers = PathTree(), _Removers(document)
    for one in document.written:
        for part in () if one.removed else _parts(one, document):
            left.add(part.path, part)
    whole: Path | None = None
    for edit in diff(document.pristine, _veiled(document)):
        if whole is not None and edit.path[: len(whole)] == whole:
            continue
        if not isinstance(edit, Remove):
            value = _unveiled(edit.value)  # type: ignore[union-attr]
            yield Put(item, edit.path, value, _taken(left, document, edit.path), insert=edit.insert)  # type: ignore[union-attr]
            continue
        over = left.above(edit.path)
        if over:
            whole = over[0].path
            yield Put(item, whole, document.value(over[0]), _taken(left, document, whole))
        else:
            yield from _drops(item, document, edit.path, removers)
    for one in left.every():
        yield Put(item, one.path, document.value(one), (_leaf(one, document),))


class _Veil:
    """A value from a Secret, equal to no other: which edits there are, and their order, does not depend on what it equals."""

    __slots__ = ("value",)

    def __init__(self, value: JSON) -> None:
        self.value = value


def _veiled(document: Document) -> Any:
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


def leaves(document: Document, above: Path) -> Iterator[Leaf]:
    """Yield a leaf for every written place of a part of a generated object. above: the path of the part."""
    for one in document.written:
        if not one.removed:
            yield Leaf((*above, *one.path), document.value(one), one.origin, one.overridden)


def _parts(one: Written, document: Document) -> Iterator[Written]:
    """Yield a written place; one that contains the annotations, which hosts also write, member by member."""
    found = document.value(one)
    if len(one.path) < len(_ANNOTATIONS) and one.path == _ANNOTATIONS[: len(one.path)] and isinstance(found, dict):
        for path in ((*one.path, key) for key in found):
            others = tuple(origin for origin in one.overridden if origin.layer != RESOURCE)
            yield from _parts(replace(one, path=path, over=(), before=(*others, *document.authored(path))), document)
    else:
        yield one


def _taken(left: PathTree, document: Document, path: Path) -> tuple[Leaf, ...]:
    """Return the leaves of an edit: of the written places in it or around it."""
    return tuple(_leaf(one, document) for one in left.take(path))


def _leaf(one: Written, document: Document) -> Leaf:
    return Leaf(one.path, document.value(one), one.origin, one.overridden)


def _drops(item: Item, document: Document, path: Path, removers: _Removers) -> Iterator[Drop]:
    """Yield a removal; of all annotations one by one, since a planner does not see all of them."""
    origin = removers.of(path)
    found = get(document.pristine, path)
    if path == _ANNOTATIONS and isinstance(found, dict):
        for key in found:
            yield Drop(item, (*path, key), origin)
    else:
        yield Drop(item, path, origin)


class _Removers:
    """The origin of removals; list elements may have moved since."""

    __slots__ = ("_beside", "_exact", "_last", "_over")

    def __init__(self, document: Document) -> None:
        written = document.written
        removed = [one for one in written if one.removed]
        self._over = PathTree()
        for one in written:
            if not one.removed:
                self._over.add(one.path, one)
        self._exact = {one.path: one for one in removed or written}
        self._beside = {one.path[:-1]: one for one in removed or written}
        self._last = (removed or written)[-1:]

    def of(self, path: Path) -> Origin:
        """Return the origin of the removal at a path."""
        over: list[Written] = self._over.above(path)
        if over:
            return _nearest(over, path).origin
        found = self._exact.get(path) or self._beside.get(path[:-1])
        return (found or self._last[0]).origin


def _nearest(found: list[Written], path: Path) -> Written:
    return ([one for one in found if one.path == path] or [one for one in found if one.path[:-1] == path[:-1]] or found)[-1]
