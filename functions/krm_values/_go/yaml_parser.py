"""YAML text to nodes as go-yaml v2.4.2 parses it: libyaml's events, adapted or refused where Go's older scanner differs.

Go refuses `%YAML 1.2` and an escaped slash, and accepts an escaped apostrophe; in flow style it ends a plain scalar at `?` and reads
`{a:}` as the key `a:`; its tags extend over commas and brackets; an empty `{}` as a key at the beginning is all it reads. A text with
two byte order marks is refused, since Go skips characters after them.
"""

from __future__ import annotations

import math
import re
from itertools import count
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.go_numbers import is_date, resolve
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record
from krm_values._go.yaml_decode import ORDINARY, SUSPECT, kind_of, number
from krm_values._yaml import fast
from krm_values._yaml.encoding import LineStarts
from krm_values._yaml.fast import UnusualError
from krm_values._yaml.nodes import Node, Nodes, walk
from krm_values._yaml.parser import Scalar, StreamEnd, YAMLError, events, input_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.go_numbers import GoScalar
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.parser import Next

    Place = tuple[int, int]


_COLON, _ESCAPE = "found unexpected ':'", "found unknown escape character"
_TAG_ENDS = ("did not find expected whitespace or line break", "did not find expected tag URI")
_SLASH = re.compile(r"(?s)(?:[^\\]|\\[^/])*?\\/")
_LONG_TAG = re.compile(r"(?:&\S+\s+)?![^\s,\[\]{}<]*([,\[\]])")
_HOLLOW = re.compile(r"(?>(?:\s++|#[^\n]*+\n|---\s)*)(?:\[\s*+\]|\{\s*+\})[ \t]*+(?=[^\s#])")
_TAIL = re.compile(r'[ \t]*(?:[!&]\S*[ \t]+)*"(?:[^\\"]|\\[^/])*\\/')
_MISPLACED = re.compile(r"[?-](?:\s|$)")
_BOM = "\ufeff"
_AT_LEAST, _WORK = 3, 5_000_000  # readings of a text, and characters of all of them
_PRIVATE = range(0xE000, 0xF900)


@record
class YamlDocument:
    """The first document of a text: its root (None if there is none), and the line, from 1, of a further one with content (0: none)."""

    root: Node | None
    further: int = 0


def first_document(text: str, limits: Limits = DEFAULT) -> YamlDocument:
    """Parse the first document as Go does; InputError where Go refuses it. What follows the document is not looked at."""
    text = text.removeprefix(_BOM)
    if text.startswith(_BOM):
        raise InputError("must begin with one byte order mark, found two", 1, 1)
    spares = _spares(text)
    tried = text.replace(_BOM, spares[0])
    for reading in count(1):
        if reading > _AT_LEAST and reading * len(text) > _WORK:
            raise InputError("must not be written differently for Go's YAML reader at so many places: quote the scalars", 1, 1)
        try:
            found, tag_end = _document(tried, limits)
        except YAMLError as error:
            adapted = _adapted(tried, error, spares)
            if adapted is None:
                raise input_error(error, text) from None
            tried = adapted
            continue
        if tag_end < 0:
            break
        tried = _with(tried, tag_end, ";")
    if tried != text and found.root:
        _restore(found.root, spares)
    return found


def is_plainly_one(text: str) -> bool:
    """Return whether Go's scanner and libyaml's certainly agree about a text."""
    is_special = _BOM in text or "\\/" in text or ("?" in text and ("{" in text or "[" in text))
    return not is_special and not _HOLLOW.match(text)


def _adapted(text: str, error: object, spares: list[str]) -> str | None:
    """Return the text with a replacement for the character at which libyaml stops and Go does not; None if both stop."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", "")
    if mark is None:
        return None
    there = text[mark.index : mark.index + 1]
    if problem == _COLON and there == ":":
        return _with(text, mark.index, spares[1])
    if problem in _TAG_ENDS and there and there in ",[]":
        return _with(text, mark.index, ";")
    at = mark.index - (there == "'")  # PyYAML's own scanner is one further on
    if problem.startswith(_ESCAPE) and text[at : at + 2] == "\\'":
        return _with(text, at, spares[2])
    return None


def _restore(root: Node, spares: list[str]) -> None:
    mark_of_order, colon, backslash = spares
    for node in walk(root):
        if node.kind == "scalar":
            node.value = node.value.replace(mark_of_order, _BOM).replace(colon, ":").replace(backslash, "")


def _document(text: str, limits: Limits) -> tuple[YamlDocument, int]:
    """Return the first document, and the offset at which a tag ends for libyaml but not for Go (-1: none)."""
    if hollow := _HOLLOW.match(text):
        return YamlDocument(_hollow(text[: hollow.end()], text[hollow.end() :], limits)), -1
    get = events(text)
    get()
    event = get()
    if type(event) is StreamEnd:
        return YamlDocument(None), -1
    if event.version not in (None, (1, 1)):
        raise InputError("must be YAML 1.1 to Go, found another `%YAML` directive", event.start_mark.line + 1, 1)
    root = Nodes(get, None, limits).build(get())
    get()
    if "\\/" in text and _TAIL.match(text, root.end):
        raise InputError("must write `/` without a backslash", *_end(text[: root.end]))
    for node in _differing(root, text) if "!" in text or "?" in text or "\\/" in text else ():
        if node.tag and (overlong := _LONG_TAG.match(text, node.start)):
            return YamlDocument(root), overlong.start(1)
    return YamlDocument(root, _further(get)), -1


def _hollow(text: str, rest: str, limits: Limits) -> Node | None:
    """Parse an empty `{}` or `[]` that is not a whole line: Go takes it as the whole document and scans one token more."""
    get = events(" " + rest)
    get(), get()
    if _MISPLACED.match(rest):
        raise InputError("must not begin another list or key behind a whole document", *_end(text))
    return _document(text, limits)[0].root


def _end(text: str) -> tuple[int, int]:
    """Return line and column of a text's end."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def _differing(root: Node, text: str, *, flow: bool = False) -> Iterator[Node]:
    """Yield the nodes in flow style; InputError for what Go's scanner refuses in any style."""
    flow = flow or (root.kind in ("map", "list") and root.flow)
    for node in (*getattr(root, "keys", ()), *getattr(root, "items", ())):
        if node.kind == "scalar" and flow and not node.style and "?" in node.value[1:]:
            raise InputError("must quote a string with `?` inside `[]` or `{}`", node.line + 1, node.column + 1)
        if node.kind != "alias":
            if flow:
                yield node
            yield from _differing(node, text, flow=flow)
    if root.kind == "scalar" and root.style == '"' and _SLASH.match(text, root.start, root.end):
        raise InputError("must write `/` without a backslash", root.line + 1, root.column + 1)


