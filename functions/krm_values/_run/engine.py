"""A plan under way: applies each decision to plain data, then renders the new text of changed items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import to_field
from krm_values._data.record import replace
from krm_values._krm import hosts, names, taint
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import Drop, Finding, Inside, Mark, Move, New, Note, Origin, Put
from krm_values._run.generated import generate, with_positions
from krm_values._run.state import State, whole
from krm_values._yaml.emit import check_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Protocol

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Fits, Severity
    from krm_values._run.generated import Added
    from krm_values._run.state import Decision

    class Source(Protocol):
        """The input: the items of a ResourceList or of files, and their texts, by the numbers of the items."""

        @property
        def items(self) -> Sequence[Item]: ...
        @property
        def has_host_annotations(self) -> bool:
            """Whether the items carry the annotations of hosts, as in a ResourceList."""

        @property
        def has_package_paths(self) -> bool:
            """Whether generated objects are written to the files that their paths name; not so for files named on the command line."""

        @property
        def limits(self) -> Limits: ...
        def is_json(self, number: int) -> bool:
            """Return whether an item is JSON, and is edited as such."""

        def text(self, number: int) -> str:
            """Return the text of an item."""

        def crossing(self, number: int) -> int:
            """Return the line of an anchor or alias whose other end is outside the item, so that the item cannot be edited; 0 if there is none."""

        def contains(self, text: str) -> bool:
            """Return whether any item may contain a text; False is certain."""

    class Packages(Protocol):
        """Where new objects go."""

        @property
        def package(self) -> str:
            """The package of the functionConfig, to which the objects go that it alone makes."""

        def folder_of(self, item: Item) -> str:
            """Return the package of an item whose position does not name it."""

    class Hides(Protocol):
        """Decides which decisions derive from values of Secrets."""

        def hides(self, decision: Decision) -> bool: ...


DIFFERS = "differs"


class Run:
    """A plan under way: the state of each item and object that it has touched.

    To use it, `take` every entry of the plan, then `generate`, then let the recorder write its records, then ask for `texts`. Only then are
    `operations`, `planned` and `decisions` final.

    states: by the number of an item, by the `id` of an object that the plan generates. plan_findings: those of the plan; findings: the others.
    has_entries: whether the plan has entries that are no findings. news: the objects that the plan generates; created: those of them that
    stand nowhere yet; replaced: the states of the others, by the number of the item. read: the origins that the notes name. brief: the caller
    needs no decisions, operations and notes (which are dropped), so that each item is written when the plan reaches the next one. annotates:
    whether the run leaves annotations for later ones (marks of generated objects and of values from Secrets).
    """

    __slots__ = (
        "_early",
        "added",
        "annotates",
        "created",
        "findings",
        "has_entries",
        "news",
        "notes",
        "plan_findings",
        "read",
        "redaction",
        "removed",
        "replaced",
        "source",
        "states",
    )

    def __init__(
        self,
        source: Source,
        redaction: Hides | None = None,
        *,
        brief: bool = False,
        annotates: bool = True,
    ) -> None:
        self.source, self.redaction, self.annotates = source, redaction, annotates
        self._early = EarlyWriter(self._written) if brief else None
        self.states: dict[int, State] = {}
        self.has_entries = False
        self.plan_findings: list[Finding] = []
        self.findings: list[Finding] = []
        self.notes: list[Note] = []
        self.news: list[New] = []
        self.read: list[Origin] = []
        self.removed: set[int] = set()
        self.added: list[Added] = []
        self.created: Sequence[tuple[New, Added]] = ()
        self.replaced: dict[int, State] = {}

    def take(self, entry: object) -> None:
        """Apply one entry of the plan; an edit that is not possible becomes a finding. InterleavedError if a brief run cannot continue."""
        self.has_entries = self.has_entries or not isinstance(entry, Finding)
        match entry:
            case Finding():
                self.plan_findings.append(entry)
                if self._early:
                    self._early.report(entry)
            case New():
                self.news.append(entry)
            case Note() if not self._early:
                self.notes.append(entry)
                self.read += entry.read
            case Drop(item=item, path=()):
                self.removed.add(item.number)
            case Mark() if not self.annotates:
                pass
            case Put() | Drop() | Move() | Mark():
                if self._early:
                    self._early.reach(entry.item, self.states)
                try:
                    _step(self.state(entry.item), entry)
                except EditError as error:
                    self.findings.append(refused(entry.item, error, getattr(entry, "path", ("metadata", "annotations"))))

    def generate(self, name: str, ours: list[Item], others: list[Item], removal: Severity, packages: Packages) -> None:
        """Match the objects of this plan with those of earlier runs. removal: the severity of the finding on one that is removed."""
        any_secret = bool(self.news) and any(map(is_secret, [*ours, *others]))
        withholding = bool(self.news) and (
            any(item.withheld for key in taint.TELLING for item in mentioning(key, others, self.source))
            or any(not one.is_unread and taint.holds_secret(one.data) for one in mentioning("Secret", others, self.source))
        )
        made = [(new, self._marked(new, may=withholding or (any_secret and new.reads_secrets))) for new in self.news]
        for new, data in made:
            try:
                check_keys(data)
            except EditError as error:
                self.findings.append(refused(new, error))
        at = _ItemsByFile([*ours, *others], self.source).at
        checks_paths = self.source.has_package_paths
        result = generate(
            name,
            made,
            ours,
            others,
            at,
            removal=removal,
            checks_paths=checks_paths,
            marks=self.annotates,
            package=packages.package if self.news else "",
            package_of=packages.folder_of,
        )
        for item, data, new in result.replaced:
            state = State(item)
            self.states[id(new)].set_before(state.data)
            state.edit_to(data, ordered=True, spelt=not self.source.is_json(item.number))
            self.replaced[item.number] = state
        self.removed |= {item.number for item in result.removed}
        self.created = result.added
        added = [added for _, added in result.added]
        self.added += with_positions(added) if self.source.has_host_annotations else added
        self.findings += result.findings

    def texts(self) -> dict[int, str]:
        """Return the new text of edited items by number; what the editor refuses becomes a finding."""
        texts: dict[int, str] = {}
        for written in self._all_written():
            if written.text is not None:
                texts[written.item.number] = written.text
            self.findings += written.findings
        return texts

    def _all_written(self) -> list[Written]:
        if self._early is None:
            return [self._written(state) for state in self.edited()]
        self._early.finish(self.states)
        done = [*self._early.written.values(), *(self._written(state) for state in self.edited())]
        return sorted(done, key=lambda written: written.item.number)

    def _written(self, state: State) -> Written:
        assert isinstance(state.item, Item)
        try:
            text, notes = edited_text(state, self.source)
        except (EditError, InputError) as error:
            found = refused(state.item, error, text=self.source.text(state.number))
            return Written(state.item, None, [found])
        return Written(state.item, text, [Finding("info", "rewritten", None, note, state.item) for note in notes])

    def operations(self, repeats: set[int]) -> tuple[dict[str, JSON], ...]:
        """Return RFC 6902 operations: edits by the numbers of the input, new items, then removals from the end, so that no number shifts before it is used."""
        gone = repeats | self.removed
        edits = [operation for state in self.edited() if state.number not in gone for operation in state.operations]
        news: list[dict[str, JSON]] = [{"op": "add", "path": "/items/-", "value": added.data} for added in self.added]
        removals: list[dict[str, JSON]] = [
            {"op": "remove", "path": f"/items/{number}"} for number in sorted(gone, reverse=True)
        ]
        return (*edits, *news, *removals)

    def planned(self) -> tuple[dict[str, JSON], ...]:
        """Return the operations of the plan on the items as it saw them, without what earlier runs of the step wrote."""
        states = (*self.states.values(), *self.replaced.values())
        return tuple(one for state in states for one in (state.operations if state.planned is None else state.planned))

    def decisions(self, fits: Fits | None = None) -> Iterator[Decision]:
        """Yield all decisions in the order of the items, generated objects last. fits: which leaves of those are needed, if not all."""
        for state in self.states.values():
            for decision in state.decisions(fits):
                hides = (self.redaction is not None and self.redaction.hides(decision)) or _is_in_secret(state, decision)
                yield replace(decision, secret=True) if hides else decision

    def state(self, item: Item | New) -> State:
        """Return the state of an item or object, which is created on first use."""
        key = item.number if isinstance(item, Item) else id(item)
        if key not in self.states:
            self.states[key] = State(item, brief=self._early is not None)
        return self.states[key]

    def _marked(self, new: New, *, may: bool) -> JSON:
        """Return a generated object's data with the mark that lists its values from Secrets, if it may have one."""
        state = self.state(new)
        if not may or not new.written or new.is_secret or not self.annotates:
            return state.data
        leaves = [decision.leaf for decision in state.decisions() if decision.leaf]
        paths = [leaf.path for leaf in leaves if leaf.secret and not taint.in_nested(state.data, leaf.path)]
        return whole(state.data, {taint.MARK: taint.mark(paths)}) if paths else state.data

    def edited(self) -> list[State]:
        """Return the states of the items that the run changes, in the order of the list, without those already written."""
        states = [state for state in (*self.states.values(), *self.replaced.values()) if isinstance(state.item, Item)]
        return sorted((state for state in states if state.edits), key=lambda state: state.number)


