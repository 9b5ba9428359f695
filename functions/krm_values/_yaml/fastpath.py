"""Ordinary texts to plain data in one pass over the parser's events; nearly every text is ordinary.

Not ordinary are anchors, tags, directives, complex and repeated keys, several documents, and whatever the caller's `value` and `key`
refuse.
"""

from __future__ import annotations

from krm_values._data.limits import DEFAULT
from krm_values._yaml.parser import (
    DocumentEnd,
    DocumentStart,
    MappingEnd,
    MappingStart,
    Scalar,
    SequenceEnd,
    StreamEnd,
    YAMLError,
    events,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._yaml.parser import Next


class UnusualError(Exception):
    """A text that is not ordinary."""


def read(
    text: str, value: Callable[[str], JSON], key: Callable[[str], str], limits: Limits = DEFAULT
) -> tuple[JSON, list[int]] | None:
    """Return the data of an ordinary text, and the offsets of its root, keys and list elements in the order of the data; else None.

    value: converts a plain scalar; key: converts a plain key; both may raise UnusualError.
    """
    reader = _Reader(events(text), value, key, limits)
    try:
        return reader.document(), reader.starts
    except (UnusualError, YAMLError):
        return None


class _Reader:
    """One reading. `_values` and `_keys` keep the plain scalars converted so far, since most occur often."""

    __slots__ = ("_deepest", "_depth", "_get", "_key", "_keys", "_longest", "_value", "_values", "starts")

    def __init__(self, get: Next, value: Callable[[str], JSON], key: Callable[[str], str], limits: Limits) -> None:
        self._get, self._value, self._key = get, value, key
        self._deepest, self._longest = limits.depth, limits.scalar_length
        self._values: dict[str, JSON] = {}
        self._keys: dict[str, str] = {}
        self._depth = 0
        self.starts: list[int] = []

    def document(self) -> JSON:
        """Return the data of the only document."""
        self._get()
        start: Any = self._get()
        if type(start) is not DocumentStart or start.version or start.tags:
            raise UnusualError
        root = self._get()
        self.starts.append(root.start_mark.index)
        data = self._data(root)
        if type(self._get()) is not DocumentEnd or type(self._get()) is not StreamEnd:
            raise UnusualError
        return data

    def _data(self, event: Any) -> JSON:
        kind = type(event)
        if event.anchor or event.tag:
            raise UnusualError
        if kind is Scalar:
            if len(event.value) > self._longest:
                raise UnusualError
            return event.value if event.style else self._plain(event.value)
        self._depth += 1
        if self._depth > self._deepest:
            raise UnusualError
        value = self._map() if kind is MappingStart else self._list()
        self._depth -= 1
        return value

    def _map(self) -> dict[str, JSON]:
        found: dict[str, JSON] = {}
        get, keys, starts = self._get, self._keys, self.starts
        event: Any
        while type(event := get()) is Scalar:
            name = event.value
            if not event.style:
                if name not in keys:
                    keys[name] = self._key(name)
                name = keys[name]
            if name in found or event.anchor or event.tag:
                raise UnusualError
            starts.append(event.start_mark.index)
            found[name] = self._data(get())
        if type(event) is not MappingEnd:
            raise UnusualError
        return found

    def _list(self) -> list[JSON]:
        found: list[JSON] = []
        while True:
            event: Any = self._get()
            if type(event) is SequenceEnd:
                return found
            self.starts.append(event.start_mark.index)
            found.append(self._data(event))

    def _plain(self, text: str) -> JSON:
        values = self._values
        if text not in values:
            values[text] = self._value(text)
        return values[text]
