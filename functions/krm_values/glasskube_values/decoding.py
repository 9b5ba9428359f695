"""The decoding of a PackageManifest into the shape that the Go decoder and the CRD read, with a fault for each value that does not fit.

Key case is ignored, and plain scalars become strings. `SHAPE` is what is accepted of each field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.go_numbers import short
from krm_values._data.record import record
from krm_values._data.scalars import Int, is_float
from krm_values._krm.shapes import UNKNOWN_KEY, unknown_keys
from krm_values.glasskube_values.constraints import LEAST, MOST

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Severity


@record
class Fault:
    """An error, warning or info about a manifest. path: within it. found: the value there."""

    severity: Severity
    kind: str
    rule: str | None
    path: Path
    text: str
    found: JSON = None

    @property
    def definition(self) -> str:
        """The name of the value definition that it is about, or ""."""
        return str(self.path[1]) if self.path[:1] == ("valueDefinitions",) and len(self.path) > 1 else ""


STRING, FLAG, WHOLE, ANY = "a string", "true or false", "a whole number", "anything"


@record
class MapOf:
    """A map whose values have one shape."""

    shape: Any


@record
class OneOrMore:
    """A shape, or a list of them."""

    shape: Any


@record
class Unread:
    """A part that is not read here: only its keys are checked."""

    keys: Any


_REFERENCE = {"apiGroup": STRING, "apiVersion": STRING, "kind": STRING, "name": STRING, "namespace": STRING}
_TARGET = {
    "resource": _REFERENCE,
    "chartName": STRING,
    "patch": OneOrMore({"op": STRING, "path": STRING}),
    "valueTemplate": STRING,
}
_LABELS = {"label": STRING, "description": STRING, "hints": OneOrMore(STRING)}
_CONSTRAINTS = {
    "required": FLAG,
    "min": WHOLE,
    "max": WHOLE,
    "minLength": WHOLE,
    "maxLength": WHOLE,
    "pattern": STRING,
}
_DEFINITION = {
    "type": STRING,
    "metadata": _LABELS,
    **_LABELS,
    "defaultValue": STRING,
    "options": [STRING],
    "constraints": _CONSTRAINTS,
    "targets": [_TARGET],
}
_RELEASE = {"chartName": STRING, "chartVersion": STRING, "values": ANY}
SHAPE: dict[str, Any] = {
    "name": STRING,
    "scope": STRING,
    "shortDescription": STRING,
    "longDescription": STRING,
    "references": Unread([dict.fromkeys(("label", "url"))]),
    "iconUrl": STRING,
    "helm": {"repositoryUrl": STRING, **_RELEASE, "releases": [_RELEASE]},
    "kustomize": ANY,
    "manifests": [{"url": STRING, "defaultNamespace": STRING}],
    "valueDefinitions": MapOf(_DEFINITION),
    "transformations": [{"source": {"resource": _REFERENCE, "path": STRING}, "targets": [_TARGET]}],
    "transitiveResources": Unread([dict.fromkeys(("apiGroup", "kind", "name"))]),
    "defaultNamespace": STRING,
    "entrypoints": Unread([dict.fromkeys(("name", "serviceName", "port", "localPort", "scheme"))]),
    "dependencies": Unread([dict.fromkeys(("name", "version"))]),
    "components": Unread([{"name": None, "installedName": None, "version": None, "values": {"*": {"value": None}}}]),
}


class Decoder:
    """The decoding of one manifest."""

    __slots__ = ("_listed", "_misshapen", "faults")

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self._misshapen: set[Path] = set()
        self._listed: set[Path] = set()

    def error(self, rule: str, path: Path, text: str, found: JSON = None) -> None:
        """Add an error, unless the value at `path` has been reported as of the wrong type."""
        if not self.is_misshapen(path):
            self.faults.append(Fault("error", "manifest", rule, path, text, found))

    def is_misshapen(self, path: Path) -> bool:
        """Return whether the value at `path`, or one around it, is of the wrong type."""
        return any(path[:size] in self._misshapen for size in range(len(path) + 1))

    def one_of(self, path: Path, index: int) -> Path:
        """Return the path of an element of `OneOrMore`: in the list, or of the single value."""
        return (*path, index) if path in self._listed else path

    def decode(self, value: JSON, shape: Any, path: Path) -> Any:
        """Return the value in this shape; what does not fit is reported and left out. A null counts as absent."""
        if value is None or shape is ANY:
            return value
        match shape:
            case dict():
                return self._struct(value, shape, path)
            case list():
                return self._list(value, shape[0], path)
            case MapOf():
                return self._map(value, shape.shape, path)
            case Unread():
                return self._unread(value, shape.keys, path)
            case OneOrMore():
                return self._one_or_more(value, shape.shape, path)
        return self._scalar(value, shape, path)

    def _struct(self, value: JSON, shape: dict[str, Any], path: Path) -> Any:
        if not isinstance(value, dict):
            return self._wrong(path, "a map", value)
        folded = {name.lower(): name for name in shape}
        found: dict[str, Any] = {}
        for key, entry in value.items():
            name = key if key in shape else folded.get(key.lower())
            if name is None:
                self._unknown(key, list(shape), path)
            elif key in shape or name not in value:  # Go prefers the exact name, and ignores another spelling beside it
                found[name] = self.decode(entry, shape[name], (*path, key))
        return {name: entry for name, entry in found.items() if entry is not None}

    def _list(self, value: JSON, shape: Any, path: Path) -> Any:
        if not isinstance(value, list):
            return self._wrong(path, "a list", value)
        return [self.decode(entry, shape, (*path, index)) for index, entry in enumerate(value)]

    def _map(self, value: JSON, shape: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            return self._wrong(path, "a map", value)
        return {key: self.decode(entry, shape, (*path, key)) for key, entry in value.items()}

    def _one_or_more(self, value: JSON, shape: Any, path: Path) -> Any:
        if shape is STRING:
            return self.decode(value, [STRING] if isinstance(value, list) else STRING, path)
        if not isinstance(value, list):
            return [self.decode(value, shape, path)]
        self._listed.add(path)
        return [self.decode(entry, shape, (*path, index)) for index, entry in enumerate(value)]

    def _unread(self, value: JSON, keys: Any, path: Path) -> JSON:
        for one in unknown_keys(value, keys, path):
            if one.key.lower() not in {name.lower() for name in one.known}:
                self._unknown(one.key, list(one.known), one.path)
        return value

    def _scalar(self, value: JSON, shape: str, path: Path) -> Any:
        if isinstance(value, (dict, list)):
            return self._wrong(path, shape, value, rule="7" if shape is WHOLE else "5")
        if shape is STRING:
            return as_string(value)
        if shape is FLAG:
            return value if isinstance(value, bool) else self._wrong(path, FLAG, value)
        whole = as_whole(value)
        return self._wrong(path, "a whole number of 64 bits", value, rule="7") if whole is None else whole

    def _wrong(self, path: Path, must: str, value: JSON, rule: str = "5") -> Any:
        self.error(rule, path, f"must be {must}; found {{found}}", value)
        self._misshapen.add(path)
        return None

    def _unknown(self, key: str, known: list[str], path: Path) -> None:
        text = f"is not a field here and is ignored{suggest.hint(key, known)}"
        self.faults.append(Fault("warning", UNKNOWN_KEY, "5", (*path, key), text))


def as_string(value: JSON) -> str:
    """Return the string that Go makes of a plain scalar in a string field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) or (isinstance(value, Int) and is_float(value)):
        return short(float(value))
    return str(int(value)) if isinstance(value, int) else str(value)


def as_whole(value: JSON) -> int | None:
    """Return a whole number of 64 bits; None if Go's decoder refuses it."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return int(value) if LEAST <= value <= MOST else None
