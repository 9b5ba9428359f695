"""The type in which a value is written: that of the existing field, or `as`, or what Kubernetes accepts there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import record, replace
from krm_values._data.scalars import read_plain, text_of, written
from krm_values._data.shown import type_of
from krm_values._data.values import by_keys
from krm_values._run import objects, texts
from krm_values._run.traced import Assigned, List, Map, elements, is_scalar, listed, origin, plain
from krm_values._yaml import decode
from krm_values._yaml.emit import as_json
from krm_values.layered_values.permitted import FieldError
from krm_values.layered_values.tree import first_leaf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Origin
    from krm_values._run.traced import Node

_TEXT_MAPS = ("labels", "annotations", "matchLabels", "nodeSelector")
_DATA = {"ConfigMap": ("data",), "Secret": ("data", "stringData")}
_OWN_TYPE = ("port", "targetPort", "maxSurge", "maxUnavailable", "minAvailable")
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"(0o?)([0-7_]{1,20})")
_NUMBER = re.compile(
    r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?i:inf)|\.(?i:nan)"
)
_ADVICE = "write it with `as: yaml` or `as: json`"


def is_text_place(item: Item, path: Path) -> bool:
    """Return whether Kubernetes or Argo CD accepts only strings at a path of a resource."""
    if len(path) == 2 and item.group == "" and path[0] in _DATA.get(item.kind, ()):
        return True
    if len(path) > 1 and path[-2] in _TEXT_MAPS:
        return True
    if len(path) < 3 or path[-1] != "value" or not isinstance(path[-2], int):
        return False
    return path[-3] == "env" or (path[-3] == "parameters" and item.kind == "Application" and item.group == "argoproj.io")


def converted(node: Node, current: Any, form: str | None, path: Path, is_text: Callable[[Path], bool] | None) -> Node:
    """Return a value in the type to be written at a path, converted leaf by leaf. FieldError if it does not fit.

    current: the existing value, None if there is none. form: the value of `as`. is_text: returns whether a path of a resource accepts only
    strings; None in a text, where only the existing type counts.
    """
    if form in ("yaml", "json"):
        leaf = first_leaf(node)
        if leaf is None:
            raise FieldError("no-value", "65", "has no value")
        return Assigned(document(node, form), leaf.layer, leaf.path)
    if form is not None:
        return _of_form(_scalar(node, form), form, current)
    if not isinstance(node, Assigned) or isinstance(node.value, list):
        return _collection(node, current, path, is_text)
    if is_text and is_text(path):
        return _as(node, as_string(node))
    if is_text and path and path[-1] in _OWN_TYPE and not isinstance(node.value, bool):
        number = _read(node.value, current)
        return _as(node, number) if type_of(number) == type_of(current) == "number" else node
    return _over_nothing(node, path, is_text) if is_text and current is None else _over(node, current, path, is_text)


def as_string(leaf: Assigned, path: Path | None = None) -> str:
    """Return a string as it is, a number or boolean as JSON writes it. FieldError if its layer spells it differently.

    path: the field, if it is inside the one that is written.
    """
    value: Any = leaf.value
    if isinstance(value, str):
        return str(value)
    says: Any = leaf.layer
    written = says.written(leaf.path, value)
    becomes = as_json(value if isinstance(value, bool) else float(value) if isinstance(value, float) else int(value))
    if written == becomes:
        return becomes
    if origin(leaf).secret:
        raise FieldError("spelling", "73", "takes a string, and its value would change its spelling: quote it", leaf, path)
    raise FieldError("spelling", "73", f"takes a string, and {written} would become {becomes}: quote it", leaf, path)


def document(node: Node, form: str) -> str:
    """Return a value as a YAML or JSON text."""
    data = plain(node)
    return texts.write(data) if form == "yaml" else as_json(by_keys(data), spaced=True)


def encoded(node: Node, path: Path, item: Item) -> Any:
    """Return a value as plain data, with the strings of a Secret's `data` in base64."""
    if isinstance(node, Map):
        return {key: encoded(below, (*path, key), item) for key, below in node.items()}
    value = plain(node)
    return objects.encode(value) if objects.is_encoded(item, path) and isinstance(value, str) else value


def like(text: str, known: Iterable[Any]) -> Any:
    """Return the number or boolean that a string means, if there is one among the known values; else the string."""
    value = _read(text, None)
    is_known = isinstance(value, (bool, int, float)) and any(type_of(one) == type_of(value) for one in known)
    return value if is_known and text_of(value) == text else text


def _as(leaf: Assigned, value: Any) -> Assigned:
    return Assigned(value, leaf.layer, leaf.path, leaf.over, leaf.reason)


def _scalar(node: Node, form: str) -> Assigned:
    if not isinstance(node, Assigned) or isinstance(node.value, list):
        text = f"takes a scalar by `as: {form}`; found a value of type {type_of(plain(node))}"
        raise FieldError("type", "75", text, first_leaf(node))
    return node


def _of_form(leaf: Assigned, form: str, current: Any) -> Assigned:
    if form == "text":
        return _as(leaf, as_string(leaf))
    value = _read(leaf.value, current)
    is_boolean = isinstance(value, bool)
    if is_boolean == (form == "boolean") and isinstance(value, (bool, int, float)):
        return _as(leaf, value)
    raise FieldError("type", "75", f"takes a {form} by `as: {form}`; found {{found}}", leaf)


