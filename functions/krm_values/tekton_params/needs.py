"""What a task takes from outside if it can: the names that it reads, declares or requires, and the keys of objects."""

from __future__ import annotations

from krm_values._kit.record import record
from krm_values.tekton_params.references import find, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.plan import Item
    from krm_values.tekton_params.lookup import Lookup, Target
    from krm_values.tekton_params.pipelines import Task


@record
class Setting:
    """How to pass: every name or only those in use, to referenced Tasks too, over their defaults too."""

    implicit: bool
    references: bool
    defaults: bool
    lookup: Lookup


def wants(task: Task, setting: Setting, item: Item) -> frozenset[str]:
    """The names that a task takes from outside, if it can, where only those in use are passed."""
    if task.kind == "pipeline" and task.inner:
        inner = (
            frozenset(read.ref.name for read in one.outer) | (wants(one, setting, item) - one.given) | _falls_back(one)
            for one in task.inner.tasks
        )
        defaults = (ref.name for one in task.inner.declarations for text in texts(one.default) for ref in find(text))
        return task.inner.declared.union(defaults, *inner)
    if task.kind == "reference" and setting.references:
        target = setting.lookup.target("Task", item, task.data.get("taskRef"))
        return required(target, setting) if target else frozenset()
    return task.declared.union(read.ref.name for read in task.reads)


def required(target: Target, setting: Setting) -> frozenset[str]:
    """The names that a referenced Task is passed from the outside."""
    return frozenset(one.name for one in target.declarations if setting.defaults or not one.has_default)


def keys_wanted(task: Task, name: str) -> frozenset[str] | None:
    """The keys that a task's own declaration lists, or None if it declares none."""
    declared = task.inner.declarations if task.inner else task.declarations
    for one in declared:
        if one.name == name and one.type == "object" and one.properties is not None:
            return frozenset(one.properties)
    return None


def keys_read(task: Task, name: str) -> frozenset[str]:
    """The keys of an object that are read in a task."""
    if task.inner is None:
        return task.keys_read(name)
    below = (
        frozenset(read.ref.key for read in one.outer if read.ref.name == name and read.ref.key) | keys_read(one, name)
        for one in task.inner.tasks
    )
    return frozenset().union(*below)


def _falls_back(task: Task) -> frozenset[str]:
    """The objects whose values in a task may need keys of the outer object."""
    return frozenset(
        value.name
        for value in task.values
        if isinstance(value.value, dict)
        and not (keys_wanted(task, value.name) or keys_read(task, value.name)) <= frozenset(value.value)
    )
