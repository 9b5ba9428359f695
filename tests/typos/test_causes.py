"""Each key of the documents of `FUNCTION.yaml`, misspelt in place of itself: the finding that names it comes before what follows from it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from krm_values._data.pointer import get
from krm_values._krm import findings as results
from tests.typos.test_typos import FILES, findings, names_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path

FREE = {"metadata", "apiVersion", "kind", "status"}
FEWEST = {"layered-values": 12}  # most of its documents are configs, whose mistakes end a run
"""Different fields of a function that are tried and named, at least."""


def keys(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every key, outside of what every object has."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if path or key not in FREE:
            if isinstance(key, str):
                yield (*path, key)
            yield from keys(below, (*path, key))


def misspelt(root: Any, path: Path) -> tuple[Any, str]:
    """The root with the key at a path without one of its letters, in the place where it was; and that key."""
    key = str(path[-1])
    typo = key[: len(key) // 2] + key[len(key) // 2 + 1 :]
    made = copy.deepcopy(root)
    holder = get(made, path[:-1])
    assert isinstance(holder, dict)
    entries = [(typo if one == key else one, value) for one, value in holder.items()]
    holder.clear()
    holder.update(entries)
    return made, typo


def documents(function: str) -> Iterator[tuple[dict[str, Any], Path]]:
    """A case's config and items with the path of a key in them; each field of a kind once."""
    seen = set()
    for case in FILES[function]:
        root = {"config": case.get("config", {}), "items": case["corrected"]}
        for number, item in enumerate(root["items"]):
            for path in keys(item) if isinstance(item, dict) else ():
                field = item.get("kind"), tuple(part for part in path if isinstance(part, str))
                if field not in seen and len(str(path[-1])) > 2:
                    seen.add(field)
                    yield root, ("items", number, *path)
        for path in keys(root["config"]):
            field = "config", tuple(part for part in path if isinstance(part, str))
            if len(path) > 1 and field not in seen and len(str(path[-1])) > 2:
                seen.add(field)
                yield root, ("config", *path)


@pytest.mark.parametrize("function", FILES)
def test_a_misspelt_key_is_named_before_what_follows_from_it(function):
    named = 0
    for root, path in documents(function):
        wrong, typo = misspelt(root, path)
        known = {results.line(one) for one in findings(function, root["items"], root["config"])}
        found = [one for one in findings(function, wrong["items"], wrong["config"]) if one.severity != "info"]
        new = [one for one in found if results.line(one) not in known]
        causes = [one for one in new if names_all(one, [typo, str(path[-1])]) and one.path[-1:] == (typo,)]
        for cause in causes:
            first = next(one for one in new if one.item is cause.item)
            assert first in causes, (path, [results.line(one) for one in new])
        named += bool(causes)
    assert named >= FEWEST.get(function, 20)
