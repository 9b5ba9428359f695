"""One operation of a target on plain data: RFC 6902, with the pointers of RFC 6901."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.data_edits import same
from krm_values._data.pointer import ABSENT, parts_of, to_pointer
from krm_values._data.record import record
from krm_values._data.shown import type_of
from krm_values._data.values import FlowList

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON

OPS = ("add", "replace", "remove", "test")
"""The operations that a target can have."""
LEVELS = 200
"""Segments of a path; no reader accepts deeper collections."""
_PARENT, _WHOLE = "61", "68"
_PLACE = {"add": "62", "replace": "65", "remove": "66", "test": "67"}
"""The rule on a place that an operation does not find."""
_BAD_TILDE = re.compile("~(?![01])")
_NON_STANDARD_INDEX = re.compile("[+-][0-9]+|0[0-9]+")
_INDEX = re.compile("0|[1-9][0-9]*")
_DIGITS = 18  # more than any list has elements


class PatchError(Exception):
    """An operation that cannot be applied. kind: `op`, `pointer`, `index`, `missing`, `test` or `many`. message: quotes no value.

    rule: its number; None for `many`, a limit of krm-values.
    """

    def __init__(self, kind: str, rule: str | None, message: str) -> None:
        super().__init__(message)
        self.kind, self.rule, self.message = kind, rule, message


@record
class Patched:
    """A document after one operation.

    data: the new document; it shares unchanged parts with the old one, which is not modified. It need not be a map: the operation may
    have replaced it. path: of the value that was written or removed; None if nothing was (`test`).
    before: the value there before, ABSENT if there was none or the value was inserted. inserted: whether elements of a list moved up.
    """

    data: JSON
    path: Path | None
    before: JSON | Absent = ABSENT
    inserted: bool = False


def apply(document: JSON, op: str, path: str, value: JSON, *, create_parents: bool = False) -> Patched:
    """Return the document after an operation. Raises PatchError, which names the first missing segment.

    A missing leading slash is added. create_parents: `add` creates missing and null parents: lists before `-` and `0`, else maps.
    """
    check_op(op)
    parts = read(path)
    if not isinstance(document, (dict, list)) and (parts or op == "test"):
        raise PatchError(
            "missing", _PARENT if parts else _PLACE[op], f"the whole document is {_kind_of(document)}, not a map or a list"
        )
    if not parts:
        return _whole(document, op, value)
    return _Traversal(document, op, parts, creates=create_parents and op == "add").apply(value)


def check_op(op: str) -> None:
    """Raise PatchError for an operation that no target can have; upstream checks it before anything is applied."""
    if op in ("move", "copy"):
        raise PatchError("op", "56", f'{op} needs "from", which a target cannot have: it must be add, replace, remove or test')
    if op not in OPS:
        raise PatchError(
            "op", "56", f'"{op}" is not an operation: it must be add, replace, remove or test{suggest.hint(op, OPS)}'
        )


def read(path: str) -> tuple[str, ...]:
    """Return the decoded segments of a target's path, () for the whole document. Raises PatchError if it is not a pointer."""
    if path.count("/") > LEVELS:
        raise PatchError("pointer", "58", f"the path has more than {LEVELS} segments")
    if "»" in path:
        raise PatchError(
            "pointer",
            "58",
            f'"{path}" is not a JSON pointer: no target leads into a document within a string, and no name has `»`',
        )
    if _BAD_TILDE.search(path):
        raise PatchError("pointer", "58", f'"{path}" is not a JSON pointer: `~` must be written `~0`')
    return segments(path)


def segments(path: str) -> tuple[str, ...]:
    """Return the decoded segments of a path, whether or not it begins with a slash."""
    return parts_of(f"/{path.removeprefix('/')}") if path else ()


def index(segment: str) -> int | None:
    """Return a segment as an index; None for anything else."""
    return int(segment) if _INDEX.fullmatch(segment) and len(segment) <= _DIGITS else None


def non_standard_index(segment: str) -> str:
    """Return the rule by which json-patch reads a segment as an index and RFC 6902 does not; "" for any other segment."""
    if not _NON_STANDARD_INDEX.fullmatch(segment):
        return ""
    return "63" if segment[0] == "-" else "64"


def _whole(document: JSON, op: str, value: JSON) -> Patched:
    """Apply an operation to the document itself."""
    if op == "test":
        if not same(document, value):
            raise PatchError("test", _PLACE[op], "test of the whole document failed")
        return Patched(document, None)
    if op == "remove":
        raise PatchError("missing", _WHOLE, "the whole document cannot be removed")
    if not isinstance(value, (dict, list)):
        raise PatchError("missing", _WHOLE, f"the whole document must be a map or a list, found {type_of(value)}")
    return Patched(value, (), document)


