"""The Task or Pipeline that a reference means, among the objects of the list; and the types of results."""

from __future__ import annotations

from krm_values._kit.record import record
from krm_values._kit.select import previous
from krm_values.tekton_params import params
from krm_values.tekton_params.known import UNKNOWN, Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._kit.data import JSON
    from krm_values._kit.item import Item
    from krm_values._kit.select import Resources
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.pipelines import Pipeline, Task
    from krm_values.tekton_params.references import Result

GROUP = "tekton.dev"
VERSIONS = ("v1", "v1beta1")
KINDS = ("PipelineRun", "TaskRun", "Pipeline", "Task")
_REMOTE = ("apiVersion", "resolver", "bundle")


@record
class Target:
    """What a reference means: an object of the list and its declarations."""

    item: Item
    declarations: tuple[Declaration, ...]


class Lookup:
    """Look-ups among the objects of a run."""

    __slots__ = ("_by_kind", "_resources")

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._by_kind: dict[str, list[Item]] = {}

    def target(self, kind: str, item: Item, reference: JSON) -> Target | None:
        """The one object that a `taskRef` or `pipelineRef` of `item` means, if it can be looked up."""
        found = self.candidates(kind, item, reference)
        spec = found[0].data.get("spec") if len(found) == 1 and isinstance(found[0].data, dict) else None
        if not isinstance(spec, dict):
            return None
        return Target(found[0], params.declarations(spec.get("params"), ("spec", "params")))

    def candidates(self, kind: str, item: Item, reference: JSON) -> list[Item]:
        """The objects that a reference may mean: none, the one that is meant, or several that are equally near."""
        if not isinstance(reference, dict) or any(reference.get(key) for key in _REMOTE):
            return []
        name = reference.get("name")
        if not isinstance(name, str) or not name or reference.get("kind") not in (None, "", kind):
            return []
        named = self._named(kind, name)
        same = [found for found in named if found.namespace == item.namespace] or [
            found for found in named if not found.namespace
        ]
        return _nearest(same, item.package) if len(same) > 1 else same

    def _named(self, kind: str, name: str) -> list[Item]:
        if kind not in self._by_kind:
            items = self._resources.select(kind, group=GROUP)
            self._by_kind[kind] = [item for item in items if item.version in VERSIONS]
        known = self._by_kind[kind]
        return [item for item in known if item.name == name] or [
            item for item in known if any(before[0] == kind and before[2] == name for before in previous(item))
        ]


def result_shape(pipeline: Pipeline, item: Item, lookup: Lookup, result: Result) -> Shape:
    """The shape of a whole result of one of the pipeline's tasks, as that task declares it."""
    task = next((task for task in pipeline.tasks if task.name == result.task), None)
    if task is None:
        return UNKNOWN
    shape = _declared(_results(task, item, lookup), result.name, assume_string=task.kind != "pipeline")
    return Shape("array") if task.matrix and result.star and shape.type == "string" else shape


def _results(task: Task, item: Item, lookup: Lookup) -> JSON:
    if task.kind == "embedded":
        spec: JSON = task.data.get("taskSpec")
    elif task.kind == "pipeline":
        spec = task.data.get("pipelineSpec")
    else:
        target = lookup.target("Task", item, task.data.get("taskRef")) if task.kind == "reference" else None
        spec = target.item.data.get("spec") if target and isinstance(target.item.data, dict) else None
    return spec.get("results") if isinstance(spec, dict) else None


def _declared(results: JSON, name: str, *, assume_string: bool) -> Shape:
    for found, entry, _ in params.named(results, ()):
        if found == name:
            properties = entry.get("properties")
            keys = tuple(properties) if isinstance(properties, dict) else None
            kind = entry.get("type") or ("object" if keys is not None else "string" if assume_string else "")
            if kind not in params.TYPES or (kind == "object" and keys is None):
                return UNKNOWN
            return Shape(kind, keys if kind == "object" else None)
    return UNKNOWN


def _nearest(items: Iterable[Item], package: str) -> list[Item]:
    """Those of the same package, else of the nearest enclosing one, else all."""
    items = list(items)
    enclosing = [item for item in items if item.package in ("", package) or package.startswith(item.package + "/")]
    if not enclosing:
        return items
    depth = max(len(item.package) for item in enclosing)
    return [item for item in enclosing if len(item.package) == depth]
