"""The data of a page as tables that refer to each other by index: strings, steps, layers, ways, and sections of values by resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._data.shown import printable
from krm_values._explain import masking
from krm_values._explain.values import FinalValue, Order, old_rule, precedence
from krm_values._explain.ways import GENERATED
from krm_values._krm import findings
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._explain.steps import Explained
    from krm_values._explain.ways import Trace, Way
    from krm_values._krm.plan import Origin
    from krm_values._run.state import Decision

HIDDEN, NOTHING = -1, -2
"""Indexes that stand for a value that is hidden, and for no value."""
_WORDS = (str, bool, int, type(None))
_LAYER, _LOSERS = 0, 6
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
        "_orders",
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
        self._layers: dict[tuple[object, ...], int] = {}
        self._ways: dict[tuple[int, int, bool], int] = {}
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
        return found

    def winner(self, value: FinalValue, decided: Decided, *, hides: bool = False) -> int:
        """Return the index of the way of a value, with the ways that it overrides and the rule; -1 if its origin is not known."""
        if value.way is None:
            return -1
        hides = hides or (value.decision.secret and not self._show_secrets)
        key = id(value.decision), 1, hides
        if key not in self._ways:
            own = self._way(value.way, decided, hides=hides)
            losers = [self.way(one, decided, hides=hides) for one in value.overridden]
            sentence = old_rule(value, decided.precedences[value.step])
            self._add(key, value.decision, [*own, losers, self.string(sentence)])
        return self._ways[key]

    def way(self, way: Way, decided: Decided, *, hides: bool) -> int:
        """Return the index of a way; where a step decided the value, with the ways overridden there."""
        value = decided.value(way)
        if value is not None and value.way is way:
            return self.winner(value, decided, hides=hides)
        key = id(way), 0, hides
        if key not in self._ways:
            self._add(key, way, self._way(way, decided, hides=hides))
        return self._ways[key]

    def written(self, way: Way, *, hides: bool) -> int:
        """Return the index of the way of a value that no step decides."""
        key = id(way), 0, hides
        if key not in self._ways:
            layer = self._layer(way, -1)
            hidden = not self._show_secrets and (hides or masking.has_hidden(way.origin))
            self._add(key, way, [layer, self.value(way.origin.value, hidden=hidden), way.line, NOTHING, 1, []])
        return self._ways[key]

    def _add(self, key: tuple[int, int, bool], thing: object, found: list[Any]) -> None:
        self._known.append(thing)
        self._ways[key] = len(self.ways)
        self.ways.append(found)

    def _way(self, way: Way, decided: Decided, *, hides: bool) -> list[Any]:
        """Return layer, value, line, place (if there is no line), whether it is authored, and the ways that it derives from."""
        origin = way.origin
        hidden = not self._show_secrets and (hides or masking.has_hidden(origin))
        via = [self.way(one, decided, hides=hides) for one in way.via]
        layer = self._layer(way, self.step(decided.steps[way.step]))
        if via and origin.item is not None:
            self.used.add(findings.title(origin.item))
        place = NOTHING if way.line or origin.item is None else self.string(_field(origin))
        return [layer, self.value(origin.value, hidden=hidden), way.line, place, int(way.is_source), via]

    def _layer(self, way: Way, step: int) -> int:
        """Return the index of a layer: its name, rank, step, resource and file."""
        origin = way.origin
        holder = findings.title(origin.item) if origin.item is not None else ""
        key = origin.layer, step, holder, way.file
        found = self._layers.get(key)
        rank = self.string(_rank(origin))
        if found is None:
            self.ranks.append((step, *(self._orders[step].rank(origin) if step >= 0 else ()), holder, way.file))
            found = self._layers[key] = len(self.layers)
            name = "generated from" if origin.layer == GENERATED else origin.layer or "default"
            self.layers.append([self.string(name), rank, step, self.string(holder), self.string(way.file)])
        elif self.layers[found][1] != rank:
            self.layers[found][1] = self.string("")  # of values that rank it differently
        return found


def _rank(origin: Origin) -> str:
    found: list[tuple[str, JSON]] = [(key, origin.facts[key]) for key in ("priority", "position") if key in origin.facts]
    return " ".join(map(str, found[0])) if found else ""


def _field(origin: Origin) -> str:
    return to_field(origin.path) + (f" » {to_field(origin.inner)}" if origin.inner is not None else "")


class Decided:
    """The decisions of all steps by winning layer, so that the layers overridden there can be shown. precedences: the layer orders in words."""

    __slots__ = ("_trace", "_values", "_winners", "precedences", "steps")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.steps = [step.entry for step in trace.steps]
        self.precedences = [precedence(entry) for entry in self.steps]
        self._winners = [_winners(entry.outcome.decisions) for entry in self.steps]
        self._values: dict[tuple[int, int], FinalValue] = {}

    def value(self, way: Way) -> FinalValue | None:
        """Return the value that this way won in its step; None if it won none, or several that override others."""
        key = id(way.origin), way.step
        decision = self._winners[way.step].get(id(way.origin)) if way.step >= 0 else None
        if decision is None:
            return None
        if key not in self._values:
            self._values[key] = FinalValue(decision, way.step, decision.path, self._trace)
        return self._values[key]


def _winners(decisions: Iterable[Decision]) -> dict[int, Decision | None]:
    found: dict[int, Decision | None] = {}
    for decision in decisions:
        if decision.leaf is not None:
            origin = id(decision.leaf.origin)
            found[origin] = None if origin in found else decision
    return found
