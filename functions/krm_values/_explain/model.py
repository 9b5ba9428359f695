"""What `explain` and the other answers know of one value: all contributions to it, resolved through all steps.

A `Value` has one `Cell` for each of them, the winner first; a cell has its place, the places on the way from there to the value, the parts that
it was composed of, and the references that say why its layer is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._krm import places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.plan import New, Origin
    from krm_values._run.state import Decision

    CellPlace = tuple[Item | New | None, Path, Path | None]

API_VERSION = "krm-values.dev/v1alpha2"
"""The version of all that is printed of it as JSON."""
AUTHORED, DEFAULT, CONFIG, EARLIER, CYCLE = "authored", "default", "config", "earlier", "cycle"
"""The origins of a cell: a file; a default of a schema or of ours; a functionConfig or Kptfile; a run of something that is not in this package."""
DECIDED, COPIED, DERIVED, EFFECTIVE, LITERAL = "decided", "copied", "derived", "effective", "literal"
"""The kinds of a value: layers were ranked; one place without a choice; composed of parts; a reference; a constant of a function or template."""
_HOPS = 32
"""The places of a way that are told: the nearest, and that where the value was written."""
_LEVELS, _CELLS, _PER_PART = 16, 256, 8
"""How deep the parts of a cell are told, and how many below the first level: each may be composed of the same ones again."""


@record
class Reference:
    """Why a layer is there, or why a step acts on an object: an entry, a config, a selector, a source or a step.

    item: the resource that holds it, None for a step of a Kptfile, whose line is `number`. parent: the reference of the step. inner: the path
    in the text at `path`. in_file: `path` as the file has it, where an earlier run moved it. read: the place where the step reads it, of one that
    an earlier step wrote there.
    """

    kind: str
    file: str
    path: Path
    item: Item | None = None
    parent: Reference | None = None
    number: int = 0
    inner: Path | None = None
    in_file: Path = ()
    read: tuple[Item, Path] | None = None

    @property
    def line(self) -> int:
        """The line in the file, 0 if it is not known."""
        return places.of_field(self.item, (*self.in_file, *(self.inner or ())))[0] if self.item is not None else self.number


@record
class Hop:
    """A place on the way from a value to where it was written; the step is the one that read it there, as this layer.

    is_written: an earlier step wrote what is read there; else a file has there what leads to the value, as a reference.
    """

    step: int
    layer: str
    item: Item | New
    path: Path
    inner: Path | None
    is_written: bool = False


@record
class Cell:
    """One contribution to one value.

    origin: one of the words above. source: the layer's origin as the step told it. kept: the author's value, which an undo record keeps.
    at: the path of a place above the value where it stood. above: how many keys and indices that is above the place where a step reads it, until
    `at` is known; -1 of what stood at no place of the object. way: the hops from the value back to its place, nearest first. secret: it must not
    be shown. chain: the resource whose layers are ranked together. is_merged: it is below a key of the same map, which `<<` merges it into.
    """

    layer: str
    value: JSON | Absent
    step: int
    origin: str
    source: Origin
    item: Item | New | None
    path: Path
    inner: Path | None
    because: tuple[Reference, ...] = ()
    way: tuple[Hop, ...] = ()
    parts: tuple[Cell, ...] = ()
    kept: bool = False
    at: Path | None = None
    chain: Item | None = None
    secret: bool = False
    above: int = 0
    is_merged: bool = False

    @property
    def facts(self) -> Mapping[str, JSON]:
        return self.source.facts

    def of_parts(self, parts: Sequence[Cell]) -> Cell:
        """Return the cell as composed of parts, with the nearest of what those are composed of."""
        return replace(self, parts=tuple(_nearest(parts)), secret=self.secret or any(one.secret for one in parts))

    def through(self, hop: Hop, because: tuple[Reference, ...] = (), *, hides: bool) -> Cell:
        """Return the cell as it is read at a place. hides: whether what is read there must not be shown."""
        way = (hop, *self.way) if len(self.way) < _HOPS else (hop, *self.way[: _HOPS - 2], self.way[-1])
        return replace(self.because_of(because), way=way, secret=self.secret or hides)

    def because_of(self, because: tuple[Reference, ...]) -> Cell:
        """Return the cell with further references."""
        return replace(self, because=(*self.because, *(one for one in because if one not in self.because))) if because else self

    def all(self) -> Iterator[Cell]:
        """Yield the cell and its parts, and theirs."""
        yield self
        for part in self.parts:
            yield from part.all()

    def places(self) -> Iterator[CellPlace]:
        """Yield where it was written, and the places on its way, nearest to the value first."""
        yield self.item, self.path, self.inner
        yield from ((hop.item, hop.path, hop.inner) for hop in self.way)


def order(path: Path, inner: Path | None) -> tuple[object, ...]:
    """Return the key by which the values of an object and the parts of one are sorted: by path, numbers as numbers, whatever the order of keys."""
    return tuple(map(_part, path)), tuple(map(_part, inner or ()))


def _part(part: str | int) -> tuple[bool, int, str]:
    return (True, part, "") if isinstance(part, int) else (False, 0, part)


def _nearest(parts: Sequence[Cell]) -> Sequence[Cell]:
    """Return parts without what is too far below them."""
    left, level = max(_CELLS, _PER_PART * len(parts)), parts
    for depth in range(_LEVELS):
        level = [below for one in level for below in one.parts]
        left -= len(level)
        if not level:
            return parts
        if left < 0:
            return [_cut(one, depth) for one in parts]
    return [_cut(one, _LEVELS) for one in parts]


def _cut(cell: Cell, levels: int) -> Cell:
    """Return a cell with so many levels of parts."""
    return replace(cell, parts=tuple(_cut(one, levels - 1) for one in cell.parts) if levels else ())


@record
class Value:
    """One leaf of a rendered object: what it is, how it came about, and the cells of all that was ranked for it, the winner first.

    step, decision: the last step that decided it, and what it decided; -1 and None for a leaf that no step decided.
    """

    item: Item | New
    path: Path
    inner: Path | None
    value: JSON | Absent
    kind: str
    step: int
    cells: tuple[Cell, ...]
    decision: Decision | None = None
