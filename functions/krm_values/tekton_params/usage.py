"""Whether each reference means something: a name that its layer has, in a field that can take it."""

from __future__ import annotations

from krm_values._kit import names
from krm_values.tekton_params.leftovers import is_bare
from krm_values.tekton_params.misuse import of_reference
from krm_values.tekton_params.spelling import is_ours, is_pass_through

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.plan import Finding
    from krm_values.tekton_params.findings import Place
    from krm_values.tekton_params.known import Known, Scope
    from krm_values.tekton_params.passing import Passed, Scoped
    from krm_values.tekton_params.pipelines import Read, Task

_MENDED_ONCE = ("unknown-param", "unknown-in-pipeline")
_UNCHECKED = ("custom", "default", "pod")


def of_task(place: Place, passed: Passed, siblings: tuple[Task, ...], *, stored: bool) -> Iterator[Finding]:
    """The references in the fields of an embedded task; an unknown name once."""
    yield from _once(_in_task(place, passed, siblings, stored=stored))


def of_pipeline_fields(place: Place, scoped: Scoped, passed: Passed) -> Iterator[Finding]:
    """The references in the fields of a pipeline task that read the pipeline's params; an unknown name once."""
    yield from _once(_in_fields(place, scoped, passed))


def _once(findings: Iterator[Finding]) -> Iterator[Finding]:
    seen: set[str] = set()
    for finding in findings:
        param = finding.tags["param"]
        if finding.kind not in _MENDED_ONCE or param not in seen:
            yield finding
        seen.add(param)


def _in_task(place: Place, passed: Passed, siblings: tuple[Task, ...], *, stored: bool) -> Iterator[Finding]:
    for read in passed.task.reads:
        if read.field.place in _UNCHECKED:
            continue
        if read.ref.parts > 2:
            yield _too_many_parts(place, read)
        elif read.ref.name not in passed.view:
            text = f"unknown parameter in {place.task or 'the task'}: no layer has it"
            yield place.error(
                "40",
                "unknown-param",
                read.field.path,
                read.ref.label,
                text + _hint(read, passed.view, siblings),
                part=read.ref.text,
            )
        else:
            yield from _overridden(place, passed, read, stored=stored) or _misused(
                place, read, passed.view[read.ref.name], _old(passed, read)
            )


def _in_fields(place: Place, scoped: Scoped, passed: Passed) -> Iterator[Finding]:
    for read in passed.task.outer:
        name, handed = read.ref.name, _stands_for(passed.task, read)
        old = name if handed else ""
        if read.ref.parts > 2:
            yield _too_many_parts(place, read)
        elif name not in scoped.scope:
            only = f" (it exists only on {place.task})" if name in passed.given else ""
            text = f"this field of {place.task} reads the pipeline's params, which have no such name{only}"
            hint = _hint(read, scoped.scope, ())
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
        else:
            yield from _misused(place, read, scoped.scope[name], old, handed=handed)


def _misused(place: Place, read: Read, known: Known, old: str, *, handed: bool = False) -> list[Finding]:
    """A reference that its field or its param cannot take. handed: whether it is there to hand the param of the same name down."""
    ref, field = read.ref, read.field
    wrong = of_reference(read, known)
    if wrong:
        return [place.error("44", wrong[0], field.path, ref.label, wrong[1], found=field.text, old=old, part=ref.text)]
    if not known.shape.sure or known.type != "string" or not ref.index:
        return []
    text = f"is a string, so `{ref.text}` stays as text; write `$(params.{ref.name})`, or declare an array"
    if handed:
        return [place.error("44", "not-an-array", field.path, ref.label, text, found=field.text, old=old, part=ref.text)]
    return [place.warning("44", "not-an-array", field.path, ref.label, text, found=field.text, part=ref.text)]


def _overridden(place: Place, passed: Passed, read: Read, *, stored: bool) -> list[Finding]:
    """What Tekton reads wrongly or refuses where a task's value overrides an outer array."""
    ref, task = read.ref, passed.task
    outer = passed.outer.get(ref.name)
    value = next((value for value in task.values if value.name == ref.name), None)
    if not outer or not value or outer.type != "array" or ref.old or is_pass_through(value.value, ref.name, "array"):
        return []
    if ref.index.isdigit():
        text = (
            f"the name is overridden on {place.task} with another list, of which Tekton would read the outer one here;"
            " rename the param of the task"
        )
        return [place.error("35", "outer-element", read.field.path, ref.label, text, found=read.field.text, part=ref.text)]
    known = passed.given[ref.name]
    if known.type != "string" or passed.view[ref.name].type != "string" or not known.shape.sure or stored:
        return []
    alone = read.field.text == ref.text
    if read.field.place == "member" and alone:
        return []
    if read.field.place == "word" and alone:
        text = f"an outer layer has an array of this name, {place.task} a string: Tekton drops this entry; rename one"
        return [place.warning("38", "dropped-entry", read.field.path, ref.label, text, part=ref.text)]
    text = f"an outer layer has an array of this name, {place.task} a string: Tekton refuses to read it here; rename one"
    return [place.error("38", "type-conflict", read.field.path, ref.label, text, found=read.field.text, part=ref.text)]


def _too_many_parts(place: Place, read: Read) -> Finding:
    text = f'`{read.ref.text}` has more than two parts; write a name with dots as `$(params["{read.ref.name}.{read.ref.key}"])`'
    return place.error("43", "too-many-parts", read.field.path, read.ref.label, text, found=read.field.text, part=read.ref.text)


def _hint(read: Read, scope: Scope, siblings: tuple[Task, ...]) -> str:
    ref = read.ref
    if ref.key and f"{ref.name}.{ref.key}" in scope:
        return f'; write `$(params["{ref.name}.{ref.key}"])`'
    other = next((task.label for task in siblings if ref.name in task.given), "")
    if other:
        return f" (it exists only on {other})"
    near = names.hint(ref.name, scope) if len(ref.name) > 2 else ""
    return near or "; declare it or give it a value"


def _stands_for(task: Task, read: Read) -> bool:
    """Whether a field is a value or key that hands the outer param of the same name down."""
    path = read.field.path
    return any(
        path[: len(value.path)] == value.path
        and value.name == read.ref.name
        and (
            is_ours(value.value, value.name)
            or (isinstance(value.value, dict) and read.field.text == read.ref.text and path[-1] == read.ref.key)
        )
        for value in task.values
    )


def _old(passed: Passed, read: Read) -> str:
    """The name whose earlier lines may be the cause of what is wrong with a reference in a task."""
    declared = next((one for one in passed.task.declarations if one.name == read.ref.name), None)
    return read.ref.name if declared and is_bare(declared) else ""
