"""Markers that are planted in Secrets, and where pieces of them turn up: plain, in base64, six characters at a time."""

from __future__ import annotations

import base64
import random
import re
from typing import Any

import yaml as pyyaml

SIZE, PIECE = 24, 6
_LETTERS = "QXZVKJWqxzvkjw0123456789"


class Marker:
    """A text that stands nowhere else. Two markers of one place have the same length."""

    def __init__(self, seed: object) -> None:
        dice = random.Random(f"marker {seed}")
        self.text = "X" + "".join(dice.choice(_LETTERS) for _ in range(SIZE - 1))
        spelled = [self.text, *(_interior(self.text, lead) for lead in range(3))]
        pieces = {text[at : at + PIECE] for text in spelled for at in range(len(text) - PIECE + 1)}
        self._any = re.compile("|".join(map(re.escape, sorted(pieces))).encode())

    def found(self, data: bytes) -> str:
        """What of the marker is in some bytes, with what stands around it; "" if nothing is."""
        hit = self._any.search(data)
        return data[max(0, hit.start() - 80) : hit.end() + 40].decode(errors="replace") if hit else ""

    def count(self, data: bytes) -> int:
        """How often it stands there, plain or in base64."""
        return data.count(self.text.encode()) + sum(data.count(_interior(self.text, lead).encode()) for lead in range(3))


def _interior(text: str, lead: int) -> str:
    """The base64 of a text behind so many bytes, as far as it depends on the text alone."""
    whole = base64.b64encode(b"\0" * lead + text.encode()).decode()
    return whole[-(-lead * 8 // 6) : len(whole) - 4]


def planted(item: Any, marker: Marker, spell: Any = None) -> Any:
    """A Secret with the marker in place of every text that it holds; in texts of YAML, in place of every text in these."""
    if not isinstance(item, dict) or item.get("kind") != "Secret":
        return item
    spell = spell or (lambda text: in_text(text, marker))
    result = dict(item)
    if isinstance(item.get("stringData"), dict):
        result["stringData"] = {
            key: spell(value) if isinstance(value, str) else value for key, value in item["stringData"].items()
        }
    if isinstance(item.get("data"), dict):
        result["data"] = {key: in_base64(value, spell) for key, value in item["data"].items()}
    return result


def in_base64(value: Any, spell: Any) -> Any:
    """The value of a Secret's `data` with its text spelt anew, if it is one."""
    try:
        text = base64.b64decode(value, validate=True).decode()
    except (ValueError, TypeError):
        return value
    return base64.b64encode(spell(text).encode()).decode()


def in_text(text: str, marker: Marker) -> str:
    """A Secret's text with the marker: in YAML of maps and lists for each text in it, else as a whole."""
    try:
        root = pyyaml.compose(text)
    except pyyaml.YAMLError:
        root = None
    if not isinstance(root, pyyaml.CollectionNode):
        return marker.text if text else text
    for start, end in sorted(texts_of(root), reverse=True):
        text = text[:start] + marker.text + text[end:]
    return text


def texts_of(node: Any) -> list[tuple[int, int]]:
    """Where the texts of a YAML node stand that are values."""
    if isinstance(node, pyyaml.ScalarNode):
        is_text = node.tag.endswith(":str") and node.value and node.style not in ("|", ">")
        return [(node.start_mark.index, node.end_mark.index)] if is_text else []
    below = [value for _, value in node.value] if isinstance(node, pyyaml.MappingNode) else node.value
    return [place for inner in below for place in texts_of(inner)]


def places(text: str, allowed: set[tuple[str, str, str, str]]) -> list[tuple[int, int]]:
    """Where a YAML stream may hold a Secret's value: in Secrets, and in scalars those at an allowed (kind, namespace, name, pointer)."""
    return [place for root in pyyaml.compose_all(text, Loader=_LOADER) if root for place in _allowed(root, allowed)]


_LOADER = getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)


def _allowed(node: Any, allowed: set[tuple[str, str, str, str]]) -> list[tuple[int, int]]:
    if not isinstance(node, pyyaml.MappingNode):
        return [
            place
            for inner in getattr(node, "value", []) or []
            if isinstance(inner, pyyaml.Node)
            for place in _allowed(inner, allowed)
        ]
    found = {key.value: value for key, value in node.value if isinstance(key, pyyaml.ScalarNode)}
    if found.get("items") is not None and isinstance(found["items"], pyyaml.SequenceNode):
        return [place for item in found["items"].value for place in _allowed(item, allowed)]
    named = resource(found)
    pointers = [pointer for *one, pointer in allowed if tuple(one) == named]
    if named[0] == "Secret":
        return [(node.start_mark.index, node.end_mark.index)]
    return [place for pointer in pointers for place in _below(node, pointer.split("/")[1:])]


def resource(found: Any) -> tuple[str, str, str]:
    """Kind, namespace and name of a resource's node."""
    given = found.get("metadata")
    metadata = {key.value: value for key, value in given.value} if isinstance(given, pyyaml.MappingNode) else {}
    texts = [found.get("kind"), metadata.get("namespace"), metadata.get("name")]
    kind, namespace, name = (
        text.value if isinstance(text, pyyaml.ScalarNode) and not text.tag.endswith(":null") else "" for text in texts
    )
    return kind, namespace, name


def _below(node: Any, parts: list[str]) -> list[tuple[int, int]]:
    """The scalars at and below a pointer."""
    if not parts:
        if isinstance(node, pyyaml.ScalarNode):
            return [(node.start_mark.index, node.end_mark.index)]
        inner = [value for _, value in node.value] if isinstance(node, pyyaml.MappingNode) else node.value
        return [place for one in inner for place in _below(one, [])]
    first, *rest = (parts[0].replace("~1", "/").replace("~0", "~"), *parts[1:])
    if isinstance(node, pyyaml.MappingNode):
        return [place for key, value in node.value if key.value == first for place in _below(value, rest)]
    if isinstance(node, pyyaml.SequenceNode) and first.isdigit() and int(first) < len(node.value):
        return _below(node.value[int(first)], rest)
    return []


def elsewhere(name: str, content: bytes, allowed: set[tuple[str, str, str, str]]) -> bytes:
    """A file without the places that may hold a Secret's value."""
    if not name.endswith((".yaml", ".json")):
        return content
    text = content.decode()
    records = "".join(re.findall(r"krm-values\.dev/undo\.[^\n]*", text))  # those of Secrets too
    return (without(text, places(text, allowed)) + records).encode()


def without(text: str, found: list[tuple[int, int]]) -> str:
    """The text without these places."""
    for start, end in sorted(set(found), reverse=True):
        text = text[:start] + text[end:]
    return text
