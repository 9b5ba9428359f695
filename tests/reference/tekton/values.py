"""Values of params, and the references in them and in fields [17 to 21, 36]."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = Any

SIMPLE = r"[_a-zA-Z][_a-zA-Z0-9-]*"
DOTTED = r"[_a-zA-Z][_a-zA-Z0-9.-]*"
INDEX = r"\[(?:\*|[0-9]+)\]"
REFERENCE = re.compile(
    rf"\$\((?P<old>inputs\.)?params"
    rf"(?:\.(?P<name>{SIMPLE})(?:(?P<index>{INDEX})?|(?P<keys>(?:\.[_a-zA-Z0-9-]+)+))"
    rf"|\[\"(?P<double>{DOTTED})\"\](?P<index2>{INDEX})?|\['(?P<single>{DOTTED})'\](?P<index3>{INDEX})?)\)"
)
RESULT = re.compile(r"\$\(tasks\.(?P<task>[^.()\s]+)\.results\.(?P<result>[^.()\[\]\s]+)(?P<star>\[\*\])?\)")
ANY_RESULT = re.compile(r"\$\(tasks\.[^()\s]+\.results[.\[][^()\s]+\)")


def mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def maps(value: Json) -> list[dict[str, Json]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(value: Json) -> str:
    """[21] What a value that is no array and no object becomes."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list, bool)):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return str(getattr(value, "text", value))


def shape(value: Json) -> str:
    """[21] The type of a value by its JSON shape."""
    if isinstance(value, list) and all(member is None or isinstance(member, str) for member in value):
        return "array"
    if isinstance(value, dict) and all(member is None or isinstance(member, str) for member in value.values()):
        return "object"
    return "string"


@dataclass(frozen=True)
class Reference:
    name: str
    index: str = ""  # "", "*" or digits
    key: str = ""
    deep: bool = False  # more than two parts [43]
    alone: bool = False  # the string is nothing else
    place: str = "string"  # string, entry (of a list), value (of a param) or guard (an entry of a guard's values) [44]
    dotted: bool = True  # spelled with a dot, not with brackets
    old: bool = False  # `inputs.params`

    @property
    def whole(self) -> bool:
        return not self.key and not self.deep and self.index in ("", "*")


def references(value: Json, *, place: str = "string", task: bool = False) -> Iterator[Reference]:
    """[36] The references in one string; the old spelling counts in task scope only."""
    if not isinstance(value, str):
        return
    for match in REFERENCE.finditer(value):
        if match["old"] and not (task and match["name"] and not match["keys"]):
            continue
        keys = (match["keys"] or "").split(".")[1:]
        index = (match["index"] or match["index2"] or match["index3"] or "").strip("[]")
        name = match["name"] or match["double"] or match["single"]
        alone = match.group() == value
        yield Reference(
            name, index, keys[0] if keys else "", len(keys) > 1, alone, place, bool(match["name"]), bool(match["old"])
        )


def in_strings(value: Json, *, place: str = "string", task: bool = False) -> Iterator[Reference]:
    """Those of every string below a field."""
    if isinstance(value, dict):
        for member in value.values():
            yield from in_strings(member, place=place, task=task)
    elif isinstance(value, list):
        for member in value:
            yield from in_strings(member, place=place, task=task)
    else:
        yield from references(value, place=place, task=task)


def in_value(value: Json, *, task: bool = False) -> Iterator[Reference]:
    """Those of a param's value or default: an array has entries, an object strings, all else is one text."""
    kind = shape(value)
    if kind == "array":
        yield from in_strings(value, place="entry", task=task)
    elif kind == "object":
        yield from in_strings(value, task=task)
    else:
        yield from references(text(value), place="value", task=task)


def in_when(when: Json, *, task: bool = False) -> Iterator[Reference]:
    for guard in maps(when):
        for key, value in guard.items():
            yield from in_strings(value, place="guard" if key == "values" else "string", task=task)


def spelled(name: str, suffix: str = "") -> str:
    """[17, 20]"""
    return f'$(params["{name}"]{suffix})' if "." in name else f"$(params.{name}{suffix})"
