"""Reads the layers of a config, in merge order: finds their objects, reads their texts, and takes the parts of them that are meant."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get, scalars, to_field
from krm_values._data.record import record, replace
from krm_values._data.scalars import Float, Int, Text, is_disputed
from krm_values._data.shown import type_of
from krm_values._go import yaml as goyaml
from krm_values._go.yaml_decode import kind_of
from krm_values._krm.findings import title
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import CONFIG, Finding, Inside
from krm_values._run.objects import ObjectData, Objects, is_ciphertext
from krm_values._run.texts import Embedded
from krm_values._run.traced import Map
from krm_values.layered_values import parts
from krm_values.layered_values.paths import AmbiguousError, Elements, down, path_text, with_dots, with_index
from krm_values.layered_values.selectors import Finder
from krm_values.layered_values.tree import SCHEMA, WRONG_REFERENCE, Layer, OriginOf, ambiguous, place_of, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.yaml import GoText
    from krm_values._krm.findings import Report
    from krm_values._krm.plan import Severity
    from krm_values._krm.resources import Resources
    from krm_values.layered_values import settings
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.selectors import Index, Source

_MANY = "*"
_RULES = {**dict.fromkeys(("boolean", "digits", "date"), "30"), "duplicate": "32", "merged": "32"}
_OPTIONAL: tuple[Severity, str] = ("info", "absent")
_REQUIRED: tuple[Severity, str] = ("error", "no-value")
_FRACTION = re.compile(r"[-+]?[0-9_]*(?:\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)")
_WORDS = (
    "the API server reads a plain y, n, yes, no, on or off as true or false, kpt and kustomize as a string, as here; quote it,"
    " or write true or false"
)
_DIGITS = "the number does not keep its digits; quote it if they matter"


@record
class Taken:
    """A value of a source, its path there, and the origins of the source's values."""

    value: Any
    says: OriginOf
    path: Path = ()

    @property
    def name(self) -> str:
        """What messages call the layer."""
        return self.says.layer


class Reader:
    """Reads layers and reports what is wrong with them."""

    __slots__ = ("_elements", "_finder", "_objects", "_references", "_report", "_texts")

    def __init__(self, resources: Resources, index: Index, report: Report, *, references: bool) -> None:
        self._finder, self._references, self._report = Finder(resources, index), references, report
        self._objects, self._texts, self._elements = Objects(), _Texts(resources.limits), Elements()

    def layers(self, listed: tuple[settings.Layer, ...]) -> list[Layer]:
        """Return the layers in merge order; each document of a text is a layer."""
        has_priorities = any(one.priority for one in listed)
        found = [
            layer
            for one in sorted(listed, key=attrgetter("priority"))
            for layer in self._layer(one, {"priority": one.priority} if has_priorities else {})
        ]
        _check_names(listed, found, self._report)
        return found

    def taken(self, source: Source, name: str, *, optional: bool = False) -> tuple[Item | None, list[Taken]]:
        """Return the object of a source, and its values there; none, with a finding, if the object cannot be used."""
        if source.kind == "values":
            return None, [Taken(dict(source.values or {}), OriginOf(name, config=(*source.at, "values")))]
        label = f"layer {name}" if name else f"`{to_field(source.at)}`"
        item = self._finder.find(source, label, self._report, optional=optional)
        if item is None:
            return None, []
        label = name or item.label
        reading = _Reading(source, item, label, self._objects, self._texts, self._elements, self._report, optional)
        return item, reading.values()

    def _layer(self, one: settings.Layer, facts: dict[str, JSON]) -> Iterator[Layer]:
        item, found = self.taken(one.source, one.name, optional=one.optional)
        facts["position"] = one.number + 1
        for read in found:
            whole = replace(read, says=replace(read.says, facts=facts))
            taken = whole if one.part is None else _part(one, whole, item, self._report)
            if taken is None or (taken.value is None and not one.is_placed):
                continue
            if not one.is_placed and not isinstance(taken.value, dict):
                _report_no_map(one, taken, item, self._report)
                continue
            refuse = self._refuser(taken) if self._references and one.source.kind != "from" else None
            node: Any = tree(taken.value, taken.says, taken.path, refuse) if taken.value != {} or one.is_placed else Map()
            if not one.is_placed and not isinstance(node, Map):
                if node.value is not None:  # a reference; one that is wrong is an error already
                    _report_no_map(one, taken, item, self._report)
                continue
            for key in reversed(one.into):
                node = Map(None, (), {key: node})
            if item is None or (one.source.kind == "from" and not is_secret(item)):
                _report_misread(taken, self._report)
            inline = one.source.kind == "values"
            yield Layer(taken.name, one.number, node, item, one.when, inline, () if inline else whole.says.field(whole.path))

    def _refuser(self, taken: Taken) -> Any:
        """Return a function that reports a map with `$value` that is not a valid reference."""

        def refuse(path: Path) -> None:
            origin = taken.says(path, None)
            found = place_of(origin)
            if origin.inner and "path" in found:
                found["path"] = (*origin.path, *origin.inner)
            self._report.error("reference", "50", f"layer {taken.name}: {WRONG_REFERENCE}", **found)

        return refuse


