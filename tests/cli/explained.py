"""A package as `explain` sees it, in this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from krm_values._explain import steps
from krm_values._explain.ledger import Ledger
from krm_values._krm.item import Item
from krm_values._run import pipeline

if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._explain.model import Cell


@dataclass(frozen=True)
class End:
    """A place where a contribution to a value was written; line 0 where there is none."""

    layer: str
    value: Any
    origin: str
    file: str
    line: int


@dataclass(frozen=True)
class Answer:
    """A decided value: as the last step leaves it, the places between it and its winner's, and the ends of each of its cells, the winner's first."""

    value: Any
    way: list[str]
    ends: list[list[End]]

    def through(self) -> set[tuple[str, int]]:
        """Every file and line at which something of the value was written."""
        return {(end.file, end.line) for ends in self.ends for end in ends}


def explained(directory: Path) -> dict[tuple[str, str, object, object], Answer]:
    """The decided values by resource, file and place."""
    ledger = Ledger(steps.of_package(pipeline.rendered(directory, skip_foreign=False, follow_links=False)))
    found: dict[tuple[str, str, object, object], Answer] = {}
    for one in ledger.listed(ledger.resources(), complete=False, authored=False):
        for value in one.values():
            way = [hop.layer for cell in value.cells[:1] for hop in cell.way]
            ends = [[_end(ledger, below) for below in cell.all() if not below.parts] for cell in value.cells]
            found[one.title, one.file, value.path, value.inner] = Answer(value.value, way, ends)
    return found


def _end(ledger: Ledger, cell: Cell) -> End:
    file = cell.item.position.source if isinstance(cell.item, Item) else ""
    return End(cell.layer, cell.value, cell.origin, file, ledger.line(cell)[0])
