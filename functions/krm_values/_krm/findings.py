"""Findings: shown as one line each and as the `results` of a ResourceList, collected by a `Report`, and put in order."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import address
from krm_values._data.pointer import to_field
from krm_values._data.record import replace
from krm_values._data.shown import LONGEST, cut, described, printable
from krm_values._krm import places
from krm_values._krm.item import STDIN, Item, withholds
from krm_values._krm.plan import CONFIG, UNREADABLE, WRONG_SHAPE, Finding, New, Origin
from krm_values._krm.taint import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON


__all__ = ["HIDDEN", "LONGEST", "Report", "as_result", "in_order", "line", "message", "reference", "title"]


def line(finding: Finding, folder: str = "") -> str:
    """Format a finding: `error: app.yaml:12:5: PipelineRun ci/build `spec.params[0]`: message`. folder: the prefix of its file."""
    return f"{finding.severity}: {message(finding, folder=folder)}"


def message(finding: Finding, *, named: bool = True, folder: str = "") -> str:
    """Return the message on one line. named: include the resource and its field, which a host may show itself. folder: the prefix of its file."""
    text = finding.message.replace("{found}", _shown(finding))
    text = " ".join(map(_brief, _words(text)))
    parts = (_place(finding, folder), _named(finding) if named else "", _within(finding), text)
    return printable(": ".join(part for part in parts if part))


def as_result(finding: Finding, *, named: bool = True) -> dict[str, JSON]:
    """Return an entry of `results`; currentValue only for a scalar, masked if it comes from a Secret.

    named: whether the message names resource and field; not for a host that shows them beside it.
    """
    item = finding.item
    has_name = item is not None and bool(reference(item)["name"])
    result: dict[str, JSON] = {"message": message(finding, named=named or not has_name), "severity": finding.severity}
    if item is not None and (has_name or (finding.kind != CONFIG and reference(item)["kind"])):
        result["resourceRef"] = {key: _printable(value) for key, value in reference(item).items()}
        if finding.path:
            result["field"] = _field(finding)
    source = item if isinstance(item, Item) or not finding.at else finding.at.item
    if isinstance(source, Item) and source.position.file:
        result["file"] = {"path": printable(source.position.path), "index": source.position.index}
    tags: dict[str, JSON] = {"kind": finding.kind, **({"rule": finding.rule} if finding.rule else {}), **finding.tags}
    result["tags"] = {key: printable(str(value)) for key, value in sorted(tags.items())}
    return result


def reference(item: Item | New) -> dict[str, JSON]:
    """Return the `resourceRef` of an item or generated object."""
    if isinstance(item, Item):
        named: dict[str, JSON] = {"apiVersion": item.api_version, "kind": item.kind, "name": item.label}
        return {**named, "namespace": item.namespace} if item.namespace else named
    data = item.data if isinstance(item.data, dict) else {}
    found = data.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    named = {"apiVersion": data.get("apiVersion"), "kind": data.get("kind"), "name": metadata.get("name")}
    return {**named, "namespace": metadata["namespace"]} if metadata.get("namespace") else named


def title(item: Item | New) -> str:
    """Return the kind and name in messages: `PipelineRun ci/build`."""
    named = reference(item)
    space = f"{named['namespace']}/" if named.get("namespace") else ""
    return f"{named['kind']} {space}{named['name']}".strip()


def _field(finding: Finding) -> dict[str, JSON]:
    field: dict[str, JSON] = {"path": printable(to_field(finding.path))}
    value = finding.found.value if isinstance(finding.found, Origin) else finding.found
    if value is not None and not isinstance(value, (dict, list)) and len(str(value)) <= LONGEST:
        field["currentValue"] = HIDDEN if _is_hidden(finding) else value
    return field


def _printable(value: JSON) -> JSON:
    return printable(value) if isinstance(value, str) else value


def _words(text: str) -> list[str]:
    """Return the words of a text; line breaks separate words, too."""
    return [word for word in text.replace("\n", " ").split(" ") if word]


def _brief(word: str) -> str:
    """Shorten a word of a message, which may be a very long name or path from the input."""
    return word if len(word) <= 2 * LONGEST else cut(word)


def _shown(finding: Finding) -> str:
    if _is_hidden(finding):
        return f'"{HIDDEN}"'
    return described(finding.found.value if isinstance(finding.found, Origin) else finding.found)


def _is_hidden(finding: Finding) -> bool:
    """Return whether the value found comes from a Secret, is in one, or is where one was written."""
    if isinstance(finding.found, Origin) and finding.found.secret:
        return True
    item = finding.item
    return withholds(item, finding.path) if isinstance(item, Item) else item is not None and item.is_secret


def _named(finding: Finding) -> str:
    """Return the resource and its field; a functionConfig is called that, whatever its name.

    A planner's finding about its config names the field itself, a mistake without a field the functionConfig.
    """
    if finding.config is not None and (finding.item is not None or not finding.path):
        return ""
    if finding.kind == CONFIG and not finding.path:
        return ""
    field = f"`{_brief(to_field(finding.path))}`" if finding.path else ""
    if finding.item is None:
        return field
    item = "functionConfig" if finding.kind == CONFIG else printable(title(finding.item))
    return " ".join(part for part in (item, field) if part)


def _place(finding: Finding, folder: str = "") -> str:
    """Return `file:line:column`, as far as they are known; `file (stdin:line:column)` in a pipe that names the file."""
    item, numbers = places.of_finding(finding)
    if item is None:
        return ""
    file = item.error.file if item.error and item is finding.item else ""
    streamed = places.on_stdin(finding)
    beside = f" ({address(STDIN, *streamed)})" if streamed[0] else ""
    file = file or item.position.source
    return address(posixpath.join(folder, file) if file not in ("", STDIN) else file, *numbers) + beside


def _within(finding: Finding) -> str:
    """Return the place within a text if the address does not include it: `line 3, column 5 of the text`."""
    item, inside = finding.item, finding.inside
    if not inside or not inside.line or (isinstance(item, Item) and places.of_text(item, finding.path, inside)[0]):
        return ""
    return f"{address('', inside.line, inside.column)} of the {'resource' if inside.text is None else 'text'}"


# The collector of findings: whoever reads input takes a report and adds findings to it.


class Report:
    """Findings in the order in which they are added. Their fields are those of `Finding`."""

    __slots__ = ("findings",)

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    @property
    def failed(self) -> bool:
        """Whether there is an error among the findings."""
        return any(finding.severity == "error" for finding in self.findings)

    def error(
        self, kind: str, rule: str | None, message: str, item: Item | New | None = None, path: Path = (), **more: Any
    ) -> None:
        """Add an error. more: other fields of the finding."""
        self.findings.append(Finding("error", kind, rule, message, item, path, **more))

    def warning(
        self, kind: str, rule: str | None, message: str, item: Item | New | None = None, path: Path = (), **more: Any
    ) -> None:
        """Add a warning. more: other fields of the finding."""
        self.findings.append(Finding("warning", kind, rule, message, item, path, **more))

    def info(
        self, kind: str, rule: str | None, message: str, item: Item | New | None = None, path: Path = (), **more: Any
    ) -> None:
        """Add an info finding. more: other fields of the finding."""
        self.findings.append(Finding("info", kind, rule, message, item, path, **more))

    def add(self, *findings: Finding) -> None:
        """Add existing findings."""
        self.findings.extend(findings)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add the findings that a check yields."""
        self.findings.extend(findings)


