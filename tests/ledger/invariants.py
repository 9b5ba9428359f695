"""What holds of the ledger of every package and list: each value is the rendered leaf, and each cell has its place, its rank and its reference.

`faults` checks one explanation, `between` two of the same package, before and after a render.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import krm_values
from krm_values._data import data_edits
from krm_values._data.errors import UserError
from krm_values._data.pointer import ABSENT, get, scalars, to_field
from krm_values._data.scalars import text_of
from krm_values._explain import steps
from krm_values._explain.ledger import Ledger, Listed
from krm_values._explain.model import (
    AUTHORED,
    CONFIG,
    COPIED,
    CYCLE,
    DECIDED,
    DEFAULT,
    DERIVED,
    EARLIER,
    EFFECTIVE,
    LITERAL,
    Cell,
    Value,
)
from krm_values._explain.steps import Explanation
from krm_values._krm import findings, names
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import RESOURCE, New
from krm_values._run import pipeline
from krm_values._run.generated import header_of
from krm_values._run.texts import data_at
from krm_values._yaml import decode

KINDS = {DECIDED, COPIED, DERIVED, EFFECTIVE, LITERAL, AUTHORED}
ORIGINS = {AUTHORED, DEFAULT, CONFIG, EARLIER, CYCLE}
WITHOUT_PLACE = ("basic-merge", "basic-exclusion-merge")
"""Layers that are a rule: what an SD loses by its mode."""

MERGED_ONCE = ("envgene-sd",)
"""Functions that keep no record of what was merged into a Full SD."""

UNRANKED = ("cartographer-params",)
"""Functions whose layers have no one order: a resource's default hides the value of a blueprint, which others do not override."""

PLACES = ("config.kubernetes.io/", "internal.config.kubernetes.io/")
"""The annotations of a list that say where an object is."""


class Final:
    """The objects of a package or list as a run leaves them."""

    def __init__(self, objects: Iterable[tuple[str, int, Any]]) -> None:
        self.objects = [*objects]
        self._by_name: dict[tuple[Any, ...], list[Any]] = {}
        for file, _, data in self.objects:
            self._by_name.setdefault((file, *header_of(data)), []).append(data)
        self._by_place = {(file, index): data for file, index, data in self.objects}

    def of(self, item: Item | New, file: str) -> Any:
        """The object that an item has become; None if there is none."""
        header = header_of(item.data)
        found = self._by_name.get((file, *header)) or self._by_name.get(("", *header), [])
        if isinstance(item, Item) and len(found) != 1:
            return self._by_place.get((file, item.position.index if file else item.number))
        return found[0] if len(found) == 1 else None


def of_package(directory: Path) -> Explanation:
    """What the steps of a package decide."""
    return steps.of_package(pipeline.rendered(directory, skip_foreign=False, follow_links=False))


def documents(explanation: Explanation) -> Final:
    """The documents of a package as they are in its files."""
    return Final((one.position.path, one.position.index, one.data) for one in explanation.before.items())


def listed(explanation: Explanation, *, authored: bool = False) -> tuple[Ledger, list[Listed]]:
    """The ledger, and its objects with all their values."""
    ledger = Ledger(explanation)
    return ledger, ledger.listed(ledger.resources(), complete=True, authored=authored)


def place(value: Value, file: str) -> str:
    """The object, file and place of a value, for people."""
    inner = "" if value.inner is None else f" » {to_field(value.inner)}"
    return f"{findings.title(value.item)} ({file}) {to_field(value.path)}{inner}"


def _is_gone_element(value: Value) -> bool:
    """Whether it is an element that was removed, at whose index another one may be."""
    path = value.path if value.inner is None else value.inner
    return value.value is ABSENT and isinstance(path[-1:] and path[-1], int)


def leaf(data: Any, path: Any, inner: Any) -> Any:
    """The value at a place, also in a text, and in a text within a text; ABSENT if there is none."""
    if inner is None:
        return get(data, path, ABSENT)
    found: Any = _text(data, path)
    for part in (None, *inner):
        found = decode.data(found) if isinstance(found, str) and found.strip() else found
        found = found if part is None else get(found, (part,), ABSENT)
        if found is ABSENT:
            return ABSENT
    return found


def _text(data: Any, path: Any) -> Any:
    """The text at a place, that of a Secret's `data` decoded."""
    return get(data, path, ABSENT) if path[:1] != ("data",) or data.get("kind") != "Secret" else data_at(data, path)


