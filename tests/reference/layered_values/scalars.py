"""YAML text to plain data: maps, lists, strings, None, and `Plain` for numbers and booleans, which remember how they were written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import yaml

Json = Any
GO_TRUE, GO_FALSE = ("y", "yes", "on", "true"), ("n", "no", "off", "false")
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True)
class Plain:
    """A number or boolean and its spelling; `value` is what it means."""

    text: str
    value: bool | int | float

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Plain)
            and isinstance(self.value, bool) == isinstance(other.value, bool)
            and self.value == other.value
        )

    def __hash__(self) -> int:
        return hash((isinstance(self.value, bool), self.value))

    @property
    def boolean(self) -> bool:
        return isinstance(self.value, bool)

    @property
    def keeps_spelling(self) -> bool:
        """Whether it is written as JSON would write it [73]."""
        return self.text == json.dumps(self.value)


def documents(text: str, *, go: bool) -> list[Json]:
    """The documents of a text that are not empty, as Go's YAML 1.1 reads them [30] or as KRM text."""
    found = [build(node, go=go) for node in yaml.compose_all(text, Loader=LOADER)]
    return [document for document in found if document is not None]


def build(node: yaml.Node, *, go: bool) -> Json:
    """The data of a node. Of two equal keys the last counts [32]."""
    if isinstance(node, yaml.MappingNode):
        return {key_of(key, go=go): build(member, go=go) for key, member in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [build(member, go=go) for member in node.value]
    return scalar(node.value, go=go) if is_plain(node) else node.value


def is_plain(node: Any) -> bool:
    """Whether a scalar node is written without quotes."""
    return not node.style


def key_of(node: yaml.Node, *, go: bool) -> str:
    """A key as text: Go's `on` is the key `true`."""
    value = scalar(node.value, go=go) if is_plain(node) else node.value
    return json.dumps(value.value) if isinstance(value, Plain) else value


def scalar(text: str, *, go: bool) -> Json:
    """What a plain scalar means."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text.lower() in (GO_TRUE if go else ("true",)) and text in (text.lower(), text.upper(), text.title()):
        return Plain(text, True)
    if text.lower() in (GO_FALSE if go else ("false",)) and text in (text.lower(), text.upper(), text.title()):
        return Plain(text, False)
    if re.fullmatch(r"[-+]?0[0-7]+", text):
        return Plain(text, int(text, 8))
    if re.fullmatch(r"[-+]?(0|[1-9][0-9]*)", text):
        return Plain(text, int(text))
    if re.fullmatch(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?", text):
        return Plain(text, float(text))
    return text


def core(text: str) -> Json:
    """The number or boolean that a text is in YAML 1.2 [71], or the text."""
    if text in ("true", "false"):
        return Plain(text, text == "true")
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return Plain(text, int(text))
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", text):
        return Plain(text, float(text))
    return text


def written(value: Json, *, indent: int = 0) -> list[str]:
    """Block YAML of data: strings in double quotes, numbers and booleans as they are spelled."""
    pad = "  " * indent
    if isinstance(value, dict) and value:
        lines = []
        for key, member in value.items():
            inner = written(member, indent=indent + 1)
            nested = isinstance(member, (dict, list)) and member
            lines += [f"{pad}{name(key)}:", *inner] if nested else [f"{pad}{name(key)}: {inner[0].strip()}"]
        return lines
    if isinstance(value, list) and value:
        lines = []
        for member in value:
            first, *rest = written(member, indent=indent + 1)
            lines += [f"{pad}- {first.strip()}", *rest]
        return lines
    return [pad + inline(value)]


def name(key: str) -> str:
    """A key, in quotes where a plain one may mean something else."""
    return key if re.fullmatch(r"[A-Za-z][\w./-]+", key) and isinstance(scalar(key, go=True), str) else json.dumps(key)


def inline(value: Json) -> str:
    """A scalar or an empty map or list."""
    return value.text if isinstance(value, Plain) else "null" if value is None else json.dumps(value)