def _further(get: Next) -> int:
    """Return the line of the next document that is not empty, 0 if there is none."""
    try:
        while type(event := get()) is not StreamEnd:
            event = get()
            line: int = event.start_mark.line
            if type(event) is not Scalar or event.value or event.style:
                return line + 1
            get()
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return mark.line + 1 if mark else 1
    return 0


def _spares(text: str) -> list[str]:
    """Return three characters that the text does not contain."""
    if text.isascii():
        return ["\ue000", "\ue001", "\ue002"]
    return [character for code in _PRIVATE if (character := chr(code)) not in text][:3]


def _with(text: str, at: int, character: str) -> str:
    return text[:at] + character + text[at + 1 :]


# Ordinary YAML as Go reads it, in one pass; nearly every document is ordinary.
#
# Not ordinary are merge keys, keys that are not strings, whatever Go refuses, and whatever has a lint.

_FEW = 3


class Starts:
    """The places of the values of an ordinary text. The first few are looked for, then it is parsed again for all."""

    __slots__ = ("_asked", "_data", "_is_of_lines", "_places", "_text")

    def __init__(self, text: str, data: JSON) -> None:
        self._text, self._data, self._asked = text, data, 0
        self._is_of_lines: bool | None = None
        self._places: dict[Path, Place] | None = None

    def of(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 0, of the key or list element at `path`; None if there is none."""
        if self._places is None:
            self._asked += 1
            if path and self._asked <= _FEW and (found := self._start(path)) is not None:
                return self._text.count("\n", 0, found), found - self._text.rfind("\n", 0, found) - 1
            if not path:
                return LineStarts(self._text).place(next(fast.starts(self._text)))
            places = map(LineStarts(self._text).place, fast.starts(self._text))
            self._places = {(): next(places)}
            _put_places(self._data, places, (), self._places)
        return self._places.get(path)

    def _start(self, path: Path) -> int | None:
        if self._is_of_lines is None:
            self._is_of_lines = fast.is_of_lines(self._text)
        names = [part for part in path if isinstance(part, str)]
        is_there = len(names) == len(path) and get(self._data, path, ABSENT) is not ABSENT
        return fast.start_of(self._text, names) if is_there and self._is_of_lines else None


def read(text: str, *, floats: bool, limits: Limits = DEFAULT) -> tuple[JSON, Starts] | None:
    """Return the data of an ordinary text and its places; None for any other text."""
    if not is_plainly_one(text):
        return None
    try:
        data = fast.read(text, _FLOATS if floats else _NUMBERS, limits)
    except UnusualError:
        return None
    return data, Starts(text, data)


def _key(text: str) -> str:
    if text == "<<" or not isinstance(resolve(text), str) or is_date(text):
        raise UnusualError
    return text


def _float_value(text: str) -> GoScalar:
    return _value(text, floats=True)


def _value(text: str, *, floats: bool = False) -> GoScalar:
    value = resolve(text)
    if text in ORDINARY or text[0] not in SUSPECT:
        return value
    if kind_of(text, value, floats=floats) or (isinstance(value, float) and not math.isfinite(value)):
        raise UnusualError
    return number(value, floats=floats)


_NUMBERS, _FLOATS = fast.Scalars(_value, _key), fast.Scalars(_float_value, _key)


def _put_places(value: JSON, places: Iterator[Place], path: Path, found: dict[Path, Place]) -> None:
    """Put the place of each key and list element below a path, in the order of the text."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        at = (*path, key)
        found[at] = next(places)
        if type(item) is dict or isinstance(item, list):
            _put_places(item, places, at, found)
