"""What each layer knows about a param: its type, its keys, and the origins of its value; and the look-up of what references mean.

Layers by name, the outermost first, which is not their precedence (see `plan`): `run`, `pipeline` (declarations of a pipeline),
`pipelineTask` (values of a pipeline task), `matrix`, `taskSpec` (declarations of an embedded task), `Task` and `Pipeline` (those of a
referenced one).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import same
from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._data.scalars import like
from krm_values._krm.plan import Origin
from krm_values.tekton_params import params
from krm_values.tekton_params.params import exact, exact_result, find, find_in, key_reference, substituted
from krm_values.tekton_params.pipelines import refs_into_lists
from krm_values.tekton_params.upstream_fields import GROUP, STEP_ACTION_VERSIONS, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypeAlias

    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.resources import Resources
    from krm_values.tekton_params.params import Declaration, ParamValue, Ref, Result
    from krm_values.tekton_params.pipelines import Manifest, Task

    Keys: TypeAlias = tuple[str, ...]
    Results: TypeAlias = Callable[[Result], "Shape"]
    Scope: TypeAlias = Mapping[str, "Known"]

_SPELLED = frozenset(("name", "type", "description", "properties", "default"))
_REMOTE = ("apiVersion", "resolver", "bundle")
_LONGEST = 10_000  # characters; a string that doubles from pipeline to pipeline would soon fill the memory


@record
class Shape:
    """The type of a value ("" if unknown), and of an object the keys, of a list the length, of a string the text (None if unknown).

    sure: False if the type is only assumed, as for a result whose type no task declares.
    """

    type: str
    keys: Keys | None = None
    length: int | None = None
    text: str | None = None
    sure: bool = True


UNKNOWN = Shape("")


@record
class Known:
    """A param as one layer sees it.

    origins: that of the value, then the overridden ones, nearest first. source: the origin of the type. copied: what a copy of its
    declaration may repeat besides name and type.
    Of an object, filled: the keys that the value or a default has. passed_on: those of the value, which are all that `[*]` passes on.
    missing: the declared keys that neither has; the layer that declares them reports them, so no layer below does.
    """

    name: str
    shape: Shape
    origins: tuple[Origin, ...]
    source: Origin
    copied: dict[str, JSON]
    filled: Keys | None = None
    passed_on: Keys | None = None
    missing: Keys = ()

    @property
    def type(self) -> str:
        return self.shape.type

    def copied_in(self, *, implicit: bool) -> dict[str, JSON]:
        """Return what an added declaration has besides name and type, in mode `implicit` or `propagate`."""
        if implicit:
            return like(self.copied, dict(self.copied))
        return {key: value for key, value in self.copied.items() if self.type == "object" and key != "description"}

    def only_in_default(self, key: str) -> bool:
        """Return whether only a default of the pipeline has a key, which Tekton then does not put into the pipeline's fields."""
        return self.passed_on is not None and key not in self.passed_on and key in (self.filled or ())

    def is_added_key(self, name: str, key: str, value: JSON) -> bool:
        """Return whether a key of a task's object has the value that the function writes there to pass on the key of this object."""
        default = self.key_origins(key) if self.only_in_default(key) else ()
        return same(default[0].value, value) if default else value == key_reference(name, key)

    def key_origins(self, key: str) -> tuple[Origin, ...]:
        """Return the origins of one key of an object."""
        return tuple(
            replace(origin, value=origin.value[key], path=(*origin.path, key))
            for origin in self.origins
            if isinstance(origin.value, dict) and key in origin.value
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


def run_value(value: ParamValue, item: Item) -> Known:
    """Return a value of a run; references in it stay text."""
    return _known(value.name, literal(value.value), Origin("run", value.value, item, (*value.path, "value")))


def matrix_value(value: ParamValue, item: Item, overridden: tuple[Origin, ...]) -> Known:
    """Return a value that a matrix supplies: one string per instance."""
    return _known(value.name, Shape("string"), Origin("matrix", value.value, item, (*value.path, "value")), overridden)


def task_value(value: ParamValue, item: Item, outer: Scope, results: Results, *, added_keys: Keys, hides_outer: bool) -> Known:
    """Return a value of a pipeline task. Its origin has what the author wrote: keys that only pass on the outer ones are left out.

    added_keys: those that it gets from the outer object. hides_outer: whether the task would get the outer value without this one.
    """
    shape = shape_of(value.value, outer, results)
    above = outer.get(value.name)
    own = value.value
    if isinstance(own, dict) and above and above.type == "object":
        own = {key: text for key, text in own.items() if not above.is_added_key(value.name, key, text)}
    read = dict.fromkeys(ref.name for ref in find_in(own))
    via = tuple(outer[name].origins[0] for name in read if name in outer)
    origin = Origin("pipelineTask", own, item, (*value.path, "value"), via=via)
    known = _known(value.name, shape, origin, above.origins if above and hides_outer else ())
    if shape.keys is None:
        return known
    if isinstance(value.value, dict):
        readable = (above.shape.keys if above and hides_outer else None) or ()
        return _with_keys(known, (*shape.keys, *added_keys), readable)
    ref = exact(value.value)
    source = outer.get(ref.name) if ref else None
    return replace(known, filled=source.filled, passed_on=source.passed_on, missing=source.missing) if source else known


def _with_keys(known: Known, filled: Keys, readable: Keys) -> Known:
    """Return a task's object with its final keys. readable: keys of the outer object, to which Tekton falls back at run time."""
    keys = dict.fromkeys((*(known.shape.keys or ()), *readable))
    shape, copied = replace(known.shape, keys=tuple(keys)), {"properties": params.string_properties(filled)}
    return replace(known, shape=shape, copied=copied, filled=filled, passed_on=filled)


def _known(name: str, shape: Shape, origin: Origin, overridden: tuple[Origin, ...] = ()) -> Known:
    copied: dict[str, JSON] = {"properties": params.string_properties(shape.keys)} if shape.keys is not None else {}
    return Known(name, shape, (origin, *overridden), origin, copied, shape.keys, shape.keys)


def _own(declaration: Declaration, item: Item, name: str, *, stored: bool) -> Known:
    """Return a declared param that gets no value from outside."""
    source = Origin(name, declaration.type, item, declaration.path)
    properties = declaration.properties
    keys = tuple(properties) if properties is not None and declaration.type == "object" else None
    if not declaration.has_default:
        bare = Origin(name, None, item, declaration.path)
        shape = Shape(declaration.type, keys)
        return Known(declaration.name, shape, (bare,), source, declaration.copied, keys, keys)
    found = literal(declaration.default)
    # a later run may give a list that is longer; the text of the default has to fit the enums of tasks, since a run may leave it (rule 28)
    shape = replace(found, type=declaration.type, keys=keys, length=None if stored else found.length)
    filled, missing = (keys, ()) if stored else (found.keys, _without(keys, found.keys))
    origin = _default_origin(declaration, item, name)
    return Known(declaration.name, shape, (origin,), source, declaration.copied, filled, filled, missing)


def _both(declaration: Declaration, outer: Known, item: Item, name: str) -> Known:
    """Return a declared param that gets a value from an outer layer."""
    copy = is_copy(declaration, outer, name)
    source = outer.source if copy else Origin(name, declaration.type, item, declaration.path)
    overridden = () if copy or not declaration.has_default else (_default_origin(declaration, item, name),)
    properties = declaration.properties
    keys = tuple(properties) if properties is not None else None
    origins = (*outer.origins, *overridden)
    if not outer.type or not outer.shape.sure:
        # the declaration decides; one that an earlier run copied is as uncertain as the value
        shape = Shape(declaration.type, keys, sure=not copy)
        return Known(declaration.name, shape, origins, source, declaration.copied)
    if declaration.type != outer.type:
        # an error here, which no check below repeats
        return Known(declaration.name, UNKNOWN, origins, source, declaration.copied)
    shape = replace(outer.shape, keys=keys)
    filled = _merge(outer.filled, literal(declaration.default).keys if declaration.has_default else None)
    missing = (*outer.missing, *_without(keys, filled))
    return Known(declaration.name, shape, origins, source, declaration.copied, filled, outer.passed_on, missing)


def is_copy(declaration: Declaration, outer: Known, layer_name: str) -> bool:
    """Return whether a declaration is what this function writes for the outer param; such a copy is not a layer of its own."""
    spelled = _SPELLED | {"enum"} if layer_name == "pipeline" else _SPELLED
    if declaration.type != outer.type or not spelled.issuperset(declaration.data):
        return False
    return declaration.copied in (outer.copied_in(implicit=True), outer.copied_in(implicit=False))


def _default_origin(declaration: Declaration, item: Item, name: str) -> Origin:
    return Origin(name, declaration.default, item, (*declaration.path, "default"))


def _merge(keys: Keys | None, more: Keys | None) -> Keys | None:
    if keys is None or more is None:
        return keys
    return tuple(dict.fromkeys((*keys, *more)))


def _without(keys: Keys | None, others: Keys | None) -> Keys:
    """Return the keys that are not among others; none if the others are not known."""
    found = frozenset(keys or () if others is None else others)
    return tuple(key for key in keys or () if key not in found)


def shape_of(value: JSON, outer: Scope, results: Results) -> Shape:
    """Return the shape that a value has when the references in it are replaced."""
    if isinstance(value, list):
        return replace(literal(value), length=_length(value, outer)) if params.type_of(value) == "array" else literal(value)
    if not isinstance(value, str):
        return literal(value)
    result = exact_result(value)
    if result is not None:
        found = Shape("string") if result.part else results(result)
        return found if found.type or result.star else Shape("string", sure=False)
    ref = exact(value)
    if ref is None or not ref.whole:
        return Shape("string", text=_substituted(value, outer))
    known = outer.get(ref.name)
    if known is None or known.type == "":
        return UNKNOWN
    if known.type == "string":
        return Shape("string", sure=known.shape.sure) if ref.index else known.shape
    return known.shape if ref.star else UNKNOWN


def literal(value: JSON) -> Shape:
    """Return the shape of a value as written; the text of a string with references of any kind is not known."""
    kind = params.type_of(value)
    if kind == "array":
        return Shape(kind, length=len(value) if isinstance(value, list) else None)
    if kind == "object":
        return Shape(kind, keys=tuple(value) if isinstance(value, dict) else None)
    text = params.as_text(value)
    return Shape(kind, text=None if "$(" in text else text)


def _length(value: list[JSON], outer: Scope) -> int | None:
    total = 0
    for member in value:
        ref = exact(member)
        known = outer.get(ref.name) if ref and ref.whole else None
        length = known.shape.length if known and known.type != "string" else 1
        if length is None:
            return None
        total += length
    return total


def _substituted(text: str, outer: Scope) -> str | None:
    """Return a string with its references replaced; None if a value is not known or the string grows too long to compare."""
    found = {ref.name: outer[ref.name].shape.text for ref in find(text) if ref.name in outer}
    known = {name: text for name, text in found.items() if text is not None}
    if len(text) + sum(len(known.get(ref.name, "")) for ref in find(text)) > _LONGEST:
        return None
    done = substituted(text, known)
    return None if "$(" in done else done


@record
class Referenced:
    """The object of a reference, its declarations, and its references that need members in a list."""

    item: Item
    declarations: tuple[Declaration, ...]
    into_lists: tuple[Ref, ...] = ()


class Lookup:
    """Look-ups among the objects of the list. namespace: where references are looked up, if not in that of the item.

    named: the objects by kind and name, which the look-ups of all namespaces share and complete.
    """

    __slots__ = ("_candidates", "_elsewhere", "_named", "_namespace", "_resources", "_targets")

    def __init__(
        self, resources: Resources, namespace: str = "", named: dict[str, dict[str, list[Item]]] | None = None
    ) -> None:
        self._resources, self._namespace = resources, namespace
        self._named: dict[str, dict[str, list[Item]]] = {} if named is None else named
        self._elsewhere: dict[str, Lookup] = {}
        self._targets: dict[int, Referenced | None] = {}
        self._candidates: dict[tuple[str, str, str, str], list[Item]] = {}

    def seen_from(self, element: Manifest) -> Lookup:
        """Return the look-ups for an element of a TriggerTemplate, which is created in the template's namespace unless it has its own."""
        namespace = get(element.data, ("metadata", "namespace"))
        if not isinstance(namespace, str) or namespace in ("", element.item.namespace, self._namespace):
            return self
        if namespace not in self._elsewhere:
            self._elsewhere[namespace] = Lookup(self._resources, namespace, self._named)
        return self._elsewhere[namespace]

    def target(self, kind: str, item: Item, reference: JSON) -> Referenced | None:
        """Return the one object that a `taskRef`, `pipelineRef` or a step's `ref` of `item` refers to, or None."""
        found = self.candidates(kind, item, reference)
        if len(found) != 1:
            return None
        number = found[0].number
        if number not in self._targets:
            spec = get(found[0].data, ("spec",))
            declared = params.declarations(spec.get("params"), ("spec", "params")) if isinstance(spec, dict) else None
            self._targets[number] = None if declared is None else Referenced(found[0], declared, refs_into_lists(kind, spec))
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
        return self._candidates[sought] or self._renamed(kind, sought[2], name, item)

    def _look_up(self, kind: str, name: str, namespace: str, package: str) -> list[Item]:
        named = self._of_kind(kind).get(name, [])
        same = [found for found in named if found.namespace == namespace] or [found for found in named if not found.namespace]
        found = _nearest(same, package) if len(same) > 1 else same
        return sorted(found, key=lambda item: (item.position.path, item.number))

    def _of_kind(self, kind: str) -> dict[str, list[Item]]:
        """Return the objects of a kind by name."""
        if kind not in self._named:
            named = self._named[kind] = {}
            for item in self._resources.select(kind, group=GROUP):
                if item.version in _versions(kind):
                    named.setdefault(item.name, []).append(item)
        return self._named[kind]

    def _renamed(self, kind: str, namespace: str, name: str, by: Item) -> list[Item]:
        """Return the objects that had a name before a host renamed them. by: the object that refers to them."""
        spaces = (namespace, "")
        found = next((found for space in spaces if (found := self._resources.renamed(kind, GROUP, space, name, by))), ())
        return [item for item in found if item.kind == kind and item.version in _versions(kind)]


def _versions(kind: str) -> frozenset[str]:
    return frozenset(STEP_ACTION_VERSIONS if kind == "StepAction" else VERSIONS)


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
    is_pipeline = task.kind == "pipeline" or (task.kind == "reference" and task.ref == "pipelineRef")
    shape = _result(_results(task, item, lookup), result.name, assume_string=not is_pipeline)
    return Shape("array") if task.matrix and result.star and shape.type == "string" else shape


def _results(task: Task, item: Item, lookup: Lookup) -> JSON:
    if task.kind == "embedded":
        spec: JSON = task.data.get("taskSpec")
    elif task.kind == "pipeline":
        spec = task.data.get("pipelineSpec")
    else:
        target = lookup.target(task.ref_kind, item, task.data.get(task.ref)) if task.kind == "reference" else None
        spec = get(target.item.data, ("spec",)) if target else None
    return spec.get("results") if isinstance(spec, dict) else None


def _result(results: JSON, name: str, *, assume_string: bool) -> Shape:
    for found, entry, _ in params.named(results, ()):
        if found == name:
            properties = entry.get("properties")
            keys = tuple(properties) if isinstance(properties, dict) else None
            kind = entry.get("type") or ("object" if keys is not None else "string" if assume_string else "")
            if kind not in params.TYPES or (kind == "object" and keys is None):
                return UNKNOWN
            return Shape(kind, keys if kind == "object" else None)
    return UNKNOWN
