"""Ordinary texts to plain data in one pass over the parser's events; nearly every text is ordinary.

Not ordinary are anchors, tags, directives, complex and repeated keys, several documents, and whatever the caller's `value` and `key`
refuse.
"""

from __future__ import annotations

from krm_values._data.errors import UnusualError
from krm_values._data.limits import DEFAULT
from krm_values._yaml.parser import (
    ENDS,
    STARTS,
    DocumentEnd,
    DocumentStart,
    MappingEnd,
    MappingStart,
    Scalar,
    SequenceEnd,
    SequenceStart,
    StreamEnd,
    YAMLError,
    events,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._yaml.parser import Next

__all__ = ["UnusualError", "read", "starts"]

LONG = 2_000
"""From how many characters on a text is read by lines, if it can be."""


def read(text: str, value: Callable[[str], JSON], key: Callable[[str], str], limits: Limits = DEFAULT) -> JSON:
    """Return the data of an ordinary text. UnusualError for any other.

    value: converts a plain scalar; key: converts a plain key; both may raise UnusualError. Each is asked once for the same scalar.
    """
    if len(text) >= LONG:
        from krm_values._yaml import block_lines  # noqa: PLC0415 - short texts are not worth its preparation

        found = block_lines.read(text, value, key, limits)
        if found is not None:
            return found
    get = events(text)
    try:
        data = _read(get, _first(get), value, key, limits)
        if type(get()) is not DocumentEnd or type(get()) is not StreamEnd:
            raise UnusualError
    except YAMLError:
        raise UnusualError from None
    return data


def starts(text: str) -> Iterator[int]:
    """Yield the offsets of the root, keys and list elements of an ordinary text in the order of the data."""
    get = events(text)
    event = _first(get)
    yield event.start_mark.index
    lists: list[bool] = []  # of the open collections, the innermost last
    is_key = False
    while True:
        if type(event) in ENDS:
            lists.pop()
        elif type(event) in STARTS:
            lists.append(type(event) is SequenceStart)
        if not lists:
            return
        is_key = not lists[-1] and not (is_key and type(event) is Scalar)
        event = get()
        if (is_key or lists[-1]) and type(event) not in ENDS:
            yield event.start_mark.index


def _first(get: Next) -> Any:
    """Return the first event of the root of the only document."""
    get()
    start: Any = get()
    if type(start) is not DocumentStart or start.version or start.tags:
        raise UnusualError
    return get()


def _read(  # noqa: C901, PLR0912, PLR0915 - one loop with local names: most of a run's time is spent here
    get: Next, event: Any, value: Callable[[str], JSON], key: Callable[[str], str], limits: Limits
) -> JSON:
    """Return the data of the node that begins with `event`. Converted plain scalars are kept, since most occur often."""
    deepest, longest = limits.depth, limits.scalar_length
    values: dict[str, JSON] = {}
    keys: dict[str, str] = {}
    outer: list[Any] = []
    root: list[Any] = []
    holder: Any = root  # the innermost open collection
    name = ""
    while True:  # `event` begins a value of `holder`
        kind = type(event)
        if event.anchor or event.tag:
            raise UnusualError
        item: Any
        if kind is Scalar:
            item = event.value
            if len(item) > longest:
                raise UnusualError
            if not event.style:
                if item not in values:
                    values[item] = value(item)
                item = values[item]
        else:
            item = {} if kind is MappingStart else []
        if type(holder) is dict:
            holder[name] = item
        else:
            holder.append(item)
        if kind is not Scalar:
            outer.append(holder)
            holder = item
            if len(outer) > deepest:
                raise UnusualError
        while holder is not root:
            event = get()
            if type(holder) is list:
                if type(event) is not SequenceEnd:
                    break
            elif type(event) is Scalar:
                name = event.value
                if not event.style:
                    if name not in keys:
                        keys[name] = key(name)
                    name = keys[name]
                if name in holder or event.anchor or event.tag:
                    raise UnusualError
                event = get()
                if type(event) is Scalar and not event.style and event.value in values and not (event.anchor or event.tag):
                    holder[name] = values[event.value]
                    continue
                break
            elif type(event) is not MappingEnd:
                raise UnusualError
            holder = outer.pop()
        if holder is root:
            data: JSON = root[0]
            return data
