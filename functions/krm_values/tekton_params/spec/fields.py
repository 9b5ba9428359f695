"""The fields that Tekton searches for references, in a task and in the pipeline around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

_EACH = "*"  # every member of a list or map
_ENV = ("env", _EACH)
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
    ("envFrom", _EACH, "prefix"),
    ("envFrom", _EACH, "configMapRef", "name"),
    ("envFrom", _EACH, "secretRef", "name"),
    ("volumeMounts", _EACH, "name"),
    ("volumeMounts", _EACH, "mountPath"),
    ("volumeMounts", _EACH, "subPath"),
)
_STEP = (*_CONTAINER, ("script",), ("onError",), ("stdoutConfig", "path"), ("stderrConfig", "path"))
_SIDECAR = (*_CONTAINER, ("script",))
_WORDS = (("command", _EACH), ("args", _EACH))
_SOURCES = ("projected", "sources", _EACH)
_VOLUMES = tuple(
    ("volumes", _EACH, *field)
    for field in (
        ("name",),
        ("configMap", "name"),
        ("configMap", "items", _EACH, "key"),
        ("configMap", "items", _EACH, "path"),
        ("secret", "secretName"),
        ("secret", "items", _EACH, "key"),
        ("secret", "items", _EACH, "path"),
        ("persistentVolumeClaim", "claimName"),
        (*_SOURCES, "configMap", "name"),
        (*_SOURCES, "secret", "name"),
        (*_SOURCES, "serviceAccountToken", "audience"),
        ("csi", "nodePublishSecretRef", "name"),
        ("csi", "volumeAttributes", _EACH),
    )
)
_TASK = (*_VOLUMES, ("workspaces", _EACH, "mountPath"))
_PIPELINE_TASK = (("onError",), ("workspaces", _EACH, "subPath"), ("taskRef", "name"))


@record
class Field:
    """A string that is searched. `place` says where a whole array or object may be used in it.

    text: nowhere. word, member: an array, as the entry of a list. when: an array, with `[*]`. list: an array, as the value.
    whole: an array or object, with `[*]`, as the value. title: nowhere, and the matrix's own names are not looked up.
    default, pod: not checked.
    """

    path: Path
    text: str
    place: str


def of_task(spec: JSON, path: Path) -> Iterator[Field]:
    """Yield the fields of an embedded task that are searched, except the defaults of its declarations."""
    for steps, own, within in (("steps", _STEP, _step), ("sidecars", _SIDECAR, _words), ("stepTemplate", _CONTAINER, _words)):
        for at, step in walk(spec, path, (steps,) if steps == "stepTemplate" else (steps, _EACH)):
            yield from _strings_at(step, at, own, "text")
            yield from within(step, at)
    yield from _strings_at(spec, path, _TASK, "text")


def of_pipeline_task(task: JSON, path: Path) -> Iterator[Field]:
    """Yield the fields of a pipeline task that read the pipeline's params."""
    yield from of_values(task, path)
    yield from of_matrix(task, path)
    yield from of_when(task, path)
    yield from _strings_at(task, path, (("displayName",),), "title")
    yield from _strings_at(task, path, _PIPELINE_TASK, "text")
    for at, reference in walk(task, path, ("taskRef",)):
        yield from of_values(reference, at)


def of_values(holder: JSON, path: Path) -> Iterator[Field]:
    """Yield the values of a list `params`."""
    for at, value in walk(holder, path, ("params", _EACH, "value")):
        yield from _value(value, at, "whole")


def of_matrix(task: JSON, path: Path) -> Iterator[Field]:
    """Yield the values of a matrix; a list, as in early v1beta1, is read as its `params`."""
    for at, value in walk(task, path, ("matrix", "params", _EACH, "value")):
        yield from _value(value, at, "list")
    for at, matrix in walk(task, path, ("matrix",)):
        if isinstance(matrix, list):
            for inner, value in walk(matrix, at, (_EACH, "value")):
                yield from _value(value, inner, "list")
    for at, row in walk(task, path, ("matrix", "include", _EACH)):
        yield from _strings_at(row, at, (("params", _EACH, "value"),), "text")
        yield from of_when(row, at)


def of_when(holder: JSON, path: Path) -> Iterator[Field]:
    """Yield the guards of a pipeline task or step."""
    yield from _strings_at(holder, path, (("when", _EACH, "input"), ("when", _EACH, "cel")), "text")
    yield from _strings_at(holder, path, (("when", _EACH, "values", _EACH),), "when")


def strings(value: JSON, path: Path, place: str) -> Iterator[Field]:
    """Yield every string of a value, at any depth."""
    if isinstance(value, str):
        yield Field(path, value, place)
        return
    for at, member in walk(value, path, (_EACH,)):
        yield from strings(member, at, place)


def walk(data: JSON, path: Path, steps: tuple[str, ...]) -> Iterator[tuple[Path, JSON]]:
    """Yield the values at `steps` below `data`, each with its path."""
    if not steps:
        yield path, data
    elif steps[0] != _EACH:
        if isinstance(data, dict) and steps[0] in data:
            yield from walk(data[steps[0]], (*path, steps[0]), steps[1:])
    elif isinstance(data, dict):
        for key, member in data.items():
            yield from walk(member, (*path, key), steps[1:])
    elif isinstance(data, list):
        for index, member in enumerate(data):
            yield from walk(member, (*path, index), steps[1:])


def _step(step: JSON, path: Path) -> Iterator[Field]:
    yield from _words(step, path)
    yield from of_when(step, path)
    yield from of_values(step, path)


def _words(container: JSON, path: Path) -> Iterator[Field]:
    yield from _strings_at(container, path, _WORDS, "word")


def _value(value: JSON, path: Path, place: str) -> Iterator[Field]:
    if isinstance(value, str):
        yield Field(path, value, place)
        return
    for at, member in walk(value, path, (_EACH,)):
        yield from strings(member, at, "member" if isinstance(value, list) else "text")


def _strings_at(data: JSON, path: Path, fields: tuple[tuple[str, ...], ...], place: str) -> Iterator[Field]:
    for steps in fields:
        for at, text in walk(data, path, steps):
            if isinstance(text, str):
                yield Field(at, text, place)
