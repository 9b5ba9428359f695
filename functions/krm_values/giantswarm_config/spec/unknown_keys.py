"""Keys of Apps and Catalogs that are not fields of upstream's types; the API server drops them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner import fields
from krm_values.giantswarm_config.spec.app import GROUP
from krm_values.giantswarm_config.spec.references import EXTRA
from krm_values.giantswarm_config.spec.upstream_fields import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding
    from krm_values._kit.planner.resources import Resources

_REFERENCES = (("spec", "config"), ("spec", "userConfig"), ("spec", EXTRA))
_REFUSED = ("spec", "configs")


def unknown_keys(resources: Resources) -> Iterator[Finding]:
    """Yield a warning for each unknown key of every App, Catalog and AppCatalog of the list."""
    for kind in SHAPES:
        for item in resources.select(kind, group=GROUP):
            yield from _of(item)


def _of(item: Item) -> Iterator[Finding]:
    yield from fields.shape_warnings(item, SHAPES[item.kind], "S5")
    in_references: list[fields.Unknown] = []
    others: list[fields.Unknown] = []
    for one in fields.unknown_keys(item.data, SHAPES[item.kind]):
        (in_references if one.path[:2] in _REFERENCES else others).append(one)
    yield from fields.warnings(item, (one for one in others if (*one.path, one.key) != _REFUSED), "S5")
    yield from fields.warnings(item, in_references, "12", kind="unknown-field")
