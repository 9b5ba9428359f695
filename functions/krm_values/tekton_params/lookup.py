"""Looks up the Task or Pipeline of a reference among the objects of the list, and the types of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._kit.planner.resources import previous
from krm_values.tekton_params import params
from krm_values.tekton_params.layers import UNKNOWN, Shape
from krm_values.tekton_params.upstream_fields import GROUP, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.resources import Resources
    from krm_values.tekton_params.params import Declaration, Result
    from krm_values.tekton_params.pipelines import Manifest, Task

_REMOTE = ("apiVersion", "resolver", "bundle")


@record
class Target:
    """The object of a reference and its declarations."""

    item: Item
    declarations: tuple[Declaration, ...]


class Lookup:
    """Look-ups among the objects of the list. namespace: where references are looked up, if not in that of the item.

    named: the objects by kind and name, if they are known.
    """

    __slots__ = ("_candidates", "_elsewhere", "_named", "_namespace", "_resources", "_targets", "hints")

    def __init__(
        self, resources: Resources, namespace: str = "", named: dict[str, dict[str, list[Item]]] | None = None
    ) -> None:
        self._resources, self.hints, self._namespace = resources, resources.hints, namespace
        self._named: dict[str, dict[str, list[Item]]] = {} if named is None else named
        self._elsewhere: dict[str, Lookup] = {}
        self._targets: dict[int, Target | None] = {}
        self._candidates: dict[tuple[str, str, str, str], list[Item]] = {}

    def seen_from(self, element: Manifest) -> Lookup:
        """Return the look-ups for an element of a TriggerTemplate, which is created in the template's namespace unless it has its own."""
        namespace = get(element.data, ("metadata", "namespace"))
        if not isinstance(namespace, str) or namespace in ("", element.item.namespace, self._namespace):
            return self
        if namespace not in self._elsewhere:
            self._elsewhere[namespace] = Lookup(self._resources, namespace, self._named)
        return self._elsewhere[namespace]

    def target(self, kind: str, item: Item, reference: JSON) -> Target | None:
        """Return the one object that a `taskRef` or `pipelineRef` of `item` refers to, or None."""
        found = self.candidates(kind, item, reference)
        if len(found) != 1:
            return None
        number = found[0].number
        if number not in self._targets:
            spec = get(found[0].data, ("spec",))
            declared = params.declarations(spec.get("params"), ("spec", "params")) if isinstance(spec, dict) else None
            self._targets[number] = None if declared is None else Target(found[0], declared)
        return self._targets[number]

    def candidates(self, kind: str, item: Item, reference: JSON) -> list[Item]:
        """Return the objects that a reference may refer to, by file: none, one, or several that are equally near."""
        if not isinstance(reference, dict) or any(reference.get(key) for key in _REMOTE):
            return []
        name = reference.get("name")
        if not isinstance(name, str) or not name or reference.get("kind") not in (None, "", kind):
            return []
        sought = kind, name, self._namespace or item.namespace, item.package
        if sought not in self._candidates:
            self._candidates[sought] = self._look_up(*sought)
        return self._candidates[sought]

    def _look_up(self, kind: str, name: str, namespace: str, package: str) -> list[Item]:
        named = self._of_kind(kind).get(name, [])
        same = [found for found in named if found.namespace == namespace] or [found for found in named if not found.namespace]
        found = _nearest(same, package) if len(same) > 1 else same
        return sorted(found, key=lambda item: (item.position.path, item.number))

    def _of_kind(self, kind: str) -> dict[str, list[Item]]:
        """Return the objects of a kind by name; if none has the name, those that had it before a host renamed them."""
        if kind not in self._named:
            items = [item for item in self._resources.select(kind, group=GROUP) if item.version in VERSIONS]
            named: dict[str, list[Item]] = {}
            earlier: dict[str, list[Item]] = {}
            for item in items:
                named.setdefault(item.name, []).append(item)
                for name in {before[2] for before in previous(item) if before[0] == kind}:
                    earlier.setdefault(name, []).append(item)
            self._named[kind] = earlier | named
        return self._named[kind]


def _nearest(items: list[Item], package: str) -> list[Item]:
    """Return those of the same package, else of the nearest enclosing one, else all."""
    enclosing = [item for item in items if item.package in ("", package) or package.startswith(item.package + "/")]
    if not enclosing:
        return items
    depth = max(len(item.package) for item in enclosing)
    return [item for item in enclosing if len(item.package) == depth]


def result_shape(tasks: Mapping[str, Task], item: Item, lookup: Lookup, result: Result) -> Shape:
    """Return the shape of a whole result of one of a pipeline's tasks, as the task declares it."""
    task = tasks.get(result.task)
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
        spec = get(target.item.data, ("spec",)) if target else None
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
