"""Is a cut right? The truth is libyaml's parse of the whole text, composed by PyYAML without our own code."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml as pyyaml

from krm_values._data.errors import InputError
from krm_values._krm import events, headers
from krm_values._krm.itemlist import ItemList
from krm_values._krm.list_text import apply, closed
from krm_values._krm.scan import UnprovedError, scan
from krm_values._yaml.encoding import check_utf8

if TYPE_CHECKING:
    from krm_values._krm.list_text import Frame, ItemTexts

_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})")
NEW = {"apiVersion": "v1", "kind": "New", "metadata": {"name": "new"}, "list": [1, "yes"]}


class Wrong(AssertionError):
    """A cut that is not what the parser reads."""


def check(data: bytes) -> str:
    """`invalid` (libyaml refuses the text), `other` (no list of items), `events` or `scan`: the fastest level that cut it.

    Wrong if a level cut it otherwise than libyaml reads it, or if a change to the cut text changed anything else.
    """
    try:
        check_utf8(data)
    except InputError:
        return "invalid"
    whole = _whole(data)
    by_events, by_scan = _cut(events.cut, data), _cut(scan, data)
    if whole is None:
        if by_events and not _is_wellformed(data):
            raise Wrong("the events level takes what libyaml refuses")
        return "invalid"
    items = _field(whole, "items")
    if not isinstance(items, pyyaml.SequenceNode):
        if by_scan or (by_events and len(by_events[0] or ())):
            raise Wrong("items where there is no list")
        return "other"
    true = [plain(item) for item in items.value]
    for texts, frame in filter(None, (by_events, by_scan)):
        _compare(texts or [], frame, true, items.value)
        for changed in _changes(texts, frame, len(true)):
            _compare_changed(*changed, whole, true)
    if by_scan and by_events:
        _same(by_scan, by_events, len(true))
    return "scan" if by_scan else "events" if by_events else "other"


def plain(node: Any, above: tuple[Any, ...] = ()) -> Any:
    """Tags and texts of a node, aliases followed."""
    if node in above:
        raise RecursionError("an anchor that holds its own alias")
    if isinstance(node, pyyaml.ScalarNode):
        return node.tag, node.value
    if isinstance(node, pyyaml.SequenceNode):
        return [plain(item, (*above, node)) for item in node.value]
    return "map", [(plain(key, (*above, node)), plain(value, (*above, node))) for key, value in node.value]


def _whole(data: bytes) -> Any:
    """The text composed; None if it is not YAML (or JSON, whose surrogate pairs YAML does not know) or has an alias to nothing."""
    for text in (data.decode(), _without_pairs(data)):
        try:
            node = pyyaml.compose(text, Loader=pyyaml.CBaseLoader) or pyyaml.ScalarNode("tag:yaml.org,2002:str", "")
            plain(node)
        except (pyyaml.YAMLError, UnicodeError, RecursionError):
            continue
        return node
    return None


def _without_pairs(data: bytes) -> str:
    """A JSON text with its surrogate pairs as characters, and all else as it is; what is no YAML if it is not JSON."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    try:
        json.loads(text)
    except ValueError:
        return "]"
    return _PAIR.sub(lambda found: found[1] + json.loads(f'"{found[2]}"'), text.decode())


def _is_wellformed(data: bytes) -> bool:
    if _without_pairs(data) != "]":
        return True
    try:
        pyyaml.cyaml.CParser(data).raw_parse()  # type: ignore[attr-defined]
    except pyyaml.YAMLError:
        return False
    return True


def _field(whole: Any, name: str) -> Any:
    if not isinstance(whole, pyyaml.MappingNode):
        return None
    found = [value for key, value in whole.value if key.value == name]
    return found[0] if len(found) == 1 else None


def _cut(level: Any, data: bytes) -> tuple[ItemTexts, Frame] | None:
    try:
        texts, frame = level(data)
    except (UnprovedError, InputError):
        return None
    return texts, frame


def _compare(texts: Any, frame: Frame, true: list[Any], nodes: list[Any]) -> None:
    if len(texts) != len(true):
        raise Wrong(f"{len(texts)} items instead of {len(true)}")
    found = list(ItemList(texts, frame).items()) if texts else []
    for number, (item, node) in enumerate(zip(found, nodes, strict=True)):
        alone = _whole(texts.text(number).encode())
        if not hasattr(texts, "dashes") and texts.text(number).lstrip()[:1] not in ("{", "["):
            continue  # `[a: 1]`, a pair without braces
        if alone is not None and plain(alone) != true[number]:
            raise Wrong(f"item {number} is another one alone")
        if alone is None and "*" not in texts.text(number):
            raise Wrong(f"item {number} cannot be read alone")
        header = item.api_version, item.kind, item.namespace, item.name
        for expected, value in zip(_header(node), header, strict=True):
            if expected is not None and expected != value:
                raise Wrong(f"header {header} instead of {_header(node)}")


