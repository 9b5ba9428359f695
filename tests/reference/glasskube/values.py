"""What a Package's values are, and whether they may be that [11 to 44]."""

from __future__ import annotations

import base64
import binascii
import fnmatch
import re
from dataclasses import dataclass
from typing import Any

from krm_values._go import regexp
from krm_values._go.regexp import PatternError
from tests.reference.glasskube.manifests import GLASSKUBE, Definition

Json = Any
REFERENCES = {"configMapRef": "ConfigMap", "secretRef": "Secret"}
BOOLEANS = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}


class Unresolved(Exception):
    """A value that cannot be had."""


class Misconfigured(Exception):
    """An entry of spec.values that is none."""


@dataclass(frozen=True)
class Value:
    """text: None if only the cluster has it. reads: the keys of Secrets that were read, as (item's index, `data` or `stringData`, key)."""

    text: str | None
    secret: bool = False
    reads: tuple[tuple[int, str, str], ...] = ()


@dataclass
class World:
    """Everything a reference may reach."""

    items: list[Json]
    config: dict[str, Json]
    files: list[str]

    def find(self, group: str, version: str | None, kind: str, namespace: str, name: str) -> int | None:
        """The index of the one such item, None if there is none. Unresolved if there are several that differ."""
        found = [
            index
            for index, item in enumerate(self.items)
            if item["apiVersion"].rpartition("/")[0] == group
            and version in (None, item["apiVersion"].rpartition("/")[2])
            and item["kind"] == kind
            and namespace_of(item) == namespace
            and item["metadata"]["name"] == name
        ]
        if any(self.items[index] != self.items[found[0]] for index in found):
            raise Unresolved("several")
        return found[0] if found else None


def namespace_of(item: Json) -> str:
    return item["metadata"].get("namespace") or ""


def check_entry(entry: Json) -> None:
    """[13 to 15, D7]"""
    if not isinstance(entry, dict) or len([key for key in ("value", "valueFrom") if key in entry]) != 1:
        raise Misconfigured
    if "value" in entry:
        if not isinstance(entry["value"], str):
            raise Misconfigured
        return
    found = [key for key in (*REFERENCES, "packageRef") if key in entry["valueFrom"]]
    if len(found) != 1:
        raise Misconfigured
    reference = entry["valueFrom"][found[0]]
    wanted = "value" if found[0] == "packageRef" else "key"
    given = wanted in reference or (wanted == "key" and "value" in reference)
    if not given or "name" not in reference:
        raise Misconfigured


def resolved(entry: Json, holder: Json, world: World, way: tuple[tuple[str, str], ...]) -> Value:
    """The value of an entry of a Package. way: the ClusterPackages' values that led here."""
    check_entry(entry)
    if "value" in entry:
        return Value(entry["value"])
    (name, reference), *_ = ((key, entry["valueFrom"][key]) for key in (*REFERENCES, "packageRef") if key in entry["valueFrom"])
    if name == "packageRef":
        return through_package(reference, world, way)
    namespace = reference.get("namespace") or ""
    if not namespace:
        if holder["kind"] == "ClusterPackage":
            raise Unresolved("no namespace")
        namespace = namespace_of(holder)  # [D8]
    return from_object(REFERENCES[name], namespace, reference, world)


def through_package(reference: Json, world: World, way: tuple[tuple[str, str], ...]) -> Value:
    step = (reference["name"], reference["value"])
    if step in way:
        raise Unresolved("ring")
    index = world.find(GLASSKUBE, "v1alpha1", "ClusterPackage", "", reference["name"])
    if index is None:
        raise Unresolved("no package")
    other = world.items[index]
    values = other["spec"].get("values") or {}
    if reference["value"] not in values:
        raise Unresolved("no value")
    return resolved(values[reference["value"]], other, world, (*way, step))


def from_object(kind: str, namespace: str, reference: Json, world: World) -> Value:
    index = world.find("", "v1", kind, namespace, reference["name"])
    secret = kind == "Secret"
    if index is None:
        if may_be_missing(kind, namespace, reference["name"], world):
            return Value(None, secret)
        raise Unresolved("no object")
    item, key = world.items[index], reference.get("key", reference.get("value"))
    texts, data = (item.get(name) or {} for name in ("stringData", "data"))
    if not isinstance(texts, dict) or not isinstance(data, dict):
        raise Unresolved("no texts")
    if not isinstance(texts.get(key, "") if secret and key in texts else data.get(key), str):
        raise Unresolved("no key, or no text")
    if secret and key in texts:
        return Value(texts[key], secret=True, reads=((index, "stringData", key),))
    if not secret:
        return Value(data[key])
    try:
        return Value(base64.b64decode(data[key], validate=True).decode(), secret=True, reads=((index, "data", key),))
    except (binascii.Error, UnicodeDecodeError):
        raise Unresolved("base64") from None


def may_be_missing(kind: str, namespace: str, name: str, world: World) -> bool:
    return any(
        allowed["kind"] == kind and allowed.get("namespace") in (None, namespace) and fnmatch.fnmatchcase(name, allowed["name"])
        for allowed in world.config.get("allowMissing") or []
    )


def is_valid(text: str, definition: Definition) -> bool:
    """[34 to 40]"""
    bounds = definition.bounds
    if definition.type == "boolean":
        return text in BOOLEANS
    if definition.type == "options":
        return text in definition.options
    if definition.type == "number":
        if not re.fullmatch("[+-]?[0-9]+", text) or not -(2**63) <= int(text) < 2**63:
            return False
        if "min" in bounds and int(text) < bounds["min"]:
            return False
        if "max" in bounds and int(text) > bounds["max"]:
            return False
    else:
        length = len(text.encode())
        if "minLength" in bounds and length < bounds["minLength"]:
            return False
        if "maxLength" in bounds and length > bounds["maxLength"]:
            return False
    return not definition.pattern or fits(definition.pattern, text)


def fits(expression: str, text: str) -> bool:
    try:
        return regexp.matches(expression, text)
    except PatternError:
        return False  # [36]
