"""Closed sets of keys: what upstream's types know of an object, and the keys of an object that are none of these."""

from __future__ import annotations

from krm_values._kit import names
from krm_values._kit.plan import Finding
from krm_values._kit.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from krm_values._kit.item import Item
    from krm_values._kit.plan import New
    from krm_values._kit.pointer import Path

    Shape: TypeAlias = Any
    """None: not judged. A dict: a map with these keys and no others; with the one key `*`: a map with any keys. A list of one: a list."""

UNKNOWN_KEY = "unknown-key"
_ANY = "*"
_NO_ADVICE: Mapping[str, str] = {}
_OBJECT: Mapping[str, Shape] = dict.fromkeys(("apiVersion", "kind", "metadata", "status"))


@record
class Unknown:
    """A key that is no field: the path of its map, the key, and the fields that are known there, those that it lacks first."""

    path: Path
    key: str
    known: tuple[str, ...]


def resource(**fields: Shape) -> dict[str, Shape]:
    """The shape of a whole object: these top-level fields beside those that every object has."""
    return {**_OBJECT, **fields}


def unknown_keys(data: object, shape: Shape, path: Path = ()) -> Iterator[Unknown]:
    """The keys of `data` that its shape does not know, in the order of the text. `path` is where `data` is.

    A key that begins with `x-` is an extension and nobody's mistake.
    """
    if isinstance(shape, dict) and isinstance(data, dict):
        free = shape.get(_ANY) if _ANY in shape else None
        for key, value in data.items():
            if key in shape or _ANY in shape:
                yield from unknown_keys(value, shape.get(key, free), (*path, key))
            elif not key.startswith("x-"):
                yield Unknown(path, key, tuple(sorted(shape, key=data.__contains__)))
    elif isinstance(shape, list) and isinstance(data, list):
        for index, value in enumerate(data):
            yield from unknown_keys(value, shape[0], (*path, index))


def warnings(
    item: Item | New, unknown: Iterable[Unknown], rule: str, advice: Mapping[str, str] = _NO_ADVICE
) -> Iterator[Finding]:
    """A warning for each unknown key, with the nearest field. advice: by key, where something better than a field can be named."""
    hints = names.Hints()
    for one in unknown:
        known = f"; the fields here are {names.listed(sorted(one.known))}"
        hint = advice.get(one.key) or hints.hint(one.key, one.known) or known
        text = f"`{one.key}` is not a field of this object and has no effect{hint}"
        yield Finding("warning", UNKNOWN_KEY, rule, text, item, (*one.path, one.key), tags={"key": one.key})
