"""The outputs of an environment's merge: its Full SD, its Delta SD, and the annotation by which a run is recognized."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._kit.planner import names
from krm_values._kit.planner.plan import Drop, Mark, New, Origin
from krm_values.envgene_sd import descriptors, edits, replace
from krm_values.envgene_sd.edits import Target
from krm_values.envgene_sd.environments import SD
from krm_values.envgene_sd.parameters import BASIC, EXCLUSION
from krm_values.envgene_sd.place import Place

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Leaf, Plan
    from krm_values.envgene_sd.environments import Environment
    from krm_values.envgene_sd.fold import Incoming
    from krm_values.envgene_sd.merge import Merged

_LOCAL = "config.kubernetes.io/local-config"
_MARK = "applied"
_SPEC, _LISTED = ("spec",), ("spec", "applications")


def write(environment: Environment, merged: Merged, incoming: Incoming, mode: str, digest: str) -> Plan:
    """Edit or create the Full SD; edit, create or remove the Delta SD; annotate the Full SD."""
    theirs = Origin(", ".join(place.layer for place in incoming.places), None)
    by = Origin(mode, None) if mode in (BASIC, EXCLUSION) else theirs  # who decides of all but the applications
    full: Item | New
    if environment.full:
        full = environment.full
        held: JSON = get(full.data, _SPEC)
        yield from edits.edit(Target(full, by), held, merged.full, merged.rows)
    else:
        full = _new(environment, "sd", merged.full, edits.leaves(merged.rows, _LISTED))
        yield full
    yield from _delta(environment, merged, incoming, theirs)
    yield Mark(full, _MARK, digest)


def applied(full: Item | None) -> str:
    """Return the digest of the run that wrote this Full SD, "" without one."""
    return full.marks.get(_MARK, "") if full else ""


def _delta(environment: Environment, merged: Merged, incoming: Incoming, by: Origin) -> Plan:
    old = environment.delta
    if merged.delta is None:
        if old:
            yield Drop(old, (), by)
        return
    place = Place("Delta SD", "the Delta SD", old, _SPEC)
    held: JSON = get(old.data, _SPEC) if old else None
    result = replace.merge(descriptors.readable(held, place), incoming)
    if old:
        yield from edits.edit(Target(old, by), held, merged.delta, result)
    else:
        yield _new(environment, "delta-sd", merged.delta, edits.leaves(result, _LISTED))


def _new(environment: Environment, suffix: str, data: dict[str, JSON], explained: tuple[Leaf, ...]) -> New:
    """Return a new SD of the environment, placed beside its other items."""
    beside = environment.full or environment.delta or next(iter(environment.namespaces), None)
    metadata: dict[str, Any] = {"name": _name(environment, suffix)}
    annotations = {_LOCAL: "true"} if beside and _is_local(beside) else {}
    if environment.name:
        annotations[f"{names.GROUP}/environment"] = environment.name
    if environment.full and environment.full.namespace:
        metadata["namespace"] = environment.full.namespace
    if annotations:
        metadata["annotations"] = annotations
    whole: dict[str, Any] = {"apiVersion": names.API_VERSION, "kind": SD, "metadata": metadata, "spec": data_edits.copy(data)}
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


def _is_local(item: Item) -> bool:
    return get(item.data, ("metadata", "annotations", _LOCAL)) == "true"
