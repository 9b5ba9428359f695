"""The one YAML reader: libyaml's events to nodes that know their place in the text, and nodes to plain data.

PyYAML's constructor is never used: the meaning of a scalar is decided in `scalars`.
"""

from __future__ import annotations

import yaml as pyyaml

from krm_values._kit.errors import InputError
from krm_values._kit.scalars import read_plain

# without libyaml PyYAML's own scanner gives the same events, slower
_Parser = pyyaml.cyaml.CParser if pyyaml.__with_libyaml__ else pyyaml.SafeLoader  # type: ignore[attr-defined]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from krm_values._kit.plan import JSON
    from krm_values._kit.pointer import Path

_MappingStart, _MappingEnd = pyyaml.MappingStartEvent, pyyaml.MappingEndEvent
_SequenceStart, _SequenceEnd = pyyaml.SequenceStartEvent, pyyaml.SequenceEndEvent
_Scalar, _Alias = pyyaml.ScalarEvent, pyyaml.AliasEvent
_TAG = "tag:yaml.org,2002:"
_DEPTH = 200


class Node:
    """A scalar, map, list or alias and where it stands: `start` and `end` index the text, `line` and `column` count from 0.

    The end of a block map or list is the end of its last leaf; of a block scalar, libyaml's: after its trailing blank lines.
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


def parse(text: str) -> Node:
    """The one document of `text`. InputError (line and column of `text`) if it is not one well-formed document."""
    try:
        get = _Parser(text).get_event
        if type(get()) is not pyyaml.StreamStartEvent or type(get()) is not pyyaml.DocumentStartEvent:
            raise InputError("must hold a document, found nothing", 1, 1)
        anchors: dict[str, Node] = {}
        root = _node(get(), get, anchors, 0)
        get()
        extra: Any = get()
        if type(extra) is not pyyaml.StreamEndEvent:
            raise InputError("must be one document, found another", (extra.start_mark.line if extra.start_mark else 0) + 1, 1)
        return root
    except pyyaml.YAMLError as error:
        raise input_error(error) from None


def input_error(error: pyyaml.YAMLError) -> InputError:
    """Libyaml's complaint as one line with its place."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).split("\n")[0]
    if mark is None:
        return InputError(f"is not YAML: {problem}", 1, 1)
    return InputError(f"is not YAML: {problem}", mark.line + 1, mark.column + 1)


def to_data(node: Node, read: Callable[[Node], JSON] | None = None) -> JSON:
    """Plain data of a node: aliases followed, merge keys applied, keys as text. InputError on a repeated or complex key.

    `read` gives the value of a scalar; without it YAML 1.2's.
    """
    if node.kind == "scalar":
        return read(node) if read else scalar_value(node)
    if node.kind == "alias":
        return to_data(node.target, read)
    if node.kind == "list":
        return [to_data(item, read) for item in node.items]
    own: dict[str, JSON] = {}
    merged: dict[str, JSON] = {}
    for key, item in zip(node.keys, node.items, strict=True):
        name = key_text(key)
        if is_merge(key):
            for source in _merge_sources(item, read):
                for inherited, value in source.items():
                    merged.setdefault(inherited, value)
            continue
        if name in own:
            raise InputError(f"must not repeat the key `{name}`", key.line + 1, key.column + 1)
        own[name] = to_data(item, read)
    return {**merged, **own} if merged else own


def scalar_value(node: Node) -> JSON:
    """The value of a scalar node by its tag and style."""
    tag = node.tag or ""
    if tag.startswith(_TAG):
        return _tagged(node, tag[len(_TAG) :])
    if node.style or tag:
        return node.value
    return read_plain(node.value)


def key_text(node: Node) -> str:
    """The text of a map key, whatever a reader would make of it (`on`, `1`, `~`)."""
    if node.kind == "alias":
        node = node.target
    if node.kind != "scalar":
        raise InputError("must have scalar keys, found a map or list as a key", node.line + 1, node.column + 1)
    return node.value


def is_merge(key: Node) -> bool:
    """Whether a map key is the merge key `<<`."""
    return key.kind == "scalar" and key.value == "<<" and not key.style and not key.tag


def find(node: Node, path: Path) -> Node | None:
    """The node at `path` without following aliases or merge keys, or None."""
    for part in path:
        if node.kind == "map":
            for key, item in zip(node.keys, node.items, strict=True):
                if key.kind == "scalar" and key.value == part:
                    node = item
                    break
            else:
                return None
        elif node.kind == "list" and isinstance(part, int) and 0 <= part < len(node.items):
            node = node.items[part]
        else:
            return None
    return node


def _tagged(node: Node, tag: str) -> JSON:
    if tag not in ("int", "float", "bool", "null"):
        return node.value
    value = read_plain(node.value)
    if tag == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


def _merge_sources(node: Node, read: Callable[[Node], JSON] | None) -> list[dict[str, JSON]]:
    value = to_data(node, read)
    sources = value if isinstance(value, list) else [value]
    if not all(isinstance(source, dict) for source in sources):
        raise InputError("must merge maps only with `<<`", node.line + 1, node.column + 1)
    return sources  # type: ignore[return-value]


def _node(event: Any, get: Callable[[], Any], anchors: dict[str, Node], depth: int) -> Node:
    mark, kind = event.start_mark, type(event)
    node = Node.__new__(Node)
    node.start, node.line, node.column = mark.index, mark.line, mark.column
    node.anchor, node.end = event.anchor, event.end_mark.index
    if kind is _Alias:
        return _alias(node, anchors)
    node.tag = event.tag
    if kind is _Scalar:
        node.kind, node.value, node.style = "scalar", event.value, event.style or ""
    else:
        if depth > _DEPTH:
            raise InputError(f"must not nest deeper than {_DEPTH} levels", mark.line + 1, mark.column + 1)
        _collection(node, event, get, anchors, depth + 1)
    if node.anchor:
        anchors[node.anchor] = node
    return node


def _collection(node: Node, event: Any, get: Callable[[], Any], anchors: dict[str, Node], depth: int) -> None:
    is_map = type(event) is _MappingStart
    node.kind, node.flow, node.items = "map" if is_map else "list", bool(event.flow_style), []
    if is_map:
        node.keys = []
    end: int = event.end_mark.index
    while True:
        event = get()
        if type(event) is _MappingEnd or type(event) is _SequenceEnd:
            break
        if is_map:
            key = _node(event, get, anchors, depth)
            node.keys.append(key)
            end, event = key.end, get()
        item = _node(event, get, anchors, depth)
        node.items.append(item)
        end = max(end, item.end)
    node.end = event.end_mark.index if node.flow else end  # type: ignore[union-attr]


def _alias(node: Node, anchors: dict[str, Node]) -> Node:
    name = node.anchor or ""
    if name not in anchors:
        raise InputError(f'must define the anchor "{name}" before its alias', node.line + 1, node.column + 1)
    node.kind, node.target, node.tag = "alias", anchors[name], None
    return node
