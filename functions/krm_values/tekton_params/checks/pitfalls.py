"""Inputs that Tekton accepts silently but handles unexpectedly: warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import scalars
from krm_values._data.scalars.text import is_disputed
from krm_values.tekton_params.pipelines import misspelt_in
from krm_values.tekton_params.spec import fields
from krm_values.tekton_params.spec.references import find, strings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Declaration, Value
    from krm_values.tekton_params.pipelines import Task
    from krm_values.tekton_params.propagate import Passed
    from krm_values.tekton_params.scope.known import Scope
    from krm_values.tekton_params.spec.fields import Field
    from krm_values.tekton_params.spec.manifest import Manifest
    from krm_values.tekton_params.spec.references import Misspelt


def retyped(place: Place, entries: Iterable[Value | Declaration]) -> Iterator[Finding]:
    """Report plain words in names and values that the API server reads as booleans."""
    for entry in entries:
        for key, value in entry.parts.items():
            for path, _ in scalars(value, (*entry.path, key)):
                scalar = place.item.scalar(path)
                if scalar is not None and scalar.plain and is_disputed(scalar.text):
                    text = f"`{scalar.text}` is true or false to kubectl and the API server, and a string to kpt, kustomize and here; quote it: `'{scalar.text}'`"
                    yield place.warning("21", "retyped-scalar", path, entry.name, text, found=scalar.text)


def lookalikes(place: Place, task: Task) -> Iterator[Finding]:
    """Report what looks like a reference and is not one."""
    for field, found in task.lookalikes:
        if found.startswith("$(inputs.params."):
            text = f"`{found}` is replaced inside a task only and stays text here; write `$(params.{found[16:]}`"
        else:
            text = (
                f"`{found}` is not a reference and stays text; write `$(params.NAME)` without spaces, or `$(params.OBJECT.KEY)`"
            )
        yield place.warning("36", "no-reference", field.path, "", text, found=field.text, part=found)


def misspelt(place: Place, found: Iterable[tuple[Field, Misspelt]], scope: Scope) -> Iterator[Finding]:
    """Report misspelt references to params of the scope."""
    for field, one in found:
        name = next((name for name in one.names if name in scope), "")
        if name:
            text = f"`{one.text}` is not a reference and stays text; write `{one.spelled_for(name)}`"
            yield place.warning("S8", "misspelt-reference", field.path, name, text, found=field.text, part=one.text)


def of_defaults(place: Place, declared: Iterable[Declaration], scope: Scope) -> Iterator[Finding]:
    """Report misspelt references in the defaults of a pipeline's declarations."""
    for one in declared:
        searched = fields.strings(one.default, (*one.path, "default"), "default")
        yield from misspelt(place, misspelt_in(searched), scope)


def run_values(place: Place, values: Iterable[Value]) -> Iterator[Finding]:
    """Report references in a run's own values: text for the pipeline, replaced in a task that gets the name."""
    for value in values:
        refs = [ref.text for text in strings_of(value.value) for ref in find(text)]
        if refs:
            text = f"`{refs[0]}` in a run's value stays text in the pipeline and is replaced only in a task that gets the name"
            yield place.warning(
                "36", "reference-in-run", (*value.path, "value"), value.name, text, found=value.value, part=refs[0]
            )


def workspaces(place: Place, run: Manifest, given: Scope) -> Iterator[Finding]:
    """Report references in a run's workspaces to names that the run does not give, and misspelt ones to names that it gives."""
    for at, workspace in fields.walk(run.spec, run.spec_path, ("workspaces", "*")):
        yield from misspelt(place, misspelt_in(fields.strings(workspace, at, "text")), given)
        for field in fields.strings(workspace, at, "text"):
            for ref in find(field.text):
                if ref.name not in given and not ref.old:
                    text = (
                        f"`{ref.text}` stays text: the workspaces of a run see the run's params only; give it in `spec.params`"
                    )
                    yield place.warning("37", "workspace-param", field.path, ref.label, text, found=field.text, part=ref.text)


def pods(place: Place, passed: Passed) -> Iterator[Finding]:
    """Report references in a task's pod template to names that do not reach the task."""
    if not (passed.task.is_embedded or passed.target):
        return
    for read in passed.task.reads:
        if read.field.place == "pod" and read.ref.name not in passed.view:
            text = f"`{read.ref.text}` in the pod template stays text: {place.task} does not get the name; pass it"
            yield place.warning(
                "37", "pod-template-param", read.field.path, read.ref.label, text, found=read.field.text, part=read.ref.text
            )


def task_defaults(place: Place, passed: Passed) -> Iterator[Finding]:
    """Report references in a used default of an embedded task: Tekton inserts other defaults of the same task only."""
    own = {one.name: one for one in passed.task.declarations}
    for one in passed.task.declarations:
        if not one.has_default or one.name in passed.given:
            continue
        for ref in (ref for text in strings_of(one.default) for ref in find(text)):
            if ref.name in passed.given or ref.name not in own or not own[ref.name].has_default:
                text = f"`{ref.text}` in this default stays text: Tekton inserts other defaults of the same task only; pass a value"
                yield place.warning(
                    "36", "reference-in-default", (*one.path, "default"), one.name, text, found=one.default, part=ref.text
                )
                break
