"""The merge of one environment: the outcome of each application, from which the new Full SD, the Delta SD, edits and `explain` follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._krm.findings import Report
from krm_values._krm.plan import Finding, Origin
from krm_values.envgene_sd import descriptors, graph
from krm_values.envgene_sd.descriptors import GRAPH, HEADER, Descriptor, SdPlace, Sources, differing_headers, shared_aliases
from krm_values.envgene_sd.parameters import EXCLUSION, EXTENDED, REPLACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values.envgene_sd.descriptors import Application
    from krm_values.envgene_sd.parameters import Parameters

ADDED, CHANGED, REMOVED, KEPT, IGNORED = OUTCOMES = ("added", "changed", "removed", "kept", "ignored")


@record
class IncomingApplication:
    """An application of the incoming SD after the input stage, and all applications that set its version, the effective one first."""

    application: Application
    applications: tuple[Application, ...]

    def later(self, application: Application) -> IncomingApplication:
        """Return the entry after a later SD: its version overrides, every other attribute stays."""
        if application.version == self.application.version:
            return replace(self, applications=(application, *self.applications))
        return IncomingApplication(_versioned(self.application, application), (application, *self.applications))


@record
class Incoming:
    """The SD that is merged: its applications, and all of it as data. `made_of`: the SDs that were folded into it; sources: of all but applications."""

    entries: tuple[IncomingApplication, ...]
    data: dict[str, JSON]
    made_of: tuple[Descriptor, ...]
    sources: Sources

    @property
    def places(self) -> tuple[SdPlace, ...]:
        return tuple(descriptor.place for descriptor in self.made_of)

    def as_descriptor(self) -> Descriptor:
        """Return it as an SD at the place of the first one."""
        return Descriptor(self.places[0], self.data, tuple(entry.application for entry in self.entries))

    def as_origin(self) -> Origin:
        """Return it as what decided."""
        return Origin(", ".join(place.layer for place in self.places), None)


@record
class Row:
    """One application and its outcome. origin: what set its version; overridden: what it overrode.

    at: its index in the old Full SD, None if it was not in it. before: its version there.
    """

    outcome: str
    application: Application
    origin: Origin
    overridden: tuple[Origin, ...] = ()
    at: int | None = None
    before: str = ""

    @property
    def reason(self) -> str:
        """Why nothing changes where an incoming SD decides."""
        is_same = self.outcome == KEPT and bool(self.overridden)
        return f"{self.overridden[-1].layer} has the same version, and its text is kept" if is_same else ""


@record
class Merged:
    """The result of a merge. `delta` is None if there is no Delta SD. sources: of all of the Full SD but its applications."""

    rows: tuple[Row, ...]
    full: dict[str, JSON]
    sources: Sources
    delta: dict[str, JSON] | None
    is_repeatable: bool


def merge(full: Item | None, incoming: Incoming, parameters: Parameters, report: Report) -> Merged | None:
    """Merge the incoming SD into the Full SD; None, with findings, if they do not fit together."""
    mode, data = parameters.mode, stored(parameters, incoming)
    if full is None:
        report.extend(_without_full(parameters))
        if mode == EXTENDED:
            new = incoming.as_descriptor()
            graph.check_gaps(new, graph.read(new, Report()), report)
        report.extend(_lost(incoming, data))
        return Merged(tuple(map(_added, incoming.entries)), data, incoming.sources, None, mode != EXCLUSION)
    if mode == REPLACE:
        report.extend(_lost(incoming, data))
        rows = replaced(descriptors.readable(content(full), place(full)), incoming)
        return Merged(tuple(rows), data, incoming.sources, None, is_repeatable=True)
    old = read(full, parameters, report)
    if old is None:
        return None
    if mode == EXTENDED:
        rows = _merged(old, incoming, extended=True)
        return Merged(tuple(rows), *_extended(old, incoming, rows, report), data, is_repeatable=True)
    rows = _merged(old, incoming) if mode != EXCLUSION else _excluded(old, incoming, report)
    report.extend(_repeats(rows, old))
    if dropped := [key for key in old.data if key != "applications"]:
        text = f"loses {_listed(dropped)}: this mode keeps `applications` alone"
        report.add(old.place.finding("info", "header-dropped", "42", text))
    is_repeatable = mode != EXCLUSION or not any(row.outcome == CHANGED for row in rows)
    return Merged(tuple(rows), {"applications": listed(rows)}, Sources(old.place), data, is_repeatable)


def stored(parameters: Parameters, incoming: Incoming) -> dict[str, JSON]:
    """Return the incoming SD as it is stored: whole in extended-merge and for a single one in replace, else its applications only."""
    is_whole = parameters.mode == EXTENDED or (parameters.mode == REPLACE and len(incoming.places) == 1)
    return incoming.data if is_whole else reduced(incoming.entries)


def reduced(entries: Iterable[IncomingApplication]) -> dict[str, JSON]:
    """Return an SD with nothing but its applications."""
    return {"applications": [entry.application.data for entry in entries]}


def content(full: Item) -> JSON:
    """Return the content of a Full SD; an empty one has no applications."""
    found = get(full.data, ("spec",))
    return found or {"applications": []} if isinstance(found, dict | None) else found


def place(full: Item) -> SdPlace:
    """Return the place of the Full SD."""
    return SdPlace("Full SD", "the Full SD", full, ("spec",))


def read(full: Item, parameters: Parameters, report: Report) -> Descriptor | None:
    """Read the Full SD for a merge; None, with findings, if it is invalid."""
    old, before = descriptors.read(content(full), place(full), report), len(report.findings)
    if old is not None:
        descriptors.check_full(old, report, extended=parameters.mode == EXTENDED)
    return old if len(report.findings) == before else None


def entries(applications: Iterable[Application]) -> list[IncomingApplication]:
    """Return an entry for each application of one SD."""
    return [IncomingApplication(application, (application,)) for application in applications]


def remaining(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the applications that the resulting SD lists, in its order."""
    return [row for row in rows if row.outcome in (ADDED, CHANGED, KEPT)]


