"""Which field, and which value of a text that a field holds, is on a line of a file."""

from __future__ import annotations

from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._yaml import decode
from krm_values._yaml.encoding import LineStarts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._yaml.nodes import Node


def document(items: Sequence[Item], line: int) -> Item | None:
    """The document that a line, from 1, is in; None before the first."""
    return next((item for item in reversed(items) if item.position.line <= line), None)


def check(content: bytes, line: int, file: str) -> None:
    """InputError if a file has no such line."""
    last = len(content.splitlines())
    if line > last:
        raise InputError(f"has no line {line:,}: its last one is {last:,}", file=file)


def place(item: Item, line: int) -> tuple[Path, Path | None]:
    """The outermost field that begins on a line, from 1, of the file, else the innermost that began before it; and where in its text."""
    wanted = line - item.position.line
    places = [(found[0], path) for path in _paths(item.data, ()) if path and (found := item.reading.place(path)) is not None]
    on_line = [path for at, path in places if at == wanted]
    if on_line:
        return min(on_line, key=len), None
    before = [(at, len(path), path) for at, path in places if at <= wanted]
    path = max(before, key=lambda one: one[:2])[2] if before else ()
    text = get(item.data, path)
    return path, _inside(item, path, text, wanted) if isinstance(text, str) else None


def _inside(item: Item, path: Path, text: str, wanted: int) -> Path | None:
    """The outermost value of a YAML text that begins on a line, else the innermost that began before it."""
    try:
        root = decode.parse(text + "\n")
        data = decode.to_data(root)
    except InputError:
        return None
    starts, found = LineStarts(text), []
    for inner in _paths(data, ()):
        parent, node = decode.find(root, inner[:-1]), decode.find(root, inner)
        if not inner or parent is None or node is None:
            continue
        at, column = starts.place(_key(parent, node).start)
        placed = item.reading.inside(path, text, at + 1, column + 1)
        if placed is not None:
            found.append((placed[0], len(inner), inner))
    on_line = [(size, inner) for at, size, inner in found if at == wanted]
    if on_line:
        return min(on_line, key=lambda one: one[0])[1]
    before = [one for one in found if one[0] < wanted]
    return max(before, key=lambda one: one[:2])[2] if before else None


def _key(parent: Node, node: Node) -> Node:
    """The key of a value, of an element of a list the value itself."""
    pairs = zip(parent.keys, parent.items, strict=True) if parent.kind == "map" else ()
    return next((key for key, value in pairs if value is node), node)


def _paths(data: JSON, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _paths(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _paths(value, (*path, number))
