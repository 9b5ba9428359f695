"""The resources of a package tree while its pipelines run. They are kept as text, so that what no step edits is never reprinted."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record, replace
from krm_values._data.scalars import text as scalars
from krm_values._kit.engine.generated import header_of
from krm_values._kit.kio import headers, reader
from krm_values._kit.kio.filenames import wrong_with
from krm_values._kit.planner.item import Item, Position
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from krm_values._cli.package.kptfile import Selector, Step
    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._kit.api.resolve import Outcome
    from krm_values._kit.engine.generated import Added
    from krm_values._kit.planner.item import Header

_NOTHING: Mapping[str, Header] = {}


@record
class Document:
    """One resource. `file` is relative to `package`; `line` is where it begins on disk, 0 once a step has changed it.

    origin: its index in the file as it was read, -1 for a new one. cut: as in `Position`.
    """

    package: str
    file: str
    index: int
    text: str
    is_json: bool
    line: int
    origin: int
    cut: tuple[int, int] = (0, 0)

    @property
    def path(self) -> str:
        """The path relative to the outermost package."""
        return posixpath.join(self.package, self.file)


class Tree:
    """The documents of a package and its sub-packages, in the order in which kpt sends them. known: headers that were read, by text.

    empty: the files without a document, by path relative to the outermost package.
    """

    __slots__ = ("_items", "_known", "documents", "empty", "limits")

    def __init__(
        self,
        documents: Iterable[Document],
        limits: Limits = DEFAULT,
        known: Mapping[str, Header] = _NOTHING,
        empty: frozenset[str] = frozenset(),
    ) -> None:
        self.documents, self.limits, self._known, self.empty = list(documents), limits, known, empty
        self._items: dict[int, tuple[Document, Item]] = {}

    def item(self, number: int) -> Item:
        """Return the document as an item, which is created and read once per text and place."""
        document = self.documents[number]
        known = self._items.get(number)
        if known is None or known[0] is not document:
            known = self._items[number] = (document, item_of(number, document, self.limits, self._known.get(document.text)))
        return known[1]

    def below(self, package: str) -> list[int]:
        """Return the numbers of the documents of a package and its sub-packages."""
        prefix = f"{package}/" if package else ""
        return [n for n, found in enumerate(self.documents) if found.package == package or found.package.startswith(prefix)]

    def at(self, package: str, file: str) -> list[int]:
        """Return the numbers of the documents of one file."""
        return [n for n, found in enumerate(self.documents) if (found.package, found.file) == (package, file)]

    def files(self, package: str) -> list[str]:
        """Return the files of a package, without those of its sub-packages."""
        return list(dict.fromkeys(found.file for found in self.documents if found.package == package))

    def selected(self, step: Step, package: str) -> list[int]:
        """Return the input of a step of a package's pipeline: items that match any selector and no exclusion."""
        numbers = self.below(package)
        if step.selectors:
            numbers = [n for n in numbers if any(fits(selector, self.item(n)) for selector in step.selectors)]
        exclude = [selector for selector in step.exclude if selector.fields or selector.labels or selector.annotations]
        return [n for n in numbers if not any(fits(selector, self.item(n)) for selector in exclude)] if exclude else numbers

    def apply(self, outcome: Outcome, package: str) -> None:
        """Apply a mutator's outcome, as the next step sees it."""
        for number, text in outcome.edited.items():
            self.documents[number] = replace(self.documents[number], text=text, line=0)
        kept = [document for number, document in enumerate(self.documents) if number not in outcome.removed]
        known = _Known(self.documents if outcome.added else ())
        self.documents = kept + [_new(added, package, known) for added in outcome.added]
        if outcome.removed:
            self._items.clear()


class _Known:
    """The packages of a tree, and the last index in each of its files."""

    __slots__ = ("last", "packages")

    def __init__(self, documents: Sequence[Document]) -> None:
        self.packages = {found.package for found in documents}
        self.last: dict[str, int] = {}
        for found in documents:
            self.last[found.path] = max(found.index, self.last.get(found.path, found.index))


def _new(added: Added, package: str, known: _Known) -> Document:
    path = added.position.path or posixpath.join(package, default_path(added.data))
    if wrong := wrong_with(path):
        raise InputError(f'a new resource would be written to "{path}": the path {wrong}; rename it')
    owner = max((one for one in known.packages if f"{path}/".startswith(f"{one}/")), key=len, default="")
    file = path[len(owner) + 1 :] if owner else path
    index = 1 + known.last.get(path, -1)
    is_json = path.endswith(".json")
    text = emit.as_json(added.data, indent=2) if is_json else "\n".join(emit.block(added.data))
    return Document(owner, file, max(index, added.position.index), f"{text}\n", is_json, 0, -1)


class Selection:
    """The part of the tree that a step sees; its items keep the tree's numbers."""

    __slots__ = ("_tree", "has_host_annotations", "has_package_paths", "items", "limits")

    def __init__(self, tree: Tree, numbers: Sequence[int]) -> None:
        self._tree = tree
        self.items = [tree.item(number) for number in numbers]
        self.has_host_annotations, self.has_package_paths, self.limits = False, True, tree.limits

    def is_json(self, number: int) -> bool:
        return self._tree.documents[number].is_json

    def text(self, number: int) -> str:
        return self._tree.documents[number].text

    def crossing(self, number: int) -> int:  # noqa: ARG002 - an anchor ends with its document
        return 0

    def contains(self, text: str) -> bool:
        return any(text in self.text(item.number) or text in item.position.path for item in self.items)


def fits(selector: Selector, item: Item) -> bool:
    """Return whether every field of the selector equals the item's, as kpt compares them."""
    found = {"apiVersion": item.api_version, "kind": item.kind, "namespace": item.namespace, "name": item.name}
    if any(found[field] != value for field, value in selector.fields):
        return False
    if not selector.labels and not selector.annotations:
        return True
    metadata = item.data.get("metadata") if isinstance(item.data, dict) else None
    labels = _texts(metadata, "labels")
    annotations = {**_texts(metadata, "annotations"), **item.reading.annotations}
    return all(labels.get(key) == value for key, value in selector.labels) and all(
        annotations.get(key) == value for key, value in selector.annotations
    )


def default_path(data: JSON) -> str:
    """Return the file that kpt gives a new resource without a path: `[<namespace>/]<kind>_<name>.yaml`."""
    kind, _, namespace, name = header_of(data)
    return posixpath.join(namespace, f"{kind.lower()}_{name}.yaml")


def item_of(number: int, document: Document, limits: Limits, header: Header | None = None) -> Item:
    """Return a document as an item, which is read on demand. header: if it was read before."""
    header = header or headers.read(document.text.encode(), None, limits)
    position = Position(document.package, document.file, document.index, document.line, cut=document.cut)
    return Item(number, header, lambda: reader.read(document.text, None, limits), position)


def _texts(metadata: JSON, field: str) -> dict[str, str]:
    found = metadata.get(field) if isinstance(metadata, dict) else None
    return {key: scalars.text_of(value) for key, value in found.items()} if isinstance(found, dict) else {}
