"""Edits that have to do with an anchor: one text that stands for several places of the data."""

from __future__ import annotations

from krm_values._kit.plain import Remove
from krm_values._kit.record import record
from krm_values._kit.yaml import is_merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.plain import Edit
    from krm_values._kit.pointer import Path
    from krm_values._kit.tree import Branch, Entry
    from krm_values._kit.yaml import Node


@record
class Tangle:
    """An edit's path and the anchor it met. `line` is the anchor's, 1-based; `certain`: the edited place has no text of its own."""

    path: Path
    about: str
    line: int
    certain: bool


def tangles(holder: Branch, entry: Entry | None, edit: Edit, *, is_last: bool) -> Iterator[Tangle]:
    """The anchors that an edit meets on one step of its path."""
    old = entry.old if entry else None
    if old and old.kind == "alias" and not is_last:
        yield _aliased(edit.path, old, certain=True)
    elif old and old.kind != "alias" and old.anchor:
        yield _anchored(edit.path, old)
    if holder.is_map and (entry is None or (is_last and isinstance(edit, Remove))):
        for key, item in zip(holder.node.keys, holder.node.items, strict=True):
            if is_merge(key):
                for source in item.items if item.kind == "list" else [item]:
                    yield _aliased(edit.path, source, certain=entry is None)
    if is_last and old:
        yield from (_anchored(edit.path, inner) for inner in _inside(old) if inner.anchor and inner.kind != "alias")


def _aliased(path: Path, node: Node, *, certain: bool) -> Tangle:
    anchor = node.target if node.kind == "alias" else node
    return Tangle(
        path, f'its value is that of the anchor "{anchor.anchor or ""}" on line {anchor.line + 1}', anchor.line + 1, certain
    )


def _anchored(path: Path, node: Node) -> Tangle:
    return Tangle(path, f'the anchor "{node.anchor}" on line {node.line + 1} is used elsewhere', node.line + 1, certain=False)


def _inside(node: Node) -> Iterator[Node]:
    if node.kind in ("map", "list"):
        for item in (*(node.keys if node.kind == "map" else ()), *node.items):
            yield item
            yield from _inside(item)
