"""The task of a TaskRun or of a pipeline task, and Tasks and Pipelines that are referenced [3, 12, 36, 37, 40, 52 to 57]."""

from __future__ import annotations

from tests.reference.tekton.context import ALL, Context, Taken, Used, added
from tests.reference.tekton.fields import in_task, names_of
from tests.reference.tekton.layers import check_default, check_given, check_references, enum_of, layer
from tests.reference.tekton.lookup import candidates, referred, the_one
from tests.reference.tekton.nearly import warn_near
from tests.reference.tekton.params import Param, declared_type, with_params
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
    warn_defaults(context, authored, {param.name for param in given})
    for name in needed_by_steps(context, spec):
        used.add(name, {ALL})
    listed = names_of(authored)
    extra = [param for param in given if param.name not in listed and (context.implicit or param.name in used)]
    return with_params(with_steps(context, spec, seen), [*authored, *added(extra, context)]), used


def warn_defaults(context: Context, authored: list[dict[str, Json]], given: set[str]) -> None:
    """[36, section 7] In a default only other defaults of the same task are put in."""
    defaults = {text(d.get("name")) for d in authored if d.get("default") is not None}
    for declaration in authored:
        reads = {reference.name for reference in in_value(declaration.get("default"))}
        if text(declaration.get("name")) not in given and not reads <= defaults - given:
            context.report.warn(text(declaration.get("name")), "default")


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
        check_default(name, declaration, context.report)
        if name in values:
            check_given(name, declaration, values[name], context.report)
        elif not takes(context, name, declaration, around.get(name)):
            continue
        else:
            check_given(name, declaration, around[name], context.report)
            names.add(name)
        if declaration.get("enum") and kind == "Task":  # [26]
            taken.enums[name] = enum_of(declaration)
    warn_near(context, pod, {*values, *taken.keys})
    for read in in_strings(pod) if kind == "Task" else ():  # [37]
        if read.name not in values and read.name not in taken.keys:
            context.report.warn(read.name, "pod-template")
    taken.passed = [param for param in outer if param.name in names]
    return taken


def takes(context: Context, name: str, declaration: dict[str, Json], outer: Param | None) -> bool:
    """[39, 52, 53] Whether a Task's param is passed from outside."""
    required = declaration.get("default") is None
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
            check_given(name, declaration, values[name], context.report, enums=False)
        elif declaration.get("default") is None:
            context.report.error(name)
    return target


def find(context: Context, kind: str, reference: Json) -> dict[str, Json] | None:
    found = candidates(context.items, kind, context.item, reference)
    if len(found) > 1:
        context.report.warn("?", "several")
    return the_one(found)
