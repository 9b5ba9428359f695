"""Values that remember the layer that set them and what they override: the one tree in which functions merge values.

A map merges with a map key by key. Anything else (a scalar, a list, null) replaces what is below it, except that an empty map over a filled
one changes nothing. These are the rules of mergo and Helm; strategies say otherwise for the value at a path.

The map or list around a value notes what it overrides, as a whole and nearest first. A member of a map that overrides another value overrides
what that has in its place, or else all of it. This is found when it is read (`find`, `read`, `leaves`), and never copied into the members.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from krm_values._data.data_edits import key_of, same
from krm_values._data.record import lazy, record, replace
from krm_values._data.scalars import text_of
from krm_values._data.shown import type_of
from krm_values._krm.plan import Leaf, Origin
from krm_values._krm.taint import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Fits

    Node: TypeAlias = "Map | List | Assigned"
    Losers: TypeAlias = tuple["Node | Whole", "Losers | None"]  # the nearest one, and those behind it
    Layer: TypeAlias = Callable[[Path, JSON], Origin]  # what this layer says of a value at a path of its own
    Keeps: TypeAlias = Callable[[JSON], bool]
    Reason: TypeAlias = Callable[[Origin, Sequence[Origin]], str]
    Strategy: TypeAlias = "str | ByKey"

    class Strategies(Protocol):
        """Returns the strategy of a path, None for the usual one."""

        def at(self, path: Path) -> Strategy | None: ...


FILLER: Path = ("null before an index",)
"""The path, by identity, of a null that only fills a list up to an index into which a value is written."""
_SCALARS = {str, int, float, bool}
FIRST = "of equal elements, `unique` keeps the first"
NAMES = "elements of lists are merged by this value, and the lowest layer that has the element names it"
"""Why another layer than the uppermost decides a value: with another value there, the element is another one."""


@record
class ByKey:
    """The strategy `by`: elements of lists that have the same value of a key are merged."""

    key: str


class Hidden(str):
    """A key that is not shown: it was in the value of a Secret."""

    __slots__ = ()


class Assigned:
    """A value that is merged as a whole, the layer that set it, and its path there. A plain class and no record, because there are very many.

    over: what it overrides, nearest first, if it was read from a tree. reason: why, where that is not the order of the layers.
    """

    __slots__ = ("layer", "over", "path", "reason", "value")

    def __init__(self, value: JSON, layer: Layer, path: Path, over: Losers | None = None, reason: str = "") -> None:
        self.value, self.layer, self.path, self.over, self.reason = value, layer, path, over, reason

    def overridden(self, followed: Callable[[Node], Node] = lambda node: node) -> list[Assigned]:
        """Return what it overrides, each once and as one leaf, as it stood there: a map of several layers is composed of their leaves.

        followed: returns a node with the values to which references in it lead.
        """
        seen: set[tuple[object, ...]] = set()
        found: list[Assigned] = []
        losers = self.over
        while losers is not None:
            loser, losers = _without(self, losers)
            places, leaf = _as_one(followed(loser.node if isinstance(loser, Whole) else loser))
            if places not in seen and any(layer != id(self.layer) for layer, _ in places):
                seen.add(places)
                found.append(_Stood(leaf, loser.above if isinstance(loser, Whole) else 0))
        return found


class _Stood(Assigned):
    """A value that is overridden. above: how many keys and indices above the place of the value that overrides it; -1 if at no place."""

    __slots__ = ("above",)

    def __init__(self, leaf: Assigned, above: int) -> None:
        super().__init__(leaf.value, leaf.layer, leaf.path)
        self.above = above


class Map(dict[str, "Node"]):
    """A map: the layer that made it and its path there (of a whole document, None), and what its values override.

    noted: how much of what the map as a whole overrides is noted with its values, since others were added to them. key: that by which it was
    merged, as an element of a list.
    """

    __slots__ = ("key", "layer", "losers", "noted", "over", "path")

    def __init__(
        self, layer: Any = None, path: Path = (), members: Any = (), losers: Mapping[str, Losers] | None = None
    ) -> None:
        if members:
            self.update(members)
        self.layer, self.path, self.noted = layer, path, 0
        self.key: str | None = None
        self.losers: dict[Any, Losers] = {**losers} if losers else {}
        self.over: Losers | None = None

    def put(self, key: str, node: Node) -> None:
        """Set a value, which overrides the one before it."""
        old = self.get(key)
        if old is not None and old is not node:
            self.losers[key] = old, self.losers.get(key)
        self[key] = node

    def like(self, members: Any) -> Map:
        """Return a map of other values in the same places."""
        found = Map(self.layer, self.path, members, self.losers)
        found.over, found.noted, found.key = self.over, self.noted, self.key
        return found


class List(list["Node"]):
    """A list of nodes: the layer that made it, its path there, and what its elements override.

    apart: its elements are of several layers, so that each is explained. known: by their values the indices of the elements that `unique` keeps.
    """

    __slots__ = ("apart", "known", "layer", "losers", "over", "path")

    def __init__(
        self,
        layer: Any,
        path: Path = (),
        elements: Iterable[Node] = (),
        losers: Mapping[int, Losers] | None = None,
        *,
        apart: bool = False,
    ) -> None:
        super().__init__(elements)
        self.layer, self.path, self.apart = layer, path, apart
        self.losers: dict[Any, Losers] = {**losers} if losers else {}
        self.over: Losers | None = None
        self.known: dict[object, int] | None = None

    def put(self, index: int, node: Node) -> None:
        """Set an element, which overrides the one before it."""
        old, self.apart = self[index], True
        if old is not node:
            self.losers[index] = old, self.losers.get(index)
        self[index] = node

    def longer(self, length: int, layer: Layer) -> List:
        """Return a list of the same elements, filled with nulls up to a length."""
        filled = [*self, *[Assigned(None, layer, FILLER)] * (length - len(self))]
        return List(self.layer, self.path, filled, self.losers, apart=self.apart)


class Whole:
    """What a value overrides that stood above its place and has nothing there, or was replaced as a whole.

    above: how many keys and indices above the place, -1 if it stood at none that the value could have now.
    """

    __slots__ = ("above", "node")

    def __init__(self, node: Node, above: int = 0) -> None:
        self.node, self.above = node, above


@record
class Clash:
    """Two layers that disagree about the kind of the value at `path`.

    outcome: `replaced` (the upper one wins), `kept` (the lower one wins), `nothing` (an empty map over a filled one), or `equated` (elements of a
    list are merged by a key that has two types). Of a map, `below` and `above` are one of its leaves. kinds: of the lower and the upper value.
    """

    path: Path
    outcome: str
    below: Assigned
    above: Assigned
    kinds: tuple[str, str]


def clash(path: Path, outcome: str, below: Node, above: Node) -> Clash:
    """Return the clash of two values."""
    return Clash(path, outcome, first(below), first(above), (kind(below), kind(above)))


def tree(data: Mapping[str, JSON], layer: Layer, path: Path = (), *, lists: bool = False) -> Map:
    """Return the values of one layer; nothing is shared with the data. lists: whether the elements of lists are nodes, so that they can be set."""
    found = Map(layer, path)
    for key, value in data.items():
        at = (*path, key)
        found[key] = node_of(value, layer, at, lists=lists) if isinstance(value, (dict, list)) else Assigned(value, layer, at)
    return found


def node_of(value: JSON, layer: Layer, path: Path, *, lists: bool = False) -> Node:
    """Return a value of one layer."""
    if isinstance(value, dict):
        return tree(value, layer, path, lists=lists)
    if lists and isinstance(value, list):
        return List(layer, path, [node_of(one, layer, (*path, index), lists=True) for index, one in enumerate(value)])
    return Assigned(value, layer, path)


def count_losers(losers: Losers | None) -> int:
    return sum(1 for _ in each_loser(losers))


def joined_losers(losers: Losers | None, behind: Losers | None) -> Losers:
    """Return losers, at least one, with others behind them."""
    for one in reversed([*each_loser(losers)]):
        behind = one, behind
    return behind  # type: ignore[return-value]


def elsewhere(losers: Losers | None) -> Losers | None:
    """Return what a value overrides at its own place, for another place that has the value, too: what stood above is at none there."""
    found = [Whole(one.node, -1) if isinstance(one, Whole) and one.above else one for one in each_loser(losers)]
    behind: Losers | None = None
    for one in reversed(found):
        behind = one, behind
    return behind


def each_loser(losers: Losers | None) -> Iterator[Node | Whole]:
    while losers is not None:
        one, losers = losers
        yield one


def kind(node: Node) -> str:
    """Return the kind of a value: `map`, `list`, `null` or `scalar`."""
    if not isinstance(node, Assigned):
        return "map" if isinstance(node, Map) else "list"
    return "null" if node.value is None else "list" if isinstance(node.value, list) else "scalar"


def is_scalar(node: Node) -> bool:
    """Return whether a node is neither a map nor a list."""
    return isinstance(node, Assigned) and not isinstance(node.value, list)


def plain(node: Node) -> Any:
    """Return a node as plain data."""
    if isinstance(node, Map):
        return {str(key): plain(value) for key, value in node.items()}
    return [plain(one) for one in node] if isinstance(node, List) else node.value


def elements(node: Node) -> Sequence[Node]:
    """Return the elements of a list as nodes; none for anything else."""
    if isinstance(node, List):
        return node
    found = node.value if isinstance(node, Assigned) and isinstance(node.value, list) else ()
    return [node_of(one, node.layer, (*node.path, index)) for index, one in enumerate(found)]


def listed(nodes: Iterable[Node], like: List | Assigned, *, apart: bool = True) -> List:
    """Return a list of other elements in the same places, each explained if they are apart."""
    found = List(like.layer, like.path, nodes, apart=apart)
    if isinstance(like, List):
        found.losers, found.known = like.losers, like.known
    found.over = like.over
    return found


def member(node: Node, path: Path) -> Node | None:
    """Return the value at a path, without what it overrides, or None."""
    found: Node | None = node
    for part in path:
        found = found.get(str(part)) if isinstance(found, Map) else _element(found, part)
    return found


def _element(node: Node | None, index: str | int) -> Node | None:
    """Return one element of a list, without a look at the others; None of anything else."""
    if isinstance(node, List):
        return node[index] if isinstance(index, int) and 0 <= index < len(node) else None
    if not isinstance(node, Assigned) or not isinstance(node.value, list) or not isinstance(index, int):
        return None
    return node_of(node.value[index], node.layer, (*node.path, index)) if 0 <= index < len(node.value) else None


def find(node: Node, path: Path) -> Node | None:
    """Return the value at a path with all that it overrides, or None."""
    over, reason = node.over, ""
    for part in path:
        below = member(node, (part,))
        if below is None:
            return None
        if not isinstance(node, Assigned):
            over, reason = member_losers(node, part, over), _reason(node, part, reason)
        node = below
    if over is None:
        return node
    if isinstance(node, Assigned):
        return Assigned(node.value, node.layer, node.path, over, reason)
    found = node.like(node) if isinstance(node, Map) else listed(node, node, apart=node.apart)
    found.over = over
    return found


def atoms(node: Node, path: Path = (), *, ordered: bool = False) -> Iterator[tuple[Path, Assigned]]:
    """Yield the values that were merged as a whole, with their paths: scalars, empty maps, and lists, or the elements of those of several layers."""
    if isinstance(node, Assigned):
        yield path, node
    elif isinstance(node, Map) and node:
        for key in sorted(node) if ordered else node:
            yield from atoms(node[key], (*path, shown(key)), ordered=ordered)
    elif isinstance(node, List) and node and node.apart:
        for index, one in enumerate(node):
            yield from atoms(one, (*path, index), ordered=ordered)
    elif node.layer is not None:
        yield path, Assigned(plain(node), node.layer, node.path)


def read(
    node: Node, path: Path = (), *, ordered: bool = False, over: Losers | None = None, reason: str = ""
) -> Iterator[tuple[Path, Assigned]]:
    """Yield the same, each with all that it overrides. over, reason: what the node overrides, and why, if it is a member."""
    over = over or node.over
    if isinstance(node, Map) and node:
        for key in sorted(node) if ordered else node:
            at = (*path, shown(key))
            why = NAMES if key == node.key else reason
            yield from read(node[key], at, ordered=ordered, over=member_losers(node, key, over), reason=why)
    elif isinstance(node, List) and node and node.apart:
        for index, one in enumerate(node):
            why = _reason(node, index, reason)
            yield from read(one, (*path, index), ordered=ordered, over=member_losers(node, index, over), reason=why)
    elif isinstance(node, Assigned):
        yield path, Assigned(node.value, node.layer, node.path, over, reason or node.reason) if over else node
    elif node.layer is not None:
        yield path, Assigned(plain(node), node.layer, node.path, over, reason)


def first(node: Node) -> Assigned:
    """Return the first leaf, keys in order. A list is one, unless it is of several layers."""
    while isinstance(node, Map) and node:
        node = node[min(node)]
    if isinstance(node, List) and all(leaf.layer is node.layer for _, leaf in atoms(node)):
        return Assigned(plain(node), node.layer, node.path)
    return next(atoms(node, ordered=True))[1]


def origin(assigned: Assigned) -> Origin:
    """Return the assignment as an origin."""
    found = assigned.layer(assigned.path, assigned.value)
    if isinstance(assigned, _Stood) and assigned.above != found.above:
        found = replace(found, above=assigned.above)
    return replace(found, facts={**found.facts, "filler": True}) if assigned.path is FILLER else found


def explained(found: Map, at: Path, reason: Reason | None = None) -> Sequence[Leaf]:
    """Return the leaves of the document at the path `at` of an object, for `explain`, sorted by key; computed on first use.

    reason: why the winner overrides others, where that is not the order of the layers.
    """
    return lazy(lambda: leaves(found, at, reason=reason), lambda fits: leaves(found, at, reason=reason, fits=fits))


def leaves(node: Node, at: Path, inner: Path = (), *, reason: Reason | None = None, fits: Fits | None = None) -> Iterator[Leaf]:
    """Yield each leaf of the document at the path `at` of an object. inner: the path of the node there. fits: which leaves are asked for, if not all."""
    for path, leaf in read(node, inner, ordered=True):
        if fits is None or fits(at, path):
            winner, losers = origin(leaf), tuple(map(origin, leaf.overridden()))
            why = leaf.reason or (reason(winner, losers) if reason else "")
            yield Leaf(at, leaf.value, winner, losers, path, why, depth=len(path))


def member_losers(node: Map | List, key: Any, over: Losers | None) -> Losers | None:
    """Return what a member overrides. over: what the whole overrides."""
    own = node.losers.get(key)
    skip = node.noted if isinstance(node, Map) else 0
    found: list[Node | Whole] = []
    for loser in each_loser(over):
        if skip:
            skip -= 1
            continue
        other = loser.get(key) if isinstance(loser, Map) else member(loser, (key,)) if isinstance(loser, List) else None
        if other is None and isinstance(loser, Whole):
            found.append(Whole(loser.node, loser.above + 1) if loser.above >= 0 else loser)
        elif other is None and loser is not node:
            found.append(Whole(loser, 1))  # type: ignore[arg-type]  # it is a node
        elif other is not None and other is not node[key]:
            found += [other, *each_loser(loser.losers.get(key))]  # type: ignore[union-attr]
            skip = loser.noted if isinstance(loser, Map) else 0
    behind: Losers | None = None
    for one in reversed(found):
        behind = one, behind
    return joined_losers(own, behind) if behind else own


def _reason(node: Map | List, key: Any, reason: str) -> str:
    if isinstance(node, Map):
        return NAMES if key == node.key else reason
    return FIRST if node.known is not None and key in node.losers else reason


def _as_one(node: Node) -> tuple[tuple[tuple[int, Path], ...], Assigned]:
    """Return a node as one leaf, and the places of its layers: at its place, if one layer has it there as it is, else composed of several leaves."""
    if isinstance(node, Assigned):
        return () if node.path is FILLER else ((id(node.layer), node.path),), node
    parts = [(inner, leaf) for inner, leaf in atoms(node, ordered=True) if leaf.path is not FILLER]
    if not parts:
        return (), Assigned(plain(node), node.layer, node.path)
    inner, leaf = parts[0]
    base = leaf.path[: len(leaf.path) - len(inner)]
    if all(one.layer is leaf.layer and one.path == (*base, *path) for path, one in parts):
        return ((id(leaf.layer), base),), Assigned(plain(node), leaf.layer, base)
    composed = tuple([one for _, one in parts])
    whole = Assigned(plain(node), lambda _, value: _of_several(composed, value), ())
    return tuple([(id(one.layer), one.path) for one in composed]), whole


def _without(winner: Assigned, losers: Losers) -> Losers:
    """Return losers as they stood there without the winner: of a list that was written into where it is too short, the elements of the next list."""
    node, behind = losers
    if not isinstance(node, List) or node.layer is not winner.layer or node.path != winner.path:
        return losers
    below: Sequence[Node] = ()
    if behind is not None and not isinstance(behind[0], Whole) and kind(behind[0]) == "list":
        base, behind = _without(winner, behind)
        below = elements(base)  # type: ignore[arg-type]  # it is the list
    gone = Assigned(None, node.layer, FILLER)
    written = [gone if one.layer is winner.layer or one.path is FILLER else one for one in node]
    found = [low if one is gone else one for one, low in zip_longest(written, below, fillvalue=gone)]
    return List(node.layer, node.path, found, apart=True), behind


def _of_several(parts: Sequence[Assigned], value: JSON) -> Origin:
    found = tuple(map(origin, parts))
    return Origin(found[0].layer, value, via=found)


def shown(key: str) -> str:
    """Return a key as it may be shown."""
    return HIDDEN if type(key) is Hidden else key


# Merges.


def merge(
    lower: Map, upper: Map, clashes: list[Clash], keeps: Keeps | None = None, strategies: Strategies | None = None
) -> Map:
    """Merge the upper map over the lower one into a new map; neither is changed, and what only one of the two has is shared.

    keeps: returns whether a value that is no map stays when a map is over it.
    """
    return _Merge(clashes, keeps, strategies).maps(lower, upper, ())


class _Merge:
    __slots__ = ("_clashes", "_keeps", "_strategies")

    def __init__(self, clashes: list[Clash], keeps: Keeps | None, strategies: Strategies | None) -> None:
        self._clashes, self._keeps, self._strategies = clashes, keeps, strategies

    def maps(self, lower: Map, upper: Map, path: Path) -> Map:
        result, usual = lower.like(lower), self._strategies is None
        losers, behind = result.losers, upper.losers
        for key, above in upper.items():
            below, over = result.get(key), behind.get(key) if behind else None
            if below is None:
                result[key] = above
            elif (
                usual
                and type(above) is type(below) is Assigned
                and (type(above.value) is type(below.value) or {type(above.value), type(below.value)} <= _SCALARS)
            ):  # nearly always: `put` without its call
                if above is not below:
                    losers[key] = below, losers.get(key)
                result[key] = above
            elif usual and type(above) is type(below) is Map and below and above and over is None and key not in losers:
                result[key] = self.maps(below, above, (*path, shown(key)))
            else:
                over = self._member(result, key, above, over, (*path, shown(key)))
            if over is not None:
                losers[key] = joined_losers(over, losers.get(key))
        return result

    def _member(self, result: Map | List, key: Any, above: Node, over: Losers | None, path: Path) -> Losers | None:
        """Merge a value over the one that a map or list has. over: what the upper value overrides; returned as far as it is to be noted."""
        below: Node = result[key]
        strategy = self._strategies.at(path) if self._strategies is not None else None
        if isinstance(below, Map) and isinstance(above, Map) and strategy != "replace":
            if below and not above:
                self._clashes.append(clash(path, "nothing", below, above))
            own = result.losers.get(key)
            if below or above:
                result[key] = merged = self.maps(_noting(below, own), _noting(above, over), path)
                merged.noted = count_losers(own) + count_losers(over)
            else:
                result.put(key, above.like(()))
        elif strategy not in (None, "merge", "replace") and kind(below) == kind(above) == "list":
            result[key] = self._list(below, above, strategy, path)
            result.losers.pop(key, None)
            return None
        elif isinstance(above, Map) and not isinstance(below, Map) and self._keeps and self._keeps(plain(below)):
            self._clashes.append(clash(path, "kept", below, above))
            result.losers[key] = joined_losers(result.losers.get(key), (above, over))
            return None
        else:
            if kind(below) != kind(above):
                self._clashes.append(clash(path, "replaced", below, above))
            result.put(key, above)
            if isinstance(below, Map) and isinstance(above, Map) and below is not above:
                # by a strategy: none of its members comes back for one above
                result.losers[key] = Whole(below), result.losers[key][1]
        return over

    def _list(self, below: Node, above: Node, strategy: Strategy | None, path: Path) -> List:
        """Return the elements of two lists as one list. Elements that are appended override nothing."""
        old, new = elements(below), elements(above)
        if strategy == "prepend":
            return List(above.layer, above.path, [*new, *old], apart=True)
        result = List(above.layer, above.path, old, below.losers if isinstance(below, List) else None, apart=True)
        if isinstance(strategy, ByKey):
            self._join_by_key(result, new, strategy.key, path)
        elif strategy == "unique":
            _join_unique(result, new, below.known if isinstance(below, List) else None)
        else:
            result += new
        return result

    def _join_by_key(self, result: List, new: Iterable[Node], key: str, path: Path) -> None:
        """Merge elements that have the same value of a key; new ones, and those without the key, which are an error, are appended."""
        places = {_name(one, key): index for index, one in enumerate(result)}
        for one in new:
            name = _name(one, key)
            if name is None or name not in places:
                places[name] = len(result)
                result.append(one)
                continue
            index = places[name]
            lower = result[index]
            below, above = member(lower, (key,)), member(one, (key,))
            if below and above and type_of(plain(below)) != type_of(plain(above)):
                self._clashes.append(clash((*path, key), "equated", below, above))
            self._member(result, index, one, None, (*path, index))
            if isinstance(merged := result[index], Map) and merged is not one:
                was_same = isinstance(lower, Map) and (key not in lower.losers or lower.key == key)
                merged.key = key if was_same and _is_equal(below, above) else None


def _join_unique(result: List, new: Iterable[Node], known: Mapping[object, int] | None) -> None:
    """Append elements; those that equal one of the list are overridden by it."""
    known = {key_of(plain(one)): index for index, one in reversed([*enumerate(result)])} if known is None else known
    result.known = {**known}
    for one in new:
        index = result.known.setdefault(key_of(plain(one)), len(result))
        if index == len(result):
            result.append(one)
        else:
            result.losers[index] = one, result.losers.get(index)


def _is_equal(one: Node | None, other: Node | None) -> bool:
    return isinstance(one, Assigned) and isinstance(other, Assigned) and same(one.value, other.value)


def _name(node: Node, key: str) -> str | None:
    value = node.get(key) if isinstance(node, Map) else None
    return text_of(value.value) if isinstance(value, Assigned) else None


def _noting(node: Map, over: Losers | None) -> Map:
    """Return a map with which another one is merged: what it overrides as a whole is noted with its values."""
    if count_losers(over) <= node.noted:
        return node
    found = node.like(node)
    found.losers = {key: losers for key in node if (losers := member_losers(node, key, over)) is not None}
    return found
