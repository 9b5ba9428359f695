"""The answers as text for people: one block per value, the winner first, the layers that it overrides below.

They are in colour and in the width of a terminal, elsewhere in 80 columns. Words are never broken; what is too long for a line is cut.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from krm_values._data.errors import address
from krm_values._data.pointer import ABSENT, to_field
from krm_values._data.shown import inert, printable
from krm_values._explain.model import EARLIER
from krm_values._explain.shown import Shown
from krm_values._explain.values import precedence, rule
from krm_values._explain.ways import GENERATED
from krm_values._krm import findings
from krm_values._krm.item import Item
from krm_values._run.terminal import coloured
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.blame import Blame
    from krm_values._explain.ledger import Ledger, Listed
    from krm_values._explain.model import Cell, Reference, Value
    from krm_values._explain.steps import Explained, Place

_PIPE = 80  # columns where there is no terminal
NARROWEST, WIDEST = 40, 120
_GAP = 2
_SHORT = 64  # columns of a value that is not cut where it fits on a line of its own
_FURTHER = 4  # columns that the lines of a row after its first are further in
_VALUE = 12  # columns that a value gets at least beside its layer
_HEAD, _PATH, _WON, _LOST, _PLAIN = "head", "path", "won", "lost", ""
_COLOURS = {_HEAD: "\x1b[1m", _WON: "\x1b[32m", _LOST: "\x1b[2m"}
_OFF = "\x1b[0m"


def show(
    ledger: Ledger, found: Sequence[Listed], out: TextIO, *, show_secrets: bool, whole: bool, blame: Blame | None = None
) -> None:
    """Print the blocks. whole: there is no query, so print the functions' notes as well. blame: the commits of the lines, if asked for."""
    colours = coloured(out)
    for kind, text in _lines(ledger, found, width(out), blame, show_secrets=show_secrets, whole=whole):
        line = inert(text)
        colour = _COLOURS.get(kind, "") if colours else ""
        out.write(f"{colour}{line}{_OFF}\n" if colour else f"{line}\n")


def width(out: TextIO) -> int:
    """Return the columns available for a line."""
    if not out.isatty():
        return _PIPE
    return min(max(shutil.get_terminal_size((_PIPE, 24)).columns, NARROWEST), WIDEST)


def _lines(
    ledger: Ledger, found: Sequence[Listed], room: int, blame: Blame | None, *, show_secrets: bool, whole: bool
) -> Iterator[tuple[str, str]]:
    blocks = _Blocks(ledger, room, blame, show_secrets=show_secrets)
    is_first = True
    for one in found:
        for number, line in enumerate(blocks.resource(one, whole=whole)):
            if not (number or is_first):
                yield _PLAIN, ""
            yield line
            is_first = False
    beside = [line for entry in ledger.explanation.steps for line in _beside(entry, room)] if whole else []
    if beside and found:
        yield _PLAIN, ""
    yield from ((_PLAIN, line) for line in beside)


def blocks(
    ledger: Ledger, found: Sequence[Listed], room: int, *, show_secrets: bool
) -> Iterator[tuple[Listed, Value, list[str]]]:
    """Yield each value with the lines of its block, which say the same whatever values are around it."""
    made = _Blocks(ledger, room, None, show_secrets=show_secrets)
    for one in found:
        names_text = has_texts((value.path, value.inner) for value in one.decided)
        for value in one.values():
            yield one, value, [line for _, line in made.block(value, names_text=names_text)]


def _beside(entry: Explained, room: int) -> Iterator[str]:
    """Yield the notes of a step, and a sentence if it decides no value."""
    if entry.function and not entry.outcome.decisions:
        place = f" ({printable(entry.package or '.')}: {entry.step})" if entry.step else ""
        yield from wrapped(f"{entry.function} decides no value here{place}", room, "", "  ")
    for note in entry.outcome.notes:
        yield from wrapped(printable(f"{note.topic} {note.subject}: {emit.flow(note.data)}"), room, "", "  ")