class _Texts:
    """Texts as Go reads them. Each is parsed once, however many layers take a part of it."""

    __slots__ = ("_documents", "_limits", "_nested", "linted")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._documents: dict[tuple[str, bool, bool], tuple[list[GoText], InputError | None]] = {}
        self._nested: dict[str, GoText | None] = {}
        self.linted: set[tuple[int, Path, bool]] = set()
        """The number of the item and the field of each text whose lints are reported, and whether it was read as JSON is."""

    def documents(self, text: str, *, secret: bool, json: bool) -> tuple[list[GoText], InputError | None]:
        """Return the documents of a text, and why one cannot be read, which ends them."""
        key = text, secret, json
        if key not in self._documents:
            found: list[GoText] = []
            self._documents[key] = found, None
            try:
                found.extend(goyaml.documents(text, secret=secret, json=json, limits=self._limits))
            except InputError as error:
                self._documents[key] = found, error
        return self._documents[key]

    def nested(self, text: str) -> GoText | None:
        """Return the one document, a map or list, of a text within a text; None for any other text."""
        if text not in self._nested:
            self._nested[text] = _nested(text, self._limits)
        return self._nested[text]


@record
class _Reading:
    """A source that is read. item: its object. name: what the layer is called. optional: whether its values may be absent."""

    source: Source
    item: Item
    name: str
    objects: Objects
    texts: _Texts
    elements: Elements
    report: Report
    optional: bool

    def values(self) -> list[Taken]:
        """Return the values; none, with a finding, if there are none or they cannot be used."""
        data = self.item.data
        if isinstance(data, dict) and isinstance(data.get("sops"), dict):
            return self._encrypted(())
        if data is None:
            return []
        try:
            return self._of_field() if self.source.kind == "from" else self._of_object()
        except AmbiguousError as error:
            self._error("several", "15", f"`{self.source.path_text}` {ambiguous(self.item, error)}", error.args[1])
            return []

    def _of_object(self) -> list[Taken]:
        """Return the values of a ConfigMap or Secret: of the one data key that is meant, or of all keys."""
        held = self.objects.content(self.item)
        for path, text in held.faults:
            if self.source.key in (None, _MANY) or path[1:] in ((), (self.source.key,)):
                self._error("text", "33", text, path)
                return []
        if self.source.key == _MANY:
            return self._of_all_keys(held)
        key = self._key(held)
        if key is None:
            return []
        path, text = held.paths[key], held.texts[key]
        found = self._documents(path, text)
        if _is_encrypted(text, found):
            return self._encrypted(path)
        names = [self.name if number == 1 else f"{self.name}#{number}" for number in range(1, len(found) + 1)]
        return self._below(
            [Taken(one.data, OriginOf(name, self.item, path, one)) for name, one in zip(names, found, strict=True)]
        )

    def _key(self, held: ObjectData) -> str | None:
        """Return the data key that is meant; None if there is none."""
        key, config = self.source.key, (*self.source.at, "key")
        if key is None:
            if len(held.texts) > 1:
                listed = suggest.listed(sorted(held.texts))
                self._error("keys", "12", f"has several keys, {listed}: say which one with `key`")
            return next(iter(held.texts)) if len(held.texts) == 1 else None
        if key in held.texts:
            return key
        if self.optional:
            text = f"layer {self.name}: has no key `{key}`, so it is absent, as `optional` allows"
            self.report.info("absent", "21", text, self.item, config=config)
        else:
            self._error("keys", "12", f"has no key `{key}`{suggest.hint(key, held.texts)}", config=config)
        return None

    def _of_all_keys(self, held: ObjectData) -> list[Taken]:
        """Return each data key as a value; its text stays a string."""
        for key, text in held.texts.items():
            if is_ciphertext(text):
                return self._encrypted(held.paths[key])
        fields = {path[:1] for path in held.paths.values()}
        base = next(iter(fields)) if len(fields) == 1 else ("data",)
        return self._below([Taken(dict(held.texts), OriginOf(self.name, self.item, base, keys=held.paths))])

    def _below(self, taken: list[Taken]) -> list[Taken]:
        """Return the part of each value at `path`; values without it are left out, unless all lack it."""
        if not self.source.path:
            return taken
        found: list[Taken] = []
        for one in taken:
            value, path, left = down(one.value, self.source.path, self.elements, one.says.base)
            if value is not ABSENT and not left:
                found.append(replace(one, value=value, path=path))
        return found or self._absent([one.value for one in taken])

    def _of_field(self) -> list[Taken]:
        """Return the value at a path of any resource, which may continue inside a text."""
        data = self._decoded() if is_secret(self.item) else self.item.data
        value, path, left = down(data, self.source.path, self.elements)
        if is_ciphertext(value):
            return self._encrypted(path)
        if isinstance(value, str) and left:
            return self._inside(value, path, left)
        if value is ABSENT:
            return self._absent([data])
        return [Taken(value, OriginOf(self.name, self.item), path)]

    def _inside(self, text: str, path: Path, left: Segments) -> list[Taken]:
        before = len(self.report.findings)
        found = self._documents(path, text)
        if any(finding.severity == "error" for finding in self.report.findings[before:]):
            return []
        if _is_encrypted(text, found):
            return self._encrypted(path)
        document = found[0] if len(found) == 1 and isinstance(found[0].data, (dict, list)) else None
        says = OriginOf(self.name, self.item, path, document)
        above = path
        while document is not None:
            value, inner, left = down(document.data, left, self.elements, above)
            above = (*above, *inner)
            if value is ABSENT:
                return self._absent([self.item.data])
            if not left:
                return [Taken(value, says, inner)]
            document = self.texts.nested(value)
            says = OriginOf(self.name, self.item, text=document, string=says(inner, value))
        meant = self._meant([self.item.data])
        self._error(
            "not-a-map", "68", f"`{self.source.path_text}` continues below a text that is not one map or list{meant}", path
        )
        return []

    def _decoded(self) -> Any:
        """Return a Secret with its data decoded."""
        held = self.objects.content(self.item)
        for path, text in held.faults:
            self._error("text", "33", text, path)
        data: Any = self.item.data
        clear = {key: text for key, text in held.texts.items() if held.paths[key][0] == "data"}
        return {**data, "data": clear} if isinstance(data, dict) and "data" in data else data

    def _documents(self, path: Path, text: str) -> list[GoText]:
        """Return the documents of a text that are not empty; none, with a finding, if it cannot be read."""
        json = self.source.kind == "from"  # a text that is edited; values are read as Helm reads them
        found, error = self.texts.documents(text, secret=is_secret(self.item), json=json)
        reading = self.item.number, path, json
        is_first = reading not in self.texts.linted
        self.texts.linted.add(reading)
        for document in found:
            embedded = Embedded(self.item, path, document, raw=text)
            if is_first:
                self.report.extend(embedded.findings(_RULES))
            for line in [lint.line for lint in document.lints if lint.kind == "document"]:
                what = f"what begins at {embedded.line_shown(line)} is not read: write `---` on a line of its own before it"
                inside = embedded.inside(line, 1)
                self.report.warning("text-document", "16", f"layer {self.name}: {what}", self.item, path, inside=inside)
        if error is not None:
            inside = Inside(text, error.line, error.column) if error.line else None
            self.report.error("text", "33", error.message, self.item, path, inside=inside)
            return []
        return [document for document in found if document.data is not None]

    def _absent(self, within: list[Any]) -> list[Taken]:
        severity, kind = _OPTIONAL if self.optional else _REQUIRED
        allowed = (", as `optional` allows" if self.optional else "") + self._meant(within)
        text = f"layer {self.name}: {title(self.item)} has no `{self.source.path_text}`{allowed}"
        self.report.add(Finding(severity, kind, "15", text, self.item, config=(*self.source.at, "path")))
        return []

    def _meant(self, within: list[Any]) -> str:
        """Return `; did you mean ...?` with the path in which a key has dots, or an element an index, if some of the data have that."""
        wanted = self.source.path
        for data in within:
            path = down(data, wanted, self.elements)[1]
            is_list = isinstance(get(data, path), list)
            if meant := with_index(wanted, len(path)) if is_list else with_dots(data, path, wanted):
                return f"; did you mean `{path_text(meant)}`?"
        return ""

    def _encrypted(self, path: Path) -> list[Taken]:
        self._error("encrypted", "22", "is encrypted with SOPS: decrypt it first", path)
        return []

    def _error(self, kind: str, rule: str, text: str, path: Path = (), config: Path | None = None) -> None:
        self.report.error(kind, rule, f"layer {self.name}: {text}", self.item, path, config=config)


