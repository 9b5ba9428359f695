"""Layers from the list [10-24]: each becomes none, one or several documents with a name."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

import yaml

from tests.reference.layered_values import images, paths
from tests.reference.layered_values.faults import Findings, Stop
from tests.reference.layered_values.scalars import documents
from tests.reference.layered_values.tree import Value, tree

Json = Any


@dataclass(frozen=True)
class Layer:
    """One document, its name, and for what it counts."""

    name: str
    value: Value
    when: Json
    entry: int


def chosen(item: Json, selector: Json) -> bool:
    """Whether a selector means a resource [61]."""
    metadata = item["metadata"]
    fields = {
        "apiVersion": item["apiVersion"],
        "kind": item["kind"],
        "name": metadata["name"],
        "namespace": metadata.get("namespace", ""),
    }
    if any(key in selector and not _fits(fields[key], selector[key]) for key in fields):
        return False
    labels = metadata.get("labels") or {}
    if any(
        key not in labels or (text != "*" and not _fits(str(labels[key]), text))
        for key, text in selector.get("labels", {}).items()
    ):
        return False
    local = (metadata.get("annotations") or {}).get("config.kubernetes.io/local-config") == "true" or item["kind"] == "Kptfile"
    exact = all(key in selector and "*" not in selector[key] for key in ("kind", "name"))
    return exact or not local


def _fits(text: str, pattern: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None


def read(entries: list[Json], items: list[Json], findings: Findings, *, references: bool) -> list[Layer]:
    """The layers in merge order [19]."""
    found: list[tuple[int, Layer]] = []
    for number, entry in enumerate(entries):
        try:
            found += [
                (entry.get("priority", 0), layer) for layer in _layers(entry, items, number, findings, references=references)
            ]
        except Stop as stop:
            findings.error(str(stop))
    return [layer for _, layer in sorted(found, key=lambda pair: pair[0])]


def _layers(entry: Json, items: list[Json], number: int, findings: Findings, *, references: bool) -> list[Layer]:
    try:
        name, data, secret, literal = _source(entry, items)
        data = _parts(entry, data)
    except Stop as stop:
        if entry.get("optional") and str(stop) in ("no-object", "keys", "no-value"):
            findings.infos.add("absent")
            return []
        raise
    made = []
    for place, document in enumerate(data):
        called = entry.get("name", name) + (f"#{place + 1}" if place else "")
        at = paths.parse(entry.get("at", "."))
        if not at and document is None:
            continue
        whole = tree(document, called, secret=secret, literal=literal or not references)
        if not at and whole.sort != "map":
            raise Stop("not-a-map")
        for step in reversed(at):
            whole = Value({step: whole}, called, secret)
        made.append(Layer(called, whole, entry.get("when"), number))
    return made


def _source(entry: Json, items: list[Json]) -> tuple[str, list[Json], bool, bool]:
    """The layer's name, its documents, whether it is a Secret's, and whether maps of it are never references."""
    if "values" in entry:
        return "values", [entry["values"]], False, False
    if "from" in entry:
        item = _only([item for item in items if chosen(item, entry["from"])])
        return item["metadata"]["name"], [item], item["kind"] == "Secret", True
    kind, name = ("ConfigMap", entry["configMap"]) if "configMap" in entry else ("Secret", entry["secret"])
    item = _only(
        [
            item
            for item in items
            if (item["apiVersion"], item["kind"], item["metadata"]["name"]) == ("v1", kind, name)
            and entry.get("namespace", item["metadata"].get("namespace")) == item["metadata"].get("namespace")
        ]
    )
    data = data_of(item)
    if entry.get("key") == "*":
        return name, [data], kind == "Secret", False
    return name, _texts(data, entry.get("key")), kind == "Secret", False


def data_of(item: Json) -> dict[str, str]:
    """The data of a ConfigMap or Secret; `stringData` has precedence [11]."""
    data = item.get("data") or {}
    if item["kind"] != "Secret":
        return dict(data)
    try:
        decoded = {key: base64.b64decode(text, validate=True).decode() for key, text in data.items()}
    except (binascii.Error, UnicodeDecodeError) as error:
        raise Stop("text") from error
    return decoded | (item.get("stringData") or {})


def _texts(data: dict[str, str], key: str | None) -> list[Json]:
    if key is None and len(data) > 1:
        raise Stop("keys")
    if key is None and not data:
        return []
    if key is not None and key not in data:
        raise Stop("keys")
    text = data[next(iter(data)) if key is None else key]
    if text.startswith("ENC["):
        raise Stop("encrypted")
    try:
        found = documents(text, go=True)
    except yaml.YAMLError as error:
        raise Stop("text") from error
    if any(isinstance(document, dict) and isinstance(document.get("sops"), dict) for document in found):
        raise Stop("encrypted")
    return found


def _only(found: list[Json]) -> Json:
    if not found:
        raise Stop("no-object")
    if len(found) > 1:
        raise Stop("several")
    return found[0]


def _parts(entry: Json, data: list[Json]) -> list[Json]:
    """What `path` and `part` take of each document [15, 16, 24]."""
    if "path" in entry:
        steps = paths.parse(entry["path"])
        data = [found for document in data if (found := _inside(document, steps)) is not paths.ABSENT]
        if not data:
            raise Stop("no-value")
    if "part" in entry:
        for document in data:
            if not isinstance(document, str):
                raise Stop("part")
        data = [images.piece(document, entry["part"]) for document in data]
    return data


def _inside(value: Json, steps: tuple[paths.Step, ...]) -> Json:
    """As `paths.get`, and into texts [14, 68]; of a list, the one element that a `[name=web]` means."""
    for step in steps:
        if isinstance(value, str):
            value = document_in(value)
        if isinstance(step, paths.By):
            found = (
                [member for member in value if isinstance(member, dict) and member.get(step.key) == step.text]
                if isinstance(value, list)
                else []
            )
            value = found[0] if found else paths.ABSENT
        else:
            value = paths.get(value, (step,))
        if value is paths.ABSENT:
            return value
    return value


def document_in(text: str) -> Json:
    """The one map or list that a text holds [68]."""
    try:
        found = documents(text, go=True)
    except yaml.YAMLError as error:
        raise Stop("not-a-map") from error
    if len(found) != 1 or not isinstance(found[0], (dict, list)):
        raise Stop("not-a-map")
    return found[0]


def counts(layer: Layer, item: Json) -> bool:
    """Whether a layer counts for a resource [20]."""
    return layer.when is None or chosen(item, layer.when)
