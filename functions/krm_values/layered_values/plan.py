"""Merges the layers of a config and writes their values into generated objects and into fields of any resource."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.names import Writer
from krm_values._kit.planner.plan import Finding, Note
from krm_values.layered_values import argo, unused
from krm_values.layered_values import settings as read_config
from krm_values.layered_values.check import Checker, of_schema
from krm_values.layered_values.document import Chains
from krm_values.layered_values.fault import FieldError
from krm_values.layered_values.fields import Fields
from krm_values.layered_values.generated import Objects
from krm_values.layered_values.layers import Reader
from krm_values.layered_values.parsed import Object, Target
from krm_values.layered_values.selectors import Index, Subject, near
from krm_values.layered_values.tree import SCHEMA, OriginOf, Schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Origin, Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.layered_values.document import Document
    from krm_values.layered_values.parsed import Settings

FUNCTION = "layered-values"


def plan(config: Any, resources: Resources, _tools: object) -> Plan:
    """Read the layers, merge them for each target, and write the values.

    Yields the findings of all stages, a note per target with its chain of layers, the edits of resources and the generated objects.
    """
    settings = read_config.read(config)
    yield from settings.findings
    index = Index(resources)
    reader = Reader(resources, index, references=config.references)
    layers = reader.layers(settings.layers)
    schema = _schema(config, settings, reader)
    yield from reader.report.findings
    if any(finding.severity == "error" for finding in (*settings.findings, *reader.report.findings)):
        yield from (
            one for target in settings.targets if isinstance(target, Target) for one in _unmatched(target, resources, index)
        )
        return
    chains = Chains(layers, config, settings.merge, schema, check=partial(Checker, schema), limits=resources.limits)
    fields = Fields(config.config_name, resources.limits)
    generated = [target for target in settings.targets if isinstance(target, Object)]
    objects = Objects(Writer(FUNCTION, config.config_name), chains, resources, generated)
    for target in settings.targets:
        if isinstance(target, Object):
            objects.take(target)
            subject = Subject(target.kind, target.namespace, target.name)
            yield _note(f"targets[{target.number}] {target.kind} {target.name}", chains.of(subject))
        else:
            yield from _selected(target, resources, index, chains, fields)
    yield from (*chains.report.findings, *chains.unmet(), *fields.report.findings, *objects.report.findings)
    yield from unused.findings_of(settings, chains.documents())
    yield from _written(fields)
    yield from objects.news()


def _selected(target: Target, resources: Resources, index: Index, chains: Chains, fields: Fields) -> Iterator[Finding | Note]:
    """Write a target into each resource that it selects."""
    yield from _unmatched(target, resources, index)
    for item in index.selected(target.selector):
        document = chains.of(item)
        yield _note(f"targets[{target.number}] {title(item)}", document)
        fields.write(target, item, document)


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


def _schema(config: Any, settings: Settings, reader: Reader) -> Schema:
    """Return the schema; its faults are added to the reader's report."""
    if settings.schema is None:
        if config.schema_ is not None:
            reader.report.extend(of_schema(config.schema_, ("schema",), references=config.references))
        return Schema(config.schema_, OriginOf(SCHEMA, config=("schema",)))
    item, taken = reader.taken(settings.schema, "")
    if not taken:
        return Schema()
    schema = taken[-1]

    def layer(path: Path, value: JSON) -> Origin:
        found: Origin = schema.says((*schema.path, *path), value)
        return replace(found, layer=SCHEMA)

    is_field = settings.schema.kind == "from"
    reader.report.extend(of_schema(schema.value, ("schemaFrom",), item, references=config.references and not is_field))
    return Schema(schema.value, layer, item, ("schemaFrom",), is_field)


def _written(fields: Fields) -> Plan:
    """Yield the edits of all resources."""
    for number, draft in sorted(fields.drafts.items()):
        try:
            decisions = [*draft.decisions()]
        except FieldError as error:
            yield Finding("error", error.kind, error.rule, error.message, fields.drafts[number].item, error.path or ())
            continue
        yield from decisions
        yield from argo.findings_of(draft)
