"""`krm-values clean`, `run --release` and `render -o OUT --release`: removes undo records and marks from files and from what is printed.

`render -o unwrap --release` prints what a cluster takes.
"""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.data_edits import Remove
from krm_values._data.errors import EditError, address
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import replace
from krm_values._data.shown import cut
from krm_values._explain.shown import HIDDEN, as_in_file
from krm_values._krm import documents, findings, kptfile, names, packages, places, resourcelist
from krm_values._krm.item import is_secret
from krm_values._krm.taint import from_pointer
from krm_values._krm.undo_record import opened
from krm_values._krm.write import Change, clear, digest, write
from krm_values._run import arguments, pipe, report
from krm_values._run import stack as stacks
from krm_values._run.arguments import LOCK_TIMEOUT
from krm_values._run.engine import refused
from krm_values._run.generated import BY
from krm_values._run.pipeline import alone, named_below, read_package
from krm_values._run.recorder import cleaned
from krm_values._run.resolve import is_kustomization, patches
from krm_values._run.terminal import progress, send, tell, total
from krm_values._yaml import emit
from krm_values._yaml.edit.editor import Editor

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path as Place
    from krm_values._krm.item import Item
    from krm_values._krm.kptfile import Step
    from krm_values._run.engine import Source
    from krm_values._run.tree import PackageDocument, Tree


_OURS = names.OWN.encode()
_ANNOTATIONS = ("metadata", "annotations")
_LOCAL = "config.kubernetes.io/local-config"
"""What kpt and kustomize do not apply; any value but `false` means it, as kustomize reads it."""
_FUNCTION = "config.kubernetes.io/function"
COSTS = (
    "the records and marks are gone: a later run cannot update or undo what was written, and stops with an error where it "
    "would change it; keep the sources, and render from them"
)


def run(options: Namespace) -> int:
    """Clean a directory in place and return the exit code."""
    if options.directory == "-":
        arguments.refuse(options, "with DIR", "--lock-timeout", "--follow-links")
        send([of_stream(pipe.received(options.limits), options.limits)])
        return 0
    directory = Path(options.directory)
    packages.check_directory(directory, runs=False)
    timeout = LOCK_TIMEOUT if options.lock_timeout is None else options.lock_timeout
    with alone(directory, timeout), progress("cleaning"):
        tell(*(f"warning: {text}" for text in clear(directory, packages.staged_below(directory))))
        freed: list[str] = []
        changes = [*_changes(files(directory, options), options.limits, freed)]
        write(directory, changes)
    total(report.summary(changes))
    if changes:
        tell("authored from now on, as no record or mark tells what a function wrote:", *freed)
        tell(f"warning: {COSTS}")
    return 0


def released(copies: Iterable[Change], limits: Limits) -> list[Change]:
    """Return the files of a rendered package as `clean` would leave them."""
    return [
        change if change.new is None else replace(change, new=of_file(change.path, change.new, limits)[0]) for change in copies
    ]


def release(tree: Tree) -> None:
    """Clean the resources of a package in memory."""
    for number, document in enumerate(tree.documents):
        text = cleaned(tree.item(number), document.text, is_json=document.is_json, limits=tree.limits)
        if text != document.text:
            tree.documents[number] = document.with_text(text, document.line)


def manifests(tree: Tree) -> list[PackageDocument]:
    """Return the resources that a cluster takes, without annotations of ours.

    Left out are kinds of kpt and of our own group, which no cluster has, kustomizations and their patches, functionConfigs, and what is marked
    as local.
    """
    items = [tree.item(number) for number in range(len(tree.documents))]
    patching = patches(items, lambda word: (items[at] for at, document in enumerate(tree.documents) if word in document.text))
    configs = {
        (document.package, posixpath.normpath(step.config_path))
        for document in tree.documents
        if document.file == kptfile.NAME
        for step in _steps(document)
    }
    found = []
    for item, document in zip(items, tree.documents, strict=True):
        if (document.package, document.file) not in configs and item.number not in patching and not _is_of_package(item):
            text = _without_own_annotations(item, document.text, is_json=document.is_json, limits=tree.limits)
            found.append(document.with_text(text, document.line))
    return found


def _steps(document: PackageDocument) -> tuple[Step, ...]:
    read = kptfile.read(document.text, document.path)
    return (*read.mutators, *read.validators)


def _is_of_package(item: Item) -> bool:
    """Return whether a resource is for the tools that work on the package, and not for a cluster."""
    if item.group in (names.GROUP, "kpt.dev") or is_kustomization(item):
        return True
    found = get(item.reading.whole, _ANNOTATIONS)
    return isinstance(found, dict) and (_FUNCTION in found or found.get(_LOCAL, "false") not in ("false", False))


