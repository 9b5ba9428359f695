"""Applies edits to a package in memory: one alone to the first state, or taken back from the second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from krm_values._data import data_edits
from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import replace
from krm_values._explain.comparer import MOVED
from krm_values._go import yaml as goyaml
from krm_values._krm import documents, kptfile
from krm_values._krm.packages import File
from krm_values._run import objects
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.changed import SourceChange
    from krm_values._explain.comparer import Change, Place
    from krm_values._explain.match import Document
    from krm_values._krm.packages import Package


def applied(root: Package, changes: Iterable[SourceChange], *, back: bool) -> Package:
    """Return a package with one hunk: the first state with it, or (back) the second without it. InputError, EditError or ValueError if that cannot be."""
    by_document: dict[int, list[SourceChange]] = {}
    for one in changes:
        by_document.setdefault(id(one.pair), []).append(one)
    for group in by_document.values():
        pair = group[0].pair
        here, there = (pair.after, pair.before) if back else (pair.before, pair.after)
        if group[0].kind == MOVED and group[0].change is None:
            root = _moved(root, here.package, there.package)  # type: ignore[union-attr]
        elif group[0].change is None:
            root = _without(root, here) if here else _with(root, there)  # type: ignore[arg-type]
        elif here:
            data: Any = data_edits.copy(here.item.reading.whole)
            edits = [one.change for one in group if one.change]
            _edit(data, edits, here, back=back)
            if there is not None:
                _without_rest(data, there.item.data, [one.after if back else one.before for one in edits])
            root = _edited(root, here, data)
    return root


def _edit(data: Any, changes: Sequence[Change], document: Document, *, back: bool) -> None:
    """Make the changes of one hunk, the last places first: of one place, of the order of a list, or of elements that took the place of others."""
    if changes[0].kind == MOVED:
        changes = changes[:1]
    for change in sorted(changes, key=lambda one: _rank(one, back=back), reverse=True):
        _make(data, change, document, back=back)


def _without_rest(data: JSON, wanted: JSON, edited: Iterable[Place]) -> None:
    """Remove the maps and texts of which nothing is left after a hunk, and which the other state does not have."""
    for place in edited:
        for size in range(len(place.path), 0, -1):
            held = get(data, place.path[:size], ABSENT)
            is_text = size == len(place.path) and place.inner is not None and held is not ABSENT
            if (held == {} or is_text) and get(wanted, place.path[:size], ABSENT) is ABSENT:
                data_edits.remove(data, place.path[:size])


def _rank(change: Change, *, back: bool) -> tuple[list[tuple[int, str]], bool, int]:
    """Return what changes are sorted by: where they are made, at one place first those that remove and then the last of those that insert."""
    at, other = (change.after, change.before) if back else (change.before, change.after)
    place = [(part, "") if isinstance(part, int) else (-1, part) for part in (*at.path, *(at.inner or ()))]
    *_, index = other.inner or other.path
    return place, (change.old if back else change.new) is ABSENT, index if isinstance(index, int) else 0


def _make(data: Any, change: Change, document: Document, *, back: bool) -> None:
    at = change.after if back else change.before
    (_, want), (_, have) = change.sides() if back else change.sides()[::-1]
    if at.inner is None:
        _put(data, at.path, change, want, have, back=back)
        return
    encoded = objects.is_encoded(document.item, at.path)
    held = get(data, at.path)
    text: Any = {}
    parts = [""]
    if isinstance(held, str):
        clear = objects.decode(held) if encoded else held
        parts = goyaml.split(clear)
        text = decode.data(parts[at.number] + "\n")
        if have is not ABSENT and get(text, at.inner, ABSENT) is ABSENT:
            text = goyaml.read(parts[at.number]).data  # whose key is another one to Go, as `on` is
    _put(text, at.inner, change, want, have, back=back)
    parts[at.number] = "\n".join(emit.block(text)) + "\n"
    is_begun = (one.startswith("---") or not one.strip() for one in parts[1:])
    written = parts[0] + "".join(one if begun else f"---\n{one}" for one, begun in zip(parts[1:], is_begun, strict=True))
    _put_key(data, at.path, objects.encode(written) if encoded else written)


def _put(data: Any, path: Path, change: Change, want: Any, have: Any, *, back: bool) -> None:
    if change.kind == MOVED:
        elements: Any = get(data, path[:-1])
        pairs = [(new, old) for old, new in change.order] if back else [*change.order]
        ordered = [elements[one] for one, _ in sorted(pairs, key=lambda pair: pair[1])]
        for (index, _), element in zip(sorted(pairs), ordered, strict=True):
            elements[index] = element
    elif want is ABSENT:
        data_edits.remove(data, path)
    elif have is ABSENT and change.is_element:
        data_edits.put(data, path, data_edits.copy(want), insert=True)
    else:
        _put_key(data, path, data_edits.copy(want))


def _put_key(data: Any, path: Path, value: JSON) -> None:
    """Set a value; the maps above it are created."""
    for size in range(1, len(path)):
        if get(data, path[:size], ABSENT) is ABSENT:
            data_edits.put(data, path[:size], {})
    data_edits.put(data, path, value)


def _edited(root: Package, document: Document, data: JSON) -> Package:
    text = emit.as_json(data, indent=2) if document.file.endswith(".json") else "\n".join(emit.block(data))
    return _in_file(root, document, {document.origin: f"{text}\n"}, frozenset())


def _without(root: Package, document: Document) -> Package:
    return _in_file(root, document, {}, frozenset((document.origin,)))


def _in_file(root: Package, document: Document, edited: dict[int, str], gone: frozenset[int]) -> Package:
    package = _package(root, document)
    file = next((one for one in package.files if one.path == document.file), None)
    if file is None:
        raise InputError("is not a file of the package", file=document.path)
    content = documents.read(file.content, file.path).write(edited, gone, [])
    return put(root, _with_file(package, File(file.path, content)))


def _with(root: Package, document: Document) -> Package:
    package = _package(root, document)
    file = next((one for one in package.files if one.path == document.file), None)
    before = file.content.rstrip(b"\n") + b"\n---\n" if file and file.content.strip() else b""
    return put(root, _with_file(package, File(document.file, before + document.text.encode())))


def _with_file(package: Package, file: File) -> Package:
    """Return a package with a file in place of the one of this path; without it, if it is empty."""
    files = [one for one in package.files if one.path != file.path] + ([file] if file.content.strip() else [])
    ordered = tuple(sorted(files, key=lambda one: one.path.split("/")))
    if file.path != kptfile.NAME:
        return replace(package, files=ordered)
    return replace(package, files=ordered, kptfile=kptfile.read(file.content.decode("utf-8-sig"), file.path))


def _package(root: Package, document: Document) -> Package:
    found = next((one for one in root.walk() if one.path == document.package), None)
    if found is None:
        raise InputError("is not a file of the package", file=document.path)
    return found


def _moved(root: Package, path: str, to: str) -> Package:
    """Return the tree with a package, and what is below it, in another directory. InputError if none holds that."""
    package = next((one for one in root.walk() if one.path == path), None)
    rest = _taken_out(root, path)
    above = [one for one in rest.walk() if not one.path or to.startswith(f"{one.path}/")]
    if package is None or not above:
        raise InputError("is not a package", file=path)
    parent = max(above, key=lambda one: len(one.path))
    below = sorted((*parent.packages, _below(package, path, to)), key=lambda one: one.path.split("/"))
    return put(rest, replace(parent, packages=tuple(below)))


def _taken_out(root: Package, path: str) -> Package:
    return replace(root, packages=tuple(_taken_out(one, path) for one in root.packages if one.path != path))


def _below(package: Package, path: str, to: str) -> Package:
    """Return a package in the directory `to`, which was in the directory `path`, and those below it."""
    return replace(
        package, path=to + package.path[len(path) :], packages=tuple(_below(one, path, to) for one in package.packages)
    )


def put(root: Package, package: Package) -> Package:
    """Return the tree with a package in place of the one with the same path."""
    if root.path == package.path:
        return package
    return replace(root, packages=tuple(put(one, package) for one in root.packages))