def faults(explanation: Explanation, final: Final | None = None) -> list[str]:
    """What is wrong with the ledger of an explanation. final: what the run leaves. Of a list, only what its function decides or generates is asked for."""
    is_package = bool(explanation.before)
    ledger, found = listed(explanation, authored=is_package)
    wrong: list[str] = []
    for one in found:
        values = [value for value in one.values() if value.step < 0 or not explanation.steps[value.step].validates]
        wrong += [
            f"I1 {name}: {count} values"
            for (name, _), count in Counter((place(v, one.file), _is_gone_element(v)) for v in values).items()
            if count > 1
        ]
        for value in values:
            name = place(value, one.file)
            wrong += [f"{fault}: {name}" for fault in (*_of_value(value), *_of_cells(ledger, value))]
            if final is not None and (fault := _rendered(value, final.of(value.item, one.file))):
                wrong.append(f"I2 {fault}: {name}")
        if final is not None and values and (is_package or isinstance(one.item, New)):
            wrong += [f"I1 {fault}: {one.title} ({one.file})" for fault in _uncovered(values, final.of(one.item, one.file))]
    return wrong


def _of_value(value: Value) -> Iterator[str]:
    if value.kind not in KINDS:
        yield f"kind {value.kind!r}"
    if value.kind != LITERAL and not value.cells:
        yield "no cell"
    places = Counter(_at(cell) for cell in value.cells)
    yield from (f"I3 {count} cells of {at}" for at, count in places.items() if count > 1)


def _of_cells(ledger: Ledger, value: Value) -> Iterator[str]:
    own = [cell for cell in value.cells if cell.step == value.step and not cell.way and not _is_own(value, cell)]
    ranks = [(cell.layer, rank) for cell in own if (rank := _rank(ledger, cell)) is not None]
    leaf = value.decision.leaf if value.decision is not None else None
    is_ranked = leaf is not None and not leaf.reason and ledger.explanation.steps[value.step].function not in UNRANKED
    if is_ranked and [rank for _, rank in ranks] != sorted((rank for _, rank in ranks), reverse=True):
        yield f"I3 ranks {ranks}"
    for cell in value.cells:
        yield from _of_cell(ledger, value, cell)
        secret = _comes_from_secret(ledger, value, cell)
        if cell.secret != secret and not (cell.secret and _is_own(value, cell)):  # where an earlier run may have written one
            yield f"I9 secret {cell.secret} of {_at(cell)}"


def _is_own(value: Value, cell: Cell) -> bool:
    """Whether a cell is what the object itself had at the place of the value."""
    return cell.item is value.item and (cell.path, cell.inner) == (value.path, value.inner)


def _rank(ledger: Ledger, cell: Cell) -> int | None:
    if cell.layer == RESOURCE:
        return -1
    return ledger.rank(cell.layer, cell.source, cell.step, cell.chain)


def _of_cell(ledger: Ledger, value: Value, cell: Cell) -> Iterator[str]:
    at = _at(cell)
    if cell.origin not in ORIGINS:
        yield f"origin {cell.origin!r} of {at}"
    is_told = bool(ledger.explanation.before)  # a list does not say where other functions took their values from
    if (
        is_told
        and not cell.parts
        and cell.item is None
        and cell.origin not in (DEFAULT, CONFIG)
        and cell.layer not in WITHOUT_PLACE
    ):
        yield f"I4 no place: {at}"
    if not cell.parts and isinstance(cell.item, New):
        yield f"I4 ends in what a step made: {at}"
    if not cell.parts and cell.origin == AUTHORED and isinstance(cell.item, Item):
        yield from _authored(ledger, cell, value)
    if ledger.explanation.before:
        ends = [*cell.because]
        while ends and ends[-1].parent is not None:
            ends.append(ends[-1].parent)
        if (value.step >= 0 and not ends) or (ends and ends[-1].kind != "step"):
            yield f"I6 no reference to a step: {at}"
    for part in cell.parts:
        yield from _of_cell(ledger, value, part)


def _authored(ledger: Ledger, cell: Cell, value: Value) -> Iterator[str]:
    item = cell.item
    before = ledger.explanation.before.get(item.position.path, item.position.index)
    if before is None:
        if ledger.explanation.before:
            yield f"I5 authored in a document that was not there: {_at(cell)}"
        return
    if cell.kept:
        if not any(name.startswith(names.UNDO) for name in before.marks):
            yield f"I5 kept without a record: {_at(cell)}"
    elif value.kind != DERIVED and not _reads(leaf(before.data, *ledger.place_in_file(cell)), cell.value):
        yield f"I5 authored, but the file has another value than {cell.value!r}: {_at(cell)}"


