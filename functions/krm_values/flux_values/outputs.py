"""The object that is written for a HelmRelease."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import lazy
from krm_values._kit.engine.generated import beside
from krm_values._kit.layers import values_object, values_text
from krm_values._kit.planner.plan import New
from krm_values.flux_values import provenance
from krm_values.flux_values.explained import leaves
from krm_values.flux_values.references import VALUES_KEY

if TYPE_CHECKING:
    from krm_values.flux_values.provenance import Map
    from krm_values.flux_values.release import Release

_SUFFIX = "-flux-values"


def made(release: Release, found: Map) -> New:
    """Make a ConfigMap, or a Secret if any entry names a Secret."""
    is_secret = any(reference.kind == "Secret" for reference in release.references)
    text, name = values_text.write(provenance.plain(found)), release.item.name + _SUFFIX
    metadata = values_object.named(name, release.item.namespace)
    data = values_object.values_object(metadata, VALUES_KEY, text, is_secret=is_secret)
    at = "data", VALUES_KEY
    explained = lazy(lambda: leaves(found, at), lambda fits: leaves(found, at, fits=fits))
    return New(data, release.item, "values", beside(release.item, name), explained, reads_secrets=is_secret)
