"""Checks each reference: its layer has the name, and its field can take the value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values.tekton_params.checks.misuse import of_reference
from krm_values.tekton_params.findings import is_bare
from krm_values.tekton_params.kinds import TEMPLATE
from krm_values.tekton_params.params import first, named
from krm_values.tekton_params.spec.pass_through import is_added_form, is_pass_through

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Value
    from krm_values.tekton_params.pipelines import Pipeline, Read
    from krm_values.tekton_params.propagate import Passed, Scoped
    from krm_values.tekton_params.scope.known import Known, Scope

_REPORTED_ONCE = ("unknown-param", "unknown-in-pipeline")
_UNCHECKED = ("custom", "default", "pod")


def of_task(place: Place, passed: Passed, pipeline: Pipeline | None, hints: Hints) -> Iterator[Finding]:
    """Check the references in the fields of an embedded task; report an unknown name once. pipeline: that of the task, None in a TaskRun."""
    yield from _once(_in_task(place, passed, pipeline, hints))


def of_pipeline_fields(place: Place, scoped: Scoped, passed: Passed, hints: Hints) -> Iterator[Finding]:
    """Check the references in the fields of a pipeline task that read the pipeline's params; report an unknown name once."""
    yield from _once(_in_fields(place, scoped, passed, hints))


def _once(findings: Iterator[Finding]) -> Iterator[Finding]:
    seen: set[str] = set()
    for finding in findings:
        param = finding.tags["param"]
        if finding.kind not in _REPORTED_ONCE or param not in seen:
            yield finding
        seen.add(param)


def _in_task(place: Place, passed: Passed, pipeline: Pipeline | None, hints: Hints) -> Iterator[Finding]:
    values = {value.name: value for value in first(passed.task.values)}
    bare = {one.name for one in first(passed.task.declarations) if is_bare(one)}
    stored = pipeline is not None and pipeline.stored
    for read in passed.task.reads:
        if read.field.place in _UNCHECKED:
            continue
        if read.ref.parts > 2:
            yield _too_many_parts(place, read)
        elif read.ref.name not in passed.view:
            text = f"unknown parameter in {place.task or 'the task'}: no layer has it"
            text += _hint(place, read, passed.view, pipeline, hints)
            yield place.error("40", "unknown-param", read.field.path, read.ref.label, text, part=read.ref.text)
        else:
            old = read.ref.name if read.ref.name in bare else ""  # whose earlier lines may be the cause
            found = _overridden(place, passed, read, values.get(read.ref.name), stored=stored)
            found = found or _misused(place, read, passed.view[read.ref.name], hints, old)
            if found:
                yield found


def _in_fields(place: Place, scoped: Scoped, passed: Passed, hints: Hints) -> Iterator[Finding]:
    values = {value.path: value for value in passed.task.values}
    size = len(passed.task.values[0].path) if values else 0
    for read in passed.task.outer:
        name, passed_on = read.ref.name, _is_passed_on(values.get(read.field.path[:size]), read)
        old = name if passed_on else ""
        if read.ref.parts > 2:
            yield _too_many_parts(place, read)
        elif name not in scoped.scope:
            only = f" (it exists only on {place.task})" if name in passed.given else ""
            text = f"this field of {place.task} reads the pipeline's params, which have no such name{only}"
            hint = _hint(place, read, scoped.scope, None, hints)
            yield place.error(
                "41",
                "unknown-in-pipeline",
                read.field.path,
                read.ref.label,
                text + hint,
                found=read.field.text,
                old=old,
                part=read.ref.text,
            )
        elif found := _misused(place, read, scoped.scope[name], hints, old, passed_on=passed_on):
            yield found


def _misused(place: Place, read: Read, known: Known, hints: Hints, old: str, *, passed_on: bool = False) -> Finding | None:
    """Return the finding on a reference that its field or param cannot take, if it cannot. passed_on: whether it passes on the param of the same name."""
    ref, field = read.ref, read.field
    wrong = of_reference(read, known, hints)
    if wrong:
        return place.error("44", wrong[0], field.path, ref.label, wrong[1], found=field.text, old=old, part=ref.text)
    if not known.shape.sure or known.type != "string" or not ref.index:
        return None
    text = f"is a string, so `{ref.text}` stays text; write `$(params.{ref.name})`, or declare an array"
    if passed_on:
        return place.error("44", "not-an-array", field.path, ref.label, text, found=field.text, old=old, part=ref.text)
    return place.warning("44", "not-an-array", field.path, ref.label, text, found=field.text, part=ref.text)


def _overridden(place: Place, passed: Passed, read: Read, value: Value | None, *, stored: bool) -> Finding | None:
    """Return the finding on what Tekton misreads or refuses where a task's value overrides an outer array, if there is one."""
    ref = read.ref
    outer = passed.outer.get(ref.name)
    if not outer or not value or outer.type != "array" or ref.old or is_pass_through(value.value, ref.name, "array"):
        return None
    if ref.index.isdigit():
        text = (
            f"the name is overridden on {place.task} with another list, but Tekton would read the outer list here;"
            " rename the param of the task"
        )
        return place.error("35", "outer-element", read.field.path, ref.label, text, found=read.field.text, part=ref.text)
    known = passed.given[ref.name]
    if known.type != "string" or passed.view[ref.name].type != "string" or not known.shape.sure or stored:
        return None
    alone = read.field.text == ref.text
    if read.field.place == "member" and alone:
        return None
    if read.field.place == "word" and alone:
        text = f"an outer layer has an array of this name, {place.task} a string: Tekton drops this entry; rename one"
        return place.warning("38", "dropped-entry", read.field.path, ref.label, text, part=ref.text)
    text = f"an outer layer has an array of this name, {place.task} a string: Tekton refuses to read it here; rename one"
    return place.error("38", "type-conflict", read.field.path, ref.label, text, found=read.field.text, part=ref.text)


def _too_many_parts(place: Place, read: Read) -> Finding:
    text = f'`{read.ref.text}` has more than two parts; write a name with dots as `$(params["{read.ref.name}.{read.ref.key}"])`'
    return place.error("43", "too-many-parts", read.field.path, read.ref.label, text, found=read.field.text, part=read.ref.text)


def _hint(place: Place, read: Read, scope: Scope, pipeline: Pipeline | None, hints: Hints) -> str:
    ref = read.ref
    if place.item.kind == TEMPLATE and ref.name in _names(get(place.item.data, ("spec", "params"))):
        return f"; the TriggerTemplate has it: write `$(tt.params.{ref.name})`"
    if ref.key and f"{ref.name}.{ref.key}" in scope:
        return f'; write `$(params["{ref.name}.{ref.key}"])`'
    other = pipeline.supplier(ref.name) if pipeline else ""
    if other:
        return f" (it exists only on {other})"
    near = hints.hint(ref.name, scope) if len(ref.name) > 2 else ""
    return near or "; declare it or give it a value"


def _names(entries: JSON) -> set[str]:
    """Return the names of the params that a TriggerTemplate declares."""
    return {name for name, _, _ in named(entries, ())}


def _is_passed_on(value: Value | None, read: Read) -> bool:
    """Return whether a field is a value or key that passes on the outer param of the same name. value: the one that the field is in."""
    if value is None or value.name != read.ref.name:
        return False
    is_key = isinstance(value.value, dict) and read.field.text == read.ref.text and read.field.path[-1] == read.ref.key
    return is_key or is_added_form(value.value, value.name)