def _is_in_secret(state: State, decision: Decision) -> bool:
    """Return whether a value is one of a Secret that the resource, or a text of it, contains in the end."""
    inner = decision.leaf.inner if decision.leaf is not None else None
    if not taint.may_be_nested(decision.path, inner):
        return False
    from krm_values._run.texts import is_in_secret  # noqa: PLC0415 - only where that may be

    return is_in_secret(state.data, decision.path, inner)


def differing(run: Run) -> Iterator[Finding]:
    """Yield an error for each object that a run would change, add or remove."""
    for state in run.edited():
        if isinstance(item := state.item, Item) and item.number not in run.removed:
            path = _first_changed(state)
            text = f"`{to_field(path)}` differs from what this config says: run without `check`"
            yield Finding("error", DIFFERS, None, text, item, at=Origin("edit", None, item, path))
    for item in run.source.items:
        if item.number in run.removed:
            yield Finding(
                "error", DIFFERS, None, "would be removed, as nothing generates it any more: run without `check`", item
            )
    for new, _ in run.created:
        yield Finding("error", DIFFERS, None, "would be added: run without `check`", new)


def _first_changed(state: State) -> Path:
    """Return the path of the first edit; of an annotation of ours only if nothing else changes."""
    ours = ("metadata", "annotations")
    return next((edit.path for edit in state.edits if edit.path[:2] != ours), state.edits[0].path)


