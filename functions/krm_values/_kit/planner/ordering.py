"""The order of findings: unreadable documents, then in the order of the files. A cause comes before its consequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import replace
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import CONFIG, UNREADABLE, WRONG_SHAPE, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Finding

MISSPELT = ("unknown-key", "unknown-field", "misspelt-kind")
"""Kinds of warnings about a misspelt key or word of a resource, which other findings may follow from."""
_CAUSES = (CONFIG, UNREADABLE, "text")
_SEVERITIES = {"error": 0, "warning": 1, "info": 2}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings without repetitions: unreadable documents first, then by file, line, column and severity, those without a file last.

    A finding about a missing field gets the place of the key beside it that is a misspelling of it; one about an object with a misspelt key
    in it comes after that key.
    """
    distinct: list[Finding] = []
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        reported = alike.setdefault((finding.message, finding.path, id(finding.item)), [])
        if finding not in reported:
            reported.append(finding)
            distinct.append(finding)
    distinct = _without_repeats(distinct)
    causes = _Causes(distinct)
    return tuple(sorted(map(causes.beside, distinct), key=lambda finding: _rank(finding, causes)))


def _without_repeats(findings: list[Finding]) -> list[Finding]:
    """Return the findings without warnings about a wrong type where an error covers the same field."""
    if not any(one.kind == WRONG_SHAPE and one.severity == "warning" for one in findings):
        return findings
    reported = {(id(one.item), one.path) for one in findings if one.severity == "error"}
    return [
        one
        for one in findings
        if one.kind != WRONG_SHAPE or one.severity == "error" or (id(one.item), one.path) not in reported
    ]


class _Causes:
    """The misspelt keys of a run, which precede the findings that they cause."""

    __slots__ = ("_hints", "_keys", "_places")

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._hints = suggest.Hints()
        self._keys: dict[tuple[int, Path], list[str]] = {}
        self._places: dict[tuple[int, Path], tuple[int, int]] = {}
        for one in findings:
            if one.path and isinstance(one.item, Item) and (one.kind in MISSPELT or _is_written(one, one.item)):
                self._take(one, id(one.item), one.path)

    def beside(self, finding: Finding) -> Finding:
        """Return the finding; if it is about a field that is absent because of a misspelt key, at the place of that key."""
        item = finding.item
        if not self._keys or finding.at or not isinstance(item, Item) or not item.reading:
            return finding
        for path in finding.lacking or (finding.path,):
            for size, field in enumerate(path):
                known = self._keys.get((id(item), path[:size]))
                if not known or item.reading.place(path[: size + 1]) is not None:
                    continue
                near = self._hints.nearest(str(field), known)
                if near not in ("", field):
                    return replace(finding, at=Origin("misspelt", None, item, (*path[:size], near)))
        return finding

    def last_in(self, finding: Finding) -> tuple[int, int]:
        """Return the place of the last misspelt key in the object that a finding is about."""
        is_cause = finding.kind in MISSPELT
        return places.UNKNOWN if is_cause else self._places.get((id(finding.item), finding.path), places.UNKNOWN)

    def _take(self, finding: Finding, item: int, path: Path) -> None:
        self._keys.setdefault((item, path[:-1]), []).append(str(path[-1]))
        place = _order(finding)
        for size in range(len(path)):
            key = item, path[:size]
            self._places[key] = max(place, self._places.get(key, place))


def _is_written(finding: Finding, item: Item) -> bool:
    """Return whether a finding is about an existing field of the functionConfig."""
    return finding.kind == CONFIG and bool(item.reading) and item.reading.place(finding.path) is not None


def _rank(finding: Finding, causes: _Causes) -> tuple[object, ...]:
    item, _ = places.of_finding(finding)
    is_cause = finding.kind in _CAUSES and finding.severity == "error"
    severity = finding.kind not in MISSPELT, finding.at is not None, _SEVERITIES[finding.severity]
    if item is None:
        return not is_cause, 2 if finding.item else 3, "", 0, 0, places.UNKNOWN, severity
    position = item.position
    where = (0, position.path, position.index, 0) if position.source else (1, "", 0, item.number)
    return not is_cause, *where, max(_order(finding), causes.last_in(finding)), severity


def _order(finding: Finding) -> tuple[int, int]:
    """Return line and column; within the item if a host has reprinted its file."""
    item, found = places.of_finding(finding)
    if item is None or item.position.line or not item.reading:
        return found
    path = finding.at.path if finding.at else finding.path
    tried = (item.reading.place(path[:size]) for size in range(len(path), -1, -1))
    line, column = next((place for place in tried if place is not None), places.UNKNOWN)
    if finding.at:
        return line + (finding.at.line or 0), finding.at.column or column
    inside = finding.inside
    return (line + inside.line, inside.column) if inside and inside.text is not None else (line, column)
