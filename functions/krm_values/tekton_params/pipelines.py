"""An object's pipeline with its tasks, or the one task of a TaskRun, and the references in the fields that Tekton searches for them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from krm_values._data.pointer import scalars
from krm_values._data.record import record
from krm_values.tekton_params import params
from krm_values.tekton_params.params import find, has_reference, lookalikes, misspelt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Literal

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values.tekton_params.params import Declaration, Misspelt, ParamValue, Ref

    Pods = Mapping[str, tuple["SearchedField", ...]]
    Role = Literal["text", "word", "member", "when", "list", "whole", "title", "custom", "default", "pod"]

EACH = "*"  # in the steps of `walk`: every member of a list or map
_NO_KEYS: Mapping[str, frozenset[str]] = {}


@record
class Manifest:
    """An object to complete or check: an item of the list, or the element at `path` of a TriggerTemplate."""

    item: Item
    kind: str
    version: str
    data: JSON
    path: Path = ()

    @property
    def spec(self) -> JSON:
        return self.data.get("spec") if isinstance(self.data, dict) else None

    def field(self, key: str) -> JSON:
        """Return a field of its `spec`, or None."""
        return self.spec.get(key) if isinstance(self.spec, dict) else None

    @property
    def spec_path(self) -> Path:
        """The path of its `spec` in the item."""
        return (*self.path, "spec")


@record
class SearchedField:
    """A string that is searched. Its role says which whole array or object it may refer to.

    text: none. word, member: an array, as the entry of a list. when: an array, with `[*]`. list: an array, as the value.
    whole: an array or object, with `[*]`, as the value. title: none, and the matrix's own names are not looked up.
    custom, default, pod: not checked as a field of the task.
    """

    path: Path
    text: str
    role: Role


@record
class Read:
    """A reference and its field."""

    field: SearchedField
    ref: Ref


@record
class Task:
    """A task of a pipeline, or that of a TaskRun.

    kind: `embedded` (taskSpec), `custom` (taskSpec of another API), `pipeline` (pipelineSpec), `reference` (taskRef, pipelineRef), `run`
    (that of a TaskRun, or a Task), `other`. reads_inside: references in the fields of the task itself. reads_outside: those in fields
    that read the pipeline's params. lookalikes: what looks like a reference in either and is not one. misspelt_inside, misspelt_outside:
    what is a misspelt reference if there is a param of its name. keys: the keys of objects that are read inside, by the object's name.
    """

    kind: str
    path: Path
    spec: Path
    data: dict[str, JSON]
    label: str
    name: str = ""
    values: tuple[ParamValue, ...] = ()
    matrix: tuple[ParamValue, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    reads_inside: tuple[Read, ...] = ()
    reads_outside: tuple[Read, ...] = ()
    lookalikes: tuple[tuple[SearchedField, str], ...] = ()
    misspelt_inside: tuple[tuple[SearchedField, Misspelt], ...] = ()
    misspelt_outside: tuple[tuple[SearchedField, Misspelt], ...] = ()
    inner: Pipeline | None = None
    keys: Mapping[str, frozenset[str]] = _NO_KEYS

    @property
    def declared(self) -> frozenset[str]:
        return frozenset(declaration.name for declaration in self.declarations)

    @property
    def given(self) -> frozenset[str]:
        """The names that the task gives itself."""
        return frozenset(value.name for value in (*self.values, *self.matrix))

    @property
    def is_embedded(self) -> bool:
        """Whether it has a spec of its own in which Tekton replaces references to its params."""
        return self.kind in ("embedded", "run")

    @property
    def body(self) -> JSON:
        """The spec of an embedded task; the data of any other, which for `run` is the spec."""
        return self.data.get("taskSpec") if self.kind == "embedded" else self.data

    @property
    def ref(self) -> str:
        """The key of its reference, if it is one."""
        return "taskRef" if isinstance(self.data.get("taskRef"), dict) else "pipelineRef"

    @property
    def ref_kind(self) -> str:
        """The kind of what it refers to, if it is a reference."""
        return "Task" if self.ref == "taskRef" else "Pipeline"


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
        _task(entry, at, word, pods or {})
        for key, word in (("tasks", "task"), ("finally", "finally task"))
        for at, entry in walk(spec, path, (key, EACH))
        if isinstance(entry, dict) and isinstance(spec[key], list)
    ]
    declared = params.declarations(spec.get("params"), (*path, "params"))
    suppliers = {value.name: task for task in reversed(tasks) for value in (*task.values, *task.matrix)}
    return Pipeline(path, spec, label, stored, declared, tuple(tasks), suppliers)


def read_task(spec: JSON, path: Path) -> Task | None:
    """Read the embedded task of a TaskRun, or the spec of a Task; None if it does not have the shape of one."""
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
        reads_inside=reads,
        lookalikes=_lookalikes(searched),
        misspelt_inside=misspelt_in(searched),
        keys=_keys_by_object(reads),
    )


def pipeline_refs(spec: JSON, path: Path) -> Iterator[tuple[Path, JSON]]:
    """Yield every `pipelineRef` of a pipeline's tasks with its path, also of the pipelines in it."""
    for key in ("tasks", "finally"):
        for at, task in walk(spec, path, (key, EACH)):
            if isinstance(task, dict) and task.get("pipelineSpec") is not None:
                yield from pipeline_refs(task["pipelineSpec"], (*at, "pipelineSpec"))
            elif isinstance(task, dict) and "pipelineRef" in task:
                yield (*at, "pipelineRef"), task["pipelineRef"]


