"""YAML text to nodes with their places, from the parser's events."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT, too_deep, too_long
from krm_values._yaml import encoding
from krm_values._yaml.parser import (
    Alias,
    DocumentStart,
    MappingEnd,
    MappingStart,
    Scalar,
    SequenceEnd,
    StreamEnd,
    YAMLError,
    events,
    input_error,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Literal, TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._yaml.parser import Next

    Outer: TypeAlias = Callable[[str], "Node | None"]

_OPEN = -1
_BOM = "\ufeff"


class UndefinedAliasError(InputError):
    """An alias whose anchor is not in the text."""


class Node:
    """A scalar, map, list or alias with its place: `start` and `end` are offsets into the text, `line` and `column` count from 0.

    The end of a block map or list is the end of its last leaf; of a block scalar it is libyaml's: after its trailing blank lines.
    Lines are libyaml's: CR, NEL, U+2028 and U+2029 end one as well.
    """

    __slots__ = ("anchor", "column", "end", "flow", "items", "keys", "kind", "line", "start", "style", "tag", "target", "value")

    kind: Literal["scalar", "map", "list", "alias"]
    start: int
    end: int
    line: int
    column: int
    anchor: str | None
    tag: str | None
    value: str  # of a scalar
    style: str  # of a scalar: "" plain, ' " | >
    flow: bool  # of a map or list
    keys: list[Node]  # of a map
    items: list[Node]  # of a map (its values) or list
    target: Node  # of an alias


def parse(text: str, outer: Outer | None = None, limits: Limits = DEFAULT) -> Node:
    """Parse a text that is one document. InputError, with line and column, if it is not exactly one well-formed document.

    outer: returns the node of an anchor that this text does not define.
    """
    if text.startswith(_BOM):
        return _shifted(parse(text[1:], outer, limits))
    try:
        return _document(text, outer, limits)
    except YAMLError as error:
        joined = encoding.join_surrogates(text)
        if joined is None:
            raise input_error(error, text) from None
    try:
        root = _document(joined, outer, limits)
    except YAMLError as error:
        raise input_error(error, text) from None
    _restore_ends(root, text)
    return root


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes below it in the order of the text; targets of aliases are not below them."""
    yield node
    if node.kind == "map":
        for key, item in zip(node.keys, node.items, strict=True):
            yield from walk(key)
            yield from walk(item)
    elif node.kind == "list":
        for item in node.items:
            yield from walk(item)


def leaf_end(root: Node) -> int:
    """Return the end of a node's last text. An empty value has none: the parser places it further on."""
    ends = (node.end for node in walk(root) if node.end > node.start and (node.kind in ("scalar", "alias") or node.flow))
    return max(ends, default=root.start)


def anchors_of(root: Node, before: int) -> dict[str, Node]:
    """Return the anchors of a text before an offset, by name; of equal names the last one."""
    return {node.anchor: node for node in walk(root) if node.anchor and node.kind != "alias" and node.start < before}


class Nodes:
    """Builds nodes from events. `anchors` are those met so far; `outer` is asked for others."""

    __slots__ = ("_get", "_limits", "_longest", "_outer", "anchors")

    def __init__(self, get: Next, outer: Outer | None = None, limits: Limits = DEFAULT) -> None:
        self._get, self._outer, self._limits, self._longest = get, outer, limits, limits.scalar_length
        self.anchors: dict[str, Node] = {}

    def build(self, event: Any, depth: int = 0) -> Node:
        """Build the node that begins with `event`; its other events are taken from the parser."""
        mark, kind, node = event.start_mark, type(event), Node()
        node.start, node.line, node.column = mark.index, mark.line, mark.column
        node.anchor = event.anchor
        if kind is Alias:
            node.end = event.end_mark.index
            return self._alias(node)
        node.tag = event.tag
        if node.anchor:
            self.anchors[node.anchor] = node
        if kind is Scalar:
            node.kind, node.value, node.style = "scalar", event.value, event.style or ""
            node.end = event.end_mark.index
            if len(node.value) > self._longest:
                raise InputError(too_long(self._limits, len(node.value)), mark.line + 1, mark.column + 1)
            return node
        if depth >= self._limits.depth:
            raise InputError(too_deep(self._limits), mark.line + 1, mark.column + 1)
        node.flow, node.items, node.end = bool(event.flow_style), [], _OPEN
        if kind is MappingStart:
            node.kind, node.keys = "map", []
            last, end = self._entries(node.keys, node.items, depth + 1)
        else:
            node.kind = "list"
            last, end = self._elements(node.items, depth + 1)
        node.end = last.end_mark.index if node.flow else end or event.end_mark.index
        return node

    def _entries(self, keys: list[Node], items: list[Node], depth: int) -> tuple[Any, int]:
        """Build the entries of a map. Return the event that ends it, and the end of its last leaf (0 if it has none)."""
        get, build, end = self._get, self.build, 0
        while type(event := get()) is not MappingEnd:
            key = build(event, depth)
            item = build(get(), depth)
            keys.append(key)
            items.append(item)
            end = max(key.end, item.end)
        return event, end

    def _elements(self, items: list[Node], depth: int) -> tuple[Any, int]:
        """Build the elements of a list; returns the same as `_entries`."""
        get, build, end = self._get, self.build, 0
        while type(event := get()) is not SequenceEnd:
            item = build(event, depth)
            items.append(item)
            end = max(end, item.end)
        return event, end

    def _alias(self, node: Node) -> Node:
        """Build an alias. No message shows its name, which may be a password that begins with `*`."""
        name = node.anchor or ""
        target = self.anchors.get(name) or (self._outer(name) if self._outer else None)
        if target is None:
            raise UndefinedAliasError("must define the alias's anchor before it", node.line + 1, node.column + 1)
        if target.end == _OPEN:
            raise InputError("must not use an alias inside its own anchor", node.line + 1, node.column + 1)
        node.kind, node.target, node.tag = "alias", target, None
        return node


def _shifted(root: Node) -> Node:
    """Shift nodes of a text without its byte order mark to their offsets with it."""
    for node in walk(root):
        node.start += 1
        node.end += 1
    return root


def _document(text: str, outer: Outer | None, limits: Limits) -> Node:
    get = events(text)
    get()
    if type(get()) is not DocumentStart:
        raise InputError("must hold a document, found nothing", 1, 1)
    root = Nodes(get, outer, limits).build(get())
    get()
    extra: Any = get()
    if type(extra) is not StreamEnd:
        mark = extra.start_mark
        raise InputError("must be one document, found another", mark.line + 1, mark.column + 1)
    return root


def _restore_ends(node: Node, text: str) -> None:
    """Set the ends of the scalars of a joined text to those in the original text."""
    string = re.compile(encoding.STRING)
    nodes = [node]
    while nodes:
        node = nodes.pop()
        if node.kind == "scalar":
            found = string.match(text, node.start)
            node.end = found.end() if found else node.end
            continue
        nodes += node.items + (node.keys if node.kind == "map" else [])
