"""Merges the ConfigMaps of a release into its inline values, leaf by leaf, if Flux composes the same values from the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.diff import diff
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import replace
from krm_values._krm.findings import Report
from krm_values._krm.plan import Drop, Finding, Origin, Put
from krm_values._run.objects import label
from krm_values._run.traced import Assigned, List, Map, find, leaves, member, plain, shown
from krm_values.flux_values.compose import RefusedPathError, compose, reason
from krm_values.flux_values.release import INLINE, VALUES, as_floats
from krm_values.flux_values.strvals import filling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._krm.plan import Leaf, Plan
    from krm_values._run.traced import Layer, Node
    from krm_values.flux_values.release import LoadedEntry, Release

    Composed: TypeAlias = Mapping[Path | None, Leaf]
    Difference: TypeAlias = tuple[Path, Node | None, Node | None]


def edits(release: Release, loaded: list[LoadedEntry], found: Map, limits: Limits) -> Plan:
    """Yield the edits of a release whose composed values are `found`, or errors that say why it cannot be inlined."""
    report = Report()
    own = _inlined(release, loaded, found, limits, report)
    if own is None or report.failed:
        yield from report.findings
        return
    yield from _moved_nulls(release, own)
    composed = {leaf.inner: leaf for leaf in leaves(found, VALUES, reason=reason)}
    if isinstance(get(release.item.data, VALUES), dict):
        yield from _puts(release, own, VALUES, composed)
    elif own:
        yield Put(release.item, VALUES, plain(own), _leaves(own, VALUES, composed))
    for entry in reversed([entry for entry in loaded if _is_inlined(entry)]):
        reference = entry.reference
        yield Drop(release.item, reference.path, Origin(reference.layer, None, entry.item, entry.path, facts=reference.facts))


def _inlined(release: Release, loaded: list[LoadedEntry], found: Map, limits: Limits, report: Report) -> Map | None:
    """Return the inline values of the written release, and report the entries because of which Flux would compose other values from it."""
    inlined = [entry for entry in loaded if _is_inlined(entry)]
    kept = [entry for entry in loaded if not _is_inlined(entry)]
    for entry in kept:
        if inlined and entry.item is None and entry.reference.position > inlined[0].reference.position:
            text = (
                f"{label(entry.reference)} is not in the list, and what the cluster has of it would be overridden by"
                f" `{inlined[0].reference.layer}`, which is inlined: move the entry up, or use `output: object`"
            )
            _refuse(entry, text, report)
    try:
        own = compose(release.inline, release.layer, inlined, [], filling(limits))
        written = compose(as_floats(plain(own)), release.layer, kept, [], filling(limits))
    except RefusedPathError as error:
        _refuse(error.entry, f"without the other entries its `targetPath` {error.message}", report)
        return None
    if difference := _difference(found, written, own):
        _refuse_difference(*difference, loaded, report)
    return own


def _moved_nulls(release: Release, own: Map) -> Iterator[Finding]:
    """Yield a warning about nulls of entries that become inline values, of which tools that apply resources drop the key."""
    found = [leaf for leaf in leaves(own, VALUES) if leaf.value is None and leaf.origin.layer != INLINE]
    named = [f"`{to_field(leaf.inner)}`" for leaf in found if leaf.inner and isinstance(leaf.inner[-1], str)]
    if named:
        text = (
            f"`output: inline` moves the null of {suggest.several(named)} into `spec.values`, where `kubectl apply` and kustomize drop it"
            " and the chart's default comes back: use `output: object`, or set another value"
        )
        yield Finding("warning", "inline-null", "92", text, release.item, VALUES)


def _is_inlined(entry: LoadedEntry) -> bool:
    return entry.item is not None and entry.reference.kind == "ConfigMap"


def _refuse(entry: LoadedEntry, text: str, report: Report) -> None:
    reference = entry.reference
    report.error("inline", "92", f"prevents `output: inline`: {text}", reference.owner, reference.path)


def _refuse_difference(path: Path, now: Node | None, then: Node | None, loaded: list[LoadedEntry], report: Report) -> None:
    """Report the first path at which the written release composes to another value, at the entry that causes it."""
    by_layer = {entry.reference.layer: entry for entry in loaded}
    entries = [by_layer[layer] for node in (now, then) for layer in _layers(node) if layer in by_layer]
    cause = entries[0] if entries else loaded[-1]
    text = f"would come from {_who(then, by_layer)} and not from {_who(now, by_layer)}"
    if not entries or _is_inlined(cause):
        text = "would have another value"
    _refuse(cause, f"`{to_field(path)}` {text}: remove one of the two, or use `output: object`", report)


def _layers(node: Node | None) -> list[str]:
    """Return the names of the layers that set a part of a value, its own first."""
    return [layer((), None).layer for layer in _writers(node)] if node is not None else []


def _writers(node: Node) -> list[Layer]:
    below = node.values() if isinstance(node, Map) else node if isinstance(node, List) else ()
    return list(dict.fromkeys([node.layer, *(layer for item in below for layer in _writers(item))]))


def _who(node: Node | None, by_layer: Mapping[str, LoadedEntry]) -> str:
    layers = _layers(node)
    if not layers:
        return "nowhere"
    return label(by_layer[layers[0]].reference) if layers[0] in by_layer else "the inline values"


def _difference(now: Node | None, then: Node | None, own: Map, path: Path = ()) -> Difference | None:
    """Return the first path at which two compositions differ, and the value of each there; None if there is none.

    now: what is composed now. then: what the written release composes to, whose inline values are `own`. A value of a Secret
    equals only itself, so that the answer does not reveal whether another value happens to be the same.
    """
    if isinstance(now, Map) and isinstance(then, Map):
        for key in sorted(now.keys() | then.keys()):
            if difference := _difference(now.get(key), then.get(key), own, (*path, shown(key))):
                return difference
        return None
    return None if _is_same(now, then, own) else (path, now, then)


def _is_same(now: Node | None, then: Node | None, own: Map) -> bool:
    if isinstance(now, List) and isinstance(then, List):
        pairs = zip(now, then, strict=False)
        return len(now) == len(then) and all(_difference(one, other, own, ()) is None for one, other in pairs)
    if not isinstance(now, Assigned) or not isinstance(then, Assigned):
        return False
    return _secret_place(now) == _secret_place(_before_inlining(then, own)) and data_edits.same(now.value, then.value)


def _before_inlining(node: Assigned, own: Map) -> Assigned:
    """Return the value that an inline value of the written release was copied from; any other value itself."""
    found = member(own, node.path) if node.layer((), None).layer == INLINE else node
    return found if isinstance(found, Assigned) else node


def _secret_place(node: Assigned) -> tuple[str, Path] | None:
    """Return the layer and path of a value that comes from a Secret; None for any other value."""
    origin = node.layer(node.path, None)
    return (origin.layer, node.path) if origin.secret else None


def _puts(release: Release, own: Map, at: Path, composed: Composed) -> Iterator[Put]:
    """Put every value of the release; one that does not change is put as written, so that both kinds are explained."""
    current = get(release.item.data, at)
    for key in sorted(own):
        node: Any = find(own, (key,))
        path = (*at, key)
        old = current.get(key, ABSENT) if isinstance(current, dict) else ABSENT
        if isinstance(node, Map) and node and isinstance(old, dict):
            yield from _puts(release, node, path, composed)
            continue
        told, layers = _leaves(node, path, composed), _layers(node)
        if set(layers) == {INLINE}:
            yield Put(release.item, path, old, _as_written(release, told))  # type: ignore[arg-type]  # it is there
        elif isinstance(node, List) and isinstance(old, list) and layers[0] == INLINE:
            yield from _elements(release, node, path, _as_written(release, told))
        else:
            yield Put(release.item, path, plain(node), told)


def _elements(release: Release, node: List, path: Path, leaves: tuple[Leaf, ...]) -> Iterator[Put]:
    """Put the elements that entries wrote into a list of the release itself."""
    old, new = get(release.inline, path[len(VALUES) :]), plain(node)
    edits = [edit for edit in diff(old, new, path) if isinstance(edit, data_edits.Put)]
    if not edits:
        yield Put(release.item, path, get(release.item.data, path), leaves)
    for edit in edits:
        yield Put(release.item, edit.path, edit.value, leaves, edit.insert)
        leaves = ()


def _leaves(node: Node, path: Path, composed: Composed) -> tuple[Leaf, ...]:
    """Explain the value at a path of the release. What it overrides is taken from all composed values, which include Secrets."""
    found: list[Leaf] = []
    for leaf in leaves(node, VALUES, path[len(VALUES) :], reason=reason):
        whole = composed.get(leaf.inner)
        why = whole if whole is not None and whole.origin.layer == leaf.origin.layer else leaf
        at = (*VALUES, *(leaf.inner or ()))
        depth = len(leaf.inner or ())
        found.append(replace(leaf, path=at, inner=None, overridden=why.overridden, reason=why.reason, depth=depth))
    return tuple(found)


def _as_written(release: Release, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """Replace composed values by those of the release itself, which may have more digits."""
    data: Any = release.item.data
    return tuple(replace(leaf, value=get(data, leaf.path)) if leaf.origin.layer == INLINE else leaf for leaf in leaves)
