"""Random paths of a transformation's source, and objects that they are for."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

from krm_values._go import encoding_json
from krm_values._go.jsonpath import unstructured
from krm_values._go.jsonpath_parser import PathError
from krm_values.glasskube_values.patches import Sources, follow
from tests.oracles.cartographer.data import LABELS
from tests.oracles.cartographer.paths import Paths
from tests.oracles.go import ask

RANGE = "`range`"
OFTEN = 64


@dataclass
class Followed:
    path: str
    data: dict[str, Any]


class SourcePaths(Paths):
    """In braces as package authors write them; now and then with text or another pair beside."""

    def _wrapped(self, path: str) -> str:
        found = "{" + self.dice.choice(["", "", " ", "$", " $", "@"]) + path + self.dice.choice(["", "", " "]) + "}"
        if self.maybe(0.9):
            return found
        return self.dice.choice([path, "text", "", f"x{found}", f"{found} ", found * 2, f"{{range {path}}}{{end}}", "{end}"])


def make(dice: random.Random) -> Followed:
    """An object and a path that mostly follows it."""
    source = SourcePaths(dice)
    source.features = set()
    spec = {"ports": source.alike(), "replicas": 2, "weight": 2.5, "more": source.value()}
    data = {"apiVersion": "v1", "kind": "X", "metadata": {"name": "n", "labels": dict(LABELS)}, "spec": spec}
    return Followed(source.path(data), data)


def question(made: Followed) -> object:
    """For the oracle."""
    return {"text": made.path, "data": json.dumps(made.data)}


def judge(made: Followed, answer: dict[str, Any], found: Any) -> None:
    """Count, and tell a difference."""
    theirs = answer.get("value")
    found.taken += theirs is not None
    try:
        ours: Any = _stored(follow(made.path, made.data, "it", Sources())[1])
    except PathError as error:
        ours = None
        if theirs is not None and RANGE in error.fact:
            found.refused[RANGE] += 1
            return
    if ours == _read(answer):
        return
    if any(ours == _read(again) for again in ask("glasskube", [{"ask": "path", "path": question(made)}] * OFTEN)):
        found.apart += 1  # Go walks a map in no order, and an empty list ends an index before it meets what is no list
    else:
        found.differences.append(f"{made}: upstream {answer}, ours {ours}")


def _read(answer: dict[str, Any]) -> str | None:
    theirs = answer.get("value")
    return None if theirs is None else _stored(encoding_json.decode(theirs))


def _stored(value: Any) -> str:
    """The JSON of what the API server makes of a value: we leave numbers as they are written."""
    return encoding_json.text(unstructured(value))
