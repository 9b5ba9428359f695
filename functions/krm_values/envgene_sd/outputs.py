"""The outputs of an environment's merge: its Full SD, its Delta SD, and the annotation by which a run is recognized.

An SD that exists is edited: lines and comments of everything that stays are not touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import edits
from krm_values._data.pointer import get
from krm_values._data.record import lazy, record
from krm_values._data.scalars import text_of
from krm_values._krm import names
from krm_values._krm.plan import Drop, Leaf, Mark, Move, New, Origin, Put
from krm_values.envgene_sd import descriptors, old_scalars
from krm_values.envgene_sd.descriptors import GRAPH, SdPlace, canonical
from krm_values.envgene_sd.environments import SD
from krm_values.envgene_sd.merge import REMOVED, remaining, replaced
from krm_values.envgene_sd.parameters import BASIC, EXCLUSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Plan
    from krm_values.envgene_sd.descriptors import Source, Sources
    from krm_values.envgene_sd.environments import Environment
    from krm_values.envgene_sd.merge import Incoming, Merged, Row

    Edit: TypeAlias = Put | Drop | Move

_LOCAL = "config.kubernetes.io/local-config"
_MARK = "applied"
_SPEC, _APPLICATIONS = ("spec",), ("spec", "applications")


@record
class PlannedSD:
    """What an SD becomes: `new`, whose applications are those of `result`, the rows that remain.

    by: the origin of what goes; sources: of all but applications.
    is_delta: it repeats the incoming SDs, whatever it was before.
    """

    new: dict[str, JSON]
    rows: Sequence[Row]
    result: Sequence[Row]
    by: Origin
    sources: Sources
    is_delta: bool = False

    def leaves(self) -> tuple[Leaf, ...]:
        """Return the provenance of each application."""
        return tuple(self.leaf(row, (*_APPLICATIONS, place)) for place, row in enumerate(self.result))

    def leaf(self, row: Row, path: Path) -> Leaf:
        """Return the provenance of an application at a path."""
        application = row.application
        place = (*path, "version") if application.is_map else path
        if not self.is_delta:
            return Leaf(place, application.text, row.origin, row.overridden, reason=row.reason)
        overridden = row.overridden if row.at is None else row.overridden[:-1]
        return Leaf(place, application.text, row.origin, overridden, kind="" if overridden else "copied")

    def copies(self, path: Path, value: JSON) -> Iterator[Leaf]:
        """Yield a leaf for each value of what is put at a path, but for the versions of applications."""
        if path in (_SPEC, _APPLICATIONS):
            for key, below in _members(value):
                yield from self.copies((*path, key), below)
        elif path[:-1] == _APPLICATIONS:
            for key, below in _members(value):
                if key != "version":
                    yield from self._parts((*path, key), below, copied=True)
        else:
            yield from self._parts(path, value, copied=True)

    def written(self, path: Path, value: JSON) -> Iterator[Leaf]:
        """Yield the leaf of what is put at a path; where it comes from several SDs, those of its parts."""
        yield from self._parts(path, value, copied=False)

    def _parts(self, path: Path, value: JSON, *, copied: bool) -> Iterator[Leaf]:
        in_parts = copied and (isinstance(value, dict) or path == (*_SPEC, GRAPH))
        if value and (in_parts or self.sources.is_mixed(path[1:])):
            for key, below in _members(value):
                yield from self._parts((*path, key), below, copied=copied)
            return
        place, at = self._source(path)
        kind = "" if not copied else "derived" if place.is_translated and descriptors.is_postfix(at) else "copied"
        yield Leaf(path, value, place.as_origin(value, at), kind=kind)

    def _source(self, path: Path) -> Source:
        """Return the SD that gives what is put at a path of the item, and its path in that SD."""
        _, first, *rest = path
        if first == "applications":
            application = self.result[int(rest[0])].application
            return application.place, (*application.path, *rest[1:])
        return self.sources.of(path[1:])


@record
class EditedSD:
    """The item that is edited, and what it becomes."""

    item: Item
    sd: PlannedSD


def _members(value: JSON) -> Iterable[tuple[str | int, JSON]]:
    return value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()


def write(environment: Environment, merged: Merged, incoming: Incoming, mode: str, digest: str) -> Plan:
    """Edit or create the Full SD; edit, create or remove the Delta SD; annotate the Full SD."""
    theirs = incoming.as_origin()
    by = Origin(mode, None) if mode in (BASIC, EXCLUSION) else theirs  # who decides of all but the applications
    planned = PlannedSD(merged.full, merged.rows, remaining(merged.rows), by, merged.sources)
    full: Item | New
    if environment.full:
        full = environment.full
        yield from _edits(EditedSD(full, planned))
    else:
        full = _new(environment, "sd", planned)
        yield full
    delta = environment.delta
    if merged.delta is not None:
        held: JSON = get(delta.data, _SPEC) if delta else None
        rows = replaced(descriptors.readable(held, SdPlace("Delta SD", "the Delta SD", delta, _SPEC)), incoming)
        planned = PlannedSD(merged.delta, rows, remaining(rows), theirs, incoming.sources, is_delta=True)
        if delta:
            yield from _edits(EditedSD(delta, planned))
        else:
            yield _new(environment, "delta-sd", planned)
    elif delta:
        yield Drop(delta, (), theirs)
    yield Mark(full, _MARK, digest)


def applied(full: Item | None) -> str:
    """Return the digest of the run that wrote this Full SD, "" without one."""
    return full.marks.get(_MARK, "") if full else ""


def digest(mode: str, profile: str, incoming: JSON, full: JSON) -> str:
    """Return the digest of a run: of its mode, profile, incoming SD and resulting Full SD. It is the same for every version of the program."""
    import hashlib  # noqa: PLC0415 - only where something is merged

    data = canonical(old_scalars.value([mode, profile, incoming, full])).encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _new(environment: Environment, suffix: str, sd: PlannedSD) -> New:
    """Return a new SD of the environment, placed beside its other items."""
    beside = environment.full or environment.delta or next(iter(environment.namespaces), None)
    metadata: dict[str, Any] = {"name": _name(environment, suffix)}
    is_local = beside and get(beside.data, ("metadata", "annotations", _LOCAL)) == "true"
    annotations = {_LOCAL: "true"} if is_local else {}
    if environment.name:
        annotations[f"{names.GROUP}/environment"] = environment.name
    if environment.full and environment.full.namespace:
        metadata["namespace"] = environment.full.namespace
    if annotations:
        metadata["annotations"] = annotations
    whole: dict[str, Any] = {"apiVersion": names.API_VERSION, "kind": SD, "metadata": metadata, "spec": data_edits.copy(sd.new)}
    explained = lazy(lambda: (*sd.leaves(), *sd.copies(_SPEC, sd.new)))
    return New(whole, beside, suffix, _file(environment, suffix), explained, marked=False)


def _name(environment: Environment, suffix: str) -> str:
    """Return the name with the stem of the environment's other SD, unless several environments share that stem."""
    stem = environment.name.replace("/", ".") if environment.stem is None else environment.stem
    return f"{stem}.{suffix}" if stem else suffix


