"""The object that is written for a HelmRelease."""

from __future__ import annotations

from krm_values._data.record import lazy
from krm_values._kit.engine.generated import beside
from krm_values._kit.layers import values_text
from krm_values._kit.layers.configmaps import encode
from krm_values._kit.planner.plan import Finding, New
from krm_values.flux_values.compose import tracked
from krm_values.flux_values.compose.explained import leaves
from krm_values.flux_values.references import VALUES_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values.flux_values.compose.tracked import Map
    from krm_values.flux_values.release import Release

_SUFFIX = "-flux-values"


def made(release: Release, found: Map) -> New:
    """Make a ConfigMap, or a Secret if any entry names a Secret."""
    is_secret = any(reference.kind == "Secret" for reference in release.references)
    text, name = values_text.write(tracked.plain(found)), release.item.name + _SUFFIX
    metadata: dict[str, Any] = {"name": name}
    if release.item.namespace:
        metadata["namespace"] = release.item.namespace
    data: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret" if is_secret else "ConfigMap", "metadata": metadata}
    if is_secret:
        data["type"] = "Opaque"
    data["data"] = {VALUES_KEY: encode(text) if is_secret else text}
    explained = lazy(lambda: leaves(found, ("data", VALUES_KEY)))
    return New(data, release.item, "values", beside(release.item, name), explained, reads_secrets=is_secret)


def readable(new: New) -> Iterator[Finding]:
    """Report that anybody who can read the files can read a written Secret."""
    if isinstance(new.data, dict) and new.data["kind"] == "Secret":
        text = "holds secret values in a form that anybody who reads this file can decode; `output: inline` writes none"
        yield Finding("info", "readable-secret", "11.8", text, new)


def sort_key(new: New) -> tuple[str, str]:
    """Return the sort key of new objects: namespace, name."""
    metadata: Any = new.data["metadata"] if isinstance(new.data, dict) else {}
    return str(metadata.get("namespace", "")), str(metadata["name"])
