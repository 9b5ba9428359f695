"""The tree of a template, as text/template's parser builds it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._go.strconv import LiteralError, unquote

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import TypeAlias

    Operand: TypeAlias = "Literal | Dot | Field | Name | Pipeline"
    Node: TypeAlias = "LiteralText | Action | Branch"


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
class LiteralText:
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
                nodes.append(LiteralText(token.text))
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
        if any(isinstance(command[0], (Literal, Dot)) for command in commands[1:]):
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
        if isinstance(term, (Literal, Dot)):
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


# The tokens of a template, as text/template's lexer divides it.

_SPACE = " \t\r\n"
_LEFT = re.compile(r"\{\{(-[ \t\r\n])?(/\*)?")
_RIGHT = re.compile(r"([ \t\r\n]-)?\}\}")
_QUOTED = re.compile(r'"(?>(?:[^"\\\n]|\\[^\n])*)"|`[^`]*+`')
_SINGLE = {"|": "pipe", "(": "open", ")": "close"}
_AFTER_WORD = frozenset(" \t\r\n.,|:)(")
_REFUSED = {"$": "variables are", "'": "character literals are", "=": "variables are", ":": "variables are"}


@record
class Token:
    """One token. kind: `text`, `left`, `right`, `space`, `name`, `field`, `dot`, `quoted`, `pipe`, `open`, `close`, `end`."""

    kind: str
    text: str


def tokens(template: str) -> Iterator[Token]:
    """Yield the tokens, the last one an `end`. TemplateError for an unknown token."""
    at, trims = 0, False
    while at < len(template):
        found = _LEFT.search(template, at)
        text = template[at : found.start() if found else len(template)]
        text = text.lstrip(_SPACE) if trims else text
        text = text.rstrip(_SPACE) if found and found[1] else text
        if text:
            yield Token("text", text)
        if not found:
            break
        if found[2]:
            right = _comment(template, found.end())
        else:
            yield Token("left", "{{")
            right = yield from _action(template, found.end())
            yield Token("right", "}}")
        at, trims = right.end(), bool(right[1])
    yield Token("end", "")


def _comment(template: str, at: int) -> re.Match[str]:
    """Return the delimiter after a comment."""
    close = template.find("*/", at)
    if close < 0:
        raise TemplateError("parse", "a comment is not closed")
    found = _RIGHT.match(template, close + 2)
    if not found:
        raise TemplateError("parse", "a comment must be alone between `{{` and `}}`")
    return found


def _action(template: str, at: int) -> Generator[Token, None, re.Match[str]]:
    depth = 0
    while True:
        right = _RIGHT.match(template, at)
        if right:
            if depth:
                raise TemplateError("parse", "a parenthesis is not closed")
            return right
        token = _token(template, at)
        depth += (token.kind == "open") - (token.kind == "close")
        if depth < 0:
            raise TemplateError("parse", "a parenthesis is closed that was not opened")
        at += len(token.text)
        yield token


def _token(template: str, at: int) -> Token:
    if at == len(template):
        raise TemplateError("parse", "an action is not closed by `}}`")
    first = template[at]
    if first in _SPACE:
        return Token("space", _spaces(template, at))
    if first in _SINGLE:
        return Token(_SINGLE[first], first)
    if first in _REFUSED:
        raise refused(_REFUSED[first])
    if first in '"`':
        found = _QUOTED.match(template, at)
        if not found:
            raise TemplateError("parse", "a string literal is not closed")
        return Token("quoted", found[0])
    if first in "+-0123456789" or (first == "." and template[at + 1 : at + 2] in tuple("0123456789")):
        raise refused("number literals are")
    return _word(template, at)


def _spaces(template: str, at: int) -> str:
    """Return a run of white space; its last character may belong to the delimiter after it."""
    end = at + 1
    while template[end : end + 1] in tuple(_SPACE) and not _RIGHT.match(template, end):
        end += 1
    return template[at:end]


def _word(template: str, at: int) -> Token:
    dot = template[at] == "."
    end = at + dot
    while end < len(template) and _is_letter(template[end]):
        end += 1
    if end == at:
        raise TemplateError("parse", f'"{template[at]}" has no meaning in an action')
    if end < len(template) and template[end] not in _AFTER_WORD and not template.startswith("}}", end):
        raise TemplateError("parse", f'"{template[end]}" must not follow `{template[at:end]}`')
    word = template[at:end]
    return Token("dot" if word == "." else "field" if dot else "name", word)


def _is_letter(character: str) -> bool:
    return character == "_" or character.isalpha() or character.isdecimal()


# The error of a template.


class TemplateError(Exception):
    """An error of a template. `message` quotes nothing of the value, which may be secret.

    stage: `parse`, `execute` or `json`. construct: a construct of Go that is not supported, else "". rendered: output that is not JSON,
    else None; it contains the value.
    """

    def __init__(self, stage: str, message: str, *, construct: str = "", rendered: str | None = None) -> None:
        super().__init__(message)
        self.stage, self.message, self.construct, self.rendered = stage, message, construct, rendered


def refused(construct: str, stage: str = "parse") -> TemplateError:
    """Return the error for a construct of Go that is not supported: `index is`, `variables are`."""
    return TemplateError(stage, f"{construct} not supported", construct=construct)
