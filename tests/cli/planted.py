"""Mistakes at known places, for every function, and the forms in which a document that holds one may be written.

In a document a MARK stands before the key that a finding must point at, or inside a text; an ELEMENT before the first key of the list
element. `holding` writes the document in a form, takes the mark out and says where it stood.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

import yaml

MARK, ELEMENT = "¦", "‡"
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: else}\ndata: {a: b}\n"


class Planted(NamedTuple):
    """A mistake: the documents, of which one holds the mark, the functionConfig's spec, and words of the finding."""

    function: str
    name: str
    words: tuple[str, ...]
    documents: str
    spec: str = "{}"


class Held(NamedTuple):
    """A text without its mark, and line and column of the mark from 1."""

    text: str
    line: int
    column: int


def planted(text: str) -> Held:
    """The text without its mark, and where that stood."""
    before, mark, after = re.split(f"([{MARK}{ELEMENT}])", text)
    assert mark
    start = before.rfind("\n") + 1
    return Held(before + after, before.count("\n") + 1, len(before[start:].removeprefix("\ufeff")) + 1)


class _Dumper(yaml.SafeDumper):
    """Texts of several lines in literal style."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def block(data: Any) -> str:
    """In block style; texts of several lines as block scalars."""
    return str(yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1000))


def as_json(data: Any) -> str:
    """As JSON on several lines."""
    return _quoted(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"


def flow(data: Any) -> str:
    """On one line."""
    return _quoted(json.dumps(data, ensure_ascii=False)) + "\n"


def _quoted(text: str) -> str:
    """Marks before the quotes of their keys, and before the brace of their element."""
    text = re.sub(rf'(?<!\\)"{MARK}', f'{MARK}"', text)
    return re.sub(rf'(\{{\s*)"{ELEMENT}', rf'{ELEMENT}\1"', text)


def _crlf(data: Any) -> str:
    return block(data).replace("\n", "\r\n")


def _listed(data: Any) -> str:
    return block({"apiVersion": "v1", "kind": "List", "items": [yaml.safe_load(OTHER), data]})


RESOURCES = {
    "alone": block,
    "second document": lambda data: f"{OTHER}---\n# the second\n{block(data)}",
    "CRLF": _crlf,
    "byte order mark": lambda data: "\ufeff# first\n" + block(data),
    "JSON": as_json,
    "flow": flow,
    "in a List": _listed,
}


def config_map(data: Any, style: str) -> str:
    """A functionConfig as a ConfigMap: what is nested as a text in this style."""
    texts = {key: value if isinstance(value, str) else _nested(key, value, style) for key, value in data["spec"].items()}
    lines = [line for key, value in texts.items() for line in _entry(key, value, style)]
    return "# a config\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n" + "".join(
        f"  {line}\n" for line in lines
    )


def _nested(key: str, value: Any, style: str) -> str:
    if key == "SD_DATA":  # JSON is what it must be
        return as_json(value) if style in ("|", '"') else flow(value).rstrip("\n")
    return block(value) if style in ("|", '"') and isinstance(value, dict | list) else flow(value).rstrip("\n")


def _entry(key: str, value: str, style: str) -> list[str]:
    lines = value.rstrip("\n").split("\n")
    if style in ("|", ">"):
        return [f"{key}: {style}", *(f"    {line}" for line in lines)]
    if style == "'":
        return [f"{key}: '{value}'".replace(f"'{MARK}", f"{MARK}'")]
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return [f'{key}: "{escaped}"']


CONFIGS = {
    "file": block,
    "file with comments": lambda data: "# one\n\n---\n# two\n" + block(data),
    "file with CRLF": _crlf,
    "JSON file": as_json,
    "ConfigMap, literal": lambda data: config_map(data, "|"),
    "ConfigMap, folded": lambda data: config_map(data, ">"),
    "ConfigMap, single quoted": lambda data: config_map(data, "'"),
    "ConfigMap, double quoted": lambda data: config_map(data, '"'),
}
