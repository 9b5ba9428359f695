"""The content of a ConfigMap or Secret: its strings by data key, and whether SOPS has encrypted it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.shown import described, type_of
from krm_values._kit.planner import fields
from krm_values._kit.planner.item import is_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding

_ENCRYPTED = "ENC["
_NO_KEY = ""  # no key of an object
_SHAPES = {
    "ConfigMap": fields.resource(data=None, binaryData=None, immutable=None),
    "Secret": fields.resource(data=None, stringData=None, type=None, immutable=None),
}
"""The fields of both kinds in version 1 of the Kubernetes API."""


@record
class ObjectData:
    """The strings of an object by data key, the field that holds each, and the faults as (path, message) pairs."""

    texts: dict[str, str]
    paths: dict[str, Path]
    faults: tuple[tuple[Path, str], ...] = ()


def read_data(item: Item, only: str | None = None) -> ObjectData:
    """Read a ConfigMap's `data`, or a Secret's `data` (base64) overridden by `stringData`. `binaryData` is not text.

    only: the one key to read; the others are only checked to be strings.
    """
    found = ObjectData({}, {})
    faults: list[tuple[Path, str]] = []
    for field in _fields(item):
        _take(item, field, only, found, faults)
    return ObjectData(found.texts, found.paths, tuple(faults))


def unknown_keys(item: Item, rule: str) -> Iterator[Finding]:
    """Yield a warning, of this rule, for each key of a ConfigMap or Secret that is not a field, so that its value is lost."""
    shape = None if item.group else _SHAPES.get(item.kind)
    yield from fields.warnings(item, fields.unknown_keys(item.data, shape), rule)


def is_encrypted(item: Item) -> bool:
    """Return whether SOPS has encrypted the object: it has a `sops` map at the top, or a value that begins with `ENC[`."""
    data = item.data if isinstance(item.data, dict) else {}
    fields = (data.get(field) for field in ("data", "stringData"))
    values = [value for field in fields if isinstance(field, dict) for value in field.values()]
    return isinstance(data.get("sops"), dict) or any(
        isinstance(value, str) and value.startswith(_ENCRYPTED) for value in values
    )


class Objects:
    """The content of the ConfigMaps and Secrets of a run; each is examined once, however many references name it."""

    __slots__ = ("_encrypted", "_held", "_misshapen", "_seen")

    def __init__(self) -> None:
        self._encrypted: dict[int, bool] = {}
        self._held: dict[int, ObjectData] = {}
        self._seen: set[int] = set()
        self._misshapen: dict[int, ObjectData] = {}

    def is_encrypted(self, item: Item) -> bool:
        """Return whether SOPS has encrypted the object."""
        if item.number not in self._encrypted:
            self._encrypted[item.number] = is_encrypted(item)
        return self._encrypted[item.number]

    def unknown_keys(self, item: Item, rule: str) -> list[Finding]:
        """Return a warning, of this rule, for each unknown key of an object; once per object."""
        if item.number in self._seen:
            return []
        self._seen.add(item.number)
        return [*unknown_keys(item, rule)]

    def content(self, item: Item) -> ObjectData:
        """Return the whole content of the object."""
        if item.number not in self._held:
            self._held[item.number] = read_data(item)
        return self._held[item.number]

    def at(self, item: Item, key: str) -> ObjectData:
        """Return its content at one key; of the other keys only whether they are strings."""
        if item.number not in self._misshapen:
            self._misshapen[item.number] = read_data(item, only=_NO_KEY)
        known = self._misshapen[item.number]
        found, faults = ObjectData({}, {}), [*known.faults]
        for field in _fields(item):
            entries = item.data.get(field) if isinstance(item.data, dict) else None
            if isinstance(entries, dict) and isinstance(entries.get(key), str):
                _take_one(item, (field, key), found, faults)
        return ObjectData(found.texts, found.paths, tuple(faults))


def encode(text: str) -> str:
    """Return the text as a Secret's `data` holds it: base64 of UTF-8, on one line."""
    from base64 import b64encode  # noqa: PLC0415 - only where a Secret is written

    return b64encode(text.encode()).decode()


def decode(value: str) -> str:
    """Return the text of a Secret's `data` value. ValueError says what is wrong with it."""
    from base64 import b64decode  # noqa: PLC0415 - only where a Secret is read

    try:
        raw = b64decode(value.replace("\r", "").replace("\n", ""), validate=True)
    except ValueError:
        raise ValueError("must be base64") from None
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _decoded(raw, "utf-16")
    return _decoded(raw, "utf-8")


def _decoded(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        raise ValueError("must be base64 of text in UTF-8") from None


def _take(item: Item, field: str, only: str | None, found: ObjectData, faults: list[tuple[Path, str]]) -> None:
    entries = item.data.get(field) if isinstance(item.data, dict) else None
    if entries is None:
        return
    if not isinstance(entries, dict):
        faults.append(((field,), f"must be a map of strings; found {type_of(entries)}"))
        return
    for key, value in entries.items():
        if only not in (None, key) and isinstance(value, str):
            continue
        _take_one(item, (field, key), found, faults)


def _take_one(item: Item, path: tuple[str, str], found: ObjectData, faults: list[tuple[Path, str]]) -> None:
    field, key = path
    try:
        found.texts[key], found.paths[key] = _text(item, field, get(item.data, path)), path
    except ValueError as error:
        faults.append((path, str(error)))


def _fields(item: Item) -> tuple[str, ...]:
    return ("data", "stringData") if is_secret(item) else ("data",)


def _found(item: Item, value: JSON) -> str:
    """Describe the value found; of a Secret only its type."""
    return type_of(value) if is_secret(item) else described(value)


def _text(item: Item, field: str, value: JSON) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text, found {_found(item, value)}: quote it, or write it as a block (`|`)")  # noqa: TRY004 - of the object, not of our call
    return decode(value) if field == "data" and is_secret(item) else value
