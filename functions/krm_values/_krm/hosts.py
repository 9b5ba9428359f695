"""What hosts (kpt, kustomize) say by annotations, which planners do not see, nor those of krm-values itself; and paths of packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.scalars import text_of
from krm_values._krm import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Protocol

    from krm_values._data.values import JSON

    class Listed(Protocol):
        """A source of items with their texts."""

        @property
        def items(self) -> Sequence[object]: ...
        def contains(self, text: str) -> bool: ...
        def text(self, number: int) -> str: ...


PATH, INDEX = "config.kubernetes.io/path", "config.kubernetes.io/index"
"""The file of an item, and its place there; as each is in the annotation's other spelling, a search for it finds both."""
PATHS, INDEXES = (f"internal.{PATH}", PATH), (f"internal.{INDEX}", INDEX)
IDS = ("internal.config.kubernetes.io/id", "config.k8s.io/id")
"""With them a host copies comments to where they were."""
PACKAGE_PATH = "internal.config.kubernetes.io/package-path"
_HIDDEN = frozenset((PATH, INDEX, "config.kubernetes.io/origin", *IDS))
_HIDDEN_PREFIXES = (
    "internal.config.kubernetes.io/",
    "internal.config.k8s.io/",
    "kustomize.config.k8s.io/",
    names.OWN,
)


def is_hidden(annotation: str) -> bool:
    """Return whether planners, templates and selectors must not see the annotation."""
    return annotation in _HIDDEN or annotation.startswith(_HIDDEN_PREFIXES)


def hide(data: JSON) -> tuple[JSON, dict[str, str]]:
    """Return the planner's view of an item, and the hidden annotations that are strings.

    An annotations map that is empty, or becomes empty, counts as absent. `data` is not changed.
    """
    metadata = data.get("metadata") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(metadata, dict) or "annotations" not in metadata:
        return data, {}
    annotations = metadata["annotations"] or {}
    if not isinstance(annotations, dict):
        return data, {}
    seen = {key: value for key, value in annotations.items() if not is_hidden(key)}
    hidden = {key: text_of(value) for key, value in annotations.items() if is_hidden(key)}
    if len(seen) == len(annotations) and seen:
        return data, hidden
    view = {key: seen if key == "annotations" else value for key, value in metadata.items() if seen or key != "annotations"}
    return {key: view if key == "metadata" else value for key, value in data.items()}, hidden


def served_by_kpt(source: Listed) -> bool:
    """Return whether the host is kpt, which prints results itself: its items carry both annotations."""
    keys = ("internal.config.kubernetes.io/seqindent", IDS[0])
    if not all(map(source.contains, keys)):
        return False
    return any(all(key in text for key in keys) for text in map(source.text, range(len(source.items))))


def outermost(packages: Iterable[str]) -> str:
    """Return the longest path that all these packages share, "" if they share none."""
    parts = [package.rstrip("/").split("/") for package in packages if package]
    shared: list[str] = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared)


def relative(package: str, outer: str) -> str:
    """Return a package's path below the outermost one, "" for that one itself."""
    return package.rstrip("/").removeprefix(outer).strip("/")