def refs_into_lists(kind: str, spec: JSON) -> tuple[Ref, ...]:
    """Return the references in a Task or Pipeline that need members in its own lists.

    These are elements (`[0]`), and whole lists (`[*]`) as the `values` of a step's `when`, of which there must be one.
    """
    if kind != "Pipeline":
        return tuple(dict.fromkeys(_refs_in_task(spec)))
    refs: list[Ref] = []
    for key in ("tasks", "finally"):
        for _, task in walk(spec, (), (key, EACH)):
            refs.extend(_elements(pipeline_task_fields(task, ())))
            own = {value.name for value in params.values(task.get("params"), ())} if isinstance(task, dict) else ()
            inside = (ref for _, inner in walk(task, (), ("taskSpec",)) for ref in _refs_in_task(inner))
            refs.extend(ref for ref in inside if ref.name not in own)
    return tuple(dict.fromkeys(refs))


def _refs_in_task(spec: JSON) -> Iterator[Ref]:
    fields = tuple(task_fields(spec, ()))
    yield from _elements(fields)
    yield from (ref for field in fields if field.role == "when" for ref in find(field.text) if ref.index == "*")


def _elements(fields: Iterable[SearchedField]) -> Iterator[Ref]:
    return (ref for field in fields for ref in find(field.text) if ref.index.isdigit())


def pod_templates(run: Manifest) -> dict[str, tuple[SearchedField, ...]]:
    """Return the strings of `taskRunSpecs[].podTemplate`, by the name of the pipeline task."""
    key = "podTemplate" if run.version == "v1" else "taskPodTemplate"
    found: dict[str, list[SearchedField]] = {}
    for path, entry in walk(run.spec, run.spec_path, ("taskRunSpecs", EACH)):
        name = entry.get("pipelineTaskName") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and isinstance(name, str):
            found.setdefault(name, []).extend(strings(entry.get(key), (*path, key), "pod"))
    return {name: tuple(fields) for name, fields in found.items()}


