"""Keys of an SD that look like a misspelt field. SDs have no schema, so a key that is near to no field is accepted.

Source: the fields in EnvGene's documents and code (`docs/envgene-objects.md`, `process_sd.py`, at dae2862f).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._kit.planner.fields import UNKNOWN_KEY
from krm_values._kit.planner.plan import WRONG_SHAPE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding
    from krm_values.envgene_sd.place import Place

DESCRIPTOR = ("version", "type", "deployMode", "applications", "deployGraph", "userData")
APPLICATION = ("version", "deployPostfix", "alias")
CHUNK = ("chunkName", "apps")
USER_DATA = ("useDeployPostfixAsNamespace",)
_SYNONYMS: dict[tuple[str, tuple[str, ...]], str] = {("name", CHUNK): "chunkName"}


@record
class NearKey:
    """A key that is near to a field: its path within the SD, the field, and its owner in words."""

    path: Path
    field: str
    owner: str

    @property
    def key(self) -> str:
        return str(self.path[-1])


def find(data: JSON) -> Iterator[NearKey]:
    """Yield the near keys of an SD, of its applications, of the chunks of its graph, and of its `userData`."""
    if not isinstance(data, dict):
        return
    yield from _of(data, DESCRIPTOR, (), "")
    for index, entry in enumerate(_list(data.get("applications"))):
        yield from _of(entry, APPLICATION, ("applications", index), f" of {label(entry) or f'application {index}'}")
    for index, chunk in enumerate(_list(data.get("deployGraph"))):
        named = chunk.get("chunkName", chunk.get("name")) if isinstance(chunk, dict) else None
        yield from _of(chunk, CHUNK, ("deployGraph", index), f" of the chunk {named if isinstance(named, str) else index}")
    yield from _of(data.get("userData"), USER_DATA, ("userData",), " of `userData`")


def label(entry: JSON) -> str:
    """Return the name of an application of any type; "" if it has none."""
    text = entry.get("version") if isinstance(entry, dict) else entry
    return text.partition(":")[0] if isinstance(text, str) else ""


def instead_of(field: str, entry: JSON, fields: Iterable[str]) -> str:
    """Return `; found `NAME`, did you mean `FIELD`?` if an entry has a near key instead of a required field; else ""."""
    near = next((one.key for one in _of(entry, tuple(fields), (), "") if one.field == field), "")
    return f"; found `{near}`, did you mean `{field}`?" if near else ""


def warnings(found: Iterable[NearKey], place: Place) -> Iterator[Finding]:
    """Yield a warning for each near key: it is stored, but nothing reads it."""
    for one in found:
        text = f"`{one.key}`{one.owner} in {place.title} is not a field that EnvGene reads; did you mean `{one.field}`?"
        yield place.finding("warning", UNKNOWN_KEY, "S35", text, one.path)


def wrong_shapes(data: JSON, place: Place) -> Iterator[Finding]:
    """Yield a warning for a `userData` that is not a map and a marker that is not a boolean: neither is read."""
    found = data.get("userData") if isinstance(data, dict) else None
    marker = found.get(USER_DATA[0]) if isinstance(found, dict) else None
    if found is not None and not isinstance(found, dict):
        text = f"`userData` of {place.title} must be a map, found {described(found)}: nothing in it is read"
        yield place.finding("warning", WRONG_SHAPE, "S35", text, ("userData",))
    if marker is not None and not isinstance(marker, bool):
        text = f"`{USER_DATA[0]}` of {place.title} must be true or false, found {described(marker)}: it does not count"
        yield place.finding("warning", WRONG_SHAPE, "S35", text, ("userData", USER_DATA[0]))


def _list(value: JSON) -> Sequence[JSON]:
    return value if isinstance(value, list) else ()


def _of(entry: JSON, fields: tuple[str, ...], path: Path, owner: str) -> Iterator[NearKey]:
    keys: Mapping[str, JSON] = entry if isinstance(entry, dict) else {}
    hints = suggest.Hints()
    for key in keys:
        near = "" if key in fields else _SYNONYMS.get((key, fields)) or hints.nearest(key, fields)
        if near:
            yield NearKey((*path, key), near, owner)
