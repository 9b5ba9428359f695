"""What holds for every stack: a second run changes nothing, an undone run leaves the resources as they were, the order of items does not matter."""

from __future__ import annotations

import difflib
import random
from typing import Any

from tests.reference.layered_values.compare import Answer, answer, listed, means
from tests.reference.layered_values.made import Stack, plain
from tests.reference.layered_values.scalars import documents, written

Json = Any


def broken(seed: int) -> list[str]:
    """The laws that one stack breaks."""
    stack = Stack(seed)
    first = answer(listed(stack.items, stack.config))
    if first.errors:
        return []
    return [*_again(first), *_undone(stack, first), *_shuffled(stack, first)]


def _again(first: Answer) -> list[str]:
    second = answer(first.out)
    changed = _items(second.out) != _items(first.out)
    return ["a second run changes:", *_changes(_items(first.out), _items(second.out))] if changed else []


def _undone(stack: Stack, first: Answer) -> list[str]:
    """A config that writes nothing gives the resources back: the data, since a record does not keep how removed values were quoted."""
    nothing = {"kind": "Nothing", "optional": plain("true"), "fields": {"spec.a": "a"}}
    config = {"layers": [{"values": {"a": "b"}}], "targets": [nothing]}
    head = listed([], config).decode().split("\nitems:")[0] + "\n"
    after = answer((head + _items(first.out)).encode())
    before = _items(listed(stack.items, config))
    if means(documents(_items(after.out), go=False), documents(before, go=False)) or "secret-stays" in after.warnings:
        return []
    return ["undone, the items are:", *_changes(before, _items(after.out)), *after.findings]


def _changes(before: str, after: str) -> list[str]:
    return list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))


def _items(whole: bytes) -> str:
    """The bytes of the items of a list as `listed` writes it."""
    return whole[whole.index(b"\nitems:") + 1 :].decode().split("\nresults:")[0].removesuffix("\n") + "\n"


def _shuffled(stack: Stack, first: Answer) -> list[str]:
    items = list(stack.items)
    random.Random(1).shuffle(items)
    other = answer(listed(items, stack.config))
    one, two = (written({"items": sorted(found.items, key=_key)}) for found in (first, other))
    return [] if one == two else ["another order of items gives:", *_changes("\n".join(one), "\n".join(two))]


def _key(item: Json) -> tuple[str, ...]:
    metadata = item["metadata"]
    return item["apiVersion"], item["kind"], metadata.get("namespace", ""), metadata["name"]
