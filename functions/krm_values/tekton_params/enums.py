"""Allowed values: an added declaration gets the enum that its tasks ask for, and values are checked against it."""

from __future__ import annotations

from krm_values._kit.record import record
from krm_values.tekton_params.params import shape, text
from krm_values.tekton_params.references import exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.plan import Finding
    from krm_values.tekton_params.findings import Place
    from krm_values.tekton_params.known import Scope
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.passing import Passed, Scoped


@record
class Demand:
    """A task's declaration with an enum, and the task."""

    passed: Passed
    declaration: Declaration


def wanted(scoped: Scoped, name: str) -> tuple[str, ...]:
    """The values that every task allows to which the pipeline's param goes: in the order of the first; () where all are allowed."""
    allowed: tuple[str, ...] = ()
    for index, demand in enumerate(demands(scoped, name)):
        enum = demand.declaration.enum
        allowed = tuple(value for value in allowed if value in enum) if index else enum
    return allowed


def demands(scoped: Scoped, name: str) -> Iterator[Demand]:
    """The declarations with an enum whose value is the pipeline's param and nothing else."""
    for passed in scoped.tasks:
        for declaration in declared(passed):
            if declaration.enum and _source(passed, declaration.name) == name:
                yield Demand(passed, declaration)


def declared(passed: Passed) -> tuple[Declaration, ...]:
    """The declarations of an embedded task, or of the Task that is referenced."""
    if passed.target:
        return passed.target.declarations
    return passed.task.declarations if passed.task.is_embedded else ()


def of_pipeline(place: Place, scoped: Scoped) -> Iterator[Finding]:
    """Whether the enums of a pipeline's params and of its tasks fit."""
    for name in scoped.declares:
        found = list(demands(scoped, name))
        if found and not wanted(scoped, name):
            each = "; ".join(f"{one.passed.task.label} allows {_listed(one.declaration.enum)}" for one in found)
            yield place.error(
                "26", "enum-empty", scoped.given[name].origins[0].path, name, f"no value is allowed everywhere: {each}"
            )
    for one in scoped.pipeline.declarations:
        if one.type == "string":
            yield from _unlike(place, one, demands(scoped, one.name))


def of_values(
    place: Place, declarations: Iterable[Declaration], given: Scope, matrix: Iterable[tuple[str, object]]
) -> Iterator[Finding]:
    """Values and defaults outside the enum of their declaration."""
    supplied = list(matrix)
    for one in declarations:
        if not one.enum or one.type != "string":
            continue
        known = given.get(one.name)
        found = [str(value) for name, value in supplied if name == one.name and isinstance(value, str) and "$(" not in value]
        if known and not found and known.shape.text is not None and known.shape.sure:
            found = [known.shape.text]
        if one.has_default and shape(one.default) == "string" and "$(" not in text(one.default):
            found.append(text(one.default))
        path = known.origins[0].path if known and known.origins[0].item is place.item else one.path
        for value in dict.fromkeys(found):
            if value not in one.enum:
                where = f" ({place.task})" if place.task else ""
                told = f'"{value}" is not one of {_listed(one.enum)}{where}; change the value or the enum'
                yield place.error("26", "enum-value", path, one.name, told, found=value)


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


def _source(passed: Passed, name: str) -> str:
    """The pipeline's param that is the whole value of a task's param, or ""."""
    if name in passed.passes:
        return name
    for value in passed.task.values:
        if value.name == name:
            ref = exact(value.value)
            return ref.name if ref and ref.whole and not ref.index else ""
    return ""


def _listed(enum: tuple[str, ...]) -> str:
    return ", ".join(enum)
