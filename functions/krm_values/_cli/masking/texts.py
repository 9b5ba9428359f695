"""What must not be shown of a YAML or JSON text: the values of Secrets and those that came out of one, and the text's lines without them."""

from __future__ import annotations

from bisect import bisect_left

from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._kit.planner import names
from krm_values._kit.planner.withheld import HIDDEN, SHOWN, covers, is_secret_data, touches
from krm_values._yaml import decode
from krm_values._yaml.nodes import walk

TYPE_CHECKING = False
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
    """A value that is hidden: from where to where in the text, at which path of the data, and what it is there."""

    start: int
    end: int
    path: Path
    value: str


@record
class Hidden:
    """The hidden values of a text; None if it cannot be read, so that all of it is hidden. scalars: where its scalars are."""

    spans: tuple[Span, ...] | None
    scalars: tuple[tuple[int, int], ...] = ()


def hidden(text: str, found: Iterable[Path]) -> Hidden:
    """What is hidden of one document. found: where values came out of Secrets; those of Secrets, at any depth, are found here."""
    try:
        root = decode.parse(text)
        data = decode.to_data(root)
    except InputError:
        return Hidden(None)
    nodes = {(node.start, node.end): (node, path) for node, path in _hidden(root, (), data, tuple(found))}
    spans = [Span(node.start, node.end, path, _value(text, node)) for node, path in nodes.values() if node.end > node.start]
    scalars = sorted((node.start, node.end) for node in walk(root) if node.kind == "scalar") if spans else []
    return Hidden(tuple(_outermost(spans)), tuple(scalars))


def words(one: Hidden, other: Hidden) -> Mapping[Path, str]:
    """The word for each value that both documents hide: whether it changed."""
    first, second = ({span.path: span.value for span in side.spans or ()} for side in (one, other))
    return {path: UNCHANGED if first[path] == second[path] else CHANGED for path in first.keys() & second.keys()}


def lines(text: str, what: Hidden, told: Mapping[Path, str], first: int = 0) -> dict[int, str]:
    """The lines that show something hidden, by number, as they may be shown. first: the number of the text's first line."""
    shown: dict[int, str] = {}
    at = 0
    for number, line in enumerate(text.split("\n"), first):
        end = at + len(line)
        if what.spans is None:
            shown[number] = HIDDEN if line.strip() else line
        elif here := [span for span in what.spans if span.start < max(end, at + 1) and span.end > at]:
            shown[number] = _line(text, (at, end), [(span, told.get(span.path, HIDDEN)) for span in here], what.scalars)
        at = end + 1
    return {**shown, **_comments(text, what, first)}


def _hidden(node: Node, path: Path, data: JSON, found: Sequence[Path]) -> Iterator[tuple[Node, Path]]:
    """The nodes whose text is hidden; of an alias its target."""
    if covers(found, path):
        yield from _whole(node, path)
    elif node.kind == "alias":
        if touches(found, path) or _holds_secret(get(data, path)):
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
    """Whether a key is the annotation of a Secret with an undo record, which holds earlier values of it."""
    return name.startswith(_RECORD) and path[-2:] == ("metadata", "annotations") and is_secret_data(get(data, path[:-2]))


def _whole(node: Node, path: Path) -> Iterator[tuple[Node, Path]]:
    """A node, and what its aliases stand for."""
    yield node, path
    for inner in walk(node):
        if inner.kind == "alias":
            yield from _whole(inner.target, path)


def _holds_secret(data: object) -> bool:
    if isinstance(data, dict):
        return is_secret_data(data) or any(map(_holds_secret, data.values()))
    return isinstance(data, list) and any(map(_holds_secret, data))


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
    """One line: each hidden value as a word, and no comment behind the first of them."""
    begins, end = line
    shown, at = "", begins
    for span, word in here:
        before = text[at : span.start] if span.start >= at else _indent(text[begins:end])
        shown += before + word
        at = min(span.end, end)
    comment = _comment(text, at, end, scalars)
    return shown + (text[at:end] if comment < 0 else text[at:comment].rstrip())


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _comment(text: str, at: int, end: int, scalars: Sequence[tuple[int, int]]) -> int:
    """Where a comment begins in the rest of a line, -1 if there is none."""
    while (at := text.find("#", at, end)) >= 0:
        place = bisect_left(scalars, (at + 1,)) - 1
        if place < 0 or scalars[place][1] <= at:
            return at
        at += 1
    return -1


def _comments(text: str, what: Hidden, first: int) -> dict[int, str]:
    """Lines between hidden values that are comments: an earlier value may be in one."""
    shown: dict[int, str] = {}
    at = 0
    ends = (what.spans[0].start, what.spans[-1].end) if what.spans else (0, 0)
    for number, line in enumerate(text.split("\n"), first):
        if (
            ends[0] < at < ends[1]
            and line.lstrip(" ").startswith("#")
            and _comment(text, at, at + len(line), what.scalars) >= 0
        ):
            shown[number] = f"{_indent(line)}# {HIDDEN}"
        at += len(line) + 1
    return shown
