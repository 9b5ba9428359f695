"""Steps that refer to StepActions [58], and Pipelines that refer to each other in a circle [52]."""

from __future__ import annotations

from dataclasses import replace

from tests.reference.tekton.context import Context
from tests.reference.tekton.defaults import warn_of_task
from tests.reference.tekton.fields import names_of
from tests.reference.tekton.layers import Report, check_default, check_given, check_shared, lacks, layer
from tests.reference.tekton.lookup import VERSIONS, candidates, referred, the_one
from tests.reference.tekton.own import own_value
from tests.reference.tekton.params import Param, declared_type, pass_through, with_params
from tests.reference.tekton.values import Json, mapping, maps, text


def action(context: Context, step: dict[str, Json]) -> list[dict[str, Json]] | None:
    """The declarations of a step's StepAction, None if none is looked up."""
    if not context.references or not isinstance(step.get("params", []), list | None):
        return None
    target = the_one(candidates(context.items, "StepAction", context.item, step.get("ref")))
    return None if target is None else maps(target["spec"].get("params"))


def actions(context: Context, spec: dict[str, Json]) -> list[tuple[dict[str, Json], list[dict[str, Json]]]]:
    found = [(step, action(context, step)) for step in maps(spec.get("steps"))]
    return [(step, declared) for step, declared in found if declared is not None]


def needs(context: Context, step: dict[str, Json], declared: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """What the StepAction declares and the step does not give: what is required, by option also the rest [53]."""
    given = names_of(step.get("params"))
    open_ones = {text(one.get("name")): one for one in reversed(declared) if context.defaults or lacks(one)}
    names = dict.fromkeys(names_of(declared))
    return [open_ones[name] for name in names if name in open_ones and name not in given]


def needed_by_steps(context: Context, spec: dict[str, Json]) -> list[str]:
    return [text(one.get("name")) for step, declared in actions(context, spec) for one in needs(context, step, declared)]


def declared_by_steps(context: Context, spec: Json) -> set[str]:
    return {name for _, declared in actions(context, mapping(spec)) for name in names_of(declared)}


def with_steps(context: Context, spec: dict[str, Json], seen: dict[str, Param]) -> dict[str, Json]:
    """The spec of a task whose steps pass what their StepActions need. seen: what the task sees."""
    if not isinstance(spec.get("steps"), list):
        return spec
    return {**spec, "steps": [with_needs(context, step, seen) if isinstance(step, dict) else step for step in spec["steps"]]}


def with_needs(context: Context, step: dict[str, Json], seen: dict[str, Param]) -> dict[str, Json]:
    declared, report = action(context, step), context.report
    if declared is None:
        return step
    for entry in maps(step.get("params")):
        check_value(entry, declared, seen, report)
    passed = []
    for one in needs(context, step, declared):
        name, kind, required = text(one.get("name")), declared_type(one), lacks(one)
        param = seen.get(name)
        has = "" if param is None else param.type or param.declared_as
        if param is not None and has == kind:
            check_given(name, one, param, report, enums=False)
            passed.append({"name": name, "value": pass_through(name, kind)})
        elif required:
            report.error(name)
        elif has:
            report.warn(name, "reference-default")
    return with_params(step, [*maps(step.get("params")), *passed])


def check_value(entry: dict[str, Json], declared: list[dict[str, Json]], seen: dict[str, Param], report: Report) -> None:
    """A value that a step gives: it is declared, and of that type; those of earlier steps are unknown."""
    name, value = text(entry.get("name")), entry.get("value")
    if name not in names_of(declared):
        report.error(name)
        return
    given = own_value(entry, seen, {}, Report())
    if "$(steps." in text(value):
        given = replace(given, type=None)
    one = [one for one in declared if one.get("name") == name][-1]
    check_given(name, one, given if isinstance(value, dict) else replace(given, provided=None), report, enums=False)


def stored_task(context: Context, spec: dict[str, Json]) -> dict[str, Json]:
    """[58] A Task's own declarations are what its steps see; nothing else of it is read."""
    warn_of_task(context, maps(spec.get("params")), set())
    seen = layer(maps(spec.get("params")), [], Report(), stored=True)
    check_shared(seen, context.report)
    for declaration in maps(spec.get("params")):
        check_default(text(declaration.get("name")), declaration, context.report)
    return with_steps(context, spec, seen)


def check_pipelines(context: Context) -> None:
    """[52] Each circle is one error, at its first Pipeline."""
    numbers = {id(item): number for number, item in enumerate(context.items)}
    edges: dict[int, set[int]] = {}
    for number, item in enumerate(context.items):
        if item.get("kind") == "Pipeline" and item.get("apiVersion") in VERSIONS:
            found = [the_one(candidates(context.items, "Pipeline", item, ref)) for ref in pipeline_refs(item.get("spec"))]
            edges[number] = {numbers[id(target)] for target in found if target is not None}
    beyond = {number: reachable(number, edges) for number in edges}
    for number in edges:
        if number in beyond[number] and not any(number in beyond[other] for other in beyond[number] if other < number):
            context.report.errors.add((number, "?"))


def reachable(start: int, edges: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    ahead = list(edges[start])
    while ahead:
        number = ahead.pop()
        if number not in found:
            found.add(number)
            ahead += edges[number]
    return found


def pipeline_refs(spec: Json) -> list[Json]:
    found = []
    for task in (*maps(mapping(spec).get("tasks")), *maps(mapping(spec).get("finally"))):
        if task.get("pipelineSpec") is not None:
            found += pipeline_refs(task["pipelineSpec"])
        elif "pipelineRef" in task:
            found.append(referred({"pipelineRef": task["pipelineRef"]})[1])
    return found
