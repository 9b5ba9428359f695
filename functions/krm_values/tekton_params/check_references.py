"""Checks of references: each one's layer has the name, its field can take the value; and what only looks like one or stays text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values.tekton_params.findings import is_bare
from krm_values.tekton_params.params import (
    find,
    find_in,
    first,
    is_added_form,
    is_pass_through,
    merged_brackets,
    named,
    with_article,
)
from krm_values.tekton_params.pipelines import EACH, Read, misspelt_in, ref_fields, strings, walk
from krm_values.tekton_params.upstream_fields import TEMPLATE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values.tekton_params.findings import Reporter
    from krm_values.tekton_params.layers import Known, Scope
    from krm_values.tekton_params.params import Declaration, Misspelt, ParamValue
    from krm_values.tekton_params.passing import Passed, Scoped
    from krm_values.tekton_params.pipelines import Manifest, Pipeline, SearchedField, Task

_UNCHECKED = ("custom", "default", "pod")


def of_task(reporter: Reporter, passed: Passed, pipeline: Pipeline | None) -> None:
    """Check the references in the fields of an embedded task; report an unknown name once. pipeline: that of the task, None in a TaskRun."""
    values = {value.name: value for value in first(passed.task.values)}
    bare = {one.name for one in first(passed.task.declarations) if is_bare(one)}
    stored = pipeline is not None and pipeline.stored
    reported: set[str] = set()
    for read in passed.task.reads_inside:
        ref = read.ref
        if read.field.role in _UNCHECKED:
            continue
        if ref.parts > 2:
            _too_many_parts(reporter, read)
        elif ref.name not in passed.view:
            if ref.label not in reported:
                text = f"unknown parameter in {reporter.task or 'the task'}: no layer has it"
                text += _hint(reporter, read, passed.view, pipeline)
                reporter.error("unknown-param", "40", read.field.path, ref.label, text, part=ref.text)
                reported.add(ref.label)
        elif not _report_override(reporter, passed, read, values.get(ref.name), stored=stored):
            old = ref.name if ref.name in bare else ""  # whose earlier lines may be the cause
            if not _report_misuse(reporter, read, passed.view[ref.name], old):
                _no_values(reporter, read, passed.view[ref.name])


def _no_values(reporter: Reporter, read: Read, known: Known) -> None:
    """Report an empty list as the values of a step's `when`."""
    ref, field = read.ref, read.field
    if field.role == "when" and ref.index == "*" and known.type == "array" and known.shape.length == 0:
        text = "the list is empty, and Tekton refuses a step whose `when` has no `values`; give the list a member"
        reporter.warning("no-values", "44", field.path, ref.label, text, found=field.text, part=ref.text)


def of_pipeline_fields(reporter: Reporter, scoped: Scoped, passed: Passed) -> None:
    """Check the references in the fields of a pipeline task that read the pipeline's params; report an unknown name once."""
    values = {value.path: value for value in passed.task.values}
    size = len(passed.task.values[0].path) if values else 0
    reported: set[str] = set()
    for read in passed.task.reads_outside:
        ref = read.ref
        if read.field.role == "title" and passed.task.matrix and (ref.name in passed.given or ref.name in scoped.scope):
            _of_title(reporter, passed, read)
            continue
        passed_on = _is_passed_on(values.get(read.field.path[:size]), read)
        old = ref.name if passed_on else ""
        if ref.parts > 2:
            _too_many_parts(reporter, read)
        elif ref.name not in scoped.scope:
            if ref.label not in reported:
                only = f" (it exists only on {reporter.task})" if ref.name in passed.given else ""
                text = f"this field of {reporter.task} reads the pipeline's params, which have no such name{only}"
                text += _hint(reporter, read, scoped.scope, None)
                found, path = read.field.text, read.field.path
                reporter.error("unknown-in-pipeline", "41", path, ref.label, text, found=found, old=old, part=ref.text)
                reported.add(ref.label)
        elif not _report_misuse(reporter, read, scoped.scope[ref.name], old, passed_on=passed_on):
            _of_partial_object(reporter, read, scoped.scope[ref.name])
            _of_nested_ref(reporter, scoped, passed, read)


