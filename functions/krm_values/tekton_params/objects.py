"""The objects that are read, in the list and in TriggerTemplates, and their faults against Tekton's types: unknown keys, wrong shapes, entries without a name.

A reference `$(tt.params.N)` is replaced by Tekton Triggers when a trigger creates the object, so it is opaque text to everything else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._krm import shapes
from krm_values._krm.plan import part_of
from krm_values._krm.shapes import MISSPELT, fault, incomplete
from krm_values.tekton_params import check_names, check_values, params
from krm_values.tekton_params import upstream_fields as upstream
from krm_values.tekton_params.findings import Reporter
from krm_values.tekton_params.pipelines import Manifest
from krm_values.tekton_params.upstream_fields import GROUP, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values.tekton_params.pipelines import SearchedField

RUNS = ("PipelineRun", "TaskRun")
_ELEMENTS: Path = ("spec", "resourcetemplates")
_TRIGGER_REFERENCE = r"\$\(tt\.params\.([_a-zA-Z][_a-zA-Z0-9.-]*)\)"
_ONE_OF = ("taskRef", "taskSpec", "pipelineRef", "pipelineSpec")
_TASK_REFS = (upstream.TASK_REF, upstream.OLD_TASK_REF)
_REFERENCES = (upstream.STEP_REF, upstream.PIPELINE_REF, upstream.OLD_PIPELINE_REF, *_TASK_REFS)


def check_structure(manifest: Manifest, report: Report) -> None:
    """Report unknown keys, wrong shapes, scalars that become another text, and faulty entries of `params` and references.

    An object that cannot be read is reported elsewhere.
    """
    item, root = manifest.item, manifest.path
    if item.error:
        return
    shape = upstream.OBJECTS[manifest.version, manifest.kind]
    faults = shapes.misshapen(manifest.data, shape, root)
    report.extend(shapes.shape_errors(item, (one for one in faults if not _is_reference(one.found)), "S6"))
    _unknown_keys(manifest, report)
    reporter = Reporter(item, report)
    for path, data, known in shapes.objects(manifest.data, shape, root):
        if known is upstream.PARAM:
            _incomplete(reporter, path, data, ("name", "value"))
            check_values.of_retyped(reporter, params.ParamValue(params.as_text(data.get("name")), data.get("value"), path))
        elif known is upstream.DECLARATION:
            _incomplete(reporter, path, data, ("name",))
            check_values.of_retyped(reporter, params.Declaration(params.as_text(data.get("name")), "", data, path))
        elif len(both := [key for key in _ONE_OF if key in known and data.get(key) is not None]) > 1:
            text = f"has {' and '.join(f'`{key}`' for key in both)}, of which Tekton takes one only; remove the others"
            reporter.error("one-of", "S6", (*path, both[-1]), "", text)
        elif any(known is one for one in _REFERENCES):
            check_names.twice_ignoring_case(reporter, params.values(data.get("params"), (*path, "params")))
            if any(known is one for one in _TASK_REFS):
                _misspelt_kind(reporter, path, data, is_own=path == (*root, "spec", "taskRef"))


def check_version(item: Item, version: str, report: Report, path: Path = ()) -> None:
    """Warn of an object of a kind that is read, at `path` of an item, in a version that exists and is not read."""
    if version in upstream.UNREAD_VERSIONS:
        text = f'has the version "{version}", which is not read; known are {", ".join(upstream.VERSIONS)}'
        report.warning("version", "1", text, item, (*path, "apiVersion"))


def runs_of(template: Item) -> list[Manifest]:
    """Return the runs of Tekton among the elements of a TriggerTemplate."""
    return [one for one in _elements(template) if one.kind in RUNS]


def check_template(item: Item, report: Report) -> None:
    """Report every fault in the keys and shapes of a TriggerTemplate and its elements, and references to params that it does not declare."""
    if item.error:
        return
    report.extend(shapes.shape_errors(item, shapes.misshapen(item.data, upstream.TRIGGER_TEMPLATE), "S6"))
    report.extend(shapes.warnings(item, shapes.unknown_keys(item.data, upstream.TRIGGER_TEMPLATE), "S5"))
    _trigger_defaults(item, report)
    elements = _listed(item)
    for index, element in enumerate(elements):
        if isinstance(element, dict):
            _check_header(item, element, (*_ELEMENTS, index), report)
    for one in _elements(item):
        if one.kind not in RUNS:
            _unknown_keys(one, report)
    declared = {name: None for name, _, _ in params.named(get(item.data, ("spec", "params")), ())}
    reported: set[str] = set()
    for path, text in _strings(elements, _ELEMENTS):
        for match in re.finditer(_TRIGGER_REFERENCE, text):
            name = match[1]
            if name not in declared and name not in reported:
                reported.add(name)
                hint = suggest.hint(name, declared) or "; declare it there"
                message = (
                    f"{name}: `{match[0]}` refers to a param that `spec.params` of the TriggerTemplate does not declare{hint}"
                )
                inside = part_of(item, path, match[0])
                report.error("undeclared-trigger-param", "S13", message, item, path, tags={"param": name}, inside=inside)


def _trigger_defaults(template: Item, report: Report) -> None:
    """Warn of defaults that do not stay what they are where Triggers puts them into the JSON text."""
    for name, entry, path in params.named(get(template.data, ("spec", "params")), ("spec", "params")):
        default = entry.get("default")
        if isinstance(default, str) and re.search(r'["\\\x00-\x1f]', default):
            text = (
                f"{name}: Triggers puts this default into the JSON text as it is, so quotes, backslashes and line breaks in it"
                " break the resource or become other characters; write it without them"
            )
            report.warning("trigger-default", "S12", text, template, (*path, "default"), tags={"param": name})


def _elements(template: Item) -> Iterator[Manifest]:
    """Yield the elements of the group `tekton.dev` whose kind and version are read."""
    for index, element in enumerate(_listed(template)):
        if isinstance(element, dict):
            group, _, version = str(element.get("apiVersion") or "").rpartition("/")
            kind = str(element.get("kind") or "")
            if group == GROUP and (version, kind) in upstream.OBJECTS:
                yield Manifest(template, kind, version, element, (*_ELEMENTS, index))


def _listed(template: Item) -> list[JSON]:
    elements = get(template.data, _ELEMENTS)
    return elements if isinstance(elements, list) else []


def _strings(value: JSON, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield every string of a value with its path, also the keys of maps: Triggers replaces references in the JSON text."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield (*path, key), key
            yield from _strings(member, (*path, key))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _strings(member, (*path, index))


def _check_header(item: Item, element: dict[str, JSON], path: Path, report: Report) -> None:
    """Warn of an element that is not read because of its `apiVersion` or `kind`, or of how it spells these keys."""
    api_version, kind = (value if isinstance(value := element.get(key), str) else "" for key in ("apiVersion", "kind"))
    group, _, version = api_version.rpartition("/")
    served = (upstream.PIPELINES,)
    is_whole = kind and api_version
    field, text = fault(served, group, version, kind) if is_whole else incomplete(served, element, api_version, kind)
    if text:
        report.warning(MISSPELT, "S7", text, item, (*path, field))
    elif group == GROUP and kind in KINDS:
        check_version(item, version, report, path)


def in_known_keys(manifest: Manifest, fields: Sequence[SearchedField]) -> list[SearchedField]:
    """Return the fields that are not below a key that is no field, which is likely misspelt."""
    shape = upstream.OBJECTS[manifest.version, manifest.kind]
    unknown = {(*one.path, one.key) for one in shapes.unknown_keys(manifest.data, shape, manifest.path)} if fields else ()
    return [field for field in fields if not any(field.path[:size] in unknown for size in range(len(field.path) + 1))]


def _unknown_keys(manifest: Manifest, report: Report) -> None:
    """Report keys that are not fields; those of the other version with the field of this one."""
    item, version = manifest.item, manifest.version
    moved_to = upstream.MOVED[version]
    moved: list[shapes.Unknown] = []
    others: list[shapes.Unknown] = []
    for one in shapes.unknown_keys(manifest.data, upstream.OBJECTS[version, manifest.kind], manifest.path):
        (moved if moved_to.get(one.key, "").partition(".")[0] in one.known else others).append(one)
    advice = {key: f"; in this version it is `{field}`" for key, field in moved_to.items()}
    report.extend(shapes.warnings(item, moved, "S5", advice))
    report.extend(shapes.warnings(item, others, "S5"))


def _is_reference(found: JSON) -> bool:
    """Return whether a value is given by a reference, so that its shape is decided later."""
    return isinstance(found, str) and found.startswith(("$(params", "$(tt.params."))


def _incomplete(reporter: Reporter, path: Path, data: dict[str, JSON], needed: tuple[str, ...]) -> None:
    """Report the keys that an entry of `params` lacks."""
    name = data.get("name")
    for key in needed:
        if key not in data or (key == "name" and name is None):
            others = [other for other in data if other not in upstream.PARAM and other not in upstream.DECLARATION]
            near = suggest.nearest(key, others)
            hint = f"write `{key}` for `{near}`" if near else "add it or remove the entry"
            param = name if isinstance(name, str) else ""
            text = f"this entry of `params` has no `{key}`; {hint}"
            reporter.error(f"missing-{key}", "S6", path, param, text, lacking=((*path, key),))


def _misspelt_kind(reporter: Reporter, path: Path, data: dict[str, JSON], *, is_own: bool) -> None:
    """Report a `kind` that is near to `Task` and, without an apiVersion, not a custom task either.

    is_own: whether it is that of a TaskRun, which has no custom tasks: Tekton reads any kind as Task, so its case does not matter.
    """
    kind, version = data.get("kind"), data.get("apiVersion")
    is_ours = not version or (isinstance(version, str) and version.startswith(f"{GROUP}/"))
    if isinstance(kind, str) and kind not in ("", "Task", "ClusterTask") and is_ours:
        near = suggest.nearest(kind, ("Task", "ClusterTask"))
        if near and (not is_own or near.lower() != kind.lower()):
            text = f'"{kind}" is not a kind of task, and a custom one needs an apiVersion; did you mean `{near}`?'
            reporter.warning("misspelt-kind", "S7", (*path, "kind"), "", text, found=kind)