# The order of findings: unreadable documents, then in the order of the files. A cause comes before its consequences.

MISSPELT_KINDS = ("unknown-key", "unknown-field", "misspelt-kind")
"""Kinds of warnings about a misspelt key or word of a resource, which other findings may follow from."""
_CAUSES = (CONFIG, UNREADABLE, "text")
SEVERITIES = {"error": 0, "warning": 1, "info": 2}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in order: unreadable documents first, then by file, line, column and severity, those without a file last.

    Repetitions are left out, and warnings about the type of a field on which there is an error. A finding about a missing field gets the
    place of the key beside it that is a misspelling of it; one about an object with a misspelt key in it comes after that key.
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

    __slots__ = ("_keys", "_places")

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._keys: dict[tuple[int, Path], list[str]] = {}
        self._places: dict[tuple[int, Path], tuple[int, int]] = {}
        for one in findings:
            if one.path and isinstance(one.item, Item) and (one.kind in MISSPELT_KINDS or _is_written(one, one.item)):
                self._take(one, id(one.item), one.path)

    def beside(self, finding: Finding) -> Finding:
        """Return the finding; if it is about a field that is absent because of a misspelt key, at the place of that key."""
        item = finding.item
        if not self._keys or finding.at or not isinstance(item, Item):
            return finding
        for path in finding.lacking or (finding.path,):
            for size, field in enumerate(path):
                known = self._keys.get((id(item), path[:size]))
                if not known or item.reading.place(path[: size + 1]) is not None:
                    continue
                near = suggest.nearest(str(field), known)
                if near not in ("", field):
                    return replace(finding, at=Origin("misspelt", None, item, (*path[:size], near)))
        return finding

    def last_in(self, finding: Finding) -> tuple[int, int]:
        """Return the place of the last misspelt key in the object that a finding is about."""
        is_cause = finding.kind in MISSPELT_KINDS
        return places.UNKNOWN if is_cause else self._places.get((id(finding.item), finding.path), places.UNKNOWN)

    def _take(self, finding: Finding, item: int, path: Path) -> None:
        self._keys.setdefault((item, path[:-1]), []).append(str(path[-1]))
        place = _order(finding)
        for size in range(len(path)):
            key = item, path[:size]
            self._places[key] = max(place, self._places.get(key, place))


def _is_written(finding: Finding, item: Item) -> bool:
    """Return whether a finding is about an existing field of the functionConfig."""
    return finding.kind == CONFIG and item.reading.place(finding.path) is not None


def _rank(finding: Finding, causes: _Causes) -> tuple[object, ...]:
    item, _ = places.of_finding(finding)
    is_cause = finding.kind in _CAUSES and finding.severity == "error"
    severity = finding.kind not in MISSPELT_KINDS, finding.at is not None, SEVERITIES[finding.severity]
    if item is None or (isinstance(finding.item, New) and not finding.at):
        return not is_cause, 2 if finding.item else 3, "", 0, 0, places.UNKNOWN, severity
    position = item.position
    where = (0, position.path, position.index, 0) if position.source else (1, "", 0, item.number)
    return not is_cause, *where, max(_order(finding), causes.last_in(finding)), severity


def _order(finding: Finding) -> tuple[int, int]:
    """Return line and column; within the item if a host has reprinted its file."""
    item, found = places.of_finding(finding)
    if item is None or item.position.line:
        return found
    path = finding.at.path if finding.at else finding.path
    tried = (item.reading.place(path[:size]) for size in range(len(path), -1, -1))
    line, column = next((place for place in tried if place is not None), places.UNKNOWN)
    if finding.at:
        return line + (finding.at.line or 0), finding.at.column or column
    inside = finding.inside
    return (line + inside.line, inside.column) if inside and inside.text is not None else (line, column)
