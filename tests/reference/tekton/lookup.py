"""Other objects of the list: what a reference means, and the types of results [23, 52, 55]."""

from __future__ import annotations

from tests.reference.tekton.fields import is_custom
from tests.reference.tekton.params import Param
from tests.reference.tekton.values import Json, mapping, maps, text

VERSIONS = ("tekton.dev/v1", "tekton.dev/v1beta1")
STEP_ACTIONS = ("tekton.dev/v1beta1", "tekton.dev/v1alpha1")


def candidates(items: list[dict[str, Json]], kind: str, around: dict[str, Json], reference: Json) -> list[dict[str, Json]]:
    """The objects that a reference in `around` may mean; more than one where none is nearer than the others."""
    said = mapping(reference)
    if any(said.get(key) for key in ("apiVersion", "resolver", "bundle")) or said.get("kind", kind) != kind:
        return []
    versions = STEP_ACTIONS if kind == "StepAction" else VERSIONS
    same = [i for i in items if i.get("kind") == kind and i.get("apiVersion") in versions and name_of(i) == said.get("name")]
    found = [i for i in same if namespace(i) == namespace(around)] or [i for i in same if not namespace(i)]
    if len(found) < 2:
        return found
    enclosing = [i for i in found if encloses(package(i), package(around))]
    nearest = max((len(package(i)) for i in enclosing), default=0)
    return [i for i in enclosing if len(package(i)) == nearest] or found


def the_one(found: list[dict[str, Json]]) -> dict[str, Json] | None:
    return found[0] if len(found) == 1 and isinstance(found[0].get("spec"), dict) else None


def referred(task: dict[str, Json]) -> tuple[str, Json]:
    """[52] The kind that a pipeline task refers to, and its reference."""
    if isinstance(task.get("taskRef"), dict) or "pipelineSpec" in task:
        return "Task", task.get("taskRef")
    return "Pipeline", task.get("pipelineRef")


def result_types(items: list[dict[str, Json]], around: dict[str, Json], task: dict[str, Json]) -> dict[str, Param]:
    """The results of a pipeline task by name, as far as they are known. A matrix gives a list of each string: `fanned`."""
    if is_custom(task):
        return {}
    spec = task.get("taskSpec") or task.get("pipelineSpec")
    kind, reference = referred(task)
    if spec is None:
        spec = mapping(the_one(candidates(items, kind, around, reference))).get("spec")
    is_pipeline = "taskSpec" not in task and ("pipelineSpec" in task or kind == "Pipeline")
    found = {}
    for result in maps(mapping(spec).get("results")):
        name, unsaid = text(result.get("name")), None if is_pipeline else "string"
        type_ = result.get("type") or ("object" if isinstance(result.get("properties"), dict) else unsaid)
        keys = tuple(mapping(result.get("properties"))) if type_ == "object" else None
        found[name] = Param(name, "fanned" if type_ == "string" and "matrix" in task else type_, keys, keys)
    return found


def name_of(item: dict[str, Json]) -> Json:
    return mapping(item.get("metadata")).get("name")


def namespace(item: dict[str, Json]) -> str:
    return mapping(item.get("metadata")).get("namespace") or ""


def package(item: dict[str, Json]) -> str:
    annotations = mapping(mapping(item.get("metadata")).get("annotations"))
    return str(annotations.get("internal.config.kubernetes.io/package-path", ""))


def encloses(outer: str, inner: str) -> bool:
    return not outer or inner == outer or inner.startswith(outer + "/")
