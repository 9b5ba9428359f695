"""What stands on a line of a file: the document, its fields that begin there, also within a text, and lines that are no value of a layer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import record
from krm_values._data.shown import printable
from krm_values._explain import anchors
from krm_values._explain.in_text import number_at
from krm_values._go import yaml as goyaml
from krm_values._krm import names, places
from krm_values._krm.item import Item, withholds
from krm_values._krm.plan import Inside
from krm_values._yaml import decode
from krm_values._yaml.encoding import LineStarts
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._explain.steps import Place
    from krm_values._yaml.nodes import Node

    _Entry = tuple[int, Path, Node]  # where a key, or an element of a list, begins in a text, its path, and the value

_MARKERS = ("---", "...")
_ANNOTATION = 3  # parts of the path of an annotation
_GENERATED = names.MADE_BY, names.MADE_FROM


def document_at(items: Sequence[Item], line: int) -> Item | None:
    """Return the document that contains a line, from 1; None before the first."""
    return next((item for item in reversed(items) if item.position.line <= line), None)


def check_line(content: bytes, line: int, file: str) -> None:
    """Raise InputError if a file has no such line."""
    last = len(content.splitlines())
    if line > last:
        raise InputError(f"has no line {line:,}: its last one is {last:,}", file=file)


def place_at(item: Item, line: int) -> tuple[Path, Path | None]:
    """Return the outermost field that begins on a line, from 1, else the innermost that began before it, and the place in its text."""
    found = _look(item, line)
    return found.path, found.inner


def places_at(item: Item, line: int) -> list[Place]:
    """Return all outermost fields that begin on a line, from 1, with the place in their text; else the one that `place_at` returns."""
    field, inner = place_at(item, line)
    root, begins = _nodes_at(item, line, field, inner)
    if root is None:
        return [(field, inner)]
    found = _outermost(path for path, key, _ in decode.written(root) if begins(key.start))
    found = [path for path in found if inner is not None or get(item.data, path, ABSENT) is not ABSENT]
    merged = [(*path, key) for path, keys in _merges(root, begins, is_text=inner is not None) if not found for key in keys]
    found += [path for path in merged if inner is not None or get(item.data, path, ABSENT) is not ABSENT]
    return [(path, None) if inner is None else (field, path) for path in found] or [(field, inner)]


def repeats_of(item: Item, line: int, found: Sequence[Place]) -> list[Place]:
    """Return where aliases repeat what begins on a line, from 1. found: the places of that."""
    field, inner = found[0]
    root, _ = _nodes_at(item, line, field, inner)
    if root is None or not any(node.kind == "alias" for node in walk(root)):
        return []
    paths = [path if inner is None else text or () for path, text in found]
    again = anchors.places(root, paths, is_text=inner is not None)
    return [(path, None) if inner is None else (field, path) for path in again]


def merge_at(item: Item, line: int) -> Place | None:
    """Return the place of the map into which a `<<` that begins on a line, from 1, merges another one; None if none does, or a key begins there."""
    field, inner = place_at(item, line)
    root, begins = _nodes_at(item, line, field, inner)
    if root is None or any(begins(key.start) for _, key, _ in decode.written(root)):
        return None
    path = next((path for path, _ in _merges(root, begins, is_text=inner is not None)), ())
    return None if not path else (path, None) if inner is None else (field, path)


def _merges(node: Node, begins: Callable[[int], bool], path: Path = (), *, is_text: bool) -> Iterator[tuple[Path, list[str]]]:
    """Yield the path of each map with a `<<` that begins on the line, and the keys that the map has from it: in a text also those above it, as in Go."""
    if node.kind == "list":
        for number, item in enumerate(node.items):
            yield from _merges(item, begins, (*path, number), is_text=is_text)
    pairs = [*zip(node.keys, node.items, strict=True)] if node.kind == "map" else []
    for key, item in pairs:
        if not decode.is_merge(key):
            yield from _merges(item, begins, (*path, decode.key_text(key)), is_text=is_text)
        elif begins(key.start):
            yield path, [name for name, _ in anchors.merged_by(key, item, pairs, is_text=is_text)]


def _nodes_at(item: Item, line: int, field: Path, inner: Path | None) -> tuple[Node | None, Callable[[int], bool]]:
    """Return the nodes of a document, or of the text in a field, and what tells whether an offset in them is on a line, from 1."""
    root, at = item.reading.root, item.reading.at
    if root is None or at is None:
        return None, lambda _: False
    if inner is None:
        return root(), lambda offset: at(offset)[0] == line - item.position.line
    text = str(get(item.data, field))
    starts = LineStarts(text)
    begin, part = _document(text, number_at(item, field, line))

    def is_on_line(offset: int) -> bool:
        number, column = starts.place(begin + offset)
        placed = item.reading.inside(field, text, number + 1, column + 1)
        return placed is not None and placed[0] == line - item.position.line

    return decode.parse(part + "\n"), is_on_line


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are not below another one. Each comes after those above it."""
    found: dict[Path, None] = {}
    for path in paths:
        if not any(path[:size] in found for size in range(len(path) + 1)):
            found[path] = None
    return [*found]


