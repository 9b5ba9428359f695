"""The origins that values override, computed on demand and once for all targets that use a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import lazy
from krm_values._kit.layers.merge import origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._kit.layers.merge import Assigned
    from krm_values._kit.planner.plan import Origin


class Overridden:
    """The origins that leaves override, shared by leaves that differ in their form only."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[int, tuple[object, Sequence[Origin]]] = {}

    def of(self, leaf: Assigned) -> Sequence[Origin]:
        """Return the origins that a leaf overrides, nearest first."""
        if not leaf.over:
            return ()
        found = self._found.get(id(leaf.over))
        if found is None:
            found = self._found[id(leaf.over)] = leaf.over, lazy(lambda: map(origin, leaf.overridden()))
        return found[1]
