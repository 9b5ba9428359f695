"""Execution of a template's tree, as text/template does it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from krm_values._data.go_numbers import shown
from krm_values._data.shown import type_of
from krm_values._go.strconv import quote, quote_rune
from krm_values._go.template_parser import Action, Branch, Dot, Field, Literal, LiteralText, Name, TemplateError, refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.values import JSON
    from krm_values._go.template_parser import Node, Operand, Pipeline


MOST = 4_000_000
"""Characters that a template may hand to functions and print, all together."""
_NONE = object()


def text_of(nodes: Sequence[Node], dot: JSON, *, alias: bool = False) -> str:
    """Return the template's output. alias: `.value` is the dot where that is a string. TemplateError where Go stops, and beyond MOST."""
    pieces: list[str] = []
    _Evaluator(pieces, alias=alias).walk(nodes, dot)
    return "".join(pieces)


class _Evaluator:
    __slots__ = ("_alias", "_handled", "_pieces")

    def __init__(self, pieces: list[str], *, alias: bool) -> None:
        self._pieces, self._alias, self._handled = pieces, alias, 0

    def walk(self, nodes: Sequence[Node], dot: JSON) -> None:
        for node in nodes:
            if isinstance(node, LiteralText):
                self._pieces.append(node.text)
            elif isinstance(node, Action):
                printed = _printed(self._value(node.pipeline, dot))
                self._handle(printed)
                self._pieces.append(printed)
            else:
                self._branch(node, dot)

    def _branch(self, node: Branch, dot: JSON) -> None:
        value = self._value(node.pipeline, dot)
        if is_true(value):
            self.walk(node.then, value if node.word == "with" else dot)
        else:
            self.walk(node.otherwise, dot)

    def _value(self, pipeline: Pipeline, dot: JSON) -> JSON:
        value: object = _NONE
        for command in pipeline.commands:
            value = self._command(command, dot, value)
        return value  # type: ignore[return-value]

    def _command(self, command: tuple[Operand, ...], dot: JSON, final: object) -> JSON:
        first, *rest = command
        if isinstance(first, Name):
            return self._call(first.name, rest, dot, () if final is _NONE else (final,))  # type: ignore[arg-type]
        if isinstance(first, Field) and (rest or final is not _NONE):
            self._operand(first, dot)
        if rest or final is not _NONE:
            raise TemplateError("execute", "only a function takes arguments")
        return self._operand(first, dot)

    def _operand(self, operand: Operand, dot: JSON) -> JSON:
        match operand:
            case Literal(value):
                return value
            case Dot():
                return dot
            case Field(names):
                return self._field(names, dot)
            case Name(name):
                return self._call(name, [], dot, ())
        return self._value(operand, dot)

    def _field(self, names: tuple[str, ...], dot: JSON) -> JSON:
        if self._alias and names == ("value",) and isinstance(dot, str):
            return dot
        if isinstance(dot, dict | None):
            raise TemplateError("execute", "fields of a map are not supported", construct="field")
        kind = (
            "string"
            if isinstance(dot, str)
            else "list"
            if isinstance(dot, list)
            else "boolean"
            if isinstance(dot, bool)
            else "number"
        )
        raise TemplateError("execute", f'a {kind} has no field "{names[0]}"; the value itself is `.`')

    def _call(self, name: str, operands: Sequence[Operand], dot: JSON, final: tuple[JSON, ...]) -> JSON:
        if name in ("and", "or"):
            return self._logic(name, operands, dot, final)
        arguments = (*(self._operand(operand, dot) for operand in operands), *final)
        for argument in arguments:
            self._handle(argument)
        return call(name, arguments)

    def _handle(self, value: JSON) -> None:
        self._handled += len(value) if isinstance(value, str) else 0
        if self._handled > MOST:
            raise TemplateError("execute", f"it handles more than {MOST:,} characters")

    def _logic(self, name: str, operands: Sequence[Operand], dot: JSON, final: tuple[JSON, ...]) -> JSON:
        if not operands and not final:
            raise TemplateError("execute", f"{name} needs at least one argument")
        value: JSON = None
        for operand in operands:
            value = self._operand(operand, dot)
            if is_true(value) == (name == "or"):
                return value
        return final[0] if final else value


