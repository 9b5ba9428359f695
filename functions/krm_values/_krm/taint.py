"""Places of values from Secrets in resources that are not Secrets, as undo records and marks list them. They are not shown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import get, index_of, parts_of, to_pointer
from krm_values._krm import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.undo_record import Record


HIDDEN = "<hidden>"
MARK = f"{names.GROUP}/from-secret"
"""The annotation of an object without an undo record that holds values from Secrets: a JSON list of pointers."""
ANY = -1
"""In a path: any index, because elements may have moved."""
TELLING = (MARK, names.RECORD)
"""Every item with withheld values contains one of these strings."""
_TELLS = re.compile(r'"(?:secret|blank)":|"Secret(?:List)?"|"[0-9a-f]{4}"')
"""What the record of an item with values from Secrets contains; four digits in one of version 0.1.0, which is not read, so that all is withheld."""


def places(annotations: Mapping[str, str], data: JSON) -> tuple[Path, ...]:
    """Return the withheld places of a resource by these annotations."""
    found: list[Path] = []
    for key, text in annotations.items():
        if key == MARK:
            found += _marked(text, data)
        elif key.startswith(names.RECORD) and _TELLS.search(text):
            found += _recorded(text, data)
    return tuple(dict.fromkeys(found))


def mark(paths: Iterable[Path]) -> str:
    """Return the text of the mark."""
    from krm_values._yaml import emit  # noqa: PLC0415 - only where something is withheld

    places = set(paths)
    outermost = {path for path in places if not any(path[:size] in places for size in range(len(path)))}
    return emit.as_json([*sorted(map(to_pointer, outermost))])


def covers(found: Iterable[Path], path: Path) -> bool:
    """Return whether one of the places is this path or above it."""
    return any(len(place) <= len(path) and _along(place, path) for place in found)


def touches(found: Iterable[Path], path: Path) -> bool:
    """Return whether one of the places is this path, above it or below it."""
    return any(_along(place, path) for place in found)


def concealed(value: Any, path: Path, found: Iterable[Path]) -> Any:
    """Return the value at a path as it may be shown: withheld values, and all values of a Secret, become `<hidden>`."""
    near = [place for place in found if _along(place, path)]
    if near and any(len(place) <= len(path) for place in near):
        return HIDDEN
    if isinstance(value, dict):
        if is_secret_data(value):
            return {
                key: concealed(inner, (*path, key), near) if key in SHOWN else _hidden(inner) for key, inner in value.items()
            }
        return {key: HIDDEN if key == APPLIED else concealed(inner, (*path, key), near) for key, inner in value.items()}
    if isinstance(value, list):
        return [concealed(inner, (*path, index), near) for index, inner in enumerate(value)]
    return HIDDEN if is_text_with_secret(value) else value


SHOWN = ("apiVersion", "kind", "metadata", "type", "immutable")
"""The fields of a Secret that may be shown."""
VALUES = ("data", "stringData")
"""The fields of a Secret that hold its values."""
APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""The annotation with a copy of the whole object as it was applied, of which nothing is shown."""
_VALUES = frozenset(VALUES)
_OF_SECRET = re.compile(r"""\bkind\\?["']?\s*:\s*\\?["']?Secret(?:List)?\b""")
_TEXTS_IN_TEXTS = 4
"""So deep are texts within texts read: what may contain a Secret below counts as one that does."""
_BETWEEN = re.compile(r"^---(?=\s)", re.MULTILINE)
_OF_REFERENCE = frozenset(("apiGroup", "apiVersion", "kind", "name", "namespace", "optional", "targetPath", "valuesKey"))


def is_secret_data(value: object) -> bool:
    """Return whether a map is a core Secret, or a list of some, and not a reference to one, which has a name and no values."""
    if (
        not isinstance(value, dict)
        or value.get("kind") not in ("Secret", "SecretList")
        or "/" in str(value.get("apiVersion", ""))
    ):
        return False
    return "name" not in value or not _OF_REFERENCE.issuperset(value)


def holds_secret(data: object) -> bool:
    """Return whether data is a Secret, or contains one."""
    if isinstance(data, dict):
        return is_secret_data(data) or any(map(holds_secret, data.values()))
    return isinstance(data, list) and any(map(holds_secret, data))


