"""`explain --json`: one JSON document with one value per line; `docs/schemas/Explanation.json` describes its form."""

from __future__ import annotations

import functools
import json
import math
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, to_field, to_pointer
from krm_values._data.scalars import text_of
from krm_values._explain.model import API_VERSION, EFFECTIVE
from krm_values._explain.shown import HIDDEN, Shown
from krm_values._explain.values import precedence, rule
from krm_values._krm import findings, places
from krm_values._krm.item import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._explain.blame import Blame
    from krm_values._explain.ledger import LayerUse, Ledger, Listed
    from krm_values._explain.model import Cell, Hop, Reference, Value
    from krm_values._krm.plan import New

KIND = "Explanation"
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"))


def document(ledger: Ledger, listed: Sequence[Listed], *, show_secrets: bool, blame: Blame | None = None) -> Iterator[str]:
    """Yield the pieces of the document. listed: the objects, with the values that were asked for. blame: the commits of the lines, if asked for."""
    form = _Form(ledger, listed, blame, show_secrets=show_secrets)
    yield f'{{"apiVersion":{_json(API_VERSION)},"kind":{_json(KIND)}'
    yield from _members("steps", map(_json, form.steps()))
    yield from _members("documents", map(_json, form.documents))
    yield from _members("references", map(_json, form.references))
    yield from _members("values", (_json(form.value(one, form.number(found))) for found in listed for one in found.values()))
    yield "\n}\n"


def _members(name: str, entries: Iterable[str]) -> Iterator[str]:
    """Yield a member of the document that is a list, each of its elements on a line of its own."""
    yield f',\n"{name}":['
    between = "\n"
    for entry in entries:
        yield between
        yield entry
        between = ",\n"
    yield "]"


def _json(value: Any) -> str:
    """Return a value as JSON. A number that JSON does not have, as `.nan`, is a string."""
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return _ENCODER.encode(finite(value))


def finite(value: Any) -> Any:
    """Return a value with a string in place of each number that JSON does not have."""
    if isinstance(value, dict):
        return {key: finite(below) for key, below in value.items()}
    if isinstance(value, list):
        return [finite(below) for below in value]
    return text_of(value) if isinstance(value, float) and not math.isfinite(value) else value