class _Blocks:
    """The lines of the blocks, each with its kind, for colouring."""

    __slots__ = ("_blame", "_ledger", "_orders", "_said", "_shown", "_width")

    def __init__(self, ledger: Ledger, width: int, blame: Blame | None, *, show_secrets: bool) -> None:
        self._ledger, self._width, self._blame = ledger, width, blame
        self._shown = Shown(ledger, show_secrets=show_secrets)
        self._orders = [precedence(entry) for entry in ledger.explanation.steps]
        self._said: set[str] = set()  # the references that the block of this resource has said already

    def resource(self, found: Listed, *, whole: bool) -> Iterator[tuple[str, str]]:
        """Yield the heading of a resource and the block of each of its values. whole: without what is copied or derived, which a word asks for."""
        values = [
            one for one in found.values() if not (whole and one.decision and one.decision.leaf and one.decision.leaf.is_copy)
        ]
        if not values:
            return
        beside = found.source or found.file
        cells = printable(found.title), f"({printable(beside)})" if beside else ""
        yield from ((_HEAD, line) for line in stacked(cells, self._width, ""))
        names_text = has_texts((one.path, one.inner) for one in found.decided)
        self._said.clear()
        for value in values:
            yield from self._block(value, names_text=names_text)

    def block(self, value: Value, *, names_text: bool) -> Iterator[tuple[str, str]]:
        """Yield the block of a value alone."""
        self._said.clear()
        return self._block(value, names_text=names_text)

    def _block(self, value: Value, *, names_text: bool) -> Iterator[tuple[str, str]]:
        shown = self._value(value)
        path = printable(path_of(value.path, value.inner, names_text=names_text))
        yield _PATH, cut(f"{path} = {shown}", self._width)
        rows_of = [self._cells("-" if number else "+", cell, value) for number, cell in enumerate(value.cells)]
        for lines, cell in zip(rows(rows_of, self._width, "  ") if rows_of else (), value.cells, strict=True):
            kind = _WON if cell is value.cells[0] else _LOST
            yield from ((kind, line) for line in lines)
            yield from ((kind, line) for line in self._came(cell, "      "))
        if value.cells and (text := because(value.cells[0], is_only_step=len(self._orders) == 1)) and text not in self._said:
            self._said.add(text)
            yield from ((_PLAIN, line) for line in wrapped(printable(text), self._width, "    ", "      "))
        if text := rule(value, self._orders[value.step]) if value.step >= 0 else "":
            yield from ((_PLAIN, line) for line in wrapped(printable(f"rule: {text}"), self._width, "    ", "      "))

    def _came(self, cell: Cell, indent: str) -> Iterator[str]:
        """Yield the places on the way from where a cell was written to the value, and what it was composed of."""
        for part in cell.parts:
            shown = self._shown.cell(part)
            text = "" if shown is ABSENT or shown is None or isinstance(shown, (dict, list)) else printable(_text(shown))
            cells = f"<- {printable(_layer(part))}", printable(_facts(part)), self._place(part), text
            yield from stacked(cells, self._width, indent)
            yield from self._came(part, indent)
        for hop in reversed(cell.way):
            inner = "" if hop.inner is None else f" » {to_field(hop.inner)}"
            text = printable(f"{findings.title(hop.item)} {to_field(hop.path)}{inner}")
            yield from stacked((f"-> {text}",), self._width, indent)

    def _cells(self, sign: str, cell: Cell, value: Value) -> tuple[str, str, str, str]:
        shown = self._shown.cell(cell)
        text = "" if shown is ABSENT or (sign == "+" and value.value is ABSENT) else _text(shown)
        where = (
            f"at {to_field(cell.at)}"
            if cell.at is not None
            else "kept"
            if cell.kept
            else "earlier run"
            if cell.origin == EARLIER
            else ""
        )
        facts = ", ".join(filter(None, (_facts(cell), where)))
        return f"{sign} {printable(_layer(cell))}", printable(facts), self._place(cell), printable(text)

    def _place(self, cell: Cell) -> str:
        room = self._width - 6
        line, _ = self._ledger.line(cell)
        if line and isinstance(cell.item, Item):
            place = cut_front(printable(address(cell.item.position.source, line)), min(room, WIDEST - 10))
            commit = self._blame.cell(cell) if self._blame else None
            return f"{place} ({printable(str(commit))})" if commit else place
        if cell.item is None:
            return ""
        path = to_field(cell.path) + (f" » {to_field(cell.inner)}" if cell.inner is not None else "")
        file = cell.item.position.source if isinstance(cell.item, Item) else ""
        return cut(printable(" ".join(filter(None, (file, findings.title(cell.item), path)))), room)

    def _value(self, value: Value) -> str:
        shown = self._shown.value(value)
        if shown is ABSENT:
            return "(removed)"
        return printable(_text(shown))


def _holds(one: Reference, cell: Cell) -> bool:
    """Return whether a reference is the entry that holds the value itself, as `spec.values` of a release does."""
    if not isinstance(cell.item, Item) or one.file != cell.item.position.source or cell.path[: len(one.path)] != one.path:
        return False
    return one.inner is None or (cell.inner or ())[: len(one.inner)] == one.inner


