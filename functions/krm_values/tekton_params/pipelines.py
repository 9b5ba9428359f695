"""A pipeline with its tasks, or the one task of a TaskRun, and the references in their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values.tekton_params import params
from krm_values.tekton_params.spec import fields
from krm_values.tekton_params.spec.fields import Field
from krm_values.tekton_params.spec.references import find, lookalikes, misspelt

_NONE: Mapping[str, frozenset[str]] = {}

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.tekton_params.params import Declaration, Value
    from krm_values.tekton_params.spec.manifest import Manifest
    from krm_values.tekton_params.spec.references import Misspelt, Ref

    Pods = Mapping[str, tuple[Field, ...]]


@record
class Read:
    """A reference and its field."""

    field: Field
    ref: Ref


@record
class Task:
    """A task of a pipeline, or that of a TaskRun.

    kind: `embedded` (taskSpec), `custom` (taskSpec of another API), `pipeline` (pipelineSpec), `reference` (taskRef), `run` (that of
    a TaskRun), `other`. reads: references in the fields of the task itself. outer: those in fields that read the pipeline's params. lookalikes:
    what looks like a reference in either and is not one. misspelt, outer_misspelt: what is a misspelt reference if there is a param of its
    name. keys: the keys of objects that are read in the task, by the object's name.
    """

    kind: str
    path: Path
    spec: Path
    data: dict[str, JSON]
    label: str
    name: str = ""
    values: tuple[Value, ...] = ()
    matrix: tuple[Value, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    reads: tuple[Read, ...] = ()
    outer: tuple[Read, ...] = ()
    lookalikes: tuple[tuple[Field, str], ...] = ()
    misspelt: tuple[tuple[Field, Misspelt], ...] = ()
    outer_misspelt: tuple[tuple[Field, Misspelt], ...] = ()
    inner: Pipeline | None = None
    keys: Mapping[str, frozenset[str]] = _NONE

    @property
    def declared(self) -> frozenset[str]:
        return frozenset(declaration.name for declaration in self.declarations)

    @property
    def given(self) -> frozenset[str]:
        """The names that the task gives itself."""
        return frozenset(value.name for value in (*self.values, *self.matrix))

    @property
    def is_embedded(self) -> bool:
        """Whether Tekton replaces references in it."""
        return self.kind in ("embedded", "run")

    def keys_read(self, name: str) -> frozenset[str]:
        return self.keys.get(name, frozenset())


@record
class Pipeline:
    """A pipeline's declarations and tasks. stored: its values come with later runs. suppliers: the first task that gives a name, by the name."""

    path: Path
    data: dict[str, JSON]
    label: str
    stored: bool
    declarations: tuple[Declaration, ...]
    tasks: tuple[Task, ...]
    suppliers: Mapping[str, Task]

    @property
    def declared(self) -> frozenset[str]:
        return frozenset(declaration.name for declaration in self.declarations)

    @property
    def named(self) -> dict[str, Task]:
        """The tasks by name; the first of several of one name."""
        return {task.name: task for task in reversed(self.tasks)}

    def supplier(self, name: str) -> str:
        """Return the label of the task that gives a name, or ""."""
        return self.suppliers[name].label if name in self.suppliers else ""


def read_pipeline(spec: JSON, path: Path, label: str, *, stored: bool, pods: Pods | None = None) -> Pipeline | None:
    """Read a pipeline's spec; None if it does not have the shape of one. pods: the fields of each task's pod template."""
    if not isinstance(spec, dict) or not _is_list(spec.get("params")):
        return None
    tasks = [
        _task(entry, (*path, key, index), word, (pods or {}))
        for key, word in (("tasks", "task"), ("finally", "finally task"))
        for index, entry in enumerate(_list(spec.get(key)))
        if isinstance(entry, dict)
    ]
    declared = params.declarations(spec.get("params"), (*path, "params"))
    suppliers = {value.name: task for task in reversed(tasks) for value in (*task.values, *task.matrix)}
    return Pipeline(path, spec, label, stored, declared, tuple(tasks), suppliers)


def read_task_run(spec: JSON, path: Path) -> Task | None:
    """Read the embedded task of a TaskRun; None if it does not have the shape of one."""
    if not isinstance(spec, dict) or not _is_list(spec.get("params")):
        return None
    declared = params.declarations(spec.get("params"), (*path, "params"))
    searched = _searched(spec, path, declared)
    reads = _reads(searched)
    return Task(
        "run",
        path,
        path,
        spec,
        "the taskSpec",
        declarations=declared,
        reads=reads,
        lookalikes=_lookalikes(searched),
        misspelt=misspelt_in(searched),
        keys=_keys(reads),
    )


