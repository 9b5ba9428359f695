"""The entries of a plan: decisions with their origins, findings, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import keep, record
from krm_values._krm.item import Item, withholds
from krm_values._krm.taint import in_nested, is_secret_data, may_be_nested, touches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Literal, TypeAlias

    from krm_values._data.errors import InputError
    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON
    from krm_values._go.yaml import GoText

    Severity: TypeAlias = Literal["error", "warning", "info"]
    Fits: TypeAlias = Callable[
        [Path, Path | None], bool
    ]  # whether the leaf at a path, or at one in the text there, is asked for
    Plan: TypeAlias = Iterator["Put | Drop | Move | New | Mark | Note | Finding"]


CONFIG = "config"  # a mistake in the functionConfig
WRONG_SHAPE = "wrong-shape"  # a field of a resource that is not what its type says
UNREADABLE = "unreadable"  # of a planner: its own finding of this kind replaces the general one
RESOURCE = "resource"
"""The layer of a resource's own value at a place where a function writes, or writes a part of it."""
_NOTHING: Mapping[Any, Any] = {}


@record
class Inside:
    """A place in the text of a field, or (None) in the text of the item: line and column from 1, column 0 for a whole line."""

    text: str | None
    line: int
    column: int = 0


@record
class Origin:
    """One layer's value for a place: the layer, the value and its place (item, path, path inside an embedded text).

    line, column: within that text, from 1; 0 or None where they are not known. config: its path in the spec of the functionConfig, if it is
    not in an item. text: looks up line and column of a path inside the text. above: of an overridden value, how many keys and indices above the
    leaf's place it stood; None where that is not known, -1 for one that stood at no place of the object. parts: those of a string that the layer writes; of the
    resource's own value, those that are written over.
    """

    layer: str
    value: JSON
    item: Item | New | None = None
    path: Path = ()
    inner: Path | None = None
    line: int | None = None
    via: tuple[Origin, ...] = ()
    facts: Mapping[str, JSON] = _NOTHING
    column: int = 0
    config: Path | None = None
    text: GoText | None = None
    above: int | None = 0
    parts: tuple[object, ...] = ()

    @property
    def place(self) -> tuple[int, int]:
        """Line and column inside the text, from 1; 0 where they are not known."""
        if self.text is not None and self.inner is not None:
            return self.text.place(self.inner) or (0, 0)
        return self.line or 0, self.column

    @property
    def secret(self) -> bool:
        """Whether the value comes from a Secret and must not be shown."""
        return self.in_secret or (bool(self.via) and any(one.in_secret for one in self.trail()))

    @property
    def in_secret(self) -> bool:
        """Whether the value is in a Secret, or at a place into which one was written."""
        if isinstance(self.item, Item):
            return withholds(self.item, self.path)
        return self.item is not None and self.item.withholds(self.path)

    def trail(self) -> Iterator[Origin]:
        """Yield this origin and all that it derives from, each before those that it derives from."""
        stack = [self]
        while stack:
            one = stack.pop()
            yield one
            stack.extend(reversed(one.via))


@record
class Leaf:
    """The explanation of one value inside a put: its path, the winner, and the overridden origins, nearest first. Of a removed one the value is ABSENT.

    reason: why the winner overrides the others, where that is not the order of the function's layers. writer: the item for which it is
    written, if that is not the winner's. kind: how the value follows from the winner: "" (layers were ranked), `copied` (as it is at the
    one place that the winner names), `derived` (computed from the winner, or from what that derives from), `literal` (of a template, or of
    the function), or `effective` (a reference as text, and the winner is what it stands for). depth: how many keys and indices at the end of
    its place are those of the values that were merged, if that is known.
    """

    path: Path
    value: JSON | Absent
    origin: Origin
    overridden: Sequence[Origin] = ()
    inner: Path | None = None
    reason: str = ""
    writer: Item | None = None
    kind: str = ""
    depth: int | None = None

    @property
    def is_copy(self) -> bool:
        """Whether it follows from one place or from others, so that no layer won."""
        return self.kind in ("copied", "derived", "literal")

    @property
    def secret(self) -> bool:
        """Whether there is a value, and it comes from a Secret."""
        return self.value is not ABSENT and self.origin.secret


@record
class Put:
    """Set the value at `path`. The parent must exist; a list index equal to the length appends.

    insert: insert a list element before the one at the index. after: the key after which a new key is inserted ("" = first, None = last).
    flow: write a new list element or map in flow style. copies: leaves without Secrets, of a new or unchanged value, that only `explain` needs;
    computed when it asks.
    """

    item: Item | New
    path: Path
    value: JSON
    leaves: tuple[Leaf, ...] = ()
    insert: bool = False
    after: str | None = None
    flow: bool = False
    copies: Sequence[Leaf] | None = None


@record
class Drop:
    """Remove the key, the list element or, with path (), the whole item. writer: the item for which, if it is not the origin's.

    overridden: the layers' values that are not there because of it, nearest first, without that of the resource itself.
    """

    item: Item
    path: Path
    origin: Origin
    writer: Item | None = None
    overridden: Sequence[Origin] = ()


@record
class Move:
    """Move a list element to index `to`, with its comments."""

    item: Item
    path: Path
    to: int


