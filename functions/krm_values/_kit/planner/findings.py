"""Findings as users see them: one line each, with its place, and the ResourceList's `results`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.pointer import to_field
from krm_values._data.printable import printable
from krm_values._data.shown import LONGEST, cut, described
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item, withholds
from krm_values._kit.planner.ordering import in_order
from krm_values._kit.planner.plan import CONFIG, Origin
from krm_values._kit.planner.withheld import HIDDEN

__all__ = ["HIDDEN", "LONGEST", "as_result", "in_order", "line", "message", "reference", "title"]

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding, New


def line(finding: Finding) -> str:
    """Format a finding: `error: app.yaml:12:5: PipelineRun ci/build `spec.params[0]`: message`."""
    return f"{finding.severity}: {message(finding)}"


def message(finding: Finding, *, named: bool = True) -> str:
    """Return the message on one line. named: include the resource and its field, which a host may show itself."""
    text = finding.message.replace("{found}", _shown(finding))
    text = " ".join(map(_brief, _words(text)))
    parts = (_place(finding), _named(finding) if named else "", _within(finding), text)
    return printable(": ".join(part for part in parts if part))


def as_result(finding: Finding, *, named: bool = True) -> dict[str, JSON]:
    """Return an entry of `results`; currentValue only for a scalar, masked if it comes from a Secret.

    named: whether the message names resource and field; not for a host that shows them beside it.
    """
    item = finding.item
    has_name = item is not None and bool(reference(item)["name"])
    result: dict[str, JSON] = {"message": message(finding, named=named or not has_name), "severity": finding.severity}
    if item is not None and (has_name or finding.kind != CONFIG):
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
    return f"{named['kind']} {space}{named['name']}".rstrip()


def _field(finding: Finding) -> dict[str, JSON]:
    field: dict[str, JSON] = {"path": printable(to_field(finding.path))}
    value = finding.found.value if isinstance(finding.found, Origin) else finding.found
    if value is not None and not isinstance(value, dict | list) and len(str(value)) <= LONGEST:
        field["currentValue"] = HIDDEN if _is_hidden(finding) else value
    return field


def _printable(value: JSON) -> JSON:
    return printable(value) if isinstance(value, str) else value


def _words(text: str) -> list[str]:
    """Return a text on one line; line breaks become spaces, other breaking characters are escaped."""
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
    """Return the resource and its field; a functionConfig is called that, whatever its name. A planner's finding about its config names the field itself."""
    if finding.config is not None and (finding.item is not None or not finding.path):
        return ""
    field = f"`{_brief(to_field(finding.path))}`" if finding.path else ""
    if finding.item is None:
        return field
    item = "functionConfig" if finding.kind == CONFIG else printable(title(finding.item))
    return " ".join(part for part in (item, field) if part)


def _place(finding: Finding) -> str:
    """Return `file:line:column`, as far as they are known."""
    item, numbers = places.of_finding(finding)
    if item is None:
        return ""
    file = item.error.file if item.error and item is finding.item else ""
    return address(file or item.position.source, *numbers)


def _within(finding: Finding) -> str:
    """Return the place within a text if the address does not include it: `line 3, column 5 of the text`."""
    item, inside = finding.item, finding.inside
    if not inside or not inside.line or (isinstance(item, Item) and places.of_text(item, finding.path, inside)[0]):
        return ""
    return f"{address('', inside.line, inside.column)} of the {'resource' if inside.text is None else 'text'}"
