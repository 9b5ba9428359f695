"""Finds the items of a list by the parser's events: for any YAML, JSON included; slower than the scan, and always applicable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, RepeatedKeyError
from krm_values._data.limits import DEFAULT, too_deep
from krm_values._data.shown import described, type_of
from krm_values._krm.list_text import FIELDS, BlockList, EmptyList, FlowList, Frame
from krm_values._yaml import encoding
from krm_values._yaml.decode import key_text, scalar_value, to_data
from krm_values._yaml.encoding import ENDS_LINE, LINE_BREAK, Offsets
from krm_values._yaml.nodes import Nodes, UndefinedAliasError, leaf_end
from krm_values._yaml.parser import (
    ENDS,
    STARTS,
    DocumentStart,
    MappingEnd,
    MappingStart,
    SequenceEnd,
    SequenceStart,
    StreamEnd,
    YAMLError,
    events,
    input_error,
)

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.list_text import ItemTexts
    from krm_values._yaml.nodes import Node


PLAIN = "plain resources are read by krm-values run FUNCTION -, and from files by krm-values run FUNCTION FILE"
"""How to give resources that are no ResourceList."""
_PROPERTY = re.compile(rb"(?>(?:[ \t]|" + LINE_BREAK + rb"|#[^\r\n]*+)*)[&!][^ \t\r\n]*")
_SYNTAX = frozenset(":[{\n")
_DASH = re.compile(LINE_BREAK + rb"( *)-")


def cut(data: bytes, limits: Limits = DEFAULT) -> tuple[ItemTexts | None, Frame]:
    """Return the items (None if there is no such field) and what surrounds them. InputError, with its place, for any other document."""
    parsed = data
    try:
        return _Walk(data, parsed, limits).document()
    except UndefinedAliasError:
        pass  # another field has an alias of an anchor in the items, whose nodes are built then
    except YAMLError as error:
        parsed = (
            encoding.join_surrogates(data.decode()) or ""
        ).encode()  # the parser refuses an escaped surrogate pair, which JSON has
        if not parsed:
            raise input_error(error, data) from None
    try:
        return _Walk(data, parsed, limits, keep=True).document()
    except YAMLError as error:
        raise input_error(error, data) from None


class _Walk:
    """One pass over the events of a document. `parsed` is the text for the parser, with the same offsets as `data`.

    `keep`: build the items' nodes too, because another field has aliases of their anchors.
    """

    __slots__ = ("_byte", "_data", "_get", "_keep", "_limits", "_nodes")

    def __init__(self, data: bytes, parsed: bytes, limits: Limits, *, keep: bool = False) -> None:
        self._data, self._keep, self._limits = data, keep, limits
        self._get = events(parsed)
        self._nodes = Nodes(self._get, None, limits)
        self._byte = Offsets(data).byte

    def document(self) -> tuple[ItemTexts | None, Frame]:
        """Return the one document."""
        get = self._get
        get()
        if type(get()) is not DocumentStart:
            raise InputError("must be a ResourceList, found nothing", 1, 1)
        root = get()
        if type(root) is not MappingStart:
            found = "array" if type(root) is SequenceStart else "string"
            raise InputError(f"must be a ResourceList, found {found}", *_place(root))
        items, made = self._map(root)
        end, extra = get(), get()
        if type(extra) is not StreamEnd:
            raise InputError(f"must be one ResourceList, found another document; {PLAIN}", *_place(extra))
        made.end = self._line(end) if end.explicit else len(self._data)
        if isinstance(items, BlockList) and not items.end:
            items.end = made.end
        return items, made

    def _map(self, root: Any) -> tuple[ItemTexts | None, Frame]:
        items: ItemTexts | None = None
        made = Frame(self._data, 0, 0, flow=bool(root.flow_style), opened=self._byte(root.end_mark.index))
        while type(event := self._get()) is not MappingEnd:
            if isinstance(items, BlockList) and not items.end:
                items.end = self._line(event)
            if not made.fields:  # a later key may be one that is not written
                made.column = -1 if made.flow else event.start_mark.column
            begins = self._byte(event.start_mark.index)
            key = self._nodes.build(event)
            name, value = key_text(key), self._get()
            if name == "items" and name not in made.fields:
                made.anchors = dict(self._nodes.anchors)
                items = self._items(key, value, made.column)
                made.add(name, begins, _span(items), None)
            else:
                node = self._nodes.build(value, 1)
                made.add(name, begins, (self._byte(node.start), self._byte(node.end)), _field(name, node, self._limits))
        return items, made

    def _items(self, key: Node, value: Any, column: int) -> ItemTexts:
        if type(value) is SequenceStart:
            return self._flow_list(value, column) if value.flow_style else self._block_list(key, value)
        node = self._nodes.build(value, 1)
        if node.kind != "scalar" or scalar_value(node) is not None:
            raise InputError(f"`items` must be a list, found {_found(node)}", *_place(value))
        return EmptyList(self._data, self._byte(node.start), self._byte(node.end), column)

    def _flow_list(self, value: Any, column: int) -> ItemTexts:
        opened = self._byte(value.end_mark.index)
        spans = []
        while type(event := self._get()) is not SequenceEnd:
            begins = self._byte(event.start_mark.index)
            is_bare_pair = type(event) is MappingStart and not _end(event)
            spans.append((begins, self._byte(self._leaf_end(event, unwritten=is_bare_pair))))
        closing: Any = event.start_mark
        if not spans:
            return EmptyList(self._data, self._byte(value.start_mark.index), self._byte(closing.index) + 1, column)
        return FlowList(self._data, opened, spans, self._byte(closing.index))

    def _block_list(self, key: Node, value: Any) -> BlockList:
        after = self._byte(key.end)
        opened = self._data.index(b":", after) + 1
        while (value.anchor or value.tag) and (found := _PROPERTY.match(self._data, opened)):
            opened = found.end()
        dashes: list[int] = []
        leaves: list[int] = []
        column = 0
        while type(event := self._get()) is not SequenceEnd:
            begin, end = self._gap(leaves[-1] if leaves else after), self._byte(event.start_mark.index)
            found = _DASH.search(self._data, begin, end)
            while found and dashes and len(found[1]) != column:
                found = _DASH.search(self._data, found.end(), end)
            if not found:
                raise InputError("must be written as `items:` and its list from the next line on", *_place(value))
            column = len(found[1])
            dashes.append(found.end() - 1)
            leaves.append(self._byte(self._leaf_end(event)))
        return BlockList(self._data, dashes, column, opened=opened, end=0, leaves=leaves)

    def _gap(self, after: int) -> int:
        """Return where to search for the next dash: at the line break before `after` if a line begins there."""
        found = ENDS_LINE.search(self._data, max(after - 3, 0), after)
        return found.start() if found else after

    def _leaf_end(self, event: Any, *, unwritten: bool = False) -> int:
        """Skip to the end of the node that begins with `event`; return where its last leaf, or its bracket, ends.

        `unwritten`: an empty leaf counts too, for a pair without braces in a flow list (`[a: ]`).
        """
        if self._keep:
            node = self._nodes.build(event, 2)
            return node.end if unwritten else leaf_end(node)
        depth, end, deepest, get = 0, int(event.start_mark.index), self._limits.depth, self._get
        while True:
            if type(event) in STARTS:
                depth += 1
            else:
                depth -= type(event) in ENDS
                stop: int = event.end_mark.index
                if stop > event.start_mark.index or (unwritten and stop > end):
                    end = stop
            if not depth:
                return end
            if depth > deepest:
                raise InputError(too_deep(self._limits), *_place(event))
            event = get()

    def _line(self, event: Any) -> int:
        """Return the start of the line that has only spaces before the event."""
        column: int = event.start_mark.column
        return self._byte(event.start_mark.index) - column


def _span(items: ItemTexts) -> tuple[int, int]:
    """Return the extent of the value of `items`, as far as the other fields of a flow map need it."""
    if isinstance(items, FlowList):
        return items.opened - 1, items.closed + 1
    return (items.opened, items.end) if isinstance(items, BlockList) else (items.start, items.end)


def _end(event: Any) -> int:
    """Return where the text of a leaf or a closing bracket ends, 0 if it has none."""
    end: int = event.end_mark.index
    return end if end > event.start_mark.index else 0


def _place(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _field(name: str, node: Node, limits: Limits) -> JSON:
    """Return the value of a field beside the items. A field that no list has may be part of a wrongly indented item."""
    try:
        return to_data(node, limits=limits)
    except RepeatedKeyError as error:
        raise error if name in FIELDS else error.unnamed() from None


def _found(node: Node) -> str:
    """Describe the value in place of the items; of a string, which may be a list of Secrets, only its type."""
    if node.kind != "scalar":
        return {"alias": "an alias", "map": "object"}.get(node.kind, "array")
    value = scalar_value(node)
    return type_of(value) if isinstance(value, str) and _SYNTAX.intersection(value) else described(value)
