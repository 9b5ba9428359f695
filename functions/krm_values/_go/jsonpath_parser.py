"""The parser of k8s.io/client-go/util/jsonpath, quirks included."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._go.strconv import LiteralError, unquote

if TYPE_CHECKING:
    from typing import TypeAlias

    Node: TypeAlias = "Field | Wildcard | Recursive | Slice | Union | Filter | QuotedText | Literal | Identifier"
    Nodes: TypeAlias = tuple[Node, ...]


_END = ""
_TERMINATORS = frozenset((_END, *" \t\r\n.,[]$@{}"))
_KEY = re.compile(r"'([^']*)'")
_SLICE = re.compile(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?")
_COMPARISON = re.compile(r"(?s)([^!<>=]+)([!<>=]+)(.+)")
_INTEGER, _NUMBER = re.compile(r"[+-]?[0-9]+"), re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*|\.[0-9]+)")
_BITS = 63
LONGEST = 10_000
"""Characters of a text with paths."""


def parse(text: str) -> list[Nodes]:
    """Return the pieces of a text: the nodes of each pair of braces, and a QuotedText for what is beside one.

    PathError where upstream does not parse it, and for constructs that are not supported.
    """
    if len(text) > LONGEST:
        raise PathError(f"has more than {LONGEST:,} characters")
    return _Parser(text).pieces()


def _inner(text: str) -> Nodes:
    """Return the first piece of a text in braces: what follows an inner `}` is parsed and dropped, as upstream does."""
    return _Parser(f"{{{text}}}").pieces()[0]


class _Parser:
    """One text and the position in it."""

    __slots__ = ("pos", "text")

    def __init__(self, text: str) -> None:
        self.text, self.pos = text, 0

    def pieces(self) -> list[Nodes]:
        found: list[Nodes] = []
        while self.pos < len(self.text):
            opening = self.text.find("{", self.pos)
            before = self.text[self.pos :] if opening < 0 else self.text[self.pos : opening]
            if before:
                found.append((QuotedText(before),))
            if opening < 0:
                break
            self.pos = opening + 1
            found.append(self._braces())
        return found

    def _braces(self) -> Nodes:
        nodes: list[Node] = []
        while not self._skip("}"):
            self._part(nodes)
        return tuple(nodes)

    def _part(self, nodes: list[Node]) -> None:
        if self._skip("[?("):
            nodes.append(self._filter())
        elif self._skip(".."):
            self._recursive(nodes)
        else:
            self._single(self._next(), nodes)

    def _single(self, char: str, nodes: list[Node]) -> None:
        if char in ("", "\r", "\n"):
            raise PathError("ends too early: a quote, bracket or brace is not closed")
        if char == "[":
            nodes.extend(self._subscript())
        elif char in "\"'":
            nodes.append(self._quoted(char))
        elif char == ".":
            nodes.append(self._field())
        elif char in "+-" or char.isdecimal():
            nodes.append(self._number())
        elif char == "_" or char.isalpha():
            nodes.append(self._word())
        elif char not in " @$":
            raise PathError(f'has "{char}" where a `.` or `[` must be')

    def _recursive(self, nodes: list[Node]) -> None:
        if nodes and isinstance(nodes[-1], Recursive):
            raise PathError("has `..` twice in a row")
        nodes.append(Recursive())
        char = self._peek()
        if char and (char == "_" or char.isalpha() or char.isdecimal()):
            nodes.append(self._field())

    def _field(self) -> Node:
        start = self.pos
        while (char := self._next()) not in _TERMINATORS:
            if char == "\\":
                self._next()
        self.pos -= len(char)
        name = self.text[start : self.pos]
        return Wildcard() if name == "*" else Field(name.replace("\\", ""))

    def _word(self) -> Node:
        start = self.pos - 1
        while self._peek() not in _TERMINATORS:
            self.pos += 1
        word = self.text[start : self.pos]
        if word in ("true", "false"):
            return Literal(word == "true")
        if word == "range":
            raise PathError("uses `range`, which is not supported here")
        return Identifier(word)

    def _number(self) -> Node:
        start = self.pos - 1
        while (char := self._peek()) == "." or char.isdecimal():
            self.pos += 1
        written = self.text[start : self.pos]
        if _INTEGER.fullmatch(written) and _fits(written):
            return Literal(int(written))
        if not _NUMBER.fullmatch(written) or float(written) in (float("inf"), float("-inf")):
            raise PathError(f'has "{written}", which is not a number')
        return Literal(float(written))

    def _quoted(self, quote: str) -> Node:
        start = self.pos - 1
        while (char := self._next()) != quote or self.text[self.pos - 2] == "\\":
            if char in ("", "\n"):
                raise PathError("has a quoted string that is not closed")
        written = self.text[start : self.pos]
        try:
            return QuotedText(unquote(written))
        except LiteralError:
            raise PathError(f"has a quoted string with an invalid escape: {written}") from None

    def _subscript(self) -> Nodes:
        end = self.text.find("]", self.pos)
        inside = self.text[self.pos : end]
        if end < 0 or "\n" in inside:
            raise PathError("has a `[` that is not closed")
        self.pos = end + 1
        if "," in inside:
            return (Union(tuple(_branch(part.strip(" ")) for part in inside.split(","))),)
        return _bracketed(inside)

    def _filter(self) -> Node:
        start = self.pos
        self._to_bracket()
        if self._next() != "]":
            raise PathError("has a filter that does not end with `)]`")
        text = self.text[start : self.pos - 2]
        compared = _COMPARISON.fullmatch(text)
        if not compared:
            return Filter(_inner(text), "exists", ())
        return Filter(_inner(compared[1]), compared[2], _inner(compared[3]))

    def _to_bracket(self) -> None:
        """Skip to the end of a filter's `)`; one inside a quoted string counts only after the filter's first pair of quotes."""
        pair, is_open = "", False
        while (char := self._next()) != ")" or is_open:
            if char in ("", "\n"):
                raise PathError("has a filter that is not closed")
            if char in "\"'" and not pair:
                pair, is_open = char, True
            elif char == pair and self.text[self.pos - 2] != "\\":
                is_open = False

    def _skip(self, token: str) -> bool:
        if not self.text.startswith(token, self.pos):
            return False
        self.pos += len(token)
        return True

    def _next(self) -> str:
        char = self._peek()
        self.pos += len(char)
        return char

    def _peek(self) -> str:
        return self.text[self.pos : self.pos + 1]


def _branch(part: str) -> Nodes:
    return _inner(f"[{part}]") if part.startswith("?(") else _bracketed(part)


def _bracketed(inside: str) -> Nodes:
    key = _KEY.fullmatch(inside)
    return _inner(f".{key[1]}") if key else (_slice(":" if inside == "*" else inside),)


def _slice(inside: str) -> Slice:
    found = _SLICE.fullmatch(inside)
    if not found:
        hint = "; a name in brackets takes single quotes" if inside[:1] == '"' else ""
        raise PathError(f"has [{inside}], which is not an index{hint}")
    start, end, step = (_bound(found[1]), *(_bound(part[1:]) if part else None for part in (found[2], found[3])))
    if found[2] is None:
        return Slice(start, (start or 0) + 1, step, derived=True)
    return Slice(start, end, step, derived=False)


def _bound(written: str) -> int | None:
    if not written:
        return None
    if written == "-" or not _fits(written):
        raise PathError(f'has the index "{written}", which is not a number')
    return int(written.lstrip("-0") or "0") * (-1 if written[0] == "-" else 1)


def _fits(written: str) -> bool:
    """Return whether a whole number fits into Go's int."""
    digits = written.lstrip("+-").lstrip("0") or "0"
    return len(digits) < 20 and -(1 << _BITS) <= int(written.rstrip("0123456789") + digits) < 1 << _BITS


