"""The ConfigMap or Secret that holds composed values as a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.layers.configmaps import encode
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._kit.planner.plan import New


def values_object(metadata: dict[str, Any], key: str, text: str, *, is_secret: bool) -> dict[str, Any]:
    """Return the object, a Secret of type Opaque or a ConfigMap, with the text at `data[key]`."""
    head: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret" if is_secret else "ConfigMap", "metadata": metadata}
    return {**head, "type": "Opaque", "data": {key: encode(text)}} if is_secret else {**head, "data": {key: text}}


def named(name: str, namespace: str) -> dict[str, Any]:
    """Return the metadata of an object; without a namespace where that is ""."""
    return {"name": name, "namespace": namespace} if namespace else {"name": name}


def readable(new: New, rule: str, what: str, instead: str) -> Iterator[Finding]:
    """Report that a written Secret is readable by everybody who can read the files. what: it holds. instead: the setting that avoids it."""
    if isinstance(new.data, dict) and new.data["kind"] == "Secret":
        text = f"holds {what} in a form that anybody who reads this file can decode; {instead}"
        yield Finding("info", "readable-secret", rule, text, new)


def sort_key(new: New) -> tuple[str, str, str]:
    """Return the sort key of new objects: namespace, name, part."""
    metadata: Any = new.data["metadata"] if isinstance(new.data, dict) else {}
    return str(metadata.get("namespace", "")), str(metadata["name"]), new.part
