"""The text of an SD's file: what surrounds the data, and the data's own lines as the `spec` of an item and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._yaml import decode, emit
from krm_values._yaml.encoding import BOM, is_blank

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_EMPTY = "applications: []\n"


@record
class Parts:
    """A file's text with LF, divided in three: what precedes the first key, the lines of the data, and a `...` with what follows.

    column: the column of the first key.
    """

    head: str
    body: str
    tail: str
    column: int = 0


@record
class Form:
    """The form of a file: byte order mark, CRLF, no line break at its end."""

    bom: bool = False
    crlf: bool = False
    open_ended: bool = False


def form(raw: bytes) -> Form:
    """Return the form of a file."""
    crlf = b"\r\n" in raw and raw.count(b"\r\n") == raw.count(b"\n")
    return Form(raw.startswith(BOM), crlf, bool(raw) and not raw.endswith(b"\n"))


def text(raw: bytes) -> str:
    """Return a file's text, with LF if every line ends in CRLF."""
    found = raw.decode("utf-8-sig")
    return found.replace("\r\n", "\n") if form(raw).crlf else found


def raw(found: str, wanted: Form) -> bytes:
    """Return a text as bytes in a file's form."""
    whole = found if found.endswith("\n") else f"{found}\n"
    whole = whole[:-1] if wanted.open_ended else whole
    return (BOM if wanted.bom else b"") + (whole.replace("\n", "\r\n") if wanted.crlf else whole).encode()


def divide(found: str) -> Parts:
    """Divide a file's text into its parts; without data the body is that of an SD without applications."""
    if is_blank(found):
        return Parts(_ended(found), _EMPTY, "")
    root = decode.parse(found)
    start = found.rfind("\n", 0, root.start) + 1
    if found[start : root.start].strip():  # `--- {...}`
        start = root.start
    lines = found[root.end :].splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if number and line.startswith("...")), len(lines))
    tail = "".join(lines[at:])
    body = found[start : len(found) - len(tail)]
    empty = root.kind == "scalar" and decode.scalar_value(root) is None
    head = found[:start] if not empty or root.end > root.start else found[: len(found) - len(tail)]
    if empty:
        return Parts(_ended(head), _EMPTY, tail)
    return Parts(head, body, tail, 0 if root.kind != "map" or root.flow else root.column)


def comments(head: str) -> str:
    """Return the comment lines before the first key that are below the document marker."""
    lines = head.splitlines(keepends=True)
    first = next((number for number in range(len(lines), 0, -1) if lines[number - 1].startswith(("---", "%"))), 0)
    return "".join(line for line in lines[first:] if not line.strip() or line.lstrip().startswith("#"))


def below(body: str, column: int) -> str:
    """Return the lines indented by `column`; empty lines stay empty."""
    pad = " " * column
    return "".join(pad + line if line.strip("\r\n") else line for line in _ended(body).splitlines(keepends=True))


def spec(item: str, data: JSON) -> str:
    """Return the lines of an item's `spec` from its first key on, without indentation; of an item in flow style its data in block style."""
    root = decode.parse(item)
    node = None if root.flow else decode.find(root, ("spec",))
    if node is None or node.kind == "alias" or (node.flow and node.column <= root.column):
        return "".join(f"{line}\n" for line in emit.block(data))
    at = next(number for number, value in enumerate(root.items) if value is node)
    end = root.keys[at + 1].line if at + 1 < len(root.keys) else None
    lines = item.splitlines(keepends=True)
    lines[node.line] = " " * node.column + lines[node.line][node.column :]
    return _moved(lines[node.line : end], node.column)


def _moved(lines: list[str], column: int) -> str:
    return _ended("".join(line[min(column, len(line) - len(line.lstrip(" "))) :] for line in lines))


def _ended(found: str) -> str:
    return found if found.endswith("\n") or not found else f"{found}\n"
