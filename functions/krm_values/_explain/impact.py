"""A file of a package without one layer, or without one key of a layer."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.printable import printable
from krm_values._data.record import record
from krm_values._explain import at_line, marks
from krm_values._explain.patterns import Pattern
from krm_values._kit.kio import documents
from krm_values._kit.layers import configmaps
from krm_values._kit.planner import findings, places
from krm_values._kit.planner.item import Item, is_secret
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from krm_values._yaml.nodes import leaf_end, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.kio.documents import Documents
    from krm_values._kit.planner.plan import Origin

_HEADS = (
    *(("apiVersion",), ("kind",), ("metadata",)),
    *(("metadata", "name"), ("metadata", "namespace"), ("metadata", "generateName")),
)
"""The fields that identify a resource: they cannot be removed alone."""
_VALUES = (("spec", "values"), ("spec",))
"""Where a resource that is neither a ConfigMap nor a Secret has the values of its layer."""


@record
class Layer:
    """The part to remove: a whole document (`path` is empty), a field of it, or a value of the text in that field."""

    item: Item
    path: Path = ()
    inner: Path | None = None


def _always(_: Layer) -> bool:
    return True


def find(
    content: bytes, file: str, line: int, path: str, wins: Callable[[Layer], bool] = _always
) -> tuple[Documents, list[Layer]]:
    """Return the layers that a file, line and path name. InputError, with the nearest one, if there is none, or if several documents have the path.

    wins: chooses among several.
    """
    at_line.check(content, line, file)
    source = documents.read(content, file)
    items = [*source.items]
    if not items:
        raise InputError("holds no resource", file=file)
    if line:
        item = at_line.document(items, line)
        if item is None:
            raise InputError("is before the first resource", line, file=file)
        items = [item]
    if path:
        return source, [_one(items, path, file, wins)]
    if not line:
        return source, [Layer(item) for item in items]
    at_line.check_value([*source.items], content, line, file)
    if mark := at_line.mark(items[0], line):
        raise InputError(f"`{printable(mark)}` is {marks.about(items[0], mark)}: name a line of a layer", line, file=file)
    field, inner = at_line.place(items[0], line)
    return source, [Layer(items[0]) if is_head(field) else Layer(items[0], field, inner)]


def is_head(field: Path) -> bool:
    """Return whether a resource is invalid, or a different one, without a field."""
    return field in _HEADS


def holds(layer: Layer, origin: Origin) -> bool:
    """Return whether a value comes from a layer."""
    item, inner = origin.item, layer.inner or ()
    if not isinstance(item, Item) or findings.title(item) != findings.title(layer.item):
        return False
    if origin.path[: len(layer.path)] != layer.path:
        return False
    return layer.inner is None or (origin.inner or ())[: len(inner)] == inner


def removed(source: Documents, layers: list[Layer]) -> bytes:
    """Return the content of the file without these layers."""
    gone = frozenset(layer.item.number for layer in layers if not layer.path)
    edited = {layer.item.number: _without(source.text(layer.item.number), layer) for layer in layers if layer.path}
    return source.write(edited, gone, [])


def cut(before: bytes, after: bytes, layers: list[Layer]) -> tuple[int, int]:
    """Return the first line of the shortened file whose number differs from the original, and by how many lines it has moved up."""
    line = min(_line(layer) for layer in layers)
    old, new = before.split(b"\n"), after.split(b"\n")
    top = sum(1 for _ in takewhile(_are_equal, zip(old[: line - 1], new, strict=False)))
    most = min(len(old), len(new)) - top
    same = sum(1 for _ in takewhile(_are_equal, zip(old[::-1][:most], new[::-1], strict=False)))
    return len(new) - same + 1, len(old) - len(new)


def _line(layer: Layer) -> int:
    return places.of_field(layer.item, (*layer.path, *(layer.inner or ())))[0] if layer.path else layer.item.position.line


def _are_equal(lines: tuple[bytes, bytes]) -> bool:
    return lines[0] == lines[1]


def _without(text: str, layer: Layer) -> str:
    if layer.inner is None:
        return _cut_out(text, layer.path)
    editor = Editor(text)
    held = get(layer.item.data, layer.path)
    encoded = is_secret(layer.item) and layer.path[0] == "data"
    left = _cut_out(configmaps.decode(str(held)) if encoded else str(held), layer.inner)
    editor.put(layer.path, configmaps.encode(left) if encoded else left)
    return editor.text()


def _cut_out(text: str, path: Path) -> str:
    """Return a text without a value. Where the editor refuses because of an anchor, its lines are removed if they hold nothing else."""
    editor = Editor(text)
    try:
        editor.remove(path)
        return editor.text()
    except EditError:
        left = _without_lines(text, path)
        if left is None:
            raise
        return left


def _without_lines(text: str, path: Path) -> str | None:
    """Return a text without the lines of an entry of a block map that has other entries.

    None if there is no such entry, if it has an anchor that may be used elsewhere, or if the rest cannot be read.
    """
    root = decode.parse(text)
    parent = decode.find(root, path[:-1])
    found = [one for one in decode.written(parent) if one[0] == path[-1:]] if parent is not None else []
    if parent is None or parent.kind != "map" or parent.flow or len(parent.items) == 1 or not found:
        return None
    _, key, value = found[0]
    if any(node.anchor and node.kind != "alias" for node in walk(value)):
        return None
    start = text.rfind("\n", 0, key.start) + 1
    last = max(key.end, value.end if value.kind == "alias" else leaf_end(value))
    end = text.find("\n", last - 1) + 1 or len(text)
    rest = text[last:end].strip()
    if text[start : key.start].strip() or (rest and rest[0] not in ":#"):
        return None
    left = text[:start] + text[end:]
    try:
        decode.data(left)
    except InputError:
        return None
    return left


def _one(items: list[Item], path: str, file: str, wins: Callable[[Layer], bool]) -> Layer:
    """Return the value at a path in the document that has it; of several documents, the only one whose value wins."""
    known: set[str] = set()
    found = [layer for item in items if (layer := _inside(item, Pattern(path), known))]
    winning = found if len(found) == 1 else [*filter(wins, found)]
    if len(winning) == 1:
        return winning[0]
    if found:
        shown = ", ".join(f"{printable(findings.title(layer.item))} on line {_line(layer):,}" for layer in found)
        text = f"several documents of it have the value `{path}`: {shown}; name one with its line, as {file}:{_line(found[0])}:{path}"
        raise InputError(printable(text), file=file)
    below = sorted(one for one in known if one.endswith(f".{path}"))
    hint = f"; did you mean `{printable(below[0])}`?" if below else suggest.hint(path, known)
    raise InputError(f"no layer in it has the value `{path}`{hint}", file=file)


def _inside(item: Item, pattern: Pattern, known: set[str]) -> Layer | None:
    """Return the first value of a document that the pattern matches; the paths of the others are added to `known`."""
    for layer, shown in _places(item):
        if pattern.fits(shown):
            return layer
        known.add(to_field(shown))
    return None


def _places(item: Item) -> Iterator[tuple[Layer, Path]]:
    """Yield every value of a layer with the path by which it can be named."""
    for field in ("data", "stringData"):
        held = get(item.data, (field,))
        for key, text in held.items() if isinstance(held, dict) and item.kind in ("ConfigMap", "Secret") else ():
            yield Layer(item, (field, key)), (field, key)
            yield from ((Layer(item, (field, key), inner), inner) for inner in _in_text(item, field, text))
    for prefix in _VALUES:
        found = get(item.data, prefix, ABSENT)
        if found is not ABSENT and item.kind not in ("ConfigMap", "Secret"):
            yield from ((Layer(item, (*prefix, *path)), path) for path in _paths(found, ()) if path)
    yield from ((Layer(item, path), path) for path in _paths(item.data, ()) if path)


def _in_text(item: Item, field: str, text: JSON) -> Iterator[Path]:
    if not isinstance(text, str):
        return
    try:
        held = configmaps.decode(text) if is_secret(item) and field == "data" else text
        yield from (path for path in _paths(decode.data(held + "\n"), ()) if path)
    except (InputError, ValueError):
        return


def _paths(data: JSON, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths(value, (*path, key))
