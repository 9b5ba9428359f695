"""A YAML or JSON text as a diff may show it: without values of Secrets, those from one, and comments that may hold earlier ones.

`hidden` finds them in one document, `lines` writes the lines that hold them anew. A text in a Secret that a function wrote is compared
decoded, key by key: `Texts` and `decoded_lines`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._explain.shown import Masking
from krm_values._krm import names
from krm_values._krm.plan import New
from krm_values._krm.taint import APPLIED, HIDDEN, SHOWN, covers, holds_secret, is_secret_data, is_text_with_secret, touches
from krm_values._run.generated import header_of
from krm_values._run.texts import values_at
from krm_values._yaml import decode, emit
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._run.pipeline import Rendered
    from krm_values._run.unified_diff import Pair
    from krm_values._yaml.nodes import Node

    _Region = tuple[int, int]  # from where to where in the text
    _Identity = tuple[str, str, str, str]
    _Values = dict[Path, object]  # the values that steps decided: HIDDEN if they come from a Secret

_KEY = re.compile(r" *[\"']?[-._a-zA-Z0-9]+[\"']?: +")
_REST = re.compile(r"\s*(#.*)?")


@record
class Span:
    """A hidden value: its extent in the text, and its path in the data."""

    start: int
    end: int
    path: Path


@record
class Hidden:
    """The hidden values of a text; None if it cannot be read, so that all of it is hidden.

    scalars: the places of its scalars. silent: where whole-line comments are hidden as well, and behind: also comments behind values.
    """

    spans: tuple[Span, ...] | None
    scalars: tuple[_Region, ...] = ()
    silent: tuple[_Region, ...] = ()
    behind: tuple[_Region, ...] = ()


def hidden(text: str, found: Iterable[Path]) -> Hidden:
    """Return the hidden values of one document. found: the places of values from Secrets; values of Secrets themselves, at any depth, are found here."""
    try:
        root = decode.parse(text)
        data = decode.to_data(root)
    except InputError:
        return Hidden(None)
    nodes = {(node.start, node.end): (node, path) for node, path in _hidden(root, (), data, tuple(found))}
    spans = [Span(node.start, node.end, path) for node, path in nodes.values() if node.end > node.start]
    outermost = tuple(_outermost(spans))
    secrets = [*_secrets(root, (), data)] if holds_secret(data) else []
    silent = [(0, len(text)) if node is root else (_above(text, node.start), _below(text, node.end)) for node in secrets]
    if outermost:
        silent.append((outermost[0].start, outermost[-1].end))
    scalars = sorted((node.start, node.end) for node in walk(root) if node.kind == "scalar") if silent else []
    return Hidden(outermost, tuple(scalars), tuple(silent), tuple(_behind_values(text, secrets)))


def lines(text: str, what: Hidden, first: int = 0) -> dict[int, str]:
    """Return the lines with hidden values, by number, as they may be shown. first: the number of the text's first line."""
    shown: dict[int, str] = {}
    at = 0
    for number, line in enumerate(text.split("\n"), first):
        end = at + len(line)
        if what.spans is None:
            shown[number] = HIDDEN if line.strip() else line
        elif here := [span for span in what.spans if span.start < max(end, at + 1) and span.end > at]:
            shown[number] = _line(text, (at, end), here, what.scalars)
        at = end + 1
    found = _without_comments(text, what, first)
    return {**found, **shown, **{number: line for number, line in found.items() if line.lstrip(" ").startswith("#")}}


def _hidden(node: Node, path: Path, data: JSON, found: Sequence[Path]) -> Iterator[tuple[Node, Path]]:
    """Yield the nodes whose text is hidden; for an alias its target."""
    if covers(found, path):
        yield from _whole(node, path)
    elif node.kind == "alias":
        if touches(found, path) or holds_secret(get(data, path)):
            yield from _hidden(node.target, path, data, found)
    elif node.kind == "list":
        for index, item in enumerate(node.items):
            yield from _hidden(item, (*path, index), data, found)
    elif node.kind == "scalar":
        if is_text_with_secret(get(data, path)):
            yield node, path
    elif node.kind == "map":
        of_secret = is_secret_data(get(data, path))
        for key, item in zip(node.keys, node.items, strict=True):
            yield from _entry(key, item, path, data, found, of_secret=of_secret)


