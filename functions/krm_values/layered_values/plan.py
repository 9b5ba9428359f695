"""Merges the layers of a config and writes their values into generated objects and into fields of any resource.

The precedence of a value, lowest first:

    defaults of the schema  <  layers by rising `priority`  <  of equal priority the later in the list

Only the layers whose `when` a target meets count for it: they are its chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.names import Writer
from krm_values._kit.planner.plan import Finding, Note
from krm_values._kit.planner.report import Report
from krm_values.layered_values import schema, settings, unused
from krm_values.layered_values.fields import Fields
from krm_values.layered_values.generated import Objects
from krm_values.layered_values.layers import Reader
from krm_values.layered_values.merge import Chains
from krm_values.layered_values.permitted import FieldError
from krm_values.layered_values.schema import Schema
from krm_values.layered_values.selectors import Index, Subject, near
from krm_values.layered_values.settings import Object, Target
from krm_values.layered_values.tree import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._kit.planner.plan import Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.layered_values.merge import Document
    from krm_values.layered_values.selectors import Source

FUNCTION = "layered-values"


def plan(config: Any, resources: Resources, _tools: object) -> Plan:
    """Read the layers, merge them for each target, and write the values.

    Yields the findings of all stages, a note per target with its chain of layers, the edits of resources and the generated objects.
    """
    report, index = Report(), Index(resources)
    given = settings.read(config, report)
    reader = Reader(resources, index, report, references=config.references)
    layers = reader.layers(given.layers)
    checked = _schema(config, given.schema, reader, report)
    yield from report.findings
    if report.failed:
        for target in given.targets:
            yield from _unmatched(target, resources, index) if isinstance(target, Target) else ()
        return
    chains = Chains(layers, config, given.merge, checked, resources.limits)
    fields = Fields(config.config_name, resources.limits)
    generated = [target for target in given.targets if isinstance(target, Object)]
    objects = Objects(Writer(FUNCTION, config.config_name), resources, generated)
    for target in given.targets:
        if isinstance(target, Object):
            document = chains.of(Subject(target.kind, target.namespace, target.name))
            objects.take(target, document)
            yield _note(f"targets[{target.number}] {target.kind} {target.name}", document)
        else:
            yield from _unmatched(target, resources, index)
            for item in index.selected(target.selector):
                document = chains.of(item)
                yield _note(f"targets[{target.number}] {title(item)}", document)
                fields.write(target, item, document)
    chains.report_unmet()
    yield from (*chains.report.findings, *fields.report.findings, *objects.report.findings)
    yield from unused.untaken(given, chains.documents())
    yield from _edits(fields)
    yield from objects.news()


def _schema(config: Any, source: Source | None, reader: Reader, report: Report) -> Schema:
    """Return the schema that the config has, or that it names; its faults are reported."""
    found = Schema(config.schema_)
    if source is not None:
        item, taken = reader.taken(source, "")
        if not taken:
            return Schema()
        one = taken[-1]
        says = replace(one.says, layer=SCHEMA)
        found = Schema(one.value, says, one.path, item, ("schemaFrom",), is_field=source.kind == "from")
    if source is not None or found.data is not None:
        schema.check(found, report, references=config.references)
    return found


def _unmatched(target: Target, resources: Resources, index: Index) -> Iterator[Finding]:
    """Yield the finding that a target selects no resource."""
    if target.selector.is_empty or index.selected(target.selector):
        return
    severity: Any = "info" if target.optional else "error"
    allowed = ", as `optional` allows" if target.optional else near(target.selector, resources)
    text = f"`targets[{target.number}]`: no resource has {target.selector}{allowed}"
    patterns = dict(target.selector.patterns)
    named = next((name for name in ("name", "kind") if name in patterns), None)
    yield Finding(severity, "no-resource", "62", text, config=("targets", target.number, *([named] if named else [])))


def _note(subject: str, document: Document) -> Note:
    return Note("layers", subject, [layer.name for layer in document.layers])


def _edits(fields: Fields) -> Plan:
    """Yield the edits of all resources."""
    for _, draft in sorted(fields.drafts.items()):
        try:
            decisions = [*draft.decisions()]
        except FieldError as error:
            yield Finding("error", error.kind, error.rule, error.message, draft.item, error.path or ())
            continue
        yield from decisions
        yield from unused.unseen_by_argo(draft)