def _task(data: dict[str, JSON], path: Path, word: str, pods: Pods) -> Task:
    name = found if isinstance(found := data.get("name"), str) else ""
    label = f"{word} {name or f'[{path[-1]}]'}"
    kind, spec = _kind(data, path)
    outer = tuple(pipeline_task_fields(data, path))
    within = data.get("taskSpec")
    declared = params.declarations(within.get("params"), (*spec, "params")) if isinstance(within, dict) else ()
    searched: tuple[SearchedField, ...] = ()
    inner = None
    if kind == "embedded":
        searched = _searched(within, spec, declared)
    elif kind == "custom" and isinstance(within, dict):
        searched = tuple(strings(within.get("spec"), (*spec, "spec"), "custom"))
    elif kind == "pipeline":
        inner = read_pipeline(data["pipelineSpec"], spec, f"the pipelineSpec of {label}", stored=False)
    inside = (*searched, *(pods.get(name, ()) if kind != "custom" else ()))
    reads = _reads(inside)
    matrix = params.matrix_values(data.get("matrix"), (*path, "matrix"))
    supplied = {value.name for value in matrix}
    return Task(
        kind,
        path,
        spec,
        data,
        label,
        name,
        params.values(data.get("params"), (*path, "params")),
        matrix,
        declared if kind in ("embedded", "custom") else (),
        reads,
        tuple(read for read in _reads(outer, inside=False) if read.field.role != "title" or read.ref.name not in supplied),
        (*_lookalikes(outer, inside=False), *_lookalikes(searched)),
        misspelt_in(inside),
        misspelt_in(outer),
        inner,
        _keys_by_object(reads),
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
    if isinstance(nested, dict) and _is_list(nested.get("params")):
        return "pipeline", (*path, "pipelineSpec")
    return ("reference" if nested is None and isinstance(data.get("pipelineRef"), dict) else "other"), path


def _searched(spec: JSON, path: Path, declared: tuple[Declaration, ...]) -> tuple[SearchedField, ...]:
    defaults = (field for one in declared for field in strings(one.default, (*one.path, "default"), "default"))
    return (*task_fields(spec, path), *defaults)


def _reads(searched: Iterable[SearchedField], *, inside: bool = True) -> tuple[Read, ...]:
    """Return the references in some fields; the old spelling is one only `inside` a task."""
    return tuple(Read(field, ref) for field in searched for ref in find(field.text) if inside or not ref.old)


def _keys_by_object(reads: Iterable[Read]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for read in reads:
        if read.ref.key:
            found.setdefault(read.ref.name, set()).add(read.ref.key)
    return {name: frozenset(keys) for name, keys in found.items()}


def _lookalikes(searched: Iterable[SearchedField], *, inside: bool = True) -> tuple[tuple[SearchedField, str], ...]:
    return tuple(
        (field, text)
        for field in searched
        if field.role not in ("custom", "default")
        for text in (*lookalikes(field.text), *(ref.text for ref in find(field.text) if ref.old and not inside))
    )


def misspelt_in(searched: Iterable[SearchedField]) -> tuple[tuple[SearchedField, Misspelt], ...]:
    """Return every misspelt reference in these fields."""
    return tuple((field, found) for field in searched if field.role != "custom" for found in misspelt(field.text))


def _is_list(value: JSON) -> bool:
    return value is None or isinstance(value, list)


_ENV = ("env", EACH)
_CONTAINER = (
    ("name",),
    ("image",),
    ("imagePullPolicy",),
    ("workingDir",),
    (*_ENV, "value"),
    (*_ENV, "valueFrom", "secretKeyRef", "name"),
    (*_ENV, "valueFrom", "secretKeyRef", "key"),
    (*_ENV, "valueFrom", "configMapKeyRef", "name"),
    (*_ENV, "valueFrom", "configMapKeyRef", "key"),
    ("envFrom", EACH, "prefix"),
    ("envFrom", EACH, "configMapRef", "name"),
    ("envFrom", EACH, "secretRef", "name"),
    ("volumeMounts", EACH, "name"),
    ("volumeMounts", EACH, "mountPath"),
    ("volumeMounts", EACH, "subPath"),
)
_STEP = (*_CONTAINER, ("script",), ("onError",), ("stdoutConfig", "path"), ("stderrConfig", "path"))
_SIDECAR = (*_CONTAINER, ("script",))
_WORDS = (("command", EACH), ("args", EACH))
_SOURCES = ("projected", "sources", EACH)
_VOLUMES = tuple(
    ("volumes", EACH, *field)
    for field in (
        ("name",),
        ("configMap", "name"),
        ("configMap", "items", EACH, "key"),
        ("configMap", "items", EACH, "path"),
        ("secret", "secretName"),
        ("secret", "items", EACH, "key"),
        ("secret", "items", EACH, "path"),
        ("persistentVolumeClaim", "claimName"),
        (*_SOURCES, "configMap", "name"),
        (*_SOURCES, "secret", "name"),
        (*_SOURCES, "serviceAccountToken", "audience"),
        ("csi", "nodePublishSecretRef", "name"),
        ("csi", "volumeAttributes", EACH),
    )
)
_TASK = (*_VOLUMES, ("workspaces", EACH, "mountPath"))
_NOT_TEKTONS = frozenset(("params", "description", "annotations", "podTemplate", "taskPodTemplate"))
_PIPELINE_TASK = (("onError",), ("workspaces", EACH, "subPath"), ("taskRef", "name"))


def task_fields(spec: JSON, path: Path) -> Iterator[SearchedField]:
    """Yield the fields of an embedded task that are searched, except the defaults of its declarations."""
    for steps, own in ((("steps", EACH), _STEP), (("sidecars", EACH), _SIDECAR), (("stepTemplate",), _CONTAINER)):
        for at, step in walk(spec, path, steps):
            yield from _strings_at(step, at, own, "text")
            yield from _strings_at(step, at, _WORDS, "word")
            if steps[0] == "steps":
                yield from _when_fields(step, at)
                yield from _value_fields(step, at)
                yield from ref_fields(step, at, "ref")
    yield from _strings_at(spec, path, _TASK, "text")


def pipeline_task_fields(task: JSON, path: Path) -> Iterator[SearchedField]:
    """Yield the fields of a pipeline task that read the pipeline's params."""
    yield from _value_fields(task, path)
    yield from matrix_fields(task, path)
    yield from _when_fields(task, path)
    yield from _strings_at(task, path, (("displayName",),), "title")
    yield from _strings_at(task, path, _PIPELINE_TASK, "text")
    yield from ref_fields(task, path, "taskRef")
    yield from ref_fields(task, path, "pipelineRef")


def ref_fields(holder: JSON, path: Path, key: str) -> Iterator[SearchedField]:
    """Yield the params of a reference, which a resolver gets."""
    if isinstance(holder, dict) and key in holder:
        yield from _value_fields(holder[key], (*path, key))


def never_replaced(spec: JSON, path: Path, body: Pipeline | Task | None = None) -> tuple[SearchedField, ...]:
    """Return the strings of an object's spec with a reference in a field in which Tekton replaces none, except descriptions.

    body: the pipeline or task in it, whose references are in fields that are searched.
    """
    known = frozenset(_paths_read(body)) if body else frozenset()
    found = [
        SearchedField(at, text, "text")
        for at, text in scalars(spec, path)
        if isinstance(text, str) and at not in known and has_reference(text) and not _is_judged(at[len(path) :])
    ]
    searched = {field.path for field in _all_fields(spec, path)} if found else frozenset()
    return tuple(field for field in found if field.path not in searched)


def _paths_read(body: Pipeline | Task) -> Iterator[Path]:
    """Yield the paths of the fields of a pipeline or task with references that Tekton replaces."""
    for task in body.tasks if isinstance(body, Pipeline) else (body,):
        yield from (read.field.path for read in (*task.reads_inside, *task.reads_outside))
        if task.inner:
            yield from _paths_read(task.inner)


def _all_fields(spec: JSON, path: Path) -> Iterator[SearchedField]:
    """Yield every searched field of a spec, of a run, a pipeline or a task, and of the specs in it."""
    yield from task_fields(spec, path)
    tasks = [found for key in ("tasks", "finally") for found in walk(spec, path, (key, EACH))]
    for at, task in tasks:
        yield from pipeline_task_fields(task, at)
    for at, holder in ((path, spec), *tasks):
        for key in ("taskSpec", "pipelineSpec"):
            for inner, data in walk(holder, at, (key,)):
                yield from _all_fields(data, inner)


def _is_judged(path: Path) -> bool:
    """Return whether a field below a spec is text for people, is judged by a check of its own, or is none of Tekton's."""
    return not _NOT_TEKTONS.isdisjoint(path) or path[0] == "workspaces" or ("taskSpec", "spec") in pairwise(path)


def matrix_fields(task: JSON, path: Path) -> Iterator[SearchedField]:
    """Yield the values of a matrix; a list, as in early v1beta1, is read as its `params`."""
    for at, value in walk(task, path, ("matrix", "params", EACH, "value")):
        yield from _value(value, at, "list")
    for at, matrix in walk(task, path, ("matrix",)):
        if isinstance(matrix, list):
            for inner, value in walk(matrix, at, (EACH, "value")):
                yield from _value(value, inner, "list")
    for at, row in walk(task, path, ("matrix", "include", EACH)):
        yield from _strings_at(row, at, (("params", EACH, "value"),), "text")
        yield from _when_fields(row, at)


def strings(value: JSON, path: Path, role: Role) -> Iterator[SearchedField]:
    """Yield every string of a value, at any depth."""
    if isinstance(value, str):
        yield SearchedField(path, value, role)
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from strings(member, (*path, key), role)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from strings(member, (*path, index), role)


def walk(data: JSON, path: Path, steps: tuple[str, ...]) -> Iterator[tuple[Path, JSON]]:
    """Yield the values at `steps` below `data`, each with its path."""
    if not steps:
        yield path, data
    elif steps[0] != EACH:
        if isinstance(data, dict) and steps[0] in data:
            yield from walk(data[steps[0]], (*path, steps[0]), steps[1:])
    elif isinstance(data, dict):
        for key, member in data.items():
            yield from walk(member, (*path, key), steps[1:])
    elif isinstance(data, list):
        for index, member in enumerate(data):
            yield from walk(member, (*path, index), steps[1:])


def _value_fields(holder: JSON, path: Path) -> Iterator[SearchedField]:
    for at, value in walk(holder, path, ("params", EACH, "value")):
        yield from _value(value, at, "whole")


def _when_fields(holder: JSON, path: Path) -> Iterator[SearchedField]:
    yield from _strings_at(holder, path, (("when", EACH, "input"), ("when", EACH, "cel")), "text")
    yield from _strings_at(holder, path, (("when", EACH, "values", EACH),), "when")


def _value(value: JSON, path: Path, role: Role) -> Iterator[SearchedField]:
    if isinstance(value, str):
        yield SearchedField(path, value, role)
        return
    for at, member in walk(value, path, (EACH,)):
        yield from strings(member, at, "member" if isinstance(value, list) else "text")


def _strings_at(data: JSON, path: Path, fields: tuple[tuple[str, ...], ...], role: Role) -> Iterator[SearchedField]:
    if not isinstance(data, dict):
        return
    for steps in fields:
        if steps[0] in data:  # most are not there
            for at, text in walk(data, path, steps):
                if isinstance(text, str):
                    yield SearchedField(at, text, role)
