"""One answer per value: the last step that decided it, the winner, the overridden layers, the way of each, and the rule by which one won."""

from __future__ import annotations

import re
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from krm_values._data import data_edits, suggest
from krm_values._data.pointer import ABSENT
from krm_values._data.record import at_least, record, replace
from krm_values._explain.model import EARLIER, order
from krm_values._explain.steps import is_part
from krm_values._krm import findings
from krm_values._krm.item import Item
from krm_values._krm.plan import RESOURCE, New
from krm_values._run import registry
from krm_values._run.state import value_at
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.model import Cell, Value
    from krm_values._explain.steps import Explained, ExplainedStep, Key, Place
    from krm_values._explain.ways import Trace
    from krm_values._krm.plan import Fits, Origin
    from krm_values._run.resolve import Outcome
    from krm_values._run.state import Decision, TextsRead

    _Values = dict[Place, "FinalValue"]

_T = TypeVar("_T")
_OTHERS = "*"
_REMOVED = "\0removed"
"""Keeps apart, in a place, a removed element from the value that is there now."""
_LOWEST = (RESOURCE, "", "generated")
_NOTHING: AbstractSet[Place] = frozenset()
_MOST = 3  # layers that a rule names


class FinalValue:
    """A value as the last step leaves it: its decision, the number of its step, and its place after all steps.

    parts: the values of later steps that are parts of it. is_covered: whether what a step wrote that is not here any more stays over it.
    """

    __slots__ = ("_trace", "decision", "inner", "is_covered", "parts", "path", "step")

    def __init__(
        self,
        decision: Decision,
        step: int,
        path: Path,
        trace: Trace,
        *,
        parts: Sequence[FinalValue] = (),
        is_covered: bool = False,
    ) -> None:
        self.decision, self.step, self.path, self._trace, self.parts = decision, step, path, trace, parts
        self.is_covered = is_covered
        self.inner = decision.leaf.inner if decision.leaf else None

    def moved(self, path: Path) -> FinalValue:
        """Return the same value at another place."""
        return FinalValue(self.decision, self.step, path, self._trace)

    def with_value(self, after: JSON, parts: Sequence[FinalValue], *, secret: bool) -> FinalValue:
        """Return the same value as it is after later steps have changed parts of it. secret: whether one of its parts is from a Secret."""
        decision = replace(self.decision, after=after, secret=self.decision.secret or secret)
        return FinalValue(decision, self.step, self.path, self._trace, parts=parts)

    def covered_by(self, after: JSON) -> FinalValue:
        """Return the same value with what a step has written over it that is not here any more. In a document with values of Secrets it may be one."""
        hides = isinstance(self.item, Item) and bool(self._trace.first(self.item).withheld)
        decision = replace(self.decision, after=after, secret=self.decision.secret or hides)
        return FinalValue(decision, self.step, self.path, self._trace, is_covered=True)

    @property
    def is_secret(self) -> bool:
        leaf = self.decision.leaf
        return self.decision.secret or (leaf is not None and leaf.origin.secret)

    @property
    def item(self) -> Item | New:
        return self.decision.item

    @property
    def edited(self) -> str:
        """The text of the resource as the step leaves it; "" if the step does not change it."""
        edited = self._trace.steps[self.step].entry.outcome.edited
        return edited.get(self.item.number, "") if isinstance(self.item, Item) else ""

    @property
    def came(self) -> JSON:
        """The resource as the step gets it; its item is without what an earlier run of the step wrote."""
        number = self.item.number if isinstance(self.item, Item) else -1
        return next((item.data for item in self._trace.steps[self.step].entry.items if item.number == number), None)

    @property
    def is_copy(self) -> bool:
        """Whether no layer won: it was copied, derived, or is a constant."""
        return self.decision.leaf is not None and self.decision.leaf.is_copy

    @property
    def is_removed(self) -> bool:
        return self.decision.after is ABSENT


@record
class Resource:
    """A resource and its values."""

    title: str
    file: str
    source: str
    values: tuple[FinalValue, ...]