def _entry(
    key: Node, item: Node, path: Path, data: JSON, found: Sequence[Path], *, of_secret: bool
) -> Iterator[tuple[Node, Path]]:
    name = decode.key_text(key)
    below = (*path, name)
    if decode.is_merge(key):
        for source in item.items if item.kind == "list" else [item]:
            yield from _hidden(source, path, data, found)
    elif name == APPLIED or (of_secret and name not in SHOWN and item.kind != "map") or _is_record(name, path, data):
        yield from _whole(item, below)
    elif of_secret and name not in SHOWN:
        for inner, value in zip(item.keys, item.items, strict=True):
            yield from _whole(value, (*below, decode.key_text(inner)))
    else:
        yield from _hidden(item, below, data, found)


def _is_record(name: str, path: Path, data: JSON) -> bool:
    """Return whether a key is the annotation of a Secret, or of what holds one, with an undo record, which holds earlier values."""
    return name.startswith(names.RECORD) and path[-2:] == ("metadata", "annotations") and holds_secret(get(data, path[:-2]))


def _whole(node: Node, path: Path) -> Iterator[tuple[Node, Path]]:
    """Yield a node and the targets of its aliases."""
    yield node, path
    for inner in walk(node):
        if inner.kind == "alias":
            yield from _whole(inner.target, path)


def _outermost(spans: list[Span]) -> Iterator[Span]:
    end = -1
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.end > end:
            yield span
            end = span.end


def _line(text: str, line: _Region, here: Sequence[Span], scalars: Sequence[_Region]) -> str:
    """Return one line with `<hidden>` for each hidden value, and without comments behind the first of them."""
    begins, end = line
    shown, at = "", begins
    indent = text[begins : end - len(text[begins:end].lstrip(" "))]
    for span in here:
        shown += (text[at : span.start] if span.start >= at else indent) + HIDDEN
        at = min(span.end, end)
    comment = _comment(text, at, end, scalars)
    return shown + (text[at:end] if comment < 0 else text[at:comment].rstrip())


def _without_comments(text: str, what: Hidden, first: int) -> dict[int, str]:
    """Return the lines with a hidden comment, by number from `first`, as they may be shown."""
    shown: dict[int, str] = {}
    at = 0
    for number, line in enumerate(text.split("\n"), first) if what.silent else ():
        comment = _comment(text, at, at + len(line), what.scalars) if "#" in line else -1
        within = what.silent if line.lstrip(" ").startswith("#") else what.behind
        if comment >= 0 and any(start <= comment < end for start, end in within):
            shown[number] = f"{text[at:comment]}# {HIDDEN}"
        at += len(line) + 1
    return shown


def _comment(text: str, at: int, end: int, scalars: Sequence[_Region]) -> int:
    """Return where a comment begins in the rest of a line, -1 if there is none."""
    while (at := text.find("#", at, end)) >= 0:
        place = bisect_left(scalars, (at + 1,)) - 1
        if place < 0 or scalars[place][1] <= at:
            return at
        at += 1
    return -1


def _secrets(node: Node, path: Path, data: JSON) -> Iterator[Node]:
    if node.kind == "map":
        if is_secret_data(get(data, path)):
            yield node
            return
        for key, item in zip(node.keys, node.items, strict=True):
            yield from _secrets(item, (*path, decode.key_text(key)), data)
    elif node.kind == "list":
        for index, item in enumerate(node.items):
            yield from _secrets(item, (*path, index), data)


def _behind_values(text: str, secrets: Iterable[Node]) -> Iterator[_Region]:
    """Yield where comments behind values are hidden as well: below the keys of a Secret that hold its values."""
    for node in secrets:
        for key, item in zip(node.keys, node.items, strict=True):
            if decode.key_text(key) not in SHOWN and item.end > item.start:
                yield _end(text, key.end), _end(text, item.end)


def _above(text: str, at: int) -> int:
    """Return the beginning of the comment lines directly above a place."""
    start = text.rfind("\n", 0, at) + 1
    while start and _is_beside(text, above := text.rfind("\n", 0, start - 1) + 1, start - 1):
        start = above
    return start


def _below(text: str, at: int) -> int:
    """Return the end of the comment lines directly below a place."""
    end = _end(text, at)
    while end < len(text) and _is_beside(text, end + 1, below := _end(text, end + 1)):
        end = below
    return end


