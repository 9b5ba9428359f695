"""Runs all checks on a pipeline and on a TaskRun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.tekton_params import check_names as names
from krm_values.tekton_params import check_references as references
from krm_values.tekton_params import check_values as conflicts
from krm_values.tekton_params.checks import defaults, enums, pitfalls, runs, unused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.propagate import Passed, Scoped
    from krm_values.tekton_params.scope.needs import Setting


def of_pipeline(place: Place, scoped: Scoped, setting: Setting, known: frozenset[str]) -> Iterator[Finding]:
    """Check a pipeline and its tasks. known: the names, in lower case, that were reported as given twice."""
    pipeline = scoped.pipeline
    yield from names.of_unquoted(place, pipeline.data.get("params"), (*pipeline.path, "params"))
    yield from names.of_declarations(place, pipeline.declarations)
    yield from defaults.of_declarations(place, pipeline.declarations)
    yield from defaults.of_references(place, pipeline.declarations, scoped.given)
    yield from defaults.reading_nothing(place, pipeline.declarations, scoped.given, scoped.scope)
    yield from conflicts.of_declarations(place, pipeline.declarations, scoped.given, pipeline.label, stored=pipeline.stored)
    yield from enums.of_pipeline(place, scoped)
    yield from enums.of_values(place, pipeline.declarations, scoped.given, ())
    yield from pitfalls.retyped(place, pipeline.declarations)
    yield from pitfalls.of_defaults(place, pipeline.declarations, scoped.scope)
    for passed in scoped.tasks:
        yield from _of_task(place.within(passed.task), scoped, passed, setting, known)


def of_task_run(place: Place, passed: Passed, setting: Setting) -> Iterator[Finding]:
    """Check the task of a TaskRun."""
    yield from _of_spec(place, passed, "the taskSpec")
    yield from references.of_task(place, passed, None, setting.lookup.hints)


def _of_task(place: Place, scoped: Scoped, passed: Passed, setting: Setting, known: frozenset[str]) -> Iterator[Finding]:
    task = passed.task
    yield from names.of_unquoted(place, task.data.get("params"), (*task.path, "params"))
    yield from names.twice(place, task.values)
    yield from names.twice_in_matrix(place, task.matrix)
    yield from names.twice_in_task(place, passed, known)
    yield from pitfalls.retyped(place, (*task.values, *task.matrix))
    yield from references.of_pipeline_fields(place, scoped, passed, setting.lookup.hints)
    yield from conflicts.of_matrix(place, passed)
    yield from _unknown_types(place, passed)
    yield from pitfalls.lookalikes(place, task)
    yield from pitfalls.misspelt(place, task.outer_misspelt, passed.outer)
    yield from pitfalls.misspelt(place, task.misspelt, passed.view)
    yield from pitfalls.pods(place, passed)
    if task.kind == "reference" and setting.references:
        found = setting.lookup.candidates("Task", place.item, task.data.get("taskRef"))
        yield from runs.several(place, found, "Task", (*task.path, "taskRef"))
    if passed.target or task.kind in ("embedded", "pipeline"):
        yield from unused.of_task(place, passed, setting.lookup.hints)
    if passed.target:
        yield from conflicts.of_target(place, passed, setting)
        yield from enums.of_values(place, enums.declared(passed), passed.given, _instances(passed))
    if task.kind in ("embedded", "pipeline"):
        yield from names.of_values(place, (*task.values, *task.matrix))
    if task.kind == "embedded":
        yield from _of_spec(place, passed, f"the taskSpec of {task.label}")
        yield from references.of_task(place, passed, scoped.pipeline, setting.lookup.hints)
    if passed.scoped:
        yield from of_pipeline(place, passed.scoped, setting, known)


def _of_spec(place: Place, passed: Passed, label: str) -> Iterator[Finding]:
    task = passed.task
    spec = task.data.get("taskSpec") if task.kind == "embedded" else task.data
    entries = spec.get("params") if isinstance(spec, dict) else None
    yield from names.of_unquoted(place, entries, (*task.spec, "params"))
    yield from names.of_declarations(place, task.declarations)
    yield from defaults.of_declarations(place, task.declarations)
    yield from defaults.of_references(place, task.declarations, passed.given)
    yield from conflicts.of_declarations(place, task.declarations, passed.given, label)
    yield from enums.of_values(place, task.declarations, passed.given, _instances(passed))
    yield from pitfalls.retyped(place, task.declarations)
    yield from pitfalls.task_defaults(place, passed)
    if task.kind == "run":
        yield from pitfalls.lookalikes(place, task)
        yield from pitfalls.misspelt(place, task.misspelt, passed.view)


def _unknown_types(place: Place, passed: Passed) -> Iterator[Finding]:
    spec = "pipelineSpec" if passed.scoped else "taskSpec"
    for value in passed.undeclared:
        text = f"the type of this result is unknown, so {place.task} cannot declare the param; declare it in its {spec}"
        report = place.error if place.item.kind == "Pipeline" else place.warning
        yield report("23", "unknown-result-type", (*value.path, "value"), value.name, text, found=value.value)


def _instances(passed: Passed) -> Iterator[tuple[str, JSON]]:
    """Yield the single values that a matrix gives."""
    for value in passed.task.matrix:
        members = value.value if isinstance(value.value, list) else [value.value]
        yield from ((value.name, member) for member in members)
