"""Follows references: each `{$value: PATH}` becomes the value at that path of the merged document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.limits import beyond
from krm_values._data.pointer import to_field
from krm_values._data.record import record, replace
from krm_values._krm.findings import Report
from krm_values._run.traced import Assigned, List, Map, atoms, elsewhere, find, listed, member, member_losers, origin, plain
from krm_values.layered_values.paths import PathError, value_path
from krm_values.layered_values.tree import Reference, hint_of_dots, line_of, place_of

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Origin
    from krm_values._run.traced import Losers, Node

BROKEN: Any = object()
"""Stands for the value of a reference that does not resolve; it causes no further findings."""
LONGEST = 300
"""References in a chain of references."""
_TOO_LONG = f"must not lead on through more than {LONGEST:,} references: name the value itself"
_CHARACTERS = 1_024  # of a string that count as one more value


class Resolver:
    """Follows the references of one document. used: the paths that they lead to. report: gets the unresolved ones."""

    __slots__ = ("_active", "_done", "_following", "_is_exhausted", "_known", "_repeats", "_targets", "_tree", "report", "used")

    def __init__(self, tree: Map, repeats: Repeats) -> None:
        self._tree, self._repeats, self._following = tree, repeats, 0
        self._is_exhausted, self._known = False, list[str]()
        self._done: dict[Path, Node] = {}
        self._targets: dict[Path, tuple[Path, Node | None]] = {}
        self._active: list[Path] = []
        self.used: list[Path] = []
        self.report = Report()

    def resolved(self) -> Map:
        """Return the document without references."""
        return self._node(self._tree, ())  # type: ignore[return-value]

    def _node(self, node: Node, path: Path) -> Node:
        if isinstance(node, Assigned) and not isinstance(node.value, Reference):
            return node
        if path in self._done:
            return self._done[path]
        self._active.append(path)
        self._done[path] = made = self._followed(node, path) if isinstance(node, Assigned) else self._made(node, path)
        self._active.pop()
        return made

    def _made(self, node: Map | List, path: Path) -> Node:
        if isinstance(node, Map):
            return node.like({key: self._node(below, (*path, key)) for key, below in node.items()})
        return listed([self._node(element, (*path, index)) for index, element in enumerate(node)], node)

    def _followed(self, holder: Assigned, path: Path) -> Node:
        """Return the target of a reference, each of its leaves with the reference's layer as origin."""
        if self._is_exhausted:
            return Assigned(BROKEN, holder.layer, holder.path)
        try:
            found = self._target(value_path(str(holder.value)), path)
        except PathError as error:
            return self._broken(holder, "reference", "50", path, f"{_shown(holder)} {error.message}")
        except TooMuchError as error:
            return self._exhausted(holder, path, str(error))
        if found is None:
            return self._cycle(holder, path, path)
        target, node = found
        if node is None:
            if not self._known:
                self._known = [name for one, _ in atoms(self._tree) for name in _prefixes(to_field(one))]
            hint = hint_of_dots(self._tree, target) or suggest.hint(str(holder.value), self._known)
            hint = "" if origin(holder).secret else hint
            return self._broken(holder, "reference", "52", path, f"there is no {_shown(holder)}{hint}")
        self.used.append(target)
        if target in self._active:
            return self._cycle(holder, path, target)
        try:
            self._follow()
            led_to = self._node(node, target)
            self._following -= 1
            there = find(self._tree, target)
            return _carried(led_to, holder, self._repeats, elsewhere(there.over) if there is not None else None)
        except TooMuchError as error:
            return self._exhausted(holder, path, str(error))

    def _follow(self) -> None:
        """Count a reference. TooMuchError beyond the budget."""
        if self._following == LONGEST:
            raise TooMuchError(_TOO_LONG)
        self._following += 1

    def _exhausted(self, holder: Assigned, path: Path, text: str) -> Node:
        """Report the first reference beyond the budget; no reference has a value from then on."""
        if self._is_exhausted:
            return Assigned(BROKEN, holder.layer, holder.path)
        self._is_exhausted = True
        return self._broken(holder, "reference", "52", path, text)

    def _target(self, path: Path, holder: Path) -> tuple[Path, Node | None] | None:
        """Return where a path leads, through references on the way; None if it is circular. TooMuchError for too many references."""
        seen, passed = {holder}, [path]
        while (found := self._targets.get(passed[-1])) is None:
            place, left = self._first(passed[-1])
            if place is None:
                found = passed[-1], left
                break
            if place in seen:
                return None
            if len(seen) > LONGEST:
                raise TooMuchError(_TOO_LONG)
            seen.add(place)
            self.used.append(place)
            passed.append(left)
        self._targets.update(dict.fromkeys(passed, found))
        return found

    def _first(self, path: Path) -> tuple[Path | None, Any]:
        """Return the first reference on a path, and the path with it replaced; or None, and the node at the path."""
        node: Node = self._tree
        for size, part in enumerate(path):
            if isinstance(node, Assigned) and isinstance(node.value, Reference):
                return path[:size], (*value_path(node.value), *path[size:])
            found = member(node, (part,))
            if found is None:
                return None, None
            node = found
        return None, node

    def _cycle(self, holder: Assigned, path: Path, target: Path) -> Node:
        begin = self._active.index(target) if target in self._active else 0
        active = (one for one in self._active[begin:] if one == target or not isinstance(member(self._tree, one), Map))
        listed_steps = " -> ".join(
            f"`{step}`" for step in dict.fromkeys([*(to_field(one) or "." for one in active), to_field(path)])
        )
        return self._broken(holder, "cycle", "52", path, f"leads back to `{to_field(target) or '.'}`: {listed_steps}")

    def _broken(self, holder: Assigned, kind: str, rule: str, path: Path, text: str) -> Node:
        at = origin(holder)
        whole = f"the reference `{to_field(path)}` of layer {at.layer}{line_of(at)}: {text}"
        self.report.error(kind, rule, whole, **place_of(at))
        return Assigned(BROKEN, holder.layer, holder.path)


