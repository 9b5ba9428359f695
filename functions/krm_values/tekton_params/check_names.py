"""Checks of names: their characters, and that none is given twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values.tekton_params.params import first, named, shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Declaration, Value
    from krm_values.tekton_params.propagate import Passed

_NAME = re.compile(r"[_a-zA-Z][_a-zA-Z0-9.-]*")
_OBJECT = re.compile(r"[_a-zA-Z][_a-zA-Z0-9-]*")


def of_values(place: Place, values: Iterable[Value]) -> Iterator[Finding]:
    """Check the characters of the names of values and of the keys of objects."""
    for value in values:
        kind = shape(value.value)
        yield from _spelling(place, value.name, kind, value.path)
        yield from _keys(place, value.name, value.value if kind == "object" else None, value.path)


def of_declarations(place: Place, declared: Iterable[Declaration]) -> Iterator[Finding]:
    """Check the characters of the names of declarations and of the keys of objects; and names declared twice."""
    declared = tuple(declared)
    for one in declared:
        yield from _spelling(place, one.name, one.type, one.path)
        yield from _keys(place, one.name, {**(one.properties or {})} if one.type == "object" else None, one.path)
    yield from twice(place, declared)


def of_unquoted(place: Place, entries: JSON, path: Path) -> Iterator[Finding]:
    """Report names that are not strings."""
    for name, entry, at in named(entries, path):
        if not isinstance(entry["name"], str):
            text = f"a name must be a string; quote it: `'{name}'`"
            yield place.error("43", "bad-name", (*at, "name"), name, text, found=entry["name"])


def twice(place: Place, entries: Iterable[Value | Declaration]) -> Iterator[Finding]:
    """Report names that one list has twice."""
    seen: dict[str, Path] = {}
    for entry in entries:
        if entry.name in seen:
            yield place.error("42", "duplicate-name", entry.path, entry.name, "appears more than once in this list; remove one")
        seen.setdefault(entry.name, entry.path)


def twice_in_matrix(place: Place, values: Iterable[Value]) -> Iterator[Finding]:
    """Report names that the params of a matrix, or one row of it, have twice."""
    lists: dict[Path, list[Value]] = {}
    for value in values:
        lists.setdefault(value.path[:-1], []).append(value)
    for entries in lists.values():
        yield from twice(place, entries)


def twice_in_run(place: Place, values: Iterable[Value]) -> Iterator[Finding]:
    """Report names that a run gives twice, compared without case."""
    seen: dict[str, str] = {}
    for value in values:
        other = seen.setdefault(value.name.lower(), value.name)
        if other != value.name:
            text = f"differs from {other} by case only, which is the same name for Tekton; rename one"
            yield place.error("42", "duplicate-name", value.path, value.name, text)
    yield from twice(place, values)


def twice_in_task(place: Place, passed: Passed, known: frozenset[str]) -> Iterator[Finding]:
    """Report names of a task's final values that differ by case only. known: those reported before, in lower case."""
    task = passed.task
    seen: dict[str, str] = {}
    paths = {value.name: value.path for value in first((*task.values, *task.matrix))}
    for name in dict.fromkeys((*paths, *passed.passes)):
        other = seen.setdefault(name.lower(), name)
        if other != name and name.lower() not in known:
            path = paths.get(name, task.path)
            text = (
                f"{place.task} gets it beside {other}, which differs by case only and is the same name for Tekton; rename one"
            )
            yield place.error("42", "duplicate-name", path, name, text)


def by_case(values: Iterable[Value]) -> frozenset[str]:
    """Return the names, in lower case, that are given in more than one spelling."""
    spellings: dict[str, set[str]] = {}
    for value in values:
        spellings.setdefault(value.name.lower(), set()).add(value.name)
    return frozenset(name for name, found in spellings.items() if len(found) > 1)


def _spelling(place: Place, name: str, kind: str, path: Path) -> Iterator[Finding]:
    if kind == "object" and not _OBJECT.fullmatch(name):
        text = "the name of an object may have letters, digits, `-` and `_` and begins with a letter or `_`; rename it"
        yield place.error("43", "bad-name", path, name, text)
    elif not _NAME.fullmatch(name):
        text = "a name may have letters, digits, `-`, `_` and `.` and begins with a letter or `_`; rename it"
        yield place.error("43", "bad-name", path, name, text)


def _keys(place: Place, name: str, value: JSON, path: Path) -> Iterator[Finding]:
    for key in value if isinstance(value, dict) else ():
        if not _OBJECT.fullmatch(key):
            text = "a key may have letters, digits, `-` and `_` and begins with a letter or `_`; rename it"
            yield place.error("43", "bad-name", path, f"{name}.{key}", text)
