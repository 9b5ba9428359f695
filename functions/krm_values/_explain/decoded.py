"""YAML texts in Secrets that functions wrote, decoded for a diff: a line for each key, without values from Secrets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._explain.masked_text import CHANGED, UNCHANGED
from krm_values._explain.masking import hides_leaf
from krm_values._kit.engine.generated import header_of
from krm_values._kit.layers.embedded import values_at
from krm_values._kit.planner.plan import New
from krm_values._kit.planner.withheld import HIDDEN
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._cli.package.rendering import Rendered
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.masked_text import Hidden, Span
    from krm_values._kit.planner.item import Item
    from krm_values._kit.process.unified_diff import Pair

    _Identity = tuple[str, str, str, str]
    _Values = dict[Path, object]  # the values that steps decided: HIDDEN if they come from a Secret

_KEY = re.compile(r" *[\"']?[-._a-zA-Z0-9]+[\"']?: +")
_REST = re.compile(r"\s*(#.*)?")


@record
class Row:
    """A line of a decoded text: its beginning, and the value on one line, "" if others are below it. hides: the value must not be shown."""

    path: Path
    begin: str
    value: str = ""
    hides: bool = False


class Texts:
    """The texts in Secrets that the steps of a state wrote. show_secrets: hide nothing."""

    __slots__ = ("_known", "_shows")

    def __init__(self, done: Rendered, *, show_secrets: bool) -> None:
        self._shows = show_secrets
        self._known: dict[tuple[_Identity, Path], _Values] = {}
        for one in (one for entry in done.ran for one in entry.outcome.decisions):
            if isinstance(one.item, New) and one.item.is_secret and one.leaf is not None and one.leaf.inner is not None:
                known = self._known.setdefault((_identity(one.item.data), one.path), {})
                hides = known.get(one.leaf.inner) is HIDDEN or hides_leaf(one)
                known[one.leaf.inner] = HIDDEN if hides else one.after

    def rows(self, item: Item, found: Hidden) -> dict[Path, list[Row]]:
        """Return the lines of each text of an item, by place; none for a text that no function wrote, or that is not a map."""
        if "generated-by" not in item.marks:
            return {}
        paths = (span.path for span in found.spans or ())
        known = {path: self._known.get((_identity(item.data), path), {}) for path in paths}
        values = {path: values_at(item.data, path) for path, decided in known.items() if decided and () not in decided}
        return {path: [*self._rows(value, (), "", _Known(known[path]))] for path, value in values.items() if value}

    def _rows(self, value: JSON, path: Path, indent: str, known: _Known) -> Iterator[Row]:
        """Yield the lines of a map or list that is not empty. Keys that no step decided may come from a Secret as well."""
        entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        unknown: dict[str | int, JSON] = {}
        for key, below in entries:
            at = (*path, key)
            begin = f"{indent}-" if isinstance(key, int) else f"{indent}{emit.scalar(key)}:"
            if known.divides(at, below, shows=self._shows):
                yield Row(at, begin)
                yield from self._rows(below, at, f"{indent}  ", known)
            elif self._shows or at in known.values:
                yield Row(at, begin, emit.flow(below), not (self._shows or known.has(at, below)))
            else:
                unknown[key] = below
        if unknown:
            yield Row((*path, ""), f"{indent}{HIDDEN}:", emit.flow([*unknown, *unknown.values()]), hides=True)


class _Known:
    """The values of a text that steps decided, and the paths above them."""

    __slots__ = ("_above", "values")

    def __init__(self, values: _Values) -> None:
        self.values = values
        self._above = {path[:size] for path in values for size in range(len(path))}

    def divides(self, path: Path, value: JSON, *, shows: bool) -> bool:
        """Return whether a value has separate lines for its members."""
        if not isinstance(value, dict | list) or not value or path in self.values:
            return False
        return path in self._above or (shows and isinstance(value, dict))

    def has(self, path: Path, value: JSON) -> bool:
        """Return whether a value is the decided one, and may be shown."""
        decided = self.values[path]
        return decided is not HIDDEN and emit.flow(decided) == emit.flow(value)  # type: ignore[arg-type]


def lines(
    text: str, found: Hidden, own: Mapping[Path, list[Row]], other: Mapping[Path, list[Row]], side: str
) -> dict[int, list[Pair]]:
    """Return what is compared and printed in place of the lines that hold such texts, by number from 0. side: names the state."""
    return {
        text.count("\n", 0, span.start): [*_spread(line, own[span.path], other.get(span.path, []), side)]
        for span in found.spans or ()
        if span.path in own and (line := _begin(text, span)) is not None
    }


def _begin(text: str, span: Span) -> str | None:
    """Return the line of a value up to the value; None if it is not a key of a block map with its value on the same line."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    rest = text[span.end : end if end >= 0 else len(text)]
    is_one = "\n" not in text[span.start : span.end] and _REST.fullmatch(rest) and _KEY.fullmatch(text, start, span.start)
    return text[start : span.start].rstrip() if is_one else None


def _spread(begin: str, rows: list[Row], others: list[Row], side: str) -> Iterator[Pair]:
    before = {row.path: row for row in others}
    found = [_pair(row, before.get(row.path), side) for row in rows]
    indent = " " * (len(begin) - len(begin.lstrip(" ")) + 2)
    is_same = [(row.path, row.value) for row in rows] == [(row.path, row.value) for row in others]
    head = f"{begin}  # decoded" + (", written in another form" if is_same else "")
    yield (f"{head} {side}" if is_same else head), head
    yield from ((compared, f"{indent}{shown}") for compared, shown in found)


def _pair(row: Row, other: Row | None, side: str) -> Pair:
    """Return a row as it is compared and printed; hidden values are compared only by whether they changed, so nothing else decides which lines are printed."""
    if not row.hides:
        text = f"{row.begin} {row.value}".rstrip()
        return text, text
    is_leaf = other is not None and bool(other.value)
    word = HIDDEN if other is None or not is_leaf else UNCHANGED if other.value == row.value else CHANGED
    return f"{row.path} {word} {'' if word == UNCHANGED else side}", f"{row.begin} {word}"


def _identity(data: JSON) -> _Identity:
    kind, _, namespace, name = header_of(data)
    return str(get(data, ("apiVersion",))), kind, namespace, name
