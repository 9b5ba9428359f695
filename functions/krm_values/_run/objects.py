"""ConfigMaps and Secrets as layers: what they hold, references to them, conflicts among them, and which may be absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get, to_field
from krm_values._data.record import record
from krm_values._data.shown import described, type_of
from krm_values._krm import places, shapes
from krm_values._krm.findings import title
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import Finding
from krm_values._krm.resources import Several
from krm_values._run.traced import origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.plan import Origin
    from krm_values._krm.resources import Missing, Resources
    from krm_values._run.traced import Clash

    class Reference(Protocol):
        """A reference to an object: its kind, namespace and name; the `owner` and `path` of the field that holds it; and its `role` in messages, which may be empty."""

        @property
        def kind(self) -> str: ...
        @property
        def namespace(self) -> str: ...
        @property
        def name(self) -> str: ...
        @property
        def owner(self) -> Item: ...
        @property
        def path(self) -> Path: ...
        @property
        def role(self) -> str: ...

    class Allowed(Protocol):
        """One entry: without a namespace it matches any; `*` in the name matches any run of characters."""

        @property
        def kind(self) -> str: ...
        @property
        def namespace(self) -> str | None: ...
        @property
        def name(self) -> str: ...


_CIPHERTEXT = "ENC["
_SHAPES = {
    "ConfigMap": shapes.resource(data=None, binaryData=None, immutable=None),
    "Secret": shapes.resource(data=None, stringData=None, type=None, immutable=None),
}
"""The fields of both kinds in version 1 of the Kubernetes API."""


@record
class ObjectData:
    """The strings of an object by data key, the field that holds each, and the faults as (path, message) pairs."""

    texts: dict[str, str]
    paths: dict[str, Path]
    faults: tuple[tuple[Path, str], ...] = ()


def read_data(item: Item, *, faults_only: bool = False) -> ObjectData:
    """Read a ConfigMap's `data`, or a Secret's `data` (base64) overridden by `stringData`. `binaryData` is not text.

    faults_only: decode nothing, only look for values that are not strings.
    """
    found = ObjectData({}, {})
    faults: list[tuple[Path, str]] = []
    for field in _fields(item):
        _take(item, field, found, faults, faults_only=faults_only)
    return ObjectData(found.texts, found.paths, tuple(faults))


def unknown_keys(item: Item, rule: str) -> Iterator[Finding]:
    """Yield a warning, of this rule, for each key of a ConfigMap or Secret that is not a field, so that its value is lost."""
    shape = None if item.group else _SHAPES.get(item.kind)
    yield from shapes.warnings(item, shapes.unknown_keys(item.data, shape), rule)


def is_encrypted(item: Item) -> bool:
    """Return whether SOPS has encrypted the object: it has a `sops` map at the top, or a value that begins with `ENC[`."""
    data = item.data if isinstance(item.data, dict) else {}
    fields = (data.get(field) for field in ("data", "stringData"))
    values = [value for field in fields if isinstance(field, dict) for value in field.values()]
    return isinstance(data.get("sops"), dict) or any(map(is_ciphertext, values))


def is_ciphertext(value: JSON) -> bool:
    """Return whether SOPS has encrypted a value."""
    return isinstance(value, str) and value.startswith(_CIPHERTEXT)


class Objects:
    """The content of the ConfigMaps and Secrets of a run; each is examined once, however many references name it."""

    __slots__ = ("_encrypted", "_faults", "_held", "_seen")

    def __init__(self) -> None:
        self._encrypted: dict[int, bool] = {}
        self._held: dict[int, ObjectData] = {}
        self._seen: set[int] = set()
        self._faults: dict[int, tuple[tuple[Path, str], ...]] = {}  # of all keys, of which none is decoded

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
        if item.number not in self._faults:
            self._faults[item.number] = read_data(item, faults_only=True).faults
        found, faults = ObjectData({}, {}), [*self._faults[item.number]]
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


def _take(item: Item, field: str, found: ObjectData, faults: list[tuple[Path, str]], *, faults_only: bool) -> None:
    entries = item.data.get(field) if isinstance(item.data, dict) else None
    if entries is None:
        return
    if not isinstance(entries, dict):
        faults.append(((field,), f"must be a map of strings; found {type_of(entries)}"))
        return
    for key, value in entries.items():
        if not (faults_only and isinstance(value, str)):
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


def is_encoded(item: Item, path: Path) -> bool:
    """Return whether the text at a path is base64, as those in the `data` of a Secret are."""
    return path[:1] == ("data",) and is_secret(item)


def _text(item: Item, field: str, value: JSON) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text, found {_found(item, value)}: quote it, or write it as a block (`|`)")  # noqa: TRY004 - of the object, not of our call
    return decode(value) if is_encoded(item, (field,)) else value


# References to layers: finds the object that a reference names, or reports why it cannot be used.


class Lookup:
    """Finds core objects by reference. allowed: a config's `allowMissing`. missing: the rule that a missing object breaks."""

    __slots__ = ("_encrypted", "_missing", "_resources", "allowed")

    def __init__(self, resources: Resources, allowed: Sequence[Allowed], *, missing: str, encrypted: str) -> None:
        self._resources, self.allowed = resources, Allowance(allowed)
        self._missing, self._encrypted = missing, encrypted

    def find(self, reference: Reference, report: Report, *, optional: bool = False) -> Item | Missing | None:
        """Return the object; Missing if it may be absent; None, with a finding in the report, if it cannot be used."""
        found = self._resources.find(reference.kind, "", reference.namespace, reference.name, reference.owner)
        if isinstance(found, Several):
            report.add(
                self._refused(reference, "ambiguous", f"is {len(found.items)} times in the list, in {found.places}: keep one")
            )
            return None
        if isinstance(found, Item):
            return found
        if found.own:
            text = "is written by this function itself: refer to the layers that it is made of"
            report.add(self._refused(reference, "own-output", text))
            return None
        if optional:
            return found
        if self._allows(reference):
            text = f"{label(reference)} is not in the list and counts as empty, as `allowMissing` says"
            report.info("missing-allowed", self._missing, text, reference.owner, reference.path)
            return found
        role = f" ({reference.role})" if reference.role else ""
        report.add(self._refused(reference, "missing", f"is not in the list{_near(found)}", role))
        return None

    def may_be_encrypted(self, reference: Reference, item: Item, report: Report) -> bool:
        """Return whether an object that SOPS has encrypted counts as empty; if not, report it."""
        if self._allows(reference):
            text = f"{label(reference)} is encrypted with SOPS and counts as empty, as `allowMissing` says"
            report.info("encrypted-allowed", self._encrypted, text, reference.owner, reference.path)
            return True
        text = "is encrypted with SOPS and cannot be merged: decrypt it first, or name it in `allowMissing`"
        report.error("encrypted", self._encrypted, text, item)
        return False

    def _allows(self, reference: Reference) -> bool:
        return self.allowed.allows(reference.kind, reference.namespace, reference.name)

    def _refused(self, reference: Reference, kind: str, text: str, role: str = "") -> Finding:
        whole = f"{label(reference)}{role} {text}"
        return Finding("error", kind, self._missing, whole, reference.owner, reference.path)