@record
class New:
    """A generated object; its identity is (function, source, part), its file the one where it was found or `file`.

    An unmarked one may have no source: it is then generated from the functionConfig alone. reads_secrets: whether values of a Secret may be
    part of it; False saves computing its leaves for that question. named: its identity, if it does not follow from source and part. made_of:
    earlier objects of the plan whose values are origins of its leaves. written: False for one that only `explain` shows. given: of one that is
    named, by their paths, its name and namespace as the functionConfig gives them.
    """

    data: JSON
    source: Item | New | None
    part: str = ""
    file: str = ""
    leaves: Sequence[Leaf] = ()
    marked: bool = True
    written: bool = True
    reads_secrets: bool = True
    named: str = ""
    made_of: tuple[New, ...] = ()
    given: Mapping[Path, Origin] = _NOTHING
    _secret: tuple[Path, ...] | None = None

    @property
    def is_secret(self) -> bool:
        """Whether the object is a core Secret."""
        return is_secret_data(self.data)

    def withholds(self, path: Path) -> bool:
        """Return whether the value at a path of it must not be shown."""
        return self.is_secret or touches(self.secret_paths, path) or (may_be_nested(path) and in_nested(self.data, path))

    @property
    def secret_paths(self) -> tuple[Path, ...]:
        """Return the paths of its values from Secrets. Those of the objects that it derives from are computed first, without recursion."""
        waiting = [self]
        while self._secret is None:
            one = waiting[-1]
            unknown = [made for made in one.made_of if made._secret is None]  # noqa: SLF001 - of its own class
            if not unknown:
                keep(one, "_secret", tuple([leaf.path for leaf in one.leaves if leaf.secret]))
                waiting.pop()
            waiting += unknown
        return self._secret


@record
class Mark:
    """The annotation `krm-values.dev/<name>`."""

    item: Item | New
    name: str
    value: str


@record
class Note:
    """Data that only `explain` prints: layers, scores, resolved values. `read`: origins that the plan used, whether or not a leaf has them."""

    topic: str
    subject: str
    data: JSON
    read: tuple[Origin, ...] = ()


@record
class Finding:
    """An error, warning or information. `message` says on one line what is wrong and how to fix it; the place is added and Secrets are masked.

    `{found}` in it is replaced by the value found: its JSON type and, of a scalar, its value. inside: place in the text at `path`.
    lacking: the fields of which one is missing in the map at `path`. at: a path whose line and column are shown instead of those of `path`.
    config: the field of the functionConfig's spec that it is about, as a path in the spec. Without an item, `ConfigPlace.located` makes item
    and path from it. It also decides who names that field: with a `path`, whatever it is, the line does; without one the message has to,
    and `config` stays as the sign of that.
    """

    severity: Severity
    kind: str
    rule: str | None
    message: str
    item: Item | New | None = None
    path: Path = ()
    found: Origin | JSON = None
    tags: Mapping[str, str] = _NOTHING
    inside: Inside | None = None
    config: Path | None = None
    lacking: tuple[Path, ...] = ()
    at: Origin | None = None


def put(
    item: Item | New,
    path: Path,
    value: JSON,
    origin: Origin,
    *overridden: Origin,
    insert: bool = False,
    after: str | None = None,
    flow: bool = False,
    kind: str = "",
) -> Put:
    """Return a put with one leaf. kind: that of the leaf."""
    return Put(item, path, value, (Leaf(path, value, origin, overridden, kind=kind),), insert, after, flow)


def drop(item: Item, path: Path, origin: Origin) -> Drop:
    """Return a drop, with the reason as its origin."""
    return Drop(item, path, origin)


def move(item: Item, path: Path, to: int) -> Move:
    """Return the move of a list element."""
    return Move(item, path, to)


def new(data: JSON, source: Item | New | None, part: str = "", file: str = "", leaves: tuple[Leaf, ...] = ()) -> New:
    """Return a generated object made from `source`."""
    return New(data, source, part, file, leaves)


def mark(item: Item | New, name: str, value: str) -> Mark:
    """Return a krm-values.dev annotation."""
    return Mark(item, name, value)


def note(topic: str, subject: str, data: JSON) -> Note:
    """Return a note, which only `explain` prints."""
    return Note(topic, subject, data)


def part_of(item: Item, path: Path, part: str) -> Inside | None:
    """Return the place of the first occurrence of `part` in the text at `path`; None for a text of one line, whose place is the field's."""
    text = get(item.data, path)
    at = text.find(part) if part and isinstance(text, str) and "\n" in text else -1
    return _at(text, at) if isinstance(text, str) and at >= 0 else None


def line_of(item: Item, path: Path, number: int) -> Inside | None:
    """Return the place of the first character, after the indentation, of a line (from 1) of the text at `path`."""
    text = get(item.data, path)
    lines = text.split("\n") if isinstance(text, str) else []
    if not isinstance(text, str) or not 1 <= number <= len(lines):
        return None
    line = lines[number - 1]
    return Inside(text, number, len(line) - len(line.lstrip()) + 1)


def _at(text: str, at: int) -> Inside:
    return Inside(text, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def unreadable(item: Item, error: InputError, rule: str | None = None) -> Finding:
    """Return the error that an item cannot be read, at the place of the cause."""
    inside = None if error.file else Inside(None, error.line, error.column)
    return Finding("error", UNREADABLE, rule, error.message, item, inside=inside)
