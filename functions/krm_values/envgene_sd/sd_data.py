"""`SD_DATA`: JSON text, whose numbers keep their text, or the structure itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.scalars.text import Float, Int
from krm_values._yaml import emit

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_LEVELS = 150  # of collections in collections; an item is read with 200
_DEEP = f"it must not nest deeper than {_LEVELS} levels"


class DataError(ValueError):
    """A string that is not JSON. `line` and `column` count from 1 and are 0 where unknown."""

    line = column = 0


def parse(text: str) -> JSON:
    """Return the value of JSON text. DataError if it is not JSON, repeats a key, or has a number that JSON does not know."""
    import json  # noqa: PLC0415 - only where there is such a text

    try:
        found: JSON = json.loads(text, parse_float=Float, parse_int=_whole, parse_constant=_refused, object_pairs_hook=_object)
    except RecursionError:
        raise DataError(_DEEP) from None
    except json.JSONDecodeError as error:
        refused = DataError(error.msg)
        refused.line, refused.column = error.lineno, error.colno
        raise refused from None
    if text.count("[") + text.count("{") > _LEVELS and _depth(found) > _LEVELS:
        raise DataError(_DEEP)
    if "\\u" in text:
        _check_characters(json.dumps(found, ensure_ascii=False))
    return found


def checked(value: JSON) -> JSON:
    """Return a structure given instead of the text. DataError if it has a number that JSON does not know."""
    try:
        emit.as_json(value)
    except EditError as error:
        raise DataError(error.message) from None
    return value


def _check_characters(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DataError(f"it holds \\u{ord(text[error.start]):04x}, half of a character") from None


def _depth(value: JSON) -> int:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, below), default=0) if isinstance(value, dict | list) else 0


def _whole(text: str) -> int | Float:
    try:
        value = int(text)
    except ValueError:  # more digits than Python converts
        return Float(text)
    return value if str(value) == text else Int(value, text)


def _refused(word: str) -> JSON:
    raise DataError(f"it holds {word}")


def _object(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise DataError(f'it repeats the key "{repeated}"')
    return found
