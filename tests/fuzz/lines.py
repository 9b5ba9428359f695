"""Which lines of a text an edit may touch, worked out from the parser's marks alone."""

from __future__ import annotations

import re
from typing import Any

from krm_values._yaml import decode

_EXPLICIT = re.compile(r"^[ -]*\?(?=\s|$)", re.MULTILINE)


def stray(text: str, edit: tuple[Any, ...], result: str) -> str:
    """What one edit changed beyond the lines it concerns, "" if nothing. Texts with anchors or explicit keys are not judged.

    Nor are those with other line breaks than LF, and those that end within a line: a block scalar there must say `|-` once lines
    follow it.
    """
    if "&" in text or not text.endswith("\n") or _EXPLICIT.search(text) or len(text.splitlines()) != text.count("\n"):
        return ""
    before, after = text.splitlines(), result.splitlines()
    first, last, own, inline = _Lines(text, before).concerned(edit)
    behind = len(before) - last
    if after[:first] != before[:first]:
        return f"changed a line above line {first + 1}"
    if behind and (len(after) < behind or after[-behind:] != before[last:]):
        return f"changed a line below line {last}"
    region = after[first : len(after) - behind]
    outside = [line for number, line in enumerate(before[first:last], first) if number not in own]
    fixed = "+" not in text and not _comments(outside) and not inline
    if fixed and len(_blank(region)) < len(_blank(outside)):
        return "removed a blank line"
    if edit[0] in ("insert", "move") and any(line.strip() not in "\n".join(region) for line in _comments(outside)):
        return "removed a comment"
    return ""


def _blank(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.strip()]


def _comments(lines: list[str]) -> list[str]:
    return [line for line in lines if line.lstrip()[:1] == "#"]


class _Lines:
    def __init__(self, text: str, lines: list[str]) -> None:
        self.text, self.lines, self.root = text, lines, decode.parse(text)

    def concerned(self, edit: tuple[Any, ...]) -> tuple[int, int, range, bool]:
        """First line, line after the last, the lines of the edited value itself, and whether its collection begins behind a dash."""
        verb, path = edit[0], edit[1]
        chain = [self.root]
        for part in path[:-1]:
            chain.append(decode.find(chain[-1], (part,)) or self.root)
        flow = next((node for node in chain if getattr(node, "flow", False)), None)
        if flow:
            holder = chain[max(chain.index(flow) - 1, 0)]
            own = range(self.header(chain, flow), self.end(flow))
            return own.start, max(own.stop, self.below(own.stop) if holder is flow else own.stop), own, False
        parent = chain[-1]
        header, count = self.header(chain, parent), len(parent.items)
        at, inline = self.place(parent, edit), self.start(parent, 0) == header
        if verb == "move":
            return header, self.below(self.end(parent)), range(0), inline
        exists = at < count and verb != "insert" and decode.find(parent, (path[-1],)) is not None
        if exists and verb == "put":
            own = range(self.start(parent, at), self.end(parent.items[at], self.start(parent, at)))
            whole = parent.items[at].kind == "scalar" or isinstance(edit[2], str)
            return own.start, own.stop if whole else self.below(own.stop), own, inline
        first = self.end(parent.items[at - 1], self.start(parent, at - 1)) if at else header
        if not exists:
            return first, self.start(parent, at) + (inline and at == 0) if at < count else self.below(first), range(0), inline
        own = range(self.start(parent, at), self.end(parent.items[at], self.start(parent, at)))
        return first, self.start(parent, at + 1) + (inline and at == 0) if at + 1 < count else self.below(own.stop), own, inline

    def place(self, parent: Any, edit: tuple[Any, ...]) -> int:
        """Index of the edited entry, or of the one it goes before."""
        if parent.kind == "list":
            return int(edit[1][-1])
        keys = [key.value for key in parent.keys]
        if edit[1][-1] in keys:
            return keys.index(edit[1][-1])
        after = edit[3]
        return 0 if after == "" else keys.index(after) + 1 if after in keys else len(keys)

    def header(self, chain: list[Any], node: Any) -> int:
        """The line of the key or dash that a collection hangs on."""
        if node is self.root:
            return 0
        parent = chain[chain.index(node) - 1]
        return self.start(parent, next(index for index, item in enumerate(parent.items) if item is node))

    def start(self, parent: Any, index: int) -> int:
        """The line of an entry's key or dash."""
        if parent.kind == "map":
            return int(parent.keys[index].line)
        line = int(parent.items[index].line)
        while not parent.flow and self.lines[line][parent.column : parent.column + 1] != "-":
            line -= 1
        return line

    def end(self, node: Any, start: int = 0) -> int:
        """The line after the last one of a value."""
        while node.kind in ("map", "list") and not node.flow:
            start = max(start, node.keys[-1].line if node.kind == "map" else 0)
            node = node.items[-1]
        if node.start == node.end:
            return int(node.line) + 1
        line = self.text.count("\n", 0, node.end - 1) + 1
        trims = node.kind == "scalar" and node.style in ("|", ">") and "+" not in self.text[node.start : node.start + 3]
        while trims:
            if self.lines[line - 1].strip() or line <= start + 1:
                break
            line -= 1
        return line

    def below(self, line: int) -> int:
        """The next line with content."""
        while line < len(self.lines) and self.lines[line].strip()[:1] in ("", "#"):
            line += 1
        return line
