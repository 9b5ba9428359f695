"""Documents that no function reads and that are not YAML: they stay unchanged, with a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import UNREADABLE, Finding, Inside
from krm_values._yaml.parser import accepts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from krm_values._data.errors import InputError
    from krm_values._kit.planner.item import Item


def broken(items: Iterable[Item], text: Callable[[int], str]) -> Iterator[Item]:
    """Yield the unread items that cannot be parsed. Only the parser runs on their text, which is much faster than reading it."""
    for item in items:
        if item.is_unread and not accepts(text(item.number).encode()) and item.reading.data is None and item.error:
            yield item


def warnings(items: Iterable[Item], text: Callable[[int], str]) -> Iterator[Finding]:
    """Yield a warning at the place of each such item."""
    for item in broken(items, text):
        if item.error:
            yield warning(item, item.error)


def warning(item: Item, error: InputError) -> Finding:
    """Return the warning that a document, which no function needs, cannot be read."""
    inside = None if error.file else Inside(None, error.line, error.column)
    text = f"{error.message}; nothing here reads this document, so it stays as it is"
    return Finding("warning", UNREADABLE, None, text, item, inside=inside)
