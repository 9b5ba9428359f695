"""Steps in the wrong order: one reads what a later one writes, and does not see it."""

from __future__ import annotations

from posixpath import join
from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._krm import places
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding
from krm_values._run import generated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._run.pipeline import Ran
    from krm_values._run.state import Decision

    _Header = tuple[str, str, str, str]
    _Place = tuple[str, ...]
    _Writings = dict[_Header, dict[int, "_Written"]]


KIND = "order"


def findings(ran: Sequence[Ran]) -> Iterator[Finding]:
    """Yield an info finding for each resource of which a step reads what a later one writes, or that a later one generates."""
    later: _Writings = {}
    found: list[list[Finding]] = []
    for step in reversed(ran):
        found.append([*_of_step(step, later)] if later else [])
        for decision in step.outcome.decisions if not step.task.validates else ():
            inner = decision.leaf.inner if decision.leaf else None
            later.setdefault(generated.header(decision.item), {}).setdefault(id(step), _Written(step)).add(
                _place(decision.path, inner), decision
            )
    for one in reversed(found):
        yield from one


def _of_step(step: Ran, later: _Writings) -> Iterator[Finding]:
    reported: set[tuple[_Header, int]] = set()
    for item, path, inner in _read(step):
        header, place = generated.header(item), _place(path, inner)
        for number, written in later.get(header, {}).items():
            found = written.overlapping(place) if (header, number) not in reported else None
            if found is not None:
                reported.add((header, number))
                text = _text(step, written.step, f"`{to_field(path)}`", "writes", _from(found))
                yield Finding("info", KIND, None, text, item, path)
    for kind, group, namespace, name in sorted(step.outcome.missed):
        for header, writings in later.items():
            if (kind, group, name) == (header[0], header[1], header[3]) and namespace in ("", header[2]):
                title = f"{kind} {header[2]}/{name}" if header[2] else f"{kind} {name}"
                writer = next(iter(writings.values())).step
                yield Finding("info", KIND, None, _text(step, writer, title, "makes"))


class _Written:
    """The places of one resource that a step writes."""

    __slots__ = ("_above", "_places", "step")

    def __init__(self, step: Ran) -> None:
        self.step = step
        self._places: dict[_Place, Decision] = {}
        self._above: dict[_Place, Decision] = {}

    def add(self, place: _Place, decision: Decision) -> None:
        self._places[place] = decision
        for size in range(len(place)):
            self._above.setdefault(place[:size], decision)

    def overlapping(self, place: _Place) -> Decision | None:
        """Return a decision about this place, one above it or one below it; None if there is none."""
        above = (self._places[place[:size]] for size in range(len(place) + 1) if place[:size] in self._places)
        return next(above, self._above.get(place))


def _place(path: Path, inner: Path | None) -> _Place:
    """Return a path and the path inside the text there as one."""
    return (*map(str, path), *(() if inner is None else ("»", *map(str, inner))))


def _read(step: Ran) -> Iterator[tuple[Item, Path, Path | None]]:
    """Yield the places whose values a step used or compared, each once."""
    seen: set[tuple[int, Path, Path | None]] = set()
    for decision in step.outcome.decisions:
        for origin in (decision.leaf.origin, *decision.leaf.overridden) if decision.leaf else ():
            for one in origin.trail():
                if isinstance(one.item, Item) and (place := (id(one.item), one.path, one.inner)) not in seen:
                    seen.add(place)
                    yield one.item, one.path, one.inner


def _from(decision: Decision) -> str:
    """Return the line of the value that a step writes, `, from a.yaml:6`; "" if it has none."""
    origin = decision.leaf.origin if decision.leaf else None
    line = places.of_origin(origin)[0] if origin else 0
    return f", from {places.shown(origin.item, (line, 0))}" if origin and isinstance(origin.item, Item) and line else ""


def _text(reader: Ran, writer: Ran, what: str, verb: str, line: str = "") -> str:
    if writer.task.package != reader.task.package:
        writes, reads = (f"`{one.task.step.field}` of {join(one.task.package, 'Kptfile')}" for one in (writer, reader))
        advice = ", since a package is rendered after the packages in it: move one of the two steps to the other's Kptfile"
    else:
        writes, reads = (f"`{one.task.step.field}`" for one in (writer, reader))
        names = (writer.function, reader.function) if writer.function != reader.function else (writes, reads)
        advice = f": put {names[0]} before {names[1]}"
    return f"{reader.function} ({reads}) reads {what}, which {writer.function} ({writes}) {verb} only later{line}{advice}"
