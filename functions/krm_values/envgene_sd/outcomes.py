"""The outcome of each application, from which result, edits, warnings and `explain` are derived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._kit.planner.plan import Origin
from krm_values.envgene_sd.descriptors import Application

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krm_values._data.values import JSON

ADDED, CHANGED, REMOVED, KEPT, IGNORED = OUTCOMES = ("added", "changed", "removed", "kept", "ignored")


@record
class Entry:
    """An application of the incoming SD after the input stage, and all applications that set its version, the effective one first."""

    application: Application
    applications: tuple[Application, ...]

    def later(self, application: Application) -> Entry:
        """Return the entry after a later SD: its version overrides, every other attribute stays."""
        if application.version == self.application.version:
            return replace(self, applications=(*self.applications, application))
        return Entry(versioned(self.application, application), (application, *self.applications))


@record
class Row:
    """One application and its outcome. origin: what decided; overridden: what it overrode.

    at: its index in the old Full SD, None if it was not in it. before: its version there.
    """

    outcome: str
    application: Application
    origin: Origin
    overridden: tuple[Origin, ...] = ()
    at: int | None = None
    before: str = ""


def versioned(application: Application, other: Application) -> Application:
    """Return an application with another one's version; its other attributes stay."""
    text = f"{application.name}:{other.version}"
    data = {**application.data, "version": text} if isinstance(application.data, dict) else text
    return replace(application, data=data, version=other.version)


def entries(applications: Iterable[Application]) -> list[Entry]:
    """Return an entry for each application of one SD."""
    return [Entry(application, (application,)) for application in applications]


def added(entry: Entry) -> Row:
    """Return the row of an application that is new."""
    return Row(ADDED, entry.application, *_origins(entry.applications))


def ignored(entry: Entry, by: Origin) -> Row:
    """Return the row of an incoming application that is ignored."""
    return Row(IGNORED, entry.application, by, tuple(application.as_origin() for application in entry.applications))


def kept(old: Application, entry: Entry | None = None) -> Row:
    """Return the row of an application that stays. entry: what an incoming SD has for it."""
    others = entry.applications if entry else ()
    return Row(KEPT, old, *_origins((old, *others)), at=old.index, before=old.version)


def changed(old: Application, entry: Entry) -> Row:
    """Return the row of an application that gets the incoming version."""
    new = versioned(old, entry.application)
    return Row(CHANGED, new, *_origins((*entry.applications, old)), at=old.index, before=old.version)


def removed(old: Application, by: Origin) -> Row:
    """Return the row of an application that is removed."""
    return Row(REMOVED, old, by, (old.as_origin(),), at=old.index, before=old.version)


def replaced(old: Application, entry: Entry) -> Row:
    """Return the row of an incoming application in the place of the old one with the same identity."""
    outcome = KEPT if old.version == entry.application.version else CHANGED
    return Row(outcome, entry.application, *_origins((*entry.applications, old)), at=old.index, before=old.version)


def remaining(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the applications that the resulting SD lists, in its order."""
    return [row for row in rows if row.outcome in (ADDED, CHANGED, KEPT)]


def listed(rows: Sequence[Row]) -> list[JSON]:
    """Return the applications of the resulting SD."""
    return [row.application.data for row in remaining(rows)]


def account(row: Row) -> dict[str, JSON]:
    """Return what `explain` shows for an application."""
    versions = (("from", row.before), ("to", row.application.version)) if row.outcome == CHANGED else ()
    known = versions or (("version", row.application.version),)
    found: dict[str, JSON] = {"outcome": row.outcome, **dict(known), "by": row.origin.layer}
    return {**found, "overridden": [origin.layer for origin in row.overridden]} if row.overridden else found


def _origins(applications: tuple[Application, ...]) -> tuple[Origin, tuple[Origin, ...]]:
    first, *others = (application.as_origin() for application in applications)
    return first, tuple(others)
