"""Checks the keys and shapes of a TriggerTemplate and of the runs in it."""

from __future__ import annotations

from krm_values._data.pointer import get
from krm_values._kit.planner import fields
from krm_values.tekton_params import upstream_fields as upstream
from krm_values.tekton_params.checks import structure
from krm_values.tekton_params.kinds import header_faults
from krm_values.tekton_params.scope.lookup import GROUP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding

_ELEMENTS: Path = ("spec", "resourcetemplates")


def of_item(item: Item) -> Iterator[Finding]:
    """Report every fault in the keys and shapes of a template; for its elements, only the keys, kind and version."""
    if item.data is None and item.error:
        return
    yield from fields.errors(item, fields.misshapen(item.data, upstream.TRIGGER_TEMPLATE), "S6")
    yield from fields.warnings(item, fields.unknown_keys(item.data, upstream.TRIGGER_TEMPLATE), "S5")
    elements = get(item.data, _ELEMENTS)
    for index, element in enumerate(elements if isinstance(elements, list) else ()):
        if isinstance(element, dict):
            yield from _of_element(item, element, (*_ELEMENTS, index))


def _of_element(item: Item, element: dict[str, JSON], path: Path) -> Iterator[Finding]:
    group, _, version = str(element.get("apiVersion") or "").rpartition("/")
    kind = str(element.get("kind") or "")
    yield from header_faults(item, element, path)
    if group == GROUP and (version, kind) in upstream.OBJECTS:
        yield from structure.unknown(item, element, upstream.OBJECTS[version, kind], version, path)