def _file(environment: Environment, suffix: str) -> str:
    """Return the file beside the environment's other SD, with its ending; else EnvGene's usual file."""
    base = suffix.replace("-", "_")
    other = environment.full or environment.delta
    if other and other.file:
        folder, slash, last = other.file.rpartition("/")
        ending = ".yml" if last.endswith(".yml") else ".yaml"
        return f"{folder}{slash}{base}{ending}"
    home, within, _ = environment.namespaces[0].file.rpartition("Namespaces/") if environment.namespaces else ("", "", "")
    if within or environment.name:
        root = home if within else f"environments/{environment.name}/"
        return f"{root}Inventory/solution-descriptor/{base}.yaml"
    return f"{base}.yaml"


def _edits(target: EditedSD) -> Iterator[Edit]:
    """Yield the edits from an item's `spec`, of any type, to the new SD."""
    new, leaves = target.sd.new, target.sd.leaves()
    old: JSON = get(target.item.data, _SPEC)
    listed = old.get("applications") if isinstance(old, dict) else None
    if not isinstance(old, dict) or not old:
        yield Put(target.item, _SPEC, new, leaves, copies=lazy(lambda: target.sd.copies(_SPEC, new)))
        return
    for key in old:
        if key not in new:
            yield Drop(target.item, (*_SPEC, key), target.sd.by)
    before = ""
    for key, value in new.items():
        if key == "applications" and isinstance(listed, list):
            yield from _applications(target, listed)
        elif key == "applications":
            copies = lazy(lambda value=value: target.sd.copies(_APPLICATIONS, value))  # type: ignore[misc]
            yield Put(target.item, _APPLICATIONS, value, leaves, after=before, copies=copies)
        else:
            yield from _changed(target, (*_SPEC, key), old, value, before)
        before = key