def label(reference: Reference) -> str:
    """Return the name in messages: `ConfigMap team-a/base`."""
    return f"{reference.kind} {reference.namespace}/{reference.name}"


def _near(missing: Missing) -> str:
    places = " and ".join(map(_place, missing.near[:2]))
    return f"; one of that name is {places}" if places else missing.hint or "; add it, or name it in `allowMissing`"


def _place(item: Item) -> str:
    space = f"in namespace {item.namespace}" if item.namespace else "without a namespace"
    return f"{space} ({item.position.path})" if item.position.path else space


# Conflicts: layers that disagree about the kind of a value.


def findings_of(clashes: Iterable[tuple[str, Clash]], advice: Mapping[str, str], empty: str) -> Iterator[Finding]:
    """Yield one finding per object, field and rule; for an empty map over a filled one only an info finding.

    clashes: each with the rule that describes the outcome. advice: the end of a finding's message, by rule. empty: the end of the message
    about an empty map.
    """
    grouped: dict[tuple[Item, Path, str, bool], list[str]] = {}
    firsts: dict[tuple[Item, Path, str, bool], Origin] = {}
    for rule, clash in clashes:
        above = origin(clash.above)
        if isinstance(above.item, Item):
            key = (above.item, above.path[:2], rule, clash.outcome == "nothing")
            group, _ = grouped.setdefault(key, []), firsts.setdefault(key, clash.above.layer(clash.path, None))
            if (text := _sentence(clash)) not in group:
                group.append(text)
    for key, entries in grouped.items():
        item, path, rule, clears_nothing = key
        listed = ", ".join(entries)
        if clears_nothing:
            yield Finding("info", "empty-map", rule, f"{listed}: {empty}", item, path, at=firsts[key])
        else:
            yield Finding("warning", "conflict", rule, f"{listed}: {advice[rule]}", item, path, at=firsts[key])


def _sentence(clash: Clash) -> str:
    """Format a conflict: `mode` (line 1) is a map over the scalar of ConfigMap team-a/base (line 3)."""
    below, above = (one.layer(clash.path, None) for one in (clash.below, clash.above))
    what = "an empty map" if clash.outcome == "nothing" else f"a {clash.kinds[1]}"
    under = "filled map" if clash.outcome == "nothing" else clash.kinds[0]
    return f"`{to_field(clash.path)}`{_line(above)} is {what} over the {under} of {_named(below)}{_line(below)}"


def _named(found: Origin) -> str:
    return title(found.item) if found.item is not None else found.layer


def _line(found: Origin) -> str:
    line = places.line_of(found) if found.place[0] else ""
    return f" ({line})" if line else ""


# The objects that may be absent, as a functionConfig's `allowMissing` lists them.


class Allowance:
    """The entries of `allowMissing`, indexed by name; those with a star are matched one by one."""

    __slots__ = ("_exact", "_patterns")

    def __init__(self, entries: Iterable[Allowed]) -> None:
        listed = tuple(entries)
        self._exact = {(entry.kind, entry.namespace, entry.name) for entry in listed}
        patterns = {(entry.kind, entry.namespace, entry.name): entry for entry in listed if "*" in entry.name}
        self._patterns = tuple(patterns.values())

    def allows(self, kind: str, namespace: str, name: str) -> bool:
        """Return whether an entry matches this object."""
        if (kind, namespace, name) in self._exact or (kind, None, name) in self._exact:
            return True
        return any(
            entry.kind == kind and entry.namespace in (None, namespace) and fits(entry.name, name) for entry in self._patterns
        )


def fits(pattern: str, name: str) -> bool:
    """Return whether the name has the parts between the stars, in order; the first and the last at its ends."""
    first, *parts = pattern.split("*")
    if not parts:
        return name == pattern
    *middle, last = parts
    if len(first) + len(last) > len(name) or not (name.startswith(first) and name.endswith(last)):
        return False
    at, end = len(first), len(name) - len(last)
    for part in middle:
        at = name.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True
