"""The answers as text for people: one block per value, the winner first, the layers that it overrides below.

They are in colour and in the width of a terminal, elsewhere in 80 columns. Words are never broken; what is too long for a line is cut.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from krm_values._data.errors import address
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import replace
from krm_values._data.shown import inert, printable
from krm_values._explain import masking
from krm_values._explain.masked_text import CHANGED, UNCHANGED
from krm_values._explain.masking import Masking
from krm_values._explain.values import precedence, rule
from krm_values._explain.ways import GENERATED
from krm_values._krm import findings
from krm_values._krm.item import Item
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from krm_values._data.values import JSON
    from krm_values._explain.steps import Explained, Explanation
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._explain.ways import Way
    from krm_values._krm.plan import Origin

_PIPE = 80  # columns where there is no terminal
NARROWEST, WIDEST = 40, 120
_GAP = 2
_SHORT = 64  # columns of a value that is not cut where it fits on a line of its own
_FURTHER = 4  # columns that the lines of a row after its first are further in
_VALUE = 12  # columns that a value gets at least beside its layer
_HEAD, _PATH, _WON, _LOST, _PLAIN = "head", "path", "won", "lost", ""
_COLOURS = {_HEAD: "\x1b[1m", _WON: "\x1b[32m", _LOST: "\x1b[2m"}
_OFF = "\x1b[0m"


def show(explanation: Explanation, resources: Sequence[Resource], out: TextIO, *, show_secrets: bool, whole: bool) -> None:
    """Print the blocks. whole: there is no query, so print the functions' notes as well."""
    colours = out.isatty() and not os.environ.get("NO_COLOR")
    for kind, text in _lines(explanation, resources, width(out), show_secrets=show_secrets, whole=whole):
        line = inert(text)
        colour = _COLOURS.get(kind, "") if colours else ""
        out.write(f"{colour}{line}{_OFF}\n" if colour else f"{line}\n")


def width(out: TextIO) -> int:
    """Return the columns available for a line."""
    if not out.isatty():
        return _PIPE
    return min(max(shutil.get_terminal_size((_PIPE, 24)).columns, NARROWEST), WIDEST)


def _lines(
    explanation: Explanation, resources: Sequence[Resource], room: int, *, show_secrets: bool, whole: bool
) -> Iterator[tuple[str, str]]:
    blocks = _Blocks(explanation, room, show_secrets=show_secrets)
    for number, resource in enumerate(_decided(resources) if whole else resources):
        if number:
            yield _PLAIN, ""
        yield from blocks.resource(resource)
    beside = [line for entry in explanation.steps for line in _beside(entry, room)] if whole else []
    if beside and resources:
        yield _PLAIN, ""
    yield from ((_PLAIN, line) for line in beside)


def _decided(resources: Sequence[Resource]) -> Iterator[Resource]:
    """Yield the resources with the values of which a layer won: what is copied or derived is printed if a word asks for it."""
    for resource in resources:
        decided = tuple([value for value in resource.values if value.decision.leaf and not value.decision.leaf.is_copy])
        if decided:
            yield replace(resource, values=decided)


def _beside(entry: Explained, room: int) -> Iterator[str]:
    """Yield the notes of a step, and a sentence if it decides no value."""
    if entry.function and not entry.outcome.decisions:
        place = f" ({printable(entry.package or '.')}: {entry.step})" if entry.step else ""
        yield from wrapped(f"{entry.function} decides no value here{place}", room, "", "  ")
    for note in entry.outcome.notes:
        yield from wrapped(printable(f"{note.topic} {note.subject}: {emit.flow(note.data)}"), room, "", "  ")