def _of_title(reporter: Reporter, passed: Passed, read: Read) -> None:
    """Report a reference in the `displayName` of a task with a matrix that stays text: it sees what each instance is given."""
    ref, field = read.ref, read.field
    known = passed.given.get(ref.name) if ref.name in passed.task.given.union(passed.added_values) else None
    if known is None or known.type not in ("string", "") or ref.index or ref.bracket:
        text = (
            f"`{ref.text}` stays text: the `displayName` of a task with a matrix takes strings that {reporter.task} is given only,"
            " as `$(params.NAME)`; pass it as a param of the task"
        )
        reporter.warning("title-not-replaced", "33", field.path, ref.label, text, found=field.text, part=ref.text)


def _of_partial_object(reporter: Reporter, read: Read, known: Known) -> None:
    """Report a key that only the pipeline's default has, in a field of the pipeline."""
    ref, field = read.ref, read.field
    if ref.key and known.only_in_default(ref.key):
        text = (
            f"`{ref.text}` stays text in Tekton v1.9 to v1.15: the object is given without this key, which only the pipeline's"
            " default has; add the key to the value that is given"
        )
        reporter.warning("partial-object", "32", field.path, ref.label, text, found=field.text, part=ref.text)


def _of_nested_ref(reporter: Reporter, scoped: Scoped, passed: Passed, read: Read) -> None:
    """Report a param of a `pipelineRef` that reads a default of the pipeline: it sees what is given to the run only."""
    ref, field = read.ref, read.field
    if field.path[: len(passed.task.path) + 1] != (*passed.task.path, "pipelineRef") or ref.name in scoped.given:
        return
    if not scoped.pipeline.stored:
        text = f"`{ref.text}` stays text: the params of a `pipelineRef` see what the run gives, and no defaults; give it in `spec.params`"
        reporter.warning("never-replaced", "36", field.path, ref.label, text, found=field.text, part=ref.text)


def _hint(reporter: Reporter, read: Read, scope: Scope, pipeline: Pipeline | None) -> str:
    ref = read.ref
    if reporter.item.kind == TEMPLATE and any(
        name == ref.name for name, _, _ in named(get(reporter.item.data, ("spec", "params")), ())
    ):
        return f"; the TriggerTemplate has it: write `$(tt.params.{ref.name})`"
    if ref.key and f"{ref.name}.{ref.key}" in scope:
        return f'; write `$(params["{ref.name}.{ref.key}"])`'
    other = pipeline.supplier(ref.name) if pipeline else ""
    if other:
        return f" (it exists only on {other})"
    near = suggest.hint(ref.name, scope) if len(ref.name) > 2 else ""
    return near or "; declare it or give it a value"


def _too_many_parts(reporter: Reporter, read: Read) -> None:
    ref, field = read.ref, read.field
    text = f'`{ref.text}` has more than two parts; write a name with dots as `$(params["{ref.name}.{ref.key}"])`'
    reporter.error("too-many-parts", "43", field.path, ref.label, text, found=field.text, part=ref.text)


def _is_passed_on(value: ParamValue | None, read: Read) -> bool:
    """Return whether a field is a value or key that passes on the outer param of the same name. value: the one that the field is in."""
    if value is None or value.name != read.ref.name:
        return False
    is_key = isinstance(value.value, dict) and read.field.text == read.ref.text and read.field.path[-1] == read.ref.key
    return is_key or is_added_form(value.value, value.name)


def _report_override(reporter: Reporter, passed: Passed, read: Read, value: ParamValue | None, *, stored: bool) -> bool:
    """Report what Tekton misreads or refuses where a task's value overrides an outer array. Return whether there is a finding."""
    ref, field = read.ref, read.field
    outer = passed.outer.get(ref.name)
    if not outer or not value or outer.type != "array" or ref.old or is_pass_through(value.value, ref.name, "array"):
        return False
    if ref.index.isdigit():
        text = (
            f"the name is overridden on {reporter.task} with another list, but Tekton would read the outer list here;"
            " rename the param of the task"
        )
        reporter.error("outer-element", "35", field.path, ref.label, text, found=field.text, part=ref.text)
        return True
    known = passed.given[ref.name]
    if known.type != "string" or passed.view[ref.name].type != "string" or not known.shape.sure or stored:
        return False
    alone = field.text == ref.text
    if field.role == "member" and alone:
        return False
    if field.role == "word" and alone:
        text = f"an outer layer has an array of this name, {reporter.task} a string: Tekton drops this entry; rename one"
        reporter.warning("dropped-entry", "38", field.path, ref.label, text, part=ref.text)
    else:
        text = f"an outer layer has an array of this name, {reporter.task} a string: Tekton refuses to read it here; rename one"
        reporter.error("type-conflict", "38", field.path, ref.label, text, found=field.text, part=ref.text)
    return True


