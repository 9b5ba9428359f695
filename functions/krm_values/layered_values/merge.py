"""The merged document of each chain: its layers over each other, the defaults of the schema, references, and the check by the schema.

Maps merge key by key and anything else replaces what is below it, unless a strategy says otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import to_field
from krm_values._data.record import keep, record
from krm_values._data.scalars import text_of
from krm_values._data.shown import type_of
from krm_values._krm.findings import Report
from krm_values._krm.item import Item
from krm_values._krm.taint import holds_secret
from krm_values._run.traced import Assigned, ByKey, Map, atoms, elements, find, kind, merge, origin, plain, read
from krm_values.layered_values.paths import AnyKey, Each
from krm_values.layered_values.references import BROKEN, Repeats, Resolver
from krm_values.layered_values.schema import TooManyStepsError, steps_of_schema, with_defaults
from krm_values.layered_values.selectors import Index
from krm_values.layered_values.tree import Reference, first_leaf, hint_of_dots, line_of, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from krm_values._data.limits import Budget, Limits
    from krm_values._data.pointer import Path
    from krm_values._run.traced import Clash, Node, Strategy
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.schema import Schema
    from krm_values.layered_values.selectors import Subject
    from krm_values.layered_values.tree import Layer
    from krm_values.layered_values.validator import Validator

    ByPath: TypeAlias = tuple[Segments, Strategy, str]

_OF_LISTS = ("append", "prepend", "unique")


@record
class MergedLayers:
    """The merged values of a chain of layers, the paths to which its references lead, and the nulls that removed a key, with their paths."""

    layers: tuple[Layer, ...]
    tree: Map
    used: tuple[Path, ...]
    may_be_secret: bool
    nulls: tuple[tuple[Path, Assigned], ...] = ()
    _known: list[str] | None = None

    def find(self, path: Path) -> Node | None:
        """Return the node at a path with all that it overrides; None where no layer sets anything."""
        return find(self.tree, path)

    def near(self, path: Path, text: str) -> str:
        """Return `; did you mean ...?` with the nearest existing path."""
        if self._known is None:
            keep(self, "_known", sorted({to_field(path) for path, _ in atoms(self.tree)}))
        return hint_of_dots(self.tree, path) or suggest.hint(text, self._known or ())


class Chains:
    """The documents by the layers of their chains; each is merged and checked once. subjects: the resources and objects that have one.

    budget: counts the layers of each subject, and the values of the layers of each further chain.
    """

    __slots__ = (
        "_always",
        "_budget",
        "_config",
        "_found",
        "_layers",
        "_limits",
        "_met",
        "_schema",
        "_sizes",
        "_steps",
        "_strategies",
        "_validator",
        "report",
    )

    def __init__(
        self,
        layers: list[Layer],
        subjects: list[Item | Subject],
        config: Any,
        strategies: tuple[ByPath, ...],
        *,
        schema: Schema,
        limits: Limits,
        budget: Budget,
    ) -> None:
        self._budget = budget
        self._layers, self._config, self._schema, self._limits = layers, config, schema, limits
        self._steps = steps_of_schema()
        self._validator: Validator | None = None
        self._strategies = _Strategies(strategies)
        self._always = [index for index, layer in enumerate(layers) if layer.when is None]
        self._met: dict[int, list[int]] = {}  # by the id of a subject: the layers with a condition that it meets
        by_id = Index([*{id(one): one for one in subjects}.values()])
        for index, layer in enumerate(layers):
            for subject in by_id.fitting(layer.when, ("layers", layer.number, "when")) if layer.when else ():
                budget.take()
                self._met.setdefault(id(subject), []).append(index)
        self._sizes: dict[int, int] = {}
        self._found: dict[tuple[int, ...], MergedLayers] = {}
        self.report = Report()
        self._strategies.check(layers, self.report)

    def of(self, subject: Item | Subject) -> MergedLayers:
        """Return the document for a target's resource or object."""
        met = (*self._met.get(id(subject), ()),)
        self._budget.take(len(met) + len(self._always))
        if met not in self._found:
            chain = sorted([*self._always, *met])
            self._budget.take(sum(map(self._size, chain)) if self._found else 0)
            self._found[met] = self._merged(tuple(self._layers[index] for index in chain))
        return self._found[met]

    def _size(self, index: int) -> int:
        """Return how many values a layer has; counted only where layers are merged more than once."""
        if index not in self._sizes:
            self._sizes[index] = sum(1 for _ in atoms(self._layers[index].tree))
        return self._sizes[index]

    def documents(self) -> list[MergedLayers]:
        """Return all documents that were used."""
        return [*self._found.values()]

    def report_unmet(self) -> None:
        """Report each layer with a condition that no target meets."""
        met = {index for found in self._met.values() for index in found}
        for index, layer in enumerate(self._layers):
            if layer.when and index not in met:
                text = f"layer {layer.name}: no target meets its `when` ({layer.when}), so it counts for none"
                self.report.info("unused-layer", "134", text, config=("layers", layer.number, "when"))

    def _merged(self, layers: tuple[Layer, ...]) -> MergedLayers:
        tree = Map()
        clashes: list[Clash] = []
        for layer in layers:
            tree = merge(tree, layer.tree, clashes, strategies=self._strategies or None)
        _report_clashes([one for one in clashes if one.outcome != "equated"], self.report)
        _report_equated([one for one in clashes if one.outcome == "equated"], self.report)
        tree, _ = self._filled(tree)
        used: tuple[Path, ...] = ()
        if self._config.references:
            tree, used = self._followed(tree)
        nulls: list[tuple[Path, Assigned]] = []
        if self._config.nulls == "remove":
            nulls = [
                (path, leaf)
                for path, leaf in read(tree)
                if leaf.value is None and not any(isinstance(one, int) for one in path)
            ]
            tree = _without_nulls(tree) if nulls else tree
        self._validate(tree, layers)
        secret = any(isinstance(one.item, Item) and (one.item.withheld or holds_secret(one.item.data)) for one in layers)
        return MergedLayers(layers, tree, used, secret, tuple(nulls))

    def _filled(self, tree: Map) -> tuple[Map, bool]:
        """Return the tree with the defaults of the schema, and whether there are references among them."""
        if self._schema.data is None:
            return tree, False
        try:
            return with_defaults(tree, self._schema, self._steps, references=self._config.references)
        except TooManyStepsError as error:
            self._report_steps(error)
            return tree, False

    def _followed(self, tree: Map) -> tuple[Map, tuple[Path, ...]]:
        """Return the document with its references followed, including those in the defaults of what they lead to, and the paths that they lead to."""
        used: list[Path] = []
        repeats, is_open = Repeats(self._limits), True
        while is_open:
            resolver = Resolver(tree, repeats)
            tree, is_open = self._filled(resolver.resolved())
            used += resolver.used
            self.report.extend(resolver.report.findings)
            is_open = is_open and not resolver.report.failed
        return tree, tuple(used)

    def _validate(self, tree: Map, layers: tuple[Layer, ...]) -> None:
        if self._schema.data is None or any(leaf.value is BROKEN for _, leaf in atoms(tree)):
            return
        if self._validator is None:
            from krm_values.layered_values.validator import Validator  # noqa: PLC0415 - the library takes long to import

            self._validator = Validator(self._schema, self._steps)
        try:
            self._validator.check(tree, layers, self.report)
        except TooManyStepsError as error:
            self._report_steps(error)

    def _report_steps(self, error: TooManyStepsError) -> None:
        """Report, once, that the schema takes too many steps."""
        text = f"the schema {error}"
        if not any(one.message == text for one in self.report.findings):
            self.report.error("schema", "54", text, self._schema.item, config=self._schema.config)


