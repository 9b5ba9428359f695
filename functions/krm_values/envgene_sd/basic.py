"""basic-merge and basic-exclusion-merge: by name and postfix; only `applications` is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.envgene_sd import outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._kit.planner.plan import Finding
    from krm_values._kit.planner.report import Report
    from krm_values.envgene_sd.descriptors import Application, Descriptor
    from krm_values.envgene_sd.outcomes import Entry, Row


def merge(full: Descriptor, incoming: Sequence[Entry], *, extended: bool = False) -> list[Row]:
    """Merge: matching applications get the incoming version in place, new ones follow in incoming order. For every mode but exclusion."""
    incoming_by_key = by_key(incoming, extended=extended)
    known = {old.key(extended=extended) for old in full.applications}
    merged = [_merged(old, incoming_by_key.get(old.key(extended=extended))) for old in full.applications]
    return merged + [outcomes.added(entry) for key, entry in incoming_by_key.items() if key not in known]


def exclude(full: Descriptor, incoming: Sequence[Entry], report: Report) -> list[Row]:
    """Exclude: duplicating applications are removed, matching ones get the incoming version, new ones are ignored."""
    incoming_by_key = by_key(incoming, extended=False)
    known = {old.key(extended=False) for old in full.applications}
    result = [_excluded(old, incoming_by_key.get(old.key(extended=False))) for old in full.applications]
    for key, entry in incoming_by_key.items():
        if key not in known:
            report.add(_not_there(entry.applications[0]))
            result.append(outcomes.ignored(entry, full.place.as_origin(None, ("applications",))))
    return result


def repeats(result: Sequence[Row], full: Descriptor) -> Iterator[Finding]:
    """Yield an error if the result lists an application twice, which the next merge would refuse."""
    seen = set()
    for row in outcomes.remaining(result):
        application = row.application
        key = (*application.key(extended=False), application.version)
        if key in seen and row.outcome != outcomes.ADDED:
            old = full.applications[row.at or 0]
            text = f"{full.place.title} lists {old.title} in several versions, which would become one twice: remove all but one"
            yield old.error("duplicate", "30", text)
        seen.add(key)


def by_key(incoming: Sequence[Entry], *, extended: bool) -> dict[tuple[str, str, str], Entry]:
    """Return the entries of an SD by the key of the application."""
    return {entry.application.key(extended=extended): entry for entry in incoming}


def _merged(old: Application, entry: Entry | None) -> Row:
    if entry is None or entry.application.version == old.version:
        return outcomes.kept(old, entry)
    return outcomes.changed(old, entry)


def _excluded(old: Application, entry: Entry | None) -> Row:
    if entry is None:
        return outcomes.kept(old)
    if entry.application.version == old.version:
        return outcomes.removed(old, entry.applications[0].as_origin())
    return outcomes.changed(old, entry)


def _not_there(application: Application) -> Finding:
    text = f"{application.title} is not in the Full SD, so `basic-exclusion-merge` ignores it"
    return application.place.finding("warning", "new-app-ignored", "47", text, application.path)
