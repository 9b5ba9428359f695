"""Decides which names reach which task: what each layer gets besides its authored entries, and what a task needs from outside."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._data.scalars import like
from krm_values._krm.plan import Origin
from krm_values.tekton_params.layers import UNKNOWN, layer, matrix_value, result_shape, task_value
from krm_values.tekton_params.matrix import names_some_lack
from krm_values.tekton_params.params import exact, exact_result, find_in, first, is_pass_through, type_of, values
from krm_values.tekton_params.pipelines import EACH, walk

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values.tekton_params.layers import Keys, Known, Lookup, Referenced, Results, Scope
    from krm_values.tekton_params.params import Declaration, ParamValue
    from krm_values.tekton_params.pipelines import Pipeline, Task

_NONE: Mapping[str, Keys] = {}
_NO_DECLARATIONS: Mapping[str, dict[str, JSON]] = {}
_ALL = frozenset("*")  # not a valid key


@record
class Setting:
    """The config as the planner uses it, and the objects that references find.

    implicit: the mode, which only this module and the checks of unused names read. references, reference_defaults: as in the config.
    """

    implicit: bool
    references: bool
    reference_defaults: bool
    lookup: Lookup

    def takes(self, name: str, used: Container[str]) -> bool:
        """Return whether a name is passed on: in mode `implicit` each, in mode `propagate` those in use."""
        return self.implicit or name in used

    def declaration(self, known: Known) -> dict[str, JSON]:
        """Return the declaration that is added for a param: name, type, and what the mode takes over of the one that it has."""
        copied = known.copied_in(implicit=self.implicit)
        return like(copied, {"name": known.name, "type": known.type, **copied})

    def target(self, task: Task, item: Item) -> Referenced | None:
        """Return the Task or Pipeline of the list that a pipeline task refers to, if those are looked up."""
        is_looked_up = task.kind == "reference" and self.references
        return self.lookup.target(task.ref_kind, item, task.data.get(task.ref)) if is_looked_up else None

    def steps(self, task: Task, item: Item) -> tuple[Step, ...]:
        """Return the steps of an embedded task that refer to a StepAction of the list, if those are looked up."""
        if not self.references or not task.is_embedded:
            return ()
        return tuple(
            Step(at, data, values(data.get("params"), (*at, "params")), target)
            for at, data in walk(task.body, task.spec, ("steps", EACH))
            if isinstance(data, dict)
            and isinstance(data.get("params"), list | None)
            and (target := self.lookup.target("StepAction", item, data.get("ref")))
        )

    def step_needs(self, task: Task, item: Item) -> frozenset[str]:
        """Return the names that the steps of a task take from it for their StepActions."""
        return frozenset(one.name for step in self.steps(task, item) for one in step.needs(self))


@record
class Step:
    """A step that refers to a StepAction of the list, and the values that it gives."""

    path: Path
    data: dict[str, JSON]
    values: tuple[ParamValue, ...]
    target: Referenced

    def needs(self, setting: Setting) -> tuple[Declaration, ...]:
        """Return the declarations of the StepAction that the step gives no value and the task should."""
        given, wanted = frozenset(value.name for value in self.values), _names_required(self.target, setting)
        return tuple(one for one in first(self.target.declarations) if one.name in wanted and one.name not in given)


@record
class Passed:
    """A task and what reaches it.

    outer: the pipeline's params. given: what the task gets, own values first. view: what its references resolve to. scoped: the pipeline in
    it. What is added: values (their names), keys to objects of its own (by name) and declarations (by name).
    of_unknown_type: the values that cannot be declared, though they would have to be.
    """

    task: Task
    item: Item
    outer: Scope
    given: Scope
    view: Scope
    added_values: tuple[str, ...] = ()
    added_keys: Mapping[str, Keys] = _NONE
    added: Mapping[str, dict[str, JSON]] = _NO_DECLARATIONS
    of_unknown_type: tuple[ParamValue, ...] = ()
    target: Referenced | None = None
    scoped: Scoped | None = None

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """The declarations of an embedded task, or of the referenced Task or Pipeline."""
        if self.target:
            return self.target.declarations
        return self.task.declarations if self.task.is_embedded else ()


@record
class Scoped:
    """A pipeline and what reaches it. given: what a run or the task around it gives; scope: its params; added: the declarations that are added, by name."""

    pipeline: Pipeline
    item: Item
    given: Scope
    scope: Scope
    tasks: tuple[Passed, ...]
    added: Mapping[str, dict[str, JSON]]


@record
class Demand:
    """The enum that a task declares for a value that it gets, and its place."""

    task: Task
    enum: tuple[str, ...]
    origin: Origin


@record
class _Around:
    """What the tasks of a pipeline share: the object, the pipeline's params, the shapes of its tasks' results."""

    item: Item
    outer: Scope
    results: Results
    pooled: frozenset[str]  # the objects of which two tasks read keys


def into_pipeline(pipeline: Pipeline, item: Item, given: Scope, setting: Setting) -> Scoped:
    """Return what reaches a pipeline that gets these params, and each of its tasks."""
    declared = pipeline.declared
    seen = layer(pipeline.declarations, given, item, "pipeline", stored=pipeline.stored)
    # of a param that is not declared here, the next run finds the declaration that this one may add
    scope = {
        name: known if name in declared else replace(known, copied=known.copied_in(implicit=setting.implicit))
        for name, known in seen.items()
    }
    named = pipeline.named
    read = Counter(name for task in pipeline.tasks for name in task.keys)
    pooled = frozenset(name for name, count in read.items() if count > 1)
    around = _Around(item, scope, lambda result: result_shape(named, item, setting.lookup, result), pooled)
    tasks = tuple(_into_task(task, around, setting) for task in pipeline.tasks)
    needed: set[str] = set()  # what the pipeline has to declare for its tasks
    for passed in tasks:
        needed.update((read.ref.name for read in passed.task.reads_outside), passed.added_values, passed.added_keys)
    added = {
        name: setting.declaration(known)
        for name, known in given.items()
        if name not in declared and known.type and setting.takes(name, needed)
    }
    return Scoped(pipeline, item, given, scope, tasks, added)


def into_task_run(task: Task, item: Item, given: Scope, setting: Setting) -> Passed:
    """Return what reaches the task of a TaskRun."""
    passed = Passed(task, item, given, given, layer(task.declarations, given, item, "taskSpec"))
    return replace(passed, added=_added(passed, _names_read(task, setting, item), setting))


def _into_task(task: Task, around: _Around, setting: Setting) -> Passed:
    item, outer, target = around.item, around.outer, setting.target(task, around.item)
    passable = _passable(task, outer, target, setting)
    added_keys = {value.name: _keys_to_add(task, value, around, setting) for value in task.values}
    own = _own(task, around, added_keys, passable)
    rest = {name: known for name, known in outer.items() if name not in own and name in passable}
    supplied = _supplied(task, around, passable)
    given = {**own, **rest, **{name: known for name, known in supplied.items() if name not in own}}
    wanted = passable if target or setting.implicit else _names_needed(task, setting, item)
    passes = tuple(name for name, known in rest.items() if name in wanted and name not in supplied and known.type)
    added_keys = {name: keys for name, keys in added_keys.items() if keys}
    passed = Passed(task, item, outer, given, given, passes, added_keys, target=target)  # viewed as given, until `_below`
    return _below(passed, setting)


def _below(passed: Passed, setting: Setting) -> Passed:
    """Return a task completed with what is inside it."""
    task, item, given = passed.task, passed.item, passed.given
    if passed.target:
        return replace(passed, view=layer(passed.target.declarations, given, passed.target.item, task.ref_kind))
    if task.kind == "pipeline" and task.inner:
        # also with `referenceDefaults`, a Task keeps its default where the value has no known type: that is no error
        required = _names_needed(task, replace(setting, reference_defaults=False), item)
        unknown = _results_of_unknown_type(passed, task.inner.declared, required, setting)
        return replace(passed, scoped=into_pipeline(task.inner, item, given, setting), of_unknown_type=unknown)
    if not task.is_embedded:
        return passed
    passed = replace(passed, view=layer(task.declarations, given, item, "taskSpec"))
    read = _names_read(task, setting, item)
    unknown = _results_of_unknown_type(passed, task.declared, read, setting)
    return replace(passed, added=_added(passed, read, setting), of_unknown_type=unknown)


def _results_of_unknown_type(
    passed: Passed, declared: frozenset[str], used: frozenset[str], setting: Setting
) -> tuple[ParamValue, ...]:
    """Return the values that would have to be declared and cannot be: whole results whose type nothing declares."""
    return tuple(
        value
        for value in passed.task.values
        if value.name not in declared
        and (result := exact_result(value.value)) is not None
        and result.star
        and not passed.given[value.name].type
        and setting.takes(value.name, used)
    )


def _passable(task: Task, outer: Scope, target: Referenced | None, setting: Setting) -> frozenset[str]:
    """Return the outer names that can reach a task."""
    if task.kind in ("embedded", "custom", "pipeline"):
        return frozenset(outer)
    if target is None:
        return frozenset()
    types = {one.name: one.type for one in target.declarations}
    return frozenset(name for name in _names_required(target, setting) if name in outer and outer[name].type == types[name])


def _own(task: Task, around: _Around, added_keys: Mapping[str, Keys], passable: frozenset[str]) -> dict[str, Known]:
    """Return the values of the task itself; one that only passes on the outer param is that param."""
    own: dict[str, Known] = {}
    supplied = frozenset(value.name for value in task.matrix)
    for value in task.values:
        above = around.outer.get(value.name)
        if above and is_pass_through(value.value, value.name, above.type):
            known = above
        else:
            keys, hides_outer = added_keys[value.name], value.name in passable
            known = task_value(value, around.item, around.outer, around.results, added_keys=keys, hides_outer=hides_outer)
        if value.name in supplied:
            known = replace(known, shape=UNKNOWN)
        own.setdefault(value.name, known)
    return own


def _supplied(task: Task, around: _Around, passable: frozenset[str]) -> dict[str, Known]:
    """Return the names that the task's matrix supplies."""
    supplied: dict[str, Known] = {}
    for value in task.matrix:
        overridden = around.outer[value.name].origins if value.name in around.outer and value.name in passable else ()
        supplied.setdefault(value.name, matrix_value(value, around.item, overridden))
    return supplied


