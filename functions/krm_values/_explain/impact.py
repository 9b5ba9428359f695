"""`krm-values impact`: the effect of removing a layer, or a key of one.

The package is rendered as it is, and without what the command line names; `find` says what that is, `removed` takes it out of its file.
"""

from __future__ import annotations

import os
import posixpath
import sys
from itertools import takewhile
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import EditError, InputError, UsageError, UserError, from_os
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import described, printable
from krm_values._explain import changed, compare, differences, hunks, steps, values, why
from krm_values._explain.compare import Comparison
from krm_values._explain.diff import diff_of, print_diff
from krm_values._explain.match import Place
from krm_values._explain.query import Pattern
from krm_values._explain.sides import Side
from krm_values._explain.ways import Trace
from krm_values._krm import documents, findings, kptfile, places
from krm_values._krm.item import Item, is_secret
from krm_values._run import objects, pipeline
from krm_values._run.terminal import say, say_error
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from krm_values._yaml.nodes import leaf_end, walk

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.differences import Difference
    from krm_values._krm.documents import Documents
    from krm_values._krm.packages import File, Package
    from krm_values._krm.plan import Origin

_DIGITS = 15
_HEADS = (
    *(("apiVersion",), ("kind",), ("metadata",)),
    *(("metadata", "name"), ("metadata", "namespace"), ("metadata", "generateName")),
)
"""The fields that identify a resource: they cannot be removed alone."""
_VALUES = (("spec", "values"), ("spec",))
"""Where a resource that is neither a ConfigMap nor a Secret has the values of its layer."""


def run(options: Namespace) -> int:
    """Run `impact` and return its exit code: 0 if nothing would change, 1 if something would or a run would fail, 2 on any failure."""
    try:
        return _shown(options)
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return compare.FAILED


