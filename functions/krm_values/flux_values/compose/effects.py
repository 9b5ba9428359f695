"""What becomes of each entry in the composed values: which of them lose a path or everything, and to whom."""

from __future__ import annotations

from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._kit.planner.plan import Finding
from krm_values.flux_values.compose import strvals, tracked
from krm_values.flux_values.compose.tracked import FILLER, List, atoms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Assigned
    from krm_values.flux_values.compose.tracked import Map, Node
    from krm_values.flux_values.layer_reader import Read
    from krm_values.flux_values.release import Release

_INLINE = "values"
_MANY = 10  # layers that a message names


def findings_of(release: Release, reads: Iterable[Read], found: Map) -> Iterator[Finding]:
    """A `targetPath` that Flux drops or that names a path also set inline, and every entry of which nothing is left."""
    left = frozenset(_layers(atom for atom in atoms(found) if atom.path is not FILLER))
    writers = _Writers()
    for read in reads:
        is_lost = read.reference.layer not in left
        if read.embedded is not None and is_lost:
            yield from _document(release, read, found, writers)
        elif read.text is not None and read.reference.target:
            yield from _target(release, read, found, writers, is_lost=is_lost)


def _target(release: Release, read: Read, found: Map, writers: _Writers, *, is_lost: bool) -> Iterator[Finding]:
    reference = read.reference
    path, at = strvals.path_of(reference.target), (*reference.path, "targetPath")
    if path is None:
        text = "begins with a dot or an index, or has an empty key: Flux then drops the value and reports no error"
        yield Finding("warning", "target-path-dropped", "105", text, release.item, at)
    elif get(release.inline, path, ABSENT) is not ABSENT:
        text = (
            f"`{to_field(path)}` is also set in `spec.values`, and {_winner(read, found, path, writers)}: set it in one place"
        )
        yield Finding("warning", "target-path-inline", "107", text, release.item, at)
    elif is_lost and read.text:
        text = f"`{to_field(path)}` of `{reference.layer}` has no effect, {_by(_instead(found, path, reference.layer, writers))}: remove one of them"
        yield Finding("warning", "no-effect", "S25", text, release.item, at)


def _winner(read: Read, found: Map, path: Path, writers: _Writers) -> str:
    node = tracked.at(found, path)
    layers = writers.of(node) if node is not None else []
    if read.reference.layer in layers:
        return "this entry wins"
    return "the inline value wins" if _INLINE in layers else f"{_listed(layers) or 'another entry'} wins"


def _document(release: Release, read: Read, found: Map, writers: _Writers) -> Iterator[Finding]:
    own = atoms(tracked.made(read.embedded.values, read.says)) if read.embedded and read.embedded.values else ()
    layers = dict.fromkeys(layer for atom in own for layer in _instead(found, atom.path, read.reference.layer, writers))
    if layers:
        text = f"`{read.reference.layer}` has no effect, {_by(sorted(layers))}"
        yield Finding("info", "no-effect", "S25", text, release.item, read.reference.path)


def _instead(found: Map, path: Path, entry: str, writers: _Writers) -> list[str]:
    """The layers of what is at a path, or at the nearest place above it, without the entry that lost. A list is its own layer's."""
    node: Node = found
    for part in path:
        below = tracked.at(node, (part,))
        if below is None:
            break
        node = below
    owner = node.layer((), None).layer if isinstance(node, List) else entry
    return [owner] if owner != entry else [layer for layer in writers.of(node) if layer != entry]


class _Writers:
    """The layers that have a part in a value: the first of very many, each value looked through once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, list[str]] = {}  # by the node's id: the composed values keep it

    def of(self, node: Node) -> list[str]:
        if id(node) not in self._known:
            self._known[id(node)] = _layers(atoms(node))[:_MANY]
        return self._known[id(node)]


def _layers(found: Iterable[Assigned]) -> list[str]:
    return list(dict.fromkeys(layer((), None).layer for layer in dict.fromkeys(atom.layer for atom in found)))


def _by(layers: list[str]) -> str:
    return f"{_listed(layers)} replaces it" if len(layers) == 1 else f"{_listed(layers)} replace it"


def _listed(layers: list[str]) -> str:
    return " and ".join(f"`{'spec.values' if layer == _INLINE else layer}`" for layer in layers)