def collect(trace: Trace, fits: Fits | None = None, only: AbstractSet[Key] | None = None) -> list[Resource]:
    """Return the resources with decided values, in the order of their first decision.

    fits: which values are asked for, if not all; of a single step the others may be left out. only: the keys of the documents that are asked for.
    """
    documents: list[_Values] = []
    known: dict[Key, _Values] = {}
    for number, step in enumerate(trace.steps):
        _shift(step, known)
        _drop(step, known)
        above: dict[int, AbstractSet[Place]] = {}
        decisions = step.entry.outcome.decisions
        item, is_asked = None, True
        values: _Values = {}
        for decision in at_least(decisions, fits) if fits and len(trace.steps) == 1 else decisions:
            if decision.item is not item:  # one value after the other is of the same document
                item = decision.item
                is_asked = only is None or not only.isdisjoint(step.keys(item))
                values = _document(step, item, known, documents) if is_asked else values
                if id(values) not in above:
                    above[id(values)] = _above(values) if number else _NOTHING
            if is_asked:
                _take(values, decision, number, trace, above[id(values)])
    left = (_as_left(values, trace) for values in documents if values)
    return [_resource(trace, values) for values in left if values]


def _document(step: ExplainedStep, item: Item | New, known: dict[Key, _Values], documents: list[_Values]) -> _Values:
    keys = step.keys(item)
    found = next((known[key] for key in keys if key in known), None)
    if found is None:
        found = {}
        documents.append(found)
    for key in keys:
        known[key] = found
    return found


def _shift(step: ExplainedStep, known: dict[Key, _Values]) -> None:
    """Move the places of earlier decided values by the operations of the step."""
    moved: set[int] = set()
    for item in step.entry.items if known else ():
        values = next((known[key] for key in step.keys(item) if key in known), None) if step.shifts(item) else None
        if not values or id(values) in moved:
            continue
        moved.add(id(values))
        kept = {(path, inner): one for (at, inner), one in values.items() if (path := step.later(item, at)) is not None}
        values.clear()
        values.update({place: value.moved(place[0]) for place, value in kept.items()})


def _drop(step: ExplainedStep, known: dict[Key, _Values]) -> None:
    """Remove the values of the documents that the step removes."""
    removed = step.entry.outcome.removed if known else ()
    for item in step.entry.items if removed else ():
        if item.number in removed:
            for key in step.keys(item):
                known.get(key, {}).clear()


def _above(values: _Values) -> set[Place]:
    """Return the places of which only parts are decided."""
    found: set[Place] = set()
    for path, inner in values:
        found.update((path[:size], None) for size in range(len(path) + (inner is not None)))
        found.update((path, inner[:size]) for size in range(len(inner or ())))  # type: ignore[index]
    return found


def _take(values: _Values, decision: Decision, number: int, trace: Trace, above: AbstractSet[Place]) -> None:
    """Add a decision. above: places of which earlier steps decided parts; unchanged parts keep their more precise decisions."""
    leaf = decision.leaf
    place = decision.path, leaf.inner if leaf else None
    is_removed = decision.after is ABSENT
    if place in above and decision.found and not is_removed:
        return
    if place in above or is_removed:
        for at in [at for at in values if is_part(at, place)]:
            del values[at]
    old = values.get(place)
    values[place] = FinalValue(decision, number, decision.path, trace)
    if old is not None and old.is_removed and old.step == number and not is_removed and isinstance(decision.path[-1], int):
        values[(*decision.path, _REMOVED), place[1]] = old  # the next element is where one was removed


def _as_left(values: _Values, trace: Trace) -> _Values:
    """Return the values as the last step leaves the document: what an earlier one wrote may have gone with the map around it, or have changed inside.

    What a step wrote that is not here any more stays over what the others decide.
    """
    last = max(values.values(), key=lambda value: value.step)
    is_covered = isinstance(last.item, Item) and bool(trace.records(last.item)[1])
    number, data = _left_later(last, trace)
    if number == last.step:
        is_last = not is_covered and all(value.step == number for value in values.values())
        if is_last or not isinstance(last.item, Item):
            return values
        data = decode.data(last.edited, limits=trace.limits) if last.edited else last.came
    secrets = [place for place, value in values.items() if value.is_secret]
    around = _above({place: value for place, value in values.items() if value.step})
    texts: TextsRead = {}
    found: _Values = {}
    for place, value in values.items():
        left = value_at(data, *place, texts)
        in_list = any(isinstance(part, int) for part in (place[1] or place[0])[-1:])
        later = [at for at, one in values.items() if one.step > value.step and is_part(at, place)] if place in around else []
        parts = [values[at] for at in sorted(later, key=lambda at: order(*at))]
        is_same = data_edits.same(left, value.decision.after) and not parts
        if is_same or (value.is_removed and in_list) or (value.step == number and not is_covered):
            found[place] = value  # where an element was removed, the next one is
        elif is_covered and left is not ABSENT and not parts:
            found[place] = value.covered_by(left)
        elif left is not ABSENT and not value.is_removed:
            found[place] = value.with_value(left, parts, secret=any(is_part(at, place) for at in secrets))
    return found