class _ItemsByFile:
    """The items of each file. An item whose path is not known yet is read only if its text mentions the file's name."""

    __slots__ = ("_by_name", "_placed", "_source", "_unplaced")

    def __init__(self, items: list[Item], source: Source) -> None:
        self._unplaced, self._source = items, source
        self._placed: dict[str, list[Item]] | None = None
        self._by_name: dict[str, dict[str, list[Item]]] = {}

    def at(self, path: str) -> list[Item]:
        """Return the items of the file at `path`, in the order of the list. Each name of a file is searched once."""
        if self._placed is None:
            self._placed = {}
            for item in self._unplaced:
                if item.placed:
                    self._placed.setdefault(item.position.path, []).append(item)
            self._unplaced = [item for item in self._unplaced if not item.placed]
        found = self._placed.get(path, [])
        if not self._unplaced:
            return found
        file = path.rpartition("/")[2]
        if file not in self._by_name:
            by_path = self._by_name[file] = {}
            for item in mentioning(file, self._unplaced, self._source):
                by_path.setdefault(item.position.path, []).append(item)
        return sorted([*found, *self._by_name[file].get(path, [])], key=lambda item: item.number)


def edited_text(state: State, source: Source) -> tuple[str, list[str]]:
    """Return an item's text after the edits of its state, and findings on how it was edited.

    An item whose keys or elements moved loses the ids that hosts gave it, in its state, too: so this comes before `operations`.
    """
    from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415 - only where something is edited

    if line := source.crossing(state.number):
        raise EditError("an anchor or alias crosses the border of this item: write the block out", line)
    if state.resized:
        for key in hosts.IDS:
            state.unmark(key)
    text, is_json = source.text(state.number), source.is_json(state.number)
    reading = state.item.reading if isinstance(state.item, Item) else None
    nodes, whole = (reading.nodes, reading.whole) if reading else (None, None)
    editor = Editor(text, is_json=is_json, nodes=nodes, read=whole, limits=source.limits)
    for edit in state.edits:
        editor.make(edit)
    return _inherited_again(editor.text(), state.restored, source.limits), editor.notes


