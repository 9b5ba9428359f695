"""The input stage: the incoming SDs of one environment, folded into one from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.record import record
from krm_values.envgene_sd import checks, graphs, outcomes
from krm_values.envgene_sd.headers import HEADER, differing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values._kit.planner.report import Report
    from krm_values.envgene_sd.descriptors import Descriptor
    from krm_values.envgene_sd.outcomes import Entry
    from krm_values.envgene_sd.place import Place


@record
class Incoming:
    """The SD that is merged: its applications, and all of it as data. `places`: the SDs that it was made of."""

    entries: tuple[Entry, ...]
    data: dict[str, JSON]
    places: tuple[Place, ...]

    @property
    def reduced(self) -> dict[str, JSON]:
        """The SD with nothing but its applications."""
        return {"applications": [entry.application.data for entry in self.entries]}


def fold(found: Sequence[Descriptor], report: Report, *, extended: bool) -> Incoming:
    """Fold SDs into one. Of several only the applications are left; in extended-merge also header and graph."""
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
        report.extend(_disagreements(found))
        report.extend(checks.aliases([entry.application for entry in entries]))
        header = {key: first.data[key] for key in HEADER if key in first.data}
        data = {**header, **data, **graphs.united(found, report)}
    return Incoming(tuple(entries), data_edits.copy(data), places)


def _folded(base: list[Entry], later: Sequence[Descriptor], *, extended: bool) -> list[Entry]:
    """Merge later SDs into the first one by the rules of basic-merge."""
    merged = [*base]
    places: dict[tuple[str, str, str], list[int]] = {}
    for place, entry in enumerate(base):
        places.setdefault(entry.application.key(extended=extended), []).append(place)
    for descriptor in later:
        incoming_by_key = {application.key(extended=extended): application for application in descriptor.applications}
        for key, application in incoming_by_key.items():
            for place in places.get(key, ()):
                merged[place] = merged[place].later(application)
            if key not in places:
                places[key] = [len(merged)]
                merged += outcomes.entries([application])
    return merged


def _disagreements(found: Sequence[Descriptor]) -> Iterator[Finding]:
    """Yield an error for each header field in which several SDs differ, since one of them becomes the result's."""
    first, *others = found
    for other in others:
        for key, difference in differing(first.data, other.data):
            text = f"`{key}` of {first.place.title} and of {other.place.title} must be equal for `extended-merge`; {difference}"
            yield other.place.error("header", "35", text, (key,) if key in other.data else ())
