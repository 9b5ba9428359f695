"""The planner of `cartographer-params` against the independent implementation."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.functions.cartographer_params.support import findings, params, plan, reports
from tests.reference.cartographer import resolve
from tests.reference.cartographer.generate import Dice
from tests.reference.difference import Difference, shown

MODES = ("all",)
OF_SELECTION = ("40", "42", "46")
SEEN: Counter[str] = Counter()
"""The rules that refused, and the origins of the values that were compared."""


def report(seed: int, mode: str = "all") -> str:
    """The difference of the package of a seed; "" if there is none."""
    owner, chains, templates = Dice(seed).package()
    found = _difference(owner, chains, templates)
    return "" if found is None else shown([owner, *chains, *templates], found)


def _difference(owner: Any, chains: list[Any], templates: list[Any]) -> Difference | None:
    planned = plan(owner, *chains, *templates, emit=["params"])
    rules, found = [finding.rule for finding in findings(planned, "error")], reports(planned)
    try:
        name, expected = resolve.read(owner, chains, templates)
    except resolve.Refused as refused:
        SEEN[str(refused)] += 1
        return None if str(refused) in rules and not found else Difference("errors", [rules, found], str(refused))
    if set(rules) & set(OF_SELECTION) or len(found) != 1:
        return Difference("errors", [rules, found], [])
    (one,) = found.values()
    if one["chain"]["name"] != name or not same(params(one), expected):
        return Difference("params", one, (name, expected))
    SEEN.update(["selected", *(origin for step in expected.values() for _, origin in step.values())])
    return None


def same(one: Any, other: Any) -> bool:
    """Equal with their types: 0 is not false."""
    return repr(sorted_data(one)) == repr(sorted_data(other))


def sorted_data(value: Any) -> Any:
    """The value with the keys of its maps in order."""
    if isinstance(value, dict):
        return {key: sorted_data(value[key]) for key in sorted(value)}
    return [sorted_data(element) for element in value] if isinstance(value, list | tuple) else value
