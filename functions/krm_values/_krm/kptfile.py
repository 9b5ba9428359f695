"""A package's Kptfile, decoded as strictly as kpt does."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.pointer import to_field
from krm_values._data.record import record
from krm_values._data.scalars import text_of
from krm_values._data.shown import described
from krm_values._yaml.decode import find, key_text, parse, to_data

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._yaml.decode import Node


NAME = "Kptfile"
_ANY, _TEXT = object(), object()
_TEXTS = {"*": _TEXT}
_GIT = {"repo": _TEXT, "directory": _TEXT, "ref": _TEXT, "commit": _TEXT}
_OCI = {"image": _TEXT, "path": _TEXT, "digest": _TEXT}
_UPSTREAM = {"type": _TEXT, "git": _GIT, "oci": _OCI, "updateStrategy": _TEXT}
_SELECTOR = {"apiVersion": _TEXT, "kind": _TEXT, "name": _TEXT, "namespace": _TEXT, "labels": _TEXTS, "annotations": _TEXTS}
_FUNCTION = {
    "image": _TEXT,
    "exec": _TEXT,
    "configPath": _TEXT,
    "configMap": _TEXTS,
    "name": _TEXT,
    "tag": _TEXT,
    "selectors": [_SELECTOR],
    "exclude": [_SELECTOR],
}
_INFO = dict.fromkeys(("site", "license", "licenseFile", "description", "man"), _TEXT)
_METADATA = {"name": _TEXT, "namespace": _TEXT, "labels": _TEXTS, "annotations": _TEXTS, "creationTimestamp": _ANY}
# every field that a released kpt knows (pkg/api/kptfile/v1/types.go)
_KPTFILE = {
    "apiVersion": _TEXT,
    "kind": _TEXT,
    "metadata": _METADATA,
    "upstream": _UPSTREAM,
    "upstreamLock": _UPSTREAM,
    "origin": _UPSTREAM,
    "info": {**_INFO, "emails": [_TEXT], "keywords": [_TEXT], "readinessGates": _ANY},
    "pipeline": {"mutators": [_FUNCTION], "validators": [_FUNCTION]},
    "inventory": {"namespace": _TEXT, "name": _TEXT, "inventoryID": _TEXT, "labels": _TEXTS, "annotations": _TEXTS},
    "status": _ANY,
}


@record
class Selector:
    """A selector: all given fields must be equal."""

    fields: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, str], ...]
    annotations: tuple[tuple[str, str], ...]

    def fits(self, item: Item) -> bool:
        """Return whether every field of the selector equals the item's, as kpt compares them."""
        found = {"apiVersion": item.api_version, "kind": item.kind, "namespace": item.namespace, "name": item.name}
        if any(found[field] != value for field, value in self.fields):
            return False
        if not self.labels and not self.annotations:
            return True
        metadata = item.data.get("metadata") if isinstance(item.data, dict) else None
        labels = _texts(metadata, "labels")
        annotations = {**_texts(metadata, "annotations"), **item.reading.annotations}
        return all(labels.get(key) == value for key, value in self.labels) and all(
            annotations.get(key) == value for key, value in self.annotations
        )


@record
class Step:
    """One function of a pipeline. `path` is its place in the Kptfile; `config_map` is None if absent.

    places: line and column, from 1, of the step ("") and of each of its fields.
    """

    path: Path
    places: Mapping[str, tuple[int, int]]
    image: str
    exec: str
    name: str
    config_path: str
    config_map: Mapping[str, str] | None
    selectors: tuple[Selector, ...]
    exclude: tuple[Selector, ...]

    @property
    def field(self) -> str:
        """The path of the step: `pipeline.mutators[0]`."""
        return to_field(self.path)

    def selects(self, item: Item) -> bool:
        """Return whether the step gets a resource of its package: one that fits any selector and no exclusion."""
        exclude = (selector for selector in self.exclude if selector.fields or selector.labels or selector.annotations)
        is_chosen = not self.selectors or any(selector.fits(item) for selector in self.selectors)
        return is_chosen and not any(selector.fits(item) for selector in exclude)


@record
class Kptfile:
    """The pipeline of a Kptfile."""

    mutators: tuple[Step, ...]
    validators: tuple[Step, ...]


def _texts(metadata: JSON, field: str) -> dict[str, str]:
    found = metadata.get(field) if isinstance(metadata, dict) else None
    return {key: text_of(value) for key, value in found.items()} if isinstance(found, dict) else {}


def read(text: str, file: str) -> Kptfile:
    """Decode a Kptfile. InputError, with `file` and line, for an unknown field, a wrong type or a contradictory step."""
    try:
        root = parse(text)
        decoded = _decode(root, _KPTFILE, ())
        _check_version(decoded, root)
        pipeline = decoded.get("pipeline", {})
        mutators, validators = (
            tuple(_step(entry, root, part, i) for i, entry in enumerate(pipeline.get(part, ())))
            for part in ("mutators", "validators")
        )
    except InputError as error:
        raise InputError(error.message, error.line, error.column, file) from None
    return Kptfile(mutators, validators)


