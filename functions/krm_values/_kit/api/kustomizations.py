"""Kustomize patches among the items: incomplete objects that change others. They are not resources, so no function reads them."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.served import Served

GROUP = "kustomize.config.k8s.io"
PATCH = "kustomize-patch"
_FILES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_LISTS = ("patches", "patchesStrategicMerge", "patchesJson6902")
_DIRECTIVE = "$patch"
_MAPS = ((), ("metadata",), ("spec",))  # further down a field may hold anything, a patch for something else as well


def patches(items: Sequence[Item], mentioning: Callable[[str], Iterable[Item]]) -> dict[int, str]:
    """Return why an item is a patch, by item number. mentioning: returns the items that contain a string."""
    found = {item.number: text for item in mentioning(_DIRECTIVE) if (text := _directive(item))}
    files = dict(_files(item for item in mentioning(_LISTS[0][:5]) if _is_kustomization(item)))
    for item in items if files else ():
        if item.placed and item.position.path in files:
            found.setdefault(item.number, f"`{files[item.position.path]}` lists its file as one")
    return found


def ignored_patches(found: dict[int, str], items: Iterable[Item], served: Sequence[Served]) -> Iterator[Finding]:
    """Yield an information about the patches of kinds that the function reads."""
    groups = {"", *(one.group for one in served)}
    for item in items:
        if item.number in found and item.group in groups:
            text = f"is a patch of kustomize and not a resource, so it is left as it is: {found[item.number]}"
            yield Finding("info", PATCH, None, text, item)


def _directive(item: Item) -> str:
    """Return the patch directive in an item, "" if there is none."""
    maps = (get(item.data, path) for path in _MAPS)
    directive = next((one[_DIRECTIVE] for one in maps if isinstance(one, dict) and _DIRECTIVE in one), None)
    return f"it has `{_DIRECTIVE}: {directive}`" if isinstance(directive, str) else ""


def _is_kustomization(item: Item) -> bool:
    return item.group == GROUP or (item.placed and posixpath.basename(item.position.path) in _FILES)


def _files(kustomizations: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """Yield the files that are listed as patches and not as resources, each with its kustomization."""
    data: list[tuple[str, Any]] = [(item.position.path, item.data) for item in kustomizations if isinstance(item.data, dict)]
    resources = {path for file, one in data for path in _paths(file, one.get("resources"))}
    for file, one in data:
        for name in _LISTS:
            yield from ((path, file) for path in _paths(file, one.get(name)) if path not in resources)


def _paths(file: str, entries: Any) -> Iterator[str]:
    """Yield the files that the entries of a list name, as paths of items."""
    for entry in entries if isinstance(entries, list) else ():
        path = entry.get("path") if isinstance(entry, dict) else entry
        if isinstance(path, str) and path and "\n" not in path:
            yield posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
