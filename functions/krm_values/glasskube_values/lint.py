"""Lint of a manifest without a Package: its value definitions, their targets and its transformations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.suggest import Hints
from krm_values._golang import regexp
from krm_values.glasskube_values import constraints
from krm_values.glasskube_values import lint_targets as targets
from krm_values.glasskube_values import lint_templates as templates
from krm_values.glasskube_values.lint_templates import Samples
from krm_values.glasskube_values.manifest import examine
from krm_values.glasskube_values.manifest_fields import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from krm_values._data.values import JSON
    from krm_values.glasskube_values.lint_targets import Plain
    from krm_values.glasskube_values.manifest import Definition, Manifest

_BOUNDS = (("min", "max", "38"), ("minLength", "maxLength", "34"))


def check_all(data: JSON, plain: Collection[Plain] | None = None, *, as_text: bool = True) -> tuple[Fault, ...]:
    """Return all faults of a manifest as written, those of its form first.

    plain: the plain resources beside it; without them resource targets that match nothing are not reported. as_text: as in `check`.
    """
    manifest, faults = examine(data)
    return (*faults, *check(manifest, faults, plain, as_text=as_text))


def check(
    manifest: Manifest, form: Iterable[Fault] = (), plain: Collection[Plain] | None = None, *, as_text: bool = True
) -> Iterator[Fault]:
    """Yield the faults of a manifest that could be read, for `lint` and a run alike, except at places of which those of its form speak.

    as_text: whether a value without a template is written as a string, as the operator does. Errors: `pattern`, `template`, `template-json`, `op`, `pointer`, `bounds`, `default`, `options`. Warnings: `slash`, `duplicate`,
    `if-boolean`, `text-boolean`, `api-group`, `dead-target`. Information: `no-effect`.
    """
    reported = {fault.path for fault in form if fault.severity != "warning"}
    for fault in _faults(manifest, plain):
        if fault.path not in reported and (as_text or fault.kind != "text-boolean"):
            yield fault


def _faults(manifest: Manifest, plain: Collection[Plain] | None) -> Iterator[Fault]:
    samples, hints = Samples(), Hints()
    beside = None if plain is None else targets.Beside(plain)
    for definition in manifest.definitions.values():
        yield from _without_effect(definition)
        yield from _pattern(definition)
        bounds = tuple(_bounds(definition))
        yield from bounds
        yield from _options(definition)
        default = tuple(_default(definition, {str(limit) for fault in bounds for limit in _pair(fault)}))
        yield from default
        yield from targets.repeated(definition)
        for target in definition.targets:
            yield from targets.check(target, manifest, beside, hints)
            yield from targets.untyped(target, definition)
            yield from templates.check(target, definition, samples, sound=not default)
    for transformation in manifest.transformations:
        if transformation.resource:
            path = (*transformation.path, "source", "resource", "apiGroup")
            yield from targets.api_group(transformation.resource, path, rule="84")
        for target in transformation.targets:
            yield from targets.check(target, manifest, beside, hints)
            yield from templates.parses(target)


def _applicable(definition: Definition) -> dict[str, JSON]:
    """Return the constraints that apply to its type; all of them if the type is unknown."""
    names = constraints.APPLICABLE.get(definition.type, definition.constraints.keys())
    return {name: limit for name, limit in definition.constraints.items() if name in names}


def _without_effect(definition: Definition) -> Iterator[Fault]:
    """Yield an information for each constraint that does not apply to its type, whatever it holds."""
    applicable = _applicable(definition)
    for name in definition.constraints:
        if name not in applicable and name != "required":
            text = f"has no effect on a value of type `{definition.type}`"
            yield Fault("info", "no-effect", "S31", (*definition.path, "constraints", name), text)


def _pattern(definition: Definition) -> Iterator[Fault]:
    pattern = _applicable(definition).get("pattern")
    if not isinstance(pattern, str):
        return
    try:
        regexp.check(pattern)
    except regexp.PatternError as error:
        text = f"is not a valid pattern: {error.message}; found {{found}}"
        yield Fault("error", "pattern", "36", (*definition.path, "constraints", "pattern"), text, pattern)


def _bounds(definition: Definition) -> Iterator[Fault]:
    path = (*definition.path, "constraints")
    constraints = _applicable(definition)
    for low, high, rule in _BOUNDS:
        least, most = (constraints.get(name) for name in (low, high))
        if high == "maxLength" and isinstance(most, int) and most < 0:
            yield Fault("error", "bounds", rule, (*path, high), "must not be negative: no value fits; found {found}", most)
        elif isinstance(least, int) and isinstance(most, int) and least > most:
            text = f"must not be more than `{high}`, which is {most}: no value fits; found {{found}}"
            yield Fault("error", "bounds", rule, (*path, low), text, least)


def _pair(fault: Fault) -> tuple[str, str]:
    """Return the names of both limits of a fault of bounds."""
    return next((low, high) for low, high, _ in _BOUNDS if fault.path[-1] in (low, high))


def _options(definition: Definition) -> Iterator[Fault]:
    if definition.type == "options" and not definition.options:
        yield Fault(
            "error", "options", "39", (*definition.path, "options"), "must list an option: without one every value is refused"
        )


def _default(definition: Definition, wrong: set[str]) -> Iterator[Fault]:
    """Yield an error if a default violates its own definition for a reason that is not reported yet. wrong: limits that no value fits."""
    if not definition.default:
        return
    reported = {"type", "bad-pattern", *wrong, *([] if definition.options else ["options"])}
    violations = [one for one in constraints.check(definition.checked, definition.default) if one.constraint not in reported]
    if violations:
        text = f"violates its own definition: {', '.join(one.text() for one in violations)}; found {{found}}"
        yield Fault("error", "default", "33", (*definition.path, "defaultValue"), text, definition.default)
