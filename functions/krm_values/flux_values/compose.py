"""The values that Flux passes to Helm: each entry overrides the one before it, the inline values override all. And what is unexpected in them.

Maps and lists are shared and changed in place exactly as in Flux's Go code: a map of two layers is a copy, a map of one layer is that layer's
own, and `targetPath` writes into what it finds. So a value that is written into the result may appear in the inline values as well, and that
decides which of the two wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._krm.item import withholds
from krm_values._run import objects
from krm_values._run.objects import label
from krm_values._run.traced import FILLER, Assigned, List, Map, atoms, clash, kind, member, merge, origin, tree
from krm_values.flux_values import strvals
from krm_values.flux_values.release import INLINE, LITERAL_SINCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from krm_values._data.limits import Budget
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.plan import Origin
    from krm_values._run.traced import Clash, Layer, Node
    from krm_values.flux_values.release import LoadedEntry, Release

_ADVICE = {"96": "the later one wins; make both the same kind if that is not intended"}
_EMPTY = "an empty map clears nothing; write `null` to remove the key from the chart's defaults"
_WRITTEN_INTO = "its targetPath is set in the inline values themselves, which are merged last"
_MANY = 10  # layers that a message names


class RefusedPathError(Exception):
    """A `targetPath` that Helm refuses, with its entry and the reason."""

    def __init__(self, entry: LoadedEntry, message: str) -> None:
        super().__init__(message)
        self.entry, self.message = entry, message


def compose(inline: dict[str, JSON], layer: Layer, loaded: Iterable[LoadedEntry], clashes: list[Clash], budget: Budget) -> Map:
    """Compose the values. layer: that of the inline values. budget: of list elements. Raises RefusedPathError for the first refused entry."""
    own = tree(inline, layer, lists=True)
    result = Map()
    for entry in loaded:
        if entry.embedded is not None:
            result = merge(result, tree(entry.embedded.values, entry.layer, lists=True), clashes)
        elif entry.text is not None:
            result = merge(result, own, clashes)
            _write(result, entry, entry.text, clashes, budget)
    return merge(result, own, clashes)


def _write(result: Map, entry: LoadedEntry, text: str, clashes: list[Clash], budget: Budget) -> None:
    """Write the text of an entry at its `targetPath`, into whatever is there."""
    reference, secret = entry.reference, entry.item is not None and withholds(entry.item, entry.path)
    path = strvals.path_of(reference.target)
    before = member(result, path) if path else None
    try:
        strvals.write(result, reference.target, text, entry.layer, literal=reference.literal, secret=secret, budget=budget)
    except strvals.StrvalsError as error:
        raise RefusedPathError(entry, error.message) from None
    after = member(result, path) if path else None
    if path and before is not None and after is not None and kind(before) != kind(after):
        clashes.append(clash(path, "replaced", before, after))


def check(release: Release, loaded: Sequence[LoadedEntry], found: Map, clashes: Iterable[Clash], report: Report) -> None:
    """Report values of different kinds, paths that are dropped or set twice, entries of which nothing is left, and texts that `--set` changes."""
    reported = (("96", one) for one in clashes if _is_reported(one))
    report.extend(objects.findings_of(reported, _ADVICE, _EMPTY))
    winners = _Winners(found)
    for entry in loaded:
        if entry.embedded is not None:
            _check_document(release, entry, winners, report)
        elif entry.text is not None:
            _check_target(release, entry, found, winners, report)
    for entry in loaded:
        if entry.text and not entry.reference.literal:
            _check_text(release, entry, entry.text, report)


def _is_reported(clash: Clash) -> bool:
    """Return whether a map becomes a scalar or list or the reverse, a Secret's value one of another kind, or an empty map clears nothing."""
    if clash.outcome == "nothing" or "null" in clash.kinds:
        return clash.outcome == "nothing"
    above, below = origin(clash.above), origin(clash.below)
    if INLINE in (above.layer, below.layer) and "targetPath" in {**above.facts, **below.facts}:
        return False  # reported as a path that is set twice
    return "map" in clash.kinds or above.secret


def _check_document(release: Release, entry: LoadedEntry, winners: _Winners, report: Report) -> None:
    layer = entry.reference.layer
    if layer in winners.left or not (entry.embedded and entry.embedded.values):
        return
    if layers := winners.over(entry.embedded.values, layer):
        report.info("no-effect", "S25", f"`{layer}` has no effect, {_by(layers)}", release.item, entry.reference.path)


