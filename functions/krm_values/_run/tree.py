"""The resources of a package tree while its pipelines run. They are kept as text, so that what no step edits is never reprinted."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, InputError, InputsError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import get
from krm_values._data.record import keep, record, replace
from krm_values._krm import documents, headers, names, places, reader
from krm_values._krm.filenames import wrong_with
from krm_values._krm.item import Header, Item, Position, is_secret
from krm_values._krm.write import REMOVED, Change, digest
from krm_values._run.generated import header_of
from krm_values._run.resolve import broken_documents
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.kptfile import Step
    from krm_values._krm.packages import File, Package
    from krm_values._run.generated import Added
    from krm_values._run.resolve import Outcome


_HEADER = ("apiVersion",), ("kind",), ("metadata", "namespace"), ("metadata", "name")


@record
class PackageDocument:
    """One resource. `file` is relative to `package`; `line` is where it begins on disk, 0 once a step has changed it.

    origin: its index in the file as it was read, -1 for a new one. cut: as in `Position`. header: None if its text is to be read for it.
    """

    package: str
    file: str
    index: int
    written: str | Added
    is_json: bool
    line: int
    origin: int
    cut: tuple[int, int] = (0, 0)
    header: Header | None = None
    _text: str = ""

    @property
    def text(self) -> str:
        """Its text; that of a generated object is made on first use."""
        added = self.written
        if isinstance(added, str):
            return added
        if not self._text:
            text = added.text or (emit.as_json(added.data, indent=2) if self.is_json else "\n".join(emit.block(added.data)))
            keep(self, "_text", f"{text.rstrip()}\n")
        return self._text

    def with_text(self, text: str, line: int = 0) -> PackageDocument:
        """Return the document with another text."""
        return replace(self, written=text, line=line, header=None)

    @property
    def path(self) -> str:
        """The path relative to the outermost package."""
        return f"{self.package}/{self.file}" if self.package else self.file


class Tree:
    """The documents of a package and its sub-packages, in the order in which kpt sends them.

    empty: the files without a document, by path relative to the outermost package.
    """

    __slots__ = ("_items", "_places", "documents", "empty", "limits")

    def __init__(
        self,
        documents: Iterable[PackageDocument],
        limits: Limits = DEFAULT,
        empty: frozenset[str] = frozenset(),
    ) -> None:
        self.documents, self.limits, self.empty = list(documents), limits, empty
        self._items: dict[int, tuple[PackageDocument, Item]] = {}
        self._places: _Places | None = None

    @property
    def places(self) -> _Places:
        """The documents by package and file."""
        if self._places is None:
            self._places = _Places(self.documents)
        return self._places

    def item(self, number: int) -> Item:
        """Return the document as an item, which is created and read once per text and place."""
        document = self.documents[number]
        known = self._items.get(number)
        if known is None or known[0] is not document:
            known = self._items[number] = (document, item_of(number, document, self.limits))
        return known[1]

    def below(self, package: str) -> list[int]:
        """Return the numbers of the documents of a package and its sub-packages."""
        return self.places.below.get(package, [])

    def at(self, package: str, file: str) -> list[int]:
        """Return the numbers of the documents of one file."""
        return self.places.at.get((package, file), [])

    def files(self, package: str) -> list[str]:
        """Return the files of a package, without those of its sub-packages."""
        found = map(self.documents.__getitem__, self.below(package))
        return list(dict.fromkeys(one.file for one in found if one.package == package))

    def selected(self, step: Step, package: str) -> list[int]:
        """Return the input of a step of a package's pipeline: items that match any selector and no exclusion."""
        return [number for number in self.below(package) if step.selects(self.item(number))]

    def gives(self, number: int, step: Step, package: str) -> bool:
        """Return whether a document is in the input of a step."""
        return package in with_outer(self.documents[number].package) and step.selects(self.item(number))

    def apply(self, outcome: Outcome, package: str) -> None:
        """Apply a mutator's outcome, as the next step sees it."""
        for number, text in outcome.edited.items():
            self.documents[number] = self.documents[number].with_text(text)
        for number, (path, index) in outcome.moved.items():
            owner = next((one for one in with_outer(path) if one in self.places.packages), "")
            file = path[len(owner) + 1 :] if owner else path
            self.documents[number] = replace(self.documents[number], package=owner, file=file, index=index, line=0, origin=-1)
        if outcome.moved or outcome.removed:
            self.documents = [document for number, document in enumerate(self.documents) if number not in outcome.removed]
            self._items.clear()
            self._places = None
        made = [_new(added, package, self.places) for added in outcome.added]
        for document in made:
            self.places.add(len(self.documents), document)
            self.documents.append(document)


