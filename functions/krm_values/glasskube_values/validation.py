"""Validation of a Package's values: they must be defined, configured if required, and within their constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding
from krm_values.glasskube_values import constraints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.suggest import Hints
    from krm_values.glasskube_values.manifest import Definition, Manifest
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.values import Value

_VALUES = ("spec", "values")
_LINT = {"pattern": "pattern", "bad-pattern": "pattern", "options": "options"}
_BOOLEANS = ("true", "false")


def check(
    package: Package, manifest: Manifest, values: dict[str, Value], hints: Hints, report: Callable[[str, Path], None]
) -> Iterator[Finding]:
    """Yield every violation of every value, sorted by name; a value that could not be resolved is not checked.

    report: called with the kind of lint and the path in the manifest of each defect of a definition that is among the violations.
    """
    for name in sorted({*values, *manifest.definitions}, key=str.encode):
        if name not in manifest.definitions:
            hint = hints.hint(name, manifest.definitions, '"')
            text = f'value "{name}" has no value definition{hint}'
            yield Finding("error", "validation", "30", text, package.item, (*_VALUES, name))
        elif name in values:
            yield from _value(package, manifest, values[name], hints, report)
        elif name not in package.names and manifest.definitions[name].required:
            text = f'value "{name}" is required and not configured'
            yield Finding("error", "validation", "31", text, package.item, _VALUES)


def _value(
    package: Package, manifest: Manifest, value: Value, hints: Hints, report: Callable[[str, Path], None]
) -> Iterator[Finding]:
    definition, path = manifest.definitions[value.name], (*_VALUES, value.name)
    if value.text is None:
        return
    violations = constraints.check(definition.checked, value.text)
    written = value.origin if value.origin.item is package.item else None
    for violation in violations:
        for lint in filter(None, (_LINT.get(violation.constraint), "default" if value.is_default else "")):
            report(lint, definition.path)
        text = f'value "{value.name}" {violation.text(hidden=value.origin.secret)}; found {{found}}{_hint(definition, value, hints)}'
        yield Finding("error", "validation", violation.rule, text, package.item, path, value.origin, at=written)
    if definition.required and not value.text and not violations:
        text = f'value "{value.name}" is required and empty, which counts as configured: is that intended?'
        yield Finding("warning", "validation", "31", text, package.item, path)


def _hint(definition: Definition, value: Value, hints: Hints) -> str:
    """Return a hint with the nearest allowed value of options and booleans; "" for a value from a Secret."""
    known = definition.options if definition.type == "options" else _BOOLEANS if definition.type == "boolean" else ()
    return "" if value.origin.secret else hints.hint(value.text or "", filter(None, known), '"')
