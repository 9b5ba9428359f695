"""What a planner yields: decisions with their origins, and findings."""

from __future__ import annotations

from krm_values._data.pointer import get
from krm_values._data.record import keep, record, tuple_record
from krm_values._kit.planner.item import Item, withholds
from krm_values._kit.planner.withheld import is_secret_data, touches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Literal, TypeAlias

    from krm_values._data.errors import InputError
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.yaml.read import GoText

    Severity: TypeAlias = Literal["error", "warning", "info"]
    Fits: TypeAlias = Callable[
        [Path, Path | None], bool
    ]  # whether somebody asks for the leaf at a path, in a text at a path of that
    Plan: TypeAlias = Iterator["Put | Drop | Move | New | Mark | Note | Finding"]

CONFIG = "config"  # a mistake in the functionConfig
WRONG_SHAPE = "wrong-shape"  # a field of a resource that is not what its type says
UNREADABLE = "unreadable"  # of a planner: its own finding of this kind replaces the kit's
RESOURCE = "resource"
"""The layer of what a resource has at a place where a function writes, or writes a part of it."""
_NOTHING: Mapping[str, Any] = {}


@record
class Inside:
    """A place in the text that a field holds, or (None) in the text of the item: line and column from 1, column 0 for a whole line."""

    text: str | None
    line: int
    column: int = 0


@tuple_record
class Origin:
    """One layer's value for a place: the layer, the value and where it is (item, path, path inside an embedded text).

    line, column: of what is inside a text, in that text, from 1; 0 or None where they are not known. config: its path in the spec of the
    functionConfig, where no item has it. text: says line and column of a path inside the text when they are asked for.
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

    @property
    def place(self) -> tuple[int, int]:
        """Line and column inside the text, from 1; 0 where they are not known."""
        if self.text is not None and self.inner is not None:
            return self.text.place(self.inner) or (0, 0)
        return self.line or 0, self.column

    @property
    def secret(self) -> bool:
        """Whether the value comes out of a Secret and must not be shown."""
        return self.stands_secret or (bool(self.via) and any(one.stands_secret for one in self.trail()))

    @property
    def stands_secret(self) -> bool:
        """Whether it is in a Secret, or where a value came out of one."""
        if isinstance(self.item, Item):
            return withholds(self.item, self.path)
        return self.item is not None and self.item.withholds(self.path)

    def trail(self) -> Iterator[Origin]:
        """It, and all that it came by, each before what that came by."""
        stack = [self]
        while stack:
            one = stack.pop()
            yield one
            stack.extend(reversed(one.via))


@tuple_record
class Leaf:
    """The explanation of one value inside a put: where it is written, the winner and what it overrides, nearest first.

    reason: why the winner overrides the others, where that is not the order of the function's layers.
    """

    path: Path
    value: JSON
    origin: Origin
    overridden: Sequence[Origin] = ()
    inner: Path | None = None
    reason: str = ""


@record
class Put:
    """Set the value at `path`. The parent must exist; a list index equal to the length appends.

    insert: a list element before the one at the index. after: the key after which a new key is inserted ("" = first, None = last).
    flow: a new list element or map is written in flow style.
    """

    item: Item | New
    path: Path
    value: JSON
    leaves: tuple[Leaf, ...] = ()
    insert: bool = False
    after: str | None = None
    flow: bool = False


@record
class Drop:
    """Remove the key, the list element or, with path (), the whole item."""

    item: Item
    path: Path
    origin: Origin


@record
class Move:
    """Move a list element to index `to`, with its comments."""

    item: Item
    path: Path
    to: int


@record
class New:
    """A generated object; its identity is (function, source, part), its place the file it was found in or `file`.

    An unmarked one may have no source: then it is made of the functionConfig alone. reads_secrets: whether a Secret may have a part in
    it; if none has, its leaves need not be made for that question. named: its identity, if that does not follow from source and part.
    made_of: earlier objects of the plan whose values its leaves have as origins.
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
    _secret: tuple[Path, ...] | None = None

    @property
    def is_secret(self) -> bool:
        """Whether the object is a core Secret."""
        return is_secret_data(self.data)

    def withholds(self, path: Path) -> bool:
        """Whether what is at a path of it must not be shown."""
        return self.is_secret or touches(self.secret_paths, path)

    @property
    def secret_paths(self) -> tuple[Path, ...]:
        """The places of it that came out of a Secret. Those of the objects that it was made of are decided first, however long their chain."""
        waiting = [self]
        while self._secret is None:
            one = waiting[-1]
            unknown = [made for made in one.made_of if made._secret is None]  # noqa: SLF001 - of its own class
            if not unknown:
                keep(one, "_secret", tuple([leaf.path for leaf in one.leaves if leaf.origin.secret]))
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
    """Something only `explain` prints: layers, scores, resolved values. `read`: origins that the plan took, whether or not a leaf has them."""

    topic: str
    subject: str
    data: JSON
    read: tuple[Origin, ...] = ()


@record
class Finding:
    """Something the user should know. `message` says on one line what is wrong and how to fix it; the kit adds the place and masks Secrets.

    `{found}` in it stands for the value found: its JSON type and, of a scalar, its value. inside: where in the text at `path`. config: the
    field of the functionConfig's spec that it is about; the kit knows where that is. With a `path` the kit names that field as well,
    else the message does. lacking: the fields of which one is missing, where `path` is what they are missing in. at: whose line and column
    it is shown with, if not those of `path`.
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
) -> Put:
    """A put of one leaf."""
    return Put(item, path, value, (Leaf(path, value, origin, overridden),), insert, after, flow)


def drop(item: Item, path: Path, origin: Origin) -> Drop:
    """A drop, with the reason as its origin."""
    return Drop(item, path, origin)


def move(item: Item, path: Path, to: int) -> Move:
    """A list element's move."""
    return Move(item, path, to)


def new(data: JSON, source: Item | New | None, part: str = "", file: str = "", leaves: tuple[Leaf, ...] = ()) -> New:
    """A generated object made from `source`."""
    return New(data, source, part, file, leaves)


def mark(item: Item | New, name: str, value: str) -> Mark:
    """A krm-values.dev annotation."""
    return Mark(item, name, value)


def note(topic: str, subject: str, data: JSON) -> Note:
    """Something only `explain` prints."""
    return Note(topic, subject, data)


def part_of(item: Item, path: Path, part: str) -> Inside | None:
    """Where a part of the text at `path` first is in it; None of a text of one line, which is where its field does."""
    text = get(item.data, path)
    at = text.find(part) if part and isinstance(text, str) and "\n" in text else -1
    return _at(text, at) if isinstance(text, str) and at >= 0 else None


def line_of(item: Item, path: Path, number: int) -> Inside | None:
    """Where what is on a line, from 1, of the text at `path` begins."""
    text = get(item.data, path)
    lines = text.split("\n") if isinstance(text, str) else []
    if not isinstance(text, str) or not 1 <= number <= len(lines):
        return None
    line = lines[number - 1]
    return Inside(text, number, len(line) - len(line.lstrip()) + 1)


def _at(text: str, at: int) -> Inside:
    return Inside(text, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def unreadable(item: Item, error: InputError, rule: str | None = None) -> Finding:
    """Why an item cannot be read, where the error is."""
    inside = None if error.file else Inside(None, error.line, error.column)
    return Finding("error", UNREADABLE, rule, error.message, item, inside=inside)
