"""Matching of an owner against a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values.cartographer_params import paths

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue
    from krm_values.cartographer_params.path_budget import PathBudget
    from krm_values.cartographer_params.selectors import Requirement, Selector


@record
class Match:
    """The result of matching a selector.

    score: the number of requirements if all hold, else 0. unmet: the first that does not hold. fault: why it cannot be evaluated.
    """

    score: int
    unmet: Requirement | None = None
    fault: str = ""

    @property
    def fits(self) -> bool:
        return self.unmet is None and self.score > 0


def match(selector: Selector, labels: dict[str, str], owner: GoValue, budget: PathBudget) -> Match:
    """Match labels first, then fields. owner: the typed view of the owner, see `api/owner_view`. budget: that of all paths of the run."""
    for asked in selector.labels:
        if not _has_label(asked, labels):
            return Match(0, asked)
    for asked in selector.fields:
        try:
            found = paths.find(asked.key, owner, budget)
        except paths.PathError as error:
            return Match(0, asked, error.fact)
        if len(found) > 1:
            return Match(0, asked, f"has {len(found)} results")
        if not _has_field(asked, found):
            return Match(0, asked)
    return Match(selector.count)


def _has_label(asked: Requirement, labels: dict[str, str]) -> bool:
    match asked.operator:
        case "In":
            return labels.get(asked.key) in asked.values
        case "NotIn":
            return labels.get(asked.key) not in asked.values
        case "Exists":
            return asked.key in labels
        case _:
            return asked.key not in labels


def _has_field(asked: Requirement, found: list[JSON]) -> bool:
    """Return whether a field requirement holds. A missing path or a null satisfies DoesNotExist only."""
    value = found[0] if found else None
    match asked.operator:
        case "DoesNotExist":
            return value is None
        case "Exists":
            return value is not None
        case "In":
            return isinstance(value, str) and value in asked.values
        case _:
            return value is not None and not (isinstance(value, str) and value in asked.values)
