"""The input stage: the incoming SDs of one environment, folded into one from left to right."""

from __future__ import annotations

from krm_values._data import data_edits
from krm_values._data.record import record
from krm_values.envgene_sd.merge import outcomes
from krm_values.envgene_sd.sd import checks, graphs
from krm_values.envgene_sd.sd.headers import HEADER, differing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values.envgene_sd.merge.outcomes import Entry
    from krm_values.envgene_sd.sd.descriptors import Descriptor
    from krm_values.envgene_sd.sd.place import Place


@record
class Incoming:
    """The SD that is merged: its applications, and all of it as data. `places`: the SDs that it was made of."""

    entries: tuple[Entry, ...]
    data: dict[str, JSON]
    places: tuple[Place, ...]

    @property
    def reduced(self) -> dict[str, JSON]:
        """Its applications alone."""
        return {"applications": [entry.application.data for entry in self.entries]}


def fold(found: Sequence[Descriptor], findings: list[Finding], *, extended: bool) -> Incoming:
    """Return one SD out of one or several. Of several only the applications are left; in extended-merge also header and graph."""
    first, *others = found
    entries = outcomes.entries(first.applications)
    if others:
        entries = _folded(entries, others, extended=extended)
    places = tuple(descriptor.place for descriptor in found)
    if not others:
        return Incoming(tuple(entries), first.data, places)
    incoming = Incoming(tuple(entries), {}, places)
    data = incoming.reduced
    if extended:
        findings += _disagreements(found)
        findings += checks.aliases([entry.application for entry in entries])
        header = {key: first.data[key] for key in HEADER if key in first.data}
        data = {**header, **data, **graphs.united(found, findings)}
    return Incoming(tuple(entries), data_edits.copy(data), places)  # type: ignore[arg-type]


def _folded(base: list[Entry], later: Sequence[Descriptor], *, extended: bool) -> list[Entry]:
    """Later SDs over what there is, one after the other: the rules of basic-merge."""
    merged = [*base]
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, entry in enumerate(base):
        places.setdefault(entry.application.key(extended=extended), []).append(place)
    for descriptor in later:
        said = {application.key(extended=extended): application for application in descriptor.applications}
        for key, application in said.items():
            for place in places.get(key, ()):
                merged[place] = merged[place].later(application)
            if key not in places:
                places[key] = [len(merged)]
                merged += outcomes.entries([application])
    return merged


def _disagreements(found: Sequence[Descriptor]) -> Iterator[Finding]:
    """That the headers of several SDs agree, as one of them goes into the result."""
    first, *others = found
    for other in others:
        for key, told in differing(first.data, other.data):
            text = f"`{key}` of {first.place.title} and of {other.place.title} must be equal for `extended-merge`; {told}"
            yield other.place.error("header", "35", text, (key,) if key in other.data else ())
