"""The data of a page as tables that refer to each other by index: strings, steps, layers, ways, and sections of values by resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, to_field
from krm_values._data.shown import printable
from krm_values._explain.model import API_VERSION
from krm_values._explain.shown import Shown
from krm_values._explain.values import Order, precedence, rule
from krm_values._explain.ways import GENERATED
from krm_values._krm import findings
from krm_values._krm.item import Item
from krm_values._krm.plan import Origin
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._explain.ledger import Ledger
    from krm_values._explain.model import Cell, Hop
    from krm_values._explain.steps import Explained
    from krm_values._explain.values import FinalValue

HIDDEN, NOTHING = -1, -2
"""Indexes that stand for a value that is hidden, and for no value."""
_WORDS = (str, bool, int, type(None))
_LAYER, _VIA, _LOSERS = 0, 5, 6
"""Indexes in the row of a way."""


class Sections:
    """The rows of all values, by resource."""

    __slots__ = ("_resources", "_tables", "_titles", "_values")

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._resources: list[list[Any]] = []
        self._titles: list[str] = []
        self._values: list[list[int]] = []

    def add(self, title: str, file: str, source: str, field: str) -> int:
        """Begin a section and return its number. source: the resource that it is generated for. field: the one that holds all its values."""
        self._titles.append(title)
        self._resources.append([self._tables.string(text) for text in (title, file, source, field)])
        return len(self._titles) - 1

    def put(self, section: int, row: list[int]) -> None:
        """Add a value: path, path with names, value, earlier value, kind of difference, way; optionally the earlier way and the cause."""
        self._values.append([section, *row])

    def data(self) -> dict[str, Any]:
        """Return the sections as JSON data. A resource that values of other resources derive from is intermediate; the others are results."""
        columns: list[set[int]] = [set() for _ in self._titles]
        for row in self._values:
            columns[row[0]].update(layer for way in row[6:8] if way >= 0 for layer in self._layers(way))
        tables = self._tables
        resources = [
            [*entry, int(title in tables.used), sorted(found, key=tables.ranks.__getitem__)]
            for entry, title, found in zip(self._resources, self._titles, columns, strict=True)
        ]
        return {
            "apiVersion": API_VERSION,
            "steps": tables.steps,
            "layers": tables.layers,
            "ways": tables.ways,
            "resources": resources,
            "values": self._values,
            "strings": tables.strings,
        }

    def _layers(self, way: int) -> list[int]:
        """Return the layers of a value's way, the winner first."""
        found = self._tables.ways[way]
        losers = found[_LOSERS] if len(found) > _LOSERS else ()
        return [found[_LAYER], *(self._tables.ways[one][_LAYER] for one in losers)]