class _Blocks:
    """The lines of the blocks, each with its kind, for colouring."""

    __slots__ = ("_before", "_masks", "_orders", "_secrets", "_width")

    def __init__(self, explained: Explanation, width: int, *, show_secrets: bool) -> None:
        self._before, self._width, self._secrets = explained.before, width, show_secrets
        self._orders = [precedence(entry) for entry in explained.steps]
        self._masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in explained.steps]

    def resource(self, found: Resource) -> Iterator[tuple[str, str]]:
        """Yield the heading of a resource and the block of each of its values."""
        beside = found.source or found.file
        cells = printable(found.title), f"({printable(beside)})" if beside else ""
        yield from ((_HEAD, line) for line in stacked(cells, self._width, ""))
        texts = {value.path for value in found.values if value.inner is not None}
        for value in found.values:
            yield from self._block(value, names_text=len(texts) > 1)

    def _block(self, value: FinalValue, *, names_text: bool) -> Iterator[tuple[str, str]]:
        shown = self._value(value)
        path = printable(_path(value, names_text=names_text))
        yield _PATH, cut(f"{path} = {shown}", self._width)
        if value.ways:
            hides = value.decision.secret and not self._secrets
            cells = [self._cells("+", value.ways[0], hides=hides, names=not value.is_removed)]
            cells += [self._cells("-", way, hides=hides) for way in value.overridden]
            for line, way in self._rows(cells, value.ways):
                yield (_WON if way is value.way else _LOST), line
        if text := rule(value, self._orders[value.step]):
            yield from ((_PLAIN, line) for line in wrapped(printable(f"rule: {text}"), self._width, "    ", "      "))

    def _rows(self, cells: Sequence[Sequence[str]], ways: Sequence[Way]) -> Iterator[tuple[str, Way]]:
        """Yield the row of each layer, followed by those that its value derives from."""
        for lines, way in zip(rows(cells, self._width, "  "), ways, strict=True):
            yield from ((line, way) for line in lines)
            yield from ((line, way) for below in way.via for line in self._came(below, "      "))

    def _came(self, way: Way, indent: str) -> Iterator[str]:
        cells = f"<- {printable(_layer(way.origin))}", printable(_facts(way.origin)), self._place(way)
        yield from stacked(cells, self._width, indent)
        for below in way.via:
            yield from self._came(below, indent)

    def _cells(self, sign: str, way: Way, *, hides: bool, names: bool = True) -> tuple[str, str, str, str]:
        origin = way.origin
        shown = (
            findings.HIDDEN
            if not self._secrets and (hides or masking.has_hidden(origin))
            else _text(origin.value)
            if names
            else ""
        )
        return f"{sign} {printable(_layer(origin))}", printable(_facts(origin)), self._place(way), printable(shown)

    def _place(self, way: Way) -> str:
        room = self._width - 6
        if way.line:
            return cut_front(printable(address(way.file, way.line)), min(room, WIDEST - 10))
        origin = way.origin
        if origin.item is None:
            return ""
        path = to_field(origin.path) + (f" » {to_field(origin.inner)}" if origin.inner is not None else "")
        file = "" if way.via else way.file  # of what a step made there is no file yet
        return cut(printable(" ".join(filter(None, (file, findings.title(origin.item), path)))), room)

    def _value(self, value: FinalValue) -> str:
        if value.is_removed:
            return "(removed)"
        decision = value.decision
        shown, hidden = self._masks[value.step].after(decision)
        if hidden and decision.before is not ABSENT and not self._is_of_step(value):
            return UNCHANGED if decision.kept else CHANGED
        return printable(findings.HIDDEN if hidden else _text(shown))

    def _is_of_step(self, value: FinalValue) -> bool:
        """Return whether the last step found another value there than there was before the first step."""
        item = value.item
        if not value.step or value.inner is not None or not isinstance(item, Item):
            return False
        first = self._before.get(item.position.path, item.position.index)
        return first is not None and get(first.data, value.path, ABSENT) != value.decision.before


def _path(value: FinalValue, *, names_text: bool) -> str:
    if value.inner is None:
        return to_field(value.path)
    return f"{to_field(value.path)} » {to_field(value.inner)}" if names_text or not value.inner else to_field(value.inner)


def _layer(origin: Origin) -> str:
    return "generated from" if origin.layer == GENERATED else origin.layer or "default"


def _text(value: JSON) -> str:
    return findings.HIDDEN if value is findings.HIDDEN else emit.flow(value)


def _facts(origin: Origin) -> str:
    """Return what is printed beside a layer's name: `priority 50`, `step build, param url`."""
    return ", ".join(f"{key} {origin.facts[key]}" for key in ("priority", "step", "param") if key in origin.facts)


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
