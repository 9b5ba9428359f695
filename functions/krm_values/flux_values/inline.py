"""The ConfigMaps of a release merged into its inline values, leaf by leaf, if Flux composes the same of what is left."""

from __future__ import annotations

from krm_values._data import data_edits
from krm_values._data.diff import diff
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import replace
from krm_values._kit.layers.merge import Assigned
from krm_values._kit.layers.references import label
from krm_values._kit.planner.plan import Drop, Finding, Origin, Put
from krm_values.flux_values.compose import explained, tracked
from krm_values.flux_values.compose.strvals import Room
from krm_values.flux_values.compose.tracked import List, Map
from krm_values.flux_values.compose.values import RefusedPathError, compose
from krm_values.flux_values.release import VALUES, as_floats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Leaf, Plan
    from krm_values.flux_values.compose.tracked import Node
    from krm_values.flux_values.layer_reader import Read
    from krm_values.flux_values.release import Release

_WAY_OUT = "let one of the two go, or use `output: object`"


def inlined(release: Release, reads: list[Read], found: Map, limits: Limits) -> Plan:
    """The edits of a release whose composed values are `found`, or why they cannot be made."""
    leaving = [read for read in reads if _leaves_the_list(read)]
    staying = [read for read in reads if not _leaves_the_list(read)]
    refusals = list(_behind(leaving[0], staying)) if leaving else []
    try:
        own = compose(release.inline, release.says, leaving, [], Room(limits))
        written = compose(as_floats(tracked.plain(own)), release.says, staying, [], Room(limits))
    except RefusedPathError as error:
        text = f"stands in the way of `output: inline`: without the other entries its `targetPath` {error.message}"
        refusals.append(_refused(error.read, text))
    else:
        refusals += _different(_Comparison(own).first(found, written), reads)
    if refusals:
        yield from refusals
        return
    yield from _values(release, own, found)
    for read in reversed(leaving):
        reference = read.reference
        yield Drop(release.item, reference.path, Origin(reference.layer, None, read.item, read.path, facts=reference.facts))


def _leaves_the_list(read: Read) -> bool:
    return read.item is not None and read.reference.kind == "ConfigMap"


def _behind(first: Read, staying: list[Read]) -> Iterator[Finding]:
    """What only the cluster has was above the entries that leave, and would be below them."""
    for read in staying:
        if read.item is None and read.reference.position > first.reference.position:
            text = (
                f"stands in the way of `output: inline`: {label(read.reference)} is not read here, and what the cluster has of it would"
                f" lose against `{first.reference.layer}`, which is inlined: move the entry up, or use `output: object`"
            )
            yield _refused(read, text)


def _different(difference: tuple[Path, Node | None, Node | None] | None, reads: list[Read]) -> list[Finding]:
    """The first path at which the written release composes to something else, and the entry that is to blame."""
    if difference is None:
        return []
    path, now, then = difference
    by_layer = {read.reference.layer: read for read in reads}
    entries = [by_layer[layer] for node in (now, then) for layer in _layers(node) if layer in by_layer]
    blamed = entries[0] if entries else reads[-1]
    text = f"stands in the way of `output: inline`: `{to_field(path)}` would come from {_who(then, by_layer)} and not from {_who(now, by_layer)}"
    if not entries or _leaves_the_list(blamed):
        text = f"stands in the way of `output: inline`: `{to_field(path)}` would have another value"
    return [_refused(blamed, f"{text}: {_WAY_OUT}")]


class _Comparison:
    """Compares what is composed now with what the written release, whose inline values are `own`, composes to.

    A value out of a Secret equals nothing but itself: that something else happens to have the same value must not be seen.
    """

    __slots__ = ("_own",)

    def __init__(self, own: Map) -> None:
        self._own = own

    def first(self, now: Node | None, then: Node | None, path: Path = ()) -> tuple[Path, Node | None, Node | None] | None:
        """The first path with another value, and the value now and then; None where there is none."""
        if isinstance(now, Map) and isinstance(then, Map):
            for key in sorted(now.keys() | then.keys()):
                if difference := self.first(now.get(key), then.get(key), (*path, tracked.shown(key))):
                    return difference
            return None
        return None if self._is_same(now, then) else (path, now, then)

    def _is_same(self, now: Node | None, then: Node | None) -> bool:
        if isinstance(now, List) and isinstance(then, List):
            return len(now) == len(then) and all(self.first(*pair) is None for pair in zip(now, then, strict=True))
        if not isinstance(now, Assigned) or not isinstance(then, Assigned):
            return False
        return _secret(now) == self._secret_then(then) and data_edits.same(now.value, then.value)

    def _secret_then(self, node: Assigned) -> tuple[str, Path] | None:
        """What `_secret` says of a value of the written release; of an inlined one, of the value that was inlined."""
        found = tracked.at(self._own, node.path) if node.layer((), None).layer == "values" else node
        return _secret(found) if isinstance(found, Assigned) else None


