"""Steps in the wrong order: one reads what a later one writes, and does not see it."""

from __future__ import annotations

from posixpath import join
from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding
from krm_values._run.generated import header_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._krm.plan import New
    from krm_values._run.pipeline import Ran

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
            later.setdefault(_header(decision.item), {}).setdefault(id(step), _Written(step)).add(_place(decision.path, inner))
    for one in reversed(found):
        yield from one


def _of_step(step: Ran, later: _Writings) -> Iterator[Finding]:
    reported: set[tuple[_Header, int]] = set()
    for item, path, inner in _read(step):
        header, place = _header(item), _place(path, inner)
        for number, written in later.get(header, {}).items():
            if (header, number) not in reported and written.overlaps(place):
                reported.add((header, number))
                text = _text(step, written.step, f"`{to_field(path)}`", "writes")
                yield Finding("info", KIND, None, text, item, path)
    for kind, group, namespace, name in sorted(step.outcome.missed):
        for header, writings in later.items():
            if (kind, group, name) == (header[0], header[1], header[3]) and namespace in ("", header[2]):
                title = f"{kind} {header[2]}/{name}" if header[2] else f"{kind} {name}"
                writer = next(iter(writings.values())).step
                yield Finding("info", KIND, None, f"{_text(step, writer, title, 'makes')}, or render again")


class _Written:
    """The places of one resource that a step writes."""

    __slots__ = ("_above", "_places", "step")

    def __init__(self, step: Ran) -> None:
        self.step = step
        self._places: set[_Place] = set()
        self._above: set[_Place] = set()

    def add(self, place: _Place) -> None:
        self._places.add(place)
        self._above.update(place[:size] for size in range(len(place)))

    def overlaps(self, place: _Place) -> bool:
        """Return whether one of the places is this one, above it or below it."""
        return place in self._above or any(place[:size] in self._places for size in range(len(place) + 1))


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


def _header(item: Item | New) -> _Header:
    return (item.kind, item.group, item.namespace, item.name) if isinstance(item, Item) else header_of(item.data)


def _text(reader: Ran, writer: Ran, what: str, verb: str) -> str:
    if writer.task.package != reader.task.package:
        writes, reads = (f"`{one.task.step.field}` of {join(one.task.package, 'Kptfile')}" for one in (writer, reader))
        advice = ", since a package is rendered after the packages in it: move one of the two steps to the other's Kptfile"
    else:
        writes, reads = (f"`{one.task.step.field}`" for one in (writer, reader))
        names = (writer.function, reader.function) if writer.function != reader.function else (writes, reads)
        advice = f": put {names[0]} before {names[1]}"
    return f"{reader.function} ({reads}) reads {what}, which {writer.function} ({writes}) {verb} only later{advice}"
