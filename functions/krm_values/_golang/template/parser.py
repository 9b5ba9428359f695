"""The tree of a template, as text/template's parser builds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._golang.strconv import LiteralError, unquote
from krm_values._golang.template.error import TemplateError, refused
from krm_values._golang.template.lexer import Token, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Operand: TypeAlias = "Literal | Dot | Field | Name | Pipeline"
    Node: TypeAlias = "Text | Action | Branch"

FUNCTIONS = frozenset(("eq", "ne", "not", "and", "or", "len", "base64", "printf"))
_BUILTINS = frozenset(("call", "ge", "gt", "html", "index", "js", "le", "lt", "print", "println", "slice", "urlquery"))
_CONTROLS = frozenset(("block", "break", "continue", "define", "range", "template"))
_KEYWORDS = _CONTROLS | {"if", "with", "else", "end"}
LONGEST = 100_000
"""Characters of a template; longer ones are refused."""
_DEEPEST = 100


@record
class Literal:
    value: str | bool


@record
class Dot:
    pass


@record
class Field:
    names: tuple[str, ...]


@record
class Name:
    name: str


@record
class Pipeline:
    commands: tuple[tuple[Operand, ...], ...]


@record
class Text:
    text: str


@record
class Action:
    pipeline: Pipeline


@record
class Branch:
    """`if` or `with`: the nodes for a true pipeline, and those for any other."""

    word: str
    pipeline: Pipeline
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]


def parse(template: str) -> tuple[Node, ...]:
    """Return the nodes of a template. TemplateError where Go refuses it, and for constructs that are not supported."""
    if len(template) > LONGEST:
        raise refused(f"a template of more than {LONGEST:,} characters is")
    parser = _Parser(tokens(template))
    nodes, stop = parser.nodes(0)
    if stop:
        raise TemplateError("parse", f"`{stop}` has no `if` or `with` before it")
    return nodes


class _Parser:
    __slots__ = ("_ahead", "_tokens")

    def __init__(self, found: Iterator[Token]) -> None:
        self._tokens, self._ahead = found, next(found)

    def nodes(self, depth: int) -> tuple[tuple[Node, ...], str]:
        """Return the nodes up to an `else`, an `end` or the end of the template, and which of them follows ("" = the end)."""
        nodes: list[Node] = []
        while self._ahead.kind != "end":
            token = self._take()
            if token.kind == "text":
                nodes.append(Text(token.text))
                continue
            self._skip()
            word = self._ahead.text if self._ahead.kind == "name" else ""
            if word in ("else", "end"):
                self._take()
                return tuple(nodes), word
            nodes.append(self._control(word, depth) if word in _KEYWORDS else Action(self._pipeline("right", depth)))
        return tuple(nodes), ""

    def _control(self, word: str, depth: int) -> Branch:
        if word in _CONTROLS:
            raise refused(f"`{word}` is")
        if depth == _DEEPEST:
            raise TemplateError("parse", f"it is nested deeper than {_DEEPEST} levels")
        self._take()
        pipeline = self._pipeline("right", 0)
        then, stop = self.nodes(depth + 1)
        otherwise: tuple[Node, ...] = ()
        if stop == "else":
            self._skip()
            if self._ahead == Token("name", word):
                return Branch(word, pipeline, then, (self._control(word, depth + 1),))
            self._expect_right("else")
            otherwise, stop = self.nodes(depth + 1)
        if stop != "end":
            raise TemplateError("parse", f"`{word}` has no `end`")
        self._expect_right("end")
        return Branch(word, pipeline, then, otherwise)

    def _pipeline(self, end: str, depth: int) -> Pipeline:
        if depth == _DEEPEST:
            raise TemplateError("parse", f"it is nested deeper than {_DEEPEST} levels")
        commands: list[tuple[Operand, ...]] = []
        while True:
            self._skip()
            if self._ahead.kind == end:
                self._take()
                break
            commands.append(self._command(depth))
        if not commands:
            raise TemplateError("parse", "an action or a parenthesis is empty; give it a value")
        if any(isinstance(command[0], Literal | Dot) for command in commands[1:]):
            raise TemplateError("parse", "a function must follow `|`")
        return Pipeline(tuple(commands))

    def _command(self, depth: int) -> tuple[Operand, ...]:
        operands: list[Operand] = []
        while True:
            self._skip()
            operand = self._operand(depth)
            if operand:
                operands.append(operand)
            kind = self._ahead.kind
            if kind in ("right", "close"):
                break
            if kind not in ("space", "pipe"):
                raise self._unexpected()
            self._take()
            if kind == "pipe":
                break
        if not operands:
            raise self._unexpected()
        if operands[0] == Name("printf") and operands[1:2] != [Literal("%q")]:
            raise refused('printf with another format than "%q" is')
        return tuple(operands)

    def _operand(self, depth: int) -> Operand | None:
        """Return a term with the fields that follow it; None if there is none."""
        term = self._term(depth)
        if term is None or self._ahead.kind != "field":
            return term
        if isinstance(term, Literal | Dot):
            raise TemplateError("parse", f"`{self._ahead.text}` must not follow a literal or `.`")
        if not isinstance(term, Field):
            raise refused("a field of a result is")
        names = list(term.names)
        while self._ahead.kind == "field":
            names.append(self._take().text[1:])
        return Field(tuple(names))

    def _term(self, depth: int) -> Operand | None:
        token = self._ahead
        match token.kind:
            case "name":
                self._take()
                return _named(token.text)
            case "dot":
                self._take()
                return Dot()
            case "field":
                self._take()
                return Field((token.text[1:],))
            case "quoted":
                self._take()
                return Literal(_unquoted(token.text))
            case "open":
                self._take()
                return self._pipeline("close", depth + 1)
        return None

    def _take(self) -> Token:
        token, self._ahead = self._ahead, next(self._tokens, Token("end", ""))
        return token

    def _skip(self) -> None:
        while self._ahead.kind == "space":
            self._take()

    def _expect_right(self, word: str) -> None:
        self._skip()
        if self._take().kind != "right":
            raise TemplateError("parse", f"nothing must follow `{word}`")

    def _unexpected(self) -> TemplateError:
        return TemplateError("parse", f"`{self._ahead.text}` has no meaning here")


def _named(word: str) -> Operand:
    if word in ("true", "false"):
        return Literal(word == "true")
    if word in FUNCTIONS:
        return Name(word)
    if word in _BUILTINS or word == "nil":
        raise refused(f"{word} is")
    if word in _KEYWORDS:
        raise TemplateError("parse", f"`{word}` must be first in its action")
    raise TemplateError("parse", f'function "{word}" is not defined{suggest.hint(word, FUNCTIONS)}')


def _unquoted(literal: str) -> str:
    try:
        return unquote(literal, single_bytes=False)
    except LiteralError as error:
        raise TemplateError("parse", str(error), construct=error.construct) from error
