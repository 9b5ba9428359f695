"""Execution of a template's tree, as text/template does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.template.error import TemplateError
from krm_values._golang.template.functions import call, number_shown, unprintable
from krm_values._golang.template.parser import Action, Branch, Dot, Field, Literal, Name, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.values import JSON
    from krm_values._golang.template.parser import Node, Operand, Pipeline

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
            if isinstance(node, Text):
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