class _Places:
    """The numbers of a tree's documents: of each package with its sub-packages, and of each file. last: the last index in each file."""

    __slots__ = ("at", "below", "last", "packages")

    def __init__(self, documents: Sequence[PackageDocument]) -> None:
        self.below: dict[str, list[int]] = {}
        self.at: dict[tuple[str, str], list[int]] = {}
        self.last: dict[str, int] = {}
        self.packages: set[str] = set()
        for number, document in enumerate(documents):
            self.add(number, document)

    def add(self, number: int, document: PackageDocument) -> None:
        """Take in a further document."""
        self.packages.add(document.package)
        self.at.setdefault((document.package, document.file), []).append(number)
        self.last[document.path] = max(document.index, self.last.get(document.path, document.index))
        for package in with_outer(document.package):
            self.below.setdefault(package, []).append(number)


def with_outer(package: str) -> Iterator[str]:
    """Yield a path and those of the directories around it, the outermost package last."""
    yield package
    while package:
        package = package.rpartition("/")[0]
        yield package


def _new(added: Added, package: str, known: _Places) -> PackageDocument:
    path = added.position.path or posixpath.join(package, default_path(added.data))
    if wrong := wrong_with(path):
        raise InputError(f'a new resource would be written to "{path}": the path {wrong}; rename it')
    owner = next((one for one in with_outer(path) if one in known.packages), "")
    file = path[len(owner) + 1 :] if owner else path
    index = 1 + known.last.get(path, -1)
    header = [] if added.text else [text for path in _HEADER if isinstance(text := get(added.data, path, ""), str)]
    found = Header(*header) if len(header) == len(_HEADER) else None
    return PackageDocument(owner, file, max(index, added.position.index), added, path.endswith(".json"), 0, -1, header=found)


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
        found = [self._tree.documents[item.number] for item in self.items]
        return any(text in one.text or text in one.path for one in found)


def default_path(data: JSON) -> str:
    """Return the file that kpt gives a new resource without a path: `[<namespace>/]<kind>_<name>.yaml`."""
    kind, _, namespace, name = header_of(data)
    return posixpath.join(namespace, f"{kind.lower()}_{name}.yaml")


def item_of(number: int, document: PackageDocument, limits: Limits) -> Item:
    """Return a document as an item, which is read on demand."""
    header = document.header or headers.read(document.text.encode(), None, limits)
    position = Position(document.package, document.file, document.index, document.line, cut=document.cut)
    return Item(number, header, lambda: reader.read(document.text, None, limits), position)


# Converts a package's files to resources in memory, and these to files, a list or a stream.


@record
class Loaded:
    """The resources, and by path relative to the outermost package the content and the documents of each file as it was read."""

    tree: Tree
    contents: Mapping[str, bytes]
    documents: Mapping[str, list[PackageDocument]]


def load(root: Package, limits: Limits = DEFAULT) -> Loaded:
    """Split all files of a package tree into documents. InputError names a file that cannot be read or is not a resource."""
    contents: dict[str, bytes] = {}
    found: dict[str, list[PackageDocument]] = {}
    count = 0
    for package in root.walk():
        for file in package.files:
            path = posixpath.join(package.path, file.path)
            contents[path] = file.content
            found[path] = list(_documents(package.path, file, count, limits))
            count += len(found[path])
    empty = frozenset(path for path, group in found.items() if not group)
    tree = Tree((document for group in found.values() for document in group), limits, empty)
    check_resources(tree)
    return Loaded(tree, contents, found)


def changes(loaded: Loaded) -> list[Change]:
    """Return the changed files, sorted by path."""
    after = contents(loaded)
    paths = sorted({*after, *loaded.contents})
    changed = [path for path in paths if after.get(path) != loaded.contents.get(path)]
    secret = _secret_paths(loaded.tree)
    return [Change(path, digest(loaded.contents.get(path)), after.get(path), path in secret) for path in changed]


