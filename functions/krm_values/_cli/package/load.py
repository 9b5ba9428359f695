"""Converts a package's files to resources in memory, and these to files, a list or a stream."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._cli.package import check
from krm_values._cli.package.tree import Document, Tree
from krm_values._data.errors import EditError
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._kit.kio import documents
from krm_values._kit.planner.item import is_secret
from krm_values._kit.process.write import REMOVED, Change, digest
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from krm_values._cli.package.discover import File, Package
    from krm_values._data.limits import Limits
    from krm_values._kit.planner.item import Header


@record
class Loaded:
    """The resources, and by path relative to the outermost package the content and the documents of each file as it was read."""

    tree: Tree
    contents: Mapping[str, bytes]
    documents: Mapping[str, list[Document]]


def load(root: Package, limits: Limits = DEFAULT) -> Loaded:
    """Split all files of a package tree into documents. InputError names a file that cannot be read or is not a resource."""
    contents: dict[str, bytes] = {}
    found: dict[str, list[Document]] = {}
    known: dict[str, Header] = {}
    count = 0
    for package in root.walk():
        for file in package.files:
            path = posixpath.join(package.path, file.path)
            contents[path] = file.content
            found[path] = list(_documents(package.path, file, count, known, limits))
            count += len(found[path])
    empty = frozenset(path for path, group in found.items() if not group)
    tree = Tree((document for group in found.values() for document in group), limits, known, empty)
    check.check(tree)
    return Loaded(tree, contents, found)


def changes(loaded: Loaded) -> list[Change]:
    """Return the changed files, sorted by path."""
    after = contents(loaded)
    paths = sorted({*after, *loaded.contents})
    secret = _secret_paths(loaded.tree)
    made = [Change(path, digest(loaded.contents.get(path)), after.get(path), path in secret) for path in paths]
    return [change for change in made if digest(change.new) != change.old]


def copies(loaded: Loaded) -> list[Change]:
    """Return all files, for an empty directory."""
    secret = _secret_paths(loaded.tree)
    return [Change(path, REMOVED, content, path in secret) for path, content in sorted(contents(loaded).items())]


def unwrapped(tree: Tree) -> bytes:
    """Return all resources as a stream of documents."""
    return _stream(tree.documents)


def _secret_paths(tree: Tree) -> set[str]:
    """Return the files that hold a Secret."""
    return {document.path for number, document in enumerate(tree.documents) if is_secret(tree.item(number))}


def _documents(package: str, file: File, before: int, known: dict[str, Header], limits: Limits) -> Iterator[Document]:
    """Yield the documents of a file that follows `before` others. known: cache of the headers of unindented texts."""
    source = documents.read(file.content, file.path, package, first=before, limits=limits)
    for item in source.items:
        text, is_json, position = source.text(item.number), source.is_json(item.number), item.position
        if not text.startswith(" "):
            known[text] = item.header
        yield Document(package, file.path, position.index, text, is_json, position.line, item.number - before, file.cut)


def contents(loaded: Loaded) -> dict[str, bytes]:
    """Return the new content of each file; a file whose resources were all removed is left out, one that never had any stays."""
    groups: dict[str, list[Document]] = {path: [] for path in loaded.contents}
    for document in loaded.tree.documents:
        groups.setdefault(document.path, []).append(document)
    after = {}
    for path, group in groups.items():
        if group == loaded.documents.get(path):
            after[path] = loaded.contents[path]
        elif group:
            after[path] = _content(path, group, loaded.contents.get(path, b""))
    return after


def _content(path: str, group: list[Document], content: bytes) -> bytes:
    if not content:
        return _stream(group)
    source = documents.read(content, path)
    kept = {document.origin: document.text for document in group if document.origin >= 0}
    edited = {number: text for number, text in kept.items() if text != source.text(number)}
    removed = frozenset(item.number for item in source.items if item.number not in kept)
    new = sorted((document for document in group if document.origin < 0), key=lambda document: document.index)
    try:
        return source.write(edited, removed, [decode.to_data(decode.parse(document.text)) for document in new])
    except EditError as error:
        raise EditError(f"{path}: {error.message}") from None


def _stream(found: Iterable[Document]) -> bytes:
    texts = (document.text if document.text.endswith("\n") else f"{document.text}\n" for document in found)
    return "---\n".join(texts).encode()
