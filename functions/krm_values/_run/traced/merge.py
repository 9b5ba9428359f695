"""Merges of trees, by the rules of mergo and Helm or by strategies, and the clashes that they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import key_of
from krm_values._data.record import record
from krm_values._data.scalars import text_of
from krm_values._data.shown import type_of
from krm_values._run.traced.nodes import (
    Assigned,
    List,
    Map,
    count_losers,
    elements,
    first,
    joined_losers,
    kind,
    member,
    member_losers,
    plain,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Protocol, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._run.traced.nodes import Losers, Node

    Keeps: TypeAlias = Callable[[JSON], bool]
    Strategy: TypeAlias = "str | ByKey"

    class Strategies(Protocol):
        """Returns the strategy of a path, None for the usual one."""

        def at(self, path: Path) -> Strategy | None: ...


_SCALARS = {str, int, float, bool}


@record
class ByKey:
    """The strategy `by`: elements of lists that have the same value of a key are merged."""

    key: str


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
        result = lower.like(lower)
        for key, above in upper.items():
            below, over = result.get(key), upper.losers.get(key)
            if below is None:
                result[key] = above
            elif (
                type(above) is type(below) is Assigned
                and (type(above.value) is type(below.value) or {type(above.value), type(below.value)} <= _SCALARS)
                and self._strategies is None
            ):  # nearly always
                result.put(key, above)
            else:
                over = self._member(result, key, above, over, (*path, shown(key)))
            if over is not None:
                result.losers[key] = joined_losers(over, result.losers.get(key))
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
            below, above = member(result[index], (key,)), member(one, (key,))
            if below and above and type_of(plain(below)) != type_of(plain(above)):
                self._clashes.append(clash((*path, key), "equated", below, above))
            self._member(result, index, one, None, (*path, index))


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
