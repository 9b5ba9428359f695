"""A HelmRelease: its inline values as Flux reads them, the entries of its `valuesFrom`, and what the objects contribute that they name."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.go_numbers import is_whole, whole
from krm_values._data.pointer import get, scalars, to_field
from krm_values._data.record import record
from krm_values._data.scalars import EXACT, is_disputed, text_of
from krm_values._go.yaml_decode import kind_of
from krm_values._krm import places, shapes
from krm_values._krm.item import Item
from krm_values._krm.plan import Origin
from krm_values._run.objects import Lookup, Objects, is_ciphertext, label
from krm_values._run.texts import read_layer
from krm_values.flux_values.upstream_fields import GROUP, RELEASES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.resources import Resources
    from krm_values._run.texts import Embedded
    from krm_values._run.traced import Layer
    from krm_values.flux_values.config import FluxValues

VERSIONS = tuple(RELEASES)
LITERAL_SINCE = "v2"
KINDS = ("ConfigMap", "Secret")
VALUES: Path = ("spec", "values")
VALUES_FROM: Path = ("spec", "valuesFrom")
VALUES_KEY = "values.yaml"
INLINE = "values"
"""The name of the layer of the inline values."""
_STRINGS = {
    "name": (253, None, ""),
    "valuesKey": (253, re.compile(r"[-._a-zA-Z0-9]+"), "letters, digits, `-`, `_` and `.`"),
    "targetPath": (
        250,
        re.compile(r"(?:[a-zA-Z0-9_\-.\\/]|\[[0-9]{1,5}\])+"),
        "letters, digits, any of `_-.\\/`, and indices such as `[0]`",
    ),
}
"""Of each string of an entry the longest length, and what it consists of."""
_RULES = {
    "text": "96",
    "document": "37",
    "duplicate": "38",
    "merged": "38",
    "boolean": "39",
    "digits": "40",
    "date": "42",
}
"""The rules of what is wrong with the text of a layer."""


@record
class Release:
    """A release as its spec describes it. inline: `spec.values`, its numbers as 64-bit floats (a whole one is an int)."""

    item: Item
    references: tuple[ValuesReference, ...]
    inline: dict[str, JSON]

    def layer(self, path: Path, value: JSON) -> Origin:
        """Return the origin of an inline value: the inline values are a layer too."""
        return Origin(INLINE, value, self.item, (*VALUES, *path))


@record
class ValuesReference:
    """An entry of `valuesFrom`: the object that it names, the key, and where and how its value is set. position: its place in the list from 1."""

    kind: str
    namespace: str
    name: str
    key: str
    target: str
    literal: bool
    optional: bool
    owner: Item
    path: Path
    position: int
    role: str = ""

    @property
    def layer(self) -> str:
        """The name of the layer: `valuesFrom[0]`."""
        return f"valuesFrom[{self.position - 1}]"

    @property
    def facts(self) -> dict[str, JSON]:
        """What `explain` shows of the entry: its position in the list from 1, its target path."""
        found: dict[str, JSON] = {"position": self.position}
        return {**found, "targetPath": self.target} if self.target else found


@record
class LoadedEntry:
    """An entry with what it contributes: the string for its `targetPath`, or a YAML document, or nothing.

    item: the object, None if the list has none that can be read. path: of the string in the object.
    """

    reference: ValuesReference
    item: Item | None = None
    path: Path = ()
    text: str | None = None
    embedded: Embedded | None = None

    @property
    def layer(self) -> Layer:
        """The entry as a layer."""
        reference = self.reference
        if self.embedded is not None:
            return self.embedded.as_layer(reference.layer, reference.facts)
        return lambda _path, value: Origin(reference.layer, value, self.item, self.path, facts=reference.facts)


def read_release(item: Item, report: Report) -> Release:
    """Read a release and report what is wrong with it."""
    data = item.data if isinstance(item.data, dict) else {}
    _check_fields(item, report)
    spec = data.get("spec")
    if not isinstance(spec, dict):
        if item.error is None:
            text = "must be a map; found " + ("nothing" if spec is None else "{found}")
            report.error("release", "90", text, item, ("spec",), found=spec)
        return Release(item, (), {})
    if not item.name:
        text = "must be given: the written object is named after the release"
        report.error("release", "90", text, item, ("metadata", "name"))
    references = tuple(_references(item, spec.get("valuesFrom"), report))
    values = spec.get("values")
    if isinstance(data.get("sops"), dict) or any(is_ciphertext(value) for _, value in scalars(values)):
        text = "is encrypted with SOPS and cannot be composed: decrypt it first, or move it into a Secret"
        report.error("release", "35", text, item, VALUES)
    if not isinstance(values, dict | None):
        report.error("release", "92", "must be a map; found {found}", item, VALUES, found=values)
        values = None
    inline = values or {}
    _check_scalars(item, inline, report)
    return Release(item, references, as_floats(inline))


def as_floats(value: Any) -> Any:
    """Return a value with every number as a 64-bit float, as JSON readers do; a float without a fraction becomes an int."""
    if isinstance(value, dict):
        return {key: as_floats(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [as_floats(entry) for entry in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _is_finite(value):
        return value
    number = float(value)
    return whole(number) if is_whole(number) else number


def _check_fields(item: Item, report: Report) -> None:
    """Report keys that the release's version does not have; `literal` before v2 is reported with the entry."""
    shape = RELEASES[item.version]
    unknown = [*shapes.unknown_keys(item.data, shape)]
    report.extend(shapes.shape_warnings(item, shape, "S5"))
    report.extend(shapes.warnings(item, (one for one in unknown if one.path[:2] != VALUES_FROM), "S5"))
    in_entries = (one for one in unknown if one.path[:2] == VALUES_FROM and one.key != "literal")
    report.extend(shapes.warnings(item, in_entries, "90", kind="unknown-field"))


