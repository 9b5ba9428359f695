"""Values as messages show them: as JSON, or with their JSON type where the type is the mistake."""

from __future__ import annotations

from krm_values._kit.scalars import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON


def as_json(value: JSON) -> str:
    """`"75"`, `75`, `true`, `null`; a collection is not shown, only what it is."""
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    return f'"{value}"' if isinstance(value, str) else text_of(value) or "null"


def described(value: JSON) -> str:
    """`string "75"`, `number 75`, `boolean true`, `null`, `a map`, `a list`."""
    if value is None or isinstance(value, dict | list):
        return as_json(value)
    return f"{type_of(value)} {as_json(value)}"


def with_article(value: JSON) -> str:
    """`a string`, `a map`, `null`: for values that must not be shown."""
    return "null" if value is None else f"a {type_of(value)}"


def type_of(value: JSON) -> str:
    """The name of the value's JSON type."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, dict | list | str):
        return "map" if isinstance(value, dict) else "list" if isinstance(value, list) else "string"
    return "null" if value is None else "number"
