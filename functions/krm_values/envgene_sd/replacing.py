"""replace: the incoming SD becomes the Full SD; what both have keeps its place in the text."""

from __future__ import annotations

from krm_values._kit.plan import Origin
from krm_values.envgene_sd import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values.envgene_sd.descriptors import Application
    from krm_values.envgene_sd.folding import Incoming
    from krm_values.envgene_sd.rows import Row


def merge(old: Sequence[Application], incoming: Incoming) -> list[Row]:
    """What becomes of each application; `old` are those of the old Full SD that can be read."""
    left = list(old)
    result = []
    for entry in incoming.entries:
        same = _same(entry.application, left)
        if same is None:
            result.append(rows.added(entry))
        else:
            left.remove(same)
            result.append(rows.replaced(same, entry))
    by = Origin(", ".join(place.layer for place in incoming.places), None)
    return result + [rows.removed(application, by) for application in left]


def _same(application: Application, left: Sequence[Application]) -> Application | None:
    """The application of the same identity, best with the same alias."""
    for extended in (True, False):
        key = application.key(extended=extended)
        for other in left:
            if other.key(extended=extended) == key:
                return other
    return None
