"""Random documents and operations: each alone must give what upstream gives, but for the rows of `differences`."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from krm_values._go.encoding_json import decode
from krm_values.glasskube_values import json_patch as apply
from tests.oracles.glasskube import differences, values

ODD = [
    "",
    "a",
    "-",
    "-1",
    "-2",
    "0",
    "01",
    "+1",
    "-0",
    "1",
    "9",
    "~2",
    "~01",
    "%61",
    "nope",
    "+",
    "1_0",
    "٣",
    "9999999999999999999999",
]


@dataclass
class Patches:
    document: str
    operations: list[dict[str, str]]


def make(dice: random.Random) -> Patches:
    """A map or now and then a list, and one to three operations on places that are mostly there."""
    document = values.text_of(dice)
    while document[0] not in ("{[" if dice.random() < 0.2 else "{"):
        document = values.text_of(dice)
    data = values.held(document)
    document = values.written(data)
    return Patches(document, [_operation(dice, data) for _ in range(dice.choice([1, 1, 1, 2, 3]))])


def question(made: Patches) -> object:
    """For the oracle."""
    return {"document": made.document, "operations": made.operations}


def judge(made: Patches, answer: dict[str, Any], found: Any) -> None:
    """Count, and tell a difference."""
    documents = answer["value"]
    found.taken += len(documents) == len(made.operations)
    before = made.document
    for number, one in enumerate(made.operations):
        theirs = documents[number] if number < len(documents) else None
        ours = outcome(before, one)
        if not _agree(ours, theirs):
            row = differences.row_of(values.held(before), one["op"], one["path"], decode(one["value"]))
            if row:
                found.named[row] += 1
            else:
                found.differences.append(f"{made}: operation {number}: upstream {theirs}, ours {ours}")
        if theirs is None or not _agree(ours, theirs):
            return
        before = theirs


def outcome(document: str, operation: dict[str, str]) -> Any:
    """Our document after an operation, or `refused`."""
    try:
        return apply.apply(values.held(document), operation["op"], operation["path"], decode(operation["value"])).data
    except apply.PatchError:
        return differences.REFUSED


def _agree(ours: Any, theirs: str | None) -> bool:
    """Whether both refuse, or both have the same document."""
    if theirs is None or ours is differences.REFUSED:
        return theirs is None and ours is differences.REFUSED
    return values.same(ours, values.held(theirs))


def _operation(dice: random.Random, data: Any) -> dict[str, str]:
    op = dice.choice(
        ["add"] * 4 + ["replace"] * 3 + ["remove"] * 2 + ["test"] * 3 + ["move", "copy", "Add", ""][: dice.random() < 0.1]
    )
    path, there = _path(dice, data)
    value = values.text_of(dice)
    if op == "test" and dice.random() < 0.7:
        value = values.written(there)
    return {"op": op, "path": path, "value": value}


def _path(dice: random.Random, data: Any) -> tuple[str, Any]:
    """A pointer into the data, odd now and then, and what stands there."""
    path = ""
    while (isinstance(data, dict | list) and data and dice.random() < 0.85) or not path:
        if not isinstance(data, dict | list) or not data:
            break
        key = dice.choice(list(data)) if isinstance(data, dict) else dice.randrange(len(data))
        data = data[key]
        segment = str(key).replace("~", "~0").replace("/", "~1")
        path += "/" + (str(key) if dice.random() < 0.03 else segment)
    roll = dice.random()
    if roll < 0.25:
        path += "/" + dice.choice(ODD + values.KEYS)
    elif roll < 0.35:
        path = path.rpartition("/")[0] + "/" + dice.choice(ODD)
    elif roll < 0.40:
        path = dice.choice(["", "/", "//", "#", "#/", "x", "/a//"]) + path.removeprefix("/")
    return path, data
