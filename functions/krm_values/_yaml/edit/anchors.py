"""Edits that have to do with an anchor: one text that stands for several places of the data."""

from __future__ import annotations

from krm_values._data.data_edits import Remove
from krm_values._data.record import record
from krm_values._yaml.nodes import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.data_edits import Edit
    from krm_values._data.pointer import Path
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.tree import Branch, Entry


@record
class Tangle:
    """An edit's path and the anchored node it met; `certain`: the edited place has no text of its own."""

    path: Path
    anchor: Node
    certain: bool = False

    @property
    def name(self) -> str:
        """The anchor's name."""
        return self.anchor.anchor or ""

    @property
    def line(self) -> int:
        """The anchor's line, 1-based."""
        return self.anchor.line + 1

    @property
    def about(self) -> str:
        """What is the matter."""
        anchor = f'the anchor "{self.name}"'
        return f"its value is that of {anchor}" if self.certain else f"{anchor} is used elsewhere"


def tangles(holder: Branch, entry: Entry | None, edit: Edit, *, is_last: bool) -> Iterator[Tangle]:
    """The anchors that an edit meets on one step of its path."""
    old = entry.old if entry else None
    if old and old.kind == "alias" and not is_last:
        yield Tangle(edit.path, old.target, certain=True)
    if holder.is_map and (entry is None or (is_last and isinstance(edit, Remove))):
        yield from (Tangle(edit.path, anchor, certain=True) for anchor in _merged(holder))
    if old:
        yield from (
            Tangle(edit.path, node) for node in (walk(old) if is_last else [old]) if node.anchor and node.kind != "alias"
        )


def _merged(holder: Branch) -> Iterator[Node]:
    """The anchored maps that a map takes keys from."""
    for item in holder.merged:
        for source in item.items if item.kind == "list" else [item]:
            yield source.target if source.kind == "alias" else source
