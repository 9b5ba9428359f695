"""Decides which names reach which task: what each layer gets besides its authored entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values.tekton_params.layers import layer, matrix_value, task_value
from krm_values.tekton_params.lookup import result_shape
from krm_values.tekton_params.params import shape
from krm_values.tekton_params.scope.known import UNKNOWN
from krm_values.tekton_params.scope.needs import keys_filled, names_passed, required, wants
from krm_values.tekton_params.spec.pass_through import is_pass_through
from krm_values.tekton_params.spec.references import exact_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.tekton_params.lookup import Target
    from krm_values.tekton_params.params import Value
    from krm_values.tekton_params.pipelines import Pipeline, Task
    from krm_values.tekton_params.scope.known import Keys, Known, Results, Scope
    from krm_values.tekton_params.scope.needs import Setting

_NONE: Mapping[str, Keys] = {}
_NO_DECLARATIONS: Mapping[str, dict[str, JSON]] = {}


@record
class Passed:
    """A task and what reaches it.

    outer: the pipeline's params. given: what the task gets, own values first. view: what its references resolve to. passes: the names
    whose values are added. fills: the keys added to an object that it overrides. added: the declarations that are added, by name.
    undeclared: the values of unknown type. scoped: the pipeline in it.
    """

    task: Task
    item: Item
    outer: Scope
    given: Scope
    view: Scope
    passes: tuple[str, ...] = ()
    fills: Mapping[str, Keys] = _NONE
    added: Mapping[str, dict[str, JSON]] = _NO_DECLARATIONS
    undeclared: tuple[Value, ...] = ()
    target: Target | None = None
    scoped: Scoped | None = None

    @property
    def declares(self) -> tuple[str, ...]:
        """The names whose declarations are added."""
        return tuple(self.added)


@record
class Around:
    """What the tasks of a pipeline share: the object, the pipeline's params, the shapes of its tasks' results."""

    item: Item
    outer: Scope
    results: Results


@record
class Scoped:
    """A pipeline and what reaches it. given: what a run or the task around it gives; scope: its params; added: the declarations that are added, by name."""

    pipeline: Pipeline
    item: Item
    given: Scope
    scope: Scope
    tasks: tuple[Passed, ...]
    added: Mapping[str, dict[str, JSON]]

    @property
    def declares(self) -> tuple[str, ...]:
        """The names whose declarations are added."""
        return tuple(self.added)


def into_pipeline(pipeline: Pipeline, item: Item, given: Scope, setting: Setting) -> Scoped:
    """Return what reaches a pipeline that gets these params, and each of its tasks."""
    given = {name: replace(known, carried=setting.carried(known)) for name, known in given.items()}
    scope = layer(pipeline.declarations, given, item, "pipeline", stored=pipeline.stored)
    around = Around(item, scope, lambda result: result_shape(pipeline.named, item, setting.lookup, result))
    tasks = tuple(_into_task(task, around, setting) for task in pipeline.tasks)
    needed, declared = frozenset().union(*(_needs(passed) for passed in tasks)), pipeline.declared
    added = {
        name: setting.declaration(known)
        for name, known in given.items()
        if name not in declared and known.type and setting.takes(name, needed)
    }
    return Scoped(pipeline, item, given, scope, tasks, added)


def into_task_run(task: Task, item: Item, given: Scope, setting: Setting) -> Passed:
    """Return what reaches the task of a TaskRun."""
    passed = Passed(task, item, given, given, layer(task.declarations, given, item, "taskSpec"))
    return replace(passed, added=_added(passed, setting))


def _into_task(task: Task, around: Around, setting: Setting) -> Passed:
    item, outer, target = around.item, around.outer, None
    if task.kind == "reference" and setting.references:
        target = setting.lookup.target("Task", item, task.data.get("taskRef"))
    passable = _passable(task, outer, target, setting)
    fills = {value.name: _fill(task, value, around, setting) for value in task.values}
    own = _own(task, around, fills, passable)
    rest = {name: known for name, known in outer.items() if name not in own and name in passable}
    supplied = _supplied(task, around, passable)
    given = {**own, **rest, **{name: known for name, known in supplied.items() if name not in own}}
    wanted = passable if target else names_passed(task, passable, setting, item)
    passes = tuple(name for name, known in rest.items() if name in wanted and name not in supplied and known.type)
    passed = Passed(
        task, item, outer, given, given, passes, {name: fill for name, fill in fills.items() if fill}, target=target
    )
    return _below(passed, setting)


def _below(passed: Passed, setting: Setting) -> Passed:
    """Return a task completed with what is inside it."""
    task, item, given = passed.task, passed.item, passed.given
    if passed.target:
        view = layer(passed.target.declarations, given, passed.target.item, "Task")
        return replace(passed, view=view)
    if task.kind == "pipeline" and task.inner:
        taken, declared = wants(task, replace(setting, defaults=False), item), task.inner.declared
        unknown = tuple(
            value
            for value in task.values
            if value.name not in declared and _is_unknown(passed, value) and setting.takes(value.name, taken)
        )
        return replace(passed, scoped=into_pipeline(task.inner, item, given, setting), undeclared=unknown)
    if not task.is_embedded:
        return passed
    passed = replace(passed, view=layer(task.declarations, given, item, "taskSpec"))
    read, declared = frozenset(read.ref.name for read in task.reads), task.declared
    unknown = tuple(
        value
        for value in task.values
        if value.name not in declared and _is_unknown(passed, value) and setting.takes(value.name, read)
    )
    return replace(passed, added=_added(passed, setting), undeclared=unknown)


def _passable(task: Task, outer: Scope, target: Target | None, setting: Setting) -> frozenset[str]:
    """Return the outer names that can reach a task."""
    if task.kind in ("embedded", "custom", "pipeline"):
        return frozenset(outer)
    if target is None:
        return frozenset()
    types = {one.name: one.type for one in target.declarations}
    return frozenset(name for name in required(target, setting) if name in outer and outer[name].type == types[name])


def _own(task: Task, around: Around, fills: Mapping[str, Keys], passable: frozenset[str]) -> dict[str, Known]:
    """Return the values of the task itself; one that only passes on the outer param is that param."""
    own: dict[str, Known] = {}
    supplied = frozenset(value.name for value in task.matrix)
    for value in task.values:
        above = around.outer.get(value.name)
        if above and is_pass_through(value.value, value.name, above.type):
            known = above
        else:
            fill, reaches = fills[value.name], value.name in passable
            known = task_value(value, around.item, around.outer, around.results, fill=fill, reaches=reaches)
        if value.name in supplied:
            known = replace(known, shape=UNKNOWN)
        own.setdefault(value.name, known)
    return own


def _supplied(task: Task, around: Around, passable: frozenset[str]) -> dict[str, Known]:
    """Return the names that the task's matrix supplies."""
    supplied: dict[str, Known] = {}
    for value in task.matrix:
        overridden = around.outer[value.name].origins if value.name in around.outer and value.name in passable else ()
        supplied.setdefault(value.name, matrix_value(value, around.item, overridden))
    return supplied


