"""extended-merge: by name, postfix and effective alias; header and graph of the Full SD stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values.envgene_sd import basic, checks, graphs, outcomes
from krm_values.envgene_sd.headers import differing

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values._kit.planner.report import Report
    from krm_values.envgene_sd.descriptors import Descriptor
    from krm_values.envgene_sd.fold import Incoming
    from krm_values.envgene_sd.graphs import Chunk
    from krm_values.envgene_sd.outcomes import Row


def merge(full: Descriptor, incoming: Incoming, report: Report) -> tuple[list[Row], dict[str, JSON]]:
    """Return the outcome of each application, and the resulting SD."""
    result = basic.merge(full, incoming.entries, extended=True)
    new = [row for row in result if row.outcome == outcomes.ADDED]
    report.extend(_models(full, incoming))
    report.extend(checks.aliases([row.application for row in result], reported=True))
    report.extend(_headers(full, incoming))
    data = {**full.data, "applications": outcomes.listed(result)}
    place = incoming.places[0]
    theirs, ours = graphs.read(full.data, full.place, report), graphs.read(incoming.data, place, report)
    if (full.data.get(graphs.KEY) is None) != (incoming.data.get(graphs.KEY) is None):
        report.add(_one_sided(full, incoming, has_new=bool(new)))
    elif full.data.get(graphs.KEY) is None:
        report.extend([_without_graphs(row, incoming) for row in new])
    elif theirs is None or ours is None:
        report.extend([_unplaced(row) for row in new])
    else:
        report.extend(_chunks(theirs, ours, incoming))
        report.extend(_places(ours, new))
        report.extend(_gaps(full, theirs))
        report.extend(_unknown(result, ours, incoming))
        report.extend(gaps(incoming, ours, {row.application.effective_alias for row in new}))
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


def _one_sided(full: Descriptor, incoming: Incoming, *, has_new: bool) -> Finding:
    """Return the error for a graph in one SD only. Its advice must not lead to the error of the opposite situation."""
    given = incoming.places[0]
    if full.data.get(graphs.KEY) is not None:
        text = f"{full.place.title} has a `{graphs.KEY}` and {given.title} has none; add one with chunks of the Full SD to {given.title}"
        return full.place.error("graph", "51", f"{text}, or use `basic-merge`", (graphs.KEY,))
    text = f"{given.title} has a `{graphs.KEY}` and {full.place.title} has none; add one with the same chunks to {full.place.title}"
    other = "use `basic-merge`" if has_new else f"remove it from {given.title}"
    return given.error("graph", "51", f"{text}, or {other}", (graphs.KEY,))


def _chunks(theirs: Sequence[Chunk], ours: Sequence[Chunk], incoming: Incoming) -> Iterator[Finding]:
    known = dict.fromkeys(chunk.name for chunk in theirs)
    listed = suggest.listed([*known])
    for chunk in ours:
        if chunk.name not in known:
            advice = "use one of its chunks, or add this one to the Full SD" if known else "add this one to the Full SD"
            text = f"the chunk {chunk.name} is not in the Full SD, which has {listed or 'none'}: {advice}"
            yield incoming.places[0].error("chunk", "52", text, (graphs.KEY,))


def _places(ours: Sequence[Chunk], new: Sequence[Row]) -> Iterator[Finding]:
    placed = {app for chunk in ours for app in chunk.apps}
    for row in new:
        if row.application.effective_alias not in placed:
            yield _unplaced(row)


def _unplaced(row: Row) -> Finding:
    """Return the error for a new application that the incoming graph lacks."""
    application = row.application
    text = f'{application.title} is new, so a chunk of the incoming `{graphs.KEY}` must have "{application.effective_alias}"'
    return application.error("not-placed", "53", text)


def _without_graphs(row: Row, incoming: Incoming) -> Finding:
    """Return the error for a new application if neither SD has a graph: a graph in one of them would be refused as well."""
    text = (
        f"{row.application.title} is new, and `extended-merge` adds new applications by the `{graphs.KEY}`, which neither SD has; "
        "add one with the same chunks to both, or use `basic-merge`"
    )
    return incoming.places[0].error("not-placed", "53", text)


def _gaps(full: Descriptor, theirs: Sequence[Chunk]) -> Iterator[Finding]:
    """Yield a warning for each application of the Full SD that its own graph lacks."""
    placed = {app for chunk in theirs for app in chunk.apps}
    for application in full.applications:
        if application.effective_alias not in placed:
            text = f'no chunk of the Full SD has "{application.effective_alias}"; add it to one there: a merge adds only new applications'
            yield full.place.finding("warning", "graph-incomplete", "64", text, application.path)


def gaps(incoming: Incoming, chunks: Sequence[Chunk] | None, new: Container[str] = ()) -> Iterator[Finding]:
    """Yield a warning for each application of the incoming SD that its own graph, if any, lacks; of `new` ones that is an error already."""
    placed = {app for chunk in chunks or () for app in chunk.apps}
    for entry in incoming.entries if chunks is not None else ():
        application = entry.application
        alias = application.effective_alias
        if alias not in placed and alias not in new:
            text = f'no chunk of the incoming `{graphs.KEY}` has "{alias}" of {application.place.title}; add it to one'
            yield application.place.finding("warning", "graph-incomplete", "S36", text, application.path)


def _unknown(result: Sequence[Row], ours: Sequence[Chunk], incoming: Incoming) -> Iterator[Finding]:
    """Yield a warning for each entry of the incoming graph that belongs to no application."""
    known = {row.application.effective_alias for row in result}
    for chunk in ours:
        for app in dict.fromkeys(chunk.apps):
            if app not in known:
                text = f'"{app}" in the chunk {chunk.name} belongs to no application of either SD and is left out'
                yield incoming.places[0].finding("warning", "unknown-graph-entry", "60", text, (graphs.KEY,))
