"""A package's files as resources in memory, and those resources as files, a list or a stream again."""

from __future__ import annotations

import posixpath

from krm_values._cli import krm
from krm_values._cli.tree import Document, Tree
from krm_values._kit.record import record
from krm_values._kit.writer import REMOVED, Change, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._cli.package import Package


@record
class Loaded:
    """The resources, and the content of each file they were read from, by its path relative to the outermost package."""

    tree: Tree
    contents: Mapping[str, bytes]


def load(root: Package) -> Loaded:
    """Split all files of a package tree into documents. InputError names a file that cannot be read or is no resource."""
    contents: dict[str, bytes] = {}
    found: list[Document] = []
    for package in root.walk():
        for file in package.files:
            path = posixpath.join(package.path, file.path)
            contents[path] = file.content
            found += _documents(package.path, file.path, file.content)
    tree = Tree(found)
    krm.check(tree)
    return Loaded(tree, contents)


def changes(loaded: Loaded) -> list[Change]:
    """The files that are no longer what they were, sorted by path."""
    after = _contents(loaded)
    paths = sorted({*after, *loaded.contents})
    made = [Change(path, digest(loaded.contents.get(path)), after.get(path)) for path in paths]
    return [change for change in made if digest(change.new) != change.old]


def copies(loaded: Loaded) -> list[Change]:
    """All files, for an empty directory."""
    return [Change(path, REMOVED, content) for path, content in sorted(_contents(loaded).items())]
