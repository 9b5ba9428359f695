"""Hides values from Secrets in messages about resources into which other functions wrote them.

Origins cover most values; this covers messages and objects without origins. The function plans a second time with stand-ins for the values,
and the findings of that plan replace those of the first one. So no value is shown, whatever it is, and nothing else is hidden because it
happens to equal one. A finding that occurs only with the real values (one that does not fit, for example) is reported without its quotations.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get, scalars
from krm_values._data.record import replace
from krm_values._data.scalars import text_of
from krm_values._krm.item import Item, Scalar
from krm_values._krm.plan import Finding, New, Note, Origin
from krm_values._krm.taint import HIDDEN, SHOWN, covers
from krm_values._run.generated import FROM, identity_of
from krm_values._yaml import decode
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._run.engine import Run
    from krm_values._run.state import Decision
    from krm_values._yaml.nodes import Node

    _Target: TypeAlias = tuple[object, ...]


_LONG = 6  # characters; what is shorter may be part of any word and is hidden in quotes only
_NOT_SHOWN = "is invalid; the message quotes a value from a Secret and is not shown"
_ANNOTATION = "/metadata/annotations/krm-values.dev~1"
_NAMED = ("name", "namespace", "annotations")  # of what an object is called; its annotations are the hosts' and ours
_QUOTED = re.compile(r'"[^"]*"|`[^`]*`')


class Redaction:
    """The findings and decisions of a function for items with stand-ins."""

    __slots__ = ("_decided", "_findings", "_made", "_notes", "_operations", "_texts")

    def __init__(self, items: Iterable[Item], entries: Iterable[object], run: Run) -> None:
        """Index a second plan. entries: the entries of the plan for items with stand-ins. run: the run that applied them."""
        texts = {text for item in items for text in _texts(item)}
        self._texts = tuple(text for text in texts if len(text) >= _LONG)
        self._findings: dict[_Target, list[Finding]] = {}
        self._notes: dict[str, list[Note]] = {}
        for entry in entries:
            if isinstance(entry, Finding):
                self._findings.setdefault(_of_finding(entry), []).append(entry)
            elif isinstance(entry, Note):
                self._notes.setdefault(entry.topic, []).append(entry)
        self._decided = {_of_decision(one): holds_stand_in(one.after) for one in run.decisions()}
        self._made = {identity_of(new): run.state(new).data for new in run.news}
        self._operations: dict[_Target, list[dict[str, JSON]]] = {}
        for operation in run.operations(set()):
            self._operations.setdefault((operation["op"], operation["path"]), []).append(operation)

    def hidden(self, entries: list[Any]) -> list[Any]:
        """Return the entries of the plan for the real items, with findings and notes that may be shown."""
        counts = Counter(entry.topic for entry in entries if isinstance(entry, Note))
        self._notes = {topic: notes for topic, notes in self._notes.items() if len(notes) == counts[topic]}
        return [
            self._finding(entry) if isinstance(entry, Finding) else self._note(entry) if isinstance(entry, Note) else entry
            for entry in entries
        ]

    def hides(self, decision: Decision) -> bool:
        """Return whether a decided value is derived from a Secret's."""
        return self._decided.get(_of_decision(decision), True)

    def hides_in(self, made: New, path: Path) -> bool:
        """Return whether a value of a generated object is derived from a Secret's, also where no decision is about it."""
        found = get(self._made.get(identity_of(made), ABSENT), path, ABSENT)
        return found is ABSENT or holds_stand_in(found)

    def operations(self, found: Iterable[dict[str, JSON]]) -> list[dict[str, JSON]]:
        """Return RFC 6902 operations without scalars that derive from a Secret's value."""
        left = {key: [*operations] for key, operations in self._operations.items()}
        return [self._operation(one, left) if "value" in one else one for one in found]

    def _operation(self, found: dict[str, JSON], left: dict[_Target, list[dict[str, JSON]]]) -> dict[str, JSON]:
        value, path = found["value"], str(found["path"])
        if _ANNOTATION in path:
            return found
        if path.endswith("/items/-"):
            made = get(value, ("metadata", "annotations", FROM))
            return {**found, "value": _like(value, self._made.get(str(made), ABSENT), SHOWN)}
        like = left.get((found["op"], found["path"]))
        return {**found, "value": _like(value, like.pop(0)["value"] if like else ABSENT)}

    def _finding(self, finding: Finding) -> Finding:
        like = self._findings.get(_of_finding(finding))
        found = finding.found
        if like:
            twin = like.pop(0)
            return replace(
                finding,
                message=stand_ins_shown(twin.message),
                found=found if isinstance(found, Origin) else data_stand_ins_shown(twin.found),
                tags={key: stand_ins_shown(str(text)) for key, text in twin.tags.items()},
            )
        return replace(
            finding,
            message=self._blind(finding.message),
            found=found if isinstance(found, Origin) or found is None else HIDDEN,
            tags=dict.fromkeys(finding.tags, HIDDEN),
        )

    def _note(self, note: Note) -> Note:
        """Return the note at the same position in the other plan; all hidden if there is none: positions do not correspond then."""
        like = self._notes.get(note.topic)
        if not like:
            return replace(note, subject=HIDDEN, data=HIDDEN)
        twin = like.pop(0)
        return replace(note, subject=stand_ins_shown(twin.subject), data=data_stand_ins_shown(twin.data))

    def _blind(self, message: str) -> str:
        """Return a message without its quotations; `_NOT_SHOWN` if a piece of a value is elsewhere in it."""
        message = _QUOTED.sub(lambda found: f"{found[0][0]}{HIDDEN}{found[0][0]}", message)
        pieces = {message[at : at + _LONG] for at in range(len(message) - _LONG + 1)}
        return _NOT_SHOWN if any(piece in pieces for text in self._texts for piece in _pieces(text)) else message


