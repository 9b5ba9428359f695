"""The merge of one environment: its new Full SD, and the Delta SD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.envgene_sd import basic, checks, descriptors, graph, graphs, outcomes, replace
from krm_values.envgene_sd.descriptors import FULL
from krm_values.envgene_sd.headers import HEADER
from krm_values.envgene_sd.parameters import EXCLUSION, EXTENDED, REPLACE
from krm_values.envgene_sd.place import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.envgene_sd.descriptors import Descriptor
    from krm_values.envgene_sd.fold import Incoming
    from krm_values.envgene_sd.outcomes import Row
    from krm_values.envgene_sd.parameters import Parameters

_DROPPED = (*HEADER, graphs.KEY)


@record
class Merged:
    """The result of a merge. `delta` is None if there is no Delta SD."""

    rows: tuple[Row, ...]
    full: dict[str, JSON]
    delta: dict[str, JSON] | None
    is_repeatable: bool


def stored(parameters: Parameters, incoming: Incoming) -> dict[str, JSON]:
    """Return the incoming SD as it is stored: whole in extended-merge and for a single one in replace, else its applications only."""
    if parameters.mode == EXTENDED:
        return incoming.data
    is_whole = parameters.mode == REPLACE and len(incoming.places) == 1
    return incoming.data if is_whole else incoming.reduced


def data_of(full: Item) -> JSON:
    """Return the content of a Full SD; an empty one has no applications."""
    found = get(full.data, ("spec",))
    return found or {"applications": []} if isinstance(found, dict | None) else found


def merge(full: Item | None, incoming: Incoming, parameters: Parameters, report: Report) -> Merged | None:
    """Merge the incoming SD into the Full SD; None, with findings, if they do not fit together."""
    data = stored(parameters, incoming)
    if full is None:
        report.extend(_first(parameters))
        if parameters.mode == EXTENDED:
            report.extend(graph.gaps(incoming, graphs.read(incoming.data, incoming.places[0], Report())))
        report.extend(_lost(incoming, data))
        result = [outcomes.added(entry) for entry in incoming.entries]
        return Merged(tuple(result), data, None, parameters.mode != EXCLUSION)
    if parameters.mode == REPLACE:
        report.extend(_lost(incoming, data))
        result = replace.merge(descriptors.readable(data_of(full), full_place(full)), incoming)
        return Merged(tuple(result), data, None, is_repeatable=True)
    old = read(full, parameters, report)
    return _with_full(old, incoming, parameters, report) if old else None


def read(full: Item, parameters: Parameters, report: Report) -> Descriptor | None:
    """Read the Full SD for a merge; None, with findings, if it is invalid."""
    old = descriptors.read(data_of(full), full_place(full), report)
    found = list(checks.full(old, extended=parameters.mode == EXTENDED)) if old else []
    report.extend(found)
    return None if found else old


def full_place(full: Item) -> Place:
    """Return the place of the Full SD."""
    return Place(FULL, "the Full SD", full, ("spec",))


def _with_full(old: Descriptor, incoming: Incoming, parameters: Parameters, report: Report) -> Merged:
    delta = stored(parameters, incoming)
    if parameters.mode == EXTENDED:
        result, data = graph.merge(old, incoming, report)
        return Merged(tuple(result), data, delta, is_repeatable=True)
    if parameters.mode == EXCLUSION:
        result = basic.exclude(old, incoming.entries, report)
    else:
        result = basic.merge(old, incoming.entries)
    report.extend(basic.repeats(result, old))
    report.extend(_reduced(old))
    is_repeatable = parameters.mode != EXCLUSION or not any(row.outcome == outcomes.CHANGED for row in result)
    return Merged(tuple(result), {"applications": outcomes.listed(result)}, delta, is_repeatable)


def _first(parameters: Parameters) -> Iterator[Finding]:
    """Yield warnings for modes that expect a Full SD if there is none."""
    if parameters.mode == EXCLUSION:
        text = "there is no Full SD from which `basic-exclusion-merge` could exclude: the incoming SD becomes the Full SD"
        yield Finding("warning", "no-full-sd", "49", text, config=("SD_REPO_MERGE_MODE",))
        return
    if parameters.mode == EXTENDED and parameters.chosen_by == "SD_DELTA":
        text = "there is no Full SD to which `SD_DELTA` could apply a delta: the incoming SD becomes the Full SD"
        yield Finding("warning", "no-full-sd", "7", text, config=("SD_DELTA",))
        return


def _reduced(old: Descriptor) -> Iterator[Finding]:
    dropped = [key for key in old.data if key != "applications"]
    if not dropped:
        return
    text = f"loses {_listed(dropped)}: this mode keeps `applications` alone"
    yield old.place.finding("info", "header-dropped", "42", text)


def _lost(incoming: Incoming, data: dict[str, JSON]) -> Iterator[Finding]:
    """Yield an information about header and graph of an incoming SD that are not stored."""
    if len(incoming.places) > 1:
        return
    dropped = [key for key in _DROPPED if key in incoming.data and key not in data]
    if not dropped:
        return
    place = incoming.places[0]
    text = f"{place.title} is stored without {_listed(dropped)}: this mode keeps `applications` alone"
    yield place.finding("info", "header-dropped", "42", text)


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)
