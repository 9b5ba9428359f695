"""Checks what kpt accepts as a resource: any other document in a package's YAML and JSON files stops kpt before a function runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputsError
from krm_values._kit.api.unread import broken
from krm_values._kit.planner import places
from krm_values._kit.planner.item import unreadable

if TYPE_CHECKING:
    from krm_values._cli.package.tree import Tree
    from krm_values._kit.planner.item import Item

_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def check(tree: Tree) -> None:
    """Raise InputError with one line per invalid document, in kpt's words and with the fix."""
    items = [tree.item(number) for number in range(len(tree.documents))]
    faults = {item.number: _message(item, wrong) for item in items if (wrong := _wrong(item))}
    faults |= {item.number: str(item.error) for item in broken(items, lambda number: tree.documents[number].text)}
    found = [faults[number] for number in sorted(faults)]
    if found:
        raise InputsError(dict.fromkeys(found))


def _message(item: Item, wrong: str) -> str:
    if error := unreadable(item):
        return str(error)
    hint = "if it is not a resource, name the file in `.krmignore`"
    place, file = places.shown(item, places.of_field(item, ())), item.position.path
    return f"{place}: input resource list must contain only KRM resources: {file}: resource must have {wrong}; {hint}"


def _wrong(item: Item) -> str:
    """Return the missing field, "" if none is; a kustomization needs none, and `generateName` counts as a name here."""
    if item.file.rpartition("/")[2] in _KUSTOMIZATIONS or item.api_version.startswith("kustomize.config.k8s.io"):
        return ""
    if not item.api_version:
        return "" if item.kind == "Kustomization" else "`apiVersion`"
    if not item.kind:
        return "`kind`"
    return "" if item.label else "`metadata.name`"