def _shown(holder: Assigned) -> str:
    """Return the path that a reference names, unless it is in a Secret."""
    return "such value" if origin(holder).secret else f"`{holder.value}`"


def _carried(node: Node, holder: Assigned, repeats: Repeats, over: Losers | None) -> Node:
    """Return what a reference led to, as values of the reference's layer. over: what it overrides there."""
    if isinstance(node, Map) and node:
        members = {key: _carried(below, holder, repeats, member_losers(node, key, over)) for key, below in node.items()}
        return Map(None, (), members)
    repeats.take(node.value if isinstance(node, Assigned) else None)
    says = _Via(holder, Assigned(plain(node), node.layer, node.path, over))
    if isinstance(node, Assigned):
        return Assigned(node.value, says, node.path)
    if isinstance(node, Map):
        return Map(says, node.path)
    found = [_carried(one, holder, repeats, member_losers(node, index, over)) for index, one in enumerate(node)]
    return List(says, node.path, found, apart=True)


def _prefixes(field: str) -> list[str]:
    parts = field.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts) + 1)]


@record
class _Via:
    """Returns the origin of a value that a reference led to: the layer with the reference, derived from the value's own layer."""

    holder: Assigned
    found: Assigned

    def __call__(self, path: Path, value: JSON) -> Origin:
        return replace(origin(self.holder), value=value, via=(self.found.layer(path, value),))

    def written(self, path: Path, value: JSON) -> str:
        return self.found.layer.written(path, value)  # type: ignore[attr-defined,no-any-return]


def is_carried(leaf: Assigned) -> bool:
    """Return whether a reference led to a value."""
    return isinstance(leaf.layer, _Via)


def overridden(leaf: Assigned, tree: Map) -> list[Origin]:
    """Return what a value overrides, nearest first: where a reference led to it, what it overrides there, then what the reference does.

    tree: the document without references. A reference to a scalar that is overridden is what it leads to.
    """
    passed = [leaf]
    while isinstance(passed[-1].layer, _Via):
        passed.append(passed[-1].layer.found)
    found: list[Origin] = []
    for one in reversed(passed):
        if isinstance(one.layer, _Via):
            holder = origin(one.layer.holder)
            found = [replace(holder, value=lost.value, via=(lost,), above=lost.above) for lost in found]
        found += map(origin, one.overridden(lambda node: _led_to(node, tree)))
    return found


def _led_to(node: Node, tree: Map) -> Node:
    """Return an overridden node with what its references to scalars lead to; others stay, as a value that many repeat takes long to tell."""
    if isinstance(node, Map):
        return node.like({key: _led_to(below, tree) for key, below in node.items()})
    if isinstance(node, List):
        return listed([_led_to(one, tree) for one in node], node, apart=node.apart)
    if not isinstance(node.value, Reference):
        return node
    try:
        found = find(tree, value_path(node.value))
    except PathError:
        return node
    if not isinstance(found, Assigned) or found.value is BROKEN:
        return node
    return Assigned(found.value, _Via(node, found), found.path)


class TooMuchError(Exception):
    """References that are too many, or repeat too many values. Its text says which."""


class Repeats:
    """The budget of values that references of one document may repeat."""

    __slots__ = ("_found", "_limits")

    def __init__(self, limits: Limits) -> None:
        self._limits, self._found = limits, 0

    def take(self, value: object) -> None:
        """Count a value: a list with all that is in it, a long string by its length. TooMuchError beyond the budget."""
        self._found += _size(value)
        if self._found > self._limits.aliases:
            text = f"must not repeat more than {self._limits.aliases:,} values by references, found more"
            raise TooMuchError(beyond(self._limits, "aliases", text))


def _size(value: object) -> int:
    if isinstance(value, str):
        return 1 + len(value) // _CHARACTERS
    if isinstance(value, (dict, list)):
        return 1 + sum(map(_size, value.values() if isinstance(value, dict) else value))
    return 1
