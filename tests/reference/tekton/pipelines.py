"""A pipeline with its tasks, and pipelines in it [2, 4, 6 to 16, 26, 31, 33 to 35, 50]."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace

from tests.reference.tekton import own
from tests.reference.tekton.context import ALL, Context, Taken, Used, added
from tests.reference.tekton.defaults import check_of_pipeline
from tests.reference.tekton.fields import in_pipeline_task, in_task, is_custom, names_of
from tests.reference.tekton.layers import Report, check_references, enum_of, layer
from tests.reference.tekton.lookup import result_types
from tests.reference.tekton.nearly import warn_near, warn_unused_by_task
from tests.reference.tekton.params import Param, pass_through, with_params
from tests.reference.tekton.tasks import referenced, task_spec
from tests.reference.tekton.values import Json, in_strings, in_value, mapping, maps, references, shape, text


@dataclass
class Around:
    """The pipeline around a task: its layer, its tasks' results, what its tasks use and which enums they ask for."""

    layer: dict[str, Param]
    results: dict[str, dict[str, Param]]
    nested: bool
    used: Used = field(default_factory=Used)
    enums: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)


def pipeline(
    context: Context, spec: dict[str, Json], given: list[Param], pods: dict[str, list[Json]], *, nested: bool = False
) -> tuple[dict[str, Json], Used]:
    """A pipeline's spec, and what it reads of the names that are given to it. pods: pod templates by task."""
    authored = maps(spec.get("params"))
    tasks = [*maps(spec.get("tasks")), *maps(spec.get("finally"))]
    around = Around(
        layer(authored, given, context.report, stored=context.stored and not nested),
        {text(task.get("name")): result_types(context.items, context.item, task) for task in tasks},
        nested,
    )
    for part in ("tasks", "finally"):
        if isinstance(spec.get(part), list):
            spec[part] = [pipeline_task(context, t, around, pods) if isinstance(t, dict) else t for t in spec[part]]
    used, declared = around.used, names_of(authored)
    extra = [param for param in given if param.name not in declared and (context.implicit or param.name in used)]
    new = [declaration | common_enum(context, declaration["name"], around) for declaration in added(extra, context)]
    for name in declared:
        if not all(set(around.layer[name].enum or ["?"]) <= set(enum) for enum in around.enums.get(name, [])):
            context.report.warn(name, "enum")
    warn_near(context, [declaration.get("default") for declaration in authored], around.layer)
    check_of_pipeline(context, authored, given, around.layer, stored=context.stored and not nested)
    for declaration in authored:  # a default needs a value, but no declaration
        used.read(in_value(declaration.get("default")))
    return with_params(spec, [*authored, *new]), used


def common_enum(context: Context, name: str, around: Around) -> dict[str, Json]:
    """[26]"""
    if name not in around.enums:
        return {}
    first, *others = around.enums[name]
    common = [entry for entry in first if all(entry in other for other in others)]
    if not common:
        context.report.error(name)
    return {"enum": common}


def pipeline_task(context: Context, task: dict[str, Json], around: Around, pods: dict[str, list[Json]]) -> dict[str, Json]:
    """A pipeline task with what it takes from the pipeline."""
    done, entries = copy.deepcopy(task), maps(task.get("params"))
    values = {text(e.get("name")): own.own_value(e, around.layer, around.results, context.report) for e in entries}
    supplied = own.fanned(task)
    embedded = ("taskSpec" in task or "pipelineSpec" in task) and not is_custom(task)
    own.check_names(task, context.report, embedded=embedded)
    read_fields(context, task, around)
    known = {*values, *(param.name for param in supplied)}
    outer = [param for name, param in around.layer.items() if name not in known]
    pod = pods.get(text(task.get("name")), [])
    if embedded:
        taken = embed(context, done, values, outer, supplied, around, pod)
    elif is_custom(task):
        taken = custom(context, task, outer)
    else:
        taken = referenced(context, task, [*values.values(), *supplied], outer, pod)
    note_use(around, values, taken)
    passed = [param for param in taken.passed if param.type or param.declared_as]
    final = [*maps(done.get("params")), *({"name": p.name, "value": pass_through(p.name, p.type)} for p in passed)]
    own.check_case([*names_of(final), *(param.name for param in supplied)], context.report)
    return with_params(done, final)