def _check_version(decoded: Mapping[str, Any], root: Node) -> None:
    version, kind = decoded.get("apiVersion", ""), decoded.get("kind", "")
    if (version, kind) == ("kpt.dev/v1", "Kptfile"):
        if decoded.get("metadata", {}).get("annotations", {}).get("kpt.dev/bfs-rendering", "").lower() == "true":
            raise _error(
                root, "asks for breadth-first rendering (`kpt.dev/bfs-rendering`), which only kpt does: use `kpt fn render`"
            )
        return
    near = suggest.hint(kind, ("Kptfile",)) if kind != "Kptfile" else suggest.hint(version, ("kpt.dev/v1",))
    old = "; upgrade it with kpt first" if kind == "Kptfile" and version.startswith("kpt.dev/v1alpha") else ""
    raise _error(
        root,
        f"must be `apiVersion: kpt.dev/v1`, `kind: Kptfile`; found {described(version)} and {described(kind)}{old or near}",
    )


def _step(entry: Mapping[str, Any], root: Node, part: str, index: int) -> Step:
    path = ("pipeline", part, index)
    node = find(root, path) or root
    step = Step(
        path,
        _places(node),
        entry.get("image", ""),
        entry.get("exec", ""),
        entry.get("name", ""),
        entry.get("configPath", ""),
        entry.get("configMap"),
        tuple(_selector(selector) for selector in entry.get("selectors", ())),
        tuple(_selector(selector) for selector in entry.get("exclude", ())),
    )
    key, wrong = _contradiction(step)
    if wrong:
        raise InputError(f"`{step.field}`: {wrong}", *step.places[key])
    return step


def _places(node: Node) -> dict[str, tuple[int, int]]:
    keys = {key_text(key): key for key in node.keys} if node.kind == "map" else {}
    return {name: (place.line + 1, place.column + 1) for name, place in {"": node, **keys}.items()}


def _contradiction(step: Step) -> tuple[str, str]:
    """Return the field of a step that contradicts the others, and the message; two empty strings if there is none."""
    if not step.image and not step.exec:
        return "", "must say what to run: `image` or `exec`"
    if step.image and step.exec:
        return "", "must not have both `image` and `exec`"
    if step.config_map and step.config_path:
        return "", "must not have both `configMap` and `configPath`"
    path = posixpath.normpath(step.config_path)
    if posixpath.isabs(path) or path.split("/")[0] == "..":
        return "configPath", f"`configPath` must be a path inside the package; found {described(step.config_path)}"
    return "", ""


def _selector(entry: Mapping[str, Any]) -> Selector:
    fields = tuple((key, value) for key, value in entry.items() if isinstance(value, str) and value)
    return Selector(fields, tuple(entry.get("labels", {}).items()), tuple(entry.get("annotations", {}).items()))


def _decode(node: Node, form: Any, path: Path) -> Any:
    if node.kind == "alias":
        node = node.target
    if form is _ANY:
        return None
    if node.kind == "scalar" and node.value in ("", "~", "null", "Null", "NULL") and not node.style:
        return "" if form is _TEXT else None
    if form is _TEXT:
        if node.kind != "scalar":
            raise _error(node, f"`{to_field(path)}`: must be text, found {_found(node)}")
        return node.value
    if isinstance(form, list):
        if node.kind != "list":
            raise _error(node, f"`{to_field(path)}`: must be a list, found {_found(node)}")
        return [_decode(item, form[0], (*path, i)) or {} for i, item in enumerate(node.items)]
    if node.kind != "map":
        raise _error(
            node,
            f"`{to_field(path)}`: must be a map, found {_found(node)}" if path else f"must be a map, found {_found(node)}",
        )
    return _decode_map(node, form, path)


def _decode_map(node: Node, form: Mapping[str, Any], path: Path) -> dict[str, Any]:
    decoded: dict[str, Any] = {}
    for key, value in zip(node.keys, node.items, strict=True):
        name = key_text(key)
        inner = form.get(name, form.get("*"))
        if name in decoded:
            raise _error(key, f"must not repeat the key `{name}`")
        if inner is None:
            raise _error(key, f"`{to_field((*path, name))}`: is not a field of a Kptfile{suggest.hint(name, form)}")
        decoded[name] = _decode(value, inner, (*path, name))
    return {name: value for name, value in decoded.items() if value is not None}


def _found(node: Node) -> str:
    return described(to_data(node))


def _error(node: Node, message: str) -> InputError:
    return InputError(message, node.line + 1, node.column + 1)
