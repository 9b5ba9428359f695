"""Runs a package's pipeline as kpt does: sub-packages first, mutators, then validators on a copy, up to the first failure."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING

from krm_values._cli import settle
from krm_values._cli.package import steps
from krm_values._cli.package.tree import Selection
from krm_values._data import suggest
from krm_values._data.errors import InputError, InputsError, UsageError, address
from krm_values._data.record import record
from krm_values._kit.config import read as configs
from krm_values._kit.config.place import ConfigPlace, nowhere
from krm_values._kit.planner.item import unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from krm_values._cli.package.discover import Package
    from krm_values._cli.package.kptfile import Step
    from krm_values._cli.package.steps import Call
    from krm_values._cli.package.tree import Tree
    from krm_values._data.values import JSON
    from krm_values._kit.api.resolve import Outcome
    from krm_values._kit.planner.item import Item


@record
class Task:
    """A step that calls one of our functions, in the package whose pipeline it belongs to."""

    package: str
    step: Step
    call: Call
    validates: bool


@record
class Ran:
    """A step that was run, and its input items."""

    task: Task
    function: str
    items: tuple[Item, ...]
    outcome: Outcome


def tasks(root: Package, *, skip_foreign: bool) -> list[Task]:
    """Return all steps in the order in which they run. InputError names every step that cannot be run."""
    found, wrong = [], []
    for package in root.walk():
        for validates, step in _steps(package):
            try:
                call = steps.call(step)
            except InputError as error:
                wrong.append(_at(package.path, step, "exec", error.message))
                continue
            if call is not None:
                found.append(Task(package.path, step, call, validates))
            elif not skip_foreign:
                key = "image" if step.image else "exec"
                wrong.append(_at(package.path, step, key, f"`{step.field}.{key}`: {steps.foreign(step)}"))
    if wrong:
        raise InputsError(wrong)
    return found


def run(tree: Tree, planned: list[Task], programs: Mapping[str, str] = settle.NONE) -> Iterator[Ran]:
    """Run the steps on the tree, which is modified. Stops after a step that failed.

    programs: named on the command line, by tool; for a step in a container, the environment names none.
    """
    for task in planned:
        numbers = tree.selected(task.step, task.package)
        selection = Selection(tree, numbers)
        config, place = _config(tree, task)
        try:
            function, outcome = settle.settle(
                _name(task.call, config),
                config,
                selection,
                place,
                programs=programs,
                environment=settle.NONE if task.call.hermetic else os.environ,
            )
        except UsageError as error:
            raise InputError(_at(task.package, task.step, "", f"`{task.step.field}`: {error.message}")) from None
        yield Ran(task, function, tuple(selection.items), outcome)
        if outcome.failed:
            return
        if not task.validates:
            tree.apply(outcome, task.package)


def _steps(package: Package) -> list[tuple[bool, Step]]:
    kptfile = package.kptfile
    return [(False, step) for step in kptfile.mutators] + [(True, step) for step in kptfile.validators]


def _name(call: Call, config: JSON) -> str:
    """Return the function of a step; in a container only the config can name it, because the environment does not reach it."""
    return call.function or (configs.function_name(config) if call.hermetic else os.environ.get("KRM_FUNCTION", ""))


def _config(tree: Tree, task: Task) -> tuple[JSON, Callable[[], ConfigPlace | None]]:
    """Return the functionConfig as the items have it now, and its place."""
    step = task.step
    kptfile = next(iter(tree.at(task.package, "Kptfile")), None)
    place = (lambda: ConfigPlace(tree.item(kptfile), step.path)) if kptfile is not None else nowhere
    if step.config_map:
        data: dict[str, JSON] = dict(step.config_map)
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "function-input"}, "data": data}, place
    if not step.config_path:
        return None, place
    file = posixpath.normpath(step.config_path)
    numbers = tree.at(task.package, file)
    if len(numbers) != 1:
        if numbers:
            fact = f"holds {len(numbers)} resources"
        elif posixpath.join(task.package, file) in tree.empty:
            fact = "holds none: it is empty, or has comments only"
        else:
            fact = f"is not a file of this package{suggest.hint(file, tree.files(task.package))}"
        text = f'`{step.field}.configPath`: must name a file of the package with one resource; "{step.config_path}" {fact}'
        raise InputError(_at(task.package, step, "configPath", text))
    item = tree.item(numbers[0])
    if error := unreadable(item):
        raise error
    return item.data, lambda: ConfigPlace(item)


def _at(package: str, step: Step, key: str, text: str) -> str:
    return f"{address(posixpath.join(package, 'Kptfile'), *step.places.get(key, step.places['']))}: {text}"
