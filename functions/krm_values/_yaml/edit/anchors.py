"""Edits that meet an anchor: one place of the text is several places of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import Remove
from krm_values._data.record import record
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.data_edits import Edit
    from krm_values._data.pointer import Path
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.tree import Branch, Entry


@record
class AnchorHit:
    """The path of an edit and the anchored node on it. certain: the edited place has no text of its own."""

    path: Path
    anchor: Node
    certain: bool = False

    @property
    def name(self) -> str:
        """The anchor's name."""
        return self.anchor.anchor or ""

    @property
    def line(self) -> int:
        """The anchor's line, from 1."""
        return self.anchor.line + 1

    @property
    def about(self) -> str:
        """Return the conflict as a clause of a message."""
        anchor = f'the anchor "{self.name}"'
        return f"its value is that of {anchor}" if self.certain else f"{anchor} is used elsewhere"


def anchor_hits(holder: Branch, entry: Entry | None, edit: Edit, *, is_last: bool) -> Iterator[AnchorHit]:
    """Yield the anchors that an edit meets on one step of its path."""
    old = entry.old if entry else None
    if old and old.kind == "alias" and not is_last:
        yield AnchorHit(edit.path, old.target, certain=True)
    if holder.is_map and (entry is None or (is_last and isinstance(edit, Remove))):
        yield from (AnchorHit(edit.path, anchor, certain=True) for anchor in _merged(holder))
    if old:
        yield from (
            AnchorHit(edit.path, node) for node in (walk(old) if is_last else [old]) if node.anchor and node.kind != "alias"
        )


def _merged(holder: Branch) -> Iterator[Node]:
    """Yield the anchored maps whose keys a map takes by `<<`."""
    for item in holder.merged:
        for source in item.items if item.kind == "list" else [item]:
            yield source.target if source.kind == "alias" else source
