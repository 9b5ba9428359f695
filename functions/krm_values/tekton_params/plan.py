"""Writes Tekton params out: what reaches each pipeline and task is declared and passed where it is used.

A param of a task has the first of these values, so what is passed overrides a default:

    the task's own  >  that of the run  >  default of the pipeline  >  default of the taskSpec, or of the Task that is referred to

A pipeline in a pipeline adds layers between: of values the innermost counts, of defaults the outermost. Mode `implicit` passes every outer
name (TEP-0023), mode `propagate` those that are used or declared (TEP-0107).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import same
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import lazy, replace
from krm_values._krm.findings import Report
from krm_values._krm.plan import Leaf, Origin, Put, put
from krm_values._krm.resources import listed
from krm_values.tekton_params import check_defaults, check_matrix, check_names, check_references, check_values, params
from krm_values.tekton_params.findings import EarlierOutput, Reporter
from krm_values.tekton_params.layers import Lookup, layer, run_value
from krm_values.tekton_params.objects import check_structure, check_template, check_version, in_known_keys, runs_of
from krm_values.tekton_params.params import is_added_form, is_pass_through, key_reference, pass_through
from krm_values.tekton_params.passing import Passed, Setting, allowed_everywhere, enum_demands, into_pipeline, into_task_run
from krm_values.tekton_params.pipelines import (
    Manifest,
    Pipeline,
    Task,
    never_replaced,
    pod_templates,
    read_pipeline,
    read_task,
)
from krm_values.tekton_params.upstream_fields import GROUP, KINDS, TEMPLATE, TRIGGERS, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Plan
    from krm_values._krm.resources import Resources
    from krm_values.tekton_params.config import TektonParams
    from krm_values.tekton_params.layers import Known, Scope
    from krm_values.tekton_params.params import Declaration, ParamValue
    from krm_values.tekton_params.passing import Demand, Scoped

    Added = tuple[dict[str, JSON], Known, Sequence[Demand]]
    Demands = Mapping[str, Sequence[Demand]]


_NO_DEMANDS: Demands = {}


def plan(config: TektonParams, resources: Resources, _tools: object) -> Plan:
    """Pass the params of runs and Pipelines down to every embedded spec, and to referenced Tasks if asked to.

    Yields, in the order of each document, a put per list of added entries, and one per value and type that is already there: it changes
    nothing, and tells `explain` the origins. Then an error for what Tekton rejects and a warning for each pitfall.
    """
    setting = Setting(config.mode == "implicit", config.references, config.reference_defaults, Lookup(resources))
    for item in resources.select(*KINDS, group=GROUP):
        report = Report()
        if item.version in VERSIONS:
            yield from _object(Manifest(item, item.kind, item.version, item.data), setting, report)
        check_version(item, item.version, report)
        yield from report.findings
    if config.references:
        report = Report()
        pipelines = (item for item in resources.select("Pipeline", group=GROUP) if item.version in VERSIONS)
        check_values.of_circles(pipelines, setting.lookup, report)
        yield from report.findings
    for item in resources.select(TEMPLATE, group=TRIGGERS):
        report = Report()
        check_template(item, report)
        for run in runs_of(item):
            yield from _object(run, replace(setting, lookup=setting.lookup.seen_from(run)), report)
        yield from report.findings


def _object(manifest: Manifest, setting: Setting, report: Report) -> Plan:
    check_structure(manifest, report)
    spec = manifest.spec
    if not isinstance(spec, dict) or not isinstance(spec.get("params"), list | None):
        return
    body = _read(manifest, spec)
    never_read = in_known_keys(manifest, never_replaced(spec, manifest.spec_path, body))
    check_references.of_never_replaced(Reporter(manifest.item, report), never_read)
    if manifest.kind.endswith("Run"):
        paths = frozenset(field.path for field in never_read)
        yield from _run(manifest, spec, body, setting, report, never_read=paths)
    elif isinstance(body, Pipeline):
        scoped = into_pipeline(body, manifest.item, {}, setting)
        yield from _pipeline_edits(scoped, setting)
        reporter = Reporter(manifest.item, report, EarlierOutput(body), unknown=set())
        _check_pipeline(reporter, scoped, setting, frozenset())
    elif body:
        yield from _stored_task(manifest, body, setting, report)


def _read(manifest: Manifest, spec: dict[str, JSON]) -> Pipeline | Task | None:
    """Return the pipeline or task that an object is or embeds; None if it refers to one, or does not have the shape of one."""
    if manifest.kind == "Pipeline":
        return read_pipeline(spec, ("spec",), f"Pipeline {manifest.item.label}", stored=True)
    if manifest.kind == "Task":
        return read_task(spec, manifest.spec_path)
    if manifest.kind == "TaskRun":
        return read_task(spec.get("taskSpec"), (*manifest.spec_path, "taskSpec"))
    path = (*manifest.spec_path, "pipelineSpec")
    return read_pipeline(spec.get("pipelineSpec"), path, "the pipelineSpec", stored=False, pods=pod_templates(manifest))


def _stored_task(manifest: Manifest, task: Task, setting: Setting, report: Report) -> Plan:
    """Pass the params of a Task to its StepActions, and check its defaults; nothing else of it is read."""
    item = manifest.item
    reporter, view = Reporter(item, report, EarlierOutput(task)), layer(task.declarations, {}, item, "taskSpec", stored=True)
    check_names.of_shared_references(reporter, view, {}, task.path)
    check_values.of_enum_declarations(reporter, task.declarations)
    check_defaults.of_task(reporter, task.declarations, {})
    if setting.references:
        passed = Passed(task, item, {}, {}, view)
        yield from _step_edits(passed, setting)
        check_values.of_steps(reporter, passed, setting)


def _run(
    manifest: Manifest,
    spec: dict[str, JSON],
    body: Pipeline | Task | None,
    setting: Setting,
    report: Report,
    *,
    never_read: frozenset[Path],
) -> Plan:
    item, reporter = manifest.item, Reporter(manifest.item, report, unknown=set())
    values = params.values(spec.get("params"), (*manifest.spec_path, "params"))
    given = {value.name: run_value(value, item) for value in params.first(values)}
    _check_run(reporter, manifest, values, given)
    key = "pipelineSpec" if manifest.kind == "PipelineRun" else "taskSpec"
    if not isinstance(spec.get(key), dict):
        _check_reference(reporter, manifest, values, given, setting, never_read=never_read)
    elif isinstance(body, Pipeline):
        scoped = into_pipeline(body, item, given, setting)
        yield from _pipeline_edits(scoped, setting)
        check_names.of_values(reporter, values)
        doubled = check_names.by_case(values)
        _check_pipeline(replace(reporter, earlier=EarlierOutput(body)), scoped, setting, doubled)
        check_names.unused_in_run(reporter, check_names.strings_read(manifest, never_read), values, scoped, setting)
    elif body:
        passed = into_task_run(body, item, given, setting)
        yield from _spec_edits(passed, setting)
        check_names.of_values(reporter, values)
        within = replace(reporter, earlier=EarlierOutput(body))
        _check_spec(within, passed, "the taskSpec")
        check_references.of_task(within, passed, None)
        check_values.of_steps(within, passed, setting)
        check_names.unused_in_run(reporter, check_names.strings_read(manifest, never_read), values, passed, setting)


def _pipeline_edits(scoped: Scoped, setting: Setting) -> Iterator[Put]:
    """Yield the puts of a pipeline in the order of the document."""
    pipeline = scoped.pipeline
    demands = enum_demands(scoped)
    yield from _declaration_edits(scoped.item, pipeline.declarations, scoped.scope, demands)
    added: list[Added] = []
    for name, declaration in scoped.added.items():
        demanded = demands.get(name, ())
        allowed = allowed_everywhere(demanded)
        added.append((declaration | ({"enum": list(allowed)} if allowed else {}), scoped.given[name], demanded))
    yield from _append(scoped.item, pipeline.path, pipeline.data.get("params"), added, "")
    for passed in scoped.tasks:
        yield from _task_edits(passed, setting)


def _spec_edits(passed: Passed, setting: Setting) -> Iterator[Put]:
    """Yield the puts of the embedded spec of a task."""
    task = passed.task
    yield from _declaration_edits(passed.item, task.declarations, passed.view, defaults=task.kind == "embedded")
    added: list[Added] = [(declaration, passed.given[name], ()) for name, declaration in passed.added.items()]
    body: Any = task.body
    yield from _append(passed.item, task.spec, body.get("params"), added, "")
    yield from _step_edits(passed, setting)


def _step_edits(passed: Passed, setting: Setting) -> Iterator[Put]:
    """Yield the puts of the steps that refer to a StepAction: the values that pass on a param of the task."""
    item, view = passed.item, passed.view
    for step in setting.steps(passed.task, item):
        for value in step.values:
            if value.name in view and is_added_form(value.value, value.name):
                yield from _passed_on(item, value, view[value.name])
        added: list[Added] = [
            ({"name": one.name, "value": pass_through(one.name, one.type)}, view[one.name], ())
            for one in step.needs(setting)
            if one.name in view and one.type and view[one.name].type == one.type
        ]
        yield from _append(item, step.path, step.data.get("params"), added, "ref")


def _task_edits(passed: Passed, setting: Setting) -> Iterator[Put]:
    task = passed.task
    for value in task.values:
        yield from _value_edits(passed, value)
    added: list[Added] = [
        ({"name": name, "value": pass_through(name, passed.given[name].type)}, passed.view[name], ())
        for name in passed.added_values
    ]
    after = task.ref if task.kind == "reference" else "name"
    yield from _append(passed.item, task.path, task.data.get("params"), added, after if after in task.data else "")
    if passed.scoped:
        yield from _pipeline_edits(passed.scoped, setting)
    elif task.kind == "custom":
        yield from _declaration_edits(passed.item, task.declarations, {})
    elif task.is_embedded:
        yield from _spec_edits(passed, setting)


def _value_edits(passed: Passed, value: ParamValue) -> Iterator[Put]:
    """Yield the puts of a value that is already there: one of the task's own, or one that is passed on."""
    if not value.written:
        return
    item, path, name = passed.item, (*value.path, "value"), value.name
    outer = passed.outer.get(name)
    known = passed.view.get(name) or passed.given[name]
    own = value.value
    if outer and is_added_form(own, name) and is_pass_through(own, name, outer.type):
        yield from _passed_on(item, value, known)
        return
    if not isinstance(own, dict) or params.type_of(own) != "object":
        kind = "effective" if outer and is_pass_through(own, name, outer.type) else ""
        yield put(item, path, own, *known.origins, kind=kind)
        return
    for key, text in own.items():
        above = outer.key_origins(key) if outer and outer.only_in_default(key) and outer.is_added_key(name, key, text) else ()
        kind = "copied" if above else "effective" if outer and text == key_reference(name, key) else ""
        yield put(item, (*path, key), text, *(above or _key_origins(known, outer, name, key, text)), kind=kind)
    for key in passed.added_keys.get(name, ()):
        above = outer.key_origins(key) if outer and outer.only_in_default(key) else ()
        if above:
            yield put(item, (*path, key), above[0].value, *above, kind="copied")
        else:
            text = key_reference(name, key)
            yield put(item, (*path, key), text, *_key_origins(known, outer, name, key, text), kind="effective")


