"""Merges the ConfigMaps of a release into its inline values, leaf by leaf, if Flux composes the same values from the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import diff
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import replace
from krm_values._kit.layers.references import label
from krm_values._kit.planner.plan import Drop, Finding, Origin, Put
from krm_values.flux_values import explained, provenance
from krm_values.flux_values.difference import first_difference
from krm_values.flux_values.provenance import List, Map
from krm_values.flux_values.release import VALUES, as_floats
from krm_values.flux_values.strvals import Budget
from krm_values.flux_values.values import RefusedPathError, compose

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Leaf, Plan
    from krm_values.flux_values.difference import Difference
    from krm_values.flux_values.layer_reader import LoadedEntry
    from krm_values.flux_values.provenance import Node
    from krm_values.flux_values.release import Release

_ADVICE = "remove one of the two, or use `output: object`"


def inlined(release: Release, loaded: list[LoadedEntry], found: Map, limits: Limits) -> Plan:
    """Yield the edits of a release whose composed values are `found`, or errors that say why it cannot be inlined."""
    inlined_entries = [entry for entry in loaded if _is_inlined(entry)]
    kept = [entry for entry in loaded if not _is_inlined(entry)]
    refusals = list(_behind(inlined_entries[0], kept)) if inlined_entries else []
    try:
        own = compose(release.inline, release.layer, inlined_entries, [], Budget(limits))
        written = compose(as_floats(provenance.plain(own)), release.layer, kept, [], Budget(limits))
    except RefusedPathError as error:
        text = f"prevents `output: inline`: without the other entries its `targetPath` {error.message}"
        refusals.append(_refused(error.entry, text))
    else:
        refusals += _different(first_difference(found, written, own), loaded)
    if refusals:
        yield from refusals
        return
    yield from _values(release, own, found)
    for entry in reversed(inlined_entries):
        reference = entry.reference
        yield Drop(release.item, reference.path, Origin(reference.layer, None, entry.item, entry.path, facts=reference.facts))


def _is_inlined(entry: LoadedEntry) -> bool:
    return entry.item is not None and entry.reference.kind == "ConfigMap"


def _behind(first: LoadedEntry, kept: list[LoadedEntry]) -> Iterator[Finding]:
    """Refuse entries that only the cluster has and that come after an inlined one: they would be overridden by it."""
    for entry in kept:
        if entry.item is None and entry.reference.position > first.reference.position:
            text = (
                f"prevents `output: inline`: {label(entry.reference)} is not in the list, and what the cluster has of it would"
                f" be overridden by `{first.reference.layer}`, which is inlined: move the entry up, or use `output: object`"
            )
            yield _refused(entry, text)


def _different(difference: Difference | None, loaded: list[LoadedEntry]) -> Iterator[Finding]:
    """Report the first path at which the written release composes to another value, at the entry that causes it."""
    if difference is None:
        return
    path, now, then = difference
    by_layer = {entry.reference.layer: entry for entry in loaded}
    entries = [by_layer[layer] for node in (now, then) for layer in _layers(node) if layer in by_layer]
    cause = entries[0] if entries else loaded[-1]
    text = f"prevents `output: inline`: `{to_field(path)}` would come from {_who(then, by_layer)} and not from {_who(now, by_layer)}"
    if not entries or _is_inlined(cause):
        text = f"prevents `output: inline`: `{to_field(path)}` would have another value"
    yield _refused(cause, f"{text}: {_ADVICE}")


def _layers(node: Node | None) -> list[str]:
    return [layer((), None).layer for layer in provenance.writers(node)] if node is not None else []


def _who(node: Node | None, by_layer: dict[str, LoadedEntry]) -> str:
    layers = _layers(node)
    if not layers:
        return "nowhere"
    return label(by_layer[layers[0]].reference) if layers[0] in by_layer else "the inline values"


def _refused(entry: LoadedEntry, text: str) -> Finding:
    return Finding("error", "inline", "92", text, entry.reference.owner, entry.reference.path)


def _values(release: Release, own: Map, found: Map) -> Iterator[Put]:
    """Put every value of the release; one that does not change is put as written, so that both kinds are explained."""
    current = get(release.item.data, VALUES)
    explain = _Explain(found)
    if isinstance(current, dict):
        yield from _map(release, own, VALUES, (), explain)
    elif own:
        yield Put(release.item, VALUES, provenance.plain(own), explain.of(own, VALUES, ()))


def _map(release: Release, own: Map, at: Path, overridden: tuple[Node, ...], explain: _Explain) -> Iterator[Put]:
    current = get(release.item.data, at)
    for key in sorted(own):
        node, path = own[key], (*at, key)
        losers = (*own.losers.get(key, ()), *overridden)
        old = current.get(key, ABSENT) if isinstance(current, dict) else ABSENT
        leaves = explain.of(node, path, losers)
        if isinstance(node, Map) and node and isinstance(old, dict):
            yield from _map(release, node, path, losers, explain)
        elif set(_layers(node)) == {"values"}:
            yield Put(release.item, path, old, _as_written(release, leaves))  # type: ignore[arg-type]  # it is there
        elif isinstance(node, List) and isinstance(old, list) and _layers(node)[0] == "values":
            yield from _elements(release, node, path, _as_written(release, leaves))
        else:
            yield Put(release.item, path, provenance.plain(node), leaves)


def _elements(release: Release, node: List, path: Path, leaves: tuple[Leaf, ...]) -> Iterator[Put]:
    """Put the elements that entries wrote into a list of the release itself."""
    old, new = get(release.inline, path[len(VALUES) :]), provenance.plain(node)
    edits = [edit for edit in diff(old, new, path) if isinstance(edit, data_edits.Put)]
    if not edits:
        yield Put(release.item, path, get(release.item.data, path), leaves)
    for edit in edits:
        yield Put(release.item, edit.path, edit.value, leaves, edit.insert)
        leaves = ()


def _as_written(release: Release, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """Replace composed values by those of the release itself, which may have more digits."""
    data: Any = release.item.data
    return tuple(replace(leaf, value=get(data, leaf.path)) if leaf.origin.layer == "values" else leaf for leaf in leaves)


class _Explain:
    """Explains the values of the release; what they override is taken from all composed values, which include Secrets."""

    __slots__ = ("_found",)

    def __init__(self, found: Map) -> None:
        self._found = {leaf.inner: leaf for leaf in explained.leaves(found, VALUES)}

    def of(self, node: Node, path: Path, losers: tuple[Node, ...]) -> tuple[Leaf, ...]:
        """Return the leaves of the value at a path of the release."""
        inner = path[len(VALUES) :]
        return tuple(self._whole(leaf) for leaf in explained.leaves(node, VALUES, losers, inner))

    def _whole(self, leaf: Leaf) -> Leaf:
        composed = self._found.get(leaf.inner)
        is_same = composed is not None and composed.origin.layer == leaf.origin.layer
        why = composed if composed is not None and is_same else leaf
        at = (*VALUES, *(leaf.inner or ()))
        return replace(leaf, path=at, inner=None, overridden=why.overridden, reason=why.reason)
