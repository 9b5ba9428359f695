"""What an item is before anybody wrote to it: our changes taken out of what people have made of it since.

A merge of three: `base` is the item as it was, `left` what a run made of it, `now` what stands there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from krm_values._data.data_edits import same

Json = Any
Path = tuple[Any, ...]
ABSENT = object()


class Unclear(Exception):
    """The texts leave open which element of a list is whose."""


@dataclass
class Hands:
    """edited: whether something else stands where we wrote. lost: lists with an element of ours that is gone while another is in its place."""

    edited: bool = False
    lost: list[Path] = field(default_factory=list)


def undone(base: Json, left: Json, now: Json, hands: Hands, path: Path = ()) -> Json:
    """`now` without what leads from `base` to `left`."""
    if alike(left, now):
        return base
    if alike(base, left):
        return now
    if isinstance(base, dict) and isinstance(left, dict):
        members = now if isinstance(now, dict) else {}
        hands.edited |= now is not members and taken(base, left)
        found = {
            key: undone(base.get(key, ABSENT), left.get(key, ABSENT), members.get(key, ABSENT), hands, (*path, key))
            for key in [*members, *(key for key in {**base, **left} if key not in members)]
        }
        return now if now is not members else {key: value for key, value in found.items() if value is not ABSENT}
    if isinstance(base, list) and isinstance(left, list) and isinstance(now, list):
        return elements(base, left, now, hands, path)
    hands.edited |= taken(base, left) and not alike(base, now)
    return now


def taken(base: Json, left: Json) -> bool:
    """Whether anything of what was there has been changed or taken out, which a place that is gone with all around it cannot get back."""
    if isinstance(base, dict) and isinstance(left, dict):
        return any(taken(base[key], left.get(key, ABSENT)) for key in base)
    if isinstance(base, list) and isinstance(left, list):
        return any(index_of(one, left) is None for one in base)
    return not alike(base, left)


def elements(base: list[Json], left: list[Json], now: list[Json], hands: Hands, path: Path) -> list[Json]:
    """A list without our elements and with those that we took out."""
    if any(repeats(one) for one in (base, left, now)):
        raise Unclear
    ours, gone = [index_of(one, base) is None for one in left], [index_of(one, left) is None for one in base]
    found = list(now)
    if any(ours) and any(gone):
        if ours != gone:
            raise Unclear
        for index, one in enumerate(left):
            if ours[index]:
                at = index_of(one, found)
                if at is not None:
                    found[at] = base[index]
                elif index < len(now) and index_of(now[index], left) is None and isinstance(now[index], dict):
                    found[index] = undone(base[index], one, now[index], hands, (*path, index))
                else:
                    raise Unclear
        return found
    missing = [index for index, one in enumerate(left) if ours[index] and index_of(one, now) is None]
    if missing and sum(ours) > 1:
        raise Unclear
    if missing and missing[0] < len(now):
        hands.lost.append(path)
    found = [one for one in found if not ((at := index_of(one, left)) is not None and ours[at])]
    for index, one in enumerate(base):
        if gone[index] and index_of(one, found) is None:
            found.insert(min(index, len(found)), one)
    return found


def alike(one: Json, other: Json) -> bool:
    return one is other or (one is not ABSENT and other is not ABSENT and same(one, other))


def index_of(wanted: Json, among: list[Json]) -> int | None:
    return next((index for index, one in enumerate(among) if alike(one, wanted)), None)


def repeats(values: list[Json]) -> bool:
    return any(index_of(one, values) != index for index, one in enumerate(values))