def dead_keys(item: Item, field: Path, line: int) -> dict[Path | None, str]:
    """Return the keys on a line of a text whose values Go does not take, each with the reason: the same key, or `<<`, is below it."""
    if withholds(item, field):
        return {}
    text = str(get(item.data, field))
    starts = LineStarts(text)

    def line_of(number: int, column: int) -> int:
        return places.of_text(item, field, Inside(text, number + 1, column + 1))[0]

    try:
        root = decode.parse(text + "\n")
    except InputError:  # several documents: what is read of them is told by the value
        return {}
    begins: dict[Path, list[int]] = {}
    for path, key, _ in decode.written(root):
        begins.setdefault(path, []).append(key.start)
    found: dict[Path | None, str] = {}
    for path, known in begins.items():
        lines = [line_of(*starts.place(at)) for at in known] if len(known) > 1 else []
        if line in lines[:-1]:
            found[path] = f"line {lines[-1]} has the key again, and the last one counts"
    try:
        lints = goyaml.read(text).lints if "<<" in text else []
    except InputError:
        return found
    merged = [one.path for one in lints if one.kind == "merged" and line_of(one.line - 1, one.column - 1) == line]
    return {**found, **dict.fromkeys(merged, "`<<` below has the key as well, and for Go that one counts")}


def mark_at(item: Item, line: int) -> str:
    """Return the annotation of a host or of krm-values that begins on a line, "" if none does."""
    path = _look(item, line).hidden
    return str(path[-1]) if len(path) == _ANNOTATION else ""


def about_mark(item: Item, annotation: str) -> str:
    """Return a sentence about such an annotation."""
    group, _, name = annotation.partition("/")
    if group != names.GROUP:
        return "an annotation of the program that read the file"
    if name.startswith(names.UNDO):
        return f"the undo record of {printable(name.removeprefix(names.UNDO))}, which says what was here before its first run"
    maker = item.marks.get(names.MADE_BY, "")
    if name in _GENERATED and maker:
        return f"the mark by which {printable(maker)} finds what it generated"
    return "an annotation of krm-values itself"


def check_value(items: Sequence[Item], content: bytes, line: int, file: str) -> None:
    """Raise InputError, naming the nearest line with a value, if a line of the file is not part of any value (a comment, for example)."""
    lines = content.decode(errors="replace").split("\n")
    item, is_comment = document_at(items, line), _is_comment(lines[line - 1])
    found = _look(item, line) if item and not _is_marker(lines[line - 1]) else _Found()
    if len(found.hidden) == _ANNOTATION and not is_comment:
        return
    if found.path and not found.hidden and (found.reaches or not is_comment):
        return
    near = (one for step in range(1, len(lines)) for one in (line + step, line - step) if 0 < one <= len(lines))
    fields = ((one, field) for one in near if not _is_comment(lines[one - 1]) and (field := _field(items, one)))
    number, field = next(fields, (0, ""))
    nearest = f"; the nearest is `{field}` on line {number:,}" if number else ""
    raise InputError(f"no value is on this line{nearest}", line, file=file)


