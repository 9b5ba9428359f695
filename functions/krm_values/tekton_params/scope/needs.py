"""What a task takes from outside if available: the names that it reads, declares or requires, and the keys of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.scalars.tags import like
from krm_values.tekton_params.spec.pass_through import is_pass_through
from krm_values.tekton_params.spec.references import exact, find, strings_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.tekton_params.lookup import Lookup, Target
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.pipelines import Task
    from krm_values.tekton_params.scope.known import Known

ALL = frozenset("*")  # no key can be called so


@record
class Setting:
    """What a run of the function passes: every name or only those in use, also to referenced Tasks, also over their defaults.

    What is passed is asked of its methods and the functions below; beside them only `checks.unused` reads the mode.
    """

    implicit: bool
    references: bool
    defaults: bool
    lookup: Lookup

    def takes(self, name: str, used: Container[str]) -> bool:
        """Return whether a name is passed on: in mode `implicit` each, in mode `propagate` those in use."""
        return self.implicit or name in used

    def carried(self, known: Known) -> dict[str, JSON]:
        """Return what an added declaration of a param has besides name and type."""
        return known.carries(implicit=self.implicit)

    def declaration(self, known: Known) -> dict[str, JSON]:
        """Return the declaration that is added for a param: name, type, and what the mode takes over of the one that it has."""
        carried = self.carried(known)
        return like(carried, {"name": known.name, "type": known.type, **carried})


def names_passed(task: Task, names: frozenset[str], setting: Setting, item: Item) -> frozenset[str]:
    """Return the names that are passed to a task: in mode `implicit` all of these, in mode `propagate` those that it wants."""
    return names if setting.implicit else wants(task, setting, item)


def wants(task: Task, setting: Setting, item: Item) -> frozenset[str]:
    """Return the names that a task takes from outside if available, where only those in use are passed."""
    if task.kind == "pipeline" and task.inner:
        inner = (
            frozenset(read.ref.name for read in one.outer)
            | (wants(one, setting, item) - one.given)
            | _falls_back(one, setting, item)
            for one in task.inner.tasks
        )
        defaults = (ref.name for one in task.inner.declarations for text in strings_of(one.default) for ref in find(text))
        return task.inner.declared.union(defaults, *inner)
    if task.kind == "reference" and setting.references:
        target = setting.lookup.target("Task", item, task.data.get("taskRef"))
        return required(target, setting) if target else frozenset()
    return task.declared.union(read.ref.name for read in task.reads)


def required(target: Target, setting: Setting) -> frozenset[str]:
    """Return the names that a referenced Task takes from outside."""
    return frozenset(one.name for one in target.declarations if setting.defaults or not one.has_default)


def keys_wanted(task: Task, name: str) -> frozenset[str] | None:
    """Return the keys that a task's own declaration lists, or None if it declares none."""
    return _properties(task.inner.declarations if task.inner else task.declarations, name)


def keys_filled(task: Task, name: str, keys: Iterable[str], setting: Setting, item: Item) -> frozenset[str]:
    """Return the keys that a task's object of an outer name gets: those that it declares, else in mode `implicit` all, else those it reads."""
    wanted = keys_wanted(task, name)
    if wanted is None:
        wanted = ALL if setting.implicit else keys_read(task, name, setting, item)
    return frozenset(keys) if wanted >= ALL else wanted


def keys_read(task: Task, name: str, setting: Setting, item: Item) -> frozenset[str]:
    """Return the keys of an object that are read in a task or that a task in it declares; ALL if it is passed on under another name."""
    if task.inner is None:
        return task.keys_read(name)
    below = (_keys_passed(one, name) | keys_taken(one, name, setting, item) for one in task.inner.tasks)
    return frozenset().union(*below)


def keys_taken(task: Task, name: str, setting: Setting, item: Item) -> frozenset[str]:
    """Return the keys of an outer object that a task needs: all that it declares or reads, except those of its own value."""
    keys = keys_wanted(task, name)
    if keys is None:
        keys = keys_read(task, name, setting, item)
    if task.kind == "reference" and setting.references:
        target = setting.lookup.target("Task", item, task.data.get("taskRef"))
        keys = _properties(target.declarations, name) or frozenset() if target else frozenset()
    value = next((value.value for value in task.values if value.name == name), None)
    if isinstance(value, dict):
        return keys - frozenset(value) if task.kind != "reference" else frozenset()
    return frozenset() if name in task.given and not is_pass_through(value, name, "object") else keys


def _falls_back(task: Task, setting: Setting, item: Item) -> frozenset[str]:
    """Return the objects whose values in a task may need keys of the outer object."""
    return frozenset(
        value.name for value in task.values if isinstance(value.value, dict) and keys_taken(task, value.name, setting, item)
    )


def _keys_passed(task: Task, name: str) -> frozenset[str]:
    """Return the keys of a pipeline's object that the fields of a task read."""
    whole = (exact(value.value) for value in task.values if value.name != name)
    is_passed_on = any(ref and ref.star and ref.name == name for ref in whole)
    return frozenset(read.ref.key for read in task.outer if read.ref.name == name and read.ref.key).union(
        ALL if is_passed_on else ()
    )


def _properties(declared: Iterable[Declaration], name: str) -> frozenset[str] | None:
    for one in declared:
        if one.name == name and one.type == "object" and one.properties is not None:
            return frozenset(one.properties)
    return None