def _passed_on(item: Item, value: ParamValue, known: Known) -> Iterator[Put]:
    """Yield an entry that passes on a param as the function writes it: it is explained as an added one."""
    yield _entry(item, value.path, {"name": value.name, "value": value.value}, known)


def _key_origins(known: Known, outer: Known | None, name: str, key: str, text: JSON) -> tuple[Origin, ...]:
    """Return the origins of one key of an object that a task overrides; a key that is passed on has the origins of the outer key."""
    own = known.origins[0]
    path = (*own.path, key)
    below = [origin for origin in known.key_origins(key) if origin.path != path]
    if not outer or text != key_reference(name, key):
        return (Origin(own.layer, text, own.item, path), *below)
    above = outer.key_origins(key) or outer.origins[:1]
    return (*above, *(origin for origin in below if origin not in above))


def _declaration_edits(
    item: Item, declarations: Iterable[Declaration], scope: Scope, demands: Demands = _NO_DEMANDS, *, defaults: bool = False
) -> Iterator[Put]:
    """Yield the types of the existing declarations, as written; of a copy all that it repeats.

    demands: the enums that they have to meet, by name. defaults: also the defaults that nothing overrides.
    """
    for declaration in declarations:
        if not declaration.type:
            continue
        known = scope.get(declaration.name)
        source = known.source if known else Origin("taskSpec", declaration.type, item, declaration.path)
        if known and (source.item is not item or source.path != declaration.path):
            yield _entry(item, declaration.path, declaration.data, known, demands.get(declaration.name, ()))
            continue
        if (written := declaration.data.get("type")) not in (None, ""):
            yield put(item, (*declaration.path, "type"), written, source)
        at = (*declaration.path, "default")
        if defaults and known and known.origins[0].path == at and known.origins[0].item is item:
            yield put(item, at, declaration.data["default"], *known.origins)


