"""An item of the list as a planner sees it: its header at once, its data on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import index_of
from krm_values._data.record import record
from krm_values._krm import names
from krm_values._krm.taint import in_nested, may_be_nested, places, touches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.nodes import Node

    Locate: TypeAlias = Callable[[int, Mapping[str, str]], "Position"]  # the position of an item, by its number and annotations


STDIN = "stdin"
_PATHS = "internal.config.kubernetes.io/", "config.kubernetes.io/"
_NOTHING: Mapping[str, Any] = {}
_NO_WRITERS: frozenset[str] = frozenset()


def _never(_: Path) -> bool:
    """Return False: nothing is in flow style."""
    return False


def _nothing() -> None:
    """Do nothing: there are no nodes."""


def _unknown(_path: Path, _text: str, _line: int, _column: int) -> None:
    """Return None: places inside strings are not known."""


@record
class Header:
    """The apiVersion, kind, namespace and name of an item. Missing fields are empty; a core apiVersion has the group ""."""

    api_version: str
    kind: str
    namespace: str
    name: str


@record
class Position:
    """The place of an item: `package` and `file` are slash paths, `package` relative to the outermost package ("" there)."""

    package: str = ""
    file: str = ""
    index: int = 0
    line: int = 0  # of the item's first line in its file, 1-based; 0 where the host reprinted the file
    shift: int = 0  # how many columns further to the right that first line is in the file than in the item's text
    cut: tuple[int, int] = (0, 0)  # (first, count): from line first on, lines are count further down: so many were removed
    streamed: tuple[int, int] = (0, 0)  # line and shift on stdin of an item whose file a pipe names, as `kpt fn source` does

    @property
    def path(self) -> str:
        """The file's path relative to the outermost package."""
        return f"{self.package}/{self.file}" if self.package and self.file else self.file

    @property
    def source(self) -> str:
        """The file whose lines are counted, for messages, or stdin if the item was read from there."""
        return self.path or (STDIN if self.line else "")


@record
class Scalar:
    """A scalar as written in the file: its text, whether it is unquoted and untagged, its line within the item (from 0)."""

    text: str
    plain: bool
    line: int


@record
class Reading:
    """The parsed text of an item: the planner's data, the hidden annotations, and functions that look up places."""

    data: JSON
    annotations: Mapping[str, str]  # the hosts' and krm-values.dev's, which `data` does not show
    scalar: Callable[[Path], Scalar | None]
    place: Callable[[Path], tuple[int, int] | None]  # line and column, from 0, of the key or list element at a path
    flow: Callable[[Path], bool] = _never  # whether the map or list at a path is in flow style
    nodes: Callable[[str], Node] | None = None  # the nodes of a text: those that are made already, if it is this one
    inside: Callable[[Path, str, int, int], tuple[int, int] | None] = _unknown  # where the text at a path has a line and column
    whole: JSON = None  # data and annotations as they are in the text
    root: Callable[[], Node] | None = None  # the nodes of its text, and the line and column, from 0, of an offset in it
    at: Callable[[int], tuple[int, int]] | None = None
    drop: Callable[[], None] = _nothing  # forgets the nodes; they are parsed again for the next place


class _Forgotten:
    """A reading that was dropped from memory; anything but the known places is read again."""

    __slots__ = ("_known", "_read", "_reading")

    def __init__(self, read: Callable[[], Reading], known: dict[Path, tuple[int, int] | None]) -> None:
        self._read, self._known = read, known
        self._reading: Reading | None = None

    def place(self, path: Path) -> tuple[int, int] | None:
        return self._known[path] if path in self._known else self._again().place(path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._again(), name)

    def _again(self) -> Reading:
        if self._reading is None:
            self._reading = self._read()
        return self._reading


