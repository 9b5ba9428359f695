"""References of a schema that lead back to themselves without descending into the checked value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, to_field

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path

_LISTS = ("allOf", "anyOf", "oneOf")
_MAPS = ("properties", "$defs", "definitions")
_BELOW = ("items", "additionalProperties", "not")


def of_schema(root: Any) -> Iterator[tuple[Path, str]]:
    """Yield each reference that closes a loop: its path in the schema, and the schemas of the loop."""
    done: set[int] = set()
    for path, form in forms(root, ()):
        if id(form) not in done:
            yield from _search(root, path, form, done)


def target(root: Any, reference: object) -> tuple[Path, Any]:
    """Return the path that a `$ref` names, and the schema there; ABSENT if there is none."""
    path: Path = ()
    value: Any = root
    for part in str(reference).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        step = int(name) if isinstance(value, list) and name.isdecimal() else name
        path, value = (*path, step), get(value, (step,), ABSENT)
    return path, value


def _search(root: Any, path: Path, form: Any, done: set[int]) -> Iterator[tuple[Path, str]]:
    """Yield the loops that are reachable from a schema, each once."""
    way, on = [(path, form, _applied(root, path, form))], {id(form)}
    while way:
        _, here, edges = way[-1]
        at, below, found = next(edges, ((), (), None))
        if found is None:
            way.pop()
            on.discard(id(here))
            done.add(id(here))
        elif id(found) in on:
            begin = next(index for index, (_, one, _) in enumerate(way) if one is found)
            yield at, " -> ".join(f"`{to_field(one) or '.'}`" for one in [*(one for one, _, _ in way[begin:]), below])
        elif id(found) not in done:
            on.add(id(found))
            way.append((below, found, _applied(root, below, found)))


def _applied(root: Any, path: Path, form: Any) -> Iterator[tuple[Path, Path, Any]]:
    """Yield the schemas that apply to the same value: the path of the keyword, the path of the schema, and the schema."""
    if isinstance(form.get("$ref"), str):
        below, found = target(root, form["$ref"])
        if isinstance(found, dict):
            yield (*path, "$ref"), below, found
    for word in _LISTS:
        for index, part in enumerate(form[word] if isinstance(form.get(word), list) else ()):
            if isinstance(part, dict):
                yield (*path, word, index), (*path, word, index), part
    if isinstance(form.get("not"), dict):
        yield (*path, "not"), (*path, "not"), form["not"]


def forms(form: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield a schema and all schemas in it."""
    if not isinstance(form, dict):
        return
    yield path, form
    for word in _BELOW:
        yield from forms(form.get(word), (*path, word))
    for word in _LISTS:
        for index, part in enumerate(form[word] if isinstance(form.get(word), list) else ()):
            yield from forms(part, (*path, word, index))
    for word in _MAPS:
        for key, part in form[word].items() if isinstance(form.get(word), dict) else ():
            yield from forms(part, (*path, word, key))
