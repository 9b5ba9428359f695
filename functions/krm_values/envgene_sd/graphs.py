"""The deployGraph: chunks by `chunkName`, each with the effective aliases of its applications."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.record import record
from krm_values._data.scalars.text import text_of
from krm_values.envgene_sd import near_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._kit.planner.report import Report
    from krm_values.envgene_sd.descriptors import Descriptor
    from krm_values.envgene_sd.place import Place

KEY = "deployGraph"


@record
class Chunk:
    """One chunk: its name, its aliases, and its index in the graph."""

    name: str
    apps: tuple[str, ...]
    index: int
    data: dict[str, JSON]


def read(data: dict[str, JSON], place: Place, report: Report) -> tuple[Chunk, ...] | None:
    """Return the chunks of an SD's graph; None if it has no graph or, with a finding, if that is not a list of chunks."""
    graph = data.get(KEY)
    if graph is None:
        return None
    entries = graph if isinstance(graph, list) else [None]
    chunks = [_chunk(entry, index) for index, entry in enumerate(entries)]
    if None in chunks:
        hint = near_keys.instead_of("chunkName", entries[chunks.index(None)], near_keys.CHUNK)
        text = f"`{KEY}` of {place.title} must be a list of chunks, each with a `chunkName` and a list `apps`{hint}"
        report.add(place.error("graph", "52", text, (KEY,)))
        return None
    return tuple(chunk for chunk in chunks if chunk)


def united(found: Sequence[Descriptor], report: Report) -> dict[str, JSON]:
    """Unite the graphs of several SDs: chunks and aliases in the order of their first occurrence; {} if there is no graph."""
    graph: list[Any] = []
    apps: dict[str, dict[str, None]] = {}
    for descriptor in found:
        for chunk in read(descriptor.data, descriptor.place, report) or ():
            if chunk.name not in apps:
                apps[chunk.name] = {}
                graph.append({**chunk.data, "chunkName": chunk.name, "apps": apps[chunk.name]})
            apps[chunk.name] |= dict.fromkeys(chunk.apps)
    for made in graph:
        made["apps"] = [*made["apps"]]
    return {KEY: graph} if any(descriptor.data.get(KEY) is not None for descriptor in found) else {}


def additions(full: Iterable[Chunk], incoming: Iterable[Chunk], new: set[str]) -> list[tuple[int, str]]:
    """Return (index of the chunk in the Full SD, alias) of each new application, in the order in which they are appended."""
    known: dict[str, Chunk] = {}
    for chunk in full:
        known.setdefault(chunk.name, chunk)
    placed = {name: frozenset(chunk.apps) for name, chunk in known.items()}
    found = [
        (known[chunk.name].index, app)
        for chunk in incoming
        if chunk.name in known
        for app in chunk.apps
        if app in new and app not in placed[chunk.name]
    ]
    return list(dict.fromkeys(found))


def extended(data: dict[str, JSON], added: Iterable[tuple[int, str]]) -> list[JSON]:
    """Return the graph of an SD with aliases appended."""
    graph: Any = data_edits.copy(data[KEY])
    for index, alias in added:
        if graph[index].get("apps") is None:
            graph[index]["apps"] = []
        graph[index]["apps"].append(alias)
    return [*graph]


def _chunk(entry: JSON, index: int) -> Chunk | None:
    name = entry.get("chunkName") if isinstance(entry, dict) else None
    apps = entry.get("apps") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or name is None or isinstance(name, dict | list) or not isinstance(apps, list | None):
        return None
    if any(isinstance(app, dict | list) for app in apps or ()):
        return None
    return Chunk(text_of(name), tuple(text_of(app) for app in apps or ()), index, entry)