def is_text_with_secret(value: object) -> bool:
    """Return whether a string is a YAML or JSON text that contains a Secret, also in a text within it, or may be one that nobody can read."""
    return _may_contain_secret(value) and _contains_secret(value)


def _may_contain_secret(value: object) -> bool:
    return isinstance(value, str) and "Secret" in value and _OF_SECRET.search(value) is not None


@lru_cache(32)
def _contains_secret(text: str) -> bool:
    from krm_values._yaml import decode  # noqa: PLC0415 - only for such texts

    level = [text]
    for _ in range(_TEXTS_IN_TEXTS):
        below: list[str] = []
        for part in [part for one in level for part in _BETWEEN.split(one)]:
            try:
                if _finds_secret(decode.data(part), below):
                    return True
            except InputError:
                return True
        level = below
    return bool(level)


def _finds_secret(data: object, texts: list[str]) -> bool:
    """Return whether data contains a Secret. texts: gets those in which there may be one."""
    if isinstance(data, (dict, list)):
        inner = data.values() if isinstance(data, dict) else data
        return is_secret_data(data) or any([_finds_secret(one, texts) for one in inner])  # noqa: C419 - for all texts
    if _may_contain_secret(data):
        texts.append(data)  # type: ignore[arg-type]
    return False


def may_be_nested(path: Path, inner: Path | None = None) -> bool:
    """Return whether a path may be one of `in_nested`, so that a resource need not be read for others; or one in a text there, of `in_secret_of_text`."""
    return APPLIED in path or not _VALUES.isdisjoint(path[1:]) or (inner is not None and in_values(inner))


def in_nested(data: JSON, path: Path) -> bool:
    """Return whether a path leads into the values of a Secret that a resource holds, as a template does, or into a copy of a whole object."""
    if APPLIED in path:
        return True
    return any(part in VALUES and is_secret_data(get(data, path[:depth])) for depth, part in enumerate(path) if depth)


def in_values(inner: Path) -> bool:
    """Return whether a path in a text may be one of `in_secret_of_text`."""
    return not _VALUES.isdisjoint(inner)


def in_secret_of_text(data: JSON, inner: Path) -> bool:
    """Return whether a path in the data of a text leads into the values of a Secret that the text contains, or is."""
    return any(part in VALUES and is_secret_data(get(data, inner[:depth])) for depth, part in enumerate(inner))


def _hidden(value: JSON) -> JSON:
    return dict.fromkeys(value, HIDDEN) if isinstance(value, dict) else HIDDEN


def _along(place: Path, path: Path) -> bool:
    """Return whether one of the two paths is above the other or equal to it."""
    return all(
        one == other or str(one) == str(other) or (str(one) == str(ANY) and str(other).isdigit())
        for one, other in zip(place, path, strict=False)
    )


def _marked(text: str, data: JSON) -> list[Path]:
    from krm_values._yaml import decode  # noqa: PLC0415 - only where something is withheld

    try:
        listed = decode.to_data(decode.parse(text))
    except InputError:
        return [()]
    pointers = listed if isinstance(listed, list) else [listed]
    return [from_pointer(pointer, data, exact=False) if isinstance(pointer, str) else () for pointer in pointers]


def _recorded(text: str, data: JSON) -> list[Path]:
    """Return the places in a record; every place if it cannot be read."""
    from krm_values._krm import revert, undo_record  # noqa: PLC0415 - only where something is withheld

    try:
        found = undo_record.from_text(text)
    except InputError:
        return [()]
    done = revert.undo(found, data)
    was_secret = is_secret_data(done.data) and not is_secret_data(data)
    places: list[Path] = [(key,) for key in data if key not in SHOWN] if was_secret and isinstance(data, dict) else []
    return [*places, *(from_pointer(pointer, data, exact=not (done.edited or done.moved)) for pointer in _pointers(found))]


def _pointers(found: Record) -> list[str]:
    return [pointer for entry in found.entries for pointer in (*entry.blank, *([entry.path] if entry.secret else []))]


def from_pointer(pointer: str, data: JSON, *, exact: bool = True) -> Path:
    """Return a pointer as a path into the data. exact: elements have the recorded index."""
    path: list[str | int] = []
    value = data
    for part in parts_of(pointer):
        number = index_of(part) if isinstance(value, list) else None
        if number is not None:
            path.append(number if exact else ANY)
            value = get(value, (number,))
        else:
            path.append(part)
            value = get(value, (part,))
    return tuple(path)
