"""Writes Tekton params out: what reaches each pipeline and task is declared and passed where it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values.tekton_params import edits, params
from krm_values.tekton_params import objects as triggers
from krm_values.tekton_params.checks import runs, structure, suite, unused
from krm_values.tekton_params.checks.findings import Place
from krm_values.tekton_params.findings import EarlierOutput
from krm_values.tekton_params.kinds import TEMPLATE, TRIGGERS, unread_version
from krm_values.tekton_params.layers import run_value
from krm_values.tekton_params.lookup import GROUP, KINDS, VERSIONS, Lookup
from krm_values.tekton_params.pipelines import pod_templates, read_pipeline, read_task_run
from krm_values.tekton_params.propagate import into_pipeline, into_task_run
from krm_values.tekton_params.scope.needs import Setting
from krm_values.tekton_params.spec import manifest as manifests

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.tekton_params.config import TektonParams
    from krm_values.tekton_params.params import Value
    from krm_values.tekton_params.scope.known import Known
    from krm_values.tekton_params.spec.manifest import Manifest


def plan(config: TektonParams, resources: Resources, _tools: object) -> Plan:
    """Pass the params of runs and Pipelines down to every embedded spec (TEP-0023, TEP-0107), and to referenced Tasks if asked to.

    Yields, in the order of each document, a put per list of added entries, per filled type, and per value and type that is already there; an
    error for what Tekton rejects and a warning for each pitfall.
    """
    setting = Setting(config.mode == "implicit", config.references, config.reference_defaults, Lookup(resources))
    for item in resources.select(*KINDS, group=GROUP):
        if item.version in VERSIONS:
            yield from _object(manifests.of_item(item), setting)
        yield from unread_version(item, item.version)
    for item in resources.select(TEMPLATE, group=TRIGGERS):
        yield from triggers.of_item(item, resources.hints)
        for run in triggers.runs_of(item):
            yield from _object(run, replace(setting, lookup=setting.lookup.seen_from(run)))


def _object(manifest: Manifest, setting: Setting) -> Plan:
    yield from structure.of_object(manifest)
    spec = manifest.spec
    if isinstance(spec, dict) and isinstance(spec.get("params"), list | None) and manifest.kind != "Task":
        yield from _pipeline(manifest.item, spec, setting) if manifest.kind == "Pipeline" else _run(manifest, spec, setting)


def _pipeline(item: Item, spec: dict[str, JSON], setting: Setting) -> Plan:
    pipeline = read_pipeline(spec, ("spec",), f"Pipeline {item.label}", stored=True)
    if pipeline:
        place = Place(item, EarlierOutput(pipeline))
        scoped = into_pipeline(pipeline, item, {}, setting)
        yield from edits.of_pipeline(scoped)
        yield from suite.of_pipeline(place, scoped, setting, frozenset())


def _run(manifest: Manifest, spec: dict[str, JSON], setting: Setting) -> Plan:
    item = manifest.item
    values = params.values(spec.get("params"), (*manifest.spec_path, "params"))
    given = {value.name: run_value(value, item) for value in params.first(values)}
    yield from runs.of_values(Place(item), manifest, values, given)
    key = "pipelineSpec" if manifest.kind == "PipelineRun" else "taskSpec"
    if not isinstance(spec.get(key), dict):
        yield from runs.of_reference(Place(item), manifest, values, given, setting)
    elif manifest.kind == "PipelineRun":
        yield from _pipeline_run(manifest, spec, values, given, setting)
    else:
        yield from _task_run(manifest, spec, values, given, setting)


def _pipeline_run(
    manifest: Manifest, spec: dict[str, JSON], values: tuple[Value, ...], given: dict[str, Known], setting: Setting
) -> Plan:
    item, path = manifest.item, (*manifest.spec_path, "pipelineSpec")
    pipeline = read_pipeline(spec["pipelineSpec"], path, "the pipelineSpec", stored=False, pods=pod_templates(manifest))
    if pipeline:
        place = Place(item, EarlierOutput(pipeline))
        scoped = into_pipeline(pipeline, item, given, setting)
        yield from edits.of_pipeline(scoped)
        yield from runs.of_names(place, values)
        yield from suite.of_pipeline(place, scoped, setting, runs.doubled(values))
        declared = unused.declared_in(pipeline, Place(item), setting)
        yield from unused.of_run(Place(item), spec, values, declared, setting)


def _task_run(
    manifest: Manifest, spec: dict[str, JSON], values: tuple[Value, ...], given: dict[str, Known], setting: Setting
) -> Plan:
    item = manifest.item
    task = read_task_run(spec["taskSpec"], (*manifest.spec_path, "taskSpec"))
    if task:
        place = Place(item, EarlierOutput(task))
        passed = into_task_run(task, item, given, setting)
        yield from edits.of_task_run(passed)
        yield from runs.of_names(place, values)
        yield from suite.of_task_run(place, passed, setting)
        yield from unused.of_run(Place(item), spec, values, task.declared, setting)