def is_true(value: JSON) -> bool:
    """Return whether `if`, `with`, `not`, `and` and `or` take a value as true: strings, lists and maps that are not empty, numbers other than 0."""
    return bool(value)


def _printed(value: JSON) -> str:
    match value:
        case str():
            return value
        case None:
            return "<no value>"
        case bool():
            return "true" if value else "false"
        case dict() | list():
            raise unprintable(value)
    return number_shown(value)


# The functions that a template can call, and numbers as `{{ . }}` prints them.

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
"""Whole numbers beyond these are floats."""


def call(name: str, arguments: Sequence[JSON]) -> JSON:
    """Call a function; TemplateError for arguments that it does not accept."""
    match name:
        case "eq":
            return _equal(arguments)
        case "ne":
            _count(name, arguments, 2)
            return not _equal(arguments)
        case "not":
            _count(name, arguments, 1)
            return not arguments[0]
        case "len":
            _count(name, arguments, 1)
            return _length(arguments[0])
        case "base64":
            _count(name, arguments, 1)
            return base64.b64encode(_text(name, arguments[0]).encode("utf-8", "surrogatepass")).decode("ascii")
    return _quoted(arguments)


def unprintable(value: JSON) -> TemplateError:
    """Return the error for a map or list that would be printed."""
    return TemplateError("execute", f"a {_kind(value)} cannot be printed: what Go prints is not JSON", construct=_kind(value))


def number_shown(value: float) -> str:
    """Return a number as `fmt.Sprint` prints it."""
    return str(int(value)) if _kind(value) == "whole number" else shown(float(value))


def _equal(arguments: Sequence[JSON]) -> bool:
    """Return whether the first argument equals one of the others."""
    if len(arguments) < 2:
        raise TemplateError("execute", "eq and ne compare at least two values")
    first, *others = arguments
    for other in others:
        if _kind(first) != _kind(other):
            if first is not None and other is not None:
                raise TemplateError("execute", f"{_kind(first)} and {_kind(other)} cannot be compared")
        elif isinstance(first, (dict, list)):
            raise TemplateError("execute", f"a {_kind(first)} cannot be compared")
        elif first == other:
            return True
    return False


def _quoted(arguments: Sequence[JSON]) -> str:
    """Return `printf "%q"`; the parser accepts no other format."""
    if len(arguments) != 2:
        raise refused('printf "%q" of anything but one value is', "execute")
    match arguments[1]:
        case str(text):
            return quote(text)
        case None:
            return "%!q(<nil>)"
        case bool(flag):
            return f"%!q(bool={'true' if flag else 'false'})"
        case int(number) if LEAST <= number <= GREATEST:
            return quote_rune(number)
        case int(number) | float(number):
            return f"%!q(float64={number_shown(number)})"
    raise unprintable(arguments[1])


def _length(value: JSON) -> int:
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, (dict, list)):
        return len(value)
    raise TemplateError("execute", f"len takes a string, found {type_of(value)}")


def _text(name: str, value: JSON) -> str:
    if not isinstance(value, str):
        raise TemplateError("execute", f"{name} takes a string, found {type_of(value)}")
    return value


def _count(name: str, arguments: Sequence[JSON], count: int) -> None:
    if len(arguments) != count:
        raise TemplateError("execute", f"{name} takes {count} argument{'s' * (count > 1)}, found {len(arguments)}")


def _kind(value: JSON) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() if LEAST <= value <= GREATEST:
            return "whole number"
        case int() | float():
            return "number"
        case dict():
            return "map"
    return "list"