def _keys_to_add(task: Task, value: ParamValue, around: _Around, setting: Setting) -> Keys:
    """Return the keys of the outer object that a task's object of the same name lacks and needs.

    These are those that the task declares, else in mode `implicit` all, else those that it reads; all if another task reads the object as
    well, because admission looks for the keys of both in the declaration of one.
    """
    above = around.outer.get(value.name)
    keys = above.shape.keys if above and above.type == "object" else None
    if keys is None or task.kind not in ("embedded", "pipeline"):
        return ()
    if not isinstance(value.value, dict) or type_of(value.value) != "object":
        return ()
    wanted = _keys_declared(task, value.name)
    if wanted is None:
        read = _keys_read_inside(task, value.name, setting, around.item)
        wanted = _ALL if setting.implicit or (read and value.name in around.pooled) else read
    if wanted >= _ALL:
        wanted = frozenset(keys)
    return tuple(key for key in keys if key in wanted and key not in value.value)


def _added(passed: Passed, read: frozenset[str], setting: Setting) -> dict[str, dict[str, JSON]]:
    """Return the declarations that are added to a task that reads these names."""
    task, given = passed.task, passed.given
    written = (*(value.name for value in task.values), *passed.added_values, *(value.name for value in task.matrix))
    declared = task.declared
    partial = names_some_lack(task.data.get("matrix")) if task.matrix else {}
    return {
        name: setting.declaration(given[name])
        for name in (given if task.kind == "run" else written)
        if name not in declared and given[name].type and setting.takes(name, read) and (name in read or name not in partial)
    }