def _check_target(release: Release, entry: LoadedEntry, found: Map, winners: _Winners, report: Report) -> None:
    layer = entry.reference.layer
    path, at = strvals.path_of(entry.reference.target), (*entry.reference.path, "targetPath")
    if path is None:
        text = (
            "begins with a dot or an index, or has an empty key: Flux then drops the value without an error; correct the path"
        )
        report.warning("target-path-dropped", "105", text, release.item, at)
    elif get(release.inline, path, ABSENT) is not ABSENT:
        node = member(found, path)
        layers = winners.of(node) if node is not None else []
        wins = "the inline value" if INLINE in layers else _listed(layers) or "another entry"
        wins = "this entry" if layer in layers else wins
        text = f"`{to_field(path)}` is also set in `spec.values`, and {wins} wins: set it in one place"
        report.warning("target-path-inline", "107", text, release.item, at)
    elif layer not in winners.left and entry.text:
        text = f"`{to_field(path)}` of `{layer}` has no effect, {_by(winners.at(path, layer))}: remove one of them"
        report.warning("no-effect", "S25", text, release.item, at)


def _check_text(release: Release, entry: LoadedEntry, text: str, report: Report) -> None:
    at = (*entry.reference.path, "targetPath")
    whose = f"the value of {label(entry.reference)} (key `{entry.reference.key}`)"
    if changes := strvals.changes(text):
        way = "" if release.item.version == LITERAL_SINCE else f"change the release to {LITERAL_SINCE} and "
        advice = f"{way}set `literal: true` if that is not intended"
        report.warning("set-syntax", "S26", f"{whose} {' and '.join(changes)}: {advice}", release.item, at)
    elif fault := strvals.misread(text):
        report.warning("set-number", "S27", f"{whose} {fault}", release.item, at)


def reason(_winner: Origin, losers: Iterable[Origin]) -> str:
    """Return why an entry overrides an inline value: without a `targetPath` none does."""
    return _WRITTEN_INTO if any(one.layer == INLINE for loser in losers for one in loser.trail()) else ""


class _Winners:
    """The names of the layers that set what was composed. left: those of which anything is left. Each value is searched once."""

    __slots__ = ("_found", "_known", "_names", "left")

    def __init__(self, found: Map) -> None:
        self._found = found
        self._known: dict[int, list[str]] = {}  # by the node's id: the composed values keep it
        self._names: dict[Layer, str] = {}
        self.left = frozenset(self._layers(atom for _, atom in atoms(found, ordered=True) if atom.path is not FILLER))

    def of(self, node: Node) -> list[str]:
        """Return the layers of a value."""
        if isinstance(node, Assigned):
            return [self._name(node.layer)]
        if id(node) not in self._known:
            self._known[id(node)] = self._layers(atom for _, atom in atoms(node, ordered=True))[:_MANY]
        return self._known[id(node)]

    def at(self, path: Path, overridden: str) -> list[str]:
        """Return the layers of the value at a path, or at the nearest one above it, without the overridden one."""
        node: Node = self._found
        for part in path:
            below = member(node, (part,))
            if below is None:
                break
            node = below
        return self._others(node, overridden)

    def over(self, document: JSON, overridden: str) -> list[str]:
        """Return the layers of what is in the place of each leaf of a document; where nothing is, of the nearest value above it."""
        names: set[str] = set()
        layers: set[Layer] = set()
        self._add(document, self._found, overridden, names, layers)
        return sorted({*names, *map(self._name, layers)} - {overridden})

    def _add(self, value: JSON, node: Node, overridden: str, names: set[str], layers: set[Layer]) -> None:
        if not isinstance(value, dict) or not value:
            names.update(self._others(node, overridden))
            return
        members: Mapping[str, Node] = node if isinstance(node, Map) else {}
        for key, item in value.items():
            below = members.get(key)
            if type(below) is Assigned:
                layers.add(below.layer)
            elif below is None:
                names.update(self._others(node, overridden))
            else:
                self._add(item, below, overridden, names, layers)

    def _others(self, node: Node, overridden: str) -> list[str]:
        """Return the layers of a value without the overridden one. A list belongs to its own layer."""
        owner = self._name(node.layer) if isinstance(node, List) else overridden
        return [owner] if owner != overridden else [layer for layer in self.of(node) if layer != overridden]

    def _layers(self, found: Iterable[Assigned]) -> list[str]:
        return list(dict.fromkeys(self._name(layer) for layer in dict.fromkeys(atom.layer for atom in found)))

    def _name(self, layer: Layer) -> str:
        if layer not in self._names:
            self._names[layer] = layer((), None).layer
        return self._names[layer]


def _by(layers: list[str]) -> str:
    return f"{_listed(layers)} replaces it" if len(layers) == 1 else f"{_listed(layers)} replace it"


def _listed(layers: list[str]) -> str:
    return " and ".join(f"`{'spec.values' if layer == INLINE else layer}`" for layer in layers)
