"""A merge as edits of items: lines and comments of everything that stays are not touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import diff
from krm_values._data.record import record
from krm_values._data.scalars.text import text_of
from krm_values._kit.planner.plan import Drop, Leaf, Move, Origin, Put
from krm_values.envgene_sd import outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.envgene_sd.outcomes import Row

    Edit: TypeAlias = Put | Drop | Move

_SPEC, _APPLICATIONS = ("spec",), ("spec", "applications")


@record
class Target:
    """The item that is edited, and the origin of all changes except those of its applications."""

    item: Item
    by: Origin


def edit(target: Target, old: JSON, new: dict[str, JSON], merged: Sequence[Row]) -> Iterator[Edit]:
    """Yield the edits from an SD (the item's `spec`, of any type) to a new one whose applications are those of the rows."""
    listed = old.get("applications") if isinstance(old, dict) else None
    if not isinstance(old, dict) or not old:
        yield Put(target.item, _SPEC, new, leaves(merged, _APPLICATIONS))
        return
    for key in old:
        if key not in new:
            yield Drop(target.item, (*_SPEC, key), target.by)
    before = ""
    for key, value in new.items():
        if key == "applications" and isinstance(listed, list):
            yield from _applications(target, listed, merged)
        elif key == "applications":
            yield Put(target.item, _APPLICATIONS, value, leaves(merged, _APPLICATIONS), after=before)
        else:
            yield from _changed(target, (*_SPEC, key), old, value, before)
        before = key


def leaves(merged: Sequence[Row], at: Path) -> tuple[Leaf, ...]:
    """Return the provenance of each application of a new list."""
    return tuple(_leaf(row, (*at, place)) for place, row in enumerate(outcomes.remaining(merged)))


def _changed(target: Target, path: Path, old: dict[str, JSON], new: JSON, before: str) -> Iterator[Edit]:
    """Yield the edits of one key of the map `old`."""
    key = str(path[-1])
    if key not in old:
        yield _put(target, path, new, after=before)
    elif data_edits.same(old[key], new):
        for place, value, behind in _respelled(old, {key: new}, path[:-1]):
            yield Drop(target.item, place, target.by)  # to the kit both numbers are one: it would not write the second
            yield _put(target, place, value, insert=isinstance(place[-1], int), after=behind)
    else:
        for step in diff(old[key], new, path):
            if isinstance(step, data_edits.Put):
                yield _put(target, step.path, step.value, insert=step.insert)
            else:
                yield Drop(target.item, step.path, target.by)


def _respelled(old: JSON, new: JSON, path: Path) -> Iterator[tuple[Path, JSON, str | None]]:
    """Yield equal numbers that are written differently, as 2.1 and 2.10, each with the key before it; `new` may have fewer keys."""
    steps: list[tuple[str | int, JSON, JSON, str | None]] = []
    if isinstance(new, dict) and isinstance(old, dict):
        behind_of = dict(zip(old, ["", *old], strict=False))
        steps = [(key, old[key], value, behind_of[key]) for key, value in new.items()]
    elif isinstance(new, list) and isinstance(old, list):
        steps = [(index, one, new[index], None) for index, one in enumerate(old)]
    for step, one, other, behind in steps:
        if isinstance(one, dict | list):
            yield from _respelled(one, other, (*path, step))
        elif isinstance(one, int | float) and text_of(one) != text_of(other):
            yield (*path, step), other, behind


def _applications(target: Target, old: list[JSON], merged: Sequence[Row]) -> Iterator[Edit]:
    result = outcomes.remaining(merged)
    staying = {row.at for row in result if row.at is not None}
    gone = {row.at: row.origin for row in merged if row.outcome == outcomes.REMOVED}
    for index in reversed(range(len(old))):
        if index not in staying:
            yield Drop(target.item, (*_APPLICATIONS, index), gone.get(index, target.by))
    order: list[int | None] = [index for index in range(len(old)) if index in staying]
    for place, row in enumerate(result):
        path = (*_APPLICATIONS, place)
        if row.at is None:
            yield Put(target.item, path, row.application.data, (_leaf(row, path),), insert=place < len(order))
            order.insert(place, None)
            continue
        at = order.index(row.at, place)
        if at != place:
            yield Move(target.item, (*_APPLICATIONS, at), place)
            order.insert(place, order.pop(at))
        yield from _application(target, path, old[row.at], row)


def _application(target: Target, path: Path, old: JSON, row: Row) -> Iterator[Edit]:
    new = row.application.data
    leaf = _leaf(row, path)
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield Put(target.item, path, new, (leaf,))
        return
    for key in old:
        if key not in new:
            yield Drop(target.item, (*path, key), row.origin)
    yield Put(target.item, leaf.path, leaf.value, (leaf,))
    own, before = Target(target.item, row.origin), ""
    for key, value in new.items():
        if key != "version":
            yield from _changed(own, (*path, key), old, value, before)
        before = key


def _leaf(row: Row, path: Path) -> Leaf:
    application = row.application
    return Leaf((*path, "version") if application.is_map else path, application.text, row.origin, row.overridden)


def _put(target: Target, path: Path, value: JSON, *, insert: bool = False, after: str | None = None) -> Put:
    origin = Origin(target.by.layer, value, target.by.item, target.by.path, config=target.by.config)
    return Put(target.item, path, value, (Leaf(path, value, origin),), insert=insert, after=after)
