"""Params of a run that nothing declares or uses: likely a misspelt name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.limits import KEPT, SHORT
from krm_values.tekton_params.params import first
from krm_values.tekton_params.spec.references import find, lookalikes, misspelt, strings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Value
    from krm_values.tekton_params.pipelines import Pipeline, Task
    from krm_values.tekton_params.propagate import Passed
    from krm_values.tekton_params.scope.needs import Setting

_NAMED = re.compile(r"params\s*(?:\.\s*((\w[\w-]*)[\w.-]*)|\[\s*[\"']?(\w[\w.-]*))")
_READ: dict[str, frozenset[str]] = {}
_SHORTEST = 3  # of shorter names any other is near


def of_run(place: Place, spec: JSON, values: Iterable[Value], declared: frozenset[str], setting: Setting) -> Iterator[Finding]:
    """Report params of a run that none of its layers declares and none of its fields reads.

    In `implicit` mode every name is passed on, used or not, so only names near to one that the run does not give are reported.
    """
    values = first(values)
    given = {value.name for value in values}
    known = declared | used(spec)
    candidates = sorted(known - given if setting.implicit else known)
    for value in values:
        if value.name in known:
            continue
        near = setting.lookup.hints.nearest(value.name, candidates) if len(value.name) >= _SHORTEST else ""
        if near or not setting.implicit:
            hint = f"did you mean `{near}`?" if near else "remove it, or declare it where it is needed"
            yield place.warning(
                "S9", "unused-param", value.path, value.name, f"nothing declares or uses this param of the run; {hint}"
            )


def of_task(place: Place, passed: Passed, hints: Hints) -> Iterator[Finding]:
    """Report values of a pipeline task whose name is near to one that its task declares or reads and does not get."""
    task = passed.task
    entries = passed.target.declarations if passed.target else task.inner.declarations if task.inner else task.declarations
    known = frozenset(one.name for one in entries)
    if not passed.target:
        known |= used(task.data.get("pipelineSpec" if task.inner else "taskSpec"))
    candidates = sorted(known - task.given)
    for value in first((*task.values, *task.matrix)):
        is_sought = value.name not in known and len(value.name) >= _SHORTEST
        near = hints.nearest(value.name, candidates) if is_sought else ""
        if near:
            text = f"{place.task} neither declares nor uses this param; did you mean `{near}`?"
            yield place.warning("S9", "unused-param", value.path, value.name, text)


def used(spec: JSON) -> frozenset[str]:
    """Return the names that any string of a run reads, or tries to read."""
    return frozenset().union(*map(_read_in, strings_of(spec)))


def _read_in(text: str) -> frozenset[str]:
    """Return the names that a string reads, or tries to read. The result for short strings is cached, because most of them repeat."""
    known = _READ.get(text)
    if known is None:
        found = {name for ref in find(text) for name in (ref.name, ref.label)}
        found.update(name for one in misspelt(text) for name in one.names)
        found.update(name for one in lookalikes(text) for match in _NAMED.finditer(one) for name in match.groups() if name)
        known = frozenset(found)
        if len(text) <= SHORT and len(_READ) < KEPT:
            _READ[text] = known
    return known


def declared_in(pipeline: Pipeline, place: Place, setting: Setting) -> frozenset[str]:
    """Return the names that a pipeline and its tasks declare; with `references` also those of the Tasks of the list."""
    return pipeline.declared.union(*(_declared_by(task, place, setting) for task in pipeline.tasks))


def _declared_by(task: Task, place: Place, setting: Setting) -> frozenset[str]:
    if task.inner:
        return declared_in(task.inner, place, setting)
    if task.kind == "reference" and setting.references:
        target = setting.lookup.target("Task", place.item, task.data.get("taskRef"))
        return frozenset(one.name for one in target.declarations) if target else frozenset()
    return task.declared