def _fill(task: Task, value: Value, around: Around, setting: Setting) -> Keys:
    """Return the keys of the outer object that a task's object of the same name lacks and needs."""
    above = around.outer.get(value.name)
    keys = above.shape.keys if above and above.type == "object" else None
    if keys is None or task.kind not in ("embedded", "pipeline"):
        return ()
    if not isinstance(value.value, dict) or shape(value.value) != "object":
        return ()
    wanted = keys_filled(task, value.name, keys, setting, around.item)
    return tuple(key for key in keys if key in wanted and key not in value.value)


def _needs(passed: Passed) -> frozenset[str]:
    """Return the names that the pipeline has to declare for a task."""
    return frozenset((*(read.ref.name for read in passed.task.outer), *passed.passes, *passed.fills))


def _added(passed: Passed, setting: Setting) -> dict[str, dict[str, JSON]]:
    """Return the declarations that are added to a task."""
    task, read = passed.task, frozenset(read.ref.name for read in passed.task.reads)
    reaches = passed.given if task.kind == "run" else (*_written(passed), *(value.name for value in task.matrix))
    declared = task.declared
    return {
        name: setting.declaration(passed.given[name])
        for name in reaches
        if name not in declared and passed.given[name].type and setting.takes(name, read)
    }


def _written(passed: Passed) -> tuple[str, ...]:
    return (*(value.name for value in passed.task.values), *passed.passes)


def _is_unknown(passed: Passed, value: Value) -> bool:
    """Return whether a value is a whole result of unknown type."""
    result = exact_result(value.value)
    return result is not None and result.star and not passed.given[value.name].type
