"""Items whose values from Secrets are replaced by stand-ins, so that findings of a plan on them may be shown.

A stand-in reveals nothing of the value that it replaces: neither characters nor length nor type. Of a string that is YAML, only maps, lists
and keys stay, because readers need them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import replace
from krm_values._kit.planner.item import Item, Scalar
from krm_values._kit.planner.withheld import HIDDEN, covers
from krm_values._yaml import decode
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._yaml.nodes import Node

_WORD = "standinq7zk"
_STANDS = re.compile(rf"{_WORD}[0-9]+z", re.IGNORECASE)


def of(items: list[Item], holding: Container[int]) -> list[Item]:
    """Return the same items; those with the numbers in `holding`, which have values from Secrets, with stand-ins. The others are not read."""
    return [_of(item) if item.number in holding else item for item in items]


def shown(text: str) -> str:
    """Return a message of a plan on such items, with `<hidden>` for each stand-in."""
    return _STANDS.sub(HIDDEN, text)


def data_shown(value: Any) -> Any:
    """Return data of such a plan, with `<hidden>` for each string that contains a stand-in."""
    if isinstance(value, dict):
        return {shown(key): data_shown(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [*map(data_shown, value)]
    return HIDDEN if holds(value) else value


def holds(value: object) -> bool:
    """Return whether a value contains a stand-in."""
    if isinstance(value, dict | list):
        return any(map(holds, [*value, *value.values()] if isinstance(value, dict) else value))
    return isinstance(value, str) and _WORD in value.lower()


def _of(item: Item) -> Item:
    number = iter(range(item.number * 1_000_000, (item.number + 1) * 1_000_000))

    def stand_in() -> str:
        return f"{_WORD}{next(number)}z"

    data = _replaced(item.data, (), item.withheld, stand_in)
    reading = item.reading

    def scalar(path: Path) -> Scalar | None:
        found = reading.scalar(path)
        return Scalar(stand_in(), plain=False, line=found.line) if found and covers(item.withheld, path) else found

    return item.seen_as(replace(reading, data=data, scalar=scalar), writers=item.writers)


def _replaced(value: Any, path: Path, found: tuple[Path, ...], stand_in: Callable[[], str]) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(inner, (*path, key), found, stand_in) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, (*path, index), found, stand_in) for index, inner in enumerate(value)]
    if value is None or not covers(found, path):
        return value
    return _of_text(value, stand_in) if isinstance(value, str) else stand_in()


def _of_text(text: str, stand_in: Callable[[], str]) -> str:
    """Return a string with stand-ins; in block YAML each scalar is replaced on its own line."""
    if "\n" not in text:
        return stand_in()
    try:
        root = decode.parse(text)
    except InputError:
        return stand_in()
    if root.kind not in ("map", "list") or root.flow:
        return stand_in()
    for node in sorted(_values(root), key=lambda node: -node.start):
        text = text[: node.start] + _in_place(text[node.start : node.end], node, stand_in()) + text[node.end :]
    return text


def _values(root: Node) -> list[Node]:
    keys = {id(key) for node in walk(root) if node.kind == "map" for key in node.keys}
    return [node for node in walk(root) if node.kind == "scalar" and node.end > node.start and id(node) not in keys]


def _in_place(old: str, node: Node, new: str) -> str:
    """Return the stand-in as it is written in place of a node; the lines after it keep their numbers."""
    if node.style in ("|", ">"):
        end = "\n" * (len(old) - len(old.rstrip("\n")))
        breaks = old.rstrip("\n").count("\n")
        return f'"{new}' + "\n" * breaks + " " * (node.column + 1) * bool(breaks) + '"' + end
    breaks = old.count("\n")
    return f'"{new}' + "\n" * breaks + " " * (node.column + 1) * bool(breaks) + '"'