def _left_later(last: FinalValue, trace: Trace) -> tuple[int, JSON]:
    """Return the last step that changes the document of a value and decides none there, and what it leaves; the value's own if there is none."""
    keys = trace.steps[last.step].keys(last.item)
    for number in range(len(trace.steps) - 1, last.step, -1):
        entry = trace.steps[number].entry
        if item := trace.steps[number].written(keys):
            edited = entry.outcome.edited.get(item.number, "")
            return number, decode.data(edited, limits=trace.limits) if edited else item.data
    return last.step, None


def _resource(trace: Trace, values: _Values) -> Resource:
    found = tuple(values.values())
    item = found[-1].item
    made = next((value.item for value in found if isinstance(value.item, New)), None)
    (_, file, *_), *_ = trace.steps[found[-1].step].keys(item)
    source = findings.title(made.source) if made is not None and made.source else ""
    return Resource(findings.title(item), file if isinstance(file, str) else "", source, found)


def precedence(entry: Explained) -> str:
    """Return the layer order of a step's function in words."""
    return registry.load(entry.function).precedence if entry.function in registry.functions() else ""


def declared_layers(entry: Explained) -> tuple[str, ...]:
    """Return the names under which a step's function declares its layers, lowest precedence first."""
    return registry.load(entry.function).order if entry.function in registry.functions() else ()


class Order:
    """The declared precedence of the layers of a function.

    Where it does not tell two layers apart, the function's notes and decisions do: which of them overrides the other.
    """

    __slots__ = ("_chain", "_known", "_names")

    def __init__(self, entry: Explained) -> None:
        self._known: dict[tuple[str, str], str] = {}
        known = declared_layers(entry)
        self._names = {name: number for number, name in enumerate(known)}
        self._chain = {name: number for number, name in enumerate(ordered(_rows(entry.outcome)))} if _OTHERS in known else {}

    def declared(self, layer: str, origin: Origin) -> str:
        """Return the name under which the function declares a layer, which tells a ConfigMap's from a Secret's of the same name."""
        band, item = origin.facts.get("band"), origin.item
        key = layer, f"{_kind(item)} {band}" if band is not None and item is not None else ""
        if key not in self._known:
            names = (key[1], layer, re.split(r"[\[ ]", layer)[0], "" if layer in _LOWEST else _OTHERS)
            self._known[key] = next((name for name in names if name in self._names), "")
        return self._known[key]

    def declares(self, layer: str) -> bool:
        """Return whether a layer has the very name under which the function declares it."""
        return layer in self._names

    def rank(self, origin: Origin) -> tuple[Any, ...]:
        """Return the key by which layers are sorted, lowest precedence first."""
        layer, facts = origin.layer, origin.facts
        found = self.declared(layer, origin)
        numbers = [facts[name] for name in ("priority", "position") if isinstance(facts.get(name), int)]
        known = self._chain.get(layer, self._chain.get(layer.partition("#")[0], -1)) if found == _OTHERS else 0
        parts = [(len(part), part) if number % 2 else part for number, part in enumerate(re.split(r"(\d+)", layer))]
        return self._names.get(found, -1), known, numbers, parts


def _kind(item: Item | New) -> object:
    return item.kind if isinstance(item, Item) else findings.reference(item)["kind"]


def _rows(outcome: Outcome) -> Iterator[list[str]]:
    """Yield the names of layers that override each other, the winner first: of each chain that a note lists, and of each decision."""
    for note in outcome.notes:
        if note.topic == "layers" and isinstance(note.data, list):
            yield [*map(_layer_of, reversed(note.data))]
    for decision in outcome.decisions:
        if decision.leaf is not None and decision.leaf.overridden:
            yield [origin.layer for origin in (decision.leaf.origin, *decision.leaf.overridden)]