def enum_demands(scoped: Scoped) -> dict[str, list[Demand]]:
    """Return the demands of tasks whose value is exactly a param of the pipeline, by that param."""
    found: dict[str, list[Demand]] = {}
    for passed in scoped.tasks:
        if passed.target and passed.task.ref_kind == "Pipeline":
            continue  # whose run compares values only
        limited = [one for one in passed.declarations if one.enum]
        refs = {value.name: exact(value.value) for value in first(passed.task.values)} if limited else {}
        sources = {name: ref.name if ref and ref.whole and not ref.index else "" for name, ref in refs.items()}
        sources.update((name, name) for name in passed.added_values)
        item, layer = (passed.target.item, passed.task.ref_kind) if passed.target else (passed.item, "taskSpec")
        for one in limited:
            if source := sources.get(one.name):
                origin = Origin(layer, list(one.enum), item, (*one.path, "enum"))
                found.setdefault(source, []).append(Demand(passed.task, one.enum, origin))
    return found


def allowed_everywhere(demands: Iterable[Demand]) -> tuple[str, ...]:
    """Return the values that every task allows that gets a pipeline's param, in the order of the first; () if all are allowed."""
    allowed, *others = [demand.enum for demand in demands] or [()]
    sets = [frozenset(enum) for enum in others]
    return tuple(value for value in allowed if all(value in enum for enum in sets))


