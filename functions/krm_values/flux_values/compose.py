"""The effect of each entry on the composed values: which entries are overridden in part or as a whole, and by which layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._kit.layers.merge import Assigned
from krm_values._kit.planner.plan import Finding
from krm_values.flux_values import provenance, strvals
from krm_values.flux_values.provenance import FILLER, List, atoms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Layer
    from krm_values.flux_values.layer_reader import LoadedEntry
    from krm_values.flux_values.provenance import Map, Node
    from krm_values.flux_values.release import Release

_INLINE = "values"
_MANY = 10  # layers that a message names


def findings_of(release: Release, loaded: Iterable[LoadedEntry], found: Map) -> Iterator[Finding]:
    """Report a `targetPath` that Flux drops or whose path is also set inline, and every entry of which nothing is left."""
    left = frozenset(_layers(atom for atom in atoms(found) if atom.path is not FILLER))
    writers = _Writers()
    for entry in loaded:
        is_overridden = entry.reference.layer not in left
        if entry.embedded is not None and is_overridden:
            yield from _document(release, entry, found, writers)
        elif entry.text is not None and entry.reference.target:
            yield from _target(release, entry, found, writers, is_overridden=is_overridden)


def _target(release: Release, entry: LoadedEntry, found: Map, writers: _Writers, *, is_overridden: bool) -> Iterator[Finding]:
    reference = entry.reference
    path, at = strvals.path_of(reference.target), (*reference.path, "targetPath")
    if path is None:
        text = (
            "begins with a dot or an index, or has an empty key: Flux then drops the value without an error; correct the path"
        )
        yield Finding("warning", "target-path-dropped", "105", text, release.item, at)
    elif get(release.inline, path, ABSENT) is not ABSENT:
        text = (
            f"`{to_field(path)}` is also set in `spec.values`, and {_winner(entry, found, path, writers)}: set it in one place"
        )
        yield Finding("warning", "target-path-inline", "107", text, release.item, at)
    elif is_overridden and entry.text:
        text = f"`{to_field(path)}` of `{reference.layer}` has no effect, {_by(_instead(found, path, reference.layer, writers))}: remove one of them"
        yield Finding("warning", "no-effect", "S25", text, release.item, at)


def _winner(entry: LoadedEntry, found: Map, path: Path, writers: _Writers) -> str:
    node = provenance.member(found, path)
    layers = writers.of(node) if node is not None else []
    if entry.reference.layer in layers:
        return "this entry wins"
    return "the inline value wins" if _INLINE in layers else f"{_listed(layers) or 'another entry'} wins"


def _document(release: Release, entry: LoadedEntry, found: Map, writers: _Writers) -> Iterator[Finding]:
    layers: set[str] = set()
    if entry.embedded and entry.embedded.values:
        _add_replacing(entry.embedded.values, found, entry.reference.layer, writers, layers)
        layers.discard(entry.reference.layer)
    if layers:
        text = f"`{entry.reference.layer}` has no effect, {_by(sorted(layers))}"
        yield Finding("info", "no-effect", "S25", text, release.item, entry.reference.path)


def _add_replacing(value: JSON, node: Node, overridden: str, writers: _Writers, layers: set[str]) -> None:
    """Add the layers of what is in the place of each leaf of a document; where nothing is, of the nearest value above it."""
    if not isinstance(value, dict) or not value:
        layers.update(_others(node, overridden, writers))
        return
    for key, item in value.items():
        below = node.get(key) if isinstance(node, provenance.Map) else None
        if type(below) is Assigned:
            layers.add(writers.name(below.layer))
        elif below is None:
            layers.update(_others(node, overridden, writers))
        else:
            _add_replacing(item, below, overridden, writers, layers)


def _instead(found: Map, path: Path, overridden: str, writers: _Writers) -> list[str]:
    """Return the layers of the value at a path, or at the nearest one above it, without the overridden entry. A list belongs to its own layer."""
    node: Node = found
    for part in path:
        below = provenance.member(node, (part,))
        if below is None:
            break
        node = below
    return _others(node, overridden, writers)


def _others(node: Node, overridden: str, writers: _Writers) -> list[str]:
    owner = writers.name(node.layer) if isinstance(node, List) else overridden
    return [owner] if owner != overridden else [layer for layer in writers.of(node) if layer != overridden]


class _Writers:
    """The layers that set a part of a value, at most as many as a message names; each value is searched once."""

    __slots__ = ("_known", "_names")

    def __init__(self) -> None:
        self._known: dict[int, list[str]] = {}  # by the node's id: the composed values keep it
        self._names: dict[Layer, str] = {}

    def name(self, layer: Layer) -> str:
        """Return the name of a layer, which is asked once for its origin."""
        if layer not in self._names:
            self._names[layer] = layer((), None).layer
        return self._names[layer]

    def of(self, node: Node) -> list[str]:
        if isinstance(node, Assigned):
            return [self.name(node.layer)]
        if id(node) not in self._known:
            self._known[id(node)] = _layers(atoms(node))[:_MANY]
        return self._known[id(node)]


def _layers(found: Iterable[Assigned]) -> list[str]:
    return list(dict.fromkeys(layer((), None).layer for layer in dict.fromkeys(atom.layer for atom in found)))


def _by(layers: list[str]) -> str:
    return f"{_listed(layers)} replaces it" if len(layers) == 1 else f"{_listed(layers)} replace it"


def _listed(layers: list[str]) -> str:
    return " and ".join(f"`{'spec.values' if layer == _INLINE else layer}`" for layer in layers)
