"""Findings as users see them: one located line each, and the ResourceList's `results`."""

from __future__ import annotations

from krm_values._kit.item import Item, withholds
from krm_values._kit.plan import Origin
from krm_values._kit.pointer import to_field
from krm_values._kit.scalars import text_of
from krm_values._kit.withheld import HIDDEN

TYPE_CHECKING = False
__all__ = ["HIDDEN", "LONGEST", "as_result", "in_order", "line", "message", "reference", "title"]

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._kit.data import JSON
    from krm_values._kit.plan import Finding, New
    from krm_values._kit.pointer import Path

LONGEST = 1_000
"""Characters of a value in a message; of a longer one the first are shown."""
_ORDER = {"error": 0, "warning": 1, "info": 2}


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors first, then warnings, then information; each in the planner's order, repeats once."""
    distinct: list[Finding] = []
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        told = alike.setdefault((finding.message, finding.path, id(finding.item)), [])
        if finding not in told:
            told.append(finding)
            distinct.append(finding)
    return tuple(sorted(distinct, key=lambda finding: _ORDER[finding.severity]))


def line(finding: Finding) -> str:
    """`error: app.yaml:12: PipelineRun ci/build `spec.params[0]`: message`."""
    return f"{finding.severity}: {message(finding)}"


def message(finding: Finding) -> str:
    """Address, fact and way out on one line. `{found}` in the planner's text stands for the quoted value found."""
    text = " ".join(map(_brief, finding.message.replace("{found}", f'"{_cut(_shown(finding))}"').split()))
    field = f"`{_brief(to_field(finding.path))}`" if finding.path else ""
    named = " ".join(title(finding.item).split()) if finding.item is not None else ""
    return ": ".join(part for part in (_place(finding), " ".join(part for part in (named, field) if part), text) if part)


def as_result(finding: Finding) -> dict[str, JSON]:
    """One entry of `results`; currentValue only where it is a scalar, masked where it comes from a Secret."""
    result: dict[str, JSON] = {"message": message(finding), "severity": finding.severity}
    item = finding.item
    if item is not None:
        result["resourceRef"] = reference(item)
    if finding.path and item is not None:
        result["field"] = _field(finding)
    if isinstance(item, Item) and item.position.file:
        result["file"] = {"path": item.position.path, "index": item.position.index}
    tags: dict[str, JSON] = {"kind": finding.kind, **({"rule": finding.rule} if finding.rule else {}), **finding.tags}
    result["tags"] = {key: str(value) for key, value in sorted(tags.items())}
    return result


def reference(item: Item | New) -> dict[str, JSON]:
    """The `resourceRef` of an item or a generated object."""
    if isinstance(item, Item):
        named: dict[str, JSON] = {"apiVersion": item.api_version, "kind": item.kind, "name": item.label}
        return {**named, "namespace": item.namespace} if item.namespace else named
    data = item.data if isinstance(item.data, dict) else {}
    found = data.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    named = {"apiVersion": data.get("apiVersion"), "kind": data.get("kind"), "name": metadata.get("name")}
    return {**named, "namespace": metadata["namespace"]} if metadata.get("namespace") else named


def title(item: Item | New) -> str:
    """`PipelineRun ci/build`."""
    named = reference(item)
    space = f"{named['namespace']}/" if named.get("namespace") else ""
    return f"{named['kind']} {space}{named['name']}".rstrip()


def _field(finding: Finding) -> dict[str, JSON]:
    field: dict[str, JSON] = {"path": to_field(finding.path)}
    value = finding.found.value if isinstance(finding.found, Origin) else finding.found
    if value is not None and not isinstance(value, dict | list) and len(str(value)) <= LONGEST:
        field["currentValue"] = HIDDEN if _is_hidden(finding) else value
    return field


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"


def _brief(word: str) -> str:
    """A word of a message, which may be a name or a path that somebody has made very long."""
    return word if len(word) <= 2 * LONGEST else _cut(word)


def _shown(finding: Finding) -> str:
    if _is_hidden(finding):
        return HIDDEN
    value = finding.found.value if isinstance(finding.found, Origin) else finding.found
    return text_of(value) if not isinstance(value, dict | list) else "a map" if isinstance(value, dict) else "a list"


def _is_hidden(finding: Finding) -> bool:
    """A value that comes out of a Secret, or that stands in one or where one came out of it."""
    if isinstance(finding.found, Origin) and finding.found.secret:
        return True
    item = finding.item
    return withholds(item, finding.path) if isinstance(item, Item) else item is not None and item.is_secret


def _place(finding: Finding) -> str:
    """file:line; without the line where the host has reprinted the file, so that ours would mislead."""
    item = finding.item
    if not isinstance(item, Item) or not item.position.file:
        return ""
    start = item.position.line
    return f"{item.position.path}:{start + _offset(item, finding.path)}" if start else item.position.path


def _offset(item: Item, path: Path) -> int:
    """The line within the item, from 0, of a place or of the nearest one above that is written."""
    lines = (item.reading.line(path[:size]) for size in range(len(path), -1, -1))
    return next((line for line in lines if line is not None), 0)
