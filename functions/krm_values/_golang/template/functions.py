"""The functions that a template can call, and numbers as `{{ . }}` prints them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from krm_values._data.scalars.strconv import shown
from krm_values._data.shown import type_of
from krm_values._golang.strconv import quote, quote_rune
from krm_values._golang.template.error import TemplateError, refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.values import JSON


LEAST, MOST = -(1 << 63), (1 << 63) - 1
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
        elif isinstance(first, dict | list):
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
        case int(number) if LEAST <= number <= MOST:
            return quote_rune(number)
        case int(number) | float(number):
            return f"%!q(float64={number_shown(number)})"
    raise unprintable(arguments[1])


def _length(value: JSON) -> int:
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, dict | list):
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
        case int() if LEAST <= value <= MOST:
            return "whole number"
        case int() | float():
            return "number"
        case dict():
            return "map"
    return "list"