def listed(rows: Sequence[Row]) -> list[JSON]:
    """Return the applications of the resulting SD."""
    return [row.application.data for row in remaining(rows)]


def _merged(full: Descriptor, incoming: Incoming, *, extended: bool = False) -> list[Row]:
    """basic-merge and extended-merge: matching applications get the incoming version in place, new ones follow in incoming order."""
    given = _by_key(incoming, extended=extended)
    known = {old.key(extended=extended) for old in full.applications}
    rows = []
    for old in full.applications:
        entry = given.get(old.key(extended=extended))
        rows.append(_kept(old, entry) if entry is None or entry.application.version == old.version else _changed(old, entry))
    return rows + [_added(entry) for key, entry in given.items() if key not in known]


def _excluded(full: Descriptor, incoming: Incoming, report: Report) -> list[Row]:
    """basic-exclusion-merge: duplicating applications are removed, matching ones get the incoming version, new ones are ignored."""
    given = _by_key(incoming, extended=False)
    known = {old.key(extended=False) for old in full.applications}
    rows = []
    for old in full.applications:
        entry = given.get(old.key(extended=False))
        if entry is None:
            rows.append(_kept(old, entry))
        elif entry.application.version == old.version:
            rows.append(_removed(old, entry.applications[0].as_origin()))
        else:
            rows.append(_changed(old, entry))
    for entry in (entry for key, entry in given.items() if key not in known):
        new = entry.applications[0]
        text = f"{new.title} is not in the Full SD, so `basic-exclusion-merge` ignores it"
        report.add(new.place.finding("warning", "new-app-ignored", "47", text, new.path))
        by = full.place.as_origin(None, ("applications",))
        rows.append(Row(IGNORED, entry.application, by, tuple(one.as_origin() for one in entry.applications)))
    return rows


def _extended(full: Descriptor, incoming: Incoming, rows: Sequence[Row], report: Report) -> tuple[dict[str, JSON], Sources]:
    """Return the SD of extended-merge and its sources: header and graph of the Full SD stay, new applications are added to the graph."""
    result = [row.application for row in rows]
    new = [row.application for row in rows if row.outcome == ADDED]
    if full.applications and incoming.entries:
        first = incoming.entries[0].applications[-1]
        if full.applications[0].is_map != first.is_map:
            text = f"{full.place.title} and {first.place.title} must write applications in one form, as strings or as maps"
            report.add(first.error("model", "28", text))
    report.extend(shared_aliases(result, reported=True))
    for key, found in differing_headers(full.data, incoming.data):
        text = f"`{key}` of {full.place.title} and of {incoming.places[0].title} must be equal for `extended-merge`; {found}"
        report.add(full.place.error("header", "50", text, (key,) if key in full.data else ()))
    merged = graph.merge(full, incoming.as_descriptor(), result, new, report)
    data: dict[str, JSON] = {**full.data, "applications": listed(rows)}
    if merged is None:
        return data, Sources(full.place)
    added = {path: incoming.sources.of(at) for path, at in merged[1].items()}
    return {**data, GRAPH: merged[0]}, Sources(full.place, added)


