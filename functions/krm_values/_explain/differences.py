"""The differences of two states: values that are added, removed or changed, and changed winners, each with its cause."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.pointer import to_field
from krm_values._data.record import record, replace
from krm_values._kit.planner import findings
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.states import Entry, Key, State
    from krm_values._explain.ways import Way

ADDED, REMOVED, CHANGED, WINNER = "added", "removed", "changed", "winner"
_HIDDEN = "<hidden>"
_GONE, _SETS = "is gone", "sets it"
_INDEX = re.compile(r"\[\d+\]")


@record
class Difference:
    """One value in two states; None where it is absent. because: its cause. at: the place of the cause, "" for none."""

    kind: str
    title: str
    path: Path
    inner: Path | None
    before: Entry | None
    after: Entry | None
    at: str
    because: str

    @property
    def winner(self) -> str:
        """The layer at the end of the value's way, with its place, if that was another one before."""
        ends = [next(one.way.ends()) if one and one.way else None for one in (self.before, self.after)]
        old, new = ends
        if old is None or new is None or _origin(old) == _origin(new):
            return ""
        return f"{new.origin.layer} {address(new.file, new.line) if new.line else ''}".rstrip()

    @property
    def field(self) -> str:
        """The path of the value: within its text if it is in one."""
        return to_field(self.path if self.inner is None else self.inner) or to_field(self.path)


def between(before: State, after: State) -> list[Difference]:
    """Return the differences by resource, in the order of the second state; removed values come last in their resource."""
    resources: dict[tuple[str, str], list[Difference]] = {}
    keys = [*after.values, *(key for key in before.values if key not in after.values)]
    keys += _literals(before, after)
    for key in keys:
        if found := _difference(key, before.entry(key), after.entry(key)):
            one = _without_cause(found) if _is_there(found, before, after) else found
            resources.setdefault(key[:2], []).append(one)
    return [found for differences in resources.values() for found in differences]


def _literals(before: State, after: State) -> list[Key]:
    """Return the places where objects that both states generate have different literals."""
    old, new = before.literals(), after.literals()
    both = {key[:2] for key in old} & {key[:2] for key in new}
    found = [key for key in new if key not in old or not _is_same(old[key], new[key])]
    return [key for key in (*found, *(key for key in old if key not in new)) if key[:2] in both]


def shown(entry: Entry | None) -> str:
    """Return the value in one line of YAML."""
    if entry is None:
        return ""
    return _HIDDEN if entry.hidden else emit.flow(entry.shown)


def _difference(key: Key, before: Entry | None, after: Entry | None) -> Difference | None:
    title, _, path, inner = key
    if before is None or after is None:
        kind, (at, why) = (ADDED, _cause(None, after)) if before is None else (REMOVED, _cause(before, None))
        return Difference(kind, title, path, inner, before, after, at, why)
    if _is_same(before.value, after.value):
        if _winner(before) == _winner(after):
            return None
        return Difference(WINNER, title, path, inner, before, after, *_cause(before, after))
    return Difference(CHANGED, title, path, inner, before, after, *_cause(before, after))


def _cause(before: Entry | None, after: Entry | None) -> tuple[str, str]:
    """Return the place of the cause and the sentence that is reported for it."""
    old, new = _sources(before), _sources(after)
    for key, way in new.items():
        if key in old and not _is_same(old[key].origin.value, way.origin.value):
            return address(way.file, way.line), "changed"
    for key, way in new.items():
        if key not in _sources(before, losers=True):
            return address(way.file, way.line), "now sets it" if before else _SETS
    for key, way in old.items():
        if key not in _sources(after, losers=True):
            return address(way.file, way.line), "no longer sets it" if after else _GONE
    winner = next((way for key, way in new.items() if key not in old), None)
    return (address(winner.file, winner.line), "now overrides what set it") if winner else ("", "")


def _sources(entry: Entry | None, *, losers: bool = False) -> dict[object, Way]:
    """Return where a value comes from, without line numbers, which may move. losers: include the layers that it overrides."""
    if entry is None or entry.way is None:
        return {}
    ways = entry.way, *(entry.overridden if losers else ())
    return {_place(one): one for way in ways for one in _written(way)}


def _written(way: Way) -> Iterator[Way]:
    """Yield the places on a way that are known, those at its end first."""
    yield from sorted((one for one in way.all() if one.line), key=lambda one: bool(one.via))


def _without_cause(one: Difference) -> Difference:
    return replace(one, at="", because="")


def _is_there(one: Difference, before: State, after: State) -> bool:
    """Return whether the supposed cause is in both states, so that the real cause is another: a layer that is newly read, or no longer."""
    entry, other = (
        (one.before, after) if one.because == _GONE else (one.after, before) if one.because == _SETS else (None, after)
    )
    way = next((way for way in _sources(entry).values() if address(way.file, way.line) == one.at), None)
    return way is not None and other.authored.has(way)


def _place(way: Way) -> tuple[object, ...]:
    """Return the object and the field of a layer, in whatever file; without an object, the file."""
    origin = way.origin
    title = findings.title(origin.item) if origin.item else ""
    return "" if title.strip() else way.file, title, origin.path, origin.inner


def _origin(way: Way) -> tuple[object, ...]:
    """Return the same without the layer's index, since earlier layers may have been added or removed."""
    file, title, path, inner = _place(way)
    return file, title, tuple(part for part in path if isinstance(part, str)), inner  # type: ignore[attr-defined]


def _winner(entry: Entry) -> object:
    """Return the winning layer and its place, without line numbers and without the layer's index."""
    return (_INDEX.sub("", entry.way.origin.layer), *_origin(entry.way)) if entry.way else None


def _is_same(one: JSON, other: JSON) -> bool:
    """Return whether two values are equal, however strings are quoted; 1 differs from true, and 1.0 from 1."""
    if isinstance(one, str) and isinstance(other, str):
        return str(one) == str(other)
    if isinstance(one, dict) and isinstance(other, dict):
        return [*one] == [*other] and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(one) is type(other) and emit.flow(one) == emit.flow(other)
