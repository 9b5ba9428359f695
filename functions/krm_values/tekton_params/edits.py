"""The edits: added values, declarations and types, and those that are already there, each with its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Leaf, Origin, Put, put
from krm_values.tekton_params import params
from krm_values.tekton_params.params import key_reference, pass_through
from krm_values.tekton_params.propagate import allowed_everywhere, enum_demands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.tekton_params.layers import Known, Scope
    from krm_values.tekton_params.params import Declaration, Value
    from krm_values.tekton_params.propagate import Passed, Scoped

    Added = tuple[dict[str, JSON], Known]


def of_pipeline(scoped: Scoped) -> Iterator[Put]:
    """Yield the puts of a pipeline in the order of the document."""
    pipeline = scoped.pipeline
    yield from _declared(scoped.item, pipeline.declarations, scoped.scope)
    added: list[Added] = []
    demands = enum_demands(scoped)
    for name, declaration in scoped.added.items():
        allowed = allowed_everywhere(demands.get(name, ()))
        added.append((declaration | ({"enum": list(allowed)} if allowed else {}), scoped.given[name]))
    yield from _append(scoped.item, pipeline.path, pipeline.data.get("params"), added, "")
    for passed in scoped.tasks:
        yield from _of_task(passed)


def of_spec(passed: Passed) -> Iterator[Put]:
    """Yield the puts of the embedded spec of a task."""
    task = passed.task
    yield from _declared(passed.item, task.declarations, passed.view, defaults=task.kind == "embedded")
    added = [(declaration, passed.given[name]) for name, declaration in passed.added.items()]
    spec: Any = task.data.get("taskSpec") if task.kind == "embedded" else task.data
    yield from _append(passed.item, task.spec, spec.get("params"), added, "")


def _of_task(passed: Passed) -> Iterator[Put]:
    task = passed.task
    for value in task.values:
        yield from _value(passed, value)
    added: list[Added] = [
        ({"name": name, "value": pass_through(name, passed.given[name].type)}, passed.view[name]) for name in passed.passes
    ]
    after = "taskRef" if task.kind == "reference" else "name"
    yield from _append(passed.item, task.path, task.data.get("params"), added, after if after in task.data else "")
    if passed.scoped:
        yield from of_pipeline(passed.scoped)
    elif task.kind == "custom":
        yield from _declared(passed.item, task.declarations, {})
    elif task.is_embedded:
        yield from of_spec(passed)


def _value(passed: Passed, value: Value) -> Iterator[Put]:
    """Yield the puts of a value that is already there: one of the task's own, or one that is passed on."""
    if not value.written:
        return
    item, path, name = passed.item, (*value.path, "value"), value.name
    outer = passed.outer.get(name)
    known = passed.view.get(name) or passed.given[name]
    own = value.value
    if not isinstance(own, dict) or params.shape(own) != "object":
        yield put(item, path, own, *known.origins)
        return
    filled = {key: key_reference(name, key) for key in passed.fills.get(name, ())}
    for key, text in (*own.items(), *filled.items()):
        yield put(item, (*path, key), text, *_key_origins(known, outer, name, key, text))


def _key_origins(known: Known, outer: Known | None, name: str, key: str, text: JSON) -> tuple[Origin, ...]:
    """Return the origins of one key of an object that a task overrides; a key that is passed on has the origins of the outer key."""
    own = known.origins[0]
    path = (*own.path, key)
    below = [origin for origin in known.key_origins(key) if origin.path != path]
    if not outer or text != key_reference(name, key):
        return (Origin(own.layer, text, own.item, path), *below)
    above = outer.key_origins(key) or outer.origins[:1]
    return (*above, *(origin for origin in below if origin not in above))


def _declared(item: Item, declarations: Iterable[Declaration], scope: Scope, *, defaults: bool = False) -> Iterator[Put]:
    """Yield the types of the existing declarations, filled in where they are missing. defaults: also the defaults that nothing overrides."""
    for declaration in declarations:
        if not declaration.type:
            continue
        known = scope.get(declaration.name)
        source = known.source if known else Origin("taskSpec", declaration.type, item, declaration.path)
        yield put(item, (*declaration.path, "type"), declaration.type, source, after="name")
        if declaration.properties is not None and declaration.type == "object":
            yield from _properties(item, declaration, source)
        at = (*declaration.path, "default")
        if defaults and known and known.origins[0].path == at and known.origins[0].item is item:
            yield put(item, at, declaration.data["default"], *known.origins)


def _properties(item: Item, declaration: Declaration, source: Origin) -> Iterator[Put]:
    """Yield the keys of an object, with the types that are missing."""
    path, written, filled = (*declaration.path, "properties"), declaration.data["properties"], declaration.properties
    assert isinstance(written, dict)
    leaves: tuple[Leaf, ...] = (Leaf(path, filled, source),)
    if filled == written:
        yield Put(item, path, filled, leaves)
        return
    for key, entry in (filled or {}).items():
        before = written[key]
        if before != entry and isinstance(entry, dict):
            yield (
                Put(item, (*path, key), entry, leaves) if before is None else Put(item, (*path, key, "type"), "string", leaves)
            )
            leaves = ()


def _append(item: Item, path: Path, written: JSON, added: list[Added], after: str) -> Iterator[Put]:
    """Yield new entries at the end of a list `params`, which is created if missing."""
    at = (*path, "params")
    if not added:
        return
    if not isinstance(written, list) or not written:
        leaves = tuple(leaf for index, one in enumerate(added) for leaf in _leaves((*at, index), *one))
        yield Put(item, at, [entry for entry, _ in added], leaves, after=after)
        return
    flow = item.flow((*at, len(written) - 1))
    for index, one in enumerate(added, len(written)):
        yield Put(item, (*at, index), one[0], tuple(_leaves((*at, index), *one)), flow=flow)


def _leaves(path: Path, entry: dict[str, JSON], known: Known) -> Iterator[Leaf]:
    if "value" in entry:
        yield Leaf((*path, "value"), entry["value"], known.origins[0], known.origins[1:])
        return
    yield Leaf((*path, "type"), entry["type"], known.source)
    if "properties" in entry:
        yield Leaf((*path, "properties"), entry["properties"], known.source)
