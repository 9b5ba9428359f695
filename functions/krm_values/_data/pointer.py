"""Paths into plain data: a tuple of keys and indexes, and its two text forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from enum import Enum
    from typing import Final, TypeAlias, TypeVar, overload

    from krm_values._data.values import JSON

    Path: TypeAlias = tuple[str | int, ...]
    T = TypeVar("T")

    class Absent(Enum):
        """The type of `ABSENT`: for type checkers an enum, so that `is not ABSENT` leaves the data."""

        ABSENT = 0

    ABSENT: Final = Absent.ABSENT
else:
    ABSENT = object()
_INDEX_DIGITS = 9
_BREAKS = (*range(32), *range(127, 160), 0x2028, 0x2029)  # these would break or hide part of a line
_ESCAPED = {
    **{code: f"\\u{code:04x}" for code in _BREAKS},
    **str.maketrans({"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}),
}
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def to_pointer(path: Path) -> str:
    """Format a path as an RFC 6901 pointer: `/spec/params/0`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def parts_of(pointer: str) -> tuple[str, ...]:
    """Return the parts of such a pointer, indexes as they are written."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])


def to_field(path: Path) -> str:
    """Format a path for messages: `spec.params[0].value`, `metadata.labels["a.b/c"]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part and _PLAIN.issuperset(part):
            text += f".{part}" if text else part
        else:
            text += f'["{part.translate(_ESCAPED)}"]'
    return text


def index_of(part: str) -> int | None:
    """Return the index that a string of at most nine digits names; None for any other string."""
    return int(part) if len(part) <= _INDEX_DIGITS and part.isascii() and part.isdigit() else None


if TYPE_CHECKING:

    @overload
    def get(data: JSON, path: Path) -> JSON: ...
    @overload
    def get(data: JSON, path: Path, default: T) -> JSON | T: ...


def get(data: JSON, path: Path, default: object = None) -> object:
    """Return the value at `path`, or `default` if a key is missing, an index is out of range or a parent is not a collection."""
    value: object = data
    for part in path:
        if isinstance(value, dict):
            if part not in value:
                return default
            value = value[part]
        elif isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value):
            value = value[part]
        else:
            return default
    return value


def scalars(data: JSON, path: Path = ()) -> Iterator[tuple[Path, JSON]]:
    """Yield each scalar of a value at any depth, with its path. path: that of the value itself."""
    if isinstance(data, dict):
        entries: Iterable[tuple[str | int, JSON]] = data.items()
    elif isinstance(data, list):
        entries = enumerate(data)
    else:
        yield path, data
        return
    for part, entry in entries:
        if isinstance(entry, (dict, list)):
            yield from scalars(entry, (*path, part))
        else:
            yield (*path, part), entry