def _field(items: Sequence[Item], line: int) -> str:
    """Return the field on a line, "" if there is none."""
    item = document_at(items, line)
    found = _look(item, line) if item else _Found()
    if item is None or found.hidden or not found.path:
        return ""
    inner = found.inner and not withholds(item, found.path)  # a line of a Secret's text may only look like a key
    return printable(to_field(found.path) + (f" » {to_field(found.inner or ())}" if inner else ""))


def _is_marker(text: str) -> bool:
    return text[:3] in _MARKERS and text[3:].strip()[:1] in ("", "#")


def _is_comment(text: str) -> bool:
    """Return whether a line looks like a comment, a marker or a directive; it may still be a line of a text."""
    return text.strip()[:1] in ("", "#") or text[:1] == "%" or _is_marker(text)


@record
class _Found:
    """The nearest field and the nearest value of its text, and whether they are on the line. hidden: an annotation that is nearer and that planners do not see."""

    path: Path = ()
    inner: Path | None = None
    reaches: bool = False
    hidden: Path = ()


def _look(item: Item, line: int) -> _Found:
    wanted, reading = line - item.position.line, item.reading
    root, at = reading.root, reading.at
    if root is None or at is None:
        return _Found()

    def line_of(offset: int) -> int:
        return at(offset)[0]

    entries = [(key.start, path, value) for path, key, value in decode.written(root())]
    found = _nearest(entries, wanted, line_of)
    hidden: Path = ()
    if found and get(item.data, found[1], ABSENT) is ABSENT:
        hidden, seen = found[1], [entry for entry in entries if get(item.data, entry[1], ABSENT) is not ABSENT]
        found = _nearest(seen, wanted, line_of)
    if found is None:
        return _Found(hidden=hidden)
    path, text, reaches = found[1], get(item.data, found[1]), _reaches(found, wanted, line_of)
    inner = _inside(item, path, text, line) if isinstance(text, str) and line_of(found[0]) < wanted else None
    if inner is None:
        return _Found(path, None, reaches, hidden)
    return _Found(path, inner[0], reaches and inner[1], hidden)


def _inside(item: Item, path: Path, text: str, line: int) -> tuple[Path | None, bool] | None:
    """Return the outermost value of a YAML text that begins on a line, else the innermost that began before it, and whether it is on the line.

    None if the text has no values.
    """
    wanted = line - item.position.line
    begin, part = _document(text, number_at(item, path, line))
    try:
        entries = [(begin + key.start, inner, value) for inner, key, value in decode.written(decode.parse(part + "\n"))]
    except InputError:
        return None
    starts, inside = LineStarts(text), item.reading.inside

    def line_of(offset: int) -> int:
        number, column = starts.place(offset)
        placed = inside(path, text, number + 1, column + 1)
        return placed[0] if placed else wanted + 1

    found = _nearest(entries, wanted, line_of)
    if found is None:
        return (None, False) if entries else None
    return found[1], _reaches(found, wanted, line_of, begin)


def _document(text: str, number: int) -> tuple[int, str]:
    """Return where a document of a text begins, and its text."""
    parts = goyaml.split(text)
    return sum(map(len, parts[:number])), parts[number]


def _reaches(entry: _Entry, wanted: int, line_of: Callable[[int], int], begin: int = 0) -> bool:
    """Return whether an entry begins on a line, or has a text that extends to it. begin: where the text of its value begins in that of `line_of`."""
    start, _, value = entry
    return line_of(start) == wanted or (value.kind == "scalar" and line_of(begin + max(value.end - 1, value.start)) >= wanted)


def _nearest(entries: list[_Entry], wanted: int, line_of: Callable[[int], int]) -> _Entry | None:
    """Return the outermost entry that begins on a line, else the innermost of those that began last before it."""
    end = bisect_right(entries, wanted, key=lambda entry: line_of(entry[0]))
    if not end:
        return None
    last = line_of(entries[end - 1][0])
    begin = bisect_left(entries, last, key=lambda entry: line_of(entry[0]))
    choose = min if last == wanted else max
    return choose(entries[begin:end], key=lambda entry: len(entry[1]))
