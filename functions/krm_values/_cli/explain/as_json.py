"""The output of `explain --json`: one JSON document with one decision per line. Repeated parts are rendered once and reused."""

from __future__ import annotations

import math

from krm_values._cli.explain.facts import place_of
from krm_values._cli.explain.form import rule
from krm_values._cli.masking.outcomes import Masking
from krm_values._data.errors import EditError
from krm_values._data.pointer import ABSENT, to_field, to_pointer
from krm_values._data.scalars.text import text_of
from krm_values._kit.planner import findings, places
from krm_values._kit.planner.item import Item
from krm_values._yaml.emit import as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from krm_values._cli.explain.facts import Explained
    from krm_values._cli.explain.trace.values import Resource, Value
    from krm_values._cli.explain.trace.ways import Way
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.engine.state import Decision
    from krm_values._kit.planner.plan import Leaf, New, Origin

    _Head = tuple[str, str, str, bool]
    # begin, place, facts, whether it is hidden, whether its lines are known, number; and what keeps its ids
    _Field = tuple[str, str, str, bool, bool, int, Origin]
    # the texts of layers, as they are and as ways that begin where they are; the numbers of their fields, whether any has lines
    _Plain = tuple[str, str, tuple[int, ...], bool]

_SOURCE = ',"step":0,"authored":true'
_HIDDEN = 'null,"hidden":true'
API_VERSION, KIND = "krm-values.dev/v1alpha1", "Explanation"


def document(explained: Iterable[Explained], resources: Iterable[Resource] = (), *, show_secrets: bool) -> Iterator[str]:
    """Yield the pieces of the document; `docs/schemas/explanation.json` describes its form."""
    texts = _Texts(show_secrets=show_secrets)
    yield f'{{"apiVersion":{as_json(API_VERSION)},"kind":{as_json(KIND)},"steps":['
    steps = [*explained]
    maskings = [Masking(entry.outcome, show_secrets=show_secrets) for entry in steps]
    for number, (entry, masking) in enumerate(zip(steps, maskings, strict=True)):
        yield "," * bool(number)
        yield from _step(entry, texts, masking)
    yield '\n],"values":['
    precedences = [rule.precedence(entry) for entry in steps]
    found = (value for resource in resources for value in resource.values)
    yield from _listed(texts.value(value, maskings[value.step], precedences[value.step]) for value in found)
    yield "\n]}\n"


def fact(decision: Decision) -> str:
    """Return (resource, path, value, origin, overridden) as a string that is the same before and after the decision is applied."""
    texts, leaf = _Texts(show_secrets=True, lines=False), decision.leaf
    origins = map(texts.origin, (leaf.origin, *leaf.overridden) if leaf else ())
    return ",".join([texts.place(decision.item), *texts.path(decision.path), texts.member("", decision.after), *origins])


def _step(entry: Explained, texts: _Texts, masking: Masking) -> Iterator[str]:
    outcome = entry.outcome
    place = f'"package":{as_json(entry.package)},"step":{as_json(entry.step)},' if entry.step else ""
    yield f'\n{{"function":{as_json(entry.function)},{place}"decisions":['
    yield from _listed(texts.decision(decision, masking) for decision in outcome.decisions)
    yield '\n],"notes":['
    yield from _listed(_json({"topic": note.topic, "subject": note.subject, "data": note.data}) for note in outcome.notes)
    yield '],"findings":['
    yield from _listed(_json(findings.as_result(finding)) for finding in outcome.findings)
    yield "]}"


def _listed(entries: Iterable[str]) -> Iterator[str]:
    """Yield the elements of a list, each on a line of its own."""
    between = "\n"
    for entry in entries:
        yield between + entry
        between = ",\n"


