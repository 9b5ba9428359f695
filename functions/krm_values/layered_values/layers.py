"""Reads all layers of a config once, in merge order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import ABSENT
from krm_values._data.record import record, replace
from krm_values._data.shown import type_of
from krm_values._kit.layers import configmaps
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.item import Item, is_secret
from krm_values._kit.planner.plan import CONFIG, Finding
from krm_values._kit.planner.report import Report
from krm_values.layered_values import parts, placed, spelt, texts
from krm_values.layered_values.find import Finder
from krm_values.layered_values.paths import path_text, with_dots
from krm_values.layered_values.tree import SCHEMA, WRONG, Fixed, Layer, OriginOf, Within, tree
from krm_values.layered_values.walk import down

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Severity
    from krm_values._kit.planner.resources import Resources
    from krm_values.layered_values import parsed as settings
    from krm_values.layered_values.parsed import Source
    from krm_values.layered_values.selectors import Index

_MANY = "*"
_OPTIONAL: tuple[Severity, str] = ("info", "absent")
_REQUIRED: tuple[Severity, str] = ("error", "no-value")


@record
class Taken:
    """A value of a source: the function that gives its origin, its path there, and the layer's name for it."""

    value: Any
    says: Any
    path: Path
    name: str


class Reader:
    """Reads layers, and collects findings in its report."""

    __slots__ = ("_finder", "_limits", "_objects", "_references", "report")

    def __init__(self, resources: Resources, index: Index, *, references: bool) -> None:
        self._finder, self._limits, self._references = Finder(resources, index), resources.limits, references
        self._objects = configmaps.Objects()
        self.report = Report()

    def layers(self, listed: tuple[settings.Layer, ...]) -> list[Layer]:
        """Return the layers in merge order; each document of a text is a layer."""
        ordered = sorted(listed, key=lambda one: one.priority)
        found = [layer for one in ordered for layer in self._layer(one)]
        self._check_names(listed, found)
        return found

    def taken(self, source: Source, name: str, *, optional: bool = False) -> tuple[Item | None, list[Taken]]:
        """Return the object of a source, and its values there; none, with a finding, if the object cannot be used."""
        label = f"layer {name}" if name else _place(source)
        if source.kind == "values":
            return None, [Taken(dict(source.values or {}), OriginOf(name, config=(*source.at, "values")), (), name)]
        found = self._finder.find(source, label, optional=optional)
        if isinstance(found, Finding):
            self.report.add(found)
            return None, []
        name = name or found.label
        if found.data is None:
            return found, []
        if isinstance(found.data, dict) and isinstance(found.data.get("sops"), dict):
            self._encrypted(found, (), name)
            return found, []
        read = self._field if source.kind == "from" else self._object
        return found, read(source, found, name, optional=optional)

    def _layer(self, one: settings.Layer) -> Iterator[Layer]:
        item, taken = self.taken(one.source, one.name, optional=one.optional)
        for each in taken:
            cut = self._part(one, each, item) if one.part is not None else each
            if cut is None or (cut.value is None and not one.is_placed):
                continue
            if not one.is_placed and not isinstance(cut.value, dict):
                self._not_a_map(one, cut, item)
                continue
            refuse = self._refuser(cut) if self._references and one.source.kind != "from" else None
            node: Any = tree(cut.value, cut.says, cut.path, refuse) if cut.value != {} or one.is_placed else {}
            if not one.is_placed and not isinstance(node, dict):
                if node.value is not None:  # a reference; one that is wrong is an error already
                    self._not_a_map(one, cut, item)
                continue
            for key in reversed(one.into):
                node = {key: node}
            inline = one.source.kind == "values"
            if item is None or (one.source.kind == "from" and not is_secret(item)):
                self.report.extend(spelt.findings_of(cut.value, cut.says, cut.path, cut.name))
            reads = () if inline else each.says.field(each.path)
            yield Layer(cut.name, one.number, node, item, one.when, inline, reads)

    def _object(self, source: Source, item: Item, name: str, *, optional: bool) -> list[Taken]:
        """Return the values of a ConfigMap or Secret: of the one data key that is meant, or of all keys."""
        held = self._objects.content(item)
        for path, text in held.faults:
            if source.key in (None, _MANY) or path[1:] in ((), (source.key,)):
                self.report.error("text", "33", f"layer {name}: {text}", item, path)
                return []
        if source.key == _MANY:
            return self._keys(source, item, held, name, optional=optional)
        key = self._key(source, item, held, name, optional=optional)
        if key is None:
            return []
        path, text = held.paths[key], held.texts[key]
        found = texts.documents(item, path, text, self._limits, self.report)
        if texts.is_encrypted(text, found):
            self._encrypted(item, path, name)
            return []
        taken = [
            Taken(one.data, OriginOf(_numbered(name, one.number), item, path, one.text), (), _numbered(name, one.number))
            for one in found
        ]
        return self._below(source, taken, item, name, optional=optional)

    def _key(self, source: Source, item: Item, held: configmaps.ObjectData, name: str, *, optional: bool) -> str | None:
        """Return the data key that is meant; None if there is none."""
        if source.key is None:
            if len(held.texts) > 1:
                text = f"layer {name}: has several keys, {suggest.listed(sorted(held.texts))}: say which one with `key`"
                self.report.error("keys", "12", text, item)
            return next(iter(held.texts)) if len(held.texts) == 1 else None
        if source.key in held.texts:
            return source.key
        if optional:
            text = f"layer {name}: has no key `{source.key}`, so it is absent, as `optional` allows"
            self.report.info("absent", "21", text, item, config=(*source.at, "key"))
        else:
            text = f"layer {name}: has no key `{source.key}`{suggest.hint(source.key, held.texts)}"
            self.report.error("keys", "12", text, item, config=(*source.at, "key"))
        return None

    def _keys(self, source: Source, item: Item, held: configmaps.ObjectData, name: str, *, optional: bool) -> list[Taken]:
        """Return each data key as a value; its text stays a string."""
        for key, text in held.texts.items():
            if text.startswith(texts.ENCRYPTED):
                self._encrypted(item, held.paths[key], name)
                return []
        field = next(iter({path[:1] for path in held.paths.values()}), ("data",))
        says = (
            OriginOf(name, item, field)
            if len({path[:1] for path in held.paths.values()}) < 2
            else _BothFields(name, item, held)
        )
        return self._below(source, [Taken(dict(held.texts), says, (), name)], item, name, optional=optional)

    def _below(self, source: Source, taken: list[Taken], item: Item, name: str, *, optional: bool) -> list[Taken]:
        """Return the part of each value at `path`; values without it are left out, unless all lack it."""
        if not source.path:
            return taken
        found: list[Taken] = []
        for one in taken:
            value, path, left = down(one.value, source.path)
            if value is not ABSENT and not left:
                found.append(replace(one, value=value, path=path))
        if not found:
            self._no_value(source, item, name, [one.value for one in taken], optional=optional)
        return found

    def _field(self, source: Source, item: Item, name: str, *, optional: bool) -> list[Taken]:
        """Return the value at a path of any resource, which may continue inside a text."""
        data = item.data if not is_secret(item) else self._decoded(item, name)
        value, path, left = down(data, source.path)
        if isinstance(value, str) and value.startswith(texts.ENCRYPTED):
            self._encrypted(item, path, name)
            return []
        if isinstance(value, str) and left:
            return self._inside(source, item, name, (value, path, left), optional=optional)
        if value is ABSENT:
            self._no_value(source, item, name, [data], optional=optional)
            return []
        return [Taken(value, OriginOf(name, item), path, name)]

    def _inside(self, source: Source, item: Item, name: str, at: tuple[str, Path, Any], *, optional: bool) -> list[Taken]:
        text, path, left = at
        before = len(self.report.findings)
        found = texts.documents(item, path, text, self._limits, self.report)
        if any(finding.severity == "error" for finding in self.report.findings[before:]):
            return []
        if texts.is_encrypted(text, found):
            self._encrypted(item, path, name)
            return []
        document = found[0].text if len(found) == 1 and isinstance(found[0].data, dict | list) else None
        says: Any = OriginOf(name, item, path, document)
        while document is not None:
            value, inner, left = down(document.data, left)
            if value is ABSENT:
                self._no_value(source, item, name, [item.data], optional=optional)
                return []
            if not left:
                return [Taken(value, says, inner, name)]
            document = texts.nested(value, self._limits)
            says = Within(says(inner, value), document) if document else says
        fault = f"layer {name}: `{source.path_text}` continues below a text that is not one map or list{_meant(source, [item.data])}"
        self.report.error("not-a-map", "68", fault, item, path)
        return []

    def _decoded(self, item: Item, name: str) -> Any:
        """Return a Secret with its data decoded."""
        held = self._objects.content(item)
        for path, text in held.faults:
            self.report.error("text", "33", f"layer {name}: {text}", item, path)
        data: Any = item.data
        clear = {key: text for key, text in held.texts.items() if held.paths[key][0] == "data"}
        return {**data, "data": clear} if isinstance(data, dict) and "data" in data else data

    def _part(self, one: settings.Layer, taken: Taken, item: Item | None) -> Taken | None:
        """Return the piece of a string that a layer uses."""
        origin = taken.says(taken.path, taken.value)
        if not isinstance(taken.value, str):
            text = f"layer {taken.name}: a part is one of a string, found {type_of(taken.value)}"
            self.report.error("part", "83", text, item, origin.path, config=(*one.source.at, "part"))
            return None
        assert one.part is not None
        piece = parts.read(taken.value, one.part)
        if piece is not None:
            return Taken(piece, Fixed(origin), (), taken.name)
        name = one.part if isinstance(one.part, str) else f"piece {one.part.index}"
        severity, kind = _OPTIONAL if one.optional else _REQUIRED
        text = f"layer {taken.name}: {{found}} has no {name}"
        self.report.add(Finding(severity, kind, "24", text, item, origin.path, origin))
        return None

    def _no_value(self, source: Source, item: Item, name: str, within: list[Any], *, optional: bool) -> None:
        severity, kind = _OPTIONAL if optional else _REQUIRED
        allowed = (", as `optional` allows" if optional else "") + _meant(source, within)
        text = f"layer {name}: {title(item)} has no `{source.path_text}`{allowed}"
        self.report.add(Finding(severity, kind, "15", text, item, config=(*source.at, "path")))

    def _not_a_map(self, one: settings.Layer, taken: Taken, item: Item | None) -> None:
        found = "" if item and is_secret(item) else f", found {type_of(taken.value)}"
        text = f"layer {taken.name}: the top of its values must be a map{found}: say with `at` where it is put"
        origin = taken.says(taken.path, None)
        self.report.error("not-a-map", "17", text, item, origin.path if item else (), config=one.source.at)

    def _encrypted(self, item: Item, path: Path, name: str) -> None:
        text = f"layer {name}: is encrypted with SOPS: decrypt it first"
        self.report.error("encrypted", "22", text, item, path)

    def _refuser(self, taken: Taken) -> Any:
        """Return a function that reports a map with `$value` that is not a valid reference."""

        def refuse(path: Path) -> None:
            origin = taken.says(path, None)
            text = f"layer {taken.name}: {WRONG}"
            found = placed.at(origin)
            if origin.inner and "path" in found:
                found["path"] = (*origin.path, *origin.inner)
            self.report.add(Finding("error", "reference", "50", text, **found))

        return refuse

    def _check_names(self, listed: tuple[settings.Layer, ...], found: list[Layer]) -> None:
        """Report layers with the same name, or with that of the defaults of a schema."""
        labels = {layer.number: layer.item.label for layer in found if layer.item is not None}
        first: dict[str, int] = {}
        for one in listed:
            name = one.name or labels.get(one.number, "")
            if name == SCHEMA:
                text = f"`layers[{one.number}]`: no layer may be called `{SCHEMA}`, as the defaults of the schema are; give it a `name`"
                self.report.error(CONFIG, "18", text, config=one.source.at)
            elif name and name in first:
                text = f"`layers[{one.number}]`: is called `{name}` like `layers[{first[name]}]`: give one of them a `name`"
                self.report.error(CONFIG, "18", text, config=one.source.at)
            first.setdefault(name, one.number)


class _BothFields:
    """Returns the origins of the keys of a Secret, each in one of its two fields."""

    __slots__ = ("base", "held", "item", "layer")

    def __init__(self, layer: str, item: Item, held: configmaps.ObjectData) -> None:
        self.layer, self.item, self.held, self.base = layer, item, held, ("data",)

    def __call__(self, path: Path, value: Any) -> Any:
        return OriginOf(self.layer, self.item)(self.field(path), value)

    def field(self, path: Path) -> Path:
        """Return the field of the item that has the value."""
        at = self.held.paths.get(str(path[0]), ("data",)) if path else ("data",)
        return (*at[:1], *path)

    def written(self, _path: Path, value: Any) -> str:
        return str(value)


def _meant(source: Source, within: list[Any]) -> str:
    """Return `; did you mean ...?` with the path in which a key has dots, if some of the data have that."""
    paths = (with_dots(data, down(data, source.path)[1], source.path) for data in within)
    return next((f"; did you mean `{path_text(path)}`?" for path in paths if path), "")


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}#{number}"


def _place(source: Source) -> str:
    return "`" + "".join(f"[{part}]" if isinstance(part, int) else str(part) for part in source.at) + "`"
