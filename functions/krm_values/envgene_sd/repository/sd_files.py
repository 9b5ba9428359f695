"""`envgene sink`: write the changed SDs of a list into the files of an instance repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import record
from krm_values._kit.planner.item import position_of
from krm_values._kit.planner.report import Report
from krm_values._kit.process.write import REMOVED, Change, digest
from krm_values.envgene_sd.descriptors import is_exactly
from krm_values.envgene_sd.repository import file_format, list_reader
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository.faults import DESCRIPTOR, FaultsError, fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.envgene_sd.repository.files import Content

_KINDS = {"sd": repository.FULL, "delta-sd": repository.DELTA}
_TITLES = {repository.FULL: "Full SD", repository.DELTA: "Delta SD"}


@record
class Wanted:
    """An SD of the list: its lines, its data, and the digest of the file that it was read from, "" if there was none."""

    environment: str
    name: str
    text: str
    data: JSON
    origin: str


@record
class Sunk:
    """The changes of one environment, below the repository and below the directory for Delta SDs, and the states of both SDs.

    The Full SD comes last: as long as it is the old one, a repeated run computes the same.
    """

    environment: str
    changes: tuple[Change, ...]
    aside: tuple[Change, ...]
    full: str
    delta: str


def sunk(root: Path, data: bytes, deltas: Path | None = None) -> list[Sunk]:
    """Return the changes that the SDs of a list make, by environment. FaultsError of rule 70 with all errors; nothing is written.

    deltas: the directory that gets the Delta SDs instead of the repository.
    """
    found: dict[str, dict[str, Wanted]] = {}
    done = []
    report = Report()
    for item, text in list_reader.read(data, report):
        try:
            _take(_wanted(item, text), found)
        except FaultsError as error:
            report.extend(error.findings)
    for environment in sorted(found):
        try:
            done.append(_sunk(root, environment, found[environment], deltas))
        except FaultsError as error:
            report.extend(error.findings)
    if report.findings:
        raise FaultsError(report.findings)
    return done


def _take(wanted: Wanted, found: dict[str, dict[str, Wanted]]) -> None:
    group = found.setdefault(wanted.environment, {})
    if wanted.name in group:
        raise fault(DESCRIPTOR, f"{wanted.environment} has two items for its {_TITLES[wanted.name]}; remove one")
    group[wanted.name] = wanted


def _wanted(item: Item, text: str) -> Wanted:
    title = f"SolutionDescriptor {item.name}"
    kind = _KINDS.get(item.name.rpartition(".")[2], "")
    if not kind:
        raise fault(DESCRIPTOR, f"{title}: must be named `sd`, `*.sd`, `delta-sd` or `*.delta-sd`")
    data = item.data
    repository.check_environment(environment := _environment(item))
    spec = data.get("spec") if isinstance(data, dict) else None
    try:
        lines = file_format.spec(text, spec)
    except InputError as error:
        raise fault(DESCRIPTOR, f"{title}: {error.message}") from None
    return Wanted(environment, kind, lines, spec, item.marks.get("source-digest", "").removeprefix("sha256:"))


def _environment(item: Item) -> str:
    """Return the environment of the annotation, else of the path."""
    segments = position_of(item.reading.annotations).path.split("/")
    at = segments.index("environments") + 1 if "environments" in segments[:-3] else len(segments)
    return item.marks.get("environment") or "/".join(segments[at : at + 2])


def _sunk(root: Path, environment: str, found: dict[str, Wanted], deltas: Path | None) -> Sunk:
    full, delta = found.get(repository.FULL), found.get(repository.DELTA)
    path = repository.descriptor(root, environment, repository.FULL) or f"{repository.folder(environment)}/sd.yaml"
    ending = path[path.rindex(".") :]
    own = [*_written(root, path, full)] if full else []
    states = "written" if own else "unchanged"
    if deltas is None:
        changes = [*_delta(root, environment, delta, ending, checked=True)] if full or delta else []
        return Sunk(environment, (*changes, *own), (), states, _state(delta, changes))
    gone = [*_delta(root, environment, None, ending, checked=False)]
    aside = [*_delta(deltas, environment, delta, ending, checked=False)]
    return Sunk(environment, (*gone, *own), tuple(aside), states, _state(delta, aside))


def _state(delta: Wanted | None, changes: list[Change]) -> str:
    if delta is None:
        return "removed" if changes else ""
    return "written" if changes else "unchanged"


def _delta(root: Path, environment: str, wanted: Wanted | None, ending: str, *, checked: bool) -> Iterator[Change]:
    """Yield the changes of the Delta SD: it takes the Full SD's ending, and an unwanted one of either ending is removed."""
    found = repository.descriptor(root, environment, repository.DELTA)
    path = f"{repository.folder(environment)}/{repository.DELTA}{ending}"
    if wanted is None:
        if found:
            yield Change(found, digest(repository.raw(root, found, DESCRIPTOR)), None)
        return
    old = repository.read(root, found, DESCRIPTOR) if found else None
    if old and is_exactly(_data(old), wanted.data):
        return
    if checked:
        _check(root, found or path, wanted)
    yield Change(path, digest(old.raw) if old and found == path else REMOVED, _content(old, wanted))
    if old and found != path:
        yield Change(found, digest(old.raw), None)


def _written(root: Path, path: str, wanted: Wanted) -> Iterator[Change]:
    old = repository.read(root, path, DESCRIPTOR) if repository.is_there(root, path) else None
    if not old or not is_exactly(_data(old), wanted.data):
        _check(root, path, wanted)
        yield Change(path, digest(old.raw) if old else REMOVED, _content(old, wanted))


def _check(root: Path, path: str, wanted: Wanted) -> None:
    """Raise FaultsError if the file is not the one that the item was read from."""
    found = digest(repository.raw(root, path, DESCRIPTOR)) if repository.is_there(root, path) else REMOVED
    if found == (wanted.origin or REMOVED):
        return
    if not wanted.origin:
        raise fault(DESCRIPTOR, f"{path}: exists, but the list was made without it; run `envgene source` again")
    what = "was removed" if found == REMOVED else "was changed"
    raise fault(DESCRIPTOR, f"{path}: {what} after `envgene source` had read it; run that again")


def _content(old: Content | None, wanted: Wanted) -> bytes:
    """Put the item's lines into the file: its marker, its first comments and its line breaks stay."""
    if old is None:
        return file_format.raw(wanted.text, file_format.Form())
    parts = file_format.divide(file_format.text(old.raw))
    return file_format.raw(parts.head + file_format.below(wanted.text, parts.column) + parts.tail, file_format.form(old.raw))


def _data(content: Content) -> JSON:
    return {"applications": []} if content.data is None else content.data