class _Traversal:
    """The descent to a place: containers are copied as they are entered, so that the old document is not modified."""

    __slots__ = ("_at", "_creates", "_data", "_op", "_parts")

    def __init__(self, document: JSON, op: str, parts: tuple[str, ...], *, creates: bool) -> None:
        self._data, self._op, self._parts, self._creates = _copied(document), op, parts, creates
        self._at: list[str | int] = []

    def apply(self, value: JSON) -> Patched:
        """Enter every parent, then apply the operation to the last."""
        parent = self._data
        for number, part in enumerate(self._parts[:-1]):
            parent = self._enter(parent, part, self._parts[number + 1])
        key, before = self._place(parent, self._parts[-1])
        if self._op == "test":
            if before is ABSENT or not same(before, value):
                raise PatchError(
                    "test", _PLACE[self._op], f"test {to_pointer(self._parts)} failed: the value there is different"
                )
            return Patched(self._data, None)
        inserted = self._op == "add" and isinstance(parent, list) and key != len(parent)
        _operate(parent, self._op, key, value)
        return Patched(self._data, (*self._at, key), ABSENT if inserted else before, inserted)

    def _enter(self, parent: Any, part: str, following: str) -> Any:
        """Return the container at a segment, created if that is allowed."""
        key: str | int = part
        if isinstance(parent, list):
            key = self._element(parent, part, _PARENT, grows=self._creates)
        elif part not in parent and not self._creates:
            hint = "; set `createParents: true` to create it" if self._op == "add" else ""
            raise self._missing(_PARENT, f"{self._below(part)} does not exist{hint}")
        is_new = key == len(parent) if isinstance(parent, list) else key not in parent
        child = None if is_new else parent[key]
        self._at.append(key)
        if child is None and self._creates:
            child = [] if following in ("-", "0") else {}
        elif not isinstance(child, (dict, list)):
            raise PatchError("missing", _PARENT, f"{to_pointer(tuple(self._at))} is {_kind_of(child)}, not a map or a list")
        made = _copied(child)
        if is_new and isinstance(parent, list):
            parent.append(made)
        else:
            parent[key] = made
        return made

    def _place(self, parent: Any, part: str) -> tuple[str | int, JSON | Absent]:
        """Return the key or index of the last segment, and the value there (ABSENT if none)."""
        if isinstance(parent, list):
            key = self._element(parent, part, _PLACE[self._op], grows=self._op == "add")
            return key, parent[key] if key < len(parent) else ABSENT
        before = parent.get(part, ABSENT)
        if before is ABSENT and self._op != "add":
            raise self._missing(_PLACE[self._op], f"{self._below(part)}: no such member")
        return part, before

    def _element(self, parent: list[JSON], part: str, rule: str, *, grows: bool) -> int:
        """Return a segment as an index of a list. grows: whether the index after the last element is allowed, and `-` for it.

        rule: on an element that does not exist.
        """
        size = len(parent)
        if part == "-" and grows:
            return size
        if part == "-":
            raise self._missing(rule, '"-" is not an element of the list but the place after the last one')
        found = index(part)
        if found is None:
            raise self._missing(non_standard_index(part) or rule, f'"{part}" is not an index of the list', "index")
        if found >= size + grows:
            elements = f"{size} element{'s' * (size != 1)}"
            raise self._missing(rule, f"{self._below(part)}: index {found} is beyond the list of {elements}")
        return found

    def _below(self, part: str) -> str:
        return to_pointer((*self._at, part))

    def _missing(self, rule: str, reason: str, kind: str = "missing") -> PatchError:
        return PatchError(kind, rule, f"{self._op} {to_pointer(self._parts)}: {reason}")


def _operate(parent: Any, op: str, key: str | int, value: JSON) -> None:
    """Apply the operation in place."""
    import jsonpatch  # noqa: PLC0415 - makes the edit; what it would refuse has been refused, with a better message

    if op == "replace" and isinstance(parent, dict):
        op = "add"  # the same for a member; the library refuses to replace one that is named `-`
    jsonpatch.JsonPatch([{"op": op, "path": to_pointer((key,)), "value": value}]).apply(parent, in_place=True)


def _copied(value: JSON) -> JSON:
    """Return a shallow copy of a container; a scalar as it is."""
    if isinstance(value, list):
        return FlowList(value) if isinstance(value, FlowList) else list(value)
    return dict(value) if isinstance(value, dict) else value


def _kind_of(value: JSON) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case dict():
            return "a map"
        case list():
            return "a list"
    return "a number"