class _Texts:
    """The JSON of decisions and origins. That of resources, facts, paths and scalars is cached, because it repeats."""

    __slots__ = (
        *("_fields", "_heads", "_kept", "_layers", "_lines", "_paths", "_plains", "_rules", "_secret", "_sources", "_words"),
        "show_secrets",
    )

    def __init__(self, *, show_secrets: bool, lines: bool = True) -> None:
        self.show_secrets, self._lines = show_secrets, lines
        self._kept: dict[int, tuple[object, str]] = {}
        self._layers: dict[tuple[int, bool], tuple[Origin, str, bool]] = {}
        self._fields: dict[tuple[int, Path, str, int], _Field] = {}
        self._plains: dict[int, _Plain] = {}  # of decisions, which are kept by their outcome
        self._paths: dict[Path, tuple[str, str]] = {}
        self._heads: dict[int, _Head] = {}  # decisions are kept by their outcome
        self._sources: dict[tuple[int, tuple[int, ...]], bool] = {}
        self._rules: dict[tuple[object, ...], str] = {}
        self._words: dict[type, dict[object, str]] = {kind: {} for kind in (str, bool, int, float, type(None))}
        self._secret: dict[int, tuple[Origin, bool]] = {}  # which are kept, so that no other takes their id over

    def decision(self, decision: Decision, masking: Masking) -> str:
        """Return a decision; `before` and `after` are left out where there is no value. A hidden value says whether it has changed."""
        item, leaf = decision.item, decision.leaf
        place, inner, after, hidden = self._head(decision, masking)
        text = f'{{"item":{item.number if isinstance(item, Item) else "null"},{place},"kept":{"true" if decision.kept else "false"}'
        if decision.before is not ABSENT:
            before, hides = masking.before(decision)
            text += "," + self.member("before", before, hidden=hides)
        if after:
            text += f',"after":{after}'
            if hidden and decision.before is not ABSENT:
                text += f',"changed":{as_json(not decision.kept)}'
        if leaf is None:
            return f"{text}{inner}}}"
        hides = decision.secret and not self.show_secrets
        if plain := self._plain(leaf, hides=hides):
            self._plains[id(decision)] = "", *plain[1:]
            return f"{text}{inner}{plain[0]}}}"
        overridden = ",".join([self.origin(origin, hides=hides) for origin in leaf.overridden])
        return f'{text}{inner},"origin":{self.origin(leaf.origin, hides=hides)},"beaten":[{overridden}]}}'

    def value(self, value: Value, masking: Masking, precedence: str) -> str:
        """Return a value after all steps, the way of the layer that won, and those of the layers that it overrides."""
        decision, leaf = value.decision, value.decision.leaf
        place, inner, after, _ = self._head(decision, masking)
        if value.path is not decision.path:
            place = self._located(decision, value.path)
        text = f'{{{place}{inner},"value":{after}' if after else f'{{{place}{inner},"removed":true'
        if leaf is not None:
            hides = decision.secret and not self.show_secrets
            plain = self._plains.pop(id(decision), None) or self._plain(leaf, hides=hides)
            if plain and self._is_plain(value, plain):
                text += plain[1]
            else:
                ways = [self.way(way, hides=hides) for way in value.ways]
                text += f',"way":{ways[0]},"overridden":[{",".join(ways[1:])}]'
            text += f',"rule":{self._rule(value, leaf, precedence, plain)}'
        return f'{text},"step":{value.step}}}'

    def _is_plain(self, value: Value, plain: _Plain) -> bool:
        """Return `value.is_plain`, cached per set of fields when lines are not printed."""
        _, _, fields, has_lines = plain
        if has_lines:
            return value.is_plain
        key = value.step, fields
        if key not in self._sources:
            self._sources[key] = value.is_plain
        return self._sources[key]

    def _head(self, decision: Decision, masking: Masking) -> _Head:
        """Return what a decision and its value have in common: resource and path, path in a text, the value ("" for none), whether it is hidden."""
        known = self._heads.get(id(decision))
        if known is None:
            leaf = decision.leaf
            inner = "" if leaf is None else self._inner(leaf.inner)
            value, hidden = masking.after(decision)
            after = "" if value is ABSENT else self._valued(value, hidden=hidden)
            known = self._heads[id(decision)] = self._located(decision, decision.path), inner, after, hidden
        return known

    def _located(self, decision: Decision, path: Path) -> str:
        field, pointer = self.path(path)
        return f'{self.place(decision.item)},"path":{field},"pointer":{pointer}'

    def _rule(self, value: Value, leaf: Leaf, precedence: str, plain: _Plain | None) -> str:
        """Return the sentence that says why the winner won, cached by the names and facts of the layers."""
        layers = plain[2] if plain else tuple([(one.layer, id(one.facts)) for one in (leaf.origin, *leaf.overridden)])
        key = value.is_removed, precedence, layers
        if key not in self._rules:
            self._rules[key] = as_json(rule.sentence(value, precedence))
        return self._rules[key]

    def _plain(self, leaf: Leaf, *, hides: bool) -> _Plain | None:
        """Return the JSON of a leaf's layers; None if one of them derives from another layer."""
        texts, numbers, within, lined = [], [], self._inner(leaf.inner), False
        fields, words = self._fields, self._words
        for one in (leaf.origin, *leaf.overridden):
            if one.via:
                return None
            key = id(one.item), one.path, one.layer, id(one.facts)
            begin, at, facts, hidden, has_lines, number, _ = fields.get(key) or self._field(one)
            value, inner = one.value, within if one.inner == leaf.inner else self._inner(one.inner)
            known = words.get(value.__class__)
            text = (known and known.get(value)) or self._valued(value) if not (hidden or hides) else _HIDDEN
            where = _where(place_of(one)) if has_lines else ""
            lined = lined or has_lines
            texts.append(f"{begin}{text}{at}{inner}{where}{facts}")
            numbers.append(number)
        winner, losers = texts[0], texts[1:]
        known_by = f',"origin":{winner}}},"beaten":[{_each(losers, "}")}]'
        ways = f',"way":[{winner}{_SOURCE}}}],"overridden":[{_each(losers, _SOURCE + "}]", "[")}]'
        return known_by, ways, tuple(numbers), lined

    def way(self, way: Way, *, hides: bool) -> str:
        """Return a way as a list, nearest first; where it forks, its last element lists the branches."""
        found = self._hop(way, hides=hides)
        while len(way.via) == 1:
            (way,) = way.via
            found += f"}},{self._hop(way, hides=hides)}"
        if way.via:
            found += f',"via":[{",".join([self.way(one, hides=hides) for one in way.via])}]'
        return f"[{found}}}]"

    def _hop(self, way: Way, *, hides: bool) -> str:
        text, has_line = self._layer(way.origin, hides=hides)
        if not has_line and way.line:
            text, _ = self._written(way.origin, hides, way.place)
        return f'{text},"step":{way.step},"authored":true' if way.is_source else f'{text},"step":{way.step}'

    def origin(self, origin: Origin, *, hides: bool = False) -> str:
        """Return an origin with the origins that it derives from. hides: hide its value, whatever the origin says."""
        text, closing = self._layer(origin, hides=hides)[0], "}"
        while len(origin.via) == 1:
            (origin,) = origin.via
            text, closing = f'{text},"via":[{self._layer(origin, hides=hides)[0]}', "}]" + closing
        if origin.via:
            text += f',"via":[{",".join([self.origin(one, hides=hides) for one in origin.via])}]'
        return text + closing

    def _layer(self, origin: Origin, *, hides: bool) -> tuple[str, bool]:
        """Return an origin without those that it derives from, and whether its line is known."""
        known = self._layers.get((id(origin), hides))
        if known is None:
            text, has_line = self._written(origin, hides, place_of(origin) if self._lines else places.UNKNOWN)
            known = self._layers[id(origin), hides] = origin, text, has_line
        return known[1], known[2]

    def _written(self, origin: Origin, hides: bool, place: tuple[int, int]) -> tuple[str, bool]:  # noqa: FBT001
        begin, at, facts, hidden, *_ = self._field(origin)
        hidden = hides or hidden or (bool(origin.via) and not self.show_secrets and self._is_secret(origin))
        value = self._valued(origin.value, hidden=hidden)
        return f"{begin}{value}{at}{self._inner(origin.inner)}{_where(place)}{facts}", place[0] > 0

    def _field(self, origin: Origin) -> _Field:
        """Return the part of the JSON that all values of one layer in one field share."""
        key = id(origin.item), origin.path, origin.layer, id(origin.facts)
        field = self._fields.get(key)
        if field is None:
            item = origin.item
            at = "" if item is None else f',{self.place(item)},"path":{self.path(origin.path)[0]}'
            facts = self._once(origin.facts, _facts) if origin.facts else ""
            begin = f'{{"layer":{self._word(origin.layer)},"value":'
            has_lines = self._lines and isinstance(item, Item) and item.position.line > 0
            hidden = not self.show_secrets and origin.in_secret
            field = self._fields[key] = begin, at, facts, hidden, has_lines, len(self._fields), origin
        return field

    def _is_secret(self, origin: Origin) -> bool:
        """Return `origin.secret`, cached for each origin on the way, since values often share them."""
        left = [origin]
        while left:
            one = left[-1]
            unknown = [below for below in one.via if id(below) not in self._secret]
            if not unknown:
                self._secret[id(one)] = one, one.in_secret or any(self._secret[id(below)][1] for below in one.via)
                left.pop()
            left += unknown
        return self._secret[id(origin)][1]

    def member(self, name: str, value: Any, *, hidden: bool = False) -> str:
        """Return a value under its name; one that must not be shown is null."""
        return f'"{name}":{self._valued(value, hidden=hidden)}'

    def _valued(self, value: Any, *, hidden: bool = False) -> str:
        """Return a value; one that must not be shown is null, and a member says so."""
        if hidden:
            return _HIDDEN
        return self._word(value) if type(value) in self._words else _json(value)

    def _inner(self, inner: Path | None) -> str:
        return "" if inner is None else f',"inner":{self.path(inner)[0]}'

    def place(self, item: Item | New) -> str:
        """Return the resource of an item or object, and its file."""
        return self._once(item, _place)

    def path(self, path: Path) -> tuple[str, str]:
        """Return a path as people write it, and as a JSON pointer."""
        found = self._paths.get(path)
        if found is None:
            found = self._paths[path] = as_json(to_field(path)), as_json(to_pointer(path))
        return found

    def _word(self, value: str | float | None) -> str:
        known = self._words[type(value)]  # 1 is not true
        found = known.get(value)
        if found is None:
            found = _json(value)
            if value or type(value) is not float:  # 0.0 is not -0.0
                known[value] = found
        return found

    def _once(self, thing: object, write: Callable[[Any], str]) -> str:
        """Return the rendered text of an object, cached by its identity; the object is kept, so that its id is not reused."""
        found = self._kept.get(id(thing))
        if found is None:
            found = self._kept[id(thing)] = thing, write(thing)
        return found[1]


def _where(place: tuple[int, int]) -> str:
    line, column = place
    return f',"line":{line},"column":{column}' if column else f',"line":{line}' if line else ""


def _each(texts: list[str], after: str, before: str = "") -> str:
    """Return the texts with commas between them, each with the same before and after it."""
    return before + f"{after},{before}".join(texts) + after if texts else ""


def _place(item: Item | New) -> str:
    text = f'"resource":{as_json(findings.reference(item))}'
    if not isinstance(item, Item) or not item.position.file:
        return text
    return f'{text},"file":{as_json({"path": item.position.path, "index": item.position.index})}'


def _facts(facts: Mapping[str, JSON]) -> str:
    return f',"facts":{_json(dict(facts))}'


def _json(value: JSON) -> str:
    """Return a value as JSON. A number that JSON does not have, as `.nan`, is a string."""
    try:
        return as_json(value)
    except EditError:
        return as_json(_finite(value))


def _finite(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: _finite(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_finite(below) for below in value]
    return text_of(value) if isinstance(value, float) and not math.isfinite(value) else value