def has_texts(places: Iterable[Place]) -> bool:
    """Return whether places are in several texts, so that each is named with its field."""
    return len({path for path, inner in places if inner is not None}) > 1


def path_of(path: Path, inner: Path | None, *, names_text: bool) -> str:
    """Return the path of a value in its text, or in its object. names_text: name the field of the text, too."""
    if inner is None:
        return to_field(path)
    return f"{to_field(path)} » {to_field(inner)}" if names_text or not inner else to_field(inner)


def _layer(cell: Cell) -> str:
    return "generated from" if cell.layer == GENERATED else cell.layer or ("composed of" if cell.parts else "default")


def _text(value: JSON) -> str:
    return findings.HIDDEN if value is findings.HIDDEN else emit.flow(value)


def _facts(cell: Cell) -> str:
    """Return what is printed beside a layer's name: `priority 50`, `step build, param url`."""
    return ", ".join(f"{key} {cell.facts[key]}" for key in ("priority", "step", "param") if key in cell.facts)


def because(cell: Cell, *, is_only_step: bool) -> str:
    """Return why the layer is there: `because rel.yaml:9, Kptfile:6`; "" where its own place or the only step says it."""
    has_entry = any(one.kind == "entry" for one in cell.because)
    told = [one for one in cell.because if not (one.kind == "source" and has_entry) and not _holds(one, cell)]
    if is_only_step and all(one.kind == "step" for one in told):
        return ""
    places = [address(one.file, one.line) for one in told if one.line]
    return f"because {', '.join(dict.fromkeys(places))}" if places else ""


def columns(text: str) -> int:
    """Return the terminal columns of a text: two for a wide character."""
    return len(text) if text.isascii() else len(text) + sum(east_asian_width(c) in "WF" for c in text)


def wrapped(text: str, width: int, indent: str, hanging: str) -> Iterator[str]:
    """Yield the words of a text in lines. indent: before the first line; hanging: before the others."""
    line, start = "", indent
    for word in filter(None, text.split(" ")):
        short = cut(word, width - len(hanging))
        if line and columns(line) + 1 + columns(short) > width:
            yield line
            line, start = "", hanging
        line = f"{line} {short}" if line else start + short
    if line:
        yield line


def rows(cells: Sequence[Sequence[str]], width: int, indent: str) -> Iterator[list[str]]:
    """Yield rows with aligned columns; a last column that does not fit is put below if it is short enough, else cut."""
    sizes = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    used = [number for number, size in enumerate(sizes) if size]
    *fixed, last = used or [0]
    taken = len(indent) + sum(sizes[number] + _GAP for number in fixed)
    room, below = width - taken, width - len(indent) - _FURTHER
    fits = taken - _GAP <= width
    for row in cells:
        size = columns(row[last])
        aligned = [_padded(row[number], sizes[number]) for number in fixed] if fits else [row[number] for number in fixed]
        if room < min(sizes[last], _VALUE) or room < size <= min(below, _SHORT):
            yield [*stacked([*aligned, row[last]], width, indent)]
        else:
            yield [f"{indent}{''.join(f'{cell}  ' for cell in aligned)}{cut(row[last], room)}".rstrip()]


def stacked(row: Sequence[str], width: int, indent: str) -> Iterator[str]:
    """Yield a row in as many lines as needed, continuation lines indented further."""
    line, start = "", indent
    for cell in row:
        if not cell:
            continue
        if line and columns(line) + _GAP + columns(cell) > width:
            yield line.rstrip()
            line, start = "", indent + " " * _FURTHER
        line = f"{line}{' ' * _GAP}{cell}" if line else start + cut(cell, width - len(start))
    if line:
        yield line.rstrip()


def cut(text: str, room: int) -> str:
    """Return the text, or its beginning with an ellipsis; of a place the end is kept."""
    if columns(text) <= room:
        return text
    return _fitting(text, room - 1) + "…"


def cut_front(text: str, room: int) -> str:
    """Return the text, or its end behind an ellipsis."""
    return text if columns(text) <= room else "…" + _fitting(text[::-1], room - 1)[::-1]


def _fitting(text: str, room: int) -> str:
    """Return as much of the beginning as fits."""
    kept = text[: max(room, 0)]
    while columns(kept) > room and kept:
        kept = kept[: len(kept) - max((columns(kept) - room) // 2, 1)]
    return kept


def _padded(text: str, size: int) -> str:
    return text + " " * (size - columns(text))