def _report_misuse(reporter: Reporter, read: Read, known: Known, old: str, *, passed_on: bool = False) -> bool:
    """Report a reference that its field or param cannot take. Return whether it is one. passed_on: whether it passes on the param of the same name."""
    ref, field = read.ref, read.field
    if not known.type or not known.shape.sure:
        return False
    if known.type == "string" and ref.index and not ref.key:
        text = f"is a string, so `{ref.text}` stays text; write `$(params.{ref.name})`, or declare an array"
        if passed_on:
            reporter.error("not-an-array", "44", field.path, ref.label, text, found=field.text, old=old, part=ref.text)
        else:
            reporter.warning("not-an-array", "44", field.path, ref.label, text, found=field.text, part=ref.text)
        return True
    is_dotted = "." in ref.name  # which only brackets can name
    if field.role == "when" and ref.index == "*" and (ref.bracket or ref.old) and not is_dotted and field.text == ref.text:
        text = f"`{ref.text}` stays text in the values of a `when` before Tekton v0.38; write `$(params.{ref.name}[*])`"
        reporter.warning("no-reference", "44", field.path, ref.label, text, found=field.text, part=ref.text)
        return True
    if ref.key:
        wrong = _wrong_key(read, known)
    elif known.type == "string":
        wrong = None
    else:
        wrong = _wrong_index(read, known) if ref.index.isdigit() else _wrong_whole(read, known.type)
    if wrong:
        kind, text = wrong
        reporter.error(kind, "44", field.path, ref.label, text, found=field.text, old=old, part=ref.text)
    return wrong is not None


def _wrong_key(read: Read, known: Known) -> tuple[str, str] | None:
    """Return the kind of misuse and its message, or None; likewise the functions below."""
    ref, keys = read.ref, known.shape.keys
    if known.type != "object":
        return "no-object", f"{ref.name} is {with_article(known.type)} and has no keys"
    if keys is None or ref.key in keys:
        return None
    hint = suggest.hint(ref.key, keys) if len(ref.key) > 2 else ""
    return "unknown-key", f"object {ref.name} has no key {ref.key}, its keys are {suggest.listed(keys) or 'none'}{hint}"


def _wrong_index(read: Read, known: Known) -> tuple[str, str] | None:
    ref, length = read.ref, known.shape.length
    if known.type == "object":
        return "no-array", f"{ref.name} is an object and has no elements; name a key"
    if length is None or ref.is_in(length):
        return None
    return "past-the-end", f"the list has {length} element{'' if length == 1 else 's'}, counted from 0"


def _wrong_whole(read: Read, kind: str) -> tuple[str, str] | None:
    ref, field = read.ref, read.field
    alone = field.text == ref.text
    if alone and field.role == "whole":
        if ref.star:
            return None
        if kind == "array":
            return "whole-value", f"`{ref.text}` does not pass on the array; write the list `['{ref.text}']`"
        return "whole-value", f"`{ref.text}` does not pass on the object; write `$(params.{ref.name}[*])`"
    if kind == "object":
        return "whole-value", "a whole object may only be passed on; name a key here"
    if alone and (field.role in ("word", "member", "list") or (field.role == "when" and ref.index == "*")):
        return None
    if alone and field.role == "when":
        return "whole-value", f"`{ref.text}` stays text in the values of a `when`; write `$(params.{ref.name}[*])`"
    if not alone and field.role in ("word", "member"):
        return "glued-array", f"`{ref.text}` must be the whole entry, without other text"
    return "whole-value", "a whole array may be used in `command` and `args` only; name an element here"


def of_lookalikes(reporter: Reporter, task: Task) -> None:
    """Report what looks like a reference and is not one."""
    for field, found in task.lookalikes:
        if found.startswith("$(inputs.params."):
            text = f"`{found}` is replaced inside a task only and stays text here; write `$(params.{found[16:]}`"
        else:
            text = (
                f"`{found}` is not a reference and stays text; write `$(params.NAME)` without spaces, or `$(params.OBJECT.KEY)`"
            )
        reporter.warning("no-reference", "36", field.path, "", text, found=field.text, part=found)