def replaced(old: Sequence[Application], incoming: Incoming) -> list[Row]:
    """replace: the incoming SD becomes the new one. old: what can be read of the old one; applications of both keep their place in the text."""
    left: dict[tuple[str, str, str], dict[str, list[Application]]] = {}
    for application in reversed(old):
        same_key = left.setdefault(application.key(extended=False), {})
        same_key.setdefault(application.effective_alias, []).append(application)
    rows = []
    for entry in incoming.entries:
        same = _same(entry.application, left.get(entry.application.key(extended=False), {}))
        if same is None:
            rows.append(_added(entry))
        else:
            outcome = KEPT if same.version == entry.application.version else CHANGED
            rows.append(_row(outcome, entry.application, (*entry.applications, same), same))
    by, staying = incoming.as_origin(), {row.at for row in rows}
    return rows + [_removed(application, by) for application in old if application.index not in staying]


def _same(application: Application, left: dict[str, list[Application]]) -> Application | None:
    """Remove and return the old application of the same identity, preferably with the same alias. left: the last ones first."""
    alias = application.effective_alias if application.effective_alias in left else next(reversed(left), None)
    if alias is None:
        return None
    found = left[alias].pop()
    if not left[alias]:
        del left[alias]
    return found


def _by_key(incoming: Incoming, *, extended: bool) -> dict[tuple[str, str, str], IncomingApplication]:
    return {entry.application.key(extended=extended): entry for entry in incoming.entries}


def _versioned(application: Application, other: Application) -> Application:
    """Return an application with another one's version; its other attributes stay."""
    text = f"{application.name}:{other.version}"
    data = {**application.data, "version": text} if isinstance(application.data, dict) else text
    return replace(application, data=data, version=other.version)


def _added(entry: IncomingApplication) -> Row:
    return _row(ADDED, entry.application, entry.applications)


def _kept(old: Application, entry: IncomingApplication | None) -> Row:
    return _row(KEPT, old, (*(entry.applications if entry else ()), old), old)


def _changed(old: Application, entry: IncomingApplication) -> Row:
    return _row(CHANGED, _versioned(old, entry.application), (*entry.applications, old), old)


def _removed(old: Application, by: Origin) -> Row:
    return Row(REMOVED, old, by, (old.as_origin(),), old.index, old.version)


def _row(outcome: str, application: Application, decided: Sequence[Application], old: Application | None = None) -> Row:
    """Return the row of an application. decided: those that set its version, the effective one first."""
    winner, *overridden = (one.as_origin() for one in decided)
    at, before = (old.index, old.version) if old else (None, "")
    return Row(outcome, application, winner, tuple(overridden), at, before)


def _repeats(rows: Sequence[Row], full: Descriptor) -> Iterator[Finding]:
    """Yield an error if the result lists an application twice, which the next merge would refuse."""
    seen = set()
    for row in remaining(rows):
        application = row.application
        key = (*application.key(extended=False), application.version)
        if key in seen and row.outcome != ADDED:
            old = full.applications[row.at or 0]
            text = f"{full.place.title} lists {old.title} in several versions, which would become one twice: remove all but one"
            yield old.error("duplicate", "30", text)
        seen.add(key)


def _without_full(parameters: Parameters) -> Iterator[Finding]:
    """Yield warnings for modes that expect a Full SD if there is none."""
    if parameters.mode == EXCLUSION:
        text = "there is no Full SD from which `basic-exclusion-merge` could exclude: the incoming SD becomes the Full SD"
        yield Finding("warning", "no-full-sd", "49", text, config=("SD_REPO_MERGE_MODE",))
    elif parameters.mode == EXTENDED and parameters.chosen_by == "SD_DELTA":
        text = "there is no Full SD to which `SD_DELTA` could apply a delta: the incoming SD becomes the Full SD"
        yield Finding("warning", "no-full-sd", "7", text, config=("SD_DELTA",))


def _lost(incoming: Incoming, data: dict[str, JSON]) -> Iterator[Finding]:
    """Yield an info finding about header and graph of a single incoming SD that are not stored."""
    dropped = [key for key in (*HEADER, GRAPH) if key in incoming.data and key not in data]
    if dropped and len(incoming.places) == 1:
        text = f"{incoming.places[0].title} is stored without {_listed(dropped)}: this mode keeps `applications` alone"
        yield incoming.places[0].finding("info", "header-dropped", "42", text)


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)