def _without_nulls(tree: Map) -> Map:
    """Return a map without the keys whose value is null; lists are not changed."""
    result: dict[str, Node] = {}
    for key, node in tree.items():
        if isinstance(node, Map) and node:
            result[key] = _without_nulls(node) or _emptied(node)
        elif not isinstance(node, Assigned) or node.value is not None:
            result[key] = node
    return tree.like(result)


def _emptied(node: Map) -> Map:
    """Return what is left of a map whose values are all null: an empty one at its place in the layer of its first value."""
    path, leaf = next(atoms(node, ordered=True))
    is_below = leaf.path[len(leaf.path) - len(path) :] == path
    return Map(leaf.layer, leaf.path[: len(leaf.path) - len(path)] if is_below else leaf.path)


def _report_clashes(found: list[Clash], report: Report) -> None:
    """Report layers that disagree about the type of a value; null agrees with every type."""
    for clash in found:
        if "null" in clash.kinds:
            continue
        above, below = origin(clash.above), origin(clash.below)
        of_above = f"layer {above.layer}{line_of(above)}"
        if clash.outcome == "nothing":
            advice = "write null, or use the strategy `replace`"
            text = f"`{to_field(clash.path)}` of {of_above} is an empty map, which changes nothing: {advice}"
            report.info("empty-map", "43", text, **place_of(above))
        else:
            old, new = clash.kinds
            of_below = f"layer {below.layer}{line_of(below)}"
            text = f"`{to_field(clash.path)}` is a {new} in {of_above} and a {old} in {of_below}, which it replaces"
            report.warning("type-change", "44", text, **place_of(above))