def _read(value: Any, current: Any) -> Any:
    """Return the number or boolean that YAML 1.2 reads from a string; anything else unchanged.

    Source: YAML 1.2.2, section 10.3.2 (core schema). `0775` is 775 there, and is written so, since Go reads a plain `0775` as 509. Where the
    existing number is in octal, as modes of files are, it is 509 and written in octal.
    """
    octal = _OCTAL.fullmatch(text_of(current)) if isinstance(current, int) else None
    if octal and isinstance(value, str) and (digits := _OCTAL.fullmatch(value)) and "_" not in value:
        return written(int(digits[2], 8), octal[1] + digits[2])
    found = read_plain(value) if isinstance(value, str) and value else value
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not isinstance(value, str):
        return found
    if isinstance(found, int) and _DECIMAL.fullmatch(value):
        return found if found == int(value) else int(value)
    return found if _NUMBER.fullmatch(value) else value


def _over(leaf: Assigned, current: Any, path: Path, is_text: Callable[[Path], bool] | None) -> Node:
    """Return a scalar in the type of the existing value."""
    if current is None or type_of(current) == type_of(leaf.value):
        return leaf
    if isinstance(current, str):
        return _as(leaf, as_string(leaf))
    wanted = type_of(current)
    if isinstance(current, (dict, list)):
        wanted = "list" if isinstance(current, list) else "map"
        if (found := _collection_of_text(leaf, dict if wanted == "map" else list)) is not None:
            return _texts(found, path, is_text) if is_text else found
        example = "[]" if wanted == "list" else "{}"
        raise FieldError(
            "type", "76", f"is a {wanted}, and {{found}} is not one: give one, or its text, such as `{example}`", leaf
        )
    value = _read(leaf.value, current) if isinstance(leaf.value, str) else None
    if value is not None and type_of(value) == wanted:
        return _as(leaf, value)
    raise FieldError("type", "71", f"is a {wanted}, and {{found}} is not one", leaf)


def _over_nothing(leaf: Assigned, path: Path, is_text: Callable[[Path], bool]) -> Node:
    """Return a scalar where nothing is yet; the map or list in a string where only one of strings is accepted, such as `labels`."""
    found: Node | None = None
    if is_text((*path, "")):
        found = _collection_of_text(leaf, dict)
    elif is_text((*path, 0, "value")):
        found = _collection_of_text(leaf, list)
    return leaf if found is None else _texts(found, path, is_text)


def is_hidden_text(node: Node) -> bool:
    """Return whether a map or list is what a Secret's string holds, whose keys are then a part of the value and not told."""
    return isinstance(node, (Map, List)) and isinstance(node.layer, _OfText) and origin(node.layer.leaf).secret


def _collection_of_text(leaf: Assigned, kind: type[dict[str, Any] | list[Any]]) -> Node | None:
    """Return the list or map that a string holds; None if it holds none."""
    try:
        found = decode.to_data(decode.parse(f"{leaf.value}\n")) if isinstance(leaf.value, str) else None
    except InputError:
        found = None
    if not isinstance(found, kind):
        return None
    held = _read_from(leaf.path, found, _OfText(leaf))
    held.over = leaf.over
    return held


def _read_from(path: Path, value: Any, says: _OfText) -> Node:
    """Return a value that a string at a path holds."""
    if isinstance(value, dict):
        return Map(says, path, {key: _read_from(path, below, says) for key, below in value.items()})
    if isinstance(value, list):
        return List(says, path, [_read_from(path, one, says) for one in value], apart=True)
    return Assigned(value, says, path)


@record
class _OfText:
    """Returns the origin of a value that a string holds: that of the string."""

    leaf: Assigned

    def __call__(self, _: Path, value: JSON) -> Origin:
        return replace(origin(self.leaf), value=value)

    def written(self, _: Path, value: JSON) -> str:
        return text_of(value)


def _collection(node: Node, current: Any, path: Path, is_text: Callable[[Path], bool] | None) -> Node:
    """Return a map or list in the type of the existing value."""
    kind = "map" if isinstance(node, Map) else "list"
    if (is_text and is_text(path)) or (current is not None and isinstance(current, str)):
        raise FieldError("type", "76", f"is a string, and a {kind} cannot be written there: {_ADVICE}", first_leaf(node))
    if current is not None and not isinstance(current, dict if kind == "map" else list):
        raise FieldError("type", "76", f"is of type {type_of(current)}, and a {kind} cannot be written there", first_leaf(node))
    return _texts(node, path, is_text) if is_text else node


def _texts(node: Node, path: Path, is_text: Callable[[Path], bool]) -> Node:
    """Return a collection with its scalars as strings where only strings are accepted."""
    if is_text(path) and not is_scalar(node):
        text = f"takes strings only, not a value of type {type_of(plain(node))}"
        raise FieldError("type", "76", text, first_leaf(node), path)
    if isinstance(node, Map):
        return node.like({key: _texts(below, (*path, key), is_text) for key, below in node.items()})
    if isinstance(node, Assigned) and is_text(path) and node.value is not None:
        return _as(node, as_string(node, path))
    found = elements(node)
    if not any(isinstance(one, Map) for one in found):
        return node
    return listed([_texts(element, (*path, index), is_text) for index, element in enumerate(found)], node)
