"""The fields that are searched for references, and what else is read off a task [7, 33, 34, 36, 37]."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reference.tekton.values import Json, Reference, in_strings, in_value, in_when, mapping, maps, references, text


def names_of(entries: Json) -> list[str]:
    return [text(entry.get("name")) for entry in maps(entries)]


def is_custom(task: dict[str, Json]) -> bool:
    """[7]"""
    return bool(mapping(task.get("taskSpec")).get("apiVersion"))


def in_container(container: dict[str, Json]) -> Iterator[Reference]:
    """[36] The fields of a step, a step template or a sidecar that are searched."""
    for key in ("name", "image", "imagePullPolicy", "workingDir", "script", "onError"):
        yield from references(container.get(key), task=True)
    for key in ("command", "args"):
        yield from in_strings(container.get(key), place="entry", task=True)
    for variable in maps(container.get("env")):
        yield from references(variable.get("value"), task=True)
        yield from in_strings(variable.get("valueFrom"), task=True)
    for key in ("envFrom", "volumeMounts"):
        yield from in_strings(container.get(key), task=True)
    for key in ("stdoutConfig", "stderrConfig"):
        yield from references(mapping(container.get(key)).get("path"), task=True)
    yield from in_when(container.get("when"), task=True)
    for param in maps(container.get("params")):
        yield from in_value(param.get("value"), task=True)


def in_task(spec: dict[str, Json]) -> Iterator[Reference]:
    """[36] The references of an embedded task."""
    for container in (*maps(spec.get("steps")), mapping(spec.get("stepTemplate")), *maps(spec.get("sidecars"))):
        yield from in_container(container)
    yield from in_strings(spec.get("volumes"), task=True)
    for workspace in maps(spec.get("workspaces")):
        yield from references(workspace.get("mountPath"), task=True)


def matrix_groups(task: dict[str, Json]) -> list[list[dict[str, Json]]]:
    """[34] The param lists of a matrix; a v1beta1 list is read as its params."""
    matrix = task.get("matrix")
    if isinstance(matrix, list):
        return [maps(matrix)]
    rows = [maps(row.get("params")) for row in maps(mapping(matrix).get("include"))]
    return [maps(mapping(matrix).get("params")), *rows]


def matrix_params(task: dict[str, Json]) -> list[dict[str, Json]]:
    return [entry for group in matrix_groups(task) for entry in group]


def matrix_names(task: dict[str, Json]) -> list[str]:
    return list(dict.fromkeys(names_of(matrix_params(task))))


def in_pipeline_task(task: dict[str, Json]) -> Iterator[Reference]:
    """[33] The references in the fields that read the pipeline layer; a display name may also name the matrix's own."""
    reference = mapping(task.get("taskRef"))
    for entry in (*maps(task.get("params")), *matrix_params(task), *maps(reference.get("params"))):
        yield from in_value(entry.get("value"))
    yield from in_when(task.get("when"))
    fanned = matrix_names(task)
    yield from (found for found in references(task.get("displayName")) if found.name not in fanned)
    yield from references(task.get("onError"))
    for workspace in maps(task.get("workspaces")):
        yield from references(workspace.get("subPath"))
    yield from references(reference.get("name"))


def pod_templates(spec: dict[str, Json]) -> dict[str, list[Json]]:
    """[37] The pod templates of task runs by pipeline task."""
    found: dict[str, list[Json]] = {}
    for entry in maps(spec.get("taskRunSpecs")):
        templates = [entry[key] for key in ("podTemplate", "taskPodTemplate") if key in entry]
        found.setdefault(text(entry.get("pipelineTaskName")), []).extend(templates)
    return found