def _header(node: Any) -> list[str | None]:
    """What the item says of itself; None where a reader may differ (merge keys, repeated keys, no plain text)."""
    metadata = _field(node, "metadata")
    return [_text(node, "apiVersion"), _text(node, "kind"), _text(metadata, "namespace"), _text(metadata, "name")]


def _text(node: Any, name: str) -> str | None:
    if not isinstance(node, pyyaml.MappingNode) or any(key.value == "<<" for key, _ in node.value):
        return None
    values = [value for key, value in node.value if key.value == name]
    if not values:
        return ""
    if len(values) > 1 or not isinstance(values[0], pyyaml.ScalarNode):
        return None
    text: str = values[0].value
    return None if text in ("", "~", "null", "Null", "NULL") else text


def _changes(texts: Any, frame: Frame, count: int) -> list[tuple[bytes, dict[int, Any], list[int], int]]:
    """Changed texts: (text, new items by number, removed ones, how many were added)."""
    marker = (" " * (getattr(texts, "column", 0) + 2) + "MARK: 1\n") if hasattr(texts, "dashes") else '{"MARK": 1}'
    mark = ("map", [(("tag:yaml.org,2002:str", "MARK"), ("tag:yaml.org,2002:str", "1"))])
    made: list[tuple[tuple[Any, Any, Any], dict[int, Any], list[int], int]] = []
    for number in {0, count // 2, count - 1} if count else ():
        in_brackets = not hasattr(texts, "dashes")
        if not in_brackets or texts.text(number).lstrip()[:1] in ("{", "["):
            padded = " " * texts.text(number).find("{") + marker if in_brackets and "{" in texts.text(number) else marker
            made.append((({number: padded}, (), ()), {number: mark}, [], 0))
        made.append((({}, {number}, ()), {}, [number], 0))
    made.append((({}, (), (NEW,)), {}, [], 1))
    made.append((({}, set(range(count)), ()), {}, list(range(count)), 0))
    result = []
    for (edited, removed, added), new, gone, more in made:
        patches = texts.patches(edited, removed, added, b"\n")
        result.append((b"".join(apply(frame.data, closed(frame.data, patches, b"\n"))), new, gone, more))
    return result


def _compare_changed(text: bytes, new: dict[int, Any], gone: list[int], more: int, whole: Any, true: list[Any]) -> None:
    changed = _whole(text)
    if changed is None:
        if b"*" in text or b"&" in text:
            return  # an alias whose anchor went
        raise Wrong(f"not YAML any more: {text!r}")
    listed = _field(changed, "items")
    if not isinstance(listed, pyyaml.SequenceNode):
        raise Wrong(f"no list any more: {text!r}")
    items = [plain(item) for item in listed.value]
    kept = [new.get(number, item) for number, item in enumerate(true) if number not in gone]
    if items[: len(kept)] != kept or len(items) != len(kept) + more:
        raise Wrong(f"other items changed: {text!r}")
    for (key, value), (was, before) in zip(changed.value, whole.value, strict=True):
        if plain(key) != plain(was) or (key.value != "items" and plain(value) != plain(before)):
            raise Wrong(f"the frame changed: {text!r}")


def _same(by_scan: tuple[Any, Frame], by_events: tuple[Any, Frame], count: int) -> None:
    """Both levels see the same texts, headers and fields."""
    (one, frame), (other, other_frame) = by_scan, by_events
    for number in range(count):
        if one.text(number) != other.text(number):
            raise Wrong(f"item {number}: {one.text(number)!r} and {other.text(number)!r}")
    fast = [repr((item.api_version, item.kind, item.namespace, item.name)) for item in ItemList(one, frame).items()]
    slow = [headers.read(one.with_comments(number), ItemList(one, frame)._anchors.outer(number)) for number in range(count)]
    if fast != [repr((h.api_version, h.kind, h.namespace, h.name)) for h in slow]:
        raise Wrong(f"headers {fast} and {slow}")
    one_fields, other_fields = (
        {key: repr(value[: 1 if key == "items" else 4]) for key, value in it.fields.items()} for it in (frame, other_frame)
    )
    if one_fields != other_fields:
        raise Wrong(f"fields {one_fields} and {other_fields}")