def _without_own_annotations(item: Item, text: str, *, is_json: bool, limits: Limits) -> str:
    gone = [key for key in item.reading.annotations if key.startswith(names.OWN)]
    if not gone:
        return text
    editor = Editor(text, is_json=is_json, limits=limits)
    for key in gone:
        editor.make(Remove((*_ANNOTATIONS, key)))
    if not get(editor.data, _ANNOTATIONS):
        editor.make(Remove(_ANNOTATIONS))
    return editor.text()


def of_file(path: str, content: bytes, limits: Limits) -> tuple[bytes, bool]:
    """Return the cleaned content of a file, and whether it holds a Secret. Files without annotations of ours are not parsed."""
    new, items, _ = _of_file(path, content, limits)
    return new, any(map(is_secret, items))


def _of_file(path: str, content: bytes, limits: Limits) -> tuple[bytes, Sequence[Item], list[Item]]:
    """Return the cleaned content, the resources, if the file had to be read, and those of them that had such annotations."""
    if _OURS not in content:
        return content, (), []
    source = documents.read(content, path, limits=limits)
    edited = _edited(source)
    new = source.write(edited, frozenset(), []) if edited else content
    return new, source.items, [item for item in source.items if item.number in edited]


def of_stream(content: bytes, limits: Limits) -> bytes:
    """Return documents, or a ResourceList, without undo records and marks."""
    if _OURS not in content:
        return content
    if not any(item.kind == "ResourceList" for item in documents.read(content, "", limits=limits).items):
        return of_file("", content, limits)[0]
    source = resourcelist.read(content, limits)
    return b"".join(source.edit(_edited(source)))


def _edited(source: Source) -> dict[int, str]:
    """Return the new text of each item that has such annotations, by number."""
    edited = {}
    for item in source.items:
        old = source.text(item.number)
        try:
            new = cleaned(item, old, is_json=source.is_json(item.number), limits=source.limits)
        except EditError as error:
            raise EditError(findings.message(refused(item, error, text=old))) from None
        if new != old:
            edited[item.number] = new
    return edited


def _changes(files: Iterable[tuple[str, bytes]], limits: Limits, freed: list[str]) -> Iterator[Change]:
    """Yield the files that change. freed: gets a line for each place that becomes authored."""
    for path, content in files:
        new, items, edited = _of_file(path, content, limits)
        if new != content:
            freed += (f"  {line}" for item in edited for line in _freed(item))
            yield Change(path, digest(content), new, any(map(is_secret, items)))


def _freed(item: Item) -> Iterator[str]:
    """Yield the places of a resource that its marks and undo records cover, with the values that they have."""
    found = item.reading.annotations
    if BY in found:
        yield f"{address(item.position.source, places.of_field(item, ())[0])}: {findings.title(item)}, generated by {found[BY]}"
        return
    seen: set[tuple[Place, Place | None]] = set()
    for _, record in stacks.read(found)[0]:
        for entry in record.entries:
            path = from_pointer(entry.path, item.data)
            text = opened(get(item.data, path)) if entry.inner else None
            inner = from_pointer(entry.inner, text.data if text else None) if entry.inner else None
            if (path, inner) not in seen:
                seen.add((path, inner))
                data, at = (item.data, path) if inner is None else (text.data if text else None, inner)
                yield _place(item, path, inner, get(data, at, ABSENT))


def _place(item: Item, path: Place, inner: Place | None, value: Any) -> str:
    """Return place and value as they may be shown."""
    text = get(item.data, path)
    inside = places.field_inside(text, inner) if inner is not None and isinstance(text, str) else None
    line = places.of_text(item, path, inside)[0] or places.of_field(item, path)[0]
    field = to_field(path) + (f" » {to_field(inner)}" if inner is not None else "")
    if value is ABSENT:
        shown = "absent"
    else:
        found = as_in_file(item, path, inner, value)
        shown = HIDDEN if found is HIDDEN else cut(emit.flow(found))
    return f"{address(item.position.source, line)}: {findings.title(item)} `{field}`: {shown}"


def files(directory: Path, options: Namespace) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package as `render` finds them, or those of a directory that is not one."""
    if not packages.is_package(directory):
        for file, content in packages.files_below(directory, follow_links=options.follow_links, limits=options.limits):
            yield file.relative_to(directory).as_posix(), content
        return
    with named_below(directory):
        root = read_package(directory, follow_links=options.follow_links, limits=options.limits)
    for package in root.walk():
        for one in package.files:
            yield posixpath.join(package.path, one.path), one.content
