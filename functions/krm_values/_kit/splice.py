"""The editor: an item's text is changed in the edited lines only, and what leaves is read again and compared with what was meant."""

from __future__ import annotations

from krm_values._kit import flow, plain, render, tree
from krm_values._kit.errors import EditError, InputError
from krm_values._kit.layout import Layout
from krm_values._kit.pointer import ABSENT, get, to_field
from krm_values._kit.source import Source
from krm_values._kit.yaml import Node, parse, to_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.plan import JSON
    from krm_values._kit.pointer import Path


class Editor:
    """An item's text under edit. Paths are valid after the earlier edits of the same editor.

    The text may start with blanks (the columns of a list's item are kept) and lacks nothing a document needs; InputError if it cannot
    be read. `data` is what it says after the edits so far; `resized`: a key or a list element was added, removed or moved; `notes`: what
    the user should know, filled by `text`.
    """

    __slots__ = ("_before", "_edits", "_is_json", "_node", "_root", "_source", "_tangle", "_text", "data", "notes", "resized")

    def __init__(self, text: str, *, is_json: bool = False) -> None:
        self._text, self._is_json = text, is_json
        self._node = parse(text)
        self._before = to_data(self._node)
        self.data: JSON = plain.copy(self._before)
        self.resized = False
        self.notes: list[str] = []
        self._source = Source(text)
        self._root: tree.Branch | None = None
        self._tangle: Node | None = None  # the last anchor or alias that an edit had to do with
        self._edits: list[tuple[str, Path, JSON, dict[str, bool | str | None]]] = []

    def put(self, path: Path, value: JSON, *, insert: bool = False, after: str | None = None, flow: bool = False) -> bool:
        """Set a value; add a key (behind `after`: "" = first, None = last); append to a list (index = its length) or insert before an index.

        `flow`: a new map or list is written in flow style. False if the value already stands there. EditError if the parent does not exist.
        """
        old = ABSENT if insert else get(self.data, path, ABSENT)
        if old is not ABSENT and plain.same(old, value):  # type: ignore[arg-type]
            return False
        plain.put(self.data, path, plain.copy(value), insert=insert, after=after)
        self._edits.append(("put", path, plain.copy(value), {"insert": insert, "after": after}))
        self.resized = self.resized or old is ABSENT or plain.is_resized(old, value)  # type: ignore[arg-type]
        holder, rest = self._reach(path)
        if isinstance(holder, tree.Branch):
            holder.put(path[-1], plain.copy(value), insert=insert, after=after, flow=flow)
        elif holder:
            plain.put(holder.value, rest, plain.copy(value), insert=insert, after=after)
        return True

    def remove(self, path: Path) -> bool:
        """Take out a key or list element with its comments. False if it is not there."""
        holder, rest = self._reach(path) if get(self.data, path, ABSENT) is not ABSENT else (None, ())
        if not plain.remove(self.data, path):
            return False
        self._edits.append(("remove", path, None, {}))
        self.resized = True
        if isinstance(holder, tree.Branch):
            holder.remove(path[-1])
        elif holder:
            plain.remove(holder.value, rest)
        return True

    def move(self, path: Path, to: int) -> bool:
        """Take a list element with its comments to another index of its list. False if it is there already."""
        if not plain.move(self.data, path, to):
            return False
        self._edits.append(("move", path, to, {}))
        self.resized = True
        holder, rest = self._reach(path)
        if isinstance(holder, tree.Branch):
            holder.move(int(path[-1]), to)
        elif holder:
            plain.move(holder.value, rest, to)
        return True

    def text(self) -> str:
        """The text after the edits. EditError where it could not be written without guessing."""
        if self._root is None:
            if not self._edits:
                return self._text
            self._root = tree.open_branch(self._source, self._node)
        text = self._render(self._root)
        if self._says(text):
            return text
        raise EditError(self._complaint())

    def _render(self, root: tree.Branch) -> str:
        source = self._source
        ink = flow.Ink(source, self._is_json, _is_spaced(root, source) if self._is_json else True)
        text = render.document(render.Page(source, Layout(self._node), root, ink))
        return text if self._text.endswith("\n") else text[: -len(source.newline)]

    def _says(self, text: str) -> bool:
        try:
            return plain.same(to_data(parse(text)), self.data)
        except InputError:
            return False

    def _reach(self, path: Path) -> tuple[tree.Branch | tree.Fresh | None, Path]:
        """The collection that holds the last step of `path`; a new value, with the path inside it; None behind an alias or merge key."""
        if self._root is None:
            self._root = tree.open_branch(self._source, self._node)
        holder: tree.Value = self._root
        for depth, part in enumerate(path):
            if isinstance(holder, tree.Fresh):
                return holder, path[depth:]
            if not isinstance(holder, tree.Branch):
                self._tangle = holder
                return None, ()
            if depth == len(path) - 1:
                return holder, ()
            entry = holder.find(part)
            if entry is None:
                self._tangle = holder.node
                return None, ()
            holder = tree.below(self._source, entry)
        return None, ()

    def _complaint(self) -> str:
        return f"cannot write `{to_field(self._edits[-1][1])}`"


def _is_spaced(root: tree.Branch, source: Source) -> bool:
    """Whether this JSON has blanks behind its colons."""
    return not root.wanted or source.text[root.wanted[0].head] in " \r\n"
