"""Edits as they are meant, made on plain data in the simplest way, and what readers of both YAML versions make of a text."""

from __future__ import annotations

import json
from typing import Any

import yaml as pyyaml


def applied(data: Any, edit: tuple[Any, ...]) -> Any:
    """A copy of the data with one edit made: ("put", path, value), ("insert", path, value), ("remove", path) or ("move", path, to)."""
    data = unshared(data)
    verb, path, *rest = edit
    parent = data
    for part in path[:-1]:
        parent = parent[part]
    last = path[-1]
    if verb == "remove":
        del parent[last]
    elif verb == "move":
        parent.insert(rest[0], parent.pop(last))
    elif verb == "insert" or (isinstance(parent, list) and last == len(parent)):
        parent.insert(last, unshared(rest[0]))
    else:
        parent[last] = unshared(rest[0])
    return data


def unshared(value: Any) -> Any:
    """A copy in which what an alias shares stands at each place by itself."""
    if isinstance(value, dict):
        return {key: unshared(item) for key, item in value.items()}
    return [unshared(item) for item in value] if isinstance(value, list) else value


class _Loader11(pyyaml.CSafeLoader):
    """PyYAML's YAML 1.1 reading, with keys as text and nothing refused."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        self.flatten_mapping(node)
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}


def _text(loader: Any, node: Any) -> Any:
    """What has an unknown tag is what it would be without."""
    if isinstance(node, pyyaml.ScalarNode):
        return node.value
    if isinstance(node, pyyaml.SequenceNode):
        return [loader.construct_object(item, deep=True) for item in node.value]
    return loader.construct_mapping(node, deep=True)


def _or_text(construct: Any) -> Any:
    def attempt(loader: Any, node: Any) -> Any:
        try:
            return construct(loader, node)
        except ValueError:
            return node.value

    return attempt


_Loader11.add_constructor("tag:yaml.org,2002:value", _text)
_Loader11.add_constructor(None, _text)
for _kind in ("int", "float", "timestamp", "binary"):
    _Loader11.add_constructor(f"tag:yaml.org,2002:{_kind}", _or_text(getattr(pyyaml.SafeLoader, f"construct_yaml_{_kind}")))


def read_11(text: str, *, is_json: bool = False) -> Any:
    """Data as a YAML 1.1 reader has it, or a JSON reader."""
    return json.loads(text) if is_json else pyyaml.load(text, _Loader11)


def typed(value: Any) -> Any:
    """Data in a form in which 1, 1.0 and true differ, and nan equals itself."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item) for item in value]
    kind = next((kind for kind in (bool, int, float, str) if isinstance(value, kind)), type(value))
    return kind.__name__, repr(float(value)) if kind is float else int(value) if kind is int else value
