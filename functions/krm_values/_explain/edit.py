"""Edits one file in memory: a layer or a part of it goes, or gets another value."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import get, to_field
from krm_values._data.record import record
from krm_values._explain import anchors, in_text
from krm_values._go import yaml as goyaml
from krm_values._go.encoding_json import is_json
from krm_values._krm import places
from krm_values._krm.item import Item
from krm_values._krm.plan import Inside
from krm_values._run import objects
from krm_values._yaml import decode, emit
from krm_values._yaml.edit.editor import Editor
from krm_values._yaml.encoding import LineStarts
from krm_values._yaml.nodes import leaf_end, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.documents import Documents
    from krm_values._yaml.nodes import Node


@record
class RemovedPart:
    """The part to remove: a whole document (`path` is empty), a field of it, or a value of the text in that field.

    number: of the YAML document of that text. merge: of a `<<` of the map there, which alone is removed, how many lines it is below the map's key.
    """

    item: Item
    path: Path = ()
    inner: Path | None = None
    number: int = 0
    merge: int = 0

    @property
    def place(self) -> tuple[Path, Path | None]:
        """The place as its reader has it."""
        return self.path, in_text.as_read(self.item, self.path, self.inner, self.number)


def removed(source: Documents, layers: list[RemovedPart], file: str, *, hides: bool) -> bytes:
    """Return the content of the file without these layers. hides: what they hold may not be in a message."""
    gone = frozenset(layer.item.number for layer in layers if not layer.path)
    edited: dict[int, str] = {}
    for layer in layers:
        if layer.path:
            try:
                edited[layer.item.number] = _edited(
                    source.text(layer.item.number), layer, partial(_cut_merge, below=layer.merge) if layer.merge else _cut_out
                )
            except EditError as error:
                raise InputError(error.message, line_of(layer), file=file) from None
            except InputError as error:
                raise InputError(_unreadable(error, hides=hides), line_of(layer), file=file) from None
    return source.write(edited, gone, [])


def changed_to(source: Documents, layer: RemovedPart, file: str, value: str, *, hides: bool) -> bytes:
    """Return the content of the file with another value at a place, as YAML of one line. hides: the value may not be in a message."""
    line, column = in_text.place(layer.item, layer.path, layer.inner or (), layer.number)
    line = line or layer.item.position.line
    try:
        new = _read(value, is_element=isinstance((layer.inner or layer.path)[-1], int))
    except InputError as error:
        message = "`=VALUE` is not YAML of one line" + ("" if hides else f": {error.message.removeprefix('is not YAML: ')}")
        raise InputError(message, line, column, file) from None
    try:
        text = _edited(source.text(layer.item.number), layer, lambda text, path: _put(text, path, new))
        return source.write({layer.item.number: text}, (), [])
    except EditError as error:
        message = "the value cannot be written here" if hides else error.message
        raise InputError(message, line, column, file) from None
    except InputError as error:
        raise InputError(_unreadable(error, hides=hides), line, column, file) from None


def _unreadable(error: InputError, *, hides: bool) -> str:
    """Return why a text cannot be edited."""
    return "is in a text that cannot be edited" + ("" if hides else f": it {error.message}")


def _read(value: str, *, is_element: bool) -> JSON:
    """Return the data of YAML of one line, as it would be behind a key or the dash of an element. InputError if it is none."""
    if not value.strip():
        raise InputError('it is empty; write `null`, `""` or `{}`')
    if "\n" in value or "\r" in value:
        raise InputError("it has a line break")
    root = decode.parse(value)
    if root.kind in ("map", "list") and not root.flow and not is_element:
        raise InputError("a map or list behind a key is written as `{a: b}` or `[a, b]`")
    return decode.data(value, lambda: root)


def _put(text: str, path: Path, value: JSON) -> str:
    """Return a text with another value at a path. Near an anchor, its own text is replaced: what its aliases repeat changes with it.

    EditError where the value has an anchor that is used elsewhere.
    """
    editor = Editor(text, is_json=is_json(text))
    if not editor.put(path, value, flow=True):
        return text
    if "&" not in text:
        return editor.text()
    root = decode.parse(text)
    own = next((one for at, _, one in decode.written(root) if at == path), None)
    if own is None:
        return editor.text()
    spliced = _spliced(text, own, path, value)
    if not spliced:
        _check_anchors(root, own, path)
    return spliced or editor.text()


def _spliced(text: str, own: Node, path: Path, value: JSON) -> str:
    """Return a text with another value, with the same anchor, in place of a node; "" if it cannot be read so."""
    is_block = own.kind in ("map", "list") and not own.flow
    if (is_block and not own.anchor) or (own.kind == "scalar" and own.style in ("|", ">")):
        return ""
    anchor = f"&{own.anchor} " if own.anchor and own.kind != "alias" else ""
    end = leaf_end(own) if is_block else own.end
    left = text[: own.start] + anchor + emit.flow(value) + "\n" * (is_block and text[end - 1 : end] == "\n") + text[end:]
    try:
        return left if data_edits.is_written_as(get(decode.data(left), path), value) else ""
    except InputError:
        return ""


def _check_anchors(root: Node, found: Node, path: Path) -> None:
    """Raise EditError if an anchor within a value is used elsewhere."""
    inside = {*map(id, walk(found))}
    used = [one.start for one in walk(root) if one.kind == "alias" and id(one.target) in inside and id(one) not in inside]
    if used:
        raise _UsedError(to_field(path), used, found.line + 1)


class _UsedError(EditError):
    """An anchor within a value is used elsewhere: aliases has where they begin in the text."""

    def __init__(self, field: str, aliases: Sequence[int], line: int) -> None:
        super().__init__(f"cannot edit `{field}`: an anchor in it is used elsewhere; write the block out", line)
        self.field, self.aliases = field, aliases

    def told(self, lines: Iterable[int]) -> EditError:
        """Return the error with the lines of the aliases in the file, without the anchor's name, which may be a Secret's text."""
        named = [f"{one:,}" for one in sorted(set(lines)) if one]
        if not named:
            return self
        where = f"line{'s' if len(named) > 1 else ''} {suggest.several(named)}"
        text = f"cannot edit `{self.field}`: an anchor in it is used on {where}; write out there what the alias repeats"
        return EditError(text, self.line)


def repeated_on(source: Documents, layer: RemovedPart) -> list[int]:
    """Return the lines of the file on which aliases repeat a value."""
    found: list[int] = []

    def note(text: str, path: Path) -> str:
        if "&" in text and (aliases := anchors.repeats(text, path)):
            raise _UsedError(to_field(path), aliases, 0)
        return text

    try:
        _edited(source.text(layer.item.number), layer, note, found)
    except EditError:
        return found
    return []


def cut(before: bytes, after: bytes, layers: list[RemovedPart]) -> tuple[int, int]:
    """Return the first line of the shortened file whose number differs from the original, and by how many lines it has moved up."""
    line = min(line_of(layer) for layer in layers)
    old, new = before.split(b"\n"), after.split(b"\n")
    top = _equal(old[: line - 1], new)
    most = min(len(old), len(new)) - top
    same = _equal(old[::-1][:most], new[::-1])
    return len(new) - same + 1, len(old) - len(new)


def _equal(old: list[bytes], new: list[bytes]) -> int:
    """Return how many lines are equal at the beginning."""
    return sum(1 for _ in takewhile(bool, map(bytes.__eq__, old, new)))


def line_of(layer: RemovedPart) -> int:
    if not layer.path:
        return layer.item.position.line
    return in_text.place(layer.item, layer.path, layer.inner or (), layer.number)[0]


def _edited(text: str, layer: RemovedPart, edit: Callable[[str, Path], str], aliases: list[int] | None = None) -> str:
    """Return the text of a document after an edit of a place in it, or in the text of a field. aliases: gets the lines of those that hinder it."""
    lines = [] if aliases is None else aliases
    if layer.inner is None:
        try:
            return edit(text, layer.path)
        except _UsedError as error:
            lines += [layer.item.position.line + text.count("\n", 0, at) for at in error.aliases]
            raise error.told(lines) from None
    held = str(get(layer.item.data, layer.path))
    encoded = objects.is_encoded(layer.item, layer.path)
    held = objects.decode(held) if encoded else held
    parts = goyaml.split(held)
    try:
        parts[layer.number] = edit(parts[layer.number], layer.inner)
    except _UsedError as error:
        starts, begin = LineStarts(held), sum(map(len, parts[: layer.number]))
        inside = (Inside(held, line + 1, column + 1) for line, column in (starts.place(begin + at) for at in error.aliases))
        lines += [places.of_text(layer.item, layer.path, one)[0] for one in inside]
        raise error.told(lines) from None
    new = "".join(parts)
    if new == held:
        return text
    editor = Editor(text, is_json=is_json(text))
    editor.put(layer.path, objects.encode(new) if encoded else new)
    return editor.text()


def _cut_out(text: str, path: Path) -> str:
    """Return a text without a value, and without what repeats it. Near an anchor its lines are removed if they hold nothing else: an alias must not become a copy."""
    if "&" in text:
        left = _without_lines(text, path)
        if left is not None:
            return left
        text = _without_repeats(text, path)
        left = _without_lines(text, path)
        if left is not None:
            return left
    editor = Editor(text)
    editor.remove(path)
    return editor.text()


def _without_repeats(text: str, path: Path) -> str:
    try:
        return anchors.without_repeats(text, path)
    except EditError:
        raise _UsedError(to_field(path), anchors.repeats(text, path), decode.find(decode.parse(text), path).line + 1) from None  # type: ignore[union-attr]  # it is there


def _cut_merge(text: str, path: Path, below: int) -> str:
    """Return a text without the lines of the `<<` of a map that begins so many lines below the map's key. EditError if the map has nothing else."""
    root = decode.parse(text)
    found = next(((key, one) for at, key, one in decode.written(root) if at == path), None)
    named, held = found or (root, root)
    for key, one in zip(held.keys, held.items, strict=True) if found and held.kind == "map" else ():
        if decode.is_merge(key) and key.line == named.line + below and len(held.items) > 1:
            start, last = text.rfind("\n", 0, key.start) + 1, one.end if one.kind == "alias" else leaf_end(one)
            return text[:start] + text[text.find("\n", last - 1) + 1 or len(text) :]
    raise EditError(f"cannot edit `{to_field(path)}`: `<<` is all that it has; name the line of the map")


def _without_lines(text: str, path: Path) -> str | None:
    """Return a text without the lines of an entry of a block map that has other entries.

    None if there is no such entry, if it has an anchor that is used elsewhere, or if the rest cannot be read.
    """
    root = decode.parse(text)
    parent = decode.find(root, path[:-1])
    found = [one for one in decode.written(parent) if one[0] == path[-1:]] if parent is not None else []
    if parent is None or parent.kind != "map" or parent.flow or len(parent.items) == 1 or not found:
        return None
    _, key, value = found[0]
    if anchors.repeats(text, path):
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
