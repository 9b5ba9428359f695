"""TriggerTemplates: their keys and shapes, the runs in them, and references to their own params.

A reference `$(tt.params.N)` is replaced by Tekton Triggers when a trigger creates the object, so it is opaque text to everything else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._kit.planner import fields
from krm_values._kit.planner.plan import Finding, part_of
from krm_values.tekton_params import params
from krm_values.tekton_params import upstream_fields as upstream
from krm_values.tekton_params.checks import structure
from krm_values.tekton_params.kinds import header_faults
from krm_values.tekton_params.lookup import GROUP
from krm_values.tekton_params.spec.manifest import Manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item

RUNS = ("PipelineRun", "TaskRun")
_ELEMENTS: Path = ("spec", "resourcetemplates")
_REFERENCE = re.compile(r"\$\(tt\.params\.([_a-zA-Z][_a-zA-Z0-9.-]*)\)")


def runs_of(item: Item) -> list[Manifest]:
    """Return the runs of Tekton among the elements of a template."""
    return [one for one in _elements(item) if one.kind in RUNS and (one.version, one.kind) in upstream.OBJECTS]


def of_item(item: Item, hints: Hints) -> Iterator[Finding]:
    """Report every fault in the keys and shapes of a template and its elements, and references to params that it does not declare."""
    if item.data is None and item.error:
        return
    yield from fields.errors(item, fields.misshapen(item.data, upstream.TRIGGER_TEMPLATE), "S6")
    yield from fields.warnings(item, fields.unknown_keys(item.data, upstream.TRIGGER_TEMPLATE), "S5")
    elements = _listed(item)
    for index, element in enumerate(elements):
        if isinstance(element, dict):
            yield from header_faults(item, element, (*_ELEMENTS, index))
    for one in _elements(item):
        if one.kind not in RUNS and (one.version, one.kind) in upstream.OBJECTS:
            yield from structure.unknown(item, one.data, upstream.OBJECTS[one.version, one.kind], one.version, one.path)
    yield from _undeclared(item, elements, hints)


def _elements(item: Item) -> Iterator[Manifest]:
    """Yield the elements of the group `tekton.dev`."""
    for index, element in enumerate(_listed(item)):
        group, version, kind = _header(element)
        if group == GROUP:
            yield Manifest(item, kind, version, element, (*_ELEMENTS, index))


def _listed(item: Item) -> list[JSON]:
    """Return all elements of a template."""
    elements = get(item.data, _ELEMENTS)
    return elements if isinstance(elements, list) else []


def _header(element: JSON) -> tuple[str, str, str]:
    """Return (group, version, kind) of an element."""
    if not isinstance(element, dict):
        return "", "", ""
    group, _, version = str(element.get("apiVersion") or "").rpartition("/")
    return group, version, str(element.get("kind") or "")


def _undeclared(item: Item, elements: list[JSON], hints: Hints) -> Iterator[Finding]:
    """Report each `$(tt.params.N)` whose name the template does not declare, once per name."""
    entries: Any = get(item.data, ("spec", "params"))
    declared = {name: None for name, _, _ in params.named(entries, ())}
    reported: set[str] = set()
    for path, text in _strings(elements, _ELEMENTS):
        for match in _REFERENCE.finditer(text):
            name = match[1]
            if name not in declared and name not in reported:
                reported.add(name)
                hint = hints.hint(name, declared) or "; declare it there"
                message = (
                    f"{name}: `{match[0]}` refers to a param that `spec.params` of the TriggerTemplate does not declare{hint}"
                )
                inside = part_of(item, path, match[0])
                yield Finding(
                    "error", "undeclared-trigger-param", "S13", message, item, path, tags={"param": name}, inside=inside
                )


def _strings(value: JSON, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield every string of a value with its path, also the keys of maps: Triggers replaces references in the JSON text."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield (*path, key), key
            yield from _strings(member, (*path, key))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _strings(member, (*path, index))
