"""`explain --json=v1alpha1`, which is deprecated: one JSON document with one decision or value per line."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, to_field, to_pointer
from krm_values._data.record import record
from krm_values._explain.as_json import finite
from krm_values._explain.masking import is_hidden
from krm_values._explain.shown import Masking
from krm_values._explain.values import old_rule, precedence, set_by
from krm_values._krm import findings, places
from krm_values._krm.item import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from krm_values._explain.steps import Explained
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._explain.ways import Way
    from krm_values._krm.plan import Leaf, New, Origin
    from krm_values._run.state import Decision

    _Layer = tuple["_Field", str, str]  # JSON of its value, and of the place inside the field

API_VERSION, KIND = "krm-values.dev/v1alpha1", "Explanation"
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"))


def document(explained: Iterable[Explained], resources: Iterable[Resource] = (), *, show_secrets: bool) -> Iterator[str]:
    """Yield the pieces of the document."""
    steps, shown = [*explained], _Shown(show_secrets=show_secrets)
    maskings = [Masking(entry.outcome, show_secrets=show_secrets) for entry in steps]
    yield f'{{"apiVersion":{_json(API_VERSION)},"kind":{_json(KIND)},"steps":['
    for number, (entry, masking) in enumerate(zip(steps, maskings, strict=True)):
        outcome = entry.outcome
        place = {"package": entry.package, "step": entry.step} if entry.step else {}
        yield "," * bool(number) + "\n" + _json({"function": entry.function, **place}).removesuffix("}")
        yield from _members("decisions", (shown.decision(one, masking) for one in outcome.decisions), "\n")
        notes = ({"topic": one.topic, "subject": one.subject, "data": one.data} for one in outcome.notes)
        yield from _members("notes", map(_json, notes))
        yield from _members("findings", map(_json, map(findings.as_result, outcome.findings)))
        yield "}"
    yield "\n]"
    orders = [precedence(entry) for entry in steps]
    found = (value for resource in resources for value in resource.values)
    yield from _members("values", (shown.value(one, maskings[one.step], orders[one.step]) for one in found), "\n")
    yield "}\n"


def _members(name: str, entries: Iterable[str], end: str = "") -> Iterator[str]:
    """Yield a member of an object that is a list, each of its elements on a line of its own."""
    yield f',"{name}":['
    between = "\n"
    for entry in entries:
        yield between
        yield entry
        between = ",\n"
    yield end + "]"


def _json(value: Any) -> str:
    """Return a value as JSON. A number that JSON does not have, as `.nan`, is a string."""
    kind = value.__class__
    if kind is bool or kind is int:  # an encoder is slow to begin
        return str(value).lower()
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return _ENCODER.encode(finite(value))


@record
class _Field:
    """What all values of a layer in one field share: their JSON before the value, after it, and at the end.

    hidden: the field is in a Secret. places: None if no lines of the file are known. origin: one of the origins, kept so that ids are not reused.
    """

    begin: str
    at: str
    facts: str
    hidden: bool
    places: places.OfField | None
    origin: Origin


class _Shown:
    """The JSON of decisions and values as they may be shown.

    Most of it is of layers. Those of one field differ in their value and its place only, so the rest is encoded once; what is known of the
    layers of a decision is kept until its value needs it. Keys are ids: with each is kept what has it, so that no other takes it over.
    """

    __slots__ = ("_fields", "_inner", "_layers", "_place", "_resources", "_rules", "_secret", "_shows")

    def __init__(self, *, show_secrets: bool) -> None:
        self._shows = show_secrets
        self._inner = functools.cache(lambda inner: f',"inner":{_json(to_field(inner))}')
        self._place = functools.cache(lambda path: f'"path":{_json(to_field(path))},"pointer":{_json(to_pointer(path))}')
        self._resources: dict[int, tuple[Item | New, str]] = {}
        self._fields: dict[tuple[object, ...], _Field] = {}
        self._layers: dict[int, list[_Layer]] = {}
        self._rules: dict[tuple[object, ...], str] = {}
        self._secret: dict[int, tuple[Origin, bool]] = {}

    def decision(self, one: Decision, masking: Masking) -> str:
        """Return a decision; `before` and `after` are left out where there is no value. A hidden value says whether it has changed."""
        item, leaf = one.item, one.leaf
        number = item.number if isinstance(item, Item) else "null"
        text = f'{{"item":{number},{self._resource(item)},{self._place(one.path)},"kept":{_json(one.kept)}'
        (before, hides_before), (after, hides_after) = masking.before(one), masking.after(one)
        if before is not ABSENT:
            text += f',"before":{"null" if hides_before else _json(before)}'
        if after is not ABSENT:
            text += f',"after":{"null" if hides_after else _json(after)}'
        if hides_before or hides_after:
            text += ',"hidden":true'
        if hides_after and before is not ABSENT:
            text += f',"changed":{_json(not one.kept)}'
        if leaf is None:
            return text + "}"
        if leaf.inner is not None:
            text += self._inner(leaf.inner)
        hides = one.secret and not self._shows
        origins = (leaf.origin, *leaf.overridden)
        if any([origin.via for origin in origins]):  # noqa: C419 - faster
            winner, *others = [self._origin(origin, hides) for origin in origins]
        else:
            layers = self._layers[id(one)] = [self._layer(origin, hides) for origin in origins]
            winner, *others = [f"{field.begin}{value}{field.at}{place}{field.facts}}}" for field, value, place in layers]
        return f'{text},"origin":{winner},"beaten":[{",".join(others)}]}}'

    def value(self, one: FinalValue, masking: Masking, order: str) -> str:
        """Return a value after all steps, the way of the layer that won, and those of the layers that it overrides."""
        decision, leaf = one.decision, one.decision.leaf
        text = f"{{{self._resource(decision.item)},{self._place(one.path)}"
        if one.inner is not None:
            text += self._inner(one.inner)
        value, hidden = masking.after(decision)
        text += ',"removed":true' if value is ABSENT else f',"value":{_value(value, hidden)}'
        if leaf is None:
            return f'{text},"step":{one.step}}}'
        layers = self._layers.pop(id(decision), None)
        if layers and one.is_plain:
            end = ',"step":0,"authored":true}]'
            ways = [f"[{field.begin}{value}{field.at}{place}{field.facts}{end}" for field, value, place in layers]
        else:
            ways = [self._way(way, decision.secret and not self._shows) for way in one.ways]
        winner, *others = ways
        why = self._rule(one, leaf, order)
        return f'{text},"way":{winner},"overridden":[{",".join(others)}],"rule":{why},"step":{one.step}}}'

    def _rule(self, one: FinalValue, leaf: Leaf, order: str) -> str:
        """Return why the winner won, which the names and facts of the layers decide."""
        layers = tuple([(origin.layer, id(origin.facts)) for origin in (leaf.origin, *set_by(leaf.overridden))])
        key = one.is_removed, order, leaf.reason, layers
        if key not in self._rules:
            self._rules[key] = _json(old_rule(one, order))
        return self._rules[key]

    def _origin(self, origin: Origin, hides: bool) -> str:  # noqa: FBT001
        """Return an origin with those that it derives from. hides: hide its value, whatever the origin says."""
        text, closing = _joined(self._layer(origin, hides)), "}"
        while len(origin.via) == 1:
            (origin,) = origin.via
            text, closing = f'{text},"via":[{_joined(self._layer(origin, hides))}', "}]" + closing
        if origin.via:
            text += f',"via":[{",".join([self._origin(one, hides) for one in origin.via])}]'
        return text + closing

    def _way(self, way: Way, hides: bool) -> str:  # noqa: FBT001
        """Return a way as a list, nearest first; where it forks, its last element lists the branches."""
        text = self._hop(way, hides)
        while len(way.via) == 1:
            (way,) = way.via
            text += f"}},{self._hop(way, hides)}"
        if way.via:
            text += f',"via":[{",".join([self._way(one, hides) for one in way.via])}]'
        return f"[{text}}}]"

    def _hop(self, way: Way, hides: bool) -> str:  # noqa: FBT001
        text = _joined(self._layer(way.origin, hides, way))
        return f'{text},"step":{way.step},"authored":true' if way.is_source else f'{text},"step":{way.step}'

    def _layer(self, origin: Origin, hides: bool, way: Way | None = None) -> _Layer:  # noqa: FBT001
        """Return field, value and place of an origin. way: knows the line where the origin does not."""
        key = id(origin.item), origin.path, origin.layer, id(origin.facts)
        field = self._fields.get(key) or self._field(origin, key)
        hidden = hides or field.hidden or (bool(origin.via) and not self._shows and self._is_secret(origin))
        place = "" if origin.inner is None else self._inner(origin.inner)
        line, column = field.places.place(*origin.place) if field.places else places.UNKNOWN
        if not line and way is not None:
            line, column = way.place
        if line:
            place += f',"line":{line},"column":{column}' if column else f',"line":{line}'
        return field, _value(origin.value, hidden), place

    def _field(self, origin: Origin, key: tuple[object, ...]) -> _Field:
        item = origin.item
        begin = f'{{"layer":{_json(origin.layer)},"value":'
        at = "" if item is None else f',{self._resource(item)},"path":{_json(to_field(origin.path))}'
        facts = f',"facts":{_json(dict(origin.facts))}' if origin.facts else ""
        hidden = not self._shows and is_hidden(origin)
        found = places.OfField(item, origin.path) if isinstance(item, Item) and item.position.line else None
        self._fields[key] = _Field(begin, at, facts, hidden, found, origin)
        return self._fields[key]

    def _is_secret(self, origin: Origin) -> bool:
        """Return whether a value, or one that it derives from, is hidden; kept where origins may share those that they derive from."""
        left = [origin]
        while left:
            one = left[-1]
            unknown = [below for below in one.via if id(below) not in self._secret]
            if not unknown:
                self._secret[id(one)] = one, is_hidden(one) or any(self._secret[id(below)][1] for below in one.via)
                left.pop()
            left += unknown
        return self._secret[id(origin)][1]

    def _resource(self, item: Item | New) -> str:
        known = self._resources.get(id(item))
        if known is None:
            text = f'"resource":{_json(findings.reference(item))}'
            if isinstance(item, Item) and item.position.file:
                text += f',"file":{_json({"path": item.position.path, "index": item.position.index})}'
            known = self._resources[id(item)] = item, text
        return known[1]


def _joined(layer: _Layer) -> str:
    field, value, place = layer
    return f"{field.begin}{value}{field.at}{place}{field.facts}"


def _value(value: Any, hidden: bool) -> str:  # noqa: FBT001
    return 'null,"hidden":true' if hidden else _json(value)