def copies(loaded: Loaded) -> list[Change]:
    """Return all files, for an empty directory."""
    secret = _secret_paths(loaded.tree)
    return [Change(path, REMOVED, content, path in secret) for path, content in sorted(contents(loaded).items())]


def _secret_paths(tree: Tree) -> set[str]:
    """Return the files that hold a Secret."""
    return {document.path for number, document in enumerate(tree.documents) if is_secret(tree.item(number))}


def _documents(package: str, file: File, before: int, limits: Limits) -> Iterator[PackageDocument]:
    """Yield the documents of a file that follows `before` others."""
    source = documents.read(file.content, file.path, package, first=before, limits=limits)
    for item in source.items:
        text, is_json, position = source.text(item.number), source.is_json(item.number), item.position
        header = None if text.startswith(" ") else item.header
        at = position.index, text, is_json, position.line, item.number - before, file.cut, header
        yield PackageDocument(package, file.path, *at)


def contents(loaded: Loaded) -> dict[str, bytes]:
    """Return the new content of each file; a file whose resources were all removed is left out, one that never had any stays."""
    groups: dict[str, list[PackageDocument]] = {path: [] for path in loaded.contents}
    for document in loaded.tree.documents:
        groups.setdefault(document.path, []).append(document)
    after = {}
    for path, group in groups.items():
        if group == loaded.documents.get(path):
            after[path] = loaded.contents[path]
        elif group:
            after[path] = _content(path, group, loaded.contents.get(path, b""))
    return after


def _content(path: str, group: list[PackageDocument], content: bytes) -> bytes:
    if not content:
        return stream(group)
    source = documents.read(content, path)
    kept = {document.origin: document.text for document in group if document.origin >= 0}
    edited = {number: text for number, text in kept.items() if text != source.text(number)}
    removed = frozenset(item.number for item in source.items if item.number not in kept)
    new = sorted((document for document in group if document.origin < 0), key=lambda document: document.index)
    try:
        return source.write(edited, removed, [decode.to_data(decode.parse(document.text)) for document in new])
    except EditError as error:
        raise EditError(f"{path}: {error.message}") from None


def stream(found: Iterable[PackageDocument]) -> bytes:
    """Return resources as a stream of documents."""
    texts = (document.text if document.text.endswith("\n") else f"{document.text}\n" for document in found)
    return "---\n".join(texts).encode()


# Checks what kpt accepts as a resource: any other document in a package's YAML and JSON files stops kpt before a function runs.


def check_resources(tree: Tree) -> None:
    """Raise InputError with one line per invalid document, in kpt's words and with the fix."""
    items = [tree.item(number) for number in range(len(tree.documents))]
    faults = {item.number: _fault(item, wrong) for item in items if (wrong := _wrong(item))}
    broken = broken_documents(items, lambda number: tree.documents[number].text)
    faults |= {item.number: _fault(item, "") for item in broken}
    if faults:
        raise InputsError(faults[number] for number in sorted(faults))


def _fault(item: Item, wrong: str) -> InputError:
    """Return what is wrong with a document: the field that it lacks, if it can be read."""
    if error := item.error:
        return InputError(f"{error.message}{_of_template(item)}", error.line, error.column, error.file)
    hint = "if it is not a resource, name the file in `.krmignore`"
    text = f"input resource list must contain only KRM resources: {item.position.path}: resource must have {wrong}; {hint}"
    return InputError(text, *places.of_field(item, ()), item.position.source)


def _of_template(item: Item) -> str:
    is_template = "templates" in item.position.path.split("/")[:-1]
    return "; a template is no resource: name its directory in `.krmignore`" if is_template else ""


def _wrong(item: Item) -> str:
    """Return the missing field, "" if none is; a kustomization needs none, and `generateName` counts as a name here."""
    if item.file.rpartition("/")[2] in names.KUSTOMIZATIONS or item.api_version.startswith("kustomize.config.k8s.io"):
        return ""
    if not item.api_version:
        return "" if item.kind == "Kustomization" else "`apiVersion`"
    if not item.kind:
        return "`kind`"
    return "" if item.label else "`metadata.name`"
