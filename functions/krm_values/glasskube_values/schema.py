"""A JSON Schema of `spec.values` from a manifest's value definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._go import regexp
from krm_values._go.regexp import PatternError
from krm_values.glasskube_values.constraints import BOOLEANS, LEAST, MOST, limit

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values.glasskube_values.manifest import Definition, Manifest

END = "$(?!\\n)"
"""The end of the string, in ECMAScript and in Python's `re`."""
_WIDEST = 4  # bytes of a character in UTF-8
_ESCAPE = r"\\[\\^$.*+?()\[\]{}|/dw]"
_CLASS = rf"\[\^?(?:[A-Za-z0-9](?:-[A-Za-z0-9])?|[ _.,:;@%=!+*?/#]|{_ESCAPE})+-?\]"
_ATOM = rf"(?:[A-Za-z0-9 _/,:;@%=!<>#&~-]|{_ESCAPE}|{_CLASS}|\))"
_REPEAT = r"(?:[*+?]|\{(?:0|[1-9][0-9]*)(?:,(?:[1-9][0-9]*)?)?\})\??"
_COMMON = re.compile(rf"(?:{_ATOM}(?:{_REPEAT})?|[|^$]|\((?:\?:)?)*")
"""Patterns that mean the same in RE2 and ECMAScript. Others may as well: this is not decided."""
_NAMESPACE: JSON = {"type": "string", "description": "the Package's own if it is not given; a ClusterPackage must give it"}


def of_values(manifest: Manifest) -> dict[str, JSON]:
    """Return the schema (draft 2020-12) of `spec.values` of a Package of this manifest.

    If a part accepts more than the definition does, its `$comment` begins with "looser" and names it.
    """
    definitions = manifest.definitions.values()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"spec.values of {manifest.name}",
        "type": "object",
        "properties": {definition.name: _entry(definition) for definition in definitions},
        "required": [definition.name for definition in definitions if definition.required],
        "additionalProperties": False,
        "$comment": "stricter: what is a warning in a run (unknown fields, `value` for `key` in a reference) and null are refused",
        "$defs": {"valueFrom": _value_from()},
    }


def literal(definition: Definition) -> dict[str, JSON]:
    """Return the schema of a literal of this definition."""
    match definition.type:
        case "boolean":
            return {"type": "string", "enum": list(BOOLEANS)}
        case "options":
            return (
                {"type": "string", "enum": list(dict.fromkeys(definition.options))}
                if definition.options
                else _never("it has no options")
            )
        case "number":
            return _number(definition)
    return _text(definition)


def _entry(definition: Definition) -> JSON:
    about = {"title": definition.label, "description": definition.description}
    default: dict[str, JSON] = {"default": {"value": definition.default}} if definition.default else {}
    hints: dict[str, JSON] = {"x-hints": list(definition.hints)} if definition.hints else {}
    return {
        **{key: text for key, text in about.items() if text},
        **hints,
        "type": "object",
        "properties": {"value": literal(definition), "valueFrom": {"$ref": "#/$defs/valueFrom"}},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
        **default,
    }


def _number(definition: Definition) -> dict[str, JSON]:
    least, most = limit(definition.constraints, "min"), limit(definition.constraints, "max")
    form = range_pattern(least, most)
    if form is None:
        return _never("no number is within min and max")
    open_ends = [name for name, bound, end in (("min", least, LEAST), ("max", most, MOST)) if bound in (None, end)]
    comments = ["numbers beyond 64 bits are refused"] if open_ends else []
    return _with_pattern(definition, {"type": "string", "pattern": form}, comments)


