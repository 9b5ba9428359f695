"""What hosts and we write on items, and what an item is without that."""

from __future__ import annotations

import copy
from typing import Any

Json = Any
PATH = "config.kubernetes.io/path"
HOSTS = (PATH, "config.kubernetes.io/index", "internal.config.kubernetes.io/")
OURS = "krm-values.dev/"
UNDO = "krm-values.dev/undo.glasskube-values"
GENERATED = "krm-values.dev/generated-by"


def notes(item: Json) -> dict[str, str]:
    return item["metadata"].get("annotations") or {}


def file_of(item: Json) -> str:
    return notes(item).get(PATH, "")


def stripped(item: Json) -> Json:
    """A copy of an item without our annotations and those of hosts."""
    return without(item, (OURS, *HOSTS))


def unrecorded(item: Json) -> Json:
    """A copy of an item without our annotations."""
    return without(item, (OURS,))


def without(item: Json, prefixes: tuple[str, ...]) -> Json:
    item = copy.deepcopy(item)
    annotations = item["metadata"].pop("annotations", None) or {}
    left = {key: text for key, text in annotations.items() if not key.startswith(prefixes)}
    if left:
        item["metadata"]["annotations"] = left
    return item
