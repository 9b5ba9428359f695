"""`explain --json`: one JSON document with one value per line; `docs/schemas/Explanation.json` describes its form."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from json.encoder import encode_basestring
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, to_field, to_pointer
from krm_values._data.record import record
from krm_values._data.scalars import text_of
from krm_values._explain.model import API_VERSION, EFFECTIVE
from krm_values._explain.shown import HIDDEN, Shown
from krm_values._explain.values import precedence, rule
from krm_values._krm import findings, places
from krm_values._krm.item import Item
from krm_values._krm.plan import RESOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._explain.blame import Blame
    from krm_values._explain.ledger import LayerUse, Ledger, Listed
    from krm_values._explain.model import Cell, Hop, Value
    from krm_values._krm.plan import New

KIND = "Explanation"
_MANY = 4096
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"))


def document(ledger: Ledger, listed: Sequence[Listed], *, show_secrets: bool, blame: Blame | None = None) -> Iterator[str]:
    """Yield the pieces of the document. listed: the objects, with the values that were asked for. blame: the commits of the lines, if asked for."""
    form = _Form(ledger, listed, blame, show_secrets=show_secrets)
    yield f'{{"apiVersion":{_json(API_VERSION)},"kind":{_json(KIND)}'
    yield from _members("steps", map(_json, form.steps()))
    yield from _members("documents", form.documents)
    yield from _members("references", form.references())
    yield from _members("values", form.values(listed))
    yield "\n}\n"


def _members(name: str, entries: Iterable[str]) -> Iterator[str]:
    """Yield a member of the document that is a list, each of its elements on a line of its own."""
    yield f',\n"{name}":['
    between = "\n"
    for entry in entries:
        yield between + entry
        between = ",\n"
    yield "]"


def _json(value: Any) -> str:
    """Return a value as JSON. A number that JSON does not have, as `.nan`, is a string."""
    kind = value.__class__
    if kind is str:  # an encoder is slow to begin
        return encode_basestring(value)
    if kind is int or kind is bool:
        return str(value).lower()
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


@record
class _Shared:
    """What the cells of one layer and resource have in common: their JSON before the value, and after it.

    named: the resource, "" if there is none. in_file: whether that is in a file. cell: the first of them, kept so that no other object takes over an id.
    """

    layer: str
    origin: str
    named: str
    in_file: bool
    facts: str
    because: str
    cell: Cell


class _Form:
    """The parts of the document as JSON. What stands in a table is named by its index there."""

    __slots__ = (
        "_blame",
        "_ledger",
        "_listed",
        "_named",
        "_numbers",
        "_orders",
        "_path",
        "_pointer",
        "_references",
        "_rules",
        "_shared",
        "_shown",
        "documents",
    )

    def __init__(self, ledger: Ledger, listed: Sequence[Listed], blame: Blame | None, *, show_secrets: bool) -> None:
        self._blame = blame
        self._ledger, self._shown = ledger, Shown(ledger, show_secrets=show_secrets)
        self._orders = [precedence(entry) for entry in ledger.explanation.steps]
        self._numbers: dict[tuple[object, ...], int] = {}
        self._path = lru_cache(_MANY)(lambda path: _json(to_field(path)))  # many values have a path or a place in common
        self._pointer = lru_cache(_MANY)(lambda path: _json(to_pointer(path)))
        self._named: dict[int, tuple[Item | New, str]] = {}  # with the item, so that no other takes its id over
        self._shared: dict[tuple[object, ...], _Shared] = {}
        self._rules: dict[tuple[object, ...], tuple[Value, str]] = {}
        self._listed = ledger.references()
        self._references = {id(one): number for number, one in enumerate(self._listed)}
        self.documents: list[str] = []
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

    def references(self) -> Iterator[str]:
        """Yield the references."""
        for one in self._listed:
            text = f'{{"kind":{_json(one.kind)},"file":{_json(one.file)}'
            text += f',"line":{one.line}' if one.line else ""
            text += f',"path":{self._path(one.path)}' if one.path else ""
            yield text + (f',"parent":{self._references[id(one.parent)]}}}' if one.parent is not None else "}")

    def values(self, listed: Iterable[Listed]) -> Iterator[str]:
        """Yield the values of objects. What their cells have in common is forgotten from time to time."""
        self._ledger.trace.keep_nodes()  # of the tables before: the values are in the same documents
        for found in listed:
            if len(self._shared) > _MANY:
                self._shared.clear()
                self._named.clear()
            number = self._document(found.item, found.file)
            yield from (self._value(one, number) for one in found.values())

    def _value(self, one: Value, document: int) -> str:
        """Return a value with its cells. document: the index of its object."""
        text = f'{{"resource":{self._resource(one.item)},"document":{document}'
        text += f',"path":{self._path(one.path)},"pointer":{self._pointer(one.path)}'
        if one.inner is not None:
            text += f',"inner":{self._path(one.inner)}'
        value = self._shown.value(one)
        text += ',"removed":true' if value is ABSENT else _shown(value)
        text += f',"kind":{_json(one.kind)}'
        if one.step >= 0:
            text += f',"step":{one.step}'
        before = self._shown.before(one)
        if before is not ABSENT:
            text += f',"before":{_json(before)}'
        if one.cells:
            winner, *others = map(self._cell, one.cells)
            text += f',"winner":{winner},"overridden":[{",".join(others)}]'
            if one.kind == EFFECTIVE:
                text += f',"effective":{winner}'
        rule = self._rule(one) if one.step >= 0 else ""
        return f'{text},"rule":{rule}}}' if rule else text + "}"

    def _rule(self, one: Value) -> str:
        """Return why the winner won, which is one text for all values of the same layers; "" if there is nothing to say."""
        if one.decision is None or one.decision.leaf is None:
            return ""
        first = next((cell.way for cell in one.cells if cell.layer != RESOURCE), ())
        cells = [(cell.layer, id(cell.facts), cell.step, bool(cell.way), cell.way == first) for cell in one.cells]
        key = one.step, one.value is ABSENT, one.decision.leaf.reason, *cells
        if key not in self._rules:
            text = rule(one, self._orders[one.step])
            self._rules[key] = one, _json(text) if text else ""  # with the value, so that no other takes an id over
        return self._rules[key][1]

    def _cell(self, one: Cell) -> str:
        key = id(one.item), one.layer, one.step, one.origin, id(one.facts), id(one.because), id(one.chain)
        shared = self._shared.get(key) or self._share(one, key)
        value = self._shown.cell(one)
        text = shared.layer + ("" if value is ABSENT else _shown(value)) + shared.origin
        if shared.named:
            if shared.in_file:
                line, column = self._ledger.line(one)
                if line:
                    text += f',"line":{line},"column":{column}' if column else f',"line":{line}'
            text += f'{shared.named},"path":{self._path(one.path)}'
            if one.inner is not None:
                text += f',"inner":{self._path(one.inner)}'
                if number := self._ledger.number(one):
                    text += f',"doc":{number}'
            if self._blame and (commit := self._blame.cell(one)):
                text += f',"blame":{_json(commit.as_json())}'
        if one.kept:
            text += ',"kept":true'
        if one.at is not None:
            text += f',"at":{self._path(one.at)}'
        way = ",".join(map(self._hop, one.way)) if one.way else ""
        text = f'{text}{shared.facts}{shared.because},"way":[{way}]'
        return f'{text},"parts":[{",".join(map(self._cell, one.parts))}]}}' if one.parts else text + "}"

    def _share(self, one: Cell, key: tuple[object, ...]) -> _Shared:
        item, rank = one.item, self._ledger.rank(one.layer, one.source, one.step, one.chain)
        layer = f'{{"layer":{_json(one.layer)}' + ("" if rank is None else f',"rank":{rank}')
        source = item.position.source if isinstance(item, Item) else ""
        file = f',"file":{_json(source)}' if source else ""
        numbers = [self._references[id(ref)] for ref in one.because if id(ref) in self._references]
        self._shared[key] = _Shared(
            layer,
            f',"origin":{_json(one.origin)}{file}',
            "" if item is None else f',"resource":{self._resource(item)}',
            bool(source),
            f',"facts":{_json(dict(one.facts))}' if one.facts else "",
            f',"because":{_json(numbers)}',
            one,
        )
        return self._shared[key]

    def _hop(self, one: Hop) -> str:
        inner = f',"inner":{self._path(one.inner)}' if one.inner is not None else ""
        place = ""
        if isinstance(one.item, Item) and one.item.position.source:
            line = self._ledger.line_of_hop(one)
            place = f',"file":{_json(one.item.position.source)}' + (f',"line":{line}' if line else "")
        return f'{{"step":{one.step},"resource":{self._resource(one.item)},"path":{self._path(one.path)}{inner}{place}}}'

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

    def _document(self, item: Item | New, file: str) -> int:
        key = _key(item)
        if key not in self._numbers:
            self._numbers[key] = len(self.documents)
            index = item.position.index if isinstance(item, Item) else 0
            self.documents.append(_json({**findings.reference(item), "file": file, "index": index}))
        return self._numbers[key]

    def _resource(self, item: Item | New) -> str:
        """Return the reference to a resource, made once for each."""
        known = self._named.get(id(item))
        if known is None:
            known = self._named[id(item)] = item, _json(findings.reference(item))
        return known[1]


def _shown(value: Any) -> str:
    """Return the member of a value that may be shown, or hidden."""
    return ',"hidden":true' if value is HIDDEN else f',"value":{_json(value)}'


def _key(item: Item | New) -> tuple[object, ...]:
    if isinstance(item, Item):
        return item.position.path, item.position.index, item.number if not item.position.path else -1
    return (id(item),)