class _Form:
    """The parts of the document as plain data. What stands in a table is named by its index there."""

    __slots__ = (
        "_blame",
        "_field",
        "_ledger",
        "_named",
        "_numbers",
        "_orders",
        "_ranks",
        "_references",
        "_shown",
        "documents",
        "references",
    )

    def __init__(self, ledger: Ledger, listed: Sequence[Listed], blame: Blame | None, *, show_secrets: bool) -> None:
        entries = ledger.explanation.steps
        self._blame = blame
        self._ledger, self._shown = ledger, Shown(ledger, show_secrets=show_secrets)
        self._orders = [precedence(entry) for entry in entries]
        self._ranks: dict[int, dict[tuple[int, str], int]] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._field = functools.cache(to_field)  # many values have a path or a place in common
        self._named: dict[int, tuple[Item | New, dict[str, Any]]] = {}  # with the item, so that no other takes its id over
        self.documents: list[dict[str, Any]] = []
        self._references: dict[int, int] = {}
        self.references: list[dict[str, Any]] = []
        for one in ledger.references():
            self._references[id(one)] = len(self.references)
            self.references.append(self._reference(one))
        for found in listed:
            self._document(found.item, found.file)

    def steps(self) -> Iterator[dict[str, Any]]:
        """Yield the steps, each with its layers, notes and findings."""
        for number, entry in enumerate(self._ledger.explanation.steps):
            found: dict[str, Any] = {"function": entry.function}
            if entry.step:
                reference = self._ledger.step(number)
                found |= {"package": entry.package, "step": entry.step, "file": reference.file if reference else ""}
                found |= {"line": entry.place[0], "column": entry.place[1], "validates": entry.validates}
            if self._orders[number]:
                found["precedence"] = self._orders[number]
            found["layers"] = [self._layer(one, number) for one in self._ledger.layers(number)]
            found["notes"] = [{"topic": one.topic, "subject": one.subject, "data": one.data} for one in entry.outcome.notes]
            found["findings"] = [*map(findings.as_result, entry.outcome.findings)]
            yield found

    def number(self, listed: Listed) -> int:
        """Return the index of an object in `documents`."""
        return self._document(listed.item, listed.file)

    def value(self, one: Value, document: int) -> dict[str, Any]:
        """Return a value with its cells. document: the index of its object."""
        found: dict[str, Any] = {"resource": self._resource(one.item)}
        found |= {"document": document, "path": self._field(one.path), "pointer": to_pointer(one.path)}
        if one.inner is not None:
            found["inner"] = self._field(one.inner)
        value = self._shown.value(one)
        if value is ABSENT:
            found["removed"] = True
        else:
            found |= {"hidden": True} if value is HIDDEN else {"value": value}
        found["kind"] = one.kind
        if one.step >= 0:
            found["step"] = one.step
        before = self._shown.before(one)
        if before is not ABSENT:
            found["before"] = before
        if one.cells:
            found["winner"] = self._cell(one.cells[0])
            found["overridden"] = [*map(self._cell, one.cells[1:])]
        if one.kind == EFFECTIVE:
            found["effective"] = found["winner"]
        if one.step >= 0 and (text := rule(one, self._orders[one.step])):
            found["rule"] = text
        return found

    def _cell(self, one: Cell) -> dict[str, Any]:
        found: dict[str, Any] = {"layer": one.layer}
        rank = self._rank(one)
        if rank is not None:
            found["rank"] = rank
        value = self._shown.cell(one)
        if value is not ABSENT:
            found |= {"hidden": True} if value is HIDDEN else {"value": value}
        found["origin"] = one.origin
        found |= self._place(one)
        if one.kept:
            found["kept"] = True
        if one.at is not None:
            found["at"] = self._field(one.at)
        if one.facts:
            found["facts"] = dict(one.facts)
        found["because"] = [self._references[id(ref)] for ref in one.because if id(ref) in self._references]
        found["way"] = [*map(self._hop, one.way)]
        if one.parts:
            found["parts"] = [*map(self._cell, one.parts)]
        return found

    def _place(self, one: Cell) -> dict[str, Any]:
        item = one.item
        if item is None:
            return {}
        found: dict[str, Any] = {}
        if isinstance(item, Item) and item.position.source:
            found["file"] = item.position.source
            line, column = self._ledger.line(one)
            found |= {"line": line} if line else {}
            found |= {"column": column} if column else {}
        found |= {"resource": self._resource(item), "path": self._field(one.path)}
        if one.inner is not None:
            found["inner"] = self._field(one.inner)
        if number := self._ledger.number(one):
            found["doc"] = number
        if self._blame and (commit := self._blame.cell(one)):
            found["blame"] = commit.as_json()
        return found

    def _hop(self, one: Hop) -> dict[str, Any]:
        found: dict[str, Any] = {"step": one.step, "resource": self._resource(one.item), "path": self._field(one.path)}
        if one.inner is not None:
            found["inner"] = self._field(one.inner)
        return found

    def _layer(self, one: LayerUse, number: int) -> dict[str, Any]:
        found: dict[str, Any] = {"layer": one.layer, "rank": one.rank}
        if one.chain is not None:
            found["for"] = self._document(one.chain, one.chain.position.path)
        origin = self._ledger.trace.steps[number].located(one.origin)
        if isinstance(origin.item, Item) and origin.item.position.source:
            line, column = places.of_field(self._ledger.trace.first(origin.item), origin.path)
            found["file"] = origin.item.position.source
            found |= {"line": line} if line else {}
            found |= {"column": column} if column else {}
        return {**found, "sets": one.sets, "wins": one.wins}

    def _rank(self, one: Cell) -> int | None:
        if one.step not in self._ranks:
            self._ranks[one.step] = {(id(row.chain), row.layer): row.rank for row in self._ledger.layers(one.step)}
        ranks = self._ranks[one.step]
        return ranks.get((id(one.chain), one.layer), ranks.get((id(None), one.layer)))

    def _document(self, item: Item | New, file: str) -> int:
        key = _key(item)
        if key not in self._numbers:
            self._numbers[key] = len(self.documents)
            named = self._resource(item)
            index = item.position.index if isinstance(item, Item) else 0
            self.documents.append({**named, "file": file, "index": index})
        return self._numbers[key]

    def _reference(self, one: Reference) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": one.kind, "file": one.file}
        found |= {"line": one.line} if one.line else {}
        found |= {"path": self._field(one.path)} if one.path else {}
        return {**found, "parent": self._references[id(one.parent)]} if one.parent is not None else found

    def _resource(self, item: Item | New) -> dict[str, Any]:
        """Return the reference to a resource, made once for each."""
        known = self._named.get(id(item))
        if known is None:
            known = self._named[id(item)] = item, findings.reference(item)
        return known[1]


def _key(item: Item | New) -> tuple[object, ...]:
    if isinstance(item, Item):
        return item.position.path, item.position.index, item.number if not item.position.path else -1
    return (id(item),)
