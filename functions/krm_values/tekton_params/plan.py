"""Writes Tekton params out: what reaches each pipeline and task is declared and passed where it is used.

A param of a task has the first of these values, so what is passed overrides a default:

    the task's own  >  that of the run  >  default of the pipeline  >  default of the taskSpec, or of the Task that is referred to

A pipeline in a pipeline adds layers between: of values the innermost counts, of defaults the outermost. What is passed is in mode `implicit`
every outer name (TEP-0023), in mode `propagate` those that are used or declared (TEP-0107).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._kit.planner.report import Report
from krm_values._kit.planner.resources import listed
from krm_values.tekton_params import check_names, check_references, check_values, edits, params
from krm_values.tekton_params.findings import EarlierOutput, Place
from krm_values.tekton_params.layers import run_value
from krm_values.tekton_params.lookup import Lookup
from krm_values.tekton_params.objects import check_structure, check_template, check_version, runs_of
from krm_values.tekton_params.pipelines import Manifest, pod_templates, read_pipeline, read_task_run
from krm_values.tekton_params.propagate import Setting, into_pipeline, into_task_run
from krm_values.tekton_params.upstream_fields import GROUP, KINDS, TEMPLATE, TRIGGERS, VERSIONS

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.tekton_params.config import TektonParams
    from krm_values.tekton_params.layers import Known
    from krm_values.tekton_params.params import Value
    from krm_values.tekton_params.propagate import Passed, Scoped


def plan(config: TektonParams, resources: Resources, _tools: object) -> Plan:
    """Pass the params of runs and Pipelines down to every embedded spec, and to referenced Tasks if asked to.

    Yields, in the order of each document, a put per list of added entries, per filled type, and per value and type that is already there;
    then an error for what Tekton rejects and a warning for each pitfall.
    """
    setting = Setting(config.mode == "implicit", config.references, config.reference_defaults, Lookup(resources))
    for item in resources.select(*KINDS, group=GROUP):
        report = Report()
        if item.version in VERSIONS:
            yield from _object(Manifest(item, item.kind, item.version, item.data), setting, report)
        check_version(item, item.version, report)
        yield from report.findings
    for item in resources.select(TEMPLATE, group=TRIGGERS):
        report = Report()
        check_template(item, resources.hints, report)
        for run in runs_of(item):
            yield from _object(run, replace(setting, lookup=setting.lookup.seen_from(run)), report)
        yield from report.findings


def _object(manifest: Manifest, setting: Setting, report: Report) -> Plan:
    check_structure(manifest, report)
    spec = manifest.spec
    if not isinstance(spec, dict) or not isinstance(spec.get("params"), list | None):
        return
    if manifest.kind == "Pipeline":
        pipeline = read_pipeline(spec, ("spec",), f"Pipeline {manifest.item.label}", stored=True)
        if pipeline:
            scoped = into_pipeline(pipeline, manifest.item, {}, setting)
            yield from edits.of_pipeline(scoped)
            _check_pipeline(Place(manifest.item, report, EarlierOutput(pipeline)), scoped, setting, frozenset())
    elif manifest.kind != "Task":
        yield from _run(manifest, spec, setting, report)


def _run(manifest: Manifest, spec: dict[str, JSON], setting: Setting, report: Report) -> Plan:
    item, place = manifest.item, Place(manifest.item, report)
    values = params.values(spec.get("params"), (*manifest.spec_path, "params"))
    given = {value.name: run_value(value, item) for value in params.first(values)}
    _check_run(place, manifest, values, given)
    key = "pipelineSpec" if manifest.kind == "PipelineRun" else "taskSpec"
    path = (*manifest.spec_path, key)
    if not isinstance(spec.get(key), dict):
        _check_reference(place, manifest, values, given, setting)
    elif manifest.kind == "PipelineRun":
        pipeline = read_pipeline(spec[key], path, "the pipelineSpec", stored=False, pods=pod_templates(manifest))
        if pipeline:
            scoped = into_pipeline(pipeline, item, given, setting)
            yield from edits.of_pipeline(scoped)
            check_names.of_values(place, values)
            doubled = check_names.by_case(values)
            _check_pipeline(Place(item, report, EarlierOutput(pipeline)), scoped, setting, doubled)
            check_names.unused_in_run(place, spec, values, check_names.declared_in(pipeline, place, setting), setting)
    else:
        task = read_task_run(spec[key], path)
        if task:
            passed = into_task_run(task, item, given, setting)
            yield from edits.of_spec(passed)
            check_names.of_values(place, values)
            within = Place(item, report, EarlierOutput(task))
            _check_spec(within, passed, "the taskSpec")
            check_references.of_task(within, passed, None, setting.lookup.hints)
            check_names.unused_in_run(place, spec, values, task.declared, setting)


def _check_run(place: Place, run: Manifest, values: tuple[Value, ...], given: dict[str, Known]) -> None:
    """Check the values of a run, whether its pipeline or task is embedded or not."""
    check_names.of_unquoted(place, run.field("params"), (*run.spec_path, "params"))
    check_names.twice_in_run(place, values)
    for value in values:
        if params.has_result(value.value):
            text = "a run's value cannot read the result of a task; pass it on the task that needs it"
            place.error("result-in-run", "46", (*value.path, "value"), value.name, text, found=value.value)
    check_values.of_retyped(place, values)
    check_references.of_run_values(place, values)
    if run.kind == "PipelineRun":
        check_references.of_workspaces(place, run, given)


def _check_reference(place: Place, run: Manifest, values: tuple[Value, ...], given: dict[str, Known], setting: Setting) -> None:
    """Check a run against the Pipeline or Task that it refers to; nothing is added."""
    if not setting.references:
        return
    kind = run.kind.removesuffix("Run")
    key = "pipelineRef" if kind == "Pipeline" else "taskRef"
    path, reference = (*run.spec_path, key), run.field(key)
    target = setting.lookup.target(kind, place.item, reference)
    if target:
        check_values.of_run(place, target.declarations, given, f"{kind} {target.item.label}", path)
        declared = frozenset(one.name for one in target.declarations)
        check_names.unused_in_run(place, run.spec, values, declared, setting)
    _check_unambiguous(place, kind, reference, path, setting)


def _check_unambiguous(place: Place, kind: str, reference: JSON, path: Path, setting: Setting) -> None:
    """Report a reference that may refer to more than one object of the list."""
    found = setting.lookup.candidates(kind, place.item, reference)
    if len(found) > 1:
        text = f"{len(found)} {kind}s named {found[0].label} are equally near ({listed(found)}), so none is looked up; keep one or set namespaces"
        place.warning("several-targets", "52", path, "", text)


def _check_pipeline(place: Place, scoped: Scoped, setting: Setting, doubled: frozenset[str]) -> None:
    """Check a pipeline and its tasks. doubled: the names, in lower case, that were reported as given twice."""
    pipeline = scoped.pipeline
    declared, given = pipeline.declarations, scoped.given
    check_names.of_unquoted(place, pipeline.data.get("params"), (*pipeline.path, "params"))
    check_names.of_declarations(place, declared)
    check_values.of_defaults(place, declared, given)
    check_values.of_defaults_reading_nothing(place, declared, given, scoped.scope)
    check_values.of_declarations(place, declared, given, pipeline.label, stored=pipeline.stored)
    check_values.of_enums(place, scoped)
    check_values.of_enum_values(place, declared, given)
    check_values.of_retyped(place, declared)
    check_references.of_defaults(place, declared, scoped.scope)
    for passed in scoped.tasks:
        _check_task(place.within(passed.task), scoped, passed, setting, doubled)


def _check_task(place: Place, scoped: Scoped, passed: Passed, setting: Setting, doubled: frozenset[str]) -> None:
    task, hints = passed.task, setting.lookup.hints
    check_names.of_unquoted(place, task.data.get("params"), (*task.path, "params"))
    check_names.twice(place, task.values)
    check_names.twice_in_matrix(place, task.matrix)
    check_names.twice_in_task(place, passed, doubled)
    check_values.of_retyped(place, (*task.values, *task.matrix))
    check_references.of_pipeline_fields(place, scoped, passed, hints)
    check_values.of_matrix(place, passed)
    check_values.of_unknown_types(place, passed)
    check_references.of_lookalikes(place, task)
    check_references.of_misspelt(place, task.outer_misspelt, passed.outer)
    check_references.of_misspelt(place, task.misspelt, passed.view)
    check_references.of_pod_templates(place, passed)
    if task.kind == "reference" and setting.references:
        _check_unambiguous(place, "Task", task.data.get("taskRef"), (*task.path, "taskRef"), setting)
    if passed.target or task.kind in ("embedded", "pipeline"):
        check_names.unused_in_task(place, passed, hints)
    if passed.target:
        check_values.of_target(place, passed, setting)
        check_values.of_enum_values(place, passed.declarations, passed.given, task.matrix)
    if task.kind in ("embedded", "pipeline"):
        check_names.of_values(place, (*task.values, *task.matrix))
    if task.kind == "embedded":
        _check_spec(place, passed, f"the taskSpec of {task.label}")
        check_references.of_task(place, passed, scoped.pipeline, hints)
    if passed.scoped:
        _check_pipeline(place, passed.scoped, setting, doubled)


def _check_spec(place: Place, passed: Passed, label: str) -> None:
    """Check the embedded spec of a task."""
    task, given = passed.task, passed.given
    spec = task.data.get("taskSpec") if task.kind == "embedded" else task.data
    entries = spec.get("params") if isinstance(spec, dict) else None
    check_names.of_unquoted(place, entries, (*task.spec, "params"))
    check_names.of_declarations(place, task.declarations)
    check_values.of_defaults(place, task.declarations, given)
    check_values.of_declarations(place, task.declarations, given, label)
    check_values.of_enum_values(place, task.declarations, given, task.matrix)
    check_values.of_retyped(place, task.declarations)
    check_references.of_task_defaults(place, passed)
    if task.kind == "run":
        check_references.of_lookalikes(place, task)
        check_references.of_misspelt(place, task.misspelt, passed.view)
