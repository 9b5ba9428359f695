"""The hidden values of a YAML or JSON text: those of Secrets and those from one; and the text's lines without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._explain import comments
from krm_values._kit.planner import names
from krm_values._kit.planner.withheld import HIDDEN, SHOWN, covers, is_secret_data, touches
from krm_values._yaml import decode
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.nodes import Node

_RECORD = f"{names.GROUP}/undo."
_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"  # a copy of the whole object
UNCHANGED, CHANGED = f"{HIDDEN}, unchanged", f"{HIDDEN}, changed"


@record
class Span:
    """A hidden value: its extent in the text, its path in the data, and the value."""

    start: int
    end: int
    path: Path
    value: str


@record
class Hidden:
    """The hidden values of a text; None if it cannot be read, so that all of it is hidden.

    scalars: the places of its scalars. silent: where whole-line comments are hidden as well, and behind: also comments behind values.
    """

    spans: tuple[Span, ...] | None
    scalars: tuple[tuple[int, int], ...] = ()
    silent: tuple[tuple[int, int], ...] = ()
    behind: tuple[tuple[int, int], ...] = ()


def hidden(text: str, found: Iterable[Path]) -> Hidden:
    """Return the hidden values of one document. found: the places of values from Secrets; values of Secrets themselves, at any depth, are found here."""
    try:
        root = decode.parse(text)
        data = decode.to_data(root)
    except InputError:
        return Hidden(None)
    nodes = {(node.start, node.end): (node, path) for node, path in _hidden(root, (), data, tuple(found))}
    spans = [Span(node.start, node.end, path, _value(text, node)) for node, path in nodes.values() if node.end > node.start]
    outermost, silent = tuple(_outermost(spans)), [*comments.on_lines(text, root, data)]
    if outermost:
        silent.append((outermost[0].start, outermost[-1].end))
    scalars = sorted((node.start, node.end) for node in walk(root) if node.kind == "scalar") if silent else []
    return Hidden(outermost, tuple(scalars), tuple(silent), tuple(comments.behind_values(text, root, data)))


def words(one: Hidden, other: Hidden) -> Mapping[Path, str]:
    """Return the word for each value that both documents hide: whether it changed. Where list elements may have moved, none is marked as changed."""
    first, second = ({span.path: span.value for span in side.spans or ()} for side in (one, other))
    moved = first.keys() != second.keys()
    return {
        path: UNCHANGED if first[path] == second[path] else HIDDEN if moved and _is_element(path) else CHANGED
        for path in first.keys() & second.keys()
    }


def _is_element(path: Path) -> bool:
    return any(isinstance(part, int) for part in path)


def lines(text: str, what: Hidden, changes: Mapping[Path, str], first: int = 0) -> dict[int, str]:
    """Return the lines with hidden values, by number, as they may be shown. first: the number of the text's first line."""
    shown: dict[int, str] = {}
    at = 0
    for number, line in enumerate(text.split("\n"), first):
        end = at + len(line)
        if what.spans is None:
            shown[number] = HIDDEN if line.strip() else line
        elif here := [span for span in what.spans if span.start < max(end, at + 1) and span.end > at]:
            shown[number] = _line(text, (at, end), [(span, _word(text, span, changes)) for span in here], what.scalars)
        at = end + 1
    found = comments.lines(text, what.silent, what.behind, what.scalars, first)
    return {**found, **shown, **{number: line for number, line in found.items() if line.lstrip(" ").startswith("#")}}


def _word(text: str, span: Span, changes: Mapping[Path, str]) -> str:
    """Return the word for a hidden value. For one of several lines it does not say "changed", because some lines may be equal; the sign before each line shows that."""
    word = changes.get(span.path, HIDDEN)
    return HIDDEN if word == CHANGED and "\n" in text[span.start : span.end].rstrip("\n") else word


def _hidden(node: Node, path: Path, data: JSON, found: Sequence[Path]) -> Iterator[tuple[Node, Path]]:
    """Yield the nodes whose text is hidden; for an alias its target."""
    if covers(found, path):
        yield from _whole(node, path)
    elif node.kind == "alias":
        if touches(found, path) or comments.holds_secret(get(data, path)):
            yield from _hidden(node.target, path, data, found)
    elif node.kind == "list":
        for index, item in enumerate(node.items):
            yield from _hidden(item, (*path, index), data, found)
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
    elif name == _APPLIED or (of_secret and name not in SHOWN and item.kind != "map") or _is_record(name, path, data):
        yield from _whole(item, below)
    elif of_secret and name not in SHOWN:
        for inner, value in zip(item.keys, item.items, strict=True):
            yield from _whole(value, (*below, decode.key_text(inner)))
    else:
        yield from _hidden(item, below, data, found)


def _is_record(name: str, path: Path, data: JSON) -> bool:
    """Return whether a key is the annotation of a Secret, or of what holds one, with an undo record, which holds earlier values."""
    return name.startswith(_RECORD) and path[-2:] == ("metadata", "annotations") and comments.holds_secret(get(data, path[:-2]))


def _whole(node: Node, path: Path) -> Iterator[tuple[Node, Path]]:
    """Yield a node and the targets of its aliases."""
    yield node, path
    for inner in walk(node):
        if inner.kind == "alias":
            yield from _whole(inner.target, path)


def _value(text: str, node: Node) -> str:
    node = node.target if node.kind == "alias" else node
    return node.value if node.kind == "scalar" else text[node.start : node.end]


def _outermost(spans: list[Span]) -> Iterator[Span]:
    end = -1
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.end > end:
            yield span
            end = span.end


def _line(text: str, line: tuple[int, int], here: list[tuple[Span, str]], scalars: Sequence[tuple[int, int]]) -> str:
    """Return one line with a word for each hidden value, and without comments behind the first of them."""
    begins, end = line
    shown, at = "", begins
    for span, word in here:
        before = text[at : span.start] if span.start >= at else _indent(text[begins:end])
        shown += before + word
        at = min(span.end, end)
    comment = comments.begin(text, at, end, scalars)
    return shown + (text[at:end] if comment < 0 else text[at:comment].rstrip())


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]
