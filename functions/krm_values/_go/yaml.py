"""YAML as programs that use sigs.k8s.io/yaml 1.6.0 read it: YAML to JSON to maps.

Where Go's result depends on the order of a Go map (two keys with the same text) this reader refuses the text, and beyond 200 levels.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.go_numbers import key_text
from krm_values._data.limits import DEFAULT
from krm_values._data.record import replace
from krm_values._data.shown import type_of
from krm_values._go import yaml_parser
from krm_values._go.yaml_decode import Lint, decode, key_of, sources_of
from krm_values._go.yaml_parser import first_document
from krm_values._yaml.decode import is_merge, parse
from krm_values._yaml.encoding import LineStarts, by_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.nodes import Node

    class Places(Protocol):
        """The places of the values of a text."""

        def of(self, path: Path) -> tuple[int, int] | None: ...


__all__ = ["GoText", "Lint", "documents", "read", "split"]

_BREAKS = "\n\r\x85\u2028\u2029"
_BORDER = rf"(?:(?<=[{_BREAKS}])|\A\ufeff?)(?:---|\.\.\.)(?=[ \t{_BREAKS}]|\Z)"
"""Compiled where a text may have one, which few have."""
_NOTHING = re.compile(r"\ufeff?(?:(?:[ \t]*(?:#[^\n]*)?|%[^\n]*)\n)*")


class GoText:
    """A text that was read: its `data` and its `lints` in the order of the text. begin: line and column, from 0, where it begins in a longer one."""

    __slots__ = ("_lines", "_places", "_text", "begin", "data", "lints")

    def __init__(self, data: JSON, lints: tuple[Lint, ...], places: Places, text: str = "") -> None:
        self.data, self.lints, self._places, self._text, self.begin = data, lints, places, text, (0, 0)
        self._lines: Lines | None = places if isinstance(places, Lines) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GoText) and (self._text, self.data, self.lints) == (other._text, other.data, other.lints)

    def __hash__(self) -> int:
        return hash(self._text)

    def line(self, path: Path) -> int | None:
        """Return the line, from 1, of the key or list element at `path`; None if there is none."""
        found = self.place(path)
        return found[0] if found else None

    def place(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 1, of the key or list element at `path`; None if there is none."""
        found = self._places.of(path)
        return _below(self.begin, found[0] + 1, found[1] + 1) if found else None

    def written(self, path: Path) -> str:
        """Return a scalar of the data as the text has it, without quotes and tag; "" where there is none."""
        if self._lines is None:
            self._lines = Lines(self._text, first_document(self._text).root)
        node = self._lines.node(path)
        return node.value if node is not None and node.kind == "scalar" else ""

    def mapping(self) -> dict[str, JSON]:
        """Return the data as a map, empty for null. InputError for anything else."""
        if self.data is None:
            return {}
        if isinstance(self.data, dict):
            return self.data
        raise InputError(f"must be a map, found {type_of(self.data)}", *(self.place(()) or (1, 1)))


def read(text: str, *, floats: bool = True, secret: bool = False, json: bool = False, limits: Limits = DEFAULT) -> GoText:
    """Read a text as Go does; InputError (line and column from 1) where Go refuses it.

    floats: whether numbers are 64-bit floats, as `Unmarshal` into a map has them; else whole numbers keep their digits, as `YAMLToJSON` has
    them. A float without fraction below 1e21 is an int in the data, so that equal numbers are equal. secret: neither errors nor lints quote
    the text, except the keys in a lint's path. json: whether a text that is JSON may have the escapes that JSON alone has: surrogate pairs, a slash.
    """
    try:
        found = _quick(text, floats=floats, limits=limits) or _whole(text, floats=floats, limits=limits)
    except InputError as error:
        as_json = _json(text, limits) if json else None
        if as_json is None:
            if secret:
                error = InputError("is not YAML that Go reads", error.line, error.column)
            raise by_lines(text, error) from None
        found = as_json
    if isinstance(found.data, dict) and isinstance(found.data.get("sops"), dict):
        found.lints += (Lint("sops", ("sops",), *(found.place(("sops",)) or (1, 1)), "sops"),)
    if secret:
        found.lints = tuple(replace(lint, text="") for lint in found.lints)
    return found


def documents(text: str, *, secret: bool = False, json: bool = False, limits: Limits = DEFAULT) -> Iterator[GoText]:
    """Read each document of a text as `read` does, up to the next border: `---` or `...` at the beginning of a line. Places are those in the text."""
    line = 0
    starts = _starts(text)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        begin = line, start - (text.rfind("\n", 0, start) + 1)
        line += text.count("\n", start, end)
        try:
            document = read(text[start:end], secret=secret, json=json, limits=limits)
        except InputError as error:
            if not error.line:
                raise
            raise InputError(error.message, *_below(begin, error.line, error.column), error.file) from None
        document.begin = begin
        document.lints = tuple(_moved(lint, begin) for lint in document.lints)
        yield document


