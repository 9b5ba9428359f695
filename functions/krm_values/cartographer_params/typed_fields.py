"""Typed access to the fields of a resource, with findings on wrong types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import New, Severity
    from krm_values._kit.planner.report import Report


class Fields:
    """The fields of one resource by path. A null counts as absent. report: gets what is wrong."""

    __slots__ = ("_report", "item")

    def __init__(self, item: Item | New, report: Report) -> None:
        self.item, self._report = item, report

    def get(self, path: Path) -> JSON:
        """Return the value at `path`, or None."""
        return get(self.item.data, path)

    def map(self, path: Path, rule: str) -> dict[str, JSON]:
        """Return the map at `path`; {} if it is absent or, with an error, not a map."""
        value = self.get(path)
        if value is None or isinstance(value, dict):
            return value or {}
        self.error(rule, "shape", path, "must be a map; found {found}", value)
        return {}

    def maps(self, path: Path, rule: str) -> Iterator[Path]:
        """Yield the path of each element of the list of maps at `path`; with an error skip what is not a map."""
        value = self.get(path)
        if value is None:
            return
        if not isinstance(value, list):
            self.error(rule, "shape", path, "must be a list; found {found}", value)
            return
        for index, element in enumerate(value):
            if isinstance(element, dict):
                yield (*path, index)
            else:
                self.error(rule, "shape", (*path, index), "must be a map; found {found}", element)

    def string(self, path: Path, rule: str) -> str:
        """Return the string at `path`; "" if it is absent or, with an error, not a string."""
        value = self.get(path)
        if value is None or isinstance(value, str):
            return value or ""
        self.error(rule, "shape", path, "must be a string; found {found}", value)
        return ""

    def strings(self, path: Path, rule: str) -> tuple[str, ...]:
        """Return the list of strings at `path`; () if it is absent or, with an error, anything else."""
        value = self.get(path)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(element, str) for element in value):
            return tuple(map(str, value))
        self.error(rule, "shape", path, "must be a list of strings; found {found}", value)
        return ()

    def error(self, rule: str, kind: str, path: Path, text: str, found: JSON = None) -> None:
        """Add an error on the field at `path`."""
        self.report("error", rule, kind, path, text, found=found)

    def report(self, severity: Severity, rule: str, kind: str, path: Path, text: str, *, found: JSON = None) -> None:
        """Add a finding on the field at `path`. text: may hold `{found}`, which the value of `found` replaces.

        found: "" also for a field that is missing, or that `text` has reported as no string.
        """
        written = self.get(path)
        if found == "" and written not in (None, ""):
            return
        if found == "" and written is None:
            text = text.replace("{found}", "nothing")
        self._report.add(Finding(severity, kind, rule, text, self.item, path, found))