def _append(item: Item, path: Path, written: JSON, added: list[Added], after: str) -> Iterator[Put]:
    """Yield new entries at the end of a list `params`, which is created if missing."""
    at = (*path, "params")
    if not added:
        return
    if not isinstance(written, list) or not written:
        placed = [((*at, index), *one) for index, one in enumerate(added)]
        leaves = tuple(leaf for path, entry, known, demands in placed for leaf in _leaves(path, entry, known, demands))
        copies = lazy(lambda: (leaf for path, entry, known, demands in placed for leaf in _copies(path, entry, known, demands)))
        yield Put(item, at, [entry for entry, _, _ in added], leaves, after=after, copies=copies)
        return
    flow = item.flow((*at, len(written) - 1))
    for index, one in enumerate(added, len(written)):
        yield _entry(item, (*at, index), *one, flow=flow)


def _entry(
    item: Item, path: Path, entry: dict[str, JSON], known: Known, demands: Sequence[Demand] = (), *, flow: bool = False
) -> Put:
    copies = lazy(lambda: _copies(path, entry, known, demands))
    return Put(item, path, entry, tuple(_leaves(path, entry, known, demands)), flow=flow, copies=copies)


def _leaves(path: Path, entry: dict[str, JSON], known: Known, demands: Sequence[Demand]) -> Iterator[Leaf]:
    """Yield the leaf of a value, which is what the reference stands for; of a declaration all leaves if they may be from a Secret."""
    if "value" in entry:
        yield Leaf((*path, "value"), entry["value"], known.origins[0], known.origins[1:], kind="effective")
    elif known.source.secret:
        yield from _copied(path, entry, known.source, demands, known)


