"""What becomes of each application: the one account that results, edits, warnings and `explain` are all made of."""

from __future__ import annotations

from krm_values._data.record import record, replace
from krm_values._kit.planner.plan import Origin
from krm_values.envgene_sd.sd.descriptors import Application

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krm_values._data.values import JSON

ADDED, CHANGED, REMOVED, KEPT, IGNORED = OUTCOMES = ("added", "changed", "removed", "kept", "ignored")


@record
class Entry:
    """An application of the incoming SD after the input stage, and all who gave its version, the one that counts first."""

    application: Application
    said: tuple[Application, ...]

    def later(self, application: Application) -> Entry:
        """Return the same after a later SD's say: its version counts, every other attribute stays."""
        if application.version == self.application.version:
            return replace(self, said=(*self.said, application))
        return Entry(versioned(self.application, application), (application, *self.said))


@record
class Row:
    """One application and what becomes of it: who decided and whom that beat.

    at: its index in the old Full SD, None if it was not there. before: its version there.
    """

    outcome: str
    application: Application
    origin: Origin
    beaten: tuple[Origin, ...] = ()
    at: int | None = None
    before: str = ""


def versioned(application: Application, other: Application) -> Application:
    """Return an application in another one's version; its other attributes stay."""
    text = f"{application.name}:{other.version}"
    data = {**application.data, "version": text} if isinstance(application.data, dict) else text
    return replace(application, data=data, version=other.version)


def entries(applications: Iterable[Application]) -> list[Entry]:
    """Return one SD's applications, each its own say."""
    return [Entry(application, (application,)) for application in applications]


def added(entry: Entry) -> Row:
    """It was not there before."""
    return Row(ADDED, entry.application, *_said(entry.said))


def ignored(entry: Entry, by: Origin) -> Row:
    """It is not taken over."""
    return Row(IGNORED, entry.application, by, tuple(application.says() for application in entry.said))


def kept(old: Application, entry: Entry | None = None) -> Row:
    """It stays; `entry`: what an incoming SD says of it."""
    said = entry.said if entry else ()
    return Row(KEPT, old, *_said((old, *said)), at=old.index, before=old.version)


def changed(old: Application, entry: Entry) -> Row:
    """It takes the incoming version."""
    new = versioned(old, entry.application)
    return Row(CHANGED, new, *_said((*entry.said, old)), at=old.index, before=old.version)


def removed(old: Application, by: Origin) -> Row:
    """It goes."""
    return Row(REMOVED, old, by, (old.says(),), at=old.index, before=old.version)


def replaced(old: Application, entry: Entry) -> Row:
    """Return the incoming application stands where the old one of the same identity stood."""
    outcome = KEPT if old.version == entry.application.version else CHANGED
    return Row(outcome, entry.application, *_said((*entry.said, old)), at=old.index, before=old.version)


def standing(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of what the resulting SD lists, in its order."""
    return [row for row in rows if row.outcome in (ADDED, CHANGED, KEPT)]


def listed(rows: Sequence[Row]) -> list[JSON]:
    """Return the resulting SD's applications."""
    return [row.application.data for row in standing(rows)]


def account(row: Row) -> dict[str, JSON]:
    """Return what `explain` says of an application."""
    versions = (("from", row.before), ("to", row.application.version)) if row.outcome == CHANGED else ()
    known = versions or (("version", row.application.version),)
    told: dict[str, JSON] = {"outcome": row.outcome, **dict(known), "by": row.origin.layer}
    return {**told, "beat": [origin.layer for origin in row.beaten]} if row.beaten else told


def _said(applications: tuple[Application, ...]) -> tuple[Origin, tuple[Origin, ...]]:
    first, *others = (application.says() for application in applications)
    return first, tuple(others)