class Item:
    """One resource of the list, read on demand. `data` is the planner's view and must not be changed."""

    __slots__ = (
        "_error",
        "_locate",
        "_position",
        "_read",
        "_reading",
        "_withheld",
        "api_version",
        "group",
        "kind",
        "name",
        "namespace",
        "number",
        "version",
        "writers",
    )

    def __init__(
        self,
        number: int,
        header: Header,
        read: Callable[[], Reading],
        position: Position | None = None,
        locate: Locate | None = None,
    ) -> None:
        self.number = number  # its place in the list, from 0
        self._set_header(header)
        self._read, self._position, self._locate = read, position, locate
        self._reading: Reading | None = None
        self._withheld: tuple[Path, ...] | None = None
        self._error: InputError | None = None
        self.writers = _NO_WRITERS  # who wrote into it in earlier runs, if the function keeps an undo record

    @property
    def reading(self) -> Reading:
        """The parsed item; an empty one if it cannot be read, with the reason in `error`, which is reported."""
        if self._reading is None:
            try:
                self._reading = self._read()
            except InputError as error:
                at = self._position
                self._error = error.moved(at.source, at.line, at.shift) if at and at.line else error
                self._reading = Reading(None, _NOTHING, _absent, _absent)
        return self._reading

    @property
    def error(self) -> InputError | None:
        """Why it cannot be read, which it is to find out; the place is that in the file, where the file is known."""
        _ = self.reading
        return self._error

    def forget(self, paths: Iterable[Path]) -> None:
        """Drop the parsed item from memory, except its position and the places of these paths; other access reads it again."""
        reading = self.reading
        if self.error or not self.position or self.withheld:
            return
        known: dict[Path, tuple[int, int] | None] = {}
        for path in paths:
            for size in range(len(path), -1, -1):
                known[path[:size]] = reading.place(path[:size])
                if known[path[:size]] is not None:
                    break
        self._reading = _Forgotten(self._read, known)  # type: ignore[assignment]  # it answers as a reading does

    def drop_nodes(self) -> None:
        """Forget the nodes of the text, which `place` and the others parse again."""
        if isinstance(self._reading, Reading):
            self._reading.drop()

    @property
    def is_unread(self) -> bool:
        """Whether the content has not been read."""
        return self._reading is None

    @property
    def data(self) -> JSON:
        """Plain data, without the annotations of hosts and krm-values.dev."""
        return self.reading.data

    def on_stdin(self) -> Item | None:
        """Return the same item with its place on stdin, if it has one beside its file."""
        line, shift = self.position.streamed
        if not line:
            return None
        found = self.seen_as(self.reading, self.header, self.writers)
        found._position, found._withheld = Position(line=line, shift=shift), self.withheld  # noqa: SLF001 - of its own class
        return found

    def seen_as(self, reading: Reading, header: Header | None = None, writers: frozenset[str] = _NO_WRITERS) -> Item:
        """Return the same resource with another reading; this item is unchanged, because other runs share it.

        header: name and kind in that reading, if they differ. writers: who wrote the parts that the reading leaves out.
        """
        seen = Item(self.number, header or self.header, lambda: reading, self._position, self._locate)
        seen._error, seen.writers = self._error, writers
        return seen

    @property
    def header(self) -> Header:
        """The apiVersion, kind, namespace and name."""
        return Header(self.api_version, self.kind, self.namespace, self.name)

    @property
    def withheld(self) -> tuple[Path, ...]:
        """The places of values from Secrets in an item that is not a Secret, by the records and marks of other runs."""
        if self._withheld is None:
            self.withhold(self.reading.annotations, self.data)
        return self._withheld or ()

    def withhold(self, annotations: Mapping[str, str], data: JSON) -> None:
        """Set what is withheld in the data by these annotations."""
        own = [key for key in annotations if key.startswith(names.OWN)]
        self._withheld = ()
        if own:
            self._withheld = places(annotations, data)

    @property
    def marks(self) -> Mapping[str, str]:
        """The krm-values.dev annotations by their name after the slash."""
        found = self.reading.annotations
        return {key.removeprefix(names.OWN): text for key, text in found.items() if key.startswith(names.OWN)}

    @property
    def position(self) -> Position:
        """Package, file, index and line: those of the file that it was read from; of an item of a list, what the list says."""
        if self._position is None:
            annotations = self.reading.annotations
            self._position = self._locate(self.number, annotations) if self._locate else position_of(annotations)
        return self._position

    @property
    def placed(self) -> bool:
        """Whether the position is known without reading the item."""
        return self._position is not None

    @property
    def package(self) -> str:
        return self.position.package

    @property
    def file(self) -> str:
        return self.position.file

    @property
    def index(self) -> int:
        return self.position.index

    @property
    def label(self) -> str:
        """The name; for an item with only `generateName`, that."""
        if self.name:
            return self.name
        data = self.data
        metadata = data.get("metadata") if isinstance(data, dict) else None
        name = metadata.get("generateName") if isinstance(metadata, dict) else None
        return name if isinstance(name, str) else ""

    def _set_header(self, header: Header) -> None:
        self.api_version, self.kind = header.api_version, header.kind
        self.namespace, self.name = header.namespace, header.name
        self.group, _, self.version = header.api_version.rpartition("/")

    def scalar(self, path: Path) -> Scalar | None:
        """Return the scalar at `path` as written in the file, None if there is none."""
        return self.reading.scalar(path)

    def flow(self, path: Path) -> bool:
        """Return whether the map or list at `path` is written in flow style."""
        return self.reading.flow(path)

    def __repr__(self) -> str:
        return f"Item({self.number}, {self.kind} {self.namespace}/{self.name})"


def is_secret(item: Item) -> bool:
    """Return whether the item is a core Secret, or a list of some."""
    return item.kind in ("Secret", "SecretList") and item.group == ""


def withholds(item: Item, path: Path) -> bool:
    """Return whether the value at a path of an item must be hidden: it is in a Secret, also in one that the item holds, or comes from one."""
    if is_secret(item):
        return True
    found = item.withheld
    return bool(found and touches(found, path)) or (may_be_nested(path) and in_nested(item.data, path))


def position_of(annotations: Mapping[str, str]) -> Position:
    """Return the position that the hosts' annotations give. kpt's package path is absolute; it becomes relative when all items are known."""
    internal, old = _PATHS
    file = annotations.get(internal + "path") or annotations.get(old + "path") or _origin_path(annotations)
    index = annotations.get(internal + "index") or annotations.get(old + "index") or "0"
    package = annotations.get(internal + "package-path", "")
    return Position(package, file, index_of(index) or 0)


def has_path(annotations: Mapping[str, str]) -> bool:
    """Return whether a host says in which file the item is, and not only where it came from."""
    return any(prefix + "path" in annotations for prefix in _PATHS)


def _absent(_: Path) -> None:
    """Return None: an unreadable item has no scalars and no places."""


def _origin_path(annotations: Mapping[str, str]) -> str:
    for line in annotations.get("config.kubernetes.io/origin", "").splitlines():
        key, _, value = line.partition(": ")
        if key == "path":
            return value.strip()
    return ""