def _copies(path: Path, entry: dict[str, JSON], known: Known, demands: Sequence[Demand]) -> Iterator[Leaf]:
    """Yield the leaves of an entry that `_leaves` does not."""
    if "value" in entry:
        yield from _copied(path, {"name": entry["name"]}, known.origins[0], ())
    elif not known.source.secret:
        yield from _copied(path, entry, known.source, demands, known)


def _copied(
    path: Path, entry: dict[str, JSON], source: Origin, demands: Sequence[Demand], known: Known | None = None
) -> Iterator[Leaf]:
    """Yield a leaf for each value of an entry, with the place in the entry of its source that it repeats.

    demands: those of the enum. known: has the keys of an object, from which the declared properties follow.
    """
    copied = source.path[:-1] if source.path[-1:] in (("value",), ("default",)) else source.path
    for at, value in _values(entry, ()):
        if at == ("enum",) and demands:
            allowed = tuple([demand.origin for demand in demands])
            is_one = len(allowed) == 1 and same(allowed[0].value, value)
            origin = allowed[0] if is_one else Origin(allowed[0].layer, value, via=allowed)
            yield Leaf((*path, *at), value, origin, kind="copied" if is_one else "derived")
        elif source.item and same(get(source.item.data, (*copied, *at), ABSENT), value):
            yield Leaf((*path, *at), value, Origin(source.layer, value, source.item, (*copied, *at)), kind="copied")
        else:
            keyed = known.key_origins(str(at[1])) if known is not None and at[:1] == ("properties",) and at[1:] else ()
            yield Leaf((*path, *at), value, keyed[0] if keyed else source, kind="derived")