def _inherited_again(text: str, restored: list[Path], limits: Limits) -> str:
    """Return a text in which restored values that a map takes by `<<`, too, are not its own any more."""
    if not restored or "<<" not in text:
        return text
    from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415 - few resources come here

    editor = Editor(text, limits=limits)
    for path in restored:
        editor.inherit(path)
    try:
        return editor.text()
    except EditError:
        return text


def _step(state: State, entry: Put | Drop | Move | Mark) -> None:
    match entry:
        case Put():
            state.put(entry)
        case Drop():
            state.drop(entry)
        case Move():
            state.move(entry)
        case Mark():
            state.mark(f"{names.GROUP}/{entry.name}", entry.value)


def mentioning(text: str, items: list[Item], source: Source) -> list[Item]:
    """Return the items whose text or place contains `text`."""
    if not source.contains(text):
        return []
    return [item for item in items if text in source.text(item.number) or (item.placed and text in item.position.path)]


def refused(item: Item | New, error: EditError | InputError, path: Path = (), text: str = "") -> Finding:
    """Return the finding on an edit that is not possible. path: in the item. text: the item's, of which the error may name a line."""
    inside = Inside(None, error.line, _column(text, error.line)) if error.line else None
    at = Origin("edit", None, item, path) if path and not inside else None
    return Finding("error", "edit", None, error.message, item, inside=inside, at=at)


def _column(text: str, line: int) -> int:
    """Return the column, from 1, where a line of a text begins after its indentation; 0 if there is no such line."""
    lines = text.split("\n")[line - 1 : line]
    return len(lines[0]) - len(lines[0].lstrip(" -")) + 1 if lines else 0


class InterleavedError(Exception):
    """A plan that returns to an item which is already written."""


class Written:
    """The new text of an edited item, None if it cannot be written, and the findings about that."""

    __slots__ = ("findings", "item", "text")

    def __init__(self, item: Item, text: str | None, findings: list[Finding]) -> None:
        self.item, self.text, self.findings = item, text, findings


class EarlyWriter:
    """The writer of a brief run: writes an item as soon as the plan reaches another one, and drops its data, so that only texts stay in memory.

    A plan may return to an item that it has not changed; where it returns to another, the run is made again in full. write: returns the text of
    an item. written: what it returned, by the number of the item.
    """

    __slots__ = ("_item", "_reported", "_write", "written")

    def __init__(self, write: Callable[[State], Written]) -> None:
        self.written: dict[int, Written] = {}
        self._write = write
        self._item: Item | New | None = None
        self._reported: list[Finding] = []  # since the last item was written

    def report(self, finding: Finding) -> None:
        """Keep a finding of the plan."""
        self._reported.append(finding)

    def reach(self, item: Item | New, states: dict[int, State]) -> None:
        """Write the previous item if the plan has reached another one. InterleavedError if that one is already written."""
        if item is self._item:
            return
        self.finish(states)
        if isinstance(item, Item) and item.number in self.written:
            raise InterleavedError
        self._item = item

    def finish(self, states: dict[int, State]) -> None:
        """Write the current item and drop its data, except the places of its findings."""
        item = self._item
        if not isinstance(item, Item):
            return
        state = states.pop(item.number)
        if state.edits:
            self.written[item.number] = self._write(state)
        item.forget([finding.path for finding in self._reported if finding.item is item])
        self._item, self._reported = None, []
