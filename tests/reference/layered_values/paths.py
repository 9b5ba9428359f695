"""Paths of values and fields [60]: keys with dots, `[0]`, `[name=web]`, `[*]`, `*`, `["a.b/c"]`, `a\\.b`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

Json = Any
STEP = re.compile(
    r'\["(?P<quoted>[^"]*)"\]|\[(?P<index>\d+)\]|\[(?P<all>\*)\]|\[(?P<by>[^=\]]+)=(?P<text>[^\]]*)\]|(?P<key>(?:\\.|[^.\[\\])+)'
)


@dataclass(frozen=True)
class By:
    """Elements of a list whose `key` is `text`."""

    key: str
    text: str


@dataclass(frozen=True)
class Every:
    """Every element, or every key."""

    elements: bool


Step = str | int | By | Every


def parse(path: str) -> tuple[Step, ...]:
    """The steps of a path; none for `.`."""
    steps: list[Step] = []
    at = 0
    while path != "." and at < len(path):
        found = STEP.match(path, at + (path[at] == "."))
        assert found, path
        steps.append(_step(found))
        at = found.end()
    return tuple(steps)


def _step(found: re.Match[str]) -> Step:
    if found["quoted"] is not None:
        return found["quoted"]
    if found["index"]:
        return int(found["index"])
    if found["all"]:
        return Every(elements=True)
    if found["by"]:
        return By(found["by"], found["text"])
    return Every(elements=False) if found["key"] == "*" else re.sub(r"\\(.)", r"\1", found["key"])


ABSENT = object()


def get(value: Json, steps: tuple[Step, ...]) -> Json:
    """What is at a path of keys and indices, or ABSENT."""
    for step in steps:
        if (isinstance(step, str) and isinstance(value, dict) and step in value) or (
            isinstance(step, int) and isinstance(value, list) and step < len(value)
        ):
            value = value[step]
        else:
            return ABSENT
    return value