def _text(definition: Definition) -> dict[str, JSON]:
    """Return the schema of a text. Lengths are counted in bytes of UTF-8, one to four per character; for ASCII both are the same."""
    least, most = limit(definition.constraints, "minLength"), limit(definition.constraints, "maxLength")
    if most is not None and most < 0:
        return _never("maxLength is negative")
    made: dict[str, JSON] = {"type": "string"}
    comments = []
    if most is not None:
        made["maxLength"] = most
    if least is not None and least > 0:
        made["minLength"] = -(-least // _WIDEST)
        if least > 1:
            made |= {"if": {"pattern": f"^[\\x00-\\x7f]*{END}"}, "then": {"minLength": least}}
    if most is not None or (least or 0) > 1:
        comments.append("lengths are counted in bytes of UTF-8, here in characters where they are not ASCII")
    return _with_pattern(definition, made, comments)


def _with_pattern(definition: Definition, made: dict[str, JSON], comments: list[str]) -> dict[str, JSON]:
    """Add the definition's pattern, and a comment on what the schema cannot express."""
    pattern = definition.constraints.get("pattern")
    if isinstance(pattern, str):
        try:
            regexp.check(pattern)
        except PatternError:
            return _never("its pattern cannot be used")
        if not _COMMON.fullmatch(pattern):
            comments.append(f"the pattern {pattern} is not common to RE2 and ECMAScript")
        elif "pattern" in made:
            made["allOf"] = [{"pattern": pattern}]
        else:
            made["pattern"] = pattern
    return {**made, "$comment": f"looser: {'; '.join(comments)}"} if comments else made


def _never(reason: str) -> dict[str, JSON]:
    return {"not": {}, "$comment": f"no literal fits: {reason}"}


def _value_from() -> JSON:
    references = {
        "configMapRef": _reference(("name", "key"), namespace=True),
        "secretRef": _reference(("name", "key"), namespace=True),
        "packageRef": _reference(("name", "value"), namespace=False),
    }
    return {
        "type": "object",
        "properties": references,
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
        "$comment": "looser: a run checks what the reference leads to, and that a ClusterPackage gives a namespace",
    }


def _reference(keys: tuple[str, ...], *, namespace: bool) -> JSON:
    properties: dict[str, JSON] = {key: {"type": "string", "minLength": 1} for key in keys}
    if namespace:
        properties["namespace"] = _NAMESPACE
    return {"type": "object", "properties": properties, "required": list(keys), "additionalProperties": False}


def range_pattern(least: int | None, most: int | None) -> str | None:
    r"""Return the pattern that matches exactly the numbers from `least` to `most`; None if there is no such number.

    From 7 to 42 it is `^(?:\+?0*(?:[7-9]|1[0-9]|[2-3][0-9]|4[0-2]))$(?!\n)`.
    """
    if least is not None and most is not None and least > most:
        return None
    forms = []
    if most is None or most >= 0:
        forms.append(f"\\+?0*{_grouped(_digits(max(0, least or 0), most))}")
    if least is None or least <= 0:
        forms.append(f"-0*{_grouped(_digits(0 if most is None else max(0, -most), None if least is None else -least))}")
    if forms == ["\\+?0*[0-9]+", "-0*[0-9]+"]:
        return f"^[+-]?[0-9]+{END}"
    return f"^{_grouped('|'.join(forms))}{END}"


def _digits(low: int, high: int | None) -> str:
    """Return a pattern for the digits, without leading zeros, of the numbers from `low` to `high`."""
    if high is None and low <= 1:
        return "[0-9]+" if low == 0 else "[1-9][0-9]*"
    if high is None:
        size = len(str(low))
        return f"{_span(str(low), '9' * size)}|[1-9][0-9]{{{size},}}"
    forms = []
    for size in range(len(str(low)), len(str(high)) + 1):
        least = max(low, 10 ** (size - 1) if size > 1 else 0)
        forms.append(_span(str(least), str(min(high, 10**size - 1))))
    return "|".join(forms)


def _span(low: str, high: str) -> str:
    """Return a pattern for the digits of one length, from `low` to `high`."""
    if low == high:
        return low
    rest = len(low) - 1
    if set(low[1:]) <= {"0"} and set(high[1:]) <= {"9"}:
        return _one(low[0], high[0]) + _any(rest)
    if low[0] == high[0]:
        return low[0] + _grouped(_span(low[1:], high[1:]))
    forms = [low[0] + _grouped(_span(low[1:], "9" * rest))]
    if int(high[0]) - int(low[0]) > 1:
        forms.append(_one(str(int(low[0]) + 1), str(int(high[0]) - 1)) + _any(rest))
    return "|".join((*forms, high[0] + _grouped(_span("0" * rest, high[1:]))))


def _one(low: str, high: str) -> str:
    return low if low == high else f"[{low}-{high}]"


def _any(count: int) -> str:
    return "" if count == 0 else "[0-9]" if count == 1 else f"[0-9]{{{count}}}"


def _grouped(form: str) -> str:
    return f"(?:{form})" if "|" in form else form
