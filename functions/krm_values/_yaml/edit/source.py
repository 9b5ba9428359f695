"""What the editor asks of a text beyond the parser's marks: lines, comments, the true ends of values, indentation, blank lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from krm_values._yaml.decode import Node


class Source:
    """A text that always ends with a line break, and queries about its offsets."""

    __slots__ = ("_ends", "newline", "text")

    def __init__(self, text: str) -> None:
        first = text.find("\n")
        self.newline = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
        self.text = text if text.endswith("\n") else text + self.newline
        self._ends: dict[int, int] = {}  # of block collections, by the node's id: the caller keeps the nodes

    def line_start(self, at: int) -> int:
        """Return the start of the line that contains `at`."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Return the end of the line that contains `at`, before its line break."""
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def next_line(self, end: int) -> int:
        """Return the start of the line after a value that ends at `end` (a block scalar already ends at the start of a line)."""
        return end if self.text[end - 1 : end] == "\n" else self.below(end)

    def below(self, at: int) -> int:
        """Return the start of the line below the one that contains `at`."""
        return self.text.find("\n", at) + 1 or len(self.text)

    def column(self, at: int) -> int:
        """Return the column of an offset, from 0."""
        return at - self.line_start(at)

    def token(self, at: int) -> int:
        """Return the next offset that is neither white space nor part of a comment."""
        text, size = self.text, len(self.text)
        while at < size:
            if text[at] == "#":
                at = self.line_end(at)
            elif text[at] not in " \t\r\n":
                break
            else:
                at += 1
        return at

    def content(self, node: Node) -> int:
        """Return the start of a node behind its anchor and tag."""
        if node.kind == "alias" or not (node.anchor or node.tag):
            return node.start
        at, end = node.start, min(node.end, self.properties_limit(node))
        while at < end and self.text[at] in "&!":
            at = self.word_end(at)
            at = min(self.token(at), max(node.end, at))
        return at

    def word_end(self, at: int) -> int:
        """Return the end of the anchor or tag that starts at `at`."""
        if self.text.startswith("!<", at):
            return self.text.index(">", at) + 1
        while self.text[at] not in " \t\r\n,]}":
            at += 1
        return at

    def properties_end(self, node: Node, head: int) -> int:
        """Return the end of a node's anchor and tag, or `head` if it has none."""
        end, at, limit = head, node.start, self.properties_limit(node)
        while node.kind != "alias" and at < limit and self.text[at] in "&!":
            end = self.word_end(at)
            at = self.token(end)
        return end

    def properties_limit(self, node: Node) -> int:
        """Return where a node's own anchor and tag have ended: a block map's first key can have some of its own."""
        if node.kind == "map" and node.keys and not node.flow:
            return node.keys[0].start
        return len(self.text)

    def end(self, node: Node) -> int:
        """Return the end of a node's content; for a block scalar without the blank lines that are not part of its value."""
        if node.kind in ("map", "list") and node.items and not (node.flow and self.text[node.end - 1] in "]}"):
            found = self._ends.get(id(node))
            if found is None:
                found = self._ends[id(node)] = self.item_end(node, len(node.items) - 1)
            return found
        if node.kind == "scalar" and node.style in ("|", ">"):
            return self._block_scalar_end(node)
        return node.end

    def item_end(self, node: Node, index: int) -> int:
        """Return the end of an entry of a collection; for an empty value that of its key and colon."""
        item = node.items[index]
        if not is_empty(item) or node.kind == "list":
            return self.end(item)
        return self.head(node, index)

    def head(self, node: Node, index: int) -> int:
        """Return the end of the key and colon of a map's entry; a key behind `?` may have no colon, and the next key may begin with one."""
        key_end = self.end(node.keys[index])
        colon = self.token(key_end)
        limit = node.keys[index + 1].start if index + 1 < len(node.keys) else node.end
        return colon + 1 if colon < limit and self.text[colon : colon + 1] == ":" else key_end

    def keeps(self, node: Node, end: int) -> bool:
        """Return whether the lines up to `end` close with a block scalar that keeps all blank lines below it (`|+`)."""
        header = self.last_header(node)
        return header >= 0 and "+" in self.text[header + 1 : header + 3] and self.next_line(self.end(node)) == end

    def last_header(self, node: Node) -> int:
        """Return the start of the block scalar that a value ends with, or -1."""
        while node.kind in ("map", "list") and not node.flow:
            node = node.items[-1]
        return self.content(node) if node.kind == "scalar" and node.style in ("|", ">") else -1

    def closed(self, root: Node, text: str) -> str:
        """Return a text that ends inside a block scalar's last line with that line ended, and the scalar marked as without a final line break."""
        header = self.last_header(root)
        if text.endswith("\n") or header < 0:
            return text
        body = header + 1
        while text[body : body + 1] in ("+", "-"):
            body += 1
        return text[: header + 1] + "-" + text[body:].replace("+", "", text[body + 1 : body + 2] == "+") + self.newline

    def scalar_indent(self, node: Node) -> int:
        """Return the column of a block scalar's text; 0 if its header gives it as a digit or it has no text."""
        header = self.content(node)
        if any(c.isdigit() for c in self.text[header + 1 : header + 3]):
            return 0
        at = self.below(header)
        while at < node.end:
            line = self.text[at : self.line_end(at)]
            if line.strip(" "):
                return len(line) - len(line.lstrip(" "))
            at = self.below(at)
        return 0

    def comment_start(self, line: int, floor: int) -> int:
        """Return the start of the comment lines directly above the line at `line`, not above `floor`."""
        while line > floor:
            above = self.line_start(line - 1)
            if above < floor or self.text[above:line].lstrip(" \t")[:1] != "#":
                break
            line = above
        return line

    def filler_start(self, line: int) -> int:
        """Return the start of the comment and blank lines above the line at `line`."""
        while line > 0:
            above = self.line_start(line - 1)
            if self.text[above:line].strip()[:1] not in ("", "#"):
                break
            line = above
        return line

    def tail(self, line: int, column: int) -> int:
        """Return the end of the comment lines from `line` on that are indented more deeply than `column`."""
        end = line
        while line < len(self.text):
            after = self.below(line)
            words = self.text[line:after].lstrip(" \t")
            if words[:1] == "#" and after - line - len(words) > column:
                end = after
            elif words.strip():
                break
            line = after
        return end

    def _block_scalar_end(self, node: Node) -> int:
        header = self.content(node)
        if "+" in self.text[header + 1 : header + 3]:
            return node.end
        first, indent, end = self.below(header), self.scalar_indent(node), node.end
        while end > first:
            above = self.line_start(end - 1)
            line = self.text[above:end].rstrip("\r\n")
            if line.strip(" ") or len(line) > indent:
                break
            end = above
        return end