def _values(entry: JSON, path: Path) -> Iterator[tuple[Path, JSON]]:
    """Yield each value of an entry that is no map and not null, with its path."""
    if isinstance(entry, dict) and entry:
        for key, below in entry.items():
            yield from _values(below, (*path, key))
    elif entry is not None:
        yield path, entry


def _check_run(reporter: Reporter, run: Manifest, values: tuple[ParamValue, ...], given: dict[str, Known]) -> None:
    """Check the values of a run, whether its pipeline or task is embedded or not."""
    check_names.of_unquoted(reporter, run.field("params"), (*run.spec_path, "params"))
    check_names.twice_ignoring_case(reporter, values)
    check_names.of_shared_references(reporter, given, {}, run.spec_path)
    for value in values:
        if params.has_result(value.value):
            text = "a run's value cannot read the result of a task; pass it on the task that needs it"
            reporter.error("result-in-run", "46", (*value.path, "value"), value.name, text, found=value.value)
    check_references.of_run_values(reporter, values)
    if run.kind == "PipelineRun":
        check_references.of_workspaces(reporter, run, given)
    check_references.of_run_refs(reporter, run, given)


def _check_reference(
    reporter: Reporter,
    run: Manifest,
    values: tuple[ParamValue, ...],
    given: dict[str, Known],
    setting: Setting,
    *,
    never_read: frozenset[Path],
) -> None:
    """Check a run against the Pipeline or Task that it refers to; nothing is added."""
    if not setting.references:
        return
    kind = run.kind.removesuffix("Run")
    key = "pipelineRef" if kind == "Pipeline" else "taskRef"
    path, reference = (*run.spec_path, key), run.field(key)
    target = setting.lookup.target(kind, reporter.item, reference)
    if target:
        check_values.of_run(reporter, target, given, f"{kind} {target.item.label}", path)
        declared = frozenset(one.name for one in target.declarations)
        check_names.unused_by_target(reporter, check_names.strings_read(run, never_read), values, declared, setting)
    _check_unambiguous(reporter, kind, reference, path, setting)


def _check_unambiguous(reporter: Reporter, kind: str, reference: JSON, path: Path, setting: Setting) -> None:
    """Report a reference that may refer to more than one object of the list."""
    found = setting.lookup.candidates(kind, reporter.item, reference)
    if len(found) > 1:
        advice = "keep one" if all(one.namespace for one in found) else "keep one or set namespaces"
        text = f"{len(found)} {kind}s named {found[0].label} are equally near ({listed(found)}), so none is looked up; {advice}"
        reporter.warning("several-targets", "52", path, "", text)