def of_merged_brackets(reporter: Reporter, task: Task) -> None:
    """Report elements in brackets that Tekton refuses because another reference in brackets follows; it does not check `finally`."""
    reads = (*(() if "finally" in task.path[-2:] else task.reads_inside), *task.reads_outside)
    for field in dict.fromkeys(read.field for read in reads if read.ref.bracket and read.ref.index):
        for found in merged_brackets(field.text) if field.role not in _UNCHECKED else ():
            name = find(found)[0]
            text = (
                f"Tekton reads `{found}` and the next reference in brackets as one name and refuses it; write"
                f" `$(params.{name.name}[{name.index}])`, or the other quotes in one of them"
            )
            reporter.error("merged-brackets", "36", field.path, name.label, text, found=field.text, part=found)


def of_misspelt(reporter: Reporter, found: Iterable[tuple[SearchedField, Misspelt]], scope: Scope) -> None:
    """Report misspelt references to params of the scope."""
    for field, one in found:
        name = next((name for name in one.names if name in scope), "")
        if name:
            text = f"`{one.text}` is not a reference and stays text; write `{one.spelled_for(name)}`"
            reporter.warning("misspelt-reference", "S8", field.path, name, text, found=field.text, part=one.text)


def of_misspelt_defaults(reporter: Reporter, declared: Iterable[Declaration], scope: Scope) -> None:
    """Report misspelt references in the defaults of a pipeline's declarations."""
    for one in declared:
        of_misspelt(reporter, misspelt_in(strings(one.default, (*one.path, "default"), "default")), scope)


def of_run_values(reporter: Reporter, values: Iterable[ParamValue]) -> None:
    """Report references in a run's own values: text for the pipeline, replaced in a task that gets the name."""
    for value in values:
        ref = next(find_in(value.value), None)
        if ref:
            path = (*value.path, "value")
            text = f"`{ref.text}` in a run's value stays text in the pipeline and is replaced only in a task that gets the name"
            reporter.warning("reference-in-run", "36", path, value.name, text, found=value.value, part=ref.text)


def of_never_replaced(reporter: Reporter, fields: Iterable[SearchedField]) -> None:
    """Report references in fields in which Tekton replaces none."""
    for field in fields:
        ref = find(field.text)[0]
        text = f"`{ref.text}` stays text: Tekton replaces no references in this field; write the value"
        reporter.warning("never-replaced", "36", field.path, ref.label, text, found=field.text, part=ref.text)


def of_run_refs(reporter: Reporter, run: Manifest, given: Scope) -> None:
    """Check the references in the params of a run's `pipelineRef` or `taskRef`, which see the run's params only."""
    key = "pipelineRef" if run.kind == "PipelineRun" else "taskRef"
    for field in ref_fields(run.spec, run.spec_path, key):
        for ref in find(field.text):
            if ref.old:
                continue
            if ref.name not in given:
                near = suggest.hint(ref.name, given) if len(ref.name) > 2 else ""
                text = f"the params of a `{key}` see the run's params only, which have no such name{near or '; give it in `spec.params`'}"
                reporter.error("unknown-param", "36", field.path, ref.label, text, found=field.text, part=ref.text)
            else:
                _report_misuse(reporter, Read(field, ref), given[ref.name], "")


def of_workspaces(reporter: Reporter, run: Manifest, given: Scope) -> None:
    """Report references in a run's workspaces to names that the run does not give, and misspelt ones to names that it gives."""
    for at, workspace in walk(run.spec, run.spec_path, ("workspaces", EACH)):
        fields = tuple(strings(workspace, at, "text"))
        of_misspelt(reporter, misspelt_in(fields), given)
        for field in fields:
            for ref in find(field.text):
                keys = given[ref.name].shape.keys if ref.name in given else ()
                if not ref.old and (ref.name not in given or (ref.key and keys is not None and ref.key not in keys)):
                    text = (
                        f"`{ref.text}` stays text: the workspaces of a run see the run's params only; give it in `spec.params`"
                    )
                    reporter.warning("workspace-param", "37", field.path, ref.label, text, found=field.text, part=ref.text)


def of_pod_templates(reporter: Reporter, passed: Passed) -> None:
    """Report references in a task's pod template to names that do not reach the task."""
    if not passed.task.is_embedded and not (passed.target and passed.task.ref_kind == "Task"):
        return
    for read in passed.task.reads_inside:
        ref, field = read.ref, read.field
        if field.role == "pod" and ref.name not in passed.view:
            text = f"`{ref.text}` in the pod template stays text: {reporter.task} does not get the name; pass it"
            reporter.warning("pod-template-param", "37", field.path, ref.label, text, found=field.text, part=ref.text)