def _is_encrypted(text: str, found: list[GoText]) -> bool:
    """Return whether SOPS has encrypted a text."""
    return is_ciphertext(text) or any(isinstance(one.data, dict) and isinstance(one.data.get("sops"), dict) for one in found)


def _nested(text: str, limits: Limits) -> GoText | None:
    """Return the one document, a map or list, of a text within a text; None for any other text."""
    try:
        found = goyaml.read(text, json=True, limits=limits)
    except InputError:
        return None
    is_other = any(fact.kind in ("document", "sops") for fact in found.lints)
    return found if isinstance(found.data, (dict, list)) and not is_other else None


def _part(one: settings.Layer, taken: Taken, item: Item | None, report: Report) -> Taken | None:
    """Return the piece of a string that a layer uses."""
    assert one.part is not None
    origin = taken.says(taken.path, taken.value)
    if not isinstance(taken.value, str):
        text = f"layer {taken.name}: a part is one of a string, found {type_of(taken.value)}"
        report.error("part", "83", text, item, origin.path, config=(*one.source.at, "part"))
        return None
    piece = parts.read(taken.value, one.part)
    if piece is not None:
        return Taken(piece, OriginOf(taken.name, string=origin))
    name = one.part if isinstance(one.part, str) else f"piece {one.part.index}"
    severity, kind = _OPTIONAL if one.optional else _REQUIRED
    report.add(Finding(severity, kind, "24", f"layer {taken.name}: {{found}} has no {name}", item, origin.path, origin))
    return None