def _end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _is_beside(text: str, start: int, end: int) -> bool:
    line = text[start:end].strip()
    return not line or line.startswith("#")


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
        for entry in done.ran:
            masks = Masking(entry.outcome, show_secrets=show_secrets)
            for one in entry.outcome.decisions:
                if isinstance(one.item, New) and one.item.is_secret and one.leaf is not None and one.leaf.inner is not None:
                    known = self._known.setdefault((_identity(one.item.data), one.path), {})
                    hides = known.get(one.leaf.inner) is HIDDEN or masks.hides(one)
                    known[one.leaf.inner] = HIDDEN if hides else one.after

    def rows(self, item: Item, found: Hidden) -> dict[Path, list[Row]]:
        """Return the lines of each text of an item, by place; none for a text that no function wrote, or that is not a map."""
        if names.MADE_BY not in item.marks:
            return {}
        paths = (span.path for span in found.spans or ())
        known = {path: self._known.get((_identity(item.data), path), {}) for path in paths}
        values = {path: values_at(item.data, path) for path, decided in known.items() if decided and () not in decided}
        return {
            path: [*self._rows(value, (), "", known[path], _parents(known[path]))] for path, value in values.items() if value
        }

    def _rows(self, value: JSON, path: Path, indent: str, known: _Values, above: set[Path]) -> Iterator[Row]:
        """Yield the lines of a map or list that is not empty. known: what steps decided; keys that none did may come from a Secret as well."""
        entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        unknown: dict[str | int, JSON] = {}
        for key, below in entries:
            at = (*path, key)
            begin = f"{indent}-" if isinstance(key, int) else f"{indent}{emit.scalar(key)}:"
            is_decided = at in known
            has_lines = isinstance(below, (dict, list)) and bool(below) and not is_decided
            if has_lines and (at in above or (self._shows and isinstance(below, dict))):
                yield Row(at, begin)
                yield from self._rows(below, at, f"{indent}  ", known, above)
            elif self._shows or is_decided:
                shows = self._shows or (known[at] is not HIDDEN and emit.flow(known[at]) == emit.flow(below))  # type: ignore[arg-type]
                yield Row(at, begin, emit.flow(below), not shows)
            else:
                unknown[key] = below
        if unknown:
            yield Row((*path, ""), f"{indent}{HIDDEN}:", emit.flow([*unknown, *unknown.values()]), hides=True)


def _parents(values: _Values) -> set[Path]:
    return {path[:size] for path in values for size in range(len(path))}


def _identity(data: JSON) -> _Identity:
    kind, _, namespace, name = header_of(data)
    return str(get(data, ("apiVersion",))), kind, namespace, name


def decoded_lines(
    text: str,
    found: Hidden,
    own: Mapping[Path, list[Row]],
    other: Mapping[Path, list[Row]],
    side: str,
    *,
    kept: Container[Path] = (),
) -> dict[int, list[Pair]]:
    """Return what is compared and printed in place of the lines that hold such texts, by number from 0.

    side: names the state. kept: the places of the texts that are equal in both states.
    """
    return {
        text.count("\n", 0, span.start): [
            *_spread(line, own[span.path], other.get(span.path, []), side, is_kept=span.path in kept)
        ]
        for span in found.spans or ()
        if span.path in own and (line := _key(text, span)) is not None
    }


def held(text: str, found: Hidden) -> dict[Path, str]:
    """Return the hidden values of one document as they are written, by place."""
    return {span.path: text[span.start : span.end] for span in found.spans or ()}


def _key(text: str, span: Span) -> str | None:
    """Return the line of a value up to the value; None if it is not a key of a block map with its value on the same line."""
    start = text.rfind("\n", 0, span.start) + 1
    rest = text[span.end : _end(text, span.end)]
    is_one = "\n" not in text[span.start : span.end] and _REST.fullmatch(rest) and _KEY.fullmatch(text, start, span.start)
    return text[start : span.start].rstrip() if is_one else None


def _spread(begin: str, rows: list[Row], others: list[Row], side: str, *, is_kept: bool) -> Iterator[Pair]:
    """Yield the lines of a decoded text. Where it is only written in another form, its hidden values are as if they had changed."""
    before = {row.path: row for row in others}
    indent = " " * (len(begin) - len(begin.lstrip(" ")) + 2)
    is_same = not is_kept and [(row.path, row.value) for row in rows] == [(row.path, row.value) for row in others]
    is_plain = is_same and not any(row.hides for row in (*rows, *others))
    found = [_pair(row, None if is_same else before.get(row.path), side) for row in rows]
    head = f"{begin}  # decoded" + (", written in another form" if is_plain else "")
    yield (f"{head} {side}" if is_plain else head), head
    yield from ((compared, f"{indent}{shown}") for compared, shown in found)


def _pair(row: Row, other: Row | None, side: str) -> Pair:
    """Return a row as it is compared and printed; of a hidden value the signs before its lines say that it changed, and nothing else."""
    if not row.hides:
        text = f"{row.begin} {row.value}".rstrip()
        return text, text
    is_same = other is not None and bool(other.value) and other.value == row.value
    return f"{row.path} {HIDDEN} {'' if is_same else side}", f"{row.begin} {HIDDEN}"