def _report_equated(found: list[Clash], report: Report) -> None:
    """Report elements that merge by a key which has one type in one layer and another one in the other."""
    for clash in found:
        *path, key = clash.path
        above, below = origin(clash.above), origin(clash.below)
        of_new, of_old = (f"a {type_of(one.value)} in layer {one.layer}{line_of(one)}" for one in (above, below))
        text = f"`{to_field((*path,))}`: `by: {key}` merges elements whose `{key}` is {of_new} and {of_old}: write both in one type"
        report.warning("equated-keys", "47", text, **place_of(above))


class _Strategies:
    """The entries of `merge`: how the values at a path are merged."""

    __slots__ = ("_below", "_entries", "_known")

    def __init__(self, entries: tuple[ByPath, ...]) -> None:
        self._entries = entries
        self._below: dict[Any, Any] = {}  # by segment, at its end by None
        self._known: list[str] | None = None
        for segments, strategy, _ in entries:
            below = self._below
            for segment in segments:
                below = below.setdefault(segment, {})
            below.setdefault(None, strategy)

    def __bool__(self) -> bool:
        return bool(self._entries)

    def at(self, path: Path) -> Strategy | None:
        """Return the strategy of a path: of several that match, the one with the leftmost exact key."""
        left = [(0, self._below)]
        while left:
            size, below = left.pop()
            if size == len(path):
                if None in below:
                    return below[None]  # type: ignore[no-any-return]
                continue
            part = path[size]
            left += [(size + 1, below[one]) for one in (Each() if isinstance(part, int) else AnyKey(), part) if one in below]
        return None

    def check(self, layers: list[Layer], report: Report) -> None:
        """Report values of layers that do not fit their strategy, and strategies that match nothing."""
        for segments, strategy, text in self._entries:
            found = [(layer, path, node) for layer in layers for path, node in _at(layer.tree, segments, ())]
            if not found and layers:
                if self._known is None:
                    self._known = sorted({to_field(path) for layer in layers for path in _paths(layer.tree, ())})
                meant = (hint_of_dots(layer.tree, segments) for layer in layers)
                hint = next(filter(None, meant), "") or suggest.hint(text, self._known)
                said = f"`merge`: no layer has `{text}`, so its strategy has no effect{hint}"
                report.warning("unused-strategy", "49", said, config=("merge", text))
            for layer, path, node in found:
                if self.at(path) == strategy:
                    _check_fits(layer, path, node, strategy, report)


def _at(node: Node, segments: Segments, path: Path) -> Iterator[tuple[Path, Node]]:
    """Yield the places of a layer that a pattern matches."""
    if not segments:
        yield path, node
        return
    first, *rest = segments
    if isinstance(first, Each):
        for index, element in enumerate(elements(node)):
            yield from _at(element, tuple(rest), (*path, index))
    elif isinstance(node, dict):
        for key in node if isinstance(first, AnyKey) else [first]:
            if isinstance(key, str) and key in node:
                yield from _at(node[key], tuple(rest), (*path, key))


def _paths(node: Node, path: Path) -> Iterator[Path]:
    if path:
        yield path
    for key, below in node.items() if isinstance(node, dict) else ():
        yield from _paths(below, (*path, key))


def _check_fits(layer: Layer, path: Path, node: Node, strategy: Strategy, report: Report) -> None:
    """Report the value of a layer that cannot be merged by a strategy."""
    if strategy not in _OF_LISTS and not isinstance(strategy, ByKey):
        return
    word = f"`by: {strategy.key}`" if isinstance(strategy, ByKey) else f"`{strategy}`"
    field = to_field(path)
    if kind(node) not in ("list", "null"):
        _report_unfit(layer, node, f"`{field}` must be a list for {word}", report)
    elif isinstance(strategy, ByKey):
        _check_keys(layer, node, field, strategy.key, report)


def _check_keys(layer: Layer, node: Node, field: str, key: str, report: Report) -> None:
    leaf: Any = first_leaf(node)
    seen: set[str] = set()
    for index, element in enumerate(elements(node)):
        value = plain(element[key]) if isinstance(element, Map) and key in element else None
        if value is None or isinstance(value, (dict, list, Reference)):
            must = f"must be a map with a scalar `{key}`, as `by: {key}` needs"
            _report_unfit(layer, node, f"element {index} of `{field}` {must}", report)
            continue
        text = text_of(value)
        if text in seen:
            shown = "" if origin(leaf).secret else f' "{text}"'
            _report_unfit(layer, node, f"two elements of `{field}` have the same `{key}`{shown}", report)
        seen.add(text)


def _report_unfit(layer: Layer, node: Node, text: str, report: Report) -> None:
    leaf: Any = first_leaf(node)
    at = origin(leaf)
    whole = f"layer {layer.name}{line_of(at)}: {text}"
    if isinstance(layer.item, Item):
        report.error("strategy", "49", whole, layer.item, at.path, at=at)
    else:
        report.error("strategy", "49", whole, config=("layers", layer.number, "values", *leaf.path))
