"""The differences as they may be named: a key that came from a Secret is none of a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._explain.causes import ONE_OF
from krm_values._explain.comparer import ADDED, CHANGED, REMOVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._explain.comparer import Place
    from krm_values._explain.differences import Difference
    from krm_values._explain.sides import Side


def named(found: Sequence[Difference], before: Side, after: Side) -> list[Difference]:
    """Return the differences with the places by which they may be named; those within one hidden value are one."""
    kept: dict[object, Difference] = {}
    for number, one in enumerate(found):
        sides = [(after, one.pair.after, one.after, one.place), (before, one.pair.before, one.before, one.was or one.place)]
        hidden = [(side, document, at) for side, document, entry, at in sides if document and entry and entry.hidden and at]
        place = next((side.told(document, at) for side, document, at in hidden), one.place)
        if place is None or place == one.place:
            kept[number] = one
        else:
            key = one.key[0], place
            kept[key] = _joined(kept.get(key), one, place, (before, after))
    return [*kept.values()]


def _joined(first: Difference | None, one: Difference, place: Place, sides: tuple[Side, Side]) -> Difference:
    """Return a difference with another one within the hidden value at a place."""
    known = first or one
    old, new = (
        own or other or (side.value(document, place, None) if document and side.decides(document, place) else None)
        for own, other, side, document in (
            (known.before, one.before, sides[0], one.pair.before),
            (known.after, one.after, sides[1], one.pair.after),
        )
    )
    kind = CHANGED if old and new else ADDED if new else REMOVED
    given = {cause.number: cause for each in (known, one) for cause in each.causes or ()}
    listed = None if one.causes is None else tuple([given[number] for number in sorted(given)])
    proof = one.proof if one.proof == known.proof else ONE_OF
    return replace(known, kind=kind, place=place, was=place if old else None, before=old, after=new, causes=listed, proof=proof)
