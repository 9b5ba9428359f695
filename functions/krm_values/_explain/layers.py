"""`explain --layers`: the layers of each step, lowest precedence first, and how many of the values that they set they win."""

from __future__ import annotations

from posixpath import join
from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.shown import inert, printable
from krm_values._explain.text import rows, width, wrapped
from krm_values._krm import findings, places
from krm_values._krm.item import Item
from krm_values._krm.kptfile import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from krm_values._explain.ledger import LayerUse, Ledger
    from krm_values._explain.steps import Explained


def show(ledger: Ledger, out: TextIO) -> None:
    """Print the layers of all steps."""
    out.writelines(f"{inert(line)}\n" for line in _lines(ledger, width(out)))


def _lines(ledger: Ledger, room: int) -> Iterator[str]:
    for number, entry in enumerate(ledger.explanation.steps):
        if number:
            yield ""
        yield from wrapped(printable(step_title(entry)), room, "", "  ")
        found = ledger.layers(number)
        if not found:
            yield "  no layer"
        for chain in dict.fromkeys(id(one.chain) for one in found):
            of_chain = [one for one in found if id(one.chain) == chain]
            title = findings.title(of_chain[0].chain) if of_chain[0].chain is not None else ""
            yield from wrapped(printable(title), room, "  ", "    ")
            for lines in rows([*_cells(ledger, number, of_chain)], room, "    " if title else "  "):
                yield from lines


def step_title(entry: Explained) -> str:
    """Return `layered-values (Kptfile:6)`; of a list only the function."""
    return f"{entry.function} ({address(join(entry.package, NAME), entry.place[0])})" if entry.step else entry.function


def _cells(ledger: Ledger, step: int, found: Sequence[LayerUse]) -> Iterator[tuple[str, str, str]]:
    for one in found:
        yield printable(one.layer or "default"), printable(_file(ledger, step, one)), f"wins {one.wins:,} of {one.sets:,}"


def _file(ledger: Ledger, step: int, one: LayerUse) -> str:
    """Return file and line of a layer; of one that is generated and not written yet its title."""
    item, path = (origin := ledger.trace.steps[step].located(one.origin)).item, origin.path
    if item is None:
        return ""
    if not isinstance(item, Item) or not item.position.source:
        return findings.title(item)
    return address(item.position.source, places.of_field(ledger.trace.first(item), path)[0])