def _comes_from_secret(ledger: Ledger, value: Value, cell: Cell) -> bool:
    """Whether a Secret is on the way of a cell, in its parts, or holds the value, unless a step generated it."""
    passed: list[Item | New | None] = [cell.item, *(hop.item for hop in cell.way)]
    return any(_is_authored_secret(ledger, one) for one in (*passed, value.item)) or any(
        _comes_from_secret(ledger, value, part) for part in cell.parts
    )


def _is_authored_secret(ledger: Ledger, item: Item | New | None) -> bool:
    if not isinstance(item, Item) or not is_secret(item) or not ledger.trace.was_there(item):
        return False
    return item.marks.get(names.MADE_BY) not in [step.function for step in ledger.explanation.steps]


def _rendered(value: Value, data: Any) -> str:
    """What is wrong with a value beside the leaf that is rendered."""
    if data is None:
        return "no such object"
    if is_ours(value.path):
        return ""
    found = leaf(data, value.path, value.inner)
    if value.value is ABSENT:
        last = (*value.path, *(value.inner or ()))[-1]
        return "" if found is ABSENT or isinstance(last, int) else f"removed, but {found!r}"  # the next element is there
    return "" if _same(found, value.value) else f"{value.value!r}, but {found!r}"


def _uncovered(values: Sequence[Value], data: Any) -> Iterator[str]:
    """Leaves of the object that no value is about, annotations of ours aside."""
    whole = {value.path for value in values}
    for path, _ in scalars(data):
        if not is_ours(path) and not any(path[:size] in whole for size in range(len(path) + 1)):
            yield f"no value: {to_field(path)}"


def is_ours(path: Any) -> bool:
    """Whether a path is that of a mark of ours, or leads to none that a file has."""
    return path[:2] == ("metadata", "annotations") and str(path[-1]).startswith((names.OWN, *PLACES))


def _same(one: Any, other: Any) -> bool:
    return (one is other) if ABSENT in (one, other) else data_edits.same(one, other)


def _reads(found: Any, value: Any) -> bool:
    """Whether a cell's value is the leaf that its place has, or in what is read from that text; None where a cell has none of its own."""
    if value is None or _same(found, value):
        return True
    read = decode.data(found) if isinstance(found, str) else found
    text = value if isinstance(value, str) else ""
    return _same(read, value) or any(_same(one, value) or (text and text_of(one) == text) for _, one in scalars(read))


def _at(cell: Cell) -> str:
    """The place of a cell, for people."""
    if cell.item is None:
        return cell.layer
    inner = "" if cell.inner is None else f" » {to_field(cell.inner)}"
    file = cell.item.position.path if isinstance(cell.item, Item) else ""
    return f"{cell.layer} {findings.title(cell.item)} ({file}) {to_field(cell.path)}{inner}" + (
        " (parts)" if cell.parts else ""
    )


def facts(explanation: Explanation) -> dict[str, str]:
    """The values of an explanation by their places, without lines and whether an undo record keeps them."""
    _, found = listed(explanation)
    return {place(value, one.file): _fact(value) for one in found for value in one.values()}


def _fact(value: Value) -> str:
    return repr((_plain(value.value), value.kind, value.step, [*map(_cell, value.cells)]))


def _cell(cell: Cell) -> tuple[Any, ...]:
    because = [(one.kind, one.file, one.path) for one in cell.because]
    way = [(hop.step, findings.title(hop.item), hop.path, hop.inner) for hop in cell.way]
    is_own = cell.layer == RESOURCE and isinstance(cell.item, Item) and is_secret(cell.item)  # which no undo record keeps
    return (
        _at(cell),
        "" if is_own else _plain(cell.value),
        cell.origin,
        cell.at,
        cell.secret,
        because,
        way,
        [*map(_cell, cell.parts)],
    )


def _plain(value: Any) -> str:
    return "none" if value is ABSENT else json.dumps(value, sort_keys=True, default=str)


def between(before: Explanation, after: Explanation) -> list[str]:
    """What differs between the ledgers of a package before and after a render."""
    one, other = facts(before), facts(after)
    return [
        f"I7 {name}:\n  before {one.get(name)}\n  after  {other.get(name)}"
        for name in sorted({*one, *other})
        if one.get(name) != other.get(name)
    ]


def of_renders(directory: Path) -> list[str]:
    """What is wrong with the ledger of a package before and after a render, which is written."""
    before = of_package(directory)
    try:
        done = krm_values.render(directory)
    except UserError:
        return []
    if done.failed:
        return []
    done.write()
    after = of_package(directory)
    final = documents(after)
    once = any(step.function in MERGED_ONCE for step in before.steps)
    found = [*faults(before, final), *(f"after a render: {one}" for one in faults(after, final))]
    return found if once else [*found, *between(before, after)]
