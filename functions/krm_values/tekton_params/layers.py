"""What each layer knows about a param: its type, its keys, and the origins of its value.

Layers by name: `run`, `pipeline` (declarations of a pipeline), `pipelineTask` (values of a pipeline task), `matrix`, `taskSpec`
(declarations of an embedded task), `Task` (those of a referenced one).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._kit.planner.plan import Origin
from krm_values.tekton_params import params
from krm_values.tekton_params.scope.known import UNKNOWN, Known, Shape
from krm_values.tekton_params.scope.shapes import literal, shape_of
from krm_values.tekton_params.spec.pass_through import key_reference
from krm_values.tekton_params.spec.references import exact, find, strings_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.tekton_params.params import Declaration, Value
    from krm_values.tekton_params.scope.known import Keys, Results, Scope

_SPELLED = frozenset(("name", "type", "description", "properties", "default"))


def run_value(value: Value, item: Item) -> Known:
    """Return a value of a run; references in it stay text."""
    return _known(value.name, literal(value.value), Origin("run", value.value, item, (*value.path, "value")))


def matrix_value(value: Value, item: Item, overridden: tuple[Origin, ...]) -> Known:
    """Return a value that a matrix supplies: one string per instance."""
    return _known(value.name, Shape("string"), Origin("matrix", value.value, item, (*value.path, "value")), overridden)


def task_value(value: Value, item: Item, outer: Scope, results: Results, *, fill: Keys, reaches: bool) -> Known:
    """Return a value of a pipeline task. fill: the keys taken from the outer object. reaches: whether it overrides the outer value."""
    shape = shape_of(value.value, outer, results)
    above = outer.get(value.name)
    own = _own_part(value, above)
    origin = Origin("pipelineTask", own, item, (*value.path, "value"), via=_via(own, outer))
    known = _known(value.name, shape, origin, above.origins if above and reaches else ())
    if shape.keys is None:
        return known
    if not isinstance(value.value, dict):
        ref = exact(value.value)
        source = outer.get(ref.name) if ref else None
        return replace(known, filled=source.filled, passed_on=source.passed_on) if source else known
    filled = (*shape.keys, *fill)
    readable = dict.fromkeys((*shape.keys, *((above and above.shape.keys) or ())))
    return replace(
        known,
        shape=replace(shape, keys=tuple(readable) if reaches else shape.keys),
        carried={"properties": params.keys(filled)},
        filled=filled,
        passed_on=filled,
    )


def layer(declared: Iterable[Declaration], given: Scope, item: Item, name: str, *, stored: bool = False) -> dict[str, Known]:
    """Return the params of a layer: its declarations in their order, then what else is given to it.

    A declaration decides the type, a given value overrides a default. stored: values come with a later run.
    """
    scope: dict[str, Known] = {}
    for declaration in declared:
        outer = given.get(declaration.name)
        known = _own(declaration, item, name, stored=stored) if outer is None else _both(declaration, outer, item, name)
        scope.setdefault(declaration.name, known)
    return scope | {key: known for key, known in given.items() if key not in scope}


def is_copy(declaration: Declaration, outer: Known, layer_name: str) -> bool:
    """Return whether a declaration is what this function writes for the outer param; such a copy is not a layer of its own."""
    spelled = _SPELLED | {"enum"} if layer_name == "pipeline" else _SPELLED
    if declaration.type != outer.type or not spelled.issuperset(declaration.data):
        return False
    return declaration.carried in (outer.carries(implicit=True), outer.carries(implicit=False))


def _known(name: str, shape: Shape, origin: Origin, overridden: tuple[Origin, ...] = ()) -> Known:
    carried: dict[str, JSON] = {"properties": params.keys(shape.keys)} if shape.keys is not None else {}
    return Known(name, shape, (origin, *overridden), origin, carried, shape.keys, shape.keys)


def _own(declaration: Declaration, item: Item, name: str, *, stored: bool) -> Known:
    """Return a declared param that gets no value from outside."""
    source = Origin(name, declaration.type, item, declaration.path)
    properties = declaration.properties
    keys = tuple(properties) if properties is not None and declaration.type == "object" else None
    if not declaration.has_default:
        bare = Origin(name, None, item, declaration.path)
        shape = Shape(declaration.type, keys)
        return Known(declaration.name, shape, (bare,), source, declaration.carried, keys, keys)
    found = _default(declaration)
    shape = replace(found, type=declaration.type, keys=keys, length=None if stored else found.length)
    filled = keys if stored else _merge(found.keys, keys)
    origin = _default_origin(declaration, item, name)
    return Known(declaration.name, shape, (origin,), source, declaration.carried, filled, filled)


def _both(declaration: Declaration, outer: Known, item: Item, name: str) -> Known:
    """Return a declared param that gets a value from an outer layer."""
    copy = is_copy(declaration, outer, name)
    source = outer.source if copy else Origin(name, declaration.type, item, declaration.path)
    overridden = () if copy or not declaration.has_default else (_default_origin(declaration, item, name),)
    properties = declaration.properties
    keys = tuple(properties) if properties is not None else None
    if declaration.type != outer.type or not outer.shape.sure:
        shape = UNKNOWN if outer.type and outer.shape.sure else Shape(declaration.type, keys, sure=not copy)
        return Known(declaration.name, shape, (*outer.origins, *overridden), source, declaration.carried)
    filled = _merge(outer.filled, _default(declaration).keys)
    return Known(
        declaration.name,
        replace(outer.shape, keys=keys),
        (*outer.origins, *overridden),
        source,
        declaration.carried,
        _merge(filled, keys),
        outer.passed_on,
    )


def _own_part(value: Value, above: Known | None) -> JSON:
    """Return a value without the keys that only pass on those of the outer object."""
    if not isinstance(value.value, dict) or above is None or above.type != "object":
        return value.value
    return {key: text for key, text in value.value.items() if text != key_reference(value.name, key)}


def _via(value: JSON, outer: Scope) -> tuple[Origin, ...]:
    """Return the winning origin of each outer param that a value reads."""
    names = dict.fromkeys(ref.name for text in strings_of(value) for ref in find(text))
    return tuple(outer[name].origins[0] for name in names if name in outer)


def _default(declaration: Declaration) -> Shape:
    return literal(declaration.default) if declaration.has_default else Shape(declaration.type)


def _default_origin(declaration: Declaration, item: Item, name: str) -> Origin:
    return Origin(name, declaration.default, item, (*declaration.path, "default"))


def _merge(keys: Keys | None, more: Keys | None) -> Keys | None:
    if keys is None or more is None:
        return keys
    return tuple(dict.fromkeys((*keys, *more)))
