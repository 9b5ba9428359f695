"""A Solution Descriptor and its applications, with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.scalars.text import text_of
from krm_values._data.shown import described
from krm_values._kit.planner.plan import Finding, Origin
from krm_values._kit.planner.report import Report
from krm_values.envgene_sd import near_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.envgene_sd.place import Place

FULL = "Full SD"
_WORDS = {"deployPostfix": "24", "alias": "26"}


@record
class Application:
    """One application of an SD: a map, or only the string `name:version`. Without postfix or alias these are ""."""

    data: JSON
    place: Place
    index: int
    name: str
    version: str
    postfix: str = ""
    alias: str = ""

    @property
    def text(self) -> str:
        """`name:version`."""
        return f"{self.name}:{self.version}"

    @property
    def effective_alias(self) -> str:
        """Its name in a deployGraph."""
        return self.alias or (f"{self.name}:{self.postfix}" if self.postfix else self.name)

    @property
    def title(self) -> str:
        """`ledger (finance)`."""
        return f"{self.name} ({self.postfix})" if self.postfix else self.name

    @property
    def is_map(self) -> bool:
        return isinstance(self.data, dict)

    def key(self, *, extended: bool) -> tuple[str, str, str]:
        """Return the identity of an application; the alias is part of it in extended-merge only."""
        return self.name, self.postfix, self.effective_alias if extended else ""

    @property
    def path(self) -> Path:
        """Its path within its SD."""
        return "applications", self.index

    def as_origin(self) -> Origin:
        """Return its SD as the origin of its version."""
        return self.place.as_origin(self.text, (*self.path, "version") if self.is_map else self.path)

    def error(self, kind: str, rule: str, text: str) -> Finding:
        """Return an error about this application."""
        return self.place.error(kind, rule, text, self.path)


@record
class Descriptor:
    """One SD and its applications."""

    place: Place
    data: dict[str, JSON]
    applications: tuple[Application, ...]


def read(data: JSON, place: Place, report: Report) -> Descriptor | None:
    """Read an SD; None, with findings, if it has no list of applications or one of them is invalid."""
    listed = data.get("applications") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(listed, list):
        hint = near_keys.instead_of("applications", data, near_keys.DESCRIPTOR)
        report.add(place.error("applications", "15", f"{place.title} must have a list `applications`{hint}"))
        return None
    found = [_application(entry, place, index, report) for index, entry in enumerate(listed)]
    whole = tuple(application for application in found if application is not None)
    return Descriptor(place, data, whole) if len(whole) == len(found) else None


def entries(data: JSON) -> Sequence[JSON]:
    """Return the applications of an SD, of any type."""
    found = get(data, ("applications",))
    return found if isinstance(found, list) else ()


def readable(data: JSON, place: Place) -> list[Application]:
    """Return the valid applications of an SD of any type."""
    found = (_application(entry, place, index, Report()) for index, entry in enumerate(entries(data)))
    return [application for application in found if application is not None]


def _application(entry: JSON, place: Place, index: int, report: Report) -> Application | None:
    path: Path = ("applications", index)
    text = entry.get("version") if isinstance(entry, dict) else entry
    name, _, version = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not name or not version:
        shown = "nothing" if text is None else described(text)
        hint = near_keys.instead_of("version", entry, near_keys.APPLICATION)
        message = f"{place.title} must list each application as `name:version`{hint or f'; found {shown}'}"
        report.add(place.error("application", "21", message, path))
        return None
    if not isinstance(entry, dict):
        return Application(entry, place, index, name, version)
    for key, rule in _WORDS.items():
        if isinstance(entry.get(key), dict | list):
            message = f"`{key}` of {text} in {place.title} must be a string; found {described(entry[key])}"
            report.add(place.error("application", rule, message, (*path, key)))
            return None
    return Application(entry, place, index, name, version, text_of(entry.get("deployPostfix")), text_of(entry.get("alias")))
