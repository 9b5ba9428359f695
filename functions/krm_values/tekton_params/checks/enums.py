"""Enums: an added declaration gets the enum that its tasks demand, and values are checked against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values.tekton_params.params import first, shape, text
from krm_values.tekton_params.spec.references import exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.propagate import Passed, Scoped
    from krm_values.tekton_params.scope.known import Scope


@record
class Demand:
    """A task's declaration with an enum, and the task."""

    passed: Passed
    declaration: Declaration


def wanted(demands: Iterable[Demand]) -> tuple[str, ...]:
    """Return the values that every task allows that gets a pipeline's param, in the order of the first; () if all are allowed."""
    found = [demand.declaration.enum for demand in demands]
    allowed, *others = found or [()]
    for enum in map(frozenset, others):
        allowed = tuple(value for value in allowed if value in enum)
    return allowed


def demands(scoped: Scoped) -> dict[str, list[Demand]]:
    """Return the declarations with an enum whose value is exactly a param of the pipeline, by that param."""
    found: dict[str, list[Demand]] = {}
    for passed in scoped.tasks:
        limited = [declaration for declaration in declared(passed) if declaration.enum]
        sources = _sources(passed) if limited else {}
        for declaration in limited:
            if source := sources.get(declaration.name):
                found.setdefault(source, []).append(Demand(passed, declaration))
    return found


def declared(passed: Passed) -> tuple[Declaration, ...]:
    """Return the declarations of an embedded task, or of the referenced Task."""
    if passed.target:
        return passed.target.declarations
    return passed.task.declarations if passed.task.is_embedded else ()


def of_pipeline(place: Place, scoped: Scoped) -> Iterator[Finding]:
    """Check that the enums of a pipeline's params and of its tasks fit."""
    every = demands(scoped)
    for name in scoped.declares:
        found = every.get(name, [])
        if found and not wanted(found):
            each = "; ".join(f"{one.passed.task.label} allows {_listed(one.declaration.enum)}" for one in found)
            yield place.error(
                "26", "enum-empty", scoped.given[name].origins[0].path, name, f"no value is allowed everywhere: {each}"
            )
    for one in scoped.pipeline.declarations:
        if one.type == "string":
            yield from _unlike(place, one, every.get(one.name, []))


def of_values(
    place: Place, declarations: Iterable[Declaration], given: Scope, matrix: Iterable[tuple[str, object]]
) -> Iterator[Finding]:
    """Report values and defaults outside the enum of their declaration."""
    supplied: dict[str, list[str]] = {}
    for name, value in matrix:
        if isinstance(value, str) and "$(" not in value:
            supplied.setdefault(name, []).append(value)
    for one in declarations:
        if not one.enum or one.type != "string":
            continue
        known, enum = given.get(one.name), one.enum
        found = [*supplied.get(one.name, ())]
        if known and not found and known.shape.text is not None and known.shape.sure:
            found = [known.shape.text]
        if one.has_default and shape(one.default) == "string" and "$(" not in text(one.default):
            found.append(text(one.default))
        path = known.origins[0].path if known and known.origins[0].item is place.item else one.path
        for value in dict.fromkeys(found):
            if value not in enum:
                where = f" ({place.task})" if place.task else ""
                message = f'"{value}" is not one of {_listed(enum)}{where}; change the value or the enum'
                yield place.error("26", "enum-value", path, one.name, message, found=value)


def _unlike(place: Place, one: Declaration, found: Iterable[Demand]) -> Iterator[Finding]:
    for demand in found:
        enum, label = demand.declaration.enum, demand.passed.task.label
        if not one.enum:
            fact = f"{label} allows {_listed(enum)} only and this declaration has no enum"
        elif not set(one.enum) <= set(enum):
            fact = f"{label} allows {_listed(enum)} only and the enum here is {_listed(one.enum)}"
        else:
            continue
        yield place.warning(
            "26", "enum-not-given", one.path, one.name, f"{fact}: Tekton fails the run; add one that is part of it"
        )


def _sources(passed: Passed) -> dict[str, str]:
    """Return the pipeline's param that is the whole value of each of a task's params; "" if none is."""
    found: dict[str, str] = {}
    for value in first(passed.task.values):
        ref = exact(value.value)
        found[value.name] = ref.name if ref and ref.whole and not ref.index else ""
    return {**found, **{name: name for name in passed.passes}}


def _listed(enum: tuple[str, ...]) -> str:
    return suggest.listed(enum)