def _report_no_map(one: settings.Layer, taken: Taken, item: Item | None, report: Report) -> None:
    found = "" if item and is_secret(item) else f", found {type_of(taken.value)}"
    text = f"layer {taken.name}: the top of its values must be a map{found}: say with `at` where it is put"
    path = taken.says(taken.path, None).path if item else ()
    report.error("not-a-map", "17", text, item, path, config=one.source.at)


def _report_misread(taken: Taken, report: Report) -> None:
    """Report plain scalars of a config or a resource that other readers read differently, or that lose digits: per cause one finding, at the first."""
    found = [(path, one) for path, one in scalars(taken.value, taken.path) if isinstance(one, (Text, Float, Int))]
    for kind, why, is_reported in (("retyped-scalar", _WORDS, _is_word), ("text-digits", _DIGITS, _loses_digits)):
        if reported := [(path, scalar) for path, scalar in found if is_reported(scalar)]:
            shown = [f"`{to_field(path[len(taken.path) :])}: {scalar.text}`" for path, scalar in reported]
            place = place_of(taken.says(reported[0][0], None))
            report.warning(kind, "30", f"layer {taken.name}: {suggest.several(shown)}: {why}", **place)


def _is_word(scalar: Any) -> bool:
    return isinstance(scalar, Text) and scalar.source == scalar.text and is_disputed(scalar.text)


def _loses_digits(scalar: Any) -> bool:
    """Return whether a number differs from how it looks; one with a fraction or an exponent may still be whole."""
    if not isinstance(scalar, Float) and not (isinstance(scalar, Int) and _FRACTION.fullmatch(scalar.text)):
        return False
    return kind_of(scalar.text, float(scalar), floats=True) == "digits"


def _check_names(listed: tuple[settings.Layer, ...], found: list[Layer], report: Report) -> None:
    """Report layers with the same name, or with that of the defaults of a schema."""
    labels = {layer.number: layer.item.label for layer in found if layer.item is not None}
    first: dict[str, int] = {}
    for one in listed:
        name = one.name or labels.get(one.number, "")
        if name == SCHEMA:
            text = f"`layers[{one.number}]`: no layer may be called `{SCHEMA}`, as the defaults of the schema are; give it a `name`"
            report.error(CONFIG, "18", text, config=one.source.at)
        elif name and name in first:
            text = f"`layers[{one.number}]`: is called `{name}` like `layers[{first[name]}]`: give one of them a `name`"
            report.error(CONFIG, "18", text, config=one.source.at)
        first.setdefault(name, one.number)
