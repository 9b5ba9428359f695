"""The rules of Tekton parameter expansion: lists of plain resources in, plain resources or errors out.

Numbers in brackets are rules. Nothing is optimised, nothing is explained to a user, no text is kept.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass

from tests.reference.tekton.context import Context
from tests.reference.tekton.fields import names_of, pod_templates
from tests.reference.tekton.layers import Report, check_duplicates, check_name, check_shared
from tests.reference.tekton.lookup import VERSIONS
from tests.reference.tekton.nearly import declared_in, warn_near, warn_unused
from tests.reference.tekton.params import Param, object_keys
from tests.reference.tekton.pipelines import pipeline
from tests.reference.tekton.shapes import check_built
from tests.reference.tekton.steps import check_pipelines, declared_by_steps, stored_task
from tests.reference.tekton.tasks import check_target, task_spec
from tests.reference.tekton.values import ANY_RESULT, Json, in_strings, in_value, mapping, maps, shape, text


@dataclass(frozen=True)
class Answer:
    """What comes out: the items (as they came where there are errors), (item, param) of errors, (item, param, kind) of warnings."""

    items: list[dict[str, Json]]
    errors: frozenset[tuple[int, str]]
    warnings: frozenset[tuple[int, str, str]]


def resolve(items: list[dict[str, Json]], config: dict[str, Json]) -> Answer:
    """A package under a config of `mode`, `references` and `referenceDefaults`."""
    implicit = config.get("mode", "implicit") == "implicit"
    report = Report()
    context = Context(items, implicit, bool(config.get("references")), bool(config.get("referenceDefaults")), report)
    made = []
    if context.references:
        check_pipelines(context)
    for report.item, context.item in enumerate(items):
        made.append(resolved(context, copy.deepcopy(context.item)))
    return Answer(items if report.errors else made, frozenset(report.errors), frozenset(report.warnings))


def resolved(context: Context, item: dict[str, Json]) -> dict[str, Json]:
    """[1 to 5, 56] One object."""
    spec = item.get("spec")
    if item.get("apiVersion") not in VERSIONS or not isinstance(spec, dict):
        return item
    if item.get("kind") in ("Pipeline", "PipelineRun", "TaskRun", "Task"):
        check_built(spec, context.report, old=item["apiVersion"] == "tekton.dev/v1beta1")
    if item.get("kind") == "Task":
        item["spec"] = stored_task(context, spec)
    if item.get("kind") == "Pipeline":
        item["spec"], _ = pipeline(context, spec, [], {})
    if item.get("kind") == "PipelineRun":
        given = run_values(context, spec, inline="pipelineSpec" in spec)
        check_shared({param.name: param for param in given}, context.report)
        check_workspaces(context, spec, given)
        warn_near(context, spec.get("workspaces"), names_of(spec.get("params")))
        if "pipelineSpec" in spec:
            warn_unused(context, spec, declared_in(context, mapping(spec["pipelineSpec"])))
            spec["pipelineSpec"], _ = pipeline(context, mapping(spec["pipelineSpec"]), given, pod_templates(spec))
        else:
            warn_unused_target(context, spec, check_target(context, "Pipeline", spec.get("pipelineRef"), given))
    if item.get("kind") == "TaskRun":
        given = run_values(context, spec, inline="taskSpec" in spec)
        check_shared({param.name: param for param in given}, context.report)
        if "taskSpec" in spec:
            declared = declared_by_steps(context, spec["taskSpec"])
            warn_unused(context, spec, declared.union(names_of(mapping(spec["taskSpec"]).get("params"))))
            spec["taskSpec"], _ = task_spec(context, mapping(spec["taskSpec"]), given, [])
        else:
            warn_unused_target(context, spec, check_target(context, "Task", spec.get("taskRef"), given))
    return item


def warn_unused_target(context: Context, spec: dict[str, Json], target: dict[str, Json] | None) -> None:
    """[S9] A run by reference, if what it names is in the package."""
    if target is not None:
        warn_unused(context, spec, names_of(mapping(target.get("spec")).get("params")))


def run_values(context: Context, spec: dict[str, Json], *, inline: bool) -> list[Param]:
    """[36, 42, 43, 46] The run layer. Nothing is declared of what goes to a reference, so its names are its own affair."""
    given, report = [], context.report
    check_duplicates(names_of(spec.get("params")), report, str.casefold)
    for entry in maps(spec.get("params")):
        name, value = text(entry.get("name")), entry.get("value")
        given.append(Param(name, shape(value), object_keys(value), object_keys(value), value))
        if inline:
            check_name(name, value, report)
        if ANY_RESULT.search(json.dumps(value)):
            report.error(name)
        if any(in_value(value)):
            report.warn(name, "run-value")
    return given


def check_workspaces(context: Context, spec: dict[str, Json], given: list[Param]) -> None:
    """[37]"""
    for reference in in_strings(spec.get("workspaces")):
        if reference.name not in {param.name for param in given}:
            context.report.warn(reference.name, "run-workspace")