def split(text: str) -> list[str]:
    """Return the texts of the documents of a text, which together are the text."""
    starts = _starts(text)
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _starts(text: str) -> list[int]:
    """Return the offsets of the documents of a text; a directive belongs to the document behind it."""
    starts = [0]
    if "---" not in text and "..." not in text:  # nearly always, and a pattern that looks for breaks is slow
        return starts
    for border in re.finditer(_BORDER, text):
        start, at = starts[-1], border.start()
        if border[0].endswith("..."):
            at = text.find("\n", at) + 1 or len(text)
        elif _NOTHING.fullmatch(text, start, at):
            continue
        else:
            while (line := text.rfind("\n", start, at - 1) + 1 or start) < at and text[line] == "%":
                at = line
        starts.append(at)
    return starts


def _moved(lint: Lint, begin: tuple[int, int]) -> Lint:
    line, column = _below(begin, lint.line, lint.column)
    return replace(lint, line=line, column=column)


def _below(begin: tuple[int, int], line: int, column: int) -> tuple[int, int]:
    """Return line and column, from 1, in a text, of those in a part of it that begins there."""
    return begin[0] + line, column + begin[1] if line == 1 and column else column


def _quick(text: str, *, floats: bool, limits: Limits) -> GoText | None:
    """Read an ordinary text, which has no lints."""
    read = yaml_parser.read(text, floats=floats, limits=limits)
    return GoText(read[0], (), read[1], text) if read else None


def _whole(text: str, *, floats: bool, limits: Limits) -> GoText:
    document = first_document(text, limits)
    data, lints = decode(document.root, floats=floats, limits=limits) if document.root else (None, [])
    if document.further:
        lints.append(Lint("document", (), document.further, 1, ""))
    return GoText(data, tuple(lints), Lines(text, document.root), text)


def _json(text: str, limits: Limits) -> GoText | None:
    """Read a map or list in JSON as Go's encoding/json does; None for any other text."""
    from krm_values._go import encoding_json  # noqa: PLC0415 - rarely needed

    if not encoding_json.is_json(text):
        return None
    body = text.removeprefix("\ufeff")
    try:
        return GoText(encoding_json.decode(body), (), Lines(text, parse(body, None, limits)), text)
    except (encoding_json.JsonError, InputError):
        return None


# The line of the value at a path as Go reads the text: through merge keys, aliases and repeated keys.

_Entries = dict[str, tuple["Node", "Node"]]


class Lines:
    """The nodes of a text, and the maps indexed so far."""

    __slots__ = ("_lines", "_maps", "_root", "_text")

    def __init__(self, text: str, root: Node | None) -> None:
        self._text, self._root, self._maps = text, root, dict[int, _Entries]()
        self._lines: LineStarts | None = None

    def of(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 0, of the key or list element at `path`; None if there is none."""
        found = self._found(path)
        return self.place(found[0]) if found else None

    def node(self, path: Path) -> Node | None:
        """Return the value at `path`, of an alias its target; None if there is none."""
        found = self._found(path)
        node = found[1] if found else None
        return node.target if node is not None and node.kind == "alias" else node

    def _found(self, path: Path) -> tuple[Node, Node] | None:
        """Return the key or list element at a path, and its value."""
        if self._root is None:
            return None
        node = place = self._root
        for part in path:
            found = node.target if node.kind == "alias" else node
            if found is None or not self._steps(found, part):
                return None
            if isinstance(part, int):
                node = place = found.items[part]
            else:
                place, node = self._entries(found)[part]
        return place, node

    def place(self, node: Node) -> tuple[int, int]:
        """Return line and column, from 0, of a node, counting the byte order mark that the text may begin with."""
        if self._lines is None:
            self._lines = LineStarts(self._text)
        return self._lines.place(node.start + self._text.startswith("\ufeff"))

    def _steps(self, node: Node, part: str | int) -> bool:
        if isinstance(part, int):
            return node.kind == "list" and 0 <= part < len(node.items)
        return node.kind == "map" and part in self._entries(node)

    def _entries(self, node: Node) -> _Entries:
        if id(node) not in self._maps:
            self._maps[id(node)] = places = {}
            for key, item in zip(node.keys, node.items, strict=True):
                if is_merge(key):
                    for source in sources_of(item):
                        places.update(self._entries(source.target if source.kind == "alias" else source))
                else:
                    places[key_text(key_of(key)) or ""] = (key, item)
        return self._maps[id(node)]
