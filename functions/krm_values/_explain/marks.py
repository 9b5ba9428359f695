"""The annotations of hosts and of krm-values itself, which no layer sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.printable import printable
from krm_values._kit.planner import names

if TYPE_CHECKING:
    from krm_values._kit.planner.item import Item

_UNDO = "undo."
_GENERATED = "generated-by", "generated-from"


def about(item: Item, annotation: str) -> str:
    """Return a sentence about such an annotation."""
    group, _, name = annotation.partition("/")
    if group != names.GROUP:
        return "an annotation of the program that read the file"
    if name.startswith(_UNDO):
        return f"the undo record of {printable(name.removeprefix(_UNDO))}, which says what was here before its first run"
    maker = item.marks.get(_GENERATED[0], "")
    if name in _GENERATED and maker:
        return f"the mark by which {printable(maker)} finds what it generated"
    return "an annotation of krm-values itself"
