"""Reads from undo records what other configs of this function have written into a resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._kit.planner.undo_record import entries
from krm_values._kit.planner.withheld import from_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item

_PREFIX = "undo.layered-values."


def of_others(item: Item, own: str) -> Iterator[tuple[str, Path]]:
    """Yield (name of the config, path) for each place that another config has written."""
    for key, text in sorted(item.marks.items()):
        name = key.removeprefix(_PREFIX)
        if not key.startswith(_PREFIX) or name == own:
            continue
        try:
            found = entries.from_text(text)
        except InputError:
            continue
        for entry in found.entries:
            yield name, from_pointer(entry.path, item.data)
