"""The editor: it changes only the edited lines of a document, reads the result again and compares it with the intended data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Move, Put, Remove
from krm_values._data.diff import edits
from krm_values._data.errors import EditError, InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import replace
from krm_values._yaml.decode import Finder, data, parse, to_data
from krm_values._yaml.edit import render, sections
from krm_values._yaml.edit.render import FlowStyle, is_spaced
from krm_values._yaml.edit.source import Layout, Source, without_spaces
from krm_values._yaml.edit.tree import Branch, NewValue, anchor_hits, open_branch, opened_value
from krm_values._yaml.emit import check_keys
from krm_values._yaml.encoding import OTHER_BREAK, has_other_break
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from krm_values._data.data_edits import Edit
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.tree import AnchorHit, Value


_ROUNDS = 50  # each writes out one level of aliases


class Editor:
    """The text of one document under edit. Each path is valid after the earlier edits of the same editor.

    The text may begin with spaces (columns are kept) and must be a whole document; InputError if it cannot be read. `data` is its data after
    the edits so far; `resized`: whether a key or a list element was added, removed or moved; `notes`: what the user should know, filled by
    `text`. nodes: parses a text, if the caller has done that before. read: the data of the text, if the caller has read it.
    """

    __slots__ = (
        "_anchor_hits",
        "_bom",
        "_edits",
        "_finder",
        "_has_anchors",
        "_is_json",
        "_limits",
        "_node",
        "_opened",
        "_root",
        "_rounds",
        "_source",
        "_text",
        "data",
        "notes",
        "resized",
    )

    def __init__(
        self,
        text: str,
        *,
        is_json: bool = False,
        nodes: Callable[[str], Node] | None = None,
        read: JSON = None,
        limits: Limits = DEFAULT,
    ) -> None:
        self._bom = "\ufeff" * text.startswith("\ufeff")
        self._text, self._is_json = text.removeprefix("\ufeff"), is_json
        self._limits = limits
        self._node = nodes(self._text) if nodes else parse(self._text, None, limits)
        self._has_anchors = "&" in self._text or "<<" in self._text
        is_read = read is not None and not self._has_anchors
        self.data: JSON = data_edits.copy(read) if is_read else to_data(self._node, limits=limits)
        self.resized = False
        self.notes: list[str] = []
        self._source = Source(self._text)
        self._finder = Finder()
        self._root: Branch | None = None
        self._opened: list[tuple[str | int, Branch, JSON]] = []  # the path of the last edit, below the root
        self._anchor_hits: list[AnchorHit] = []
        self._edits: list[Edit] = []
        self._rounds = 0

    def put(self, path: Path, value: JSON, *, insert: bool = False, after: str | None = None, flow: bool = False) -> bool:
        """Set a value; add a key (behind `after`: "" = first, None = last); append to a list (index = its length) or insert before an index.

        flow: a new map or list is written in flow style. Return False if the value is already there. EditError if the parent does not exist.
        """
        old = ABSENT if insert else self._old(path)
        if old is not ABSENT and data_edits.is_written_as(old, value):
            return False
        check_keys({path[-1]: value} if path and isinstance(path[-1], str) else value)
        if old and value and type(old) is type(value) and isinstance(value, (dict, list)):
            node = self._finder.find(self._node, path)
            if node and node.kind != "alias":
                return self._merge(path, old, value, flow=flow)
        edit = Put(path, data_edits.copy(value), insert, after, flow)
        holder, rest = self._holder(edit)
        self.resized = self.resized or old is ABSENT or data_edits.is_resized(old, value)
        if isinstance(holder, Branch) and (old is ABSENT or holder.find(path[-1])):
            holder.put(path[-1], edit.value, insert=insert, after=after, flow=flow)
        elif isinstance(holder, NewValue):
            data_edits.put(holder.own(), rest, data_edits.copy(value), insert=insert, after=after)
        return True

    def _merge(self, path: Path, old: JSON, value: JSON, *, flow: bool) -> bool:
        """Change a map or list into another by the edits between the two, so that the parts that they share are not touched."""
        for edit in [*edits(old, value, path)]:
            self.make(replace(edit, flow=flow) if isinstance(edit, Put) else edit)
        return True

    def remove(self, path: Path) -> bool:
        """Remove a key or list element with its comments. Return False if it does not exist."""
        if not path or self._old(path) is ABSENT:
            return False
        holder, rest = self._holder(Remove(path))
        self.resized = True
        if isinstance(holder, Branch):
            holder.remove(path[-1])
        elif holder:
            data_edits.remove(holder.own(), rest)
        return True

    def move(self, path: Path, to: int) -> bool:
        """Move a list element with its comments to another index of its list. Return False if it is there already."""
        if path and path[-1] == to and self._old(path) is not ABSENT:
            return False
        holder, rest = self._holder(Move(path, to))
        self.resized = True
        if isinstance(holder, Branch):
            holder.move(int(path[-1]), to)
        elif holder:
            data_edits.move(holder.own(), rest, to)
        return True

    def inherit(self, path: Path) -> None:
        """Remove a map's own key on the path if the map takes the same value by `<<`; the data stay as they are."""
        for depth, part in enumerate(path):
            branch, holder, reached = self._reach(path[: depth + 1])
            if branch is None or reached != depth:
                return
            taken: dict[str | int, JSON] = {}
            for item in branch.merged:
                value: Any = to_data(item, limits=self._limits)
                for source in value if isinstance(value, list) else [value]:
                    taken = {**source, **taken}
            if part in taken and data_edits.same(taken[part], get(holder, (part,), ABSENT)):
                branch.remove(part)
                return

    def make(self, edit: Edit) -> bool:
        """Apply an edit of plain data."""
        match edit:
            case Put(path, value, insert, after, flow):
                return self.put(path, value, insert=insert, after=after, flow=flow)
            case Move(path, to):
                return self.move(path, to)
            case _:
                return self.remove(edit.path)

    def text(self) -> str:
        """Return the text after the edits. EditError if it cannot be written without guessing."""
        if self._root is None:
            return self._bom + self._text
        root = self._root
        return self._bom + (
            self._proved(root) or next(filter(self._reads_back, self._versions(root)), "") or self._fallback(root)
        )

    def _proved(self, root: Branch) -> str:
        """Return the text with its edited sections rendered; "" if that is not proved to read as the data."""
        if not self._text.endswith("\n") or has_other_break(self._text):
            return ""
        found = sections.changed(self._context(root, literal=True))
        if found is None or not {edit.path[0] for edit in self._edits} <= {section.key for section in found}:
            return ""
        data: Any = self.data
        is_proved = all(sections.is_proved(section, data[section.key], self._limits) for section in found)
        return sections.spliced(self._text, found) if is_proved else ""

    def _versions(self, root: Branch) -> Iterator[str]:
        """Yield candidates for the text, best first.

        A text that had no line break at its end gets none, and strings of several lines are literal blocks, unless what follows
        would be read as part of such a block. Last are those in which blank lines that would become part of a block lose their spaces.
        """
        for literal in (True, False):
            text = self._render(root, literal=literal)
            if not self._text.endswith("\n"):
                yield text[: -len(self._source.newline)]
            yield text
        for literal in (True, False):
            yield without_spaces(self._render(root, literal=literal), self._source.text)

    def _render(self, root: Branch, *, literal: bool) -> str:
        return render.document(self._context(root, literal=literal))

    def _context(self, root: Branch, *, literal: bool) -> render.RenderContext:
        source = self._source
        style = FlowStyle(source, self._is_json, not self._is_json or is_spaced(source, root))
        return render.RenderContext(source, Layout(self._node), root, style, literal=literal)

    def _reads_back(self, text: str) -> bool:
        try:
            return data_edits.same(data(text, None, self._limits), self.data)
        except InputError:
            return False

    def _fallback(self, root: Branch) -> str:
        """Return the text where no candidate has the intended data."""
        if own := self._own_text():
            return self._with_own_text(own)
        closed = self._source.closed(self._node, self._text)
        if closed != self._text and data_edits.same(data(closed, None, self._limits), to_data(self._node, limits=self._limits)):
            return self._again(closed)
        try:
            parse(self._render(root, literal=True), None, self._limits)
        except InputError as error:  # most likely an alias that has lost its anchor
            named = [hit for hit in self._anchor_hits if f'"{hit.name}"' in error.message]
            raise self._error(named or self._anchor_hits, error.message) from None
        return self._reprinted()

    def _own_text(self) -> str:
        """Return a text of the same data in which the edited places have a text of their own; "" if there is none."""
        if not self._anchor_hits or self._rounds > _ROUNDS:
            return ""
        from krm_values._yaml.edit import shared  # noqa: PLC0415 - few texts have anchors

        own = shared.own_text(self._source, self._node, self._anchor_hits)
        own = own if self._text.endswith("\n") else own.removesuffix(self._source.newline)
        try:
            is_same = data_edits.same(data(own, None, self._limits), to_data(self._node, limits=self._limits))
        except InputError:
            return ""
        return own if is_same and own != self._text else ""

    def _with_own_text(self, own: str) -> str:
        try:
            return self._again(own)
        except EditError as error:
            raise EditError(error.message, self._shared(self._anchor_hits).line) from None

    def _reprinted(self) -> str:
        if not self._anchor_hits:
            raise self._error([])
        from krm_values._yaml.edit import reprint  # noqa: PLC0415 - costs more than a whole run without it

        layout, hit = Layout(self._node), self._shared(self._anchor_hits)
        text = reprint.rewrite(self._text, self.data, self._edits, step=layout.step(()), dash=layout.dash(()))
        if text is None:
            raise self._error([hit])
        self.notes = [f"`{to_field(hit.path)}`: {hit.about}; the item was reprinted so that this place alone changes"]
        return text

    def _again(self, text: str) -> str:
        """Apply the same edits to another text of the same data."""
        editor = Editor(text, is_json=self._is_json, limits=self._limits)
        editor._rounds = self._rounds + 1
        for edit in self._edits:
            editor.make(edit)
        text, self.notes = editor.text(), editor.notes
        if self._text.endswith("\n"):
            return text
        short = text.removesuffix(self._source.newline)
        return short if self._reads_back(short) else text

    def _error(self, hits: list[AnchorHit], why: str = "") -> EditError:
        if not hits:
            path = to_field(self._edits[-1].path)
            if found := re.search(OTHER_BREAK, self._text):
                text = f"cannot edit `{path}`: the line break U+{ord(found[0]):04X} ends a line here; write LF"
                return EditError(text, self._text.count("\n", 0, found.start()) + 1)
            return EditError(
                f"cannot write `{path}` so that it reads back as meant{f': {why}' if why else '; please report the item'}"
            )
        hit = self._shared(hits)
        return EditError(f"cannot edit `{to_field(hit.path)}`: {hit.about}; write the block out", hit.line)

    def _shared(self, hits: list[AnchorHit]) -> AnchorHit:
        """Return the hit to name: one without a text of its own, else one whose anchor an alias uses."""
        used = {id(node.target) for node in walk(self._node) if node.kind == "alias"}
        return max(hits, key=lambda hit: (hit.certain, id(hit.anchor) in used))

    def _holder(self, edit: Edit) -> tuple[Branch | NewValue | None, Path]:
        """Apply an edit to the data, and return what holds the last step of its path in the tree.

        Of a new value also the path inside it; None behind an alias or merge key, where the tree has no place of its own.
        """
        branch, data, depth = self._reach(edit.path)
        try:
            replace(edit, path=edit.path[depth:]).apply(data)
        except EditError:
            edit.apply(self.data)  # fails as well, and names the whole path
        self._edits.append(edit)
        is_holder = depth == len(edit.path) - 1
        if self._has_anchors or not is_holder:
            self._note_anchors(edit)
        if branch is None or is_holder:
            return branch, ()
        entry = branch.find(edit.path[depth])
        value = entry.value if entry else None
        return (value, edit.path[depth + 1 :]) if isinstance(value, NewValue) else (None, ())

    def _old(self, path: Path) -> JSON | Absent:
        """Return what the data has at a path, or ABSENT."""
        _, data, depth = self._reach(path)
        return get(data, path[depth:], ABSENT)

    def _reach(self, path: Path) -> tuple[Branch | None, JSON, int]:
        """Open the collections of the text on a path. Return the last one above its last step, its data, and its depth.

        Those of the previous path are cached, and the common part is not searched again: an edit does not move anything above it.
        """
        if self._root is None:
            if self._node.kind not in ("map", "list"):
                return None, self.data, 0
            self._root = open_branch(self._source, self._node)
        opened = self._opened
        depth, last = 0, len(path) - 1
        while depth < last and depth < len(opened) and opened[depth][0] == path[depth]:
            depth += 1
        del opened[depth:]
        _, branch, data = opened[-1] if opened else ("", self._root, self.data)
        for part in path[depth:last]:
            entry = branch.find(part)
            value = opened_value(self._source, entry) if entry else None
            if not isinstance(value, Branch):
                break
            branch, data = value, data[part]  # type: ignore[index]
            opened.append((part, branch, data))
        return branch, data, len(opened)

    def _note_anchors(self, edit: Edit) -> None:
        """Remember the anchors that an edit meets."""
        holder: Value | None = self._root
        for depth, part in enumerate(edit.path):
            if not isinstance(holder, Branch):
                return
            entry = holder.find(part)
            self._anchor_hits += anchor_hits(holder, entry, edit, depth)
            holder = opened_value(self._source, entry) if entry else None
