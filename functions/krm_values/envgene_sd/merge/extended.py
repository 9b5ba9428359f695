"""extended-merge: by name, postfix and effective alias; header and graph of the Full SD stay."""

from __future__ import annotations

from krm_values._data import suggest
from krm_values.envgene_sd.merge import basic, outcomes
from krm_values.envgene_sd.sd import checks, graphs
from krm_values.envgene_sd.sd.headers import differing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values.envgene_sd.merge.fold import Incoming
    from krm_values.envgene_sd.merge.outcomes import Row
    from krm_values.envgene_sd.sd.descriptors import Descriptor
    from krm_values.envgene_sd.sd.graphs import Chunk


def merge(full: Descriptor, incoming: Incoming, findings: list[Finding]) -> tuple[list[Row], dict[str, JSON]]:
    """Return the outcome of each application, and the resulting SD."""
    result = basic.merge(full, incoming.entries, extended=True)
    new = [row for row in result if row.outcome == outcomes.ADDED]
    findings += _models(full, incoming)
    findings += checks.aliases([row.application for row in result], reported=True)
    findings += _headers(full, incoming)
    data = {**full.data, "applications": outcomes.listed(result)}
    place = incoming.places[0]
    theirs, ours = graphs.read(full.data, full.place, findings), graphs.read(incoming.data, place, findings)
    if (full.data.get(graphs.KEY) is None) != (incoming.data.get(graphs.KEY) is None):
        findings.append(_one_sided(full, incoming))
    elif theirs is None or ours is None:
        findings += [_unplaced(row, incoming) for row in new]
    else:
        findings += _chunks(theirs, ours, incoming)
        findings += _places(ours, new, incoming)
        findings += _gaps(full, theirs)
        findings += _unknown(result, ours, incoming)
        findings += gaps(incoming, ours, {row.application.effective_alias for row in new})
        added = graphs.additions(theirs, ours, {row.application.effective_alias for row in new})
        data[graphs.KEY] = graphs.extended(full.data, added)
    return result, data


def _models(full: Descriptor, incoming: Incoming) -> Iterator[Finding]:
    """Yield an error for string applications on one side and maps on the other."""
    if full.applications and incoming.entries:
        first = incoming.entries[0].applications[-1]
        if full.applications[0].is_map != first.is_map:
            text = f"{full.place.title} and {first.place.title} must write applications in one form, as strings or as maps"
            yield first.error("model", "28", text)


def _headers(full: Descriptor, incoming: Incoming) -> Iterator[Finding]:
    for key, found in differing(full.data, incoming.data):
        text = f"`{key}` of {full.place.title} and of {incoming.places[0].title} must be equal for `extended-merge`; {found}"
        yield full.place.error("header", "50", text, (key,) if key in full.data else ())


def _one_sided(full: Descriptor, incoming: Incoming) -> Finding:
    having, other = full.place, incoming.places[0]
    if full.data.get(graphs.KEY) is None:
        having, other = other, having
    text = (
        f"`{graphs.KEY}` must be in both SDs or in none for `extended-merge`; {having.title} has one and {other.title} has none"
    )
    return having.error("graph", "51", text, (graphs.KEY,))


def _chunks(theirs: Sequence[Chunk], ours: Sequence[Chunk], incoming: Incoming) -> Iterator[Finding]:
    known = dict.fromkeys(chunk.name for chunk in theirs)
    listed = suggest.listed([*known])
    for chunk in ours:
        if chunk.name not in known:
            text = f"the chunk {chunk.name} must be in the Full SD already; it has {listed or 'none'}"
            yield incoming.places[0].error("chunk", "52", text, (graphs.KEY,))


def _places(ours: Sequence[Chunk], new: Sequence[Row], incoming: Incoming) -> Iterator[Finding]:
    placed = {app for chunk in ours for app in chunk.apps}
    for row in new:
        if row.application.effective_alias not in placed:
            yield _unplaced(row, incoming)


def _unplaced(row: Row, incoming: Incoming) -> Finding:
    application = row.application
    place = application.place if incoming.data.get(graphs.KEY) is not None else incoming.places[0]
    text = f'{application.title} is new, so the incoming `{graphs.KEY}` must hold "{application.effective_alias}" in some chunk'
    return place.error("not-placed", "53", text, application.path if place == application.place else ())


def _gaps(full: Descriptor, theirs: Sequence[Chunk]) -> Iterator[Finding]:
    """Yield a warning for each application of the Full SD that its own graph lacks."""
    placed = {app for chunk in theirs for app in chunk.apps}
    for application in full.applications:
        if application.effective_alias not in placed:
            text = f'no chunk of the Full SD holds "{application.effective_alias}"; add it where it belongs'
            yield full.place.finding("warning", "graph-incomplete", "64", text, application.path)


def gaps(incoming: Incoming, chunks: Sequence[Chunk] | None, new: Container[str] = ()) -> Iterator[Finding]:
    """Yield a warning for each application of the incoming SD that its own graph, if any, lacks; of `new` ones that is an error already."""
    placed = {app for chunk in chunks or () for app in chunk.apps}
    for entry in incoming.entries if chunks is not None else ():
        application = entry.application
        alias = application.effective_alias
        if alias not in placed and alias not in new:
            text = (
                f'no chunk of the incoming `{graphs.KEY}` holds "{alias}" of {application.place.title}; add it where it belongs'
            )
            yield application.place.finding("warning", "graph-incomplete", "S36", text, application.path)


def _unknown(result: Sequence[Row], ours: Sequence[Chunk], incoming: Incoming) -> Iterator[Finding]:
    """Yield a warning for each entry of the incoming graph that belongs to no application."""
    known = {row.application.effective_alias for row in result}
    for chunk in ours:
        for app in dict.fromkeys(chunk.apps):
            if app not in known:
                text = f'"{app}" in the chunk {chunk.name} belongs to no application of either SD and is left out'
                yield incoming.places[0].finding("warning", "unknown-graph-entry", "60", text, (graphs.KEY,))
