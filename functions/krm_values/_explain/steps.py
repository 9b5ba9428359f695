"""What each step decided, by document and place. An `Explanation` is all that `explain` knows: the steps, and the files before the first.

A list or plain resources are one step; a package has one for each function of its pipeline.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import ABSENT, get, parts_of, scalars
from krm_values._data.record import record, replace
from krm_values._data.shifting import Shifts
from krm_values._krm import names
from krm_values._krm.findings import title
from krm_values._krm.item import Item
from krm_values._run import report, tree
from krm_values._run.generated import header_of, identity_of
from krm_values._run.terminal import tell

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.shifting import Operation
    from krm_values._data.values import JSON
    from krm_values._krm.config import ConfigPlace
    from krm_values._krm.names import Writer
    from krm_values._krm.plan import Finding, New, Origin
    from krm_values._run.pipeline import Ran, Rendered
    from krm_values._run.resolve import Outcome
    from krm_values._run.state import Decision
    from krm_values._run.tree import PackageDocument

    Key = tuple[str | int, ...]
    Place = tuple[Path, Path | None]

_NOTHING: Mapping[str, Sequence[PackageDocument]] = {}


class Before:
    """Each document as it was before the first step, by path and index; empty where no package was read."""

    __slots__ = ("_by_index", "_documents", "_items", "limits")

    def __init__(self, documents: Mapping[str, Sequence[PackageDocument]] = _NOTHING, limits: Limits = DEFAULT) -> None:
        self._documents, self.limits = documents, limits
        self._by_index: dict[str, dict[int, PackageDocument]] = {}
        self._items: dict[tuple[str, int], Item | None] = {}

    def __bool__(self) -> bool:
        return bool(self._documents)

    def items(self) -> list[Item]:
        """Return all documents that can be read, as items."""
        found = (self.get(path, one.index) for path, documents in self._documents.items() for one in documents)
        return [item for item in found if item is not None]

    def get(self, path: str, index: int) -> Item | None:
        """Return the document as an item with the lines of its file; None if there was none."""
        key = path, index
        if key not in self._items:
            found = self._document(path, index)
            self._items[key] = tree.item_of(-1, found, self.limits) if found else None
        return self._items[key]

    def text(self, path: str, index: int) -> str:
        """Return the text of a document; "" if there was none."""
        found = self._document(path, index)
        return found.text if found else ""

    def _document(self, path: str, index: int) -> PackageDocument | None:
        if path not in self._by_index:
            self._by_index[path] = {one.index: one for one in self._documents.get(path, ())}
        return self._by_index[path].get(index)


@record
class Explained:
    """The decisions of one function, on a list or as a step of a pipeline (`package` and `step` are empty otherwise).

    items: its input. validates: it is a validator, whose changes are discarded. path, place: the step in the Kptfile, and line and column there.
    writer: what it writes as; None on a list.
    """

    function: str
    outcome: Outcome
    package: str = ""
    step: str = ""
    items: Sequence[Item] = ()
    validates: bool = False
    path: Path = ()
    place: tuple[int, int] = (0, 0)
    writer: Writer | None = None

    def takes_back(self, record: str, item: Item) -> bool:
        """Return whether an undo record of a document, by the name of its annotation, is one of this function that a run takes back."""
        key = record.removeprefix(names.UNDO)
        if self.writer is None:
            return key.partition(".")[0] == self.function
        path = posixpath.relpath(item.position.package or ".", self.package or ".")
        unnamed = replace(self.writer, config="", namespace="")  # of the first step of the function
        return any(key == one.key("" if path == "." else path) for one in (self.writer, unnamed))


@record
class Explanation:
    """The steps, and the documents of the package before the first of them. beside: findings about its files. order: finds steps in the wrong order."""

    steps: tuple[Explained, ...]
    before: Before = Before()
    beside: tuple[Finding, ...] = ()
    order: Callable[[], Iterable[Finding]] = tuple


def of_package(done: Rendered, beside: Iterable[Finding] = ()) -> Explanation:
    """Return the steps of a rendered package. beside: findings about its files."""
    from krm_values._run.order import findings  # noqa: PLC0415 - of packages only

    steps = [
        Explained(
            one.function,
            one.outcome,
            one.task.package,
            one.task.step.field,
            one.items,
            one.task.validates,
            one.task.step.path,
            one.task.step.places[""],
            one.writer,
        )
        for one in done.ran
    ]
    return Explanation(
        tuple(steps), Before(done.loaded.documents, done.loaded.tree.limits), (*beside,), lambda: findings(done.ran)
    )


def report_findings(
    steps: Iterable[Explained | Ran],
    *,
    verbose: bool,
    beside: Iterable[Finding] = (),
    folder: str = "",
    subject: Collection[str] | None = None,
) -> None:
    """Print the findings of steps, and others. folder: of the package, the prefix of files.

    subject: the titles of the resources that the command is about; how many warnings there are about others is said, unless `verbose`.
    """
    outcomes = [one.outcome for one in steps]
    found = [*(finding for outcome in outcomes for finding in outcome.findings), *beside]
    told = [one for one in found if verbose or _is_about(one, subject)]
    report.report(told, (outcome.unmatched for outcome in outcomes), verbose=verbose, folder=folder)
    left = sum(one.severity == "warning" for one in found) - sum(one.severity == "warning" for one in told)
    if left:
        tell(f"{left:,} warning{'' if left == 1 else 's'} about other resources: `-v` prints {'it' if left == 1 else 'them'}")


def _is_about(finding: Finding, subject: Collection[str] | None) -> bool:
    """Return whether a finding is an error, or about a subject."""
    return subject is None or finding.severity == "error" or (finding.item is not None and title(finding.item) in subject)


class ExplainedStep:
    """The decisions of one step, found by document and place."""

    __slots__ = (
        "_config",
        "_files",
        "_keys_of",
        "_made",
        "_operations",
        "_shifts_of",
        "_tables",
        "_written",
        "entry",
    )

    def __init__(self, entry: Explained) -> None:
        self.entry = entry
        self._files = _files(entry)
        self._made: dict[Key, New] | None = None
        self._operations: dict[Key, list[Operation]] | None = None
        self._written: dict[Key, Item] = {}  # the documents of the operations
        self._shifts_of: dict[Key, Shifts | None] = {}
        self._tables: dict[Key, dict[Place, Decision]] | None = None
        self._keys_of: dict[int, tuple[Item | New, list[Key]]] = {}  # with the item, so that no other takes its id over
        self._config: list[ConfigPlace | None] = []

    def located(self, origin: Origin) -> Origin:
        """Return an origin; one in the step's functionConfig with the resource that holds it, if that is known."""
        if origin.item is not None or origin.config is None:
            return origin
        if not self._config:
            self._config.append(self.entry.outcome.place())
        return self._config[0].origin(origin) if self._config[0] else origin

    def keys(self, item: Item | New) -> list[Key]:
        """Return the keys that identify a document: file and index, or file and name; a generated object has no index yet."""
        if id(item) not in self._keys_of:
            self._keys_of[id(item)] = item, self._keys(item)
        return self._keys_of[id(item)][1]

    def key(self, item: Item | New) -> Key:
        """Return the first of the keys."""
        if not isinstance(item, Item):
            return self.keys(item)[0]
        at = item.position
        return ("at", at.path, at.index) if at.file else ("number", item.number)

    def _keys(self, item: Item | New) -> list[Key]:
        if isinstance(item, Item):
            return [self.key(item), ("named", item.position.path, item.api_version, item.kind, item.namespace, item.name)]
        kind, group, namespace, name = header_of(item.data)
        version = str(item.data.get("apiVersion", "")) if isinstance(item.data, dict) else group
        file = self._files.get(identity_of(item)) or self._files.get((kind, group, namespace, name), "")
        return [("named", file, version, kind, namespace, name)]

    def decided(self, item: Item | New, path: Path, inner: Path | None) -> list[Decision]:
        """Return the decisions about a place: at it, else at the nearest place above it, else all those about parts of it."""
        table = self._table(item)
        if not table:
            return []
        for place in above(path, inner):
            if place in table:
                return [table[place]]
        return [found for place, found in table.items() if is_part(place, (path, inner))]

    def of(self, item: Item | New) -> list[Decision]:
        """Return all decisions about a document."""
        return [*self._table(item).values()]

    def touched(self) -> AbstractSet[Key]:
        """Return the keys of all documents of which the step decides or writes anything."""
        return self._decisions().keys() | self._by_document().keys() | self.generated().keys()

    def generated(self) -> Mapping[Key, New]:
        """Return the objects that the step generates, by their keys."""
        if self._made is None:
            self._made = {key: new for new in self.entry.outcome.generated for key in self.keys(new)}
        return self._made

    def made(self, item: Item | New) -> New | None:
        """Return a document as the step generated it; None for one that it did not generate."""
        found = self.generated()
        return next((found[key] for key in self.keys(item) if key in found), None) if found else None

    def _table(self, item: Item | New) -> dict[Place, Decision]:
        """Return the decisions about a document by place."""
        tables = self._decisions()
        return next((found for key in self.keys(item) if (found := tables.get(key))), {})

    def _decisions(self) -> dict[Key, dict[Place, Decision]]:
        """Return the decisions by document and place; indexed on first use."""
        if self._tables is None:
            self._tables = {}
            for decision in self.entry.outcome.decisions:
                if decision.leaf is not None and decision.after is not ABSENT:
                    for key in self.keys(decision.item):
                        self._tables.setdefault(key, {})[decision.path, decision.leaf.inner] = decision
        return self._tables

    def earlier(self, item: Item | New, path: Path) -> Path | None:
        """Return the path before the step of what is at `path` after it; None if the step wrote it."""
        shifts = self._shifts(item)
        return shifts.earlier(path) if shifts else path

    def replaced(self, item: Item | New, path: Path) -> Path | None:
        """Return the path before the step of what is at `path` after it, or of what the step replaced there; None if it inserted the element."""
        shifts = self._shifts(item)
        return shifts.replaced(path) if shifts else path

    def later(self, item: Item | New, path: Path, *, unwritten: bool = False) -> Path | None:
        """Return the path after the step of what was at `path` before it; None if the step removed it. unwritten: also if it wrote there or above."""
        shifts = self._shifts(item)
        return shifts.later(path, unwritten=unwritten) if shifts else path

    def shifts(self, item: Item | New) -> bool:
        """Return whether the step may have moved something within a document."""
        return any(op != "replace" for op, _, _, _ in self._done(item))

    def literals(self, item: Item | New) -> Iterator[tuple[Path, JSON]]:
        """Yield the scalars that the step writes into a document and that none of its decisions is about, as the key of an element that it adds."""
        table = self._table(item)
        decided = {path for path, _ in table}
        for op, at, _, value in self._done(item):
            if op not in ("add", "replace") or value is ABSENT or _is_mark(at):
                continue
            for path, scalar in scalars(value, _typed(at, item.data)):
                if path not in decided and not any(place in table for place in above(path, None)):
                    yield path, scalar

    def written(self, keys: Iterable[Key]) -> Item | None:
        """Return the document of these keys as the step gets it; None if the step neither writes into it nor takes anything back."""
        self._by_document()
        return next((self._written[key] for key in keys if key in self._written), None)

    def _done(self, item: Item | New) -> list[Operation]:
        """Return the operations of the step on a document, in order, with paths within it; none that adds or removes it as a whole."""
        operations = self._by_document()
        return next((operations[key] for key in self.keys(item) if key in operations), [])

    def _shifts(self, item: Item | New) -> Shifts | None:
        """Return what the operations did to the places of a document; None if there are none."""
        key = self.key(item)
        if key not in self._shifts_of:
            done, before = self._done(item), self.written(self.keys(item))
            self._shifts_of[key] = Shifts(before.data, done, partial=True) if done and before else None
        return self._shifts_of[key]

    def _by_document(self) -> dict[Key, list[Operation]]:
        if self._operations is None:
            numbers = {found.number: found for found in self.entry.items}
            by_number: dict[int, list[Operation]] = {}
            outcome = self.entry.outcome
            for operation in outcome.operations if outcome.planned is None else outcome.planned:
                _, number, *path = parts_of(str(operation["path"]))
                if path and number.isdigit():
                    source = parts_of(str(operation["from"]))[2:] if "from" in operation else []
                    value = operation.get("value", ABSENT)
                    by_number.setdefault(int(number), []).append((str(operation["op"]), tuple(path), tuple(source), value))
            self._operations = {}
            for at, done in by_number.items():
                for key in self.keys(numbers[at]) if at in numbers else ():
                    self._operations[key], self._written[key] = done, numbers[at]
            for at in outcome.edited:
                for key in self.keys(numbers[at]) if at in numbers else ():
                    self._written[key] = numbers[at]
        return self._operations


