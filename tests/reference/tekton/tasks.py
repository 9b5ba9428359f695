"""The task of a TaskRun or of a pipeline task, and Tasks and Pipelines that are referenced [3, 12, 36, 37, 40, 52 to 57]."""

from __future__ import annotations

from tests.reference.tekton import defaults
from tests.reference.tekton.context import ALL, Context, Taken, Used, added
from tests.reference.tekton.fields import in_pipeline_task, in_task, names_of
from tests.reference.tekton.layers import (
    Report,
    check_given,
    check_references,
    check_shared,
    enum_of,
    lacks,
    layer,
)
from tests.reference.tekton.lookup import candidates, referred, the_one
from tests.reference.tekton.nearly import warn_near
from tests.reference.tekton.params import Param, declared_type, known_length, with_params
from tests.reference.tekton.steps import needed_by_steps, with_steps
from tests.reference.tekton.values import Json, in_strings, in_value, mapping, maps, text


def task_spec(context: Context, spec: dict[str, Json], given: list[Param], pod: list[Json]) -> tuple[dict[str, Json], Used]:
    """An embedded task's spec, and what it reads of the names that are given to it. pod: its pod templates."""
    authored, used = maps(spec.get("params")), Used()
    seen = layer(authored, given, context.report)
    found = list(in_task(spec))
    check_references(found, seen, context.report)
    used.read(found)
    used.read(reference for declaration in authored for reference in in_value(declaration.get("default"), task=True))
    used.read(in_strings(pod))
    searched = {key: value for key, value in spec.items() if key not in ("params", "results", "description")}
    warn_near(context, [searched, pod, [declaration.get("default") for declaration in authored]], seen)
    for reference in in_strings(pod):  # [37]
        if reference.name not in seen:
            context.report.warn(reference.name, "pod-template")
    defaults.warn_of_task(context, authored, {param.name for param in given})
    for name in needed_by_steps(context, spec):
        used.add(name, {ALL})
    listed = names_of(authored)
    extra = [
        param
        for param in given
        if param.name not in listed and (param.name in used or (context.implicit and not param.partial))
    ]
    needed = {text(declaration.get("name")) for declaration in authored if lacks(declaration)}
    for param in given:
        if param.partial and (param.name in needed or param in extra):
            context.report.error(param.name)
    return with_params(with_steps(context, spec, seen), [*authored, *added(extra, context)]), used


def referenced(context: Context, task: dict[str, Json], given: list[Param], outer: list[Param], pod: list[Json]) -> Taken:
    """[52 to 55] What a referenced Task or Pipeline of the package takes from the outer names beside what it is given."""
    kind, reference = referred(task)
    target = find(context, kind, reference) if context.references else None
    if target is None:
        return Taken()
    values, around = {param.name: param for param in given}, {param.name: param for param in outer}
    taken, names = Taken(), set()
    for declaration in maps(target["spec"].get("params")):
        name = text(declaration.get("name"))
        taken.keys[name] = set(mapping(declaration.get("properties")))
        if name in values:
            check_given(name, declaration, values[name], context.report)
            if values[name].partial and lacks(declaration):
                context.report.error(name)
        elif not takes(context, name, declaration, around.get(name)):
            continue
        else:
            check_given(name, declaration, around[name], context.report)
            names.add(name)
        if declaration.get("enum") and kind == "Task":  # [26]
            taken.enums[name] = enum_of(declaration)
    declared = maps(target["spec"].get("params"))
    seen = layer(declared, [*given, *(around[name] for name in names)], Report())
    check_shared(seen, context.report)
    check_elements(kind, target["spec"], seen, context.report)
    if kind == "Task":
        defaults.warn_of_task(context, declared, {*values, *names}, elsewhere=True)
    warn_near(context, pod, {*values, *taken.keys})
    for read in in_strings(pod) if kind == "Task" else ():  # [37]
        if read.name not in values and read.name not in taken.keys:
            context.report.warn(read.name, "pod-template")
    taken.passed = [param for param in outer if param.name in names]
    return taken


def takes(context: Context, name: str, declaration: dict[str, Json], outer: Param | None) -> bool:
    """[39, 52, 53] Whether a Task's param is passed from outside."""
    required = lacks(declaration)
    if not required and not context.defaults:
        return False
    if outer is None:
        if required:
            context.report.error(name)
        return False
    if not required and outer.type != declared_type(declaration):
        context.report.warn(name, "reference-default")
        return False
    return True


def check_target(context: Context, kind: str, reference: Json, given: list[Param]) -> dict[str, Json] | None:
    """[56] A run against the Pipeline or Task that it names, which is given back if the package has it."""
    target = find(context, kind, reference) if context.references else None
    values = {param.name: param for param in given}
    for declaration in maps(mapping(mapping(target).get("spec")).get("params")):
        name = text(declaration.get("name"))
        if name in values:
            check_given(name, declaration, values[name], context.report)
        elif lacks(declaration):
            context.report.error(name)
    seen = layer(maps(mapping(mapping(target).get("spec")).get("params")), given, Report())
    check_shared(seen, context.report)
    check_elements(kind, mapping(mapping(target).get("spec")), seen, context.report)
    if kind == "Task" and target is not None:
        defaults.warn_of_task(context, maps(target["spec"].get("params")), set(values), elsewhere=True)
    return target


def check_elements(kind: str, spec: dict[str, Json], seen: dict[str, Param], report: Report) -> None:
    """[44] The elements of lists that a referenced object reads, and the lists of a step's guards."""
    if kind == "Task":
        reads = [read for read in in_task(spec) if read.index.isdigit() or (read.index == "*" and read.place == "guard")]
    else:
        tasks = [*maps(spec.get("tasks")), *maps(spec.get("finally"))]
        reads = [read for task in tasks for read in in_pipeline_task(task) if read.index.isdigit()]
        for task in tasks:
            inside = (read for read in in_task(mapping(task.get("taskSpec"))) if read.index.isdigit())
            reads += [read for read in inside if read.name not in names_of(task.get("params"))]
    for read in reads:
        param = seen.get(read.name)
        value = param.value if param and param.type == "array" and param.final else None
        if isinstance(value, list) and known_length(value) <= int(read.index.replace("*", "0")):
            report.error(read.name)


def find(context: Context, kind: str, reference: Json) -> dict[str, Json] | None:
    found = candidates(context.items, kind, context.item, reference)
    if len(found) > 1:
        context.report.warn("?", "several")
    return the_one(found)
