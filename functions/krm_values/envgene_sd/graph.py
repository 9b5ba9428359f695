"""The deployGraph: chunks by `chunkName`, each with the effective aliases of its applications. Only extended-merge keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.record import record
from krm_values._data.scalars import text_of
from krm_values.envgene_sd.descriptors import CHUNK, GRAPH, near_instead_of

if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.plan import Finding
    from krm_values.envgene_sd.descriptors import Application, Descriptor, Source


@record
class Chunk:
    """One chunk: its name, its aliases, and its index in the graph."""

    name: str
    apps: tuple[str, ...]
    index: int
    data: dict[str, JSON]


def merge(
    full: Descriptor, incoming: Descriptor, result: Sequence[Application], new: Sequence[Application], report: Report
) -> tuple[list[JSON], dict[Path, Path]] | None:
    """Return the Full SD's graph with the aliases of new applications in the chunks in which the incoming graph has them, and where it has each.

    None, with errors for what does not fit, if the graph stays as it is.
    """
    theirs, ours = read(full, report), read(incoming, report)
    if (full.data.get(GRAPH) is None) != (incoming.data.get(GRAPH) is None):
        report.add(_one_sided(full, incoming, has_new=bool(new)))
        return None
    if full.data.get(GRAPH) is None:
        for application in new:
            text = (
                f"{application.title} is new, and `extended-merge` adds new applications by the `{GRAPH}`, which neither SD has; "
                "add one with the same chunks to both, or use `basic-merge`"
            )
            report.add(incoming.place.error("not-placed", "53", text))
        return None
    if theirs is None or ours is None:
        _check_new(new, (), report)
        return None
    aliases = {application.effective_alias for application in new}
    _check_chunks(theirs, ours, incoming, report)
    _check_new(new, ours, report)
    _check_full(full, theirs, report)
    _check_entries(ours, {application.effective_alias for application in result}, incoming, report)
    check_gaps(incoming, ours, report, aliases)
    return _extended(full.data[GRAPH], theirs, ours, aliases)


def read(found: Descriptor, report: Report) -> tuple[Chunk, ...] | None:
    """Return the chunks of an SD's graph; None if it has no graph or, with a finding, if that is not a list of chunks."""
    graph = found.data.get(GRAPH)
    if graph is None:
        return None
    entries = graph if isinstance(graph, list) else [None]
    chunks = [_chunk(entry, index) for index, entry in enumerate(entries)]
    if None in chunks:
        hint = near_instead_of("chunkName", entries[chunks.index(None)], CHUNK)
        text = f"`{GRAPH}` of {found.place.title} must be a list of chunks, each with a `chunkName` and a list `apps`{hint}"
        report.add(found.place.error("graph", "52", text, (GRAPH,)))
        return None
    return tuple(chunk for chunk in chunks if chunk)


def check_gaps(incoming: Descriptor, chunks: Sequence[Chunk] | None, report: Report, new: Container[str] = ()) -> None:
    """Warn of each application of the incoming SD that its own graph, if any, lacks; of `new` ones that is an error already."""
    placed = _aliases(chunks or ())
    for application in incoming.applications if chunks is not None else ():
        alias = application.effective_alias
        if alias not in placed and alias not in new:
            text = f'no chunk of the incoming `{GRAPH}` has "{alias}" of {application.place.title}; add it to one'
            report.add(application.place.finding("warning", "graph-incomplete", "S36", text, application.path))


def united(found: Sequence[Descriptor], report: Report) -> tuple[dict[str, JSON], dict[Path, Source]]:
    """Unite the graphs of several SDs: chunks and aliases in the order of their first occurrence; {} if there is no graph. Return its sources, too."""
    graph: dict[str, dict[str, JSON]] = {}
    apps: dict[str, dict[str, Source]] = {}
    sources: dict[Path, Source] = {}
    for descriptor in found:
        for chunk in read(descriptor, report) or ():
            at = descriptor.place, (GRAPH, chunk.index)
            if chunk.name not in graph:
                sources[GRAPH, len(graph)] = at
                graph[chunk.name], apps[chunk.name] = {**chunk.data, "chunkName": chunk.name}, {}
            for index, app in enumerate(chunk.apps):
                apps[chunk.name].setdefault(app, (at[0], (*at[1], "apps", index)))
    for number, (name, made) in enumerate(graph.items()):
        made["apps"] = [*apps[name]]
        place, path = sources[GRAPH, number]
        for index, source in enumerate(apps[name].values()):
            if source != (place, (*path, "apps", index)):
                sources[GRAPH, number, "apps", index] = source
    has_graph = any(descriptor.data.get(GRAPH) is not None for descriptor in found)
    return ({GRAPH: [*graph.values()]}, sources) if has_graph else ({}, {})


