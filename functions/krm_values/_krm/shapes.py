"""Unknown and misshapen keys of resources, by tables of their fields; and resources that look like a kind that a function reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._krm.plan import WRONG_SHAPE, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.plan import New, Severity

    Shape: TypeAlias = Any
    """None: not judged. A dict: a map with these keys and no others; with a key `*`: a map with any keys. A list of one: a list.

    "": a scalar. `a|b`: one of these words. A tuple: the shape in it that `data` has.
    """


UNKNOWN_KEY = "unknown-key"
_ANY = "*"
_WANTED: Mapping[type, str] = {dict: "a map", list: "a list", str: "a scalar"}
_NO_ADVICE: Mapping[str, str] = {}
_OBJECT: Mapping[str, Shape] = dict.fromkeys(("apiVersion", "kind", "metadata", "status"))
_NOT_JUDGED = ("x-", "$")  # extensions, and what kustomize reads in a patch: `$patch`
_SOPS = "sops"  # what SOPS adds to an object that it encrypts


@record
class Unknown:
    """An unknown key: the path of its map, the key, and the fields that are known there, absent ones first."""

    path: Path
    key: str
    known: tuple[str, ...]


@record
class Misshapen:
    """A field of another type than its shape: `wanted` is `a map`, `a list`, `a scalar`, or "" if it is not one of the `words`."""

    path: Path
    wanted: str
    words: tuple[str, ...]
    found: JSON


def resource(**fields: Shape) -> dict[str, Shape]:
    """Return the shape of a whole object: these top-level fields beside those that every object has."""
    return {**_OBJECT, **fields}


def unknown_keys(data: object, shape: Shape, path: Path = ()) -> Iterator[Unknown]:
    """Yield the keys of `data` that its shape does not know, in the order of the text. `path` is that of `data`.

    Extensions (`x-...`), directives of a patch (`$...`) and the key of SOPS are ignored.
    """
    shape = _fitting(data, shape)
    if isinstance(shape, dict) and isinstance(data, dict):
        free = shape.get(_ANY)
        for key, value in data.items():
            if key in shape or _ANY in shape:
                if isinstance(value, (dict, list)):
                    yield from unknown_keys(value, shape.get(key, free), (*path, key))
            elif key != _SOPS and not key.startswith(_NOT_JUDGED):
                yield Unknown(path, key, tuple(sorted(shape, key=data.__contains__)))
    elif isinstance(shape, list) and isinstance(data, list):
        for index, value in enumerate(data):
            yield from unknown_keys(value, shape[0], (*path, index))


def objects(data: JSON, shape: Shape, path: Path = ()) -> Iterator[tuple[Path, dict[str, JSON], Shape]]:
    """Yield each map whose shape is a table of fields or of any keys (`*`), with its path and the shape."""
    shape = _fitting(data, shape)
    if isinstance(shape, dict) and isinstance(data, dict):
        yield path, data, shape
        for key, value in data.items():
            if isinstance(value, (dict, list)):
                yield from objects(value, shape.get(key, shape.get(_ANY)), (*path, key))
    elif isinstance(shape, list) and isinstance(data, list):
        for index, value in enumerate(data):
            yield from objects(value, shape[0], (*path, index))


def misshapen(data: JSON, shape: Shape, path: Path = ()) -> Iterator[Misshapen]:
    """Yield the fields of `data` that are not of their shape, in the order of the text, without unknown keys.

    A null field counts as absent; a null element of a list of maps does not.
    """
    shapes, shape = shape, _fitting(data, shape)
    if isinstance(shape, dict) and isinstance(data, dict):
        for key, value in data.items():
            below = shape.get(key, shape.get(_ANY))
            if value is not None and below is not None:
                yield from misshapen(value, below, (*path, key))
    elif isinstance(shape, list) and isinstance(data, list):
        for index, value in enumerate(data):
            yield from misshapen(value, shape[0], (*path, index))
    elif shape is not None and not isinstance(data, _as_types(shape)) and (data is not None or isinstance(shape, dict)):
        wanted = [_WANTED.get(type(one), "") for one in (shapes if isinstance(shapes, tuple) else (shapes,))]
        yield Misshapen(path, " or ".join(wanted), (), data)
    elif isinstance(shape, str) and shape and data not in (None, "", *shape.split("|")):
        yield Misshapen(path, "", tuple(shape.split("|")), data)


def _fitting(data: object, shape: Shape) -> Shape:
    """Return, of several shapes, the one for the type of `data`, else the first."""
    if not isinstance(shape, tuple):
        return shape
    return next((one for one in shape if isinstance(data, type(one))), shape[0])


def _as_types(shape: Shape) -> tuple[type, ...]:
    return (str, int, float, bool) if isinstance(shape, str) else (type(shape),)


def warnings(
    item: Item | New,
    unknown: Iterable[Unknown],
    rule: str,
    advice: Mapping[str, str] = _NO_ADVICE,
    *,
    kind: str = UNKNOWN_KEY,
) -> Iterator[Finding]:
    """Yield a warning for each unknown key, with the nearest field. advice: by key, better advice than a field's name."""
    for one in unknown:
        known = f"; the fields here are {suggest.listed(sorted(one.known))}"
        hint = advice.get(one.key) or suggest.hint(one.key, one.known) or known
        text = f"`{one.key}` is not a field of this object and has no effect{hint}"
        yield Finding("warning", kind, rule, text, item, (*one.path, one.key), tags={"key": one.key})