def _secret(node: Assigned) -> tuple[str, Path] | None:
    """The layer of a value that comes out of a Secret and its place there; None for one that does not."""
    origin = node.layer(node.path, None)
    return (origin.layer, node.path) if origin.secret else None


def _layers(node: Node | None) -> list[str]:
    return [layer((), None).layer for layer in tracked.writers(node)] if node is not None else []


def _who(node: Node | None, by_layer: dict[str, Read]) -> str:
    layers = _layers(node)
    if not layers:
        return "nowhere"
    return label(by_layer[layers[0]].reference) if layers[0] in by_layer else "the inline values"


def _refused(read: Read, text: str) -> Finding:
    return Finding("error", "inline", "92", text, read.reference.owner, read.reference.path)


def _values(release: Release, own: Map, found: Map) -> Iterator[Put]:
    """Every value of the release: what changes is put, what stays is put as it stands, so that both are explained."""
    stands = get(release.item.data, VALUES)
    explain = _Explain(found)
    if isinstance(stands, dict):
        yield from _map(release, own, VALUES, (), explain)
    elif own:
        yield Put(release.item, VALUES, tracked.plain(own), explain.of(own, VALUES, ()))


def _map(release: Release, own: Map, at: Path, beaten: tuple[Node, ...], explain: _Explain) -> Iterator[Put]:
    stands = get(release.item.data, at)
    for key in sorted(own):
        node, path = own[key], (*at, key)
        losers = (*own.losers.get(key, ()), *beaten)
        old = stands.get(key, ABSENT) if isinstance(stands, dict) else ABSENT
        leaves = explain.of(node, path, losers)
        if isinstance(node, Map) and node and isinstance(old, dict):
            yield from _map(release, node, path, losers, explain)
        elif set(_layers(node)) == {"values"}:
            yield Put(release.item, path, old, _as_written(release, leaves))  # type: ignore[arg-type]  # it stands there
        elif isinstance(node, List) and isinstance(old, list) and _layers(node)[0] == "values":
            yield from _elements(release, node, path, _as_written(release, leaves))
        else:
            yield Put(release.item, path, tracked.plain(node), leaves)


def _elements(release: Release, node: List, path: Path, leaves: tuple[Leaf, ...]) -> Iterator[Put]:
    """A list of the release's own, with the elements that were written into it."""
    old, new = get(release.inline, path[len(VALUES) :]), tracked.plain(node)
    edits = [edit for edit in diff(old, new, path) if isinstance(edit, data_edits.Put)]  # type: ignore[arg-type]
    if not edits:
        yield Put(release.item, path, get(release.item.data, path), leaves)  # type: ignore[arg-type]
    for edit in edits:
        yield Put(release.item, edit.path, edit.value, leaves, edit.insert)
        leaves = ()


def _as_written(release: Release, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """The release's own values as they stand, which may have more digits than what is composed of them."""
    data: Any = release.item.data
    return tuple(replace(leaf, value=get(data, leaf.path)) if leaf.origin.layer == "values" else leaf for leaf in leaves)


class _Explain:
    """Explains what stands in the release; whom a value beat is taken from all that is composed, so that Secrets are among them."""

    __slots__ = ("_found",)

    def __init__(self, found: Map) -> None:
        self._found = {leaf.inner: leaf for leaf in explained.leaves(found, VALUES)}

    def of(self, node: Node, path: Path, losers: tuple[Node, ...]) -> tuple[Leaf, ...]:
        """The leaves of a value that stands at a path of the release."""
        inner = path[len(VALUES) :]
        return tuple(self._whole(leaf) for leaf in explained.leaves(node, VALUES, losers, inner))

    def _whole(self, leaf: Leaf) -> Leaf:
        composed = self._found.get(leaf.inner)
        is_same = composed is not None and composed.origin.layer == leaf.origin.layer
        beaten = composed.beaten if composed is not None and is_same else leaf.beaten
        return replace(leaf, path=(*VALUES, *(leaf.inner or ())), inner=None, beaten=beaten)
