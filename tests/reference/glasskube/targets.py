"""Which places a Package writes to, and what [45, 55, 56, 71 to 78, 83 to 87]."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from krm_values._go.template_parser import TemplateError
from krm_values.glasskube_values import json_patch as apply
from krm_values.glasskube_values.json_patch import PatchError
from krm_values.glasskube_values.patches import render
from tests.reference.glasskube.manifests import GLASSKUBE, OURS, Manifest, Target
from tests.reference.glasskube.values import BOOLEANS, Unresolved, World, may_be_missing, namespace_of

Json = Any


class Failed(Exception):
    """A stage that fails, by its kind."""


class Waits(Exception):
    """A source that only the cluster has."""


@dataclass
class Patch:
    """One operation to do. secret: whether it carries what a Secret held."""

    name: str
    target: Target
    value: Json
    secret: bool

    @property
    def transforms(self) -> bool:
        return self.name.startswith("transformation ")


def patch_of(name: str, kind: str, text: Json, target: Target, *, secret: bool, typed: bool, alias: bool) -> Patch:
    """What a target writes for a value. kind: the definition's type, "" for a transformation."""
    try:
        apply.check_op(target.op)
    except PatchError:
        raise Failed("patch") from None
    if not target.chart and (target.apigroup or "").count("/") > 1:
        raise Failed("target")
    if target.template:
        try:
            return Patch(name, target, render(target.template, text, alias=alias).value, secret)
        except TemplateError:
            raise Failed("template") from None
    if typed and not keeps_text(target):
        if kind == "boolean":
            return Patch(name, target, BOOLEANS[text], secret)
        if kind == "number":
            return Patch(name, target, int(text), secret)
    return Patch(name, target, text, secret)


def of_target(name: str, target: Target, world: World) -> bool:
    """[S28, S29] A field of the config that holds for charts where it is not given."""
    given = world.config.get(name)
    return bool(target.chart) if given is None else bool(given)


def keeps_text(target: Target) -> bool:
    """Whether a target lies below `data` or `stringData` of a ConfigMap or Secret."""
    parts = target.path.strip("/").split("/")
    return (
        not target.chart
        and target.apigroup == "v1"
        and target.kind in ("ConfigMap", "Secret")
        and parts[0] in ("data", "stringData")
    )


def group_version(apigroup: str | None) -> tuple[str, str] | None:
    """[72]"""
    if not apigroup:
        return None
    group, slash, version = apigroup.partition("/")
    return (group, version) if slash else ("", apigroup)


def matched(target: Target, package: Json, manifest: Manifest, world: World) -> list[int]:
    """The indexes of the items that a resource target means."""
    wanted = group_version(target.apigroup)
    found = []
    for index, item in enumerate(world.items):
        group, _, version = item["apiVersion"].rpartition("/")
        namespace = namespace_of(item)
        alone = package["kind"] == "Package" and not namespace_of(package)
        if alone and namespace != target.namespace:  # [S30]
            continue
        if not alone and package["kind"] == "Package" and namespace not in ("", namespace_of(package)):
            continue
        if group in (GLASSKUBE, OURS) or item["kind"] == "Kptfile":
            continue
        if (group, version) != wanted or (item["kind"], item["metadata"]["name"]) != (target.kind, target.name):
            continue
        if not namespace:
            namespace = namespace_of(package) if package["kind"] == "Package" else default(manifest, world.files[index])
        if target.namespace in ("", namespace):
            found.append(index)
    return found


def default(manifest: Manifest, file: str) -> str:
    """[74] The namespace of the plain manifest that an item comes from, where that is known, else the manifest's."""
    known = (
        manifest.plain
        if len(manifest.plain) == 1
        else [one for one in manifest.plain if one[0] == file.rsplit("/", maxsplit=1)[-1]]
    )
    return (known[0][1] if known else "") or manifest.namespace


def source(written: Json, path: str, package: Json, world: World) -> tuple[Json, int | None]:
    """What a transformation reads, and the index of the item [83 to 86]. Failed if there is nothing."""
    if written is None:
        return query(package, path), None
    apigroup = written.get("apiGroup")
    if apigroup is None:
        apigroup = written.get("apiVersion")
    wanted = group_version(apigroup)
    if wanted is None:
        raise Failed("transformation")
    namespace = namespace_of(package) if package["kind"] == "Package" else ""
    try:
        index = world.find(wanted[0], wanted[1], written.get("kind") or "", namespace, written.get("name") or "")
    except Unresolved:
        raise Failed("transformation") from None
    if index is None:
        if wanted[0] == "" and may_be_missing(written["kind"], namespace, written["name"], world):
            raise Waits
        raise Failed("transformation")
    return query(world.items[index], path), index


def query(data: Json, path: str) -> Json:
    """[85] for `{ $.a.b }`, `{.a[0]}`, `{.a[*]}` and plain text."""
    inside = re.fullmatch(r"\{\s*\$?((?:\.[\w-]+|\[(?:\*|\d+)\])*)\s*\}", path)
    if not inside:
        return path
    found = [data]
    for member, element in re.findall(r"\.([\w-]+)|\[(\*|\d+)\]", inside[1]):
        after: list[Json] = []
        for one in found:
            if member and isinstance(one, dict) and member in one:
                after.append(one[member])
            elif element == "*" and isinstance(one, list):
                after += one
            elif element.isdigit() and isinstance(one, list) and int(element) < len(one):
                after.append(one[int(element)])
        found = after
    if len(found) != 1:
        raise Failed("transformation")
    return found[0]


def pointer(path: str) -> str:
    """What a path of names leads to."""
    return "/" + "/".join(re.findall(r"\.([\w-]+)", path))


def keys_of_secret(items: list[Json], index: int, path: str) -> list[tuple[int, str, str]]:
    """The values of a Secret that a pointer names and that are not empty."""
    item, parts = items[index], path.strip("/").split("/")
    if (item["apiVersion"], item["kind"]) != ("v1", "Secret") or parts[0] not in ("data", "stringData"):
        return []
    old = item[parts[0]] if isinstance(item.get(parts[0]), dict) else {}
    return [(index, parts[0], key) for key in old if old[key] and parts[1:] in ([], [key])]
