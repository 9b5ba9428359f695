"""The data of the page of `explain --html`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._data.printable import printable
from krm_values._explain.page.decided import Decided
from krm_values._explain.page.present import Present
from krm_values._explain.page.rows import Rows
from krm_values._explain.page.sections import Sections
from krm_values._explain.page.tables import Tables
from krm_values._kit.planner import findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from krm_values._explain.facts import Explained, Explanation
    from krm_values._explain.values import Resource, Value
    from krm_values._explain.ways import Trace


def data(
    explanation: Explanation, trace: Trace, resources: Sequence[Resource], title: str, *, show_secrets: bool
) -> dict[str, Any]:
    """Return the data of the page: the values of these resources, and where it differs the value in the files now."""
    decided, tables = Decided(trace), Tables(show_secrets=show_secrets)
    first = explanation.steps[0].items if explanation.steps else ()
    rows = Rows(decided, tables, Present(explanation.before.items() or first), show_secrets=show_secrets)
    sections = Sections(tables)
    for entry in explanation.steps:
        tables.step(entry)
    for resource in resources:
        fields = {value.path for value in resource.values if value.inner is not None}
        section = sections.add(resource.title, resource.file, resource.source, field_of(resource.values))
        for value in resource.values:
            sections.put(section, rows.row(value, names_text=len(fields) > 1))
    return {"kind": "explain", "title": printable(title), "findings": listed(explanation.steps), **sections.data()}


def listed(steps: Iterable[Explained]) -> list[list[str]]:
    """Return the errors and warnings of the steps as [severity, message]."""
    found = (one for entry in steps for one in entry.outcome.findings if one.severity != "info")
    return [[one.severity, findings.message(one)] for one in found]


def field_of(values: Iterable[Value]) -> str:
    """Return the field whose text holds all values of a resource, "" if there is not exactly one."""
    fields = {to_field(value.path) if value.inner is not None else "" for value in values}
    return fields.pop() if len(fields) == 1 else ""