def pod_templates(run: Manifest) -> dict[str, tuple[Field, ...]]:
    """Return the strings of `taskRunSpecs[].podTemplate`, by the name of the pipeline task."""
    key = "podTemplate" if run.version == "v1" else "taskPodTemplate"
    found: dict[str, list[Field]] = {}
    for path, entry in fields.walk(run.spec, run.spec_path, ("taskRunSpecs", "*")):
        name = entry.get("pipelineTaskName") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and isinstance(name, str):
            found.setdefault(name, []).extend(fields.strings(entry.get(key), (*path, key), "pod"))
    return {name: tuple(strings) for name, strings in found.items()}


def misspelt_in(searched: Iterable[Field]) -> tuple[tuple[Field, Misspelt], ...]:
    """Return every misspelt reference in these fields."""
    return tuple((field, found) for field in searched if field.place != "custom" for found in misspelt(field.text))


def _task(data: dict[str, JSON], path: Path, word: str, pods: Pods) -> Task:
    name = data.get("name")
    named = name if isinstance(name, str) else ""
    label = f"{word} {named or f'[{path[-1]}]'}"
    kind, spec = _kind(data, path)
    outer = tuple(fields.of_pipeline_task(data, path))
    within = data.get("taskSpec")
    declared = params.declarations(within.get("params"), (*spec, "params")) if isinstance(within, dict) else ()
    searched = _within(kind, within, spec, declared)
    matrix = params.matrix_values(data.get("matrix"), (*path, "matrix"))
    supplied = {value.name for value in matrix}
    inside = (*searched, *(pods.get(named, ()) if kind != "custom" else ()))
    reads = _reads(inside)
    return Task(
        kind,
        path,
        spec,
        data,
        label,
        named,
        params.values(data.get("params"), (*path, "params")),
        matrix,
        declared if kind in ("embedded", "custom") else (),
        reads,
        tuple(read for read in _reads(outer, inside=False) if read.field.place != "title" or read.ref.name not in supplied),
        (*_lookalikes(outer, inside=False), *_lookalikes(searched)),
        misspelt_in(inside),
        misspelt_in(outer),
        _inner(data, path, label) if kind == "pipeline" else None,
        _keys(reads),
    )


def _kind(data: dict[str, JSON], path: Path) -> tuple[str, Path]:
    """Return the kind of a pipeline task and the path of its spec."""
    if not _is_list(data.get("params")):
        return "other", path
    spec = data.get("taskSpec")
    if isinstance(spec, dict):
        at = (*path, "taskSpec")
        return ("custom" if spec.get("apiVersion") else "embedded", at) if _is_list(spec.get("params")) else ("other", at)
    if isinstance(data.get("taskRef"), dict):
        return "reference", path
    nested = data.get("pipelineSpec")
    fits = isinstance(nested, dict) and _is_list(nested.get("params"))
    return ("pipeline", (*path, "pipelineSpec")) if fits else ("other", path)


def _within(kind: str, spec: JSON, path: Path, declared: tuple[Declaration, ...]) -> tuple[Field, ...]:
    """Return the fields of the task itself."""
    if kind == "custom" and isinstance(spec, dict):
        return tuple(fields.strings(spec.get("spec"), (*path, "spec"), "custom"))
    return _searched(spec, path, declared) if kind == "embedded" else ()


def _searched(spec: JSON, path: Path, declared: tuple[Declaration, ...]) -> tuple[Field, ...]:
    defaults = (field for one in declared for field in fields.strings(one.default, (*one.path, "default"), "default"))
    return (*fields.of_task(spec, path), *defaults)


def _inner(data: dict[str, JSON], path: Path, label: str) -> Pipeline | None:
    return read_pipeline(data["pipelineSpec"], (*path, "pipelineSpec"), f"the pipelineSpec of {label}", stored=False)


def _reads(searched: Iterable[Field], *, inside: bool = True) -> tuple[Read, ...]:
    """Return the references in some fields; the old spelling is one only `inside` a task."""
    return tuple(Read(field, ref) for field in searched for ref in find(field.text) if inside or not ref.old)


def _keys(reads: Iterable[Read]) -> dict[str, frozenset[str]]:
    """Return the keys of objects that are read, by the object's name."""
    found: dict[str, set[str]] = {}
    for read in reads:
        if read.ref.key:
            found.setdefault(read.ref.name, set()).add(read.ref.key)
    return {name: frozenset(keys) for name, keys in found.items()}


def _lookalikes(searched: Iterable[Field], *, inside: bool = True) -> tuple[tuple[Field, str], ...]:
    """Return what looks like a reference in some fields and is not one."""
    return tuple(
        (field, text)
        for field in searched
        if field.place not in ("custom", "default")
        for text in (*lookalikes(field.text), *(ref.text for ref in find(field.text) if ref.old and not inside))
    )


def _is_list(value: JSON) -> bool:
    return value is None or isinstance(value, list)


def _list(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []
