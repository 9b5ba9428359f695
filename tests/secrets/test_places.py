"""The law where another function put a Secret's value into any field of any resource: a mark says so, and nobody quotes it."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from krm_values._data.pointer import get, to_pointer
from krm_values._krm.taint import MARK
from tests.conformance.test_cases import ALL
from tests.secrets.markers import Marker, in_text
from tests.secrets.test_cases import given, said_of

A = Marker("first")
NAMES = ("name", "generateName", "kind", "apiVersion", "namespace", "key", "apiGroup", "op", "path", "type", "targetPath")
"""Fields that name things: no values."""
CASES = [case for case in ALL if not case.values[0].unmet(case.values[1])]


def scalars(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of texts that a resource holds as values."""
    if isinstance(value, str):
        return [path] if value and path[-1] not in NAMES else []
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [
        found
        for key, inner in below
        if path or key not in ("apiVersion", "kind", "metadata")
        for found in scalars(inner, (*path, key))
    ]


def placed(case: dict[str, Any], spell: Callable[[str], str] = lambda text: in_text(text, A)) -> list[Any] | None:
    """The case's items with a marker at one place, marked as out of a Secret; None where there is no such place."""
    items = deepcopy(case["input"])
    dice = random.Random(case["id"])
    found = [
        (item, path) for item in items if isinstance(item, dict) and item.get("kind") != "Secret" for path in scalars(item)
    ]
    if not found:
        return None
    item, path = dice.choice(found)
    get(item, path[:-1])[path[-1]] = spell(get(item, path))  # type: ignore[index,arg-type]
    item["metadata"]["annotations"] = {**(item["metadata"].get("annotations") or {}), MARK: f'["{to_pointer(path)}"]'}
    return items


@pytest.mark.parametrize(
    "some", [pytest.param(some, id=some[0].id) for some in (CASES[at : at + 40] for at in range(0, len(CASES), 40))]
)
def test_nobody_quotes_what_came_out_of_a_secret(some):
    for case in some[::2]:
        system, data = case.values
        items = placed(data)
        if items:
            said_of(given(system, data, items))


SPELLED = (
    "$(@@",
    "$(params.@@",
    "{{ @@",
    "{{ .@@ | @@ }}",
    "(@@",
    "{.@@",
    "[@@",
    "@@,@@=",
    "{@@: [",
    "*@@",
    "/@@/~2",
    "a.@@[@@",
    "!@@ x",
    "@@:@@:@@",
)
"""Texts that their readers stumble over: references, templates, patterns, paths, YAML."""


@pytest.mark.parametrize(
    "some", [pytest.param(some, id=some[0].id) for some in (CASES[at : at + 40] for at in range(0, len(CASES), 40))]
)
def test_nobody_quotes_a_piece_of_what_cannot_be_read(some):
    for number, case in enumerate(some[1::2]):
        system, data = case.values
        spelled = SPELLED[number % len(SPELLED)].replace("@@", A.text)
        items = placed(data, lambda _, spelled=spelled: spelled)
        if items:
            said_of(given(system, data, items))
