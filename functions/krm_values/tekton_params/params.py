"""The entries of a list `params`: values and declarations, and their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.record import record
from krm_values._data.scalars.tags import like
from krm_values._data.scalars.text import text_of
from krm_values._yaml.emit import as_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

    Entry = TypeVar("Entry", "Value", "Declaration")

TYPES = ("string", "array", "object")
_CARRIED = ("description", "properties", "default")


@record
class Value:
    """A param's value in a run, a pipeline task or a matrix; `path` is that of the entry."""

    name: str
    value: JSON
    path: Path
    written: bool = True  # whether there is a `value`

    @property
    def parts(self) -> dict[str, JSON]:
        """The authored parts of the entry, by key."""
        return {"name": self.name, "value": self.value}


@record
class Declaration:
    """A param's declaration. `type` is filled in where it is not written; "" if the written type is unknown."""

    name: str
    type: str
    data: dict[str, JSON]
    path: Path

    @property
    def parts(self) -> dict[str, JSON]:
        """The authored parts of the entry, by key."""
        return {"name": self.name, "default": self.default, "enum": self.data.get("enum")}

    @property
    def properties(self) -> dict[str, JSON] | None:
        """The keys of an object, each with its type filled in; None if no `properties` are written."""
        properties = self.data.get("properties")
        return {key: _property(entry) for key, entry in properties.items()} if isinstance(properties, dict) else None

    @property
    def default(self) -> JSON:
        return self.data.get("default")

    @property
    def has_default(self) -> bool:
        return self.default is not None

    @property
    def enum(self) -> tuple[str, ...]:
        enum = self.data.get("enum")
        return tuple(text(choice) for choice in enum if not isinstance(choice, dict | list)) if isinstance(enum, list) else ()

    @property
    def carried(self) -> dict[str, JSON]:
        """What a copy carries besides name and type, in the order written."""
        found = {
            key: self.properties if key == "properties" else value
            for key, value in self.data.items()
            if key in _CARRIED and value is not None and (key != "properties" or self.properties is not None)
        }
        return like(self.data, found)


def values(entries: JSON, path: Path) -> tuple[Value, ...]:
    """Return the values of a list `params`; entries without a name are skipped."""
    return tuple(Value(name, entry.get("value"), at, "value" in entry) for name, entry, at in named(entries, path))


def declarations(entries: JSON, path: Path) -> tuple[Declaration, ...]:
    """Return the declarations of a list `params`; entries without a name are skipped."""
    return tuple(Declaration(name, _declared_type(entry), entry, at) for name, entry, at in named(entries, path))


def named(entries: JSON, path: Path) -> Iterator[tuple[str, dict[str, JSON], Path]]:
    """Yield each entry that is a map with a name. A name that is not a string is taken as its text."""
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and name is not None and not isinstance(name, dict | list):
            yield text(name), entry, (*path, index)


def first(entries: Iterable[Entry]) -> list[Entry]:
    """Return the first entry of each name, in order."""
    found: dict[str, Entry] = {}
    for entry in entries:
        found.setdefault(entry.name, entry)
    return list(found.values())


def matrix_values(matrix: JSON, path: Path) -> tuple[Value, ...]:
    """Return the values that a matrix supplies: its params, then the rows of `include`. A list is read as its params."""
    if isinstance(matrix, list):
        return values(matrix, path)
    if not isinstance(matrix, dict):
        return ()
    rows = matrix.get("include")
    included = (
        value
        for index, row in enumerate(rows if isinstance(rows, list) else ())
        if isinstance(row, dict)
        for value in values(row.get("params"), (*path, "include", index, "params"))
    )
    return (*values(matrix.get("params"), (*path, "params")), *included)


def shape(value: JSON) -> str:
    """Return the type of a value by its form: a list of strings, a map of strings; anything else is a string."""
    if isinstance(value, list) and all(isinstance(member, str | None) for member in value):
        return "array"
    if isinstance(value, dict) and all(isinstance(member, str | None) for member in value.values()):
        return "object"
    return "string"


def text(value: JSON) -> str:
    """Return a value as the string that Tekton makes of it: a scalar's text, or compact JSON ("" if JSON has no such number)."""
    if isinstance(value, str | bool | None) or type(value) is int:
        return text_of(value)
    from krm_values._golang.encoding_json import by_value, number_text  # noqa: PLC0415 - few values are not strings

    try:
        return as_json(by_value(value)) if isinstance(value, dict | list) else number_text(value)
    except EditError:
        return ""


def keys(names: tuple[str, ...]) -> dict[str, JSON]:
    """Return the properties of an object with these keys."""
    return {name: {"type": "string"} for name in names}


def a(kind: str) -> str:
    """Return a type with its article."""
    return f"an {kind}" if kind[:1] in "ao" else f"a {kind}"


def _declared_type(entry: dict[str, JSON]) -> str:
    written = entry.get("type")
    if written not in (None, ""):
        return written if isinstance(written, str) and written in TYPES else ""
    if isinstance(entry.get("properties"), dict):
        return "object"
    return shape(entry.get("default"))


def _property(entry: JSON) -> JSON:
    if entry is None:
        return {"type": "string"}
    if not isinstance(entry, dict) or entry.get("type") not in (None, ""):
        return entry
    return {**entry, "type": "string"}