def _like(value: Any, other: Any, shown: Iterable[str] = ()) -> Any:
    """Return a value without the scalars that are, or may be, derived from a stand-in of the other value. shown: keys that are kept."""
    if isinstance(value, dict):
        below = other if isinstance(other, dict) else {}
        return {
            key: inner
            if key in shown and key != "metadata"
            else _like(inner, below.get(key, ABSENT), _NAMED if shown and key == "metadata" else ())
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_like(inner, get(other, (index,), ABSENT)) for index, inner in enumerate(value)]
    return HIDDEN if value is not None and (other is ABSENT or holds_stand_in(other)) else value


def _of_finding(finding: Finding) -> _Target:
    target = _target(finding.item) if finding.item is not None else ()
    return finding.severity, finding.kind, finding.rule, target, tuple(stand_ins_shown(str(part)) for part in finding.path)


def _of_decision(decision: Decision) -> _Target:
    inner = decision.leaf.inner if decision.leaf is not None else None
    return _target(decision.item), decision.path, inner


def _target(item: Item | New) -> _Target:
    """Return the key of an item (its number) or of a generated object (its source)."""
    if not isinstance(item, New):
        return (item.number,)
    return (item.part, *(_target(item.source) if item.source is not None else ()))


def _texts(item: Item) -> Iterator[str]:
    """Yield every string at the places of an item, and its lines."""
    for path, value in scalars(item.data):
        text = text_of(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""
        if text.strip() and covers(item.withheld, path):
            yield text
            yield from map(str.strip, text.splitlines())


def _pieces(text: str) -> Iterator[str]:
    """Yield the shortest pieces by which a hidden string is recognized, also in base64 at any byte offset."""
    data = text.encode("utf-8", "surrogatepass")
    for spelled in (text, *(b64encode(data[lead:]).decode().rstrip("=") for lead in range(3))):
        yield from (spelled[at : at + _LONG] for at in range(len(spelled) - _LONG + 1))


# Items whose values from Secrets are replaced by stand-ins, so that findings of a plan on them may be shown.
#
# A stand-in reveals nothing of the value that it replaces: neither characters nor length nor type. Of a string that is YAML, only maps, lists
# and keys stay, because readers need them.

_WORD = "standinq7zk"
_STANDS = re.compile(rf"{_WORD}[0-9]+z", re.IGNORECASE)


def stand_ins(items: list[Item], holding: Container[int]) -> list[Item]:
    """Return the same items; those with the numbers in `holding`, which have values from Secrets, with stand-ins. The others are not read."""
    return [_of(item) if item.number in holding else item for item in items]


def stand_ins_shown(text: str) -> str:
    """Return a message of a plan on such items, with `<hidden>` for each stand-in."""
    return _STANDS.sub(HIDDEN, text)


def data_stand_ins_shown(value: Any) -> Any:
    """Return data of such a plan, with `<hidden>` for each string that contains a stand-in."""
    if isinstance(value, dict):
        return {stand_ins_shown(key): data_stand_ins_shown(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [*map(data_stand_ins_shown, value)]
    return HIDDEN if holds_stand_in(value) else value


def holds_stand_in(value: object) -> bool:
    """Return whether a value contains a stand-in."""
    if isinstance(value, (dict, list)):
        return any(map(holds_stand_in, [*value, *value.values()] if isinstance(value, dict) else value))
    return isinstance(value, str) and _WORD in value.lower()


def _of(item: Item) -> Item:
    number = iter(range(item.number * 1_000_000, (item.number + 1) * 1_000_000))

    def stand_in() -> str:
        return f"{_WORD}{next(number)}z"

    data = _replaced(item.data, (), item.withheld, stand_in)
    reading = item.reading

    def scalar(path: Path) -> Scalar | None:
        found = reading.scalar(path)
        return Scalar(stand_in(), plain=False, line=found.line) if found and covers(item.withheld, path) else found

    return item.seen_as(replace(reading, data=data, scalar=scalar), writers=item.writers)


def _replaced(value: Any, path: Path, found: tuple[Path, ...], stand_in: Callable[[], str]) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(inner, (*path, key), found, stand_in) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, (*path, index), found, stand_in) for index, inner in enumerate(value)]
    if value is None or not covers(found, path):
        return value
    return _of_text(value, stand_in) if isinstance(value, str) else stand_in()


def _of_text(text: str, stand_in: Callable[[], str]) -> str:
    """Return a string with stand-ins; in block YAML each scalar is replaced on its own line."""
    if "\n" not in text:
        return stand_in()
    try:
        root = decode.parse(text)
    except InputError:
        return stand_in()
    if root.kind not in ("map", "list") or root.flow:
        return stand_in()
    for node in sorted(_values(root), key=lambda node: -node.start):
        text = text[: node.start] + _in_place(text[node.start : node.end], node, stand_in()) + text[node.end :]
    return text


def _values(root: Node) -> list[Node]:
    keys = {id(key) for node in walk(root) if node.kind == "map" for key in node.keys}
    return [node for node in walk(root) if node.kind == "scalar" and node.end > node.start and id(node) not in keys]


def _in_place(old: str, node: Node, new: str) -> str:
    """Return the stand-in as it is written in place of a node; the lines after it keep their numbers."""
    if node.style in ("|", ">"):
        old, end = old.rstrip("\n"), "\n" * (len(old) - len(old.rstrip("\n")))
    else:
        end = ""
    breaks = old.count("\n")
    return f'"{new}' + "\n" * breaks + " " * (node.column + 1) * bool(breaks) + '"' + end
