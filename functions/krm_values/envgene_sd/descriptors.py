"""A Solution Descriptor (SD): its applications with their places, and what is wrong with it before a merge.

    version: "2.1"              # the header: `version`, `type`, `deployMode`
    applications:
    - version: ledger:3.1.0     # name and version
      deployPostfix: finance    # a merge finds an application by name and postfix
      alias: books              # its name in the deployGraph: `ledger:finance` without one

An application may also be the string `ledger:3.1.0` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.scalars import Int, text_of
from krm_values._data.shown import described
from krm_values._data.values import by_keys
from krm_values._krm.findings import Report
from krm_values._krm.plan import WRONG_SHAPE, Finding, Origin
from krm_values._krm.shapes import UNKNOWN_KEY
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Severity

    Source: TypeAlias = tuple["SdPlace", Path]

HEADER = ("version", "type", "deployMode")
GRAPH, MARKER = "deployGraph", "useDeployPostfixAsNamespace"
DESCRIPTOR = (*HEADER, "applications", GRAPH, "userData")
APPLICATION = ("version", "deployPostfix", "alias")
CHUNK = ("chunkName", "apps")
USER_DATA = (MARKER,)
_SYNONYMS: dict[tuple[str, tuple[str, ...]], str] = {("name", CHUNK): "chunkName"}
_WORDS = {"deployPostfix": "24", "alias": "26"}
_NONE: Mapping[Path, Source] = {}
_MAY_LACK_POSTFIX = "; only `extended-merge` and `replace` of one SD take it without"


@record
class SdPlace:
    """The place of an SD: `layer` is its name in `explain`, `title` its name in messages; the item has it at `path`.

    config: its path in the functionConfig's spec, if it is there. is_translated: whether its postfixes are folders, where it has names.
    """

    layer: str
    title: str
    item: Item | None = None
    path: Path = ()
    config: Path | None = None
    is_translated: bool = False

    def error(self, kind: str, rule: str, text: str, path: Path = ()) -> Finding:
        """Return an error about a part of the SD."""
        return self.finding("error", kind, rule, text, path)

    def finding(self, severity: Severity, kind: str, rule: str, text: str, path: Path = ()) -> Finding:
        """Return a finding about a part of the SD."""
        if self.item is None:
            config = None if self.config is None else (*self.config, *path)
            return Finding(severity, kind, rule, text, config=config)
        return Finding(severity, kind, rule, text, self.item, (*self.path, *path))

    def as_origin(self, value: JSON, path: Path) -> Origin:
        """Return the SD as the origin of a value; `path` is within the SD."""
        if self.item is None:
            return Origin(self.layer, value, config=None if self.config is None else (*self.config, *path))
        return Origin(self.layer, value, self.item, (*self.path, *path))


def is_postfix(path: Path) -> bool:
    """Return whether the value at a path of an SD is a postfix, or the alias of an application, which may have one in it."""
    return path[2:] == ("deployPostfix",) if path[0] == "applications" else path[0] == GRAPH and path[2:3] == ("apps",)


class Sources:
    """Where the parts of an SD that was put together come from: the place of an SD and the path in it, by the path of the part.

    whole: the source of all other parts, which they have at their own paths.
    """

    __slots__ = ("_mixed", "_parts")

    def __init__(self, whole: SdPlace, parts: Mapping[Path, Source] = _NONE) -> None:
        self._parts: dict[Path, Source] = {(): (whole, ()), **parts}
        self._mixed = {path[:size] for path in parts for size in range(len(path))}

    def of(self, path: Path) -> Source:
        """Return the source of a part."""
        size = next(size for size in range(len(path), -1, -1) if path[:size] in self._parts)
        place, at = self._parts[path[:size]]
        return place, (*at, *path[size:])

    def is_mixed(self, path: Path) -> bool:
        """Return whether something in a part comes from elsewhere."""
        return path in self._mixed


@record
class Application:
    """One application of an SD: a map, or only the string `name:version`. Without postfix or alias these are ""."""

    data: JSON
    place: SdPlace
    index: int
    name: str
    version: str
    postfix: str = ""
    alias: str = ""

    @property
    def text(self) -> str:
        """`name:version`."""
        return f"{self.name}:{self.version}"

    @property
    def effective_alias(self) -> str:
        """Its name in a deployGraph."""
        return self.alias or (f"{self.name}:{self.postfix}" if self.postfix else self.name)

    @property
    def title(self) -> str:
        """`ledger (finance)`."""
        return f"{self.name} ({self.postfix})" if self.postfix else self.name

    @property
    def is_map(self) -> bool:
        return isinstance(self.data, dict)

    def key(self, *, extended: bool) -> tuple[str, str, str]:
        """Return the identity of an application; the alias is part of it in extended-merge only."""
        return self.name, self.postfix, self.effective_alias if extended else ""

    @property
    def path(self) -> Path:
        """Its path within its SD."""
        return "applications", self.index

    def as_origin(self) -> Origin:
        """Return its SD as the origin of its version."""
        return self.place.as_origin(self.text, (*self.path, "version") if self.is_map else self.path)

    def error(self, kind: str, rule: str, text: str) -> Finding:
        """Return an error about this application."""
        return self.place.error(kind, rule, text, self.path)


@record
class Descriptor:
    """One SD and its applications."""

    place: SdPlace
    data: dict[str, JSON]
    applications: tuple[Application, ...]


def read(data: JSON, place: SdPlace, report: Report) -> Descriptor | None:
    """Read an SD; None, with findings, if it has no list of applications or one of them is invalid."""
    listed = data.get("applications") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(listed, list):
        hint = near_instead_of("applications", data, DESCRIPTOR)
        report.add(place.error("applications", "15", f"{place.title} must have a list `applications`{hint}"))
        return None
    found = [_application(entry, place, index, report) for index, entry in enumerate(listed)]
    whole = tuple(application for application in found if application is not None)
    return Descriptor(place, data, whole) if len(whole) == len(found) else None


def readable(data: JSON, place: SdPlace) -> list[Application]:
    """Return the valid applications of an SD of any type."""
    found = (_application(entry, place, index, Report()) for index, entry in enumerate(entries(data)))
    return [application for application in found if application is not None]


def entries(data: JSON) -> Sequence[JSON]:
    """Return the applications of an SD, of any type."""
    found = get(data, ("applications",))
    return found if isinstance(found, list) else ()


def _application(entry: JSON, place: SdPlace, index: int, report: Report) -> Application | None:
    path: Path = ("applications", index)
    text = entry.get("version") if isinstance(entry, dict) else entry
    name, _, version = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not name or not version:
        shown = "nothing" if text is None else described(text)
        hint = near_instead_of("version", entry, APPLICATION)
        message = f"{place.title} must list each application as `name:version`{hint or f'; found {shown}'}"
        report.add(place.error("application", "21", message, path))
        return None
    if not isinstance(entry, dict):
        return Application(entry, place, index, name, version)
    for key, rule in _WORDS.items():
        if isinstance(entry.get(key), (dict, list)):
            message = f"`{key}` of {text} in {place.title} must be a string; found {described(entry[key])}"
            report.add(place.error("application", rule, message, (*path, key)))
            return None
    return Application(entry, place, index, name, version, text_of(entry.get("deployPostfix")), text_of(entry.get("alias")))


def check_incoming(found: Descriptor, report: Report, *, extended: bool, folded: bool, reported: bool) -> None:
    """Check an incoming SD. folded: whether only maps with a postfix are allowed, as in basic and exclusion merges and among several SDs.

    reported: whether errors of its translation are reported already; then it is not known what would be listed twice.
    """
    if folded:
        report.extend(_postfixes(found))
    if extended:
        report.extend(_forms(found))
    if not reported:
        report.extend(_repeats(found, "29", extended=extended))
        report.extend(_versions(found, extended=extended))
        report.extend(shared_aliases(found.applications, reported=True) if extended else ())


def check_full(found: Descriptor, report: Report, *, extended: bool) -> None:
    """Check the Full SD before a merge into it."""
    report.extend(() if extended else _postfixes(found))
    report.extend(_repeats(found, "30", extended=extended))
    if extended:
        report.extend(_forms(found))
        report.extend(shared_aliases(found.applications))


def shared_aliases(applications: Iterable[Application], *, reported: bool = False) -> Iterator[Finding]:
    """Yield an error for each two applications with one effective alias. reported: whether one in two versions is reported already."""
    first: dict[str, Application] = {}
    for application in applications:
        other = first.setdefault(application.effective_alias, application)
        is_same = other.key(extended=True) == application.key(extended=True)
        if not is_same or (other.version != application.version and not reported):
            text = (
                f'{other.title} and {application.title} of {application.place.title} share the alias "{other.effective_alias}"'
            )
            yield application.error("alias", "27", f"{text}: give one of them another `alias`")


def _postfixes(found: Descriptor) -> Iterator[Finding]:
    for application in found.applications:
        if not application.postfix:
            hint = near_instead_of("deployPostfix", application.data, APPLICATION)
            text = f"{application.text} in {found.place.title} must have a `deployPostfix`{hint or _MAY_LACK_POSTFIX}"
            yield application.error("postfix", "24", text)


def _repeats(found: Descriptor, rule: str, *, extended: bool) -> Iterator[Finding]:
    """Yield an error for each entry that equals another in version as well."""
    seen = set()
    for application in found.applications:
        key = (*application.key(extended=extended), application.version)
        if key in seen:
            exactly = f"{application.text} ({application.postfix})" if application.postfix else application.text
            yield application.error("duplicate", rule, f"{found.place.title} lists {exactly} twice: remove one")
        seen.add(key)


def _versions(found: Descriptor, *, extended: bool) -> Iterator[Finding]:
    """Yield an error for each application in two versions."""
    first: dict[tuple[str, str, str], Application] = {}
    for application in found.applications:
        other = first.setdefault(application.key(extended=extended), application)
        if other.version != application.version:
            text = f"{found.place.title} lists {application.title} both as {other.version} and as {application.version}: remove one"
            yield application.error("two-versions", "31", text)


def _forms(found: Descriptor) -> Iterator[Finding]:
    other = next((one for one in found.applications if one.is_map != found.applications[0].is_map), None)
    if other:
        text = f"{found.place.title} mixes applications written as strings and as maps: write all in one form"
        yield other.error("model", "28", text)


def differing_headers(one: dict[str, JSON], other: dict[str, JSON]) -> Iterator[tuple[str, str]]:
    """Yield the header fields that differ, compared as strings, with both values; a field on one side only differs."""
    for key in HEADER:
        if (key in one) != (key in other) or _header_text(one.get(key)) != _header_text(other.get(key)):
            both = (described(data[key]) if key in data else "nothing" for data in (one, other))
            yield key, f"found {' and '.join(both)}"


def _header_text(value: JSON) -> str:
    return canonical(value) if isinstance(value, (dict, list)) else text_of(value)


@record
class NearKey:
    """A key that looks like a misspelt field: its path within the SD, the field, and its owner in words.

    SDs have no schema, so a key that is near to no field is accepted. Source of the fields: EnvGene's documents and code
    (`docs/envgene-objects.md`, `process_sd.py`, at dae2862f).
    """

    path: Path
    field: str
    owner: str

    @property
    def key(self) -> str:
        return str(self.path[-1])


def check_keys(data: JSON, place: SdPlace, report: Report, reported: str = "") -> None:
    """Warn of what is stored, but not read: near keys, and a `userData` or marker of another type. reported: a field that has an error already."""
    for near in (one for one in near_keys(data) if one.field != reported):
        text = f"`{near.key}`{near.owner} in {place.title} is not a field that EnvGene reads; did you mean `{near.field}`?"
        report.add(place.finding("warning", UNKNOWN_KEY, "S35", text, near.path))
    found = data.get("userData") if isinstance(data, dict) else None
    marker = found.get(MARKER) if isinstance(found, dict) else None
    if found is not None and not isinstance(found, dict):
        text = f"`userData` of {place.title} must be a map, found {described(found)}: nothing in it is read"
        report.add(place.finding("warning", WRONG_SHAPE, "S35", text, ("userData",)))
    if marker is not None and not isinstance(marker, bool):
        text = f"`{MARKER}` of {place.title} must be true or false, found {described(marker)}: it does not count"
        report.add(place.finding("warning", WRONG_SHAPE, "S35", text, ("userData", MARKER)))


def near_keys(data: JSON) -> Iterator[NearKey]:
    """Yield the near keys of an SD, of its applications, of the chunks of its graph, and of its `userData`."""
    if not isinstance(data, dict):
        return
    yield from _near(data, DESCRIPTOR, (), "")
    for index, entry in enumerate(entries(data)):
        yield from _near(entry, APPLICATION, ("applications", index), f" of {label(entry) or f'application {index}'}")
    graph = data.get(GRAPH)
    for index, chunk in enumerate(graph if isinstance(graph, list) else ()):
        named = chunk.get("chunkName", chunk.get("name")) if isinstance(chunk, dict) else None
        yield from _near(chunk, CHUNK, (GRAPH, index), f" of the chunk {named if isinstance(named, str) else index}")
    yield from _near(data.get("userData"), USER_DATA, ("userData",), " of `userData`")


def near_instead_of(field: str, entry: JSON, fields: tuple[str, ...]) -> str:
    """Return `; found `NAME`, did you mean `FIELD`?` if an entry has a near key instead of a required field; else ""."""
    near = next((one.key for one in _near(entry, fields, (), "") if one.field == field), "")
    return f"; found `{near}`, did you mean `{field}`?" if near else ""


def _near(entry: JSON, fields: tuple[str, ...], path: Path, owner: str) -> Iterator[NearKey]:
    for key in entry if isinstance(entry, dict) else ():
        near = "" if key in fields else _SYNONYMS.get((key, fields)) or suggest.nearest(key, fields)
        if near:
            yield NearKey((*path, key), near, owner)


def label(entry: JSON) -> str:
    """Return the name of an application of any type; "" if it has none."""
    text = entry.get("version") if isinstance(entry, dict) else entry
    return text.partition(":")[0] if isinstance(text, str) else ""


def is_exactly(one: JSON, other: JSON) -> bool:
    """Return whether two values are equal and their numbers are written alike."""
    return canonical(one) == canonical(other)


def canonical(value: JSON) -> str:
    """Return canonical JSON: keys sorted, no spaces, numbers as they are written."""
    return emit.as_json(by_keys(value, _scalar))


def _scalar(value: JSON) -> JSON:
    if isinstance(value, float) and value - value != 0:
        return repr(float(value))
    return text_of(value) if type(value) is Int else value
