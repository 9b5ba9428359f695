"""replace: the incoming SD becomes the Full SD; applications of both keep their place in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Origin
from krm_values.envgene_sd import outcomes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values.envgene_sd.descriptors import Application
    from krm_values.envgene_sd.fold import Incoming
    from krm_values.envgene_sd.outcomes import Row


def merge(old: Sequence[Application], incoming: Incoming) -> list[Row]:
    """Return the outcome of each application; `old` are those of the old Full SD that can be read."""
    left: dict[tuple[str, str, str], dict[str, list[Application]]] = {}
    for application in reversed(old):
        same_key = left.setdefault(application.key(extended=False), {})
        same_key.setdefault(application.effective_alias, []).append(application)
    result = []
    for entry in incoming.entries:
        same = _same(entry.application, left.get(entry.application.key(extended=False), {}))
        result.append(outcomes.replaced(same, entry) if same else outcomes.added(entry))
    by = Origin(", ".join(place.layer for place in incoming.places), None)
    staying = {row.at for row in result}
    return result + [outcomes.removed(application, by) for application in old if application.index not in staying]


def _same(application: Application, left: dict[str, list[Application]]) -> Application | None:
    """Remove and return the old application of the same identity, preferably with the same alias. left: the last ones first."""
    alias = application.effective_alias if application.effective_alias in left else next(reversed(left), None)
    if alias is None:
        return None
    found = left[alias].pop()
    if not left[alias]:
        del left[alias]
    return found