def is_empty(node: Node) -> bool:
    """Return whether a node has no text."""
    return node.kind == "scalar" and node.start == node.end


# The indentation of a document: of maps below their keys, and of the dashes of lists.


class Layout:
    """The style of new text: that of the nearest siblings, else of most of the document, else two spaces and compact lists."""

    __slots__ = ("_around", "_most", "_root")

    def __init__(self, root: Node) -> None:
        self._root = root
        self._around: dict[tuple[int, str], int | None] = {}  # by the node's id: the root keeps all of them
        self._most: dict[str, int] = {}

    def step(self, chain: tuple[Node, ...]) -> int:
        """Return the indentation of a map below its key. `chain`: the collections above the new text, outermost first."""
        return self._nearest(chain, "map", 2)

    def dash(self, chain: tuple[Node, ...]) -> int:
        """Return the indentation of a list's dashes below its key; 0 is compact."""
        return self._nearest(chain, "list", 0)

    def _nearest(self, chain: tuple[Node, ...], kind: Literal["map", "list"], default: int) -> int:
        for node in reversed(chain):
            place = id(node), kind
            if place not in self._around:
                self._around[place] = _most_frequent(_near(node, kind))
            found = self._around[place]
            if found is not None:
                return found
        if kind not in self._most:
            found = _most_frequent(_all(self._root, kind))
            self._most[kind] = default if found is None else found
        return self._most[kind]


def _near(node: Node, kind: str) -> Iterator[int]:
    if node.kind == "map":
        yield from _offsets(node, kind)
    elif node.kind == "list":
        for item in node.items:
            if item.kind == "map":
                yield from _offsets(item, kind)


def _all(node: Node, kind: str) -> Iterator[int]:
    if node.kind == "map":
        yield from _offsets(node, kind)
    if node.kind in ("map", "list"):
        for item in node.items:
            yield from _all(item, kind)


def _offsets(node: Node, kind: str) -> Iterator[int]:
    if node.flow or not node.keys:
        return
    column = node.keys[0].column if node.anchor or node.tag else node.column
    for key, item in zip(node.keys, node.items, strict=True):
        if (
            key.column == column
            and item.kind == kind
            and not item.flow
            and item.line > key.line
            and not (item.anchor or item.tag)
        ):
            yield item.column - column


def _most_frequent(numbers: Iterable[int]) -> int | None:
    counts: dict[int, int] = {}
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1
    return max(counts, key=lambda number: counts[number]) if counts else None


# Blank lines that consist of spaces: below another line than before they could become content of a block scalar.

_RUN = re.compile(r"(?m)(^[^\S\n]*\S.*\n)((?:[ \t]*\r?\n)+)")  # a line that is not blank, and the blank lines below it
_SPACES = re.compile(r"[ \t]+")


def without_spaces(text: str, before: str) -> str:
    """Return a text without the spaces of its blank lines, except where they follow the line that they followed before."""
    known = {found[0] for found in _RUN.finditer(before)}
    return _RUN.sub(lambda found: found[0] if found[0] in known else found[1] + _SPACES.sub("", found[2]), text)