def _shown(options: Namespace) -> int:
    file, line, path = _named(options.layer)
    directory, named_file = why.in_package(file, options.directory)
    root = pipeline.read_package(directory, follow_links=options.follow_links, limits=options.limits)
    before = compare.render(root, options)
    steps.report_findings(before.ran, verbose=options.verbose, beside=before.about_files)
    if before.failed:
        return compare.FAILED
    package, left, layers = _shortened(root, named_file, line, path, Trace(steps.of_package(before)))
    try:
        after = compare.render(hunks.put(root, _with(package, left)), options)
    except UserError as error:
        say(f"{options.layer} is required: without it, a run fails")
        say_error(error)
        return compare.DIFFERS
    if after.failed:
        say(f"{options.layer} is required: without it, a run fails")
        steps.report_findings(after.ran, verbose=options.verbose)
        return compare.DIFFERS
    one, other = (Side(state, show_secrets=options.show_secrets) for state in (before, after))
    edits = changed.changed(one, other)
    found = [
        difference
        for difference in differences.between(one, other, changed.Touched(one, other, edits).has)
        if not _is_edit(difference, named_file, layers)
    ]
    names = str(directory), options.layer
    compare.put(Comparison(names, edits, found), options, names_winner=True)
    if not (options.json or options.markdown):
        text = diff_of(before, after, show_secrets=options.show_secrets)
        if text and found:
            print()
        print_diff(text, sys.stdout, colours=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    return compare.DIFFERS if found else compare.EQUAL


def _is_edit(one: Difference, file: str, layers: list[RemovedPart]) -> bool:
    """Return whether a difference is what was removed itself."""
    document = one.pair.before
    if document is None or document.path != file:
        return False
    found = [layer for layer in layers if layer.item.position.index == document.index]
    return any(not layer.path or one.was is None or Place(layer.path, layer.inner).contains(one.was) for layer in found)


def _named(text: str) -> tuple[str, int, str]:
    """Split `FILE[:LINE][:PATH]`, line 0 if none is given. If a file with the whole string as its name exists, it is that file."""
    if os.path.lexists(text):
        return text, 0, ""
    file, *rest = text.split(":")
    if not (rest and rest[0].removeprefix("-").isascii() and rest[0].removeprefix("-").isdigit()):
        return file, 0, ":".join(rest)
    number = rest.pop(0)
    if len(number) > _DIGITS or int(number) < 1:
        raise UsageError(f"must be FILE[:LINE][:PATH], with a line from 1 on that the file has; found {described(text)}")
    return file, int(number), ":".join(rest)


def _shortened(root: Package, file: str, line: int, path: str, trace: Trace) -> tuple[Package, File, list[RemovedPart]]:
    """Return the package of a file, the file without the named value, and that value. InputError if there is no such file."""
    for package in root.walk():
        below = f"{package.path}/" if package.path else ""
        for one in package.files:
            if below + one.path == file:
                source, layers = find(one.content, file, line, path, lambda layer: _wins(trace, file, layer))
                _say_what(trace, layers, file, line)
                content = removed(source, layers)
                return package, replace(one, content=content, cut=_cut(one.content, content, layers)), layers
    raise InputError("is not a file of the package", file=file)


def _with(package: Package, file: File) -> Package:
    """Return a package with a file in place of the one of its path, without it if it is empty. InputError for a Kptfile that cannot be read."""
    kept = (file,) if file.content.strip() else ()
    number = next(number for number, one in enumerate(package.files) if one.path == file.path)
    rest = replace(package, files=(*package.files[:number], *kept, *package.files[number + 1 :]))
    if file.path != kptfile.NAME:
        return rest
    return replace(rest, kptfile=kptfile.read(file.content.decode("utf-8-sig"), posixpath.join(package.path, file.path)))


def _wins(trace: Trace, file: str, layer: RemovedPart) -> bool:
    """Return whether a value of a layer wins anywhere."""
    resources = values.collect(trace)
    ways = (way for one in resources for value in one.values if value.way for way in value.way.all() if way.file == file)
    return any(_holds(layer, way.origin) for way in ways)


def _say_what(trace: Trace, layers: list[RemovedPart], file: str, line: int) -> None:
    """Print that a run writes the removed value again, or that a whole document is removed although the command names one line of it."""
    maker = next((found for layer in layers if (found := why.generated_by(trace, layer.item))), "")
    if maker:
        say(printable(f"{file} is {maker}, and a run writes it again: ask for a line of a layer, which `krm-values why` names"))
    elif line and not layers[0].path:
        title = printable(findings.title(layers[0].item))
        say(f"line {line:,} is part of what makes it {title}: the whole document is removed")


@record
class RemovedPart:
    """The part to remove: a whole document (`path` is empty), a field of it, or a value of the text in that field."""

    item: Item
    path: Path = ()
    inner: Path | None = None


def _always(_: RemovedPart) -> bool:
    return True


def find(
    content: bytes, file: str, line: int, path: str, wins: Callable[[RemovedPart], bool] = _always
) -> tuple[Documents, list[RemovedPart]]:
    """Return the layers that a file, line and path name. InputError, with the nearest one, if there is none, or if several documents have the path.

    wins: chooses among several.
    """
    why.check_line(content, line, file)
    source = documents.read(content, file)
    items = [*source.items]
    if not items:
        raise InputError("holds no resource", file=file)
    if line:
        item = why.document_at(items, line)
        if item is None:
            raise InputError("is before the first resource", line, file=file)
        items = [item]
    if path:
        return source, [_one(items, path, file, wins)]
    if not line:
        return source, [RemovedPart(item) for item in items]
    why.check_value([*source.items], content, line, file)
    if mark := why.mark_at(items[0], line):
        raise InputError(f"`{printable(mark)}` is {why.about_mark(items[0], mark)}: name a line of a layer", line, file=file)
    field, inner = why.place_at(items[0], line)
    return source, [RemovedPart(items[0]) if field in _HEADS else RemovedPart(items[0], field, inner)]


def _holds(layer: RemovedPart, origin: Origin) -> bool:
    """Return whether a value comes from a layer."""
    item, inner = origin.item, layer.inner or ()
    if not isinstance(item, Item) or findings.title(item) != findings.title(layer.item):
        return False
    if origin.path[: len(layer.path)] != layer.path:
        return False
    return layer.inner is None or (origin.inner or ())[: len(inner)] == inner


def removed(source: Documents, layers: list[RemovedPart]) -> bytes:
    """Return the content of the file without these layers."""
    gone = frozenset(layer.item.number for layer in layers if not layer.path)
    edited = {layer.item.number: _without(source.text(layer.item.number), layer) for layer in layers if layer.path}
    return source.write(edited, gone, [])


def _cut(before: bytes, after: bytes, layers: list[RemovedPart]) -> tuple[int, int]:
    """Return the first line of the shortened file whose number differs from the original, and by how many lines it has moved up."""
    line = min(_line(layer) for layer in layers)
    old, new = before.split(b"\n"), after.split(b"\n")
    top = _equal(old[: line - 1], new)
    most = min(len(old), len(new)) - top
    same = _equal(old[::-1][:most], new[::-1])
    return len(new) - same + 1, len(old) - len(new)


def _equal(old: list[bytes], new: list[bytes]) -> int:
    """Return how many lines are equal at the beginning."""
    return sum(1 for _ in takewhile(bool, map(bytes.__eq__, old, new)))


def _line(layer: RemovedPart) -> int:
    return places.of_field(layer.item, (*layer.path, *(layer.inner or ())))[0] if layer.path else layer.item.position.line


def _without(text: str, layer: RemovedPart) -> str:
    if layer.inner is None:
        return _cut_out(text, layer.path)
    editor = Editor(text)
    held = get(layer.item.data, layer.path)
    encoded = is_secret(layer.item) and layer.path[0] == "data"
    left = _cut_out(objects.decode(str(held)) if encoded else str(held), layer.inner)
    editor.put(layer.path, objects.encode(left) if encoded else left)
    return editor.text()


def _cut_out(text: str, path: Path) -> str:
    """Return a text without a value. Near an anchor its lines are removed if they hold nothing else: an alias must not become a copy.

    EditError where the value has an anchor that is used elsewhere.
    """
    if "&" in text:
        left = _without_lines(text, path)
        if left is not None:
            return left
        root = decode.parse(text)
        found = decode.find(root, path)
        used = {id(node.target) for node in walk(root) if node.kind == "alias"} if found is not None else set()
        for node in walk(found) if found is not None else ():
            if id(node) in used:
                text = f"cannot edit `{to_field(path)}`: an anchor in it is used elsewhere; write the block out"
                raise EditError(text, node.line + 1)  # without the anchor's name, which may be a Secret's text
    editor = Editor(text)
    editor.remove(path)
    return editor.text()


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


def _one(items: list[Item], path: str, file: str, wins: Callable[[RemovedPart], bool]) -> RemovedPart:
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


def _inside(item: Item, pattern: Pattern, known: set[str]) -> RemovedPart | None:
    """Return the first value of a document that the pattern matches; the paths of the others are added to `known`."""
    for layer, shown in _places(item):
        if pattern.fits(shown):
            return layer
        known.add(to_field(shown))
    return None


def _places(item: Item) -> Iterator[tuple[RemovedPart, Path]]:
    """Yield every value of a layer with the path by which it can be named."""
    for field in ("data", "stringData"):
        held = get(item.data, (field,))
        for key, text in held.items() if isinstance(held, dict) and item.kind in ("ConfigMap", "Secret") else ():
            yield RemovedPart(item, (field, key)), (field, key)
            yield from ((RemovedPart(item, (field, key), inner), inner) for inner in _in_text(item, field, text))
    for prefix in _VALUES:
        found = get(item.data, prefix, ABSENT)
        if found is not ABSENT and item.kind not in ("ConfigMap", "Secret"):
            yield from ((RemovedPart(item, (*prefix, *path)), path) for path in _paths(found, ()) if path)
    yield from ((RemovedPart(item, path), path) for path in _paths(item.data, ()) if path)


def _in_text(item: Item, field: str, text: JSON) -> Iterator[Path]:
    if not isinstance(text, str):
        return
    try:
        held = objects.decode(text) if is_secret(item) and field == "data" else text
        yield from (path for path in _paths(decode.data(held + "\n"), ()) if path)
    except (InputError, ValueError):
        return


def _paths(data: JSON, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths(value, (*path, key))