def _applications(target: EditedSD, old: list[JSON]) -> Iterator[Edit]:
    """Yield the edits of the list: what goes from its end, then each that stays or comes at its place."""
    result = target.sd.result
    staying = {row.at for row in result if row.at is not None}
    gone = {row.at: row.origin for row in target.sd.rows if row.outcome == REMOVED}
    for index in reversed(range(len(old))):
        if index not in staying:
            yield Drop(target.item, (*_APPLICATIONS, index), gone.get(index, target.sd.by))
    order: list[int | None] = [index for index in range(len(old)) if index in staying]
    for place, row in enumerate(result):
        path = (*_APPLICATIONS, place)
        if row.at is None:
            yield _whole(target, path, row, insert=place < len(order))
            order.insert(place, None)
            continue
        at = order.index(row.at, place)
        if at != place:
            yield Move(target.item, (*_APPLICATIONS, at), place)
            order.insert(place, order.pop(at))
        yield from _application(target, path, old[row.at], row)


def _whole(target: EditedSD, path: Path, row: Row, *, insert: bool = False) -> Put:
    """Return the put of an application."""
    data = row.application.data
    return Put(
        target.item, path, data, (target.sd.leaf(row, path),), insert=insert, copies=lazy(lambda: target.sd.copies(path, data))
    )


def _application(target: EditedSD, path: Path, old: JSON, row: Row) -> Iterator[Edit]:
    new = row.application.data
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield _whole(target, path, row)
        return
    leaf = target.sd.leaf(row, path)
    for key in old:
        if key not in new:
            yield Drop(target.item, (*path, key), target.sd.by)
    yield Put(target.item, leaf.path, row.application.text, (leaf,))
    before = ""
    for key, value in new.items():
        if key != "version":
            yield from _changed(target, (*path, key), old, value, before)
        before = key


def _changed(target: EditedSD, path: Path, old: dict[str, JSON], new: JSON, before: str) -> Iterator[Edit]:
    """Yield the edits of one key of the map `old`."""
    key = str(path[-1])
    if key not in old:
        yield _put(target, path, new, after=before)
    elif data_edits.same(old[key], new):
        for place, value, behind in _respelled(old, {key: new}, path[:-1]):
            yield Drop(target.item, place, target.sd.by)  # both numbers are equal: the second would not be written
            yield _put(target, place, value, insert=isinstance(place[-1], int), after=behind)
    else:
        for step in edits(old[key], new, path, in_place=lambda _: True):
            if isinstance(step, data_edits.Put):
                yield _put(target, step.path, step.value, insert=step.insert)
            elif isinstance(step, data_edits.Move):
                yield Move(target.item, step.path, step.to)
            else:
                yield Drop(target.item, step.path, target.sd.by)


def _respelled(old: JSON, new: JSON, path: Path) -> Iterator[tuple[Path, JSON, str | None]]:
    """Yield equal numbers that are written differently, as 2.1 and 2.10, each with the key before it; `new` may have fewer keys."""
    steps: list[tuple[str | int, JSON, JSON, str | None]] = []
    if isinstance(new, dict) and isinstance(old, dict):
        behind_of = dict(zip(old, ["", *old], strict=False))
        steps = [(key, old[key], value, behind_of[key]) for key, value in new.items()]
    elif isinstance(new, list) and isinstance(old, list):
        steps = [(index, one, new[index], None) for index, one in enumerate(old)]
    for step, one, other, behind in steps:
        if isinstance(one, (dict, list)):
            yield from _respelled(one, other, (*path, step))
        elif isinstance(one, (int, float)) and text_of(one) != text_of(other):
            yield (*path, step), other, behind


def _put(target: EditedSD, path: Path, value: JSON, *, insert: bool = False, after: str | None = None) -> Put:
    return Put(target.item, path, value, tuple(target.sd.written(path, value)), insert=insert, after=after)
