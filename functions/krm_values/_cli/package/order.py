"""Steps in the wrong order: what a step reads and a later one writes, which it sees only in the next run."""

from __future__ import annotations

from krm_values._data.pointer import to_field
from krm_values._kit.engine.generated import header_of
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._cli.package.pipeline import Ran
    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import New

    _Header = tuple[str, str, str, str]
    _Place = tuple[Path, Path | None]
    _Writings = dict[_Header, list[tuple[_Place, Ran]]]

KIND = "order"


def findings(ran: Sequence[Ran]) -> Iterator[Finding]:
    """An information for each resource of which a step reads what a later one writes, or that a later one makes."""
    later: _Writings = {}
    found: list[list[Finding]] = []
    for step in reversed(ran):
        found.append([*_of_step(step, later)] if later else [])
        for decision in step.outcome.decisions if not step.task.validates else ():
            inner = decision.leaf.inner if decision.leaf else None
            later.setdefault(_header(decision.item), []).append(((decision.path, inner), step))
    for one in reversed(found):
        yield from one


def _of_step(step: Ran, later: _Writings) -> Iterator[Finding]:
    reported: set[tuple[_Header, int]] = set()
    for item, place in _read(step):
        header = _header(item)
        for other, writer in later.get(header, ()):
            if (header, id(writer)) not in reported and _overlap(place, other):
                reported.add((header, id(writer)))
                yield Finding("info", KIND, None, _text(step, writer, f"`{to_field(place[0])}`", "writes"), item, place[0])
    for kind, group, namespace, name in sorted(step.outcome.missed):
        for header, writings in later.items():
            if (kind, group, name) == (header[0], header[1], header[3]) and namespace in ("", header[2]):
                title = f"{kind} {header[2]}/{name}" if header[2] else f"{kind} {name}"
                yield Finding("info", KIND, None, _text(step, writings[0][1], title, "makes"))


def _read(step: Ran) -> Iterator[tuple[Item, _Place]]:
    """The places that a step took values from, or compared with, each once."""
    seen: set[tuple[int, _Place]] = set()
    for decision in step.outcome.decisions:
        for origin in (decision.leaf.origin, *decision.leaf.overridden) if decision.leaf else ():
            for one in origin.trail():
                place = one.path, one.inner
                if isinstance(one.item, Item) and (id(one.item), place) not in seen:
                    seen.add((id(one.item), place))
                    yield one.item, place


def _overlap(one: _Place, other: _Place) -> bool:
    """Whether one place is the other, above it or below it."""
    (path, inner), (its_path, its_inner) = one, other
    if path == its_path and inner is not None and its_inner is not None:
        path, its_path = inner, its_inner
    return all(str(part) == str(its) for part, its in zip(path, its_path, strict=False))


def _header(item: Item | New) -> _Header:
    return (item.kind, item.group, item.namespace, item.name) if isinstance(item, Item) else header_of(item.data)


def _text(reader: Ran, writer: Ran, what: str, verb: str) -> str:
    first, second = (f"{one.function} (`{one.task.step.field}`)" for one in (reader, writer))
    advice = f"put {writer.function} before {reader.function}, or render again"
    return f"{first} reads {what}, which {second} {verb} only later: {advice}"
