"""What the tags of a template take from the owner and from other steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import replace
from krm_values._kit.planner.plan import Origin
from krm_values.cartographer_params import names, paths
from krm_values.cartographer_params.tags import expressions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.cartographer_params.target import Target

    _Names = tuple[str | int, ...]


class Copied:
    """The origins of what tags copy. withheld: those that hold values of a Secret, from which any field may have been copied."""

    __slots__ = ("_inputs", "_near", "_owner", "_places", "withheld")

    def __init__(self, target: Target) -> None:
        self._owner, self._inputs, self.withheld = target.owner, target.inputs(), _withheld(target)
        self._near: dict[_Names, list[tuple[str, ...]]] = {}
        for key in self._inputs:
            for size in range(len(key) + 1):
                self._near.setdefault(key[:size], []).append(key)
        self._places: dict[str, _Names] = {}

    def by(self, written: JSON, below: Path) -> Iterator[Origin]:
        """Yield the origins of what the tags of a field take, once each. below: the path of the value in what a tag gives."""
        for name in dict.fromkeys((*self._place(expression), *below) for expression in expressions(written)):
            if name[:1] and name[0] in names.OWNERS:
                yield _part(Origin("owner", self._owner.data, self._owner.item), name[1:])
            else:
                yield from (_part(self._inputs[key], name[len(key) :]) for key in self._keys(name))

    def _place(self, expression: str) -> _Names:
        """Return the place of what an expression finds: exactly in the owner, elsewhere by the names with which it begins."""
        known = self._places.get(expression)
        if known is None:
            known = names.plain(expression)
            if known[:1] and known[0] in names.OWNERS:
                known = paths.place(expression, {known[0]: self._owner.data}) or known
            self._places[expression] = known
        return known

    def _keys(self, name: _Names) -> list[tuple[str, ...]]:
        """Return the inputs of this name: those that it is above, or the one that it is in."""
        found = next((name[:size] for size in range(len(name), 0, -1) if name[:size] in self._near), ())
        return [key for key in self._near.get(found, ()) if found in (name, key)]


def _part(origin: Origin, path: Path) -> Origin:
    """Return the origin of what is at a path of its value, or of the nearest above it that is there."""
    size = next(size for size in range(len(path), -1, -1) if get(origin.value, path[:size], ABSENT) is not ABSENT)
    at = None if origin.config is None else (*origin.config, *path[:size])
    return replace(origin, value=get(origin.value, path[:size]), path=(*origin.path, *path[:size]), config=at)


def _withheld(target: Target) -> tuple[Origin, ...]:
    """Return the owner and the objects of other steps if they hold values of a Secret: any field may have been copied from them."""
    taken = [Origin("owner", None, target.owner.item), *(Origin("output", None, made) for made in target.feeds)]
    return tuple(origin for origin in taken if origin.secret)
