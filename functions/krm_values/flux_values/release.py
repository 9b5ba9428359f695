"""A HelmRelease: the entries of its `valuesFrom`, and its inline values as Flux reads them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from krm_values._data.pointer import scalars, to_field
from krm_values._data.record import record
from krm_values._data.scalars.strconv import is_whole, whole
from krm_values._data.scalars.text import EXACT, is_disputed, text_of
from krm_values._golang.yaml.lints import kind_of
from krm_values._kit.planner import fields, places
from krm_values._kit.planner.plan import Finding, Origin
from krm_values.flux_values import references
from krm_values.flux_values.upstream_fields import RELEASES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report
    from krm_values.flux_values.references import Reference

GROUP = "helm.toolkit.fluxcd.io"
VERSIONS = ("v2", "v2beta2", "v2beta1")
VALUES: Path = ("spec", "values")
_ENCRYPTED = "ENC["


@record
class Release:
    """A release as its spec describes it. inline: `spec.values`, its numbers as 64-bit floats (a whole one is an int)."""

    item: Item
    references: tuple[Reference, ...]
    inline: dict[str, JSON]

    def layer(self, path: Path, value: JSON) -> Origin:
        """Return the origin of an inline value: the inline values are a layer too."""
        return Origin("values", value, self.item, (*VALUES, *path))


def read_release(item: Item, report: Report) -> Release:
    """Read a release; everything that is wrong with it gets into the report."""
    data = item.data if isinstance(item.data, dict) else {}
    report.extend(_unknown(item))
    spec = data.get("spec")
    if not isinstance(spec, dict):
        if item.error is None:
            report.add(
                _error(item, ("spec",), "90", "must be a map; found " + ("nothing" if spec is None else "{found}"), spec)
            )
        return Release(item, (), {})
    if not item.name:
        report.add(_error(item, ("metadata", "name"), "90", "must be given: the written object is named after the release"))
    found = tuple(references.read_references(item, spec.get("valuesFrom"), report))
    values = spec.get("values")
    if isinstance(data.get("sops"), dict) or any(_is_encrypted(value) for _, value in scalars(values)):
        report.add(
            _error(
                item, VALUES, "35", "is encrypted with SOPS and cannot be composed: decrypt it first, or move it into a Secret"
            )
        )
    if not isinstance(values, dict | None):
        report.add(_error(item, VALUES, "92", "must be a map; found {found}", values))
        values = None
    inline = values or {}
    report.extend(_lints(item, inline))
    report.extend(
        [
            _error(item, (*VALUES, *path), "42", "must be a number of 64 bits, as JSON has them; found {found}", value)
            for path, value in scalars(inline)
            if not _is_finite(value)
        ]
    )
    return Release(item, found, as_floats(inline))


def _unknown(item: Item) -> Iterator[Finding]:
    """Report keys that the release's version does not have; `literal` before v2 is reported with the entry."""
    in_entries: list[fields.Unknown] = []
    others: list[fields.Unknown] = []
    for one in fields.unknown_keys(item.data, RELEASES[item.version]):
        (in_entries if one.path[:2] == references.VALUES_FROM else others).append(one)
    yield from fields.shape_warnings(item, RELEASES[item.version], "S5")
    yield from fields.warnings(item, others, "S5")
    yield from fields.warnings(item, (one for one in in_entries if one.key != "literal"), "90", kind="unknown-field")


def as_floats(value: Any) -> Any:
    """Return a value with every number as a 64-bit float, as JSON readers do; a float without a fraction becomes an int."""
    if isinstance(value, dict):
        return {key: as_floats(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [as_floats(entry) for entry in value]
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        return value
    number = float(value)
    return whole(number) if is_whole(number) else number


def _is_finite(value: JSON) -> bool:
    """Return whether a number is finite as a 64-bit float; any other value is."""
    try:
        return not isinstance(value, int | float) or math.isfinite(float(value))
    except OverflowError:
        return False


def _lints(item: Item, inline: dict[str, JSON]) -> Iterator[Finding]:
    """Report words that readers disagree about and numbers that lose digits as a float; one finding per cause."""
    retyped, digits = _places(item, inline, is_word), _places(item, inline, loses_digits)
    if retyped:
        text = (
            f"{_listed(retyped)}: the API server reads a plain y, n, yes, no, on or off as true or false, kpt and kustomize as"
            " a string, as here; quote it, or write true or false"
        )
        yield Finding("warning", "retyped-scalar", "92", text, item, VALUES, at=_at(item, retyped))
    if digits:
        text = f"{_listed(digits)}: the number does not keep its digits; quote it if they matter"
        yield Finding("warning", "text-digits", "40", text, item, VALUES, at=_at(item, digits))


def _listed(found: dict[Path, str]) -> str:
    return ", ".join(found.values())


def _at(item: Item, found: dict[Path, str]) -> Origin:
    """Return the first of the places."""
    return Origin("values", None, item, next(iter(found)))


def is_word(text: str, value: JSON) -> bool:
    """Return whether a value is a word that other readers take for a boolean."""
    return isinstance(value, str) and is_disputed(text)


def loses_digits(text: str, value: JSON) -> bool:
    """Return whether a number is not what it looks like once it is a 64-bit float."""
    if not isinstance(value, int | float) or not _is_finite(value):
        return False
    if not isinstance(value, float) and abs(value) <= EXACT and "." not in text:
        return False
    return kind_of(text, float(value) if "." in text else value, floats=True) == "digits"


def _places(item: Item, inline: dict[str, JSON], is_reported: Callable[[str, JSON], bool]) -> dict[Path, str]:
    """Return the values that are reported, as messages show them, by their path in the item."""
    found: dict[Path, str] = {}
    for path, value in scalars(inline):
        if value is None or isinstance(value, bool) or not is_reported(text_of(value), value):
            continue
        scalar = item.scalar((*VALUES, *path))
        if scalar is not None and scalar.plain:
            line, _ = places.exactly(item, (*VALUES, *path))
            shown = f"line {line}" if line else f"line {scalar.line + 1} of the resource"
            found[(*VALUES, *path)] = f"`{to_field(path)}: {scalar.text}` ({shown})"
    return found


def _is_encrypted(value: JSON) -> bool:
    return isinstance(value, str) and value.startswith(_ENCRYPTED)


def _error(item: Item, path: Path, rule: str, text: str, found: JSON = None) -> Finding:
    return Finding("error", "release", rule, text, item, path, found)