def _one_sided(full: Descriptor, incoming: Descriptor, *, has_new: bool) -> Finding:
    """Return the error for a graph in one SD only. Its advice must not lead to the error of the opposite situation."""
    ours, theirs = incoming.place.title, full.place.title
    if full.data.get(GRAPH) is not None:
        text = f"{theirs} has a `{GRAPH}` and {ours} has none; add one with chunks of the Full SD to {ours}"
        return full.place.error("graph", "51", f"{text}, or use `basic-merge`", (GRAPH,))
    text = f"{ours} has a `{GRAPH}` and {theirs} has none; add one with the same chunks to {theirs}"
    other = "use `basic-merge`" if has_new else f"remove it from {ours}"
    return incoming.place.error("graph", "51", f"{text}, or {other}", (GRAPH,))


def _check_chunks(theirs: Sequence[Chunk], ours: Sequence[Chunk], incoming: Descriptor, report: Report) -> None:
    known = dict.fromkeys(chunk.name for chunk in theirs)
    listed = suggest.listed([*known])
    for chunk in ours:
        if chunk.name not in known:
            advice = "use one of its chunks, or add this one to the Full SD" if known else "add this one to the Full SD"
            text = f"the chunk {chunk.name} is not in the Full SD, which has {listed or 'none'}: {advice}"
            report.add(incoming.place.error("chunk", "52", text, (GRAPH,)))


def _check_new(new: Sequence[Application], ours: Sequence[Chunk], report: Report) -> None:
    placed = _aliases(ours)
    for application in new:
        if application.effective_alias not in placed:
            text = f'{application.title} is new, so a chunk of the incoming `{GRAPH}` must have "{application.effective_alias}"'
            report.add(application.error("not-placed", "53", text))


def _check_full(full: Descriptor, theirs: Sequence[Chunk], report: Report) -> None:
    placed = _aliases(theirs)
    for application in full.applications:
        if application.effective_alias not in placed:
            text = f'no chunk of the Full SD has "{application.effective_alias}"; add it to one there: a merge adds only new applications'
            report.add(full.place.finding("warning", "graph-incomplete", "64", text, application.path))


def _check_entries(ours: Sequence[Chunk], known: Container[str], incoming: Descriptor, report: Report) -> None:
    for chunk in ours:
        for app in dict.fromkeys(chunk.apps):
            if app not in known:
                text = f'"{app}" in the chunk {chunk.name} belongs to no application of either SD and is left out'
                report.add(incoming.place.finding("warning", "unknown-graph-entry", "60", text, (GRAPH,)))


def _extended(
    graph: JSON, theirs: Sequence[Chunk], ours: Sequence[Chunk], new: Container[str]
) -> tuple[list[JSON], dict[Path, Path]]:
    """Return a copy of the Full SD's graph to which new aliases are appended, in the order of the incoming graph, and the place of each in that."""
    sources: dict[Path, Path] = {}
    copied: Any = data_edits.copy(graph)
    known = {chunk.name: chunk for chunk in reversed(theirs)}  # of several of one name the first
    placed = {name: {*chunk.apps} for name, chunk in known.items()}
    for chunk in ours:
        for index, app in enumerate(chunk.apps) if chunk.name in known else ():
            if app in new and app not in placed[chunk.name]:
                placed[chunk.name].add(app)
                at = known[chunk.name].index
                entry = copied[at]
                if entry.get("apps") is None:
                    entry["apps"] = []
                sources[GRAPH, at, "apps", len(entry["apps"])] = (GRAPH, chunk.index, "apps", index)
                entry["apps"].append(app)
    return [*copied], sources


def _chunk(entry: JSON, index: int) -> Chunk | None:
    name = entry.get("chunkName") if isinstance(entry, dict) else None
    apps = entry.get("apps") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or name is None or isinstance(name, (dict, list)) or not isinstance(apps, list | None):
        return None
    if any(isinstance(app, (dict, list)) for app in apps or ()):
        return None
    return Chunk(text_of(name), tuple(text_of(app) for app in apps or ()), index, entry)


def _aliases(chunks: Sequence[Chunk]) -> set[str]:
    return {app for chunk in chunks for app in chunk.apps}
