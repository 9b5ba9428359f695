"""The editor: an item's text is changed in the edited lines only, and what leaves is read again and compared with what was meant."""

from __future__ import annotations

from krm_values._kit import plain, render
from krm_values._kit.errors import EditError, InputError
from krm_values._kit.flow import Ink, is_spaced
from krm_values._kit.layout import Layout
from krm_values._kit.plain import Move, Put, Remove
from krm_values._kit.pointer import ABSENT, get, to_field
from krm_values._kit.source import Source
from krm_values._kit.tangle import tangles
from krm_values._kit.tree import Branch, Fresh, below, open_branch
from krm_values._kit.yaml import parse, to_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.plain import Edit
    from krm_values._kit.plan import JSON
    from krm_values._kit.pointer import Path
    from krm_values._kit.tangle import Tangle
    from krm_values._kit.tree import Value


class Editor:
    """An item's text under edit. Paths are valid after the earlier edits of the same editor.

    The text may start with blanks (the columns of a list's item are kept) and lacks nothing a document needs; InputError if it cannot
    be read. `data` is what it says after the edits so far; `resized`: a key or a list element was added, removed or moved; `notes`: what
    the user should know, filled by `text`.
    """

    __slots__ = ("_edits", "_is_json", "_node", "_root", "_source", "_tangles", "_text", "data", "notes", "resized")

    def __init__(self, text: str, *, is_json: bool = False) -> None:
        self._text, self._is_json = text, is_json
        self._node = parse(text)
        self.data: JSON = to_data(self._node)
        self.resized = False
        self.notes: list[str] = []
        self._source = Source(text)
        self._root: Branch | None = None
        self._tangles: list[Tangle] = []
        self._edits: list[Edit] = []

    def put(self, path: Path, value: JSON, *, insert: bool = False, after: str | None = None, flow: bool = False) -> bool:
        """Set a value; add a key (behind `after`: "" = first, None = last); append to a list (index = its length) or insert before an index.

        `flow`: a new map or list is written in flow style. False if the value already stands there. EditError if the parent does not exist.
        """
        old = ABSENT if insert else get(self.data, path, ABSENT)
        if old is not ABSENT and plain.same(old, value):  # type: ignore[arg-type]
            return False
        edit = Put(path, plain.copy(value), insert=insert, after=after)
        holder, rest = self._holder(edit)
        self.resized = self.resized or old is ABSENT or plain.is_resized(old, value)  # type: ignore[arg-type]
        if isinstance(holder, Branch) and (old is ABSENT or holder.find(path[-1])):
            holder.put(path[-1], plain.copy(value), insert=insert, after=after, flow=flow)
        elif isinstance(holder, Fresh):
            plain.put(holder.value, rest, plain.copy(value), insert=insert, after=after)
        return True

    def remove(self, path: Path) -> bool:
        """Take out a key or list element with its comments. False if it is not there."""
        if not path or get(self.data, path, ABSENT) is ABSENT:
            return False
        holder, rest = self._holder(Remove(path))
        self.resized = True
        if isinstance(holder, Branch):
            holder.remove(path[-1])
        elif holder:
            plain.remove(holder.value, rest)
        return True

    def move(self, path: Path, to: int) -> bool:
        """Take a list element with its comments to another index of its list. False if it is there already."""
        if path and path[-1] == to and get(self.data, path, ABSENT) is not ABSENT:
            return False
        holder, rest = self._holder(Move(path, to))
        self.resized = True
        if isinstance(holder, Branch):
            holder.move(int(path[-1]), to)
        elif holder:
            plain.move(holder.value, rest, to)
        return True

    def text(self) -> str:
        """The text after the edits. EditError where it could not be written without guessing."""
        if self._root is None:
            return self._text
        text = self._render(self._root)
        try:
            faithful = plain.same(to_data(parse(text)), self.data)
        except InputError:
            raise self._error(self._tangles[:1]) from None
        return text if faithful else self._reprinted()

    def _render(self, root: Branch) -> str:
        source = self._source
        ink = Ink(source, self._is_json, not self._is_json or is_spaced(source, root))
        text = render.document(render.Page(source, Layout(self._node), root, ink))
        return text if self._text.endswith("\n") else text[: -len(source.newline)]

    def _reprinted(self) -> str:
        if not self._tangles:
            raise self._error([])
        from krm_values._kit import roundtrip  # noqa: PLC0415  # costs more than a whole run without it

        layout, shared = Layout(self._node), next((t for t in self._tangles if t.certain), self._tangles[0])
        text = roundtrip.rewrite(self._text, self.data, self._replay, step=layout.step(()), dash=layout.dash(()))
        if text is None:
            raise self._error([shared])
        self.notes = [f"{shared.about}; the item was reprinted to change `{to_field(shared.path)}` alone"]
        return text

    def _replay(self, data: JSON) -> None:
        for edit in self._edits:
            edit.apply(data)

    def _error(self, tangles: list[Tangle]) -> EditError:
        if not tangles:
            return EditError(
                f"cannot write `{to_field(self._edits[-1].path)}` so that it reads back as meant; please report the item"
            )
        tangle = tangles[0]
        return EditError(f"cannot edit `{to_field(tangle.path)}`: {tangle.about}; write the block out there", tangle.line)

    def _holder(self, edit: Edit) -> tuple[Branch | Fresh | None, Path]:
        """Make an edit on the data, and find what holds the last step of its path in the tree.

        Of a new value also the path inside it; None behind an alias or merge key, where the tree has no place of its own.
        """
        if self._root is None and self._node.kind in ("map", "list"):
            self._root = open_branch(self._source, self._node)
        edit.apply(self.data)
        self._edits.append(edit)
        holder: Value | None = self._root
        for depth, part in enumerate(edit.path):
            if isinstance(holder, Fresh):
                return holder, edit.path[depth:]
            if not isinstance(holder, Branch):
                return None, ()
            entry = holder.find(part)
            self._tangles += tangles(holder, entry, edit, is_last=depth == len(edit.path) - 1)
            if depth == len(edit.path) - 1:
                return holder, ()
            holder = below(self._source, entry) if entry else None
        return None, ()
