"""One JSON document with one decision or value per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.explain.as_json.origins import Origins
from krm_values._cli.explain.as_json.words import Words, write
from krm_values._cli.explain.form import rule
from krm_values._cli.masking.outcomes import Masking
from krm_values._data.pointer import ABSENT
from krm_values._kit.planner import findings
from krm_values._kit.planner.item import Item
from krm_values._yaml.emit import as_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._cli.explain.as_json.origins import Pattern, Plain
    from krm_values._cli.explain.facts import Explained
    from krm_values._cli.explain.trace.values import Resource, Value
    from krm_values._data.pointer import Path
    from krm_values._kit.engine.state import Decision
    from krm_values._kit.planner.plan import Leaf

    _Head = tuple[str, str, str, bool]

API_VERSION, KIND = "krm-values.dev/v1alpha1", "Explanation"
_NONE: tuple[Pattern | None, list[str], list[str]] = None, [], []


def document(explained: Iterable[Explained], resources: Iterable[Resource] = (), *, show_secrets: bool) -> Iterator[str]:
    """Yield the pieces of the document; `docs/schemas/Explanation.json` describes its form."""
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
    words, leaf = Words(), decision.leaf
    origins = Origins(words, show_secrets=True, lines=False)
    layers = map(origins.origin, (leaf.origin, *leaf.overridden) if leaf else ())
    return ",".join([words.resource(decision.item), *words.path(decision.path), words.member("", decision.after), *layers])


def _step(entry: Explained, texts: _Texts, masking: Masking) -> Iterator[str]:
    outcome = entry.outcome
    place = f'"package":{as_json(entry.package)},"step":{as_json(entry.step)},' if entry.step else ""
    yield f'\n{{"function":{as_json(entry.function)},{place}"decisions":['
    yield from _listed(texts.decision(decision, masking) for decision in outcome.decisions)
    yield '\n],"notes":['
    yield from _listed(write({"topic": note.topic, "subject": note.subject, "data": note.data}) for note in outcome.notes)
    yield '],"findings":['
    yield from _listed(write(findings.as_result(finding)) for finding in outcome.findings)
    yield "]}"


def _listed(entries: Iterable[str]) -> Iterator[str]:
    """Yield the elements of a list, each on a line of its own."""
    between = "\n"
    for entry in entries:
        yield between
        yield entry
        between = ",\n"


class _Texts:
    """The JSON of decisions and values. What a decision shares with its value is cached by its id: the outcome keeps the decisions."""

    __slots__ = ("_heads", "_origins", "_plains", "_rules", "_words", "show_secrets")

    def __init__(self, *, show_secrets: bool) -> None:
        self.show_secrets, self._words = show_secrets, Words()
        self._origins = Origins(self._words, show_secrets=show_secrets)
        self._heads: dict[int, _Head] = {}
        self._plains: dict[int, Plain] = {}
        self._rules: dict[tuple[object, ...], str] = {}

    def decision(self, decision: Decision, masking: Masking) -> str:
        """Return a decision; `before` and `after` are left out where there is no value. A hidden value says whether it has changed."""
        item, leaf = decision.item, decision.leaf
        place, inner, after, hidden = self._head(decision, masking)
        text = f'{{"item":{item.number if isinstance(item, Item) else "null"},{place},"kept":{"true" if decision.kept else "false"}'
        if decision.before is not ABSENT:
            before, hides = masking.before(decision)
            text += "," + self._words.member("before", before, hidden=hides)
        if after:
            text += f',"after":{after}'
            if hidden and decision.before is not ABSENT:
                text += f',"changed":{as_json(not decision.kept)}'
        if leaf is None:
            return f"{text}{inner}}}"
        hides = decision.secret and not self.show_secrets
        if plain := self._origins.plain(leaf, hides=hides):
            self._plains[id(decision)] = plain
            pattern, values, places = plain
            return pattern.decided(text + inner, values, places)
        overridden = ",".join([self._origins.origin(origin, hides=hides) for origin in leaf.overridden])
        return f'{text}{inner},"origin":{self._origins.origin(leaf.origin, hides=hides)},"beaten":[{overridden}]}}'

    def value(self, value: Value, masking: Masking, precedence: str) -> str:
        """Return a value after all steps, the way of the layer that won, and those of the layers that it overrides."""
        decision, leaf = value.decision, value.decision.leaf
        place, inner, after, _ = self._head(decision, masking)
        if value.path is not decision.path:
            place = self._place(decision, value.path)
        shown = f'"value":{after}' if after else '"removed":true'
        if leaf is None:
            return f'{{{place}{inner},{shown},"step":{value.step}}}'
        hides = decision.secret and not self.show_secrets
        plain = self._plains.pop(id(decision), None) or self._origins.plain(leaf, hides=hides)
        pattern, values, places = plain or _NONE
        end = f',"rule":{self._rule(value, leaf, precedence, pattern)},"step":{value.step}}}'
        if pattern and _is_plain(value, pattern):
            return pattern.ways(f"{{{place}{inner},{shown}", values, places, end)
        winner, *others = [self._origins.way(way, hides=hides) for way in value.ways]
        return f'{{{place}{inner},{shown},"way":{winner},"overridden":[{",".join(others)}]{end}'

    def _head(self, decision: Decision, masking: Masking) -> _Head:
        """Return what a decision and its value have in common: resource and path, path in a text, the value ("" for none), whether it is hidden."""
        known = self._heads.get(id(decision))
        if known is None:
            leaf = decision.leaf
            inner = "" if leaf is None else self._words.inner(leaf.inner)
            value, hidden = masking.after(decision)
            after = "" if value is ABSENT else self._words.value(value, hidden=hidden)
            known = self._heads[id(decision)] = self._place(decision, decision.path), inner, after, hidden
        return known

    def _rule(self, value: Value, leaf: Leaf, precedence: str, pattern: Pattern | None) -> str:
        """Return the sentence that says why the winner won, cached by the fields of the layers, or by their names and facts."""
        layers = id(pattern) if pattern else tuple([(one.layer, id(one.facts)) for one in (leaf.origin, *leaf.overridden)])
        key = value.is_removed, precedence, leaf.reason, layers
        if key not in self._rules:
            self._rules[key] = as_json(rule.sentence(value, precedence))
        return self._rules[key]

    def _place(self, decision: Decision, path: Path) -> str:
        field, pointer = self._words.path(path)
        return f'{self._words.resource(decision.item)},"path":{field},"pointer":{pointer}'


def _is_plain(value: Value, pattern: Pattern) -> bool:
    """Return `value.is_plain`, cached per set of fields where no lines are printed."""
    if pattern.has_lines:
        return value.is_plain
    known = pattern.is_plain.get(value.step)
    if known is None:
        known = pattern.is_plain[value.step] = value.is_plain
    return known
