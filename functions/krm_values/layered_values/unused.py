"""Values that no target and no reference uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import to_field
from krm_values._kit.layers.merge import origin
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values.layered_values import nodes
from krm_values.layered_values.parsed import Object
from krm_values.layered_values.tree import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Origin
    from krm_values.layered_values.document import Document
    from krm_values.layered_values.parsed import Settings
    from krm_values.layered_values.tree import Layer

_SHOWN = 9


def findings_of(settings: Settings, documents: list[Document]) -> Iterator[Finding]:
    """Yield one finding per layer with unused values: a warning for inline values, an information for others."""
    taken = _taken(settings)
    if () in taken:
        return
    unused: dict[str, dict[Path, Origin]] = {}
    layers: dict[str, Layer] = {}
    for document in documents:
        used = PathTree()
        for path in (*taken, *document.used):
            used.add(path, path)
        layers |= {layer.name: layer for layer in document.layers}
        for path, leaf in nodes.leaves(document.tree):
            at = origin(leaf)
            if not used.around(path) and at.layer != SCHEMA:
                unused.setdefault(at.layer, {})[path] = at
    for name, found in unused.items():
        yield _finding(layers[name], found)


def _taken(settings: Settings) -> set[Path]:
    """Return the paths of values that targets name."""
    found: set[Path] = set()
    for target in settings.targets:
        if isinstance(target, Object):
            found.add(target.value)
        else:
            found |= {entry.value for field in target.fields for entry in field.entries}
    return found


def _finding(layer: Layer, found: dict[Path, Origin]) -> Finding:
    listed = ", ".join(f"`{to_field(path)}`{_line(at)}" for path, at in [*found.items()][:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    first, at = next(iter(found.items()))
    text = f"layer {layer.name}: no target and no reference takes {listed}{more}"
    if layer.inline:
        return Finding(
            "warning",
            "unused-value",
            "133",
            f"{text}: remove it, or name it in a target",
            config=("layers", layer.number, "values", *first),
        )
    item = layer.item if isinstance(layer.item, Item) else None
    return Finding("info", "unused-value", "133", text, item, at.path if item else (), at=at if item else None)


def _line(at: Origin) -> str:
    line = places.line_of(at)
    return f" ({line})" if line else ""