# The parts of a parsed path.


class PathError(Exception):
    """A path that cannot be parsed or followed.

    fact: the error, as a predicate of the expression. missing: whether a field was missing, the only error that an absent field can cause.
    partial: the values that upstream returns beside the error; an existence filter takes them as a result.
    """

    def __init__(self, fact: str, partial: tuple[object, ...] = (), *, missing: bool = False) -> None:
        super().__init__(fact)
        self.fact, self.partial, self.missing = fact, partial, missing


@record
class Field:
    """`.name`, backslashes removed."""

    name: str


@record
class Wildcard:
    """`.*`."""


@record
class Recursive:
    """`..`."""


@record
class Slice:
    """`[start:end:step]`, None for omitted parts. `[3]` is derived: its end is start + 1."""

    start: int | None
    end: int | None
    step: int | None
    derived: bool


@record
class Union:
    """`[0,'name',1:3]`."""

    branches: tuple[Nodes, ...]


@record
class Filter:
    """`[?(left operator right)]`; the operator of an existence test is "exists"."""

    left: Nodes
    operator: str
    right: Nodes


@record
class QuotedText:
    """A quoted string: one result, whatever precedes it."""

    value: str


@record
class Literal:
    """A number or boolean: one result for each preceding value."""

    value: bool | int | float


@record
class Identifier:
    """A bare word. None has a meaning, but the error comes only when it is evaluated."""

    name: str
