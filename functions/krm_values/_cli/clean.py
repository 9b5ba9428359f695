"""`krm-values clean`, `run --release` and `render -o OUT --release`: removes undo records and marks from files and from what is printed."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.record import replace
from krm_values._krm import documents, findings, names, packages, resourcelist
from krm_values._krm.item import is_secret
from krm_values._krm.write import Change, clear, digest, locked, write
from krm_values._run import arguments, pipe, report
from krm_values._run.arguments import LOCK_TIMEOUT
from krm_values._run.engine import refused
from krm_values._run.pipeline import read_package
from krm_values._run.recorder import cleaned
from krm_values._run.terminal import send, tell

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from krm_values._data.limits import Limits
    from krm_values._run.engine import Source
    from krm_values._run.tree import Tree


_OURS = names.OWN.encode()
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
    with locked(directory, timeout=timeout):
        tell(*(f"warning: {text}" for text in clear(directory, packages.staged_below(directory))))
        changes = [*_changes(files(directory, options), options.limits)]
        write(directory, changes)
    tell(report.summary(changes))
    if changes:
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
            tree.documents[number] = replace(document, text=text)


def of_file(path: str, content: bytes, limits: Limits) -> tuple[bytes, bool]:
    """Return the cleaned content of a file, and whether it holds a Secret. Files without annotations of ours are not parsed."""
    if _OURS not in content:
        return content, False
    source = documents.read(content, path, limits=limits)
    edited = _edited(source)
    return (source.write(edited, frozenset(), []) if edited else content), any(map(is_secret, source.items))


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


def _changes(files: Iterable[tuple[str, bytes]], limits: Limits) -> Iterator[Change]:
    for path, content in files:
        new, secret = of_file(path, content, limits)
        if new != content:
            yield Change(path, digest(content), new, secret)


def files(directory: Path, options: Namespace) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package as `render` finds them, or those of a directory that is not one."""
    if not packages.is_package(directory):
        for file, content in packages.files_below(directory, follow_links=options.follow_links, limits=options.limits):
            yield file.relative_to(directory).as_posix(), content
        return
    for package in read_package(directory, follow_links=options.follow_links, limits=options.limits).walk():
        for one in package.files:
            yield posixpath.join(package.path, one.path), one.content