def _layer_of(entry: JSON) -> str:
    """Return the name of a layer in a note."""
    return str(entry.get("layer", "") if isinstance(entry, dict) else entry)


def ordered(rows: Iterable[Sequence[_T]]) -> list[_T]:
    """Return the layers of all rows, each after those that it overrides anywhere. rows: the layers of each value, the winner first.

    If rows contradict each other, the first occurrence decides.
    """
    stronger: dict[_T, dict[_T, None]] = {}
    weaker: dict[_T, set[_T]] = {}
    for row in rows:
        for layer in reversed(row):
            stronger.setdefault(layer, {})
            weaker.setdefault(layer, set())
        for strong, weak in pairwise(row):
            if strong != weak:
                stronger[weak][strong] = None
                weaker[strong].add(weak)
    return _sorted(stronger, weaker)


def _sorted(stronger: dict[_T, dict[_T, None]], weaker: dict[_T, set[_T]]) -> list[_T]:
    found: list[_T] = []
    left = dict.fromkeys(stronger)
    free = deque(layer for layer in left if not weaker[layer])
    while left:
        layer = free.popleft() if free else next(iter(left))
        if layer not in left:
            continue
        del left[layer]
        found.append(layer)
        for above in stronger[layer]:
            weaker[above].discard(layer)
            if not weaker[above] and above in left:
                free.append(above)
    return found


def rule(value: Value, order: str) -> str:
    """Return the sentence that says why the winner won, without a full stop. order: that of the function's layers in words, "" if it has none."""
    leaf = value.decision.leaf if value.decision else None
    if leaf is None or not value.cells:
        return ""
    winner, *losers = value.cells
    if winner.origin == EARLIER and winner.layer == RESOURCE != leaf.origin.layer and not winner.way:
        return "a step wrote it that is not here any more: `krm-values revert` takes it back"
    if value.value is ABSENT:
        return f"{winner.layer} removes it"
    if not losers:
        return f"only {winner.layer} sets it" if winner.layer else ""
    named = suggest.several([*dict.fromkeys(map(_named, losers[:_MOST]))], count=len({*map(_named, losers)}))
    ranked = [one for one in value.cells if one.layer != RESOURCE and not one.is_merged]
    is_told = len(ranked) > 1 and all(_is_beside(ranked[0], one) for one in ranked)
    steps = {hop.step for one in value.cells for hop in one.way} | {one.step for one in value.cells}
    is_one = len(ranked) > 1 and steps == {value.step}
    order = leaf.reason or order
    why = "" if leaf.reason or not is_told else _numbers(ranked[0].source, [one.source for one in ranked[1:]])
    reason = f" ({why})" if why else f": {order}" if order and (is_one or leaf.reason) else ""
    return f"{winner.layer} overrides {named}{reason}"


def _is_beside(one: Cell, other: Cell) -> bool:
    """Return whether two layers were ranked by one step, whose result came the same way from there."""
    return one.step == other.step and one.way == other.way


def _named(loser: Cell) -> str:
    if loser.is_merged:
        return "what `<<` merges there"
    return "the resource's own value" if loser.layer == RESOURCE else loser.layer or "what was composed"


def _numbers(winner: Origin, losers: Sequence[Origin]) -> str:
    """Return the numbers that rank the layers: the priority, and the position for equal priorities."""
    ranks = [(one.facts.get("priority"), one.facts.get("position")) for one in (winner, *losers)]
    (priority, position), others = ranks[0], ranks[1:]
    if priority is not None and all(other not in (None, priority) for other, _ in others):
        return f"priority {priority} over {_several([other for other, _ in others])}"
    if position is not None and all(other not in (None, position) for _, other in others):
        same = f"priority {priority}, " if priority is not None and all(other == priority for other, _ in others) else ""
        return f"{same}position {position} over {_several([other for _, other in others])}" if same or priority is None else ""
    return ""


def _several(numbers: Sequence[object]) -> str:
    return suggest.several([str(number) for number in dict.fromkeys(numbers)])
