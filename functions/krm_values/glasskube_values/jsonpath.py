"""JSONPath as kubectl reads it: `{ $.spec.containers[0].name }`; text outside of braces is its own result."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from krm_values._kit.data import JSON
    from krm_values._kit.pointer import Path

    Found: TypeAlias = tuple[Path, JSON]
    Step: TypeAlias = tuple[str, str]

_STEP = re.compile(
    r"""(?P<blank>[ ]+|[$@])
      | \.\.(?P<deep>(?:\\.|[^\s.,\[\]{}$@\\])+)
      | \.(?P<field>(?:\\.|[^\s.,\[\]{}$@\\])+)
      | \[\s*(?P<index>-?[0-9]+)\s*\]
      | \[\s*(?P<slice>-?[0-9]*\s*:\s*-?[0-9]*(?:\s*:\s*-?[0-9]*)?)\s*\]
      | \[\s*(?P<star>\*)\s*\]
      | \[\s*'(?P<single>(?:\\.|[^'\\])*)'\s*\]
      | \[\s*"(?P<double>(?:\\.|[^"\\])*)"\s*\]
      | '(?P<text>(?:\\.|[^'\\])*)'
      | "(?P<quoted>(?:\\.|[^"\\])*)"
      | (?P<filter>\[\s*\?)""",
    re.VERBOSE,
)


class JsonPathError(Exception):
    """A path that cannot be read, or that leads nowhere."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def find(data: JSON, text: str) -> list[Found]:
    """Every value that the path finds, with its place; () is the place of a text. JsonPathError if it cannot be read."""
    found: list[Found] = []
    for is_path, part in _parts(text):
        if is_path:
            found += _follow(data, list(_steps(part)))
        elif part:
            found.append(((), part))
    return found


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """The text cut into what is in braces and what is not."""
    while text:
        before, brace, rest = text.partition("{")
        yield False, before
        if not brace:
            return
        end = _closing(rest)
        if end < 0:
            raise JsonPathError("a brace is not closed")
        yield True, rest[:end]
        text = rest[end + 1 :]


def _closing(text: str) -> int:
    quote, is_escaped = "", False
    for place, letter in enumerate(text):
        if is_escaped or letter == "\\":
            is_escaped = not is_escaped
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "}":
            return place
    return -1


def _steps(text: str) -> Iterator[Step]:
    place = 0
    while place < len(text):
        match = _STEP.match(text, place)
        if match is None:
            raise JsonPathError(f"`{text[place:]}` is not understood")
        kind = str(match.lastgroup)
        if kind == "filter":
            raise JsonPathError("filters are not supported")
        if kind != "blank":
            yield kind, str(match[kind])
        place = match.end()


def _follow(data: JSON, steps: list[Step]) -> list[Found]:
    found: list[Found] = [((), data)]
    for kind, text in steps:
        found = [entry for path, value in found for entry in _step(path, value, kind, text)]
    return found


def _step(path: Path, value: JSON, kind: str, text: str) -> Iterable[Found]:
    match kind:
        case "text" | "quoted":
            return [((), _plain(text))]
        case "index":
            return _elements(path, value, int(text), int(text) + 1 or None, 1)
        case "slice":
            first, last, step = (int(part) if part.strip() else None for part in (*text.split(":"), "", "")[:3])
            return _elements(path, value, first, last, step or 1)
        case "deep":
            return [entry for at, inner in _below(path, value) for entry in _field(at, inner, _plain(text))]
        case "star":
            return _children(path, value)
    name = _plain(text)
    return _children(path, value) if name == "*" and kind == "field" else _field(path, value, name)


def _field(path: Path, value: JSON, name: str) -> list[Found]:
    return [((*path, name), value[name])] if isinstance(value, dict) and name in value else []


def _elements(path: Path, value: JSON, first: int | None, last: int | None, step: int) -> list[Found]:
    if not isinstance(value, list):
        return []
    return [((*path, index), value[index]) for index in range(len(value))[slice(first, last, step)]]


def _children(path: Path, value: JSON) -> list[Found]:
    if isinstance(value, dict):
        return [((*path, key), entry) for key, entry in value.items()]
    return [((*path, index), entry) for index, entry in enumerate(value)] if isinstance(value, list) else []


def _below(path: Path, value: JSON) -> Iterator[Found]:
    yield path, value
    for at, entry in _children(path, value):
        yield from _below(at, entry)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
