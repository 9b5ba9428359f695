"""Conflicts between layers: types that differ, names and keys without a value, names that a matrix and another layer give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.tekton_params.findings import is_bare
from krm_values.tekton_params.params import a, first, shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.propagate import Passed
    from krm_values.tekton_params.scope.known import Keys, Known, Scope
    from krm_values.tekton_params.scope.needs import Setting

_SUPPLIERS = {
    "run": "the run",
    "pipeline": "the pipeline",
    "matrix": "the matrix",
    "taskSpec": "the taskSpec",
    "Task": "the Task",
}


def of_declarations(
    place: Place, declared: Iterable[Declaration], given: Scope, label: str, *, stored: bool = False
) -> Iterator[Finding]:
    """Check a layer's declarations against what is given to it. stored: values come with a later run."""
    for one in first(declared):
        outer = given.get(one.name)
        old = one.name if is_bare(one) else ""
        if outer is None:
            if not one.has_default and not stored:
                text = f"{label} declares it without a default and no layer gives it a value; add a default or a value"
                yield place.error("39", "missing-value", one.path, one.name, text, old=old)
            filled = _default_keys(one) if one.has_default and not stored and shape(one.default) == "object" else None
            yield from _keys(place, one, filled, label, one.path)
        elif _differ(one.type, outer):
            text = f"{_supplier(outer, place)} gives {a(outer.type)}, {label} declares {a(one.type)}; change one of them"
            yield place.error("38", "type-conflict", one.path, one.name, text, found=outer.origins[0].value, old=old)
        else:
            yield from _keys(place, one, _filled(one, outer), label, one.path)
            yield from _partial(place, one, outer, label)


def of_target(place: Place, passed: Passed, setting: Setting) -> Iterator[Finding]:
    """Check what a referenced Task of the list declares against what its pipeline task gets."""
    label, path = _target(passed), passed.task.path
    for one in passed.target.declarations if passed.target else ():
        given, outer = passed.given.get(one.name), passed.outer.get(one.name)
        if given is not None:
            if _differ(one.type, given):
                text = f"{label} wants {a(one.type)}, {_supplier(given, place)} gives {a(given.type)}; change one of them"
                yield place.error("38", "type-conflict", path, one.name, text, found=given.origins[0].value)
            else:
                yield from _keys(place, one, _filled(one, given), label, path)
        elif outer is not None and outer.type and outer.type != one.type:
            yield from _unfit(place, one, outer, passed, defaults=setting.defaults)
        elif outer is None and not one.has_default:
            text = f"{label} needs it, {place.task} does not pass it and no outer layer has it; pass a value"
            yield place.error("39", "missing-value", path, one.name, text)


def of_run(place: Place, declared: Iterable[Declaration], given: Scope, label: str, path: Path) -> Iterator[Finding]:
    """Check a run by reference against the Pipeline or Task of the list."""
    for one in declared:
        outer = given.get(one.name)
        if outer is None and not one.has_default:
            yield place.error(
                "39", "missing-value", path, one.name, f"{label} needs it and the run does not give it; add it to `spec.params`"
            )
        elif outer is not None and _differ(one.type, outer):
            text = f"{label} declares {a(one.type)}, the run gives {a(outer.type)}; change one of them"
            yield place.error("38", "type-conflict", outer.origins[0].path, one.name, text, found=outer.origins[0].value)
        elif outer is not None:
            yield from _keys(place, one, _filled(one, outer), label, outer.origins[0].path)


def of_matrix(place: Place, passed: Passed) -> Iterator[Finding]:
    """Report names that a matrix and another layer give."""
    task = passed.task
    own = {value.name: value for value in task.values}
    for value in first(task.matrix):
        if value.name in own:
            text = f"given by both matrix and params of {place.task}; remove one"
            yield place.error("34", "matrix-and-params", own[value.name].path, value.name, text)
        elif task.kind == "embedded" and value.name in passed.outer:
            text = (
                f"an outer layer has the name that the matrix of {place.task} gives: every instance would run with the outer value;"
                " rename one"
            )
            yield place.error("34", "matrix-shadowed", value.path, value.name, text)


def _unfit(place: Place, one: Declaration, outer: Known, passed: Passed, *, defaults: bool) -> Iterator[Finding]:
    label, path = _target(passed), passed.task.path
    text = f"{label} wants {a(one.type)}, the outer layer has {a(outer.type)}"
    if not one.has_default:
        yield place.error(
            "38", "type-conflict", path, one.name, f"{text}; change one of them or pass a value", found=outer.origins[0].value
        )
    elif defaults:
        yield place.warning("53", "default-kept", path, one.name, f"{text}: its default is not overridden")


def _target(passed: Passed) -> str:
    return f"Task {passed.target.item.label}" if passed.target else ""


def _differ(declared: str, outer: Known) -> bool:
    return bool(declared and outer.type and outer.shape.sure) and declared != outer.type


def _filled(one: Declaration, outer: Known) -> Keys | None:
    return None if outer.filled is None else (*outer.filled, *_default_keys(one))


def _default_keys(one: Declaration) -> Keys:
    return tuple(one.default) if isinstance(one.default, dict) and shape(one.default) == "object" else ()


def _keys(place: Place, one: Declaration, filled: Keys | None, label: str, path: Path) -> Iterator[Finding]:
    """Report the keys of a declared object that no layer gives a value. filled: the keys with a value, None if unknown."""
    if one.type != "object" or filled is None:
        return
    old, has = one.name if is_bare(one) else "", frozenset(filled)
    for key in one.properties or {}:
        if key not in has:
            text = f"{label} declares the key and no layer gives it a value; add it to the value or to a default"
            yield place.error("39", "missing-key", path, f"{one.name}.{key}", text, old=old)


def _partial(place: Place, one: Declaration, outer: Known, label: str) -> Iterator[Finding]:
    """Report keys that only a default of the pipeline has: `[*]` passes on the run's keys alone."""
    if one.type != "object" or outer.passed_on is None or outer.origins[0].layer != "run" or not place.task:
        return
    filled, passed_on = frozenset(outer.filled or ()), frozenset((*outer.passed_on, *_default_keys(one)))
    for key in one.properties or {}:
        if key in filled and key not in passed_on:
            text = (
                f"only the pipeline's default has this key and the run's value is passed to {place.task} without it;"
                f" give the declaration of {label} a default"
            )
            yield place.warning("32", "partial-object", one.path, f"{one.name}.{key}", text)


def _supplier(known: Known, place: Place) -> str:
    return _SUPPLIERS.get(known.origins[0].layer, place.task or "the task")
