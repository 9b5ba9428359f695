"""What the parts of the reference share: the answer, and the run that makes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.reference.glasskube.values import (
    World,
    namespace_of,
)

Json = Any


Error = tuple[str, str, str]  # kind, Package, value


@dataclass
class Answer:
    """errors, the values of every Package, the items after the run (the input where there are errors), the Helm objects by file,
    the values of Secrets that no later run can bring back, and warnings of the kinds `target`, `secret` and `conflict`.

    made: whose the Helm object of a file is, and what of it. writers: who wrote to which item. read: values of Secrets that were read.
    unmade: the Packages that have no manifest. odd: what lint says, as (kind, manifest, definition).
    """

    errors: set[Error] = field(default_factory=set)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    items: list[Json] = field(default_factory=list)
    helm: dict[str, Json] = field(default_factory=dict)
    unkept: set[tuple[int, str, str]] = field(default_factory=set)
    warnings: set[Error] = field(default_factory=set)
    made: dict[str, tuple[str, str]] = field(default_factory=dict)
    writers: dict[int, set[str]] = field(default_factory=dict)
    read: set[tuple[int, str, str]] = field(default_factory=set)
    unmade: set[str] = field(default_factory=set)
    odd: set[Error] = field(default_factory=set)


@dataclass
class Run:
    """What all Packages share. now: the items as patched so far. touched: by which Packages of a manifest each item is a target.

    written: into which items values were put, and at which pointers, whether or not the same value stood there.
    """

    world: World
    answer: Answer
    now: list[Json]
    touched: dict[tuple[str, int], set[int]] = field(default_factory=dict)
    read: set[tuple[int, str, str]] = field(default_factory=set)
    written: set[tuple[int, str]] = field(default_factory=set)
    failed: list[tuple[Json, list[str]]] = field(default_factory=list)
    places: list[tuple[int, list[str], str]] = field(default_factory=list)


def label(package: Json) -> str:
    return f"{package['kind']}/{namespace_of(package)}/{package['metadata']['name']}"
