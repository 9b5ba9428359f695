"""Params of a run that nobody declares or uses, and texts that are nearly references [S8, S9]."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable

from krm_values._data import suggest
from tests.reference.tekton.context import Context
from tests.reference.tekton.fields import is_custom, matrix_names, names_of
from tests.reference.tekton.lookup import candidates, referred, the_one
from tests.reference.tekton.steps import declared_by_steps
from tests.reference.tekton.values import DOTTED, Json, mapping, maps

NEAR = re.compile(rf"\$(?:\(param|\{{params)\.({DOTTED})[)}}]")
USED = re.compile(rf"\$[({{] ?(?:inputs\.)?params?(?:\. ?({DOTTED})|\[\\?[\"']({DOTTED}))")


def warn_near(context: Context, value: Json, seen: Collection[str]) -> None:
    """[S8] Everything below a field that is searched."""
    for match in NEAR.finditer(json.dumps(value)):
        meant = [name for name in parts(match[1]) if name in seen]
        if meant:
            context.report.warn(meant[0], "near")


def warn_unused(context: Context, spec: dict[str, Json], declared: Iterable[str]) -> None:
    """[S9] The run's params against the names that its layers declare and its texts read."""
    given = names_of(spec.get("params"))
    known = {*declared, *used(spec)}
    for name in given:
        near = len(name) > 2 and suggest.nearest(name, sorted(known - set(given)))
        if name not in known and (near or not context.implicit):
            context.report.warn(name, "unused")


def warn_unused_by_task(context: Context, task: dict[str, Json]) -> None:
    """[S9] The values of a pipeline task that look like what the task has and nobody gives."""
    known = declared_by(context, task, own=True)
    given = [*names_of(task.get("params")), *matrix_names(task)]
    for name in given:
        if name not in known and len(name) > 2 and suggest.nearest(name, sorted(known - set(given))):
            context.report.warn(name, "unused")


def declared_in(context: Context, pipeline: dict[str, Json]) -> set[str]:
    """The names that a pipeline and its tasks declare."""
    tasks = [*maps(pipeline.get("tasks")), *maps(pipeline.get("finally"))]
    return {*names_of(pipeline.get("params"))}.union(*(declared_by(context, task, own=False) for task in tasks))


def declared_by(context: Context, task: dict[str, Json], *, own: bool) -> set[str]:
    """Those of one task. own: with what its spec reads, and none of a custom task or of tasks further in."""
    spec = task.get("taskSpec", task.get("pipelineSpec"))
    if own and spec is not None:
        steps = declared_by_steps(context, task.get("taskSpec"))
        return set() if is_custom(task) else {*names_of(mapping(spec).get("params")), *used(spec), *steps}
    if "taskSpec" in task:
        steps = set() if is_custom(task) else declared_by_steps(context, spec)
        return {*names_of(mapping(spec).get("params")), *steps}
    if "pipelineSpec" in task:
        return declared_in(context, mapping(spec))
    target = (
        the_one(candidates(context.items, referred(task)[0], context.item, referred(task)[1])) if context.references else None
    )
    return {*names_of(mapping(mapping(target).get("spec")).get("params"))}


def used(spec: Json) -> set[str]:
    return {name for match in USED.finditer(json.dumps(spec)) for name in (parts(match[1]) if match[1] else [match[2]])}


def parts(name: str) -> tuple[str, str]:
    """`a.b` may be a param of that name or a key of `a`."""
    return name, name.partition(".")[0]