def shape_errors(item: Item | New, found: Iterable[Misshapen], rule: str, *, severity: Severity = "error") -> Iterator[Finding]:
    """Yield an error, or a warning, for each misshapen field, with the value found, and the nearest word if only some are allowed."""
    for one in found:
        field = f"`{one.path[-1]}`" if one.path and isinstance(one.path[-1], str) else "this entry"
        wanted = one.wanted or _either(one.words)
        hint = suggest.hint(one.found, one.words) if isinstance(one.found, str) else ""
        text = f"{field} must be {wanted}, found {described(one.found)}{hint}"
        yield Finding(severity, WRONG_SHAPE, rule, text, item, one.path)


def shape_warnings(item: Item | New, shape: Shape, rule: str, path: Path = ()) -> Iterator[Finding]:
    """Yield a warning for each map or list of an object that is something else, so that what it says is not read."""
    data: Any = get(item.data, path) if path else item.data
    if data is not None:
        yield from shape_errors(item, misshapen(data, shape, path), rule, severity="warning")


def _either(words: tuple[str, ...]) -> str:
    """Format words as `a`, `a or b`, `a, b or c`."""
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


# The kinds that a function reads, and resources that look like one of them but are not read.

MISSPELT = "misspelt-kind"


@record
class Served:
    """An API group: the versions and kinds of it that a function reads, its other kinds, and other versions that exist.

    An object in another existing version is not reported here; the function itself says why it does not read it.
    """

    group: str
    versions: tuple[str, ...]
    read: tuple[str, ...]
    others: tuple[str, ...] = ()
    other_versions: tuple[str, ...] = ()


def misspelt(served: Sequence[Served], items: Iterable[Item], rule: str | None) -> Iterator[Finding]:
    """Yield a warning for each item whose kind, group or version is near to one that is read and does not exist itself, or whose key `apiVersion` or `kind` is misspelt."""
    known: dict[tuple[str, str, str], tuple[str, str]] = {}
    for item in items:
        if not item.kind or not item.api_version:
            field, text = incomplete(served, item.data, item.api_version, item.kind)
            if text:
                yield Finding("warning", MISSPELT, rule, text, item, (field,))
            continue
        called = (item.group, item.version, item.kind)
        if called not in known:
            known[called] = fault(served, *called)
        field, text = known[called]
        if text:
            yield Finding("warning", MISSPELT, rule, text, item, (field,))


def incomplete(served: Sequence[Served], data: object, api_version: str, kind: str) -> tuple[str, str]:
    """Return (key, message) for an object that would be read if its key `apiVersion` or `kind` were not misspelt; else two empty strings."""
    lacks, group = "kind" if api_version else "apiVersion", api_version.rpartition("/")[0]
    is_ours = any(kind in one.read or (lacks == "kind" and group == one.group) for one in served)
    found = suggest.nearest(lacks, data) if is_ours and isinstance(data, dict) and lacks not in data else ""
    text = f"`{found}` is not a field of a resource, so this is not read; did you mean `{lacks}`?"
    return (found, text) if found else ("", "")


def fault(served: Sequence[Served], group: str, version: str, kind: str) -> tuple[str, str]:
    """Return the wrong field in the header of an item, and the message; two empty strings if nothing is wrong."""
    near_group = suggest.nearest(group or version, [one.group for one in served])
    one = next((one for one in served if one.group == near_group), None)
    if one is None:
        return "", ""
    if not group:
        near = one.versions[0] if one.versions else "VERSION"
        text = f'"{version}" is not a group and a version, so this {kind} is not read; did you mean `{near_group}/{near}`?'
        return ("apiVersion", text) if kind in one.read else ("", "")
    if group != near_group and kind in one.read:
        text = f'the group "{group}" is not known, so this {kind} is not read; did you mean `{near_group}/{version}`?'
        return "apiVersion", text
    if group == near_group and kind not in (*one.read, *one.others):
        near = suggest.nearest(kind, (*one.read, *one.others))
        text = f'"{kind}" is not a kind of {group}, so this is not read; did you mean `{near}`?'
        return ("kind", text) if near in one.read else ("", "")
    if group == near_group and kind in one.read and one.versions and version not in (*one.versions, *one.other_versions):
        near = suggest.nearest(version, one.versions) or one.versions[0]
        return "apiVersion", f'the version "{version}" of {group} is not known; did you mean `{group}/{near}`?'
    return "", ""