def _names_needed(task: Task, setting: Setting, item: Item) -> frozenset[str]:
    """Return the names that a task declares or reads, which mode `propagate` passes to it where there is an outer param."""
    if task.kind == "pipeline" and task.inner:
        inner = (
            frozenset(read.ref.name for read in one.reads_outside)
            | (_names_needed(one, setting, item) - one.given)
            | frozenset(  # objects whose values in a task may need keys of the outer object
                value.name
                for value in one.values
                if isinstance(value.value, dict) and _keys_needed(one, value.name, setting, item)
            )
            for one in task.inner.tasks
        )
        defaults = (ref.name for one in task.inner.declarations for ref in find_in(one.default))
        return task.inner.declared.union(defaults, *inner)
    if task.kind == "reference" and setting.references:
        target = setting.target(task, item)
        return _names_required(target, setting) if target else frozenset()
    return task.declared | _names_read(task, setting, item)


def _names_read(task: Task, setting: Setting, item: Item) -> frozenset[str]:
    """Return the names that an embedded task reads, in its fields or in a value that is added to one of its steps."""
    return setting.step_needs(task, item).union(read.ref.name for read in task.reads_inside)


def _names_required(target: Referenced, setting: Setting) -> frozenset[str]:
    """Return the names that a referenced object has to get: those without a default or, with `referenceDefaults`, all."""
    return frozenset(one.name for one in target.declarations if setting.reference_defaults or one.is_required)


def _keys_declared(task: Task, name: str) -> frozenset[str] | None:
    """Return the keys that a task's own declaration lists, or None if it declares none."""
    return _properties(task.inner.declarations if task.inner else task.declarations, name)


def _keys_read_inside(task: Task, name: str, setting: Setting, item: Item) -> frozenset[str]:
    """Return the keys of an object that are read in a task; all if a step needs it. In a pipeline, those that its tasks need."""
    if task.inner is None:
        return task.keys.get(name, frozenset()) | (_ALL if name in setting.step_needs(task, item) else frozenset())
    below = (_keys_read_in_fields(one, name) | _keys_needed(one, name, setting, item) for one in task.inner.tasks)
    return frozenset().union(*below)


def _keys_needed(task: Task, name: str, setting: Setting, item: Item) -> frozenset[str]:
    """Return the keys of an outer object that a task needs: all that it declares or reads, except those of its own value."""
    own = next((value.value for value in task.values if value.name == name), None)
    if task.kind == "reference" and isinstance(own, dict):
        return frozenset()  # which `_keys_to_add` leaves as it is
    if task.kind == "reference" and setting.references:
        target = setting.target(task, item)
        keys = (_properties(target.declarations, name) if target else None) or frozenset()
    else:
        declared = _keys_declared(task, name)
        keys = _keys_read_inside(task, name, setting, item) if declared is None else declared
    if isinstance(own, dict):
        return keys - frozenset(own)
    return frozenset() if name in task.given and not is_pass_through(own, name, "object") else keys


def _keys_read_in_fields(task: Task, name: str) -> frozenset[str]:
    """Return the keys of a pipeline's object that the fields of a task read; all if they pass it on under another name."""
    whole = (exact(value.value) for value in task.values if value.name != name)
    is_passed_on = any(ref and ref.star and ref.name == name for ref in whole)
    read = frozenset(read.ref.key for read in task.reads_outside if read.ref.name == name and read.ref.key)
    return read | _ALL if is_passed_on else read


def _properties(declared: Iterable[Declaration], name: str) -> frozenset[str] | None:
    for one in declared:
        if one.name == name and one.type == "object" and one.properties is not None:
            return frozenset(one.properties)
    return None
