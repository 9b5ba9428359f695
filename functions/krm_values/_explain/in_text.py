"""Places in the YAML text of a field: in which of its documents a line is, and what its reader calls a key."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.go_numbers import key_text
from krm_values._data.pointer import get
from krm_values._go import yaml as goyaml
from krm_values._go.yaml_decode import key_of
from krm_values._krm import places
from krm_values._krm.plan import Inside
from krm_values._run import objects
from krm_values._yaml import decode

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._krm.item import Item
    from krm_values._yaml.nodes import Node

_TEXTS = ("data", "stringData")


def held(item: Item, field: Path) -> str:
    """Return the text of a field, of a Secret as it is decoded; "" if it holds none."""
    text = get(item.data, field)
    if not isinstance(text, str):
        return ""
    try:
        return objects.decode(text) if objects.is_encoded(item, field) else str(text)
    except ValueError:
        return ""


def first_lines(text: str) -> list[int]:
    """Return the line, from 1, on which each document of a text begins."""
    found = [1]
    for part in goyaml.split(text)[:-1] if "---" in text or "..." in text else ():
        found.append(found[-1] + part.count("\n"))
    return found


def place(item: Item, field: Path, inner: Path, number: int) -> tuple[int, int]:
    """Return line and column of a value in the file, or of the nearest one above it. number: of the document of the text."""
    text = get(item.data, field)
    parts = goyaml.split(text) if number and isinstance(text, str) else []
    found = places.field_inside(parts[number], inner) if number < len(parts) else None
    if found is None or not isinstance(text, str):
        return places.of_field(item, (*field, *inner))
    above = sum(part.count("\n") for part in parts[:number])
    return places.of_text(item, field, Inside(text, found.line + above, found.column))


def number_at(item: Item, field: Path, line: int) -> int:
    """Return which document of the text of a field a line of the file is in, from 0."""
    text = str(get(item.data, field))
    number, at = 0, 0
    for which, part in enumerate(parts) if len(parts := goyaml.split(text)) > 1 else ():
        placed = item.reading.inside(field, text, text.count("\n", 0, at) + 1, 1)
        if placed is not None and placed[0] <= line - item.position.line:
            number = which
        at += len(part)
    return number


@lru_cache(2)
def _parsed(text: str) -> Node:
    """Return the nodes of a text, in which one place is looked up after the other."""
    return decode.parse(text)


def as_read(item: Item, field: Path, inner: Path | None, number: int = 0) -> Path | None:
    """Return a path in a text with its keys as Go reads them, if the text is a layer that Go reads: `true` for `on`, `1.2` for `1.20`.

    number: of the document of the text.
    """
    is_layer = item.kind in ("ConfigMap", "Secret") and not item.group and len(field) > 1 and field[0] in _TEXTS
    if not inner or not is_layer:
        return inner
    found: list[str | int] = []
    try:
        node = _parsed(goyaml.split(held(item, field))[number] + "\n")
        for part in inner:
            node = node.target if node.kind == "alias" else node
            entries = zip(node.keys, node.items, strict=True) if node.kind == "map" else ()
            key, below = next((one for one in entries if decode.key_text(one[0]) == part), (None, decode.find(node, (part,))))
            found.append((key_text(key_of(key)) or part) if key is not None else part)
            if below is None:
                break
            node = below
    except (InputError, IndexError):
        return inner
    return (*found, *inner[len(found) :])
