"""The tokens of a template, as text/template's lexer divides it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._golang.template.error import TemplateError, refused

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

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
