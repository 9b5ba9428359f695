"""The diff of all files of a rendered package, the values that come out of Secrets or stand in one masked."""

from __future__ import annotations

from krm_values._cli import files
from krm_values._cli.diff import Masks, masks, unified
from krm_values._cli.explain import hides_after, hides_before
from krm_values._kit import documents
from krm_values._kit.item import Item, is_secret
from krm_values._kit.pointer import get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._cli.render import Rendered
    from krm_values._kit.pointer import Path

    Hidden = Mapping[tuple[str, int], set[Path]]  # by path and index

_VALUES = ("data", "stringData")


def diff(done: Rendered, *, show_secrets: bool) -> str:
    """One unified diff, files in the order of their paths."""
    hidden = None if show_secrets else _hidden(done)
    parts = []
    for change in files.changes(done.loaded):
        old, old_masks = _side(change.path, done.loaded.contents.get(change.path), hidden)
        new, new_masks = _side(change.path, change.new, hidden)
        parts.append(unified(change.path, old, new, old_masks, new_masks))
    return "".join(parts)


def _side(path: str, content: bytes | None, hidden: Hidden | None) -> tuple[str | None, Masks]:
    if content is None:
        return None, Masks()
    return content.decode(), Masks() if hidden is None else _masks(path, content, hidden)


def _hidden(done: Rendered) -> Hidden:
    """Where the steps wrote, or found, what must not be shown."""
    found: dict[tuple[str, int], set[Path]] = {}
    for entry in done.ran:
        for decision in entry.outcome.decisions:
            if isinstance(decision.item, Item) and (hides_after(decision) or hides_before(decision)):
                position = decision.item.position
                found.setdefault((position.path, position.index), set()).add(decision.path)
    return found


def _masks(path: str, content: bytes, hidden: Hidden) -> Masks:
    spans: list[tuple[int, int, int]] = []
    source = documents.read(content, path)
    for item in source.items:
        wanted = set(hidden.get((path, item.position.index), ()))
        if is_secret(item):
            wanted |= {(field, key) for field in _VALUES for key in _keys(item, field)}
        spans += masks(source.text(item.number), wanted, item.position.line - 1).spans
    return Masks(tuple(spans))


def _keys(item: Item, field: str) -> list[str]:
    values = get(item.data, (field,))
    return list(values) if isinstance(values, dict) else []
