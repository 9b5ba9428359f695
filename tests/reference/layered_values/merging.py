"""Merging layers [40-49]."""

from __future__ import annotations

from typing import Any

from tests.reference.layered_values import paths
from tests.reference.layered_values.faults import Findings
from tests.reference.layered_values.scalars import Plain
from tests.reference.layered_values.tree import Value, plain, same, text_of

Json = Any
LISTS = ("append", "prepend", "unique")


class Merger:
    """Merges later values over earlier ones; `used` holds the strategies that met a value."""

    def __init__(self, strategies: dict[str, Json], findings: Findings) -> None:
        self.strategies = {paths.parse(path): strategy for path, strategy in strategies.items()}
        self.findings = findings
        self.used: set[tuple[paths.Step, ...]] = set()

    def strategy(self, path: tuple[paths.Step, ...]) -> Json:
        """The strategy of a path: the leftmost exact key decides [45]."""
        fitting = [pattern for pattern in self.strategies if _fits(pattern, path)]
        if not fitting:
            return None
        return self.strategies[min(fitting, key=lambda pattern: [isinstance(step, paths.Every) for step in pattern])]

    def check(self, value: Value, path: tuple[paths.Step, ...] = ()) -> None:
        """Find what a layer has that its strategies do not take [49]."""
        self.used |= {pattern for pattern in self.strategies if _fits(pattern, path)}
        strategy = self.strategy(path)
        wants_list = strategy in LISTS or isinstance(strategy, dict)
        if wants_list and value.data is not None and value.sort != "list":
            self.findings.error("strategy")
        elif isinstance(strategy, dict):
            names = [_name(member, strategy["by"]) for member in value.data or ()]
            if None in names or len(set(names)) < len(names):
                self.findings.error("strategy")
        members = value.data.items() if value.sort == "map" else enumerate(value.data) if value.sort == "list" else ()
        for step, member in members:
            self.check(member, (*path, step))

    def merged(self, below: Value | None, above: Value, path: tuple[paths.Step, ...] = ()) -> Value:
        """A value with another one over it."""
        strategy = self.strategy(path)
        if below is not None and below.data is not None and above.data is not None and below.sort != above.sort:
            self.findings.warnings.add("type-change")
        if below is None or below.sort != above.sort or above.sort == "scalar":
            return above
        if above.sort == "map":
            return above if strategy == "replace" else self._map(below, above, path)
        if strategy == "append":
            return Value([*below.data, *above.data], above.layer, above.secret)
        if strategy == "prepend":
            return Value([*above.data, *below.data], above.layer, above.secret)
        if strategy == "unique":
            there = list(below.data)
            for member in above.data:
                if not any(same(plain(member), plain(other)) for other in there):
                    there.append(member)
            return Value(there, above.layer, above.secret)
        return self._by(below, above, path, strategy["by"]) if isinstance(strategy, dict) else above

    def _map(self, below: Value, above: Value, path: tuple[paths.Step, ...]) -> Value:
        if path and below.data and not above.data:  # a layer without values is not meant to clear anything [17]
            self.findings.infos.add("empty-map")
        found = dict(below.data)
        for key, member in above.data.items():
            found[key] = self.merged(found.get(key), member, (*path, key))
        return Value(found, above.layer, above.secret, literal=below.literal or above.literal)

    def _by(self, below: Value, above: Value, path: tuple[paths.Step, ...], key: str) -> Value:
        found = list(below.data)
        for member in above.data:
            name = _name(member, key)
            place = next((number for number, other in enumerate(found) if name is not None and _name(other, key) == name), None)
            if place is None:
                found.append(member)
            else:
                found[place] = self.merged(found[place], member, (*path, place))
        return Value(found, above.layer, above.secret)


def _name(member: Value, key: str) -> str | None:
    if member.sort != "map" or key not in member.data:
        return None
    named = member.data[key].data
    return text_of(named) if isinstance(named, (str, Plain)) else None


def _fits(pattern: tuple[paths.Step, ...], path: tuple[paths.Step, ...]) -> bool:
    return len(pattern) == len(path) and all(
        step == other or (isinstance(step, paths.Every) and step.elements == isinstance(other, int))
        for step, other in zip(pattern, path, strict=True)
    )
