"""The merged document of each chain, which has the layers that apply to a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import to_field
from krm_values._data.record import record
from krm_values._kit.layers.merge import Assigned, origin
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.layered_values import defaults, nodes, placed
from krm_values.layered_values.merge import merged
from krm_values.layered_values.references import Resolver
from krm_values.layered_values.strategies import Strategies
from krm_values.layered_values.work import Repeats, Steps, TooMuchError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Clash, Tree
    from krm_values.layered_values.nodes import Node
    from krm_values.layered_values.selectors import Subject
    from krm_values.layered_values.tree import Layer, Schema


@record
class Document:
    """The merged values of a chain of layers, and the paths to which its references lead."""

    layers: tuple[Layer, ...]
    tree: Tree
    used: tuple[Path, ...]
    may_be_secret: bool

    def find(self, path: Path) -> Node | object:
        """Return the node at a path; ABSENT where no layer sets anything."""
        return nodes.find(self.tree, path)

    def near(self, path: Path, text: str) -> str:
        """Return `; did you mean ...?` with the nearest existing path."""
        return nodes.with_dots(self.tree, path) or suggest.hint(
            text, sorted({to_field(path) for path, _ in nodes.leaves(self.tree)})
        )


class Chains:
    """The documents by the layers of their chains; each is merged and checked once."""

    __slots__ = (
        "_check",
        "_conditional",
        "_config",
        "_found",
        "_layers",
        "_limits",
        "_schema",
        "_steps",
        "_strategies",
        "met",
        "report",
    )

    def __init__(self, layers: list[Layer], config: Any, merge: Any, schema: Schema, *, check: Any, limits: Limits) -> None:
        """Prepare merging. merge: the strategies. check: takes the steps that a schema has left, and returns a function that yields the findings on a document."""
        self._layers, self._config, self._schema, self._limits = layers, config, schema, limits
        self._steps = Steps()
        self._check = check(self._steps)
        self._strategies = Strategies(merge)
        self._conditional = [index for index, layer in enumerate(layers) if layer.when is not None]
        self._found: dict[tuple[int, ...], Document] = {}
        self.met: set[int] = set()
        """The layers with a condition that some target meets."""
        self.report = Report()
        self.report.extend(self._strategies.check(layers))

    def of(self, subject: Item | Subject) -> Document:
        """Return the document for a target's resource or object."""
        without = tuple(index for index in self._conditional if not self._layers[index].when.fits(subject))  # type: ignore[union-attr]
        self.met |= {*self._conditional} - {*without}
        if without not in self._found:
            self._found[without] = self._made(tuple(one for index, one in enumerate(self._layers) if index not in without))
        return self._found[without]

    def documents(self) -> list[Document]:
        """Return all documents that were used."""
        return [*self._found.values()]

    def unmet(self) -> Iterator[Finding]:
        """Yield a warning for each layer with a condition that no target meets."""
        for index in self._conditional:
            layer = self._layers[index]
            if index not in self.met:
                text = f"layer {layer.name}: no target meets its `when` ({layer.when}), so it counts for none"
                yield Finding("info", "unused-layer", "134", text, config=("layers", layer.number, "when"))

    def _made(self, layers: tuple[Layer, ...]) -> Document:
        tree: Tree = {}
        clashes: list[Clash] = []
        for layer in layers:
            tree = merged(tree, layer.tree, self._strategies, clashes)
        self.report.extend(_clashes(clashes))
        tree, _ = self._filled(tree)
        used: tuple[Path, ...] = ()
        if self._config.references:
            tree, used = self._followed(tree)
        if self._config.nulls == "remove":
            tree = _without_nulls(tree)
        secret = any(isinstance(one.item, Item) and (one.item.kind == "Secret" or one.item.withheld) for one in layers)
        document = Document(layers, tree, used, secret)
        try:
            self.report.extend(self._check(document))
        except TooMuchError as error:
            self._exhausted(error)
        return document

    def _followed(self, tree: Tree) -> tuple[Tree, tuple[Path, ...]]:
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

    def _filled(self, tree: Tree) -> tuple[Tree, bool]:
        """Return the tree with the defaults of the schema, and whether there are references among them."""
        if self._schema.data is None:
            return tree, False
        try:
            return defaults.filled(tree, self._schema, self._steps, references=self._config.references)
        except TooMuchError as error:
            self._exhausted(error)
            return tree, False

    def _exhausted(self, error: TooMuchError) -> None:
        """Report, once, that the schema takes too many steps."""
        text = f"the schema {error.message}"
        if not any(one.message == text for one in self.report.findings):
            self.report.add(Finding("error", "schema", "54", text, self._schema.item, config=self._schema.config))


def _without_nulls(tree: Tree) -> Tree:
    """Return a map without the keys whose value is null; lists are not changed."""
    result: Tree = {}
    for key, node in tree.items():
        if isinstance(node, dict):
            below = _without_nulls(node)
            result[key] = below or Assigned({}, *_first(node))
        elif node.value is not None:
            result[key] = node
    return result


def _first(node: Node) -> tuple[Any, Path]:
    """Return layer and path of a leaf of a map."""
    while isinstance(node, dict):
        node = next(iter(node.values()))
    return node.layer, node.path


def _clashes(found: list[Clash]) -> Iterator[Finding]:
    """Yield the findings on layers that disagree about the type of a value; null agrees with every type."""
    for clash in found:
        if "null" in clash.kinds:
            continue
        above, below = origin(clash.above), origin(clash.below)
        field = to_field(clash.path)
        if clash.outcome == "nothing":
            text = f"`{field}` of layer {above.layer}{_line(above)} is an empty map, which changes nothing: write null, or use the strategy `replace`"
            yield Finding("info", "empty-map", "43", text, **placed.at(above))
        else:
            old, new = clash.kinds
            text = f"`{field}` is a {new} in layer {above.layer}{_line(above)} and a {old} in layer {below.layer}{_line(below)}, which it replaces"
            yield Finding("warning", "type-change", "44", text, **placed.at(above))


def _line(found: Any) -> str:
    line = places.line_of(found)
    return f" ({line})" if line else ""
