"""The text output of `explain`: one block per value, the winner first, the layers that it overrides below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.printable import printable
from krm_values._explain import layout, nested, rule
from krm_values._explain.masked_text import CHANGED, UNCHANGED
from krm_values._explain.masking import Masking
from krm_values._explain.ways import GENERATED
from krm_values._kit.planner import findings
from krm_values._kit.planner.item import Item
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._explain.facts import Explanation
    from krm_values._explain.values import Resource, Value
    from krm_values._explain.ways import Way
    from krm_values._kit.planner.plan import Origin

HEAD, PATH, WON, LOST, PLAIN = "head", "path", "won", "lost", ""
"""Kinds of lines, for colouring."""


class Blocks:
    """The lines of the blocks, each with its kind. precedence: the layer order of each function in words."""

    __slots__ = ("_before", "_masks", "_precedence", "_secrets", "_width")

    def __init__(self, explained: Explanation, precedence: Sequence[str], width: int, *, show_secrets: bool) -> None:
        self._before, self._precedence, self._width, self._secrets = explained.before, precedence, width, show_secrets
        self._masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in explained.steps]

    def resource(self, found: Resource) -> Iterator[tuple[str, str]]:
        """Yield the heading of a resource and the block of each of its values."""
        beside = found.source or found.file
        cells = printable(found.title), f"({printable(beside)})" if beside else ""
        yield from ((HEAD, line) for line in layout.stacked(cells, self._width, ""))
        texts = {value.path for value in found.values if value.inner is not None}
        for value in found.values:
            yield from self._block(value, names_text=len(texts) > 1)

    def _block(self, value: Value, *, names_text: bool) -> Iterator[tuple[str, str]]:
        shown = self._value(value)
        path = printable(_path(value, names_text=names_text))
        yield PATH, layout.cut(f"{path} = {shown}", self._width)
        if value.way is not None:
            hides = value.decision.secret and not self._secrets
            cells = [self._cells("+", value.way, hides=hides, names=not value.is_removed)]
            cells += [self._cells("-", way, hides=hides) for way in value.overridden]
            ways = value.way, *value.overridden
            for line, way in self._rows(cells, ways):
                yield (WON if way is value.way else LOST), line
        if text := rule.sentence(value, self._precedence[value.step]):
            yield from ((PLAIN, line) for line in layout.wrapped(printable(f"rule: {text}"), self._width, "    ", "      "))

    def _rows(self, cells: Sequence[Sequence[str]], ways: Sequence[Way]) -> Iterator[tuple[str, Way]]:
        """Yield the row of each layer, followed by those that its value derives from."""
        for lines, way in zip(layout.rows(cells, self._width, "  "), ways, strict=True):
            yield from ((line, way) for line in lines)
            yield from ((line, way) for below in way.via for line in self._came(below, "      "))

    def _came(self, way: Way, indent: str) -> Iterator[str]:
        cells = f"<- {printable(_layer(way.origin))}", printable(rule.facts(way.origin)), self._place(way)
        yield from layout.stacked(cells, self._width, indent)
        for below in way.via:
            yield from self._came(below, indent)

    def _cells(self, sign: str, way: Way, *, hides: bool, names: bool = True) -> tuple[str, str, str, str]:
        origin = way.origin
        shown = (
            findings.HIDDEN
            if not self._secrets and (hides or nested.has_hidden(origin))
            else _text(origin.value)
            if names
            else ""
        )
        return f"{sign} {printable(_layer(origin))}", printable(rule.facts(origin)), self._place(way), printable(shown)

    def _place(self, way: Way) -> str:
        room = self._width - 6
        if way.line:
            return layout.cut_front(printable(address(way.file, way.line)), min(room, layout.WIDEST - 10))
        origin = way.origin
        if origin.item is None:
            return ""
        path = to_field(origin.path) + (f" » {to_field(origin.inner)}" if origin.inner is not None else "")
        file = "" if way.via else way.file  # of what a step made there is no file yet
        return layout.cut(printable(" ".join(filter(None, (file, findings.title(origin.item), path)))), room)

    def _value(self, value: Value) -> str:
        if value.is_removed:
            return "(removed)"
        decision, masking = value.decision, self._masks[value.step]
        shown, hidden = masking.after(decision)
        if hidden and decision.before is not ABSENT and not self._is_of_step(value):
            return UNCHANGED if decision.kept else CHANGED
        return printable(findings.HIDDEN if hidden else _text(shown))

    def _is_of_step(self, value: Value) -> bool:
        """Return whether the last step found another value there than there was before the first step."""
        item = value.item
        if not value.step or value.inner is not None or not isinstance(item, Item):
            return False
        first = self._before.get(item.position.path, item.position.index)
        return first is not None and get(first.data, value.path, ABSENT) != value.decision.before


def note(topic: str, subject: str, data: JSON, width: int) -> Iterator[str]:
    """Yield a note of a function in lines of this width."""
    text = printable(f"{topic} {subject}: {emit.flow(data)}")
    return layout.wrapped(text, width, "", "  ")


def _path(value: Value, *, names_text: bool) -> str:
    if value.inner is None:
        return to_field(value.path)
    return f"{to_field(value.path)} » {to_field(value.inner)}" if names_text or not value.inner else to_field(value.inner)


def _layer(origin: Origin) -> str:
    return "generated from" if origin.layer == GENERATED else origin.layer or "default"


def _text(value: JSON) -> str:
    return findings.HIDDEN if value is findings.HIDDEN else emit.flow(value)