def _check_scalars(item: Item, inline: dict[str, JSON], report: Report) -> None:
    """Report words that readers disagree about, and numbers that lose digits as a float, one finding per cause; and numbers beyond 64 bits."""
    if retyped := _places(item, inline, _is_word):
        text = (
            f"{', '.join(retyped.values())}: the API server reads a plain y, n, yes, no, on or off as true or false, kpt and"
            " kustomize as a string, as here; quote it, or write true or false"
        )
        report.warning("retyped-scalar", "92", text, item, VALUES, at=Origin(INLINE, None, item, next(iter(retyped))))
    if digits := _places(item, inline, _loses_digits):
        text = f"{', '.join(digits.values())}: the number does not keep its digits; quote it if they matter"
        report.warning("text-digits", "40", text, item, VALUES, at=Origin(INLINE, None, item, next(iter(digits))))
    for path, value in scalars(inline):
        if not _is_finite(value):
            text = "must be a number of 64 bits, as JSON has them; found {found}"
            report.error("release", "42", text, item, (*VALUES, *path), found=value)


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


def _is_word(text: str, value: JSON) -> bool:
    return isinstance(value, str) and is_disputed(text)


def _loses_digits(text: str, value: JSON) -> bool:
    if not isinstance(value, (int, float)) or not _is_finite(value):
        return False
    if not isinstance(value, float) and abs(value) <= EXACT and "." not in text:
        return False
    return kind_of(text, float(value) if "." in text else value, floats=True) == "digits"


def _is_finite(value: JSON) -> bool:
    """Return whether a number is finite as a 64-bit float; any other value is."""
    try:
        return not isinstance(value, (int, float)) or math.isfinite(float(value))
    except OverflowError:
        return False


def _references(owner: Item, entries: JSON, report: Report) -> Iterator[ValuesReference]:
    """Yield the usable entries of `valuesFrom`; the others are errors in the report."""
    if entries is None:
        return
    if not isinstance(entries, list):
        report.error("reference", "90", "must be a list; found {found}", owner, VALUES_FROM, found=entries)
        return
    for index, entry in enumerate(entries):
        path = (*VALUES_FROM, index)
        if not isinstance(entry, dict):
            report.error("reference", "90", "must be a map with `kind` and `name`; found {found}", owner, path, found=entry)
            continue
        given: dict[str, JSON] = {key: value for key, value in entry.items() if value is not None}
        faults = [*_faults(given)]
        for field, text, found in faults:
            report.error("reference", "90", text, owner, (*path, field), found=found)
        if not faults:
            yield _reference(owner, path, given, index + 1, report)