def _check_pipeline(reporter: Reporter, scoped: Scoped, setting: Setting, doubled: frozenset[str]) -> None:
    """Check a pipeline and its tasks. doubled: the names, in lower case, that were reported as given twice."""
    pipeline = scoped.pipeline
    declared, given = pipeline.declarations, scoped.given
    check_names.of_unquoted(reporter, pipeline.data.get("params"), (*pipeline.path, "params"))
    check_names.of_declarations(reporter, declared)
    check_names.of_shared_references(reporter, scoped.scope, given, pipeline.path)
    check_values.of_defaults(reporter, declared, given)
    check_defaults.of_pipeline(reporter, declared, given, scoped.scope, stored=pipeline.stored)
    check_values.of_declarations(reporter, declared, given, pipeline.label, stored=pipeline.stored)
    check_values.of_enums(reporter, scoped)
    check_values.of_enum_declarations(reporter, declared)
    check_values.of_enum_values(reporter, declared, given)
    check_references.of_misspelt_defaults(reporter, declared, scoped.scope)
    for passed in scoped.tasks:
        _check_task(reporter.within(passed.task), scoped, passed, setting, doubled)


def _check_task(reporter: Reporter, scoped: Scoped, passed: Passed, setting: Setting, doubled: frozenset[str]) -> None:
    task = passed.task
    check_names.of_unquoted(reporter, task.data.get("params"), (*task.path, "params"))
    check_names.twice(reporter, task.values)
    check_names.twice_in_matrix(reporter, task.matrix)
    check_names.twice_in_task(reporter, passed, doubled)
    check_references.of_pipeline_fields(reporter, scoped, passed)
    check_matrix.of_matrix(reporter, passed)
    check_matrix.of_instances(reporter, passed)
    check_values.of_unknown_types(reporter, passed)
    check_references.of_lookalikes(reporter, task)
    check_references.of_merged_brackets(reporter, task)
    check_references.of_misspelt(reporter, task.misspelt_outside, passed.outer)
    check_references.of_misspelt(reporter, task.misspelt_inside, passed.view)
    check_references.of_pod_templates(reporter, passed)
    if task.kind == "reference" and setting.references:
        _check_unambiguous(reporter, task.ref_kind, task.data.get(task.ref), (*task.path, task.ref), setting)
    if passed.target:
        check_names.of_shared_references(reporter, passed.view, passed.outer, task.path)
        check_values.of_target(reporter, passed, passed.target, setting)
        check_values.of_enum_values(reporter, passed.declarations, passed.given, task.matrix)
    if task.kind in ("embedded", "pipeline"):
        check_names.of_values(reporter, (*task.values, *task.matrix))
    if task.kind == "embedded":
        _check_spec(reporter, passed, f"the taskSpec of {task.label}")
        check_references.of_task(reporter, passed, scoped.pipeline)
        check_values.of_steps(reporter, passed, setting)
    if passed.scoped:
        _check_pipeline(reporter, passed.scoped, setting, doubled)
    if passed.target or task.kind in ("embedded", "pipeline"):
        check_names.unused_in_task(reporter, passed, setting)


def _check_spec(reporter: Reporter, passed: Passed, label: str) -> None:
    """Check the embedded spec of a task."""
    task, given = passed.task, passed.given
    entries = task.body.get("params") if isinstance(task.body, dict) else None
    check_names.of_unquoted(reporter, entries, (*task.spec, "params"))
    check_names.of_declarations(reporter, task.declarations)
    check_names.of_shared_references(reporter, passed.view, passed.outer, task.path)
    check_values.of_defaults(reporter, task.declarations, given)
    check_values.of_declarations(reporter, task.declarations, given, label)
    check_values.of_added(reporter, passed, label)
    check_values.of_enum_declarations(reporter, task.declarations)
    check_values.of_enum_values(reporter, task.declarations, given, task.matrix)
    check_defaults.of_task(reporter, task.declarations, given)
    if task.kind == "run":
        check_references.of_lookalikes(reporter, task)
        check_references.of_merged_brackets(reporter, task)
        check_references.of_misspelt(reporter, task.misspelt_inside, passed.view)
