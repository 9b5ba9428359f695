"""A resource, or the values of a chart, while targets are applied: its data so far, and the origin of each written place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values.glasskube_values import json_patch as apply
from krm_values.glasskube_values.json_pointers import PatchError

if TYPE_CHECKING:
    from collections.abc import Callable

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Origin
    from krm_values.glasskube_values.json_patch import Patched
    from krm_values.glasskube_values.patches import Patch


@record
class Written:
    """A place that a target wrote or removed.

    over: the earlier writes of the same place. before: the origin of the value before all of them.
    """

    path: Path
    origin: Origin
    over: tuple[Written, ...] = ()
    before: tuple[Origin, ...] = ()
    removed: bool = False

    @property
    def overridden(self) -> tuple[Origin, ...]:
        """The overridden origins, nearest first; each once."""
        found: dict[int, Origin] = {id(origin): origin for origin in self.before}
        seen: set[int] = set()
        stack = [*self.over]
        while stack:
            one = stack.pop()
            if id(one) not in seen:
                seen.add(id(one))
                found |= {id(origin): origin for origin in (one.origin, *one.before) if id(origin) not in found}
                stack += one.over
        return tuple(found.values())


class Places:
    """The written places of a document. data: the document after the last write."""

    __slots__ = ("_origin_of", "_tree", "data")

    def __init__(self, data: JSON, origin_of: Callable[[Path, JSON], Origin]) -> None:
        self.data, self._origin_of, self._tree = data, origin_of, PathTree()

    def every(self) -> list[Written]:
        """Return the written places, in the order in which they were written."""
        return self._tree.every()

    def take(self, done: Patched, origin: Origin, *, removed: bool) -> None:
        """Remember one operation that wrote or removed a value."""
        self.data, path = done.data, done.path or ()
        if done.inserted:
            self._shift(path, 1)
        above: list[Written] = self._tree.above(path[:-1]) if path else []
        over = [*above, *self._tree.below(path)]
        before = () if done.before is ABSENT or over else (self._origin_of(path, done.before),)
        self._tree.drop(path)
        if removed and isinstance(get(self.data, path[:-1]), list):
            self._shift(path, -1)
        self._tree.add(path, Written(path, origin, tuple(over), before, removed))

    def _shift(self, at: Path, by: int) -> None:
        """Move the written places of elements after one that was inserted or removed."""
        elements = get(self.data, at[:-1])
        if isinstance(elements, list) and at[-1] == len(elements) - (by > 0):  # the last one
            return

        def moved(one: Written) -> tuple[Path, Written]:
            path = _shifted(one.path, at, by)
            return path, replace(one, path=path)

        self._tree.move(at[:-1], moved)


class Document:
    """Plain data and its patches. pristine: the data before. patched: whether any patch was applied, including a `test`."""

    __slots__ = ("_limits", "_origin_of", "_patches", "_places", "data", "patched", "pristine")

    def __init__(self, pristine: JSON, origin_of: Callable[[Path, JSON], Origin], limits: Limits = DEFAULT) -> None:
        self._limits = limits
        self.pristine = self.data = pristine
        self._origin_of, self._patches = origin_of, 0
        self._places = Places(pristine, origin_of)
        self.patched = False

    @property
    def written(self) -> list[Written]:
        """The written places, in the order in which they were written."""
        return self._places.every()

    def apply(self, patch: Patch, *, create_parents: bool) -> Patched:
        """Apply one patch. Raises PatchError, without any change; its kind is `many` beyond the limit."""
        self._patches += 1
        if self._patches > self._limits.patches:
            text = f"must not have more than {self._limits.patches:,} patches, found more"
            raise PatchError("many", beyond(self._limits, "patches", text))
        target = patch.target
        done = apply.apply(self.data, target.op, target.pointer, patch.value, create_parents=create_parents)
        if done.path is not None:
            self._places.take(done, patch.origin, removed=target.op == "remove")
        self.data, self.patched = done.data, True
        return done

    def value(self, written: Written) -> JSON:
        """Return the final value of a written place."""
        return get(self.data, written.path)

    def authored(self, path: Path) -> tuple[Origin, ...]:
        """Return the origin of the value that was at a path before any patch; () if there was none."""
        value = get(self.pristine, path, ABSENT)
        return () if value is ABSENT else (self._origin_of(path, value),)


def _shifted(path: Path, at: Path, by: int) -> Path:
    """Return a path after an element was inserted or removed at another."""
    level = len(at) - 1
    if len(path) <= level or path[:level] != at[:level]:
        return path
    index, limit = path[level], at[level]
    if not isinstance(index, int) or not isinstance(limit, int) or index < limit:
        return path
    return (*path[:level], index + by, *path[level + 1 :])