def _faults(given: dict[str, JSON]) -> Iterator[tuple[str, str, JSON]]:
    """Yield what the API server refuses of an entry: the field, the message and the value found."""
    kind = given.get("kind")
    if kind not in KINDS:
        near = suggest.nearest(str(kind), KINDS)
        hint = f"; did you mean `{near}`?" if near and kind is not None else ""
        yield "kind", "must be `ConfigMap` or `Secret`" + ("; found {found}" if kind is not None else "") + hint, kind
    if "name" not in given:
        yield "name", "must be the name of an object in the release's namespace", None
    for field, (most, form, allowed) in _STRINGS.items():
        value = given.get(field)
        if value is None:
            continue
        if not isinstance(value, str):
            yield field, "must be a string; found {found}", value
        elif not 1 <= len(value) <= most:
            yield field, f"must have 1 to {most} characters; found {len(value)}", None
        elif form and not form.fullmatch(value):
            yield field, f"must consist of {allowed}; found {{found}}", value
    for field in ("optional", "literal"):
        if not isinstance(given.get(field, False), bool):
            yield field, "must be true or false; found {found}", given[field]


def _reference(owner: Item, path: Path, given: dict[str, JSON], position: int, report: Report) -> ValuesReference:
    has_literal = owner.version == LITERAL_SINCE
    if "literal" in given and not has_literal:
        text = f"is not a field of {owner.version}, so the API server drops it: change the release to {GROUP}/{LITERAL_SINCE}"
        report.warning("literal", "104", text, owner, (*path, "literal"))
    kind, name, key, target = (str(given.get(field, "")) for field in ("kind", "name", "valuesKey", "targetPath"))
    literal, optional = has_literal and bool(given.get("literal")), bool(given.get("optional"))
    return ValuesReference(kind, owner.namespace, name, key or VALUES_KEY, target, literal, optional, owner, path, position)


class Reader:
    """Loads entries; reads each document once, however many releases refer to it."""

    __slots__ = ("_documents", "_keys", "_limits", "_lookup", "_objects")

    def __init__(self, config: FluxValues, resources: Resources) -> None:
        self._limits, self._objects = resources.limits, Objects()
        self._keys: dict[int, list[str]] = {}
        self._lookup = Lookup(resources, config.allow_missing, missing="94", encrypted="35")
        self._documents: dict[tuple[int, str], Embedded | None] = {}

    def load(self, reference: ValuesReference, report: Report) -> LoadedEntry | None:
        """Return what the entry contributes, or None with an error in the report."""
        item = self._lookup.find(reference, report, optional=reference.optional)
        if not isinstance(item, Item):
            return None if item is None else LoadedEntry(reference)
        if item.error is not None or not isinstance(item.data, dict):
            return None
        if self._objects.is_encrypted(item):
            return self._encrypted(reference, item, report)
        report.extend(self._objects.unknown_keys(item, "S5"))
        data = self._objects.at(item, reference.key)
        for path, text in data.faults:
            report.error("data", "35", text, item, path)
        if data.faults:
            return None
        if reference.key not in data.texts:
            return self._without_key(reference, item, report)
        path, text = data.paths[reference.key], data.texts[reference.key]
        if reference.target:
            return LoadedEntry(reference, item, path, text=text)
        document = item.number, reference.key
        if document not in self._documents:
            self._documents[document] = read_layer(item, path, text, _RULES, report, limits=self._limits)
        embedded = self._documents[document]
        if embedded is not None and embedded.encrypted:
            return self._encrypted(reference, item, report)
        return None if embedded is None else LoadedEntry(reference, item, path, embedded=embedded)

    def _encrypted(self, reference: ValuesReference, item: Item, report: Report) -> LoadedEntry | None:
        return LoadedEntry(reference) if self._lookup.may_be_encrypted(reference, item, report) else None

    def _without_key(self, reference: ValuesReference, item: Item, report: Report) -> LoadedEntry | None:
        if reference.optional:
            return LoadedEntry(reference, item)
        if item.number not in self._keys:
            held = (get(item.data, (field,)) for field in ("data", "stringData"))
            self._keys[item.number] = list(
                dict.fromkeys(key for entries in held if isinstance(entries, dict) for key in entries)
            )
        keys = self._keys[item.number]
        has = f"it has {suggest.listed(keys, quote='`')}" if keys else "it has none"
        near = suggest.hint(reference.key, keys)
        text = f"{label(reference)} has no key `{reference.key}`; {has}: name one in `valuesKey`{near}"
        report.error("missing-key", "93", text, reference.owner, reference.path)
        return None