def read_fields(context: Context, task: dict[str, Json], around: Around) -> None:
    """[33, 41] The fields that read the pipeline layer. An object that is handed on under another name is read as a whole."""
    found = list(in_pipeline_task(task))
    check_references(found, around.layer, context.report)
    warn_near(context, {key: value for key, value in task.items() if key not in ("taskSpec", "pipelineSpec")}, around.layer)
    warn_unused_by_task(context, task)
    around.used.read(found)
    for entry in maps(task.get("params")):
        for reference in references(entry.get("value")):
            if reference.alone and reference.index == "*" and reference.name != entry.get("name"):
                around.used.add(reference.name, {ALL})


def note_use(around: Around, values: dict[str, Param], taken: Taken) -> None:
    """What is passed, by us or by the author, is used; and an enum of a task asks for one of the pipeline's declaration [26]."""
    for name in [param.name for param in taken.passed] + [name for name, value in values.items() if value.reads == name]:
        around.used.add(name, taken.keys.get(name, ()))
    sources = {param.name: param.name for param in taken.passed} | {name: value.reads for name, value in values.items()}
    for name, enum in taken.enums.items():
        if sources.get(name) in around.layer:
            around.enums.setdefault(sources[name], []).append(enum)


def custom(context: Context, task: dict[str, Json], outer: list[Param]) -> Taken:
    """[7] A custom task gets values, and declares nothing."""
    reads = Used()
    reads.read(in_strings(mapping(task["taskSpec"]).get("spec"), task=True))
    return Taken([param for param in outer if context.implicit or param.name in reads])


def embed(
    context: Context,
    done: dict[str, Json],
    values: dict[str, Param],
    outer: list[Param],
    supplied: list[Param],
    around: Around,
    pod: list[Json],
) -> Taken:
    """Resolve the embedded spec of `done`, and the keys of the objects that `done` overrides."""
    part = "taskSpec" if "taskSpec" in done else "pipelineSpec"
    spec = mapping(done[part])
    listed = {text(d.get("name")): d for d in maps(spec.get("params"))}
    overrides = {n: around.layer[n] for n, value in values.items() if n in around.layer and value.reads != n}
    for param in supplied:
        if param.name in around.layer:  # [34]
            context.report.error(param.name)
    if part == "taskSpec":
        check_overridden(context, spec, values, overrides, stored=context.stored and not around.nested)
    own_values = {n: own.with_outer_keys(value, overrides.get(n), listed.get(n)) for n, value in values.items()}
    _, used = inner(context, part, copy.deepcopy(spec), [*own_values.values(), *outer, *supplied], pod)
    for entry in maps(done.get("params")):
        name, value = text(entry.get("name")), entry.get("value")
        if name in overrides and shape(value) == "object":
            missing = missing_keys(context, value, overrides[name], listed.get(name), used.keys.get(name, set()))
            entry["value"] = mapping(value) | {key: f"$(params.{name}.{key})" for key in missing}
            own_values[name] = replace(own_values[name], keys=tuple(entry["value"]))
            around.used.read(in_value(entry["value"]))
    quiet = replace(context, report=Report())  # everything was said when all keys were there
    done[part], _ = inner(quiet, part, spec, [*own_values.values(), *outer, *supplied], pod)
    passed = [param for param in outer if context.implicit or param.name in listed or param.name in used]
    enums = {name: enum_of(d) for name, d in listed.items() if d.get("enum") and part == "taskSpec"}
    return Taken(passed, enums, used.keys | {name: set(mapping(d.get("properties"))) for name, d in listed.items()})


def inner(
    context: Context, part: str, spec: dict[str, Json], given: list[Param], pod: list[Json]
) -> tuple[dict[str, Json], Used]:
    if part == "taskSpec":
        return task_spec(context, spec, given, pod)
    return pipeline(context, spec, given, {}, nested=True)


def missing_keys(
    context: Context, value: dict[str, Json], outer: Param, declaration: dict[str, Json] | None, read: set[str]
) -> list[str]:
    """[31] The keys of the outer object that an override needs."""
    keys = [key for key in outer.keys or () if key not in value] if outer.type == "object" else []
    if declaration is not None:
        return [key for key in keys if key in mapping(declaration.get("properties"))]
    return keys if context.implicit or ALL in read else [key for key in keys if key in read]


def check_overridden(
    context: Context, spec: dict[str, Json], values: dict[str, Param], overrides: dict[str, Param], *, stored: bool
) -> None:
    """[35, 38] What a task reads of an outer list that it overrides."""
    for reference in in_task(spec):
        outer = overrides.get(reference.name)
        if outer is None or outer.type != "array" or reference.old:
            continue
        if reference.index.isdigit():
            context.report.error(reference.name)
        stands_alone = reference.place == "entry" and reference.alone
        if not stored and values[reference.name].type == "string" and reference.whole and not stands_alone:
            context.report.error(reference.name)