def _files(entry: Explained) -> dict[object, str]:
    """Return the file of each generated object: by identity if an earlier run wrote it, else by header."""
    found: dict[object, str] = {}
    for item in entry.items:
        if not item.is_unread and (mark := item.marks.get(names.MADE_FROM)):  # the run has read those of the function itself
            found[mark] = item.position.path
    for added in entry.outcome.added:
        found[header_of(added.data)] = added.position.path
    return found


def above(path: Path, inner: Path | None) -> Iterator[Place]:
    """Yield the place and those above it, nearest first."""
    if inner is not None:
        yield from ((path, inner[:size]) for size in range(len(inner), -1, -1))
    yield from ((path[:size], None) for size in range(len(path), 0, -1))


def is_part(place: Place, whole: Place) -> bool:
    """Return whether a place is another one, or a part of it."""
    (path, inner), (above, text) = place, whole
    if text is None:
        return path[: len(above)] == above
    return path == above and inner is not None and inner[: len(text)] == text


def _is_mark(at: Sequence[str]) -> bool:
    """Return whether a path is that of an annotation of ours, or of all annotations."""
    return tuple(at[:2]) == ("metadata", "annotations") and (len(at) == 2 or at[2].startswith(names.GROUP))


def _typed(at: Sequence[str], data: JSON) -> Path:
    """Return the path of an operation, indices as numbers."""
    path: list[str | int] = []
    for part in at:
        found: Any = get(data, tuple(path), ABSENT)
        path.append(int(part) if part.isdigit() and not isinstance(found, dict) else part)
    return tuple(path)
