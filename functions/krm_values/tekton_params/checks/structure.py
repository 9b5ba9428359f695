"""Checks an object against Tekton's types: known keys, fields of the right shape, entries with a name and a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import replace
from krm_values._kit.planner import fields
from krm_values.tekton_params import check_names as names
from krm_values.tekton_params import params
from krm_values.tekton_params import upstream_fields as upstream
from krm_values.tekton_params.checks.findings import Place
from krm_values.tekton_params.lookup import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.spec.manifest import Manifest

_REFERENCES = (upstream.STEP_REF, upstream.TASK_REF, upstream.PIPELINE_REF, upstream.OLD_TASK_REF, upstream.OLD_PIPELINE_REF)
_OWN_REF = (
    "spec",
    "taskRef",
)  # a TaskRun has no custom tasks, so Tekton reads any kind as Task: its case does not matter
_TASK_REFS = (upstream.TASK_REF, upstream.OLD_TASK_REF)


def of_object(manifest: Manifest) -> Iterator[Finding]:
    """Report every structural fault of an object; one that cannot be read is reported elsewhere."""
    item, root = manifest.item, manifest.path
    if item.data is None and item.error:
        return
    shape = upstream.OBJECTS[manifest.version, manifest.kind]
    faults = fields.misshapen(manifest.data, shape, root)
    yield from fields.errors(item, (one for one in faults if not _is_reference(one.found)), "S6")
    yield from unknown(item, manifest.data, shape, manifest.version, root)
    place = Place(item)
    for path, data, known in fields.objects(manifest.data, shape, root):
        if known is upstream.PARAM:
            yield from _incomplete(place, path, data, ("name", "value"))
        elif known is upstream.DECLARATION:
            yield from _incomplete(place, path, data, ("name",))
        elif any(known is one for one in _REFERENCES):
            yield from names.twice_in_run(place, params.values(data.get("params"), (*path, "params")))
            if any(known is one for one in _TASK_REFS):
                yield from _kind(place, path, data, is_own=path == (*root, *_OWN_REF))


def unknown(item: Item, data: JSON, shape: upstream.Shape, version: str, path: Path = ()) -> Iterator[Finding]:
    """Report keys of `data`, the value at `path`, that are not fields; those of the other version with their place in this one."""
    advice = {key: f"; in this version it is `{place}`" for key, place in upstream.MOVED[version].items()}
    moved: list[fields.Unknown] = []
    others: list[fields.Unknown] = []
    for one in fields.unknown_keys(data, shape, path):
        place = upstream.MOVED[version].get(one.key, "")
        (moved if place.partition(".")[0] in one.known else others).append(one)
    yield from fields.warnings(item, moved, "S5", advice)
    yield from fields.warnings(item, others, "S5")


def _is_reference(found: JSON) -> bool:
    """Return whether a word is a reference to a param, as `onError` may be, or in a TriggerTemplate any word."""
    return isinstance(found, str) and found.startswith(("$(params", "$(tt.params."))


def _incomplete(place: Place, path: Path, data: dict[str, JSON], needed: tuple[str, ...]) -> Iterator[Finding]:
    """Report the keys that an entry of `params` lacks."""
    name = data.get("name")
    for key in needed:
        if key not in data or (key == "name" and name is None):
            others = [other for other in data if other not in upstream.PARAM and other not in upstream.DECLARATION]
            near = suggest.nearest(key, others)
            hint = f"write `{key}` for `{near}`" if near else "add it or remove the entry"
            param = name if isinstance(name, str) else ""
            text = f"this entry of `params` has no `{key}`; {hint}"
            yield replace(place.error("S6", f"missing-{key}", path, param, text), lacking=((*path, key),))


def _kind(place: Place, path: Path, data: dict[str, JSON], *, is_own: bool) -> Iterator[Finding]:
    """Report a `kind` that is near to `Task` and, without an apiVersion, not a custom task either."""
    kind, version = data.get("kind"), data.get("apiVersion")
    is_added_form = not version or (isinstance(version, str) and version.startswith(f"{GROUP}/"))
    if isinstance(kind, str) and kind not in ("", "Task", "ClusterTask") and is_added_form:
        near = suggest.nearest(kind, ("Task", "ClusterTask"))
        if near and (not is_own or near.lower() != kind.lower()):
            text = f'"{kind}" is not a kind of task, and a custom one needs an apiVersion; did you mean `{near}`?'
            yield place.warning("S7", "misspelt-kind", (*path, "kind"), "", text, found=kind)
