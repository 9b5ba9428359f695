"""Text of its own for each place that shares an anchor's, so that an edit reaches one of them alone.

The result has the same data as the text: the anchor's text stands in place of an alias, fitted to its column and style, with its comments; keys
that a map takes by `<<` are written out; and if the anchor's own place is edited, the first other place gets the anchor with the old text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.pointer import to_field
from krm_values._data.record import record
from krm_values._yaml import emit
from krm_values._yaml.decode import is_merge, key_text, to_data
from krm_values._yaml.edit.source import Layout, Source, is_empty
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.tree import AnchorHit

_SPLITS_FLOW = re.compile(r"[,\[\]{}]")
_COMMENT = re.compile(r"(?m)(?:^|[ \t])#")


def own_text(source: Source, root: Node, hits: Iterable[AnchorHit]) -> str:
    """Return a text of the same data in which the places that the hits name have a text of their own.

    EditError where that cannot be written: a block with comments for a place inside a flow collection.
    """
    return _OwnText(source, root).of(list(hits))


@record
class _Place:
    """The collection that holds a node, which is a "key" or a "value" there.

    Or what `<<` of `map` takes: "merge", and "merged" if it is one of a list.
    """

    holder: Node
    role: str
    map: Node | None = None


@record
class _Change:
    start: int
    end: int
    text: str


class _OwnText:
    """One rewriting of a text: which places share what, and the changes that give each named place a text of its own."""

    def __init__(self, source: Source, root: Node) -> None:
        self.source, self.root, self.layout = source, root, Layout(root)
        self.places: dict[int, _Place] = {}  # by the node's id
        self.users: dict[int, list[Node]] = {}  # the aliases of an anchored node, by its id
        self.anchors: dict[str, list[Node]] = {}
        self.changes: list[_Change] = []
        self.copies: dict[int, AnchorHit] = {}  # aliases in whose place the text will stand, by their ids
        self.holds: dict[int, str] = {}  # those of them that get an anchor
        self.written: dict[int, tuple[Node, AnchorHit]] = {}  # maps whose `<<` is written out, by their ids
        self.edited: dict[int, AnchorHit] = {}  # anchored nodes whose own place is edited, by their ids
        self.path: tuple[str | int, ...] = ()
        self.known: dict[int, dict[str, tuple[Node, int]]] = {}  # what `_inherited` has found, by the map's id
        self._index()
        self.named = [node for node in walk(root) if node.anchor]  # anchored nodes and aliases, in the order of the text
        self.starts = [node.start for node in self.named]

    def _index(self) -> None:
        for holder in walk(self.root):
            if holder.kind == "alias":
                self.users.setdefault(id(holder.target), []).append(holder)
            elif holder.anchor:
                self.anchors.setdefault(holder.anchor, []).append(holder)
            if holder.kind == "map":
                for key, item in _entries(holder):
                    self.places[id(key)] = _Place(holder, "key")
                    self.places[id(item)] = _Place(holder, "merge", holder) if is_merge(key) else _Place(holder, "value")
            elif holder.kind == "list":
                above = self.places.get(id(holder))
                merged = above.map if above and above.role == "merge" else None
                for item in holder.items:
                    self.places[id(item)] = _Place(holder, "merged", merged) if merged else _Place(holder, "value")

    def of(self, hits: list[AnchorHit]) -> str:
        for hit in hits:
            if hit.alias:
                self.copies[id(hit.alias)] = hit
            if not hit.certain:
                self.edited[id(hit.anchor)] = hit
        self._take_merged_keys(hits)
        gone = _Spans([hit.replaced for hit in hits if hit.replaced])
        for anchor in [node for named in self.anchors.values() for node in named if id(node) in self.edited]:
            self._give_away(anchor, gone)
        removed: dict[int, set[str]] = {}
        for hit in hits:
            if hit.removed:
                removed.setdefault(id(hit.holder), set()).add(hit.key)
        for holder, hit in self.written.values():
            self.path = hit.path
            self.changes.append(self._written_out(holder, removed.get(id(holder), set())))
        for alias in [node for node in self.named if id(node) in self.copies and not self._is_written(node)]:
            self.path = self.copies[id(alias)].path
            self.changes.append(self._copied(alias, self.holds.get(id(alias), "")))
        return self._replaced(0, len(self.source.text), self.changes)

    def _is_written(self, alias: Node) -> bool:
        return id(self.places[id(alias)].map) in self.written

    def _take_merged_keys(self, hits: list[AnchorHit]) -> None:
        """Write the keys out that edits change; where one is removed, all that its map takes."""
        beside: set[tuple[int, str]] = set()
        for hit in hits:
            inherited = self._inherited(hit.holder) if hit.holder else {}
            if hit.holder is None or hit.key not in inherited:
                continue
            self.path = hit.path
            if hit.removed:
                self.written.setdefault(id(hit.holder), (hit.holder, hit))
            elif (id(hit.holder), hit.key) not in beside:
                beside.add((id(hit.holder), hit.key))
                self.changes.append(self._beside(hit.holder, inherited[hit.key]))
        for holder, hit in self.written.values():
            for node in (below for key, item in _entries(holder) if is_merge(key) for below in walk(item)):
                if node.anchor and node.kind != "alias":
                    self.edited.setdefault(id(node), hit)

    def _give_away(self, anchor: Node, gone: _Spans) -> None:
        """Let the first alias have an edited anchor; those that cannot, and one that is the only one, get a copy."""
        hit = self.edited[id(anchor)]
        users = [node for node in self.users.get(id(anchor), []) if id(node) not in self.copies and not self._is_written(node)]
        going = {id(node) for node in users if node.start in gone}
        last = next((node for node in reversed(users) if id(node) not in going), None)
        if last is None:
            if hit.moves and len(self.anchors[anchor.anchor or ""]) > 1:
                self.changes.append(self._without_anchor(anchor))
            return
        for user in users:
            place = self.places[id(user)]
            if place.map and id(user) not in going and (user is last or place.role == "merged"):
                self.written.setdefault(id(place.map), (place.map, hit))
                continue
            self.copies[id(user)] = hit
            if id(user) not in going and user is not last and place.role != "key":
                self.holds[id(user)] = anchor.anchor or ""
                self.changes.append(self._without_anchor(anchor))
                return

    # Keys that a map takes by `<<`.

    def _inherited(self, holder: Node) -> dict[str, tuple[Node, int]]:
        """Return the map and the index of each key that a map takes by `<<`; its own keys are not left out."""
        if id(holder) in self.known:
            return self.known[id(holder)]
        found = self.known[id(holder)] = {}
        for key, item in _entries(holder):
            for source in (item.items if item.kind == "list" else [item]) if is_merge(key) else ():
                node = source.target if source.kind == "alias" else source
                for index, (name, _) in enumerate(_entries(node)):
                    if not is_merge(name):
                        found.setdefault(key_text(name), (node, index))
                for below, place in self._inherited(node).items():
                    found.setdefault(below, place)
        return found

    def _beside(self, holder: Node, place: tuple[Node, int]) -> _Change:
        """Write one inherited key out below the last `<<`."""
        index = max(index for index, key in enumerate(holder.keys) if is_merge(key))
        end = self.source.item_end(holder, index)
        if holder.flow:
            return _Change(end, end, ", " + self._flow_entry(*place, holder))
        end = self.source.line_end(end)
        return _Change(end, end, self.source.newline + self.source.newline.join(self._entry_lines(*place, holder)))

    def _written_out(self, holder: Node, going: set[str]) -> _Change:
        """Write all inherited keys out in place of `<<`, whose comment stays above the first key that will."""
        (index, *_) = [index for index, key in enumerate(holder.keys) if is_merge(key)]
        own = {key_text(key) for key in holder.keys}
        entries = {key: place for key, place in self._inherited(holder).items() if key not in own}
        start, end = holder.keys[index].start, self.source.item_end(holder, index)
        is_inline = holder.flow or bool(self.source.text[self.source.line_start(start) : start].strip())
        if holder.flow:
            text = ", ".join(self._flow_entry(*place, holder) for place in entries.values())
            if not text and index and not holder.keys[index + 1 :]:
                start = self.source.item_end(holder, index - 1)
            if text or not holder.keys[index + 1 :]:
                return _Change(start, end, text)
        line_end = self.source.line_end(end)
        comment = self.source.text[end:line_end].strip()
        lines: list[str] = []
        for key, place in entries.items():
            if comment and key not in going:
                lines.append(" " * self._column(holder) + comment)
                comment = ""
            lines += self._entry_lines(*place, holder)
        if comment and not holder.flow:
            lines.append(" " * self._column(holder) + comment)
        if not lines and is_inline and holder.keys[index + 1 :]:
            return _Change(start, holder.keys[index + 1].start, "")  # within a flow collection, or on the line of a dash
        if not lines:
            return _Change(self.source.line_start(start), self.source.below(line_end), "")
        return _Change(start, line_end, self.source.newline.join(lines).lstrip(" "))

    def _entry_lines(self, node: Node, index: int, holder: Node) -> list[str]:
        """Return the lines of an entry of a map, with its comments, for a block map."""
        column = self._column(holder)
        if node.flow:
            key = self.source.text[node.keys[index].start : node.keys[index].end]
            return f"{' ' * column}{key}: {self._flow_copy(node.items[index], holder)}".split(self.source.newline)
        start = self.source.line_start(node.keys[index].start)
        inline = bool(self.source.text[start : node.keys[index].start].strip())
        lead = node.keys[index].start if inline else self.source.comment_start(start, self._floor(node, index))
        end = self.source.tail(self.source.next_line(self.source.item_end(node, index)), self._column(node))
        end = max(end, self.source.below(node.keys[index].start))
        lines = self._copy_of(lead, end, holder.start).rstrip("\r\n").split(self.source.newline)
        if inline:
            lines[0] = " " * self._column(node) + lines[0]
        return _shifted(lines, column - self._column(node))

    def _floor(self, node: Node, index: int) -> int:
        if index == 0:
            return self.source.below(node.start) if node.anchor else self.source.line_start(node.start)
        return self.source.next_line(self.source.item_end(node, index - 1))

    def _flow_entry(self, node: Node, index: int, holder: Node) -> str:
        key = node.keys[index]
        name = self.source.text[key.start : key.end] if not _SPLITS_FLOW.search(key.value) else emit.flow(key.value)
        return f"{name}: {self._flow_copy(node.items[index], holder)}"

    def _flow_copy(self, value: Node, holder: Node) -> str:
        """Return a value for a place inside a flow collection, or behind a key on its line."""
        if value.kind == "alias":
            return f"*{value.anchor}" if self._resolves(value, holder.start) else self._flow_copy(value.target, holder)
        return self._on_a_line(value, holder.start, is_flow=True)

    # Copies in place of an alias.

    def _copied(self, alias: Node, anchor: str) -> _Change:
        """Replace an alias by the text of its anchor. anchor: the name that this place gets."""
        target, place = alias.target, self.places[id(alias)]
        holder = place.holder
        words = [f"&{anchor}"] * bool(anchor) + self._tags(target)
        is_block = target.kind in ("map", "list") and not target.flow and bool(target.items)
        takes_lines = is_block or (target.kind == "scalar" and target.style in ("|", ">") and not self._keeps(target))
        if place.role == "key" or holder.flow or not takes_lines:
            is_flow = holder.flow or place.role == "key"
            text = self._on_a_line(target, alias.start, is_flow=is_flow, tags=False)
            if not is_flow and "\n" in text:
                delta = self._column(holder) - self._holder_column(target)
                first, *rest = text.split(self.source.newline)
                text = self.source.newline.join([first, *_shifted(rest, delta)])
            return _Change(alias.start, alias.end, " ".join([*words, text]))
        end = self.source.line_end(alias.end)
        comment = self.source.text[alias.end : end].rstrip()
        if not is_block:
            header, lines = self._block_scalar(target)
            lines = _shifted(lines, self._column(holder) - self._holder_column(target))
            return _Change(alias.start, end, self._joined(" ".join([*words, header]) + comment, lines))
        lines = self._block_lines(target, alias.start)
        start = alias.start
        if holder.kind == "list":
            column = self.source.column(alias.start)
            lines = _shifted(lines, column - self._column(target))
            if not words and not comment and lines[0].lstrip()[:1] != "#":
                return _Change(start, end, self._joined(lines[0].lstrip(" "), lines[1:]))
        else:
            lines = _shifted(lines, self._column(holder) + self._offset(target) - self._column(target))
        line = self.source.line_start(start)
        if not words and not comment and not self.source.text[line:start].strip(" "):  # on a line below its key
            return _Change(line, end, self.source.newline.join(lines))
        if not words:
            start -= len(self.source.text[:start]) - len(self.source.text[:start].rstrip(" "))
        return _Change(start, end, self._joined(" ".join(words) + comment, lines))

    def _joined(self, first: str, lines: list[str]) -> str:
        return self.source.newline.join([first, *lines])

    def _on_a_line(self, node: Node, at: int, *, is_flow: bool, tags: bool = True) -> str:
        """Return the text of a value without its anchor for a place at an offset; block style becomes flow style.

        EditError where it has comments that flow style cannot hold.
        """
        lead = " ".join([*self._tags(node), ""]) if tags else ""
        start, end = self.source.content(node), self.source.end(node)
        if node.kind == "scalar":
            if is_empty(node) or start >= end:
                return lead + ("null" if not node.tag else "''")
            text = self.source.text[start:end]
            is_split = not node.style and is_flow and bool(_SPLITS_FLOW.search(text))
            if node.style in ("|", ">") or is_split or (is_flow and "\n" in text):
                return lead + (emit.scalar(node.value, style='"') if node.style in ("|", ">") else emit.flow(to_data(node)))
            return lead + text
        if node.flow or not node.items:
            return lead + self._copy_of(start, end, at)
        if self._has_comments(node, start, self.source.next_line(end)):
            shown = to_field(self.path)
            text = f"cannot edit `{shown}`: the block of the anchor that it shares has comments, which a place inside `{{}}` or `[]` cannot hold; write the block out there"
            raise EditError(text, self.source.text.count("\n", 0, at) + 1)
        return lead + emit.flow(to_data(node))

    def _keeps(self, node: Node) -> bool:
        """Return whether a block scalar has all blank lines below it (`|+`), so that others would belong to a copy."""
        return "+" in self.source.text[self.source.content(node) + 1 : self.source.content(node) + 3]

    def _has_comments(self, node: Node, start: int, end: int) -> bool:
        text = list(self.source.text[start:end])
        for leaf in walk(node):
            if leaf.kind == "scalar":
                begin = max(leaf.start - start, 0)
                finish = max(min(leaf.end - start, len(text)), begin)
                text[begin:finish] = "x" * (finish - begin)
        return bool(_COMMENT.search("".join(text)))

    def _block_scalar(self, node: Node) -> tuple[str, list[str]]:
        start = self.source.content(node)
        line_end = self.source.line_end(start)
        header = self.source.text[start:line_end].split()[0]
        lines = self.source.text[self.source.below(start) : self.source.end(node)].split("\n")
        lines = [line.removesuffix("\r") for line in lines]
        return header, lines[:-1] if not lines[-1] else lines

    def _block_lines(self, node: Node, at: int) -> list[str]:
        """Return the lines of a block collection, with the comments above its first entry and below its last one."""
        content = self.source.content(node)
        start = self.source.below(self.source.properties_end(node, node.start))
        end = self.source.next_line(self.source.end(node))
        end = self.source.tail(end, max(self._holder_column(node), self._column(node) - 1))
        if self.source.line_start(content) < start:  # on the line of a dash
            start = content
        return self._copy_of(start, end, at).rstrip("\r\n").split(self.source.newline)

    def _copy_of(self, start: int, end: int, at: int) -> str:
        """Return a part of the text for a place at an offset: without anchors, and with aliases that name the same there."""
        changes = []
        for node in self.named[bisect_left(self.starts, start) : bisect_left(self.starts, end)]:
            if node.kind != "alias":
                changes.append(self._without_anchor(node))
            elif not self._resolves(node, at):
                changes.append(self._copied(node, ""))
        return self._replaced(start, end, changes)

    def _resolves(self, alias: Node, at: int) -> bool:
        """Return whether an alias would mean the same at an offset."""
        named = self.anchors.get(alias.anchor or "", [])
        last = bisect_left(named, at, key=lambda node: node.start) - 1
        return last >= 0 and named[last] is alias.target and id(alias.target) not in self.edited

    def _without_anchor(self, node: Node) -> _Change:
        text, start = self.source.text, node.start
        while text[start] != "&":
            start = self.source.token(self.source.word_end(start))
        end = self.source.word_end(start)
        after = end
        while text[after : after + 1] in (" ", "\t"):
            after += 1
        if text[after : after + 1] not in ("\r", "\n"):
            return _Change(start, after, "")
        while text[start - 1] == " ":
            start -= 1
        return _Change(start, end, "")

    def _replaced(self, start: int, end: int, changes: Iterable[_Change]) -> str:
        parts, at = [], start
        for change in sorted(changes, key=lambda change: (change.start, change.end)):
            if change.start >= at and change.end <= end:
                parts += [self.source.text[at : change.start], change.text]
                at = change.end
        return "".join([*parts, self.source.text[at:end]])

    def _tags(self, node: Node) -> list[str]:
        words, at = [], node.start
        limit = min(max(node.end, node.start + 1), self.source.properties_limit(node))
        while (node.tag or node.anchor) and at < limit and self.source.text[at] in "&!":
            end = self.source.word_end(at)
            if self.source.text[at] == "!":
                words.append(self.source.text[at:end])
            at = self.source.token(end)
        return words

    def _column(self, node: Node) -> int:
        return self.source.column(self.source.content(node))

    def _holder_column(self, node: Node) -> int:
        """Return the column of the block collection that holds a node; for one inside a flow collection that of the line."""
        place = self.places.get(id(node))
        if place is None:
            return 0
        if not place.holder.flow:
            return self._column(place.holder)
        line = self.source.text[self.source.line_start(node.start) :]
        return len(line) - len(line.lstrip(" "))

    def _offset(self, node: Node) -> int:
        """Return by how much a block collection is indented below a key."""
        place = self.places[id(node)]
        if place.holder.kind == "map" and not place.holder.flow:
            return self._column(node) - self._column(place.holder)
        return self.layout.step(()) if node.kind == "map" else self.layout.dash(())


class _Spans:
    """The parts of the text that nodes have, to ask whether an offset is in one of them."""

    def __init__(self, nodes: list[Node]) -> None:
        spans = sorted((node.start, node.end) for node in nodes)
        self._starts = [start for start, _ in spans]
        self._ends = [*accumulate((end for _, end in spans), max)]

    def __contains__(self, at: int) -> bool:
        found = bisect_left(self._starts, at + 1) - 1
        return found >= 0 and at < self._ends[found]


def _entries(node: Node) -> Iterator[tuple[Node, Node]]:
    if node.kind == "map":
        yield from zip(node.keys, node.items, strict=True)


def _shifted(lines: list[str], by: int) -> list[str]:
    """Return lines indented by more, or by fewer, spaces; empty lines stay empty."""
    if by >= 0:
        return [" " * by + line if line else line for line in lines]
    return [line[min(-by, len(line) - len(line.lstrip(" "))) :] for line in lines]