class Tables:
    """The shared data of a page. Invisible characters in strings are escaped."""

    __slots__ = (
        "_known",
        "_layers",
        "_masks",
        "_orders",
        "_precedences",
        "_show_secrets",
        "_shown",
        "_steps",
        "_strings",
        "_ways",
        "layers",
        "ranks",
        "steps",
        "strings",
        "used",
        "ways",
    )

    def __init__(self, *, show_secrets: bool) -> None:
        self._show_secrets = show_secrets
        self.strings: list[str] = []
        self.steps: list[list[int]] = []
        self.layers: list[list[Any]] = []
        self.ways: list[list[Any]] = []
        self.ranks: list[tuple[Any, ...]] = []  # of the layers: by step, then as its function declares it
        self.used: set[str] = set()  # titles of resources that other values came by
        self._strings: dict[str, int] = {}
        self._shown: dict[object, int] = {}
        self._steps: dict[tuple[str, str, str], int] = {}
        self._orders: list[Order] = []
        self._precedences: list[str] = []
        self._layers: dict[tuple[object, ...], int] = {}
        self._ways: dict[tuple[int, int, bool], int] = {}
        self._masks: dict[int, Shown] = {}
        self._known: list[object] = []  # what is found by its id, so that no other takes it over

    def string(self, text: str) -> int:
        """Return the index of a string."""
        found = self._strings.get(text)
        if found is None:
            found = self._strings[text] = len(self.strings)
            self.strings.append(printable(text))
        return found

    def value(self, value: JSON, *, hidden: bool) -> int:
        """Return the index of a value in one line of YAML."""
        if hidden or value is findings.HIDDEN:
            return HIDDEN
        if type(value) not in _WORDS:
            return self.string(emit.flow(value))
        key = value if type(value) is str else (type(value), value)  # 1 is not true
        found = self._shown.get(key)
        if found is None:
            found = self._shown[key] = self.string(emit.flow(value))
        return found

    def step(self, entry: Explained) -> int:
        """Return the index of a step."""
        key = entry.function, entry.package, entry.step
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = len(self.steps)
            self.steps.append([self.string(part) for part in key])
            self._orders.append(Order(entry))
            self._precedences.append(precedence(entry))
        return found

    def winner(self, found: FinalValue, ledger: Ledger) -> int:
        """Return the index of the way of a value, with those that it overrides and the rule; -1 if its origin is not known."""
        key = id(found.decision), 1, False
        if key not in self._ways:
            value = ledger.value(found)
            if not value.cells:
                return -1
            sentence = rule(value, self._precedences[self.step(ledger.explanation.steps[value.step])])
            self._add(key, found.decision, self._chain(value.cells, ledger, self.string(sentence)))
        return self._ways[key]

    def _chain(self, cells: Sequence[Cell], ledger: Ledger, sentence: int, depth: int = 0) -> list[Any]:
        """Return the row of the winner: that of the nearest place on its way, which leads to the next one, up to the line where it was written.

        A cell that it overrides is beside the place where it lost; those that came there by one place are one chain. depth: the places on the
        ways that the rows around these have already.
        """
        winner, *losers = cells
        own = winner.way[depth:]
        rows = [*(self._hop(hop, winner, ledger) for hop in own), self._cell(winner, ledger)]
        groups: dict[object, tuple[int, list[Cell]]] = {}
        for cell in losers:
            shared = next((at for at, pair in enumerate(zip(cell.way[depth:], own, strict=False)) if not _is_same(*pair)), None)
            at = min(len(cell.way) - depth, len(own)) if shared is None else shared
            rest = cell.way[depth + at :]
            key: object = (at, rest[0].step, id(rest[0].item), rest[0].path, rest[0].inner) if rest else id(cell)
            groups.setdefault(key, (at, []))[1].append(cell)
        lost: list[list[int]] = [[] for _ in rows]
        for at, found in groups.values():
            lost[at].append(self._put(self._chain(found, ledger, self.string(""), depth + at)))
        for row, beside in zip(rows, lost, strict=True):
            row += [beside, sentence if row is rows[0] else self.string("")]
        return self._linked(rows)

    def _linked(self, rows: list[list[Any]]) -> list[Any]:
        """Return the first of some rows, each of which leads to the next."""
        for row, below in zip(rows[-2::-1], rows[:0:-1], strict=True):
            row[_VIA] = [self._put(below)]
        return rows[0]

    def _put(self, row: list[Any]) -> int:
        self.ways.append(row)
        return len(self.ways) - 1

    def _hop(self, hop: Hop, cell: Cell, ledger: Ledger) -> list[Any]:
        """Return the row of a place on the way of a cell: layer, value, line, place, whether it is authored, and what it derives from."""
        self.used.add(findings.title(hop.item))
        origin = Origin(hop.layer, None, hop.item, hop.path, hop.inner)
        file = hop.item.position.source if isinstance(hop.item, Item) else ""
        layer = self._layer(origin, file, self.step(ledger.explanation.steps[hop.step]))
        return [layer, self._value_of(cell, ledger), 0, self.string(_field(origin)), 0, []]

    def _value_of(self, cell: Cell, ledger: Ledger) -> int:
        """Return the index of the value of a cell as it may be shown."""
        if id(ledger) not in self._masks:
            self._masks[id(ledger)] = Shown(ledger, show_secrets=self._show_secrets)
        value = self._masks[id(ledger)].cell(cell)
        return NOTHING if value is ABSENT else self.value(value, hidden=value is findings.HIDDEN)

    def _cell(self, cell: Cell, ledger: Ledger) -> list[Any]:
        """Return the same of the place where a cell was written."""
        origin = Origin(cell.layer, None, cell.item, cell.path, cell.inner, facts=cell.facts)
        file = cell.item.position.source if isinstance(cell.item, Item) else ""
        layer = self._layer(origin, file, self.step(ledger.explanation.steps[cell.step]))
        line = ledger.line(cell)[0]
        place = NOTHING if line or cell.item is None else self.string(_field(origin))
        via = [self._put(self._chain([part], ledger, self.string(""))) for part in cell.parts]
        return [layer, self._value_of(cell, ledger), line, place, int(not cell.parts), via]

    def written(self, cell: Cell, ledger: Ledger, *, hides: bool) -> int:
        """Return the index of the row of a value that no step decides."""
        key = id(cell), 0, hides
        if key not in self._ways:
            file = cell.item.position.source if isinstance(cell.item, Item) else ""
            value = HIDDEN if hides and not self._show_secrets else self._value_of(cell, ledger)
            self._add(key, cell, [self._layer(cell.source, file, -1), value, ledger.line(cell)[0], NOTHING, 1, []])
        return self._ways[key]

    def _add(self, key: tuple[int, int, bool], thing: object, found: list[Any]) -> None:
        self._known.append(thing)
        self._ways[key] = len(self.ways)
        self.ways.append(found)

    def _layer(self, origin: Origin, file: str, step: int) -> int:
        """Return the index of a layer: its name, rank, step, resource and file."""
        holder = findings.title(origin.item) if origin.item is not None else ""
        key = origin.layer, step, holder, file
        found = self._layers.get(key)
        rank = self.string(_rank(origin))
        if found is None:
            self.ranks.append((step, *(self._orders[step].rank(origin) if step >= 0 else ()), holder, file))
            found = self._layers[key] = len(self.layers)
            name = "generated from" if origin.layer == GENERATED else origin.layer or "default"
            self.layers.append([self.string(name), rank, step, self.string(holder), self.string(file)])
        elif self.layers[found][1] != rank:
            self.layers[found][1] = self.string("")  # of values that rank it differently
        return found


def _rank(origin: Origin) -> str:
    found: list[tuple[str, JSON]] = [(key, origin.facts[key]) for key in ("priority", "position") if key in origin.facts]
    return " ".join(map(str, found[0])) if found else ""


def _field(origin: Origin) -> str:
    return to_field(origin.path) + (f" » {to_field(origin.inner)}" if origin.inner is not None else "")


def _is_same(one: Hop, other: Hop) -> bool:
    """Return whether two places are one, on ways through the same step."""
    return one.step == other.step and one.item is other.item and (one.path, one.inner) == (other.path, other.inner)
