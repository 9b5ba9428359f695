"""The decisions of each step by document and place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT
from krm_values._explain import shifts
from krm_values._kit.engine.generated import header_of, identity_of
from krm_values._kit.planner.item import Item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._explain.facts import Explained
    from krm_values._explain.shifts import Operation
    from krm_values._kit.config.place import ConfigPlace
    from krm_values._kit.engine.state import Decision
    from krm_values._kit.planner.plan import New, Origin

    Key = tuple[str | int, ...]
    Place = tuple[Path, Path | None]


class Step:
    """The decisions of one step, found by document and place."""

    __slots__ = ("_config", "_files", "_last", "_operations", "_tables", "entry")

    def __init__(self, entry: Explained) -> None:
        self.entry = entry
        self._files = _files(entry)
        self._operations: dict[Key, list[Operation]] | None = None
        self._tables: dict[Key, dict[Place, Decision]] | None = None
        self._last: tuple[Item | New, list[Key]] | None = None
        self._config: list[ConfigPlace | None] = []

    def located(self, origin: Origin) -> Origin:
        """Return an origin; one in the step's functionConfig with the resource that holds it, if that is known."""
        if origin.item is not None or origin.config is None:
            return origin
        if not self._config:
            self._config.append(self.entry.outcome.place())
        return self._config[0].origin(origin) if self._config[0] else origin

    def keys(self, item: Item | New) -> list[Key]:
        """Return the keys that identify a document: file and index, or file and name; a generated object has no index yet."""
        if self._last is None or self._last[0] is not item:  # one value after the other is of the same document
            self._last = item, self._keys(item)
        return self._last[1]

    def _keys(self, item: Item | New) -> list[Key]:
        if isinstance(item, Item):
            at = item.position
            named = "named", at.path, item.api_version, item.kind, item.namespace, item.name
            return [("at", at.path, at.index), named] if at.file else [("number", item.number), named]
        kind, group, namespace, name = header_of(item.data)
        version = str(item.data.get("apiVersion", "")) if isinstance(item.data, dict) else group
        file = self._files.get(identity_of(item)) or self._files.get((kind, group, namespace, name), "")
        return [("named", file, version, kind, namespace, name)]

    def decided(self, item: Item | New, path: Path, inner: Path | None) -> list[Decision]:
        """Return the decisions about a place: at it, else at the nearest place above it, else all those about parts of it."""
        table = self._table(item)
        if not table:
            return []
        for place in _above(path, inner):
            if place in table:
                return [table[place]]
        return [found for (at, within), found in table.items() if _is_part(at, within, path, inner)]

    def of(self, item: Item | New) -> list[Decision]:
        """Return all decisions about a document."""
        return [*self._table(item).values()]

    def _table(self, item: Item | New) -> dict[Place, Decision]:
        """Return the decisions about a document by place; indexed on first use."""
        if self._tables is None:
            self._tables = {}
            for decision in self.entry.outcome.decisions:
                if decision.leaf is not None and decision.after is not ABSENT:
                    for key in self.keys(decision.item):
                        self._tables.setdefault(key, {})[decision.path, decision.leaf.inner] = decision
        return next((found for key in self.keys(item) if (found := self._tables.get(key))), {})

    def operations(self, item: Item | New) -> list[Operation]:
        """Return the operations of the step on a document, in order."""
        if self._operations is None:
            numbers = {found.number: found for found in self.entry.items}
            shifted = shifts.by_item(self.entry.outcome.operations)
            self._operations = {
                key: done for number, done in shifted.items() if number in numbers for key in self.keys(numbers[number])
            }
        return next((self._operations[key] for key in self.keys(item) if key in self._operations), [])


def place_of(origin: Origin) -> Place:
    """Return the place of a layer's value in its document."""
    return origin.path, origin.inner


def _files(entry: Explained) -> dict[object, str]:
    """Return the file of each generated object: by identity if an earlier run wrote it, else by header."""
    found: dict[object, str] = {}
    for item in entry.items:
        if not item.is_unread and (mark := item.marks.get("generated-from")):  # the run has read those of the function itself
            found[mark] = item.position.path
    for added in entry.outcome.added:
        found[header_of(added.data)] = added.position.path
    return found


def _above(path: Path, inner: Path | None) -> Iterator[Place]:
    """Yield the place and those above it, nearest first."""
    if inner is not None:
        yield from ((path, inner[:size]) for size in range(len(inner), -1, -1))
    yield from ((path[:size], None) for size in range(len(path), 0, -1))


def _is_part(path: Path, inner: Path | None, whole: Path, text: Path | None) -> bool:
    if text is not None:
        return path == whole and inner is not None and inner[: len(text)] == text
    return path[: len(whole)] == whole
