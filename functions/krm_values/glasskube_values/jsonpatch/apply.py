"""One operation of a target on plain data: RFC 6902, or exactly what evanphx/json-patch v5.9.11 does with it."""

from __future__ import annotations

from krm_values._data import suggest
from krm_values._data.pointer import ABSENT, to_pointer
from krm_values._data.record import record
from krm_values._data.shown import type_of
from krm_values._data.values import FlowList
from krm_values.glasskube_values.jsonpatch.equality import equal
from krm_values.glasskube_values.jsonpatch.pointers import PatchError, index, kind_of, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

__all__ = ["OPS", "PatchError", "Patched", "apply", "check"]

OPS = ("add", "replace", "remove", "test")
"""The operations that a target can have."""


@record
class Patched:
    """A document after one operation, and what became of it.

    data: the new document; it shares what was not touched with the old one, which is intact. It need not be a map: the operation may have
    swapped it. path: where the value stands now, or what was removed stood; None if nothing was touched (`test`, and upstream's leading
    double slash). before: what stood there, ABSENT if nothing or if the value was inserted before it. inserted: whether elements of
    a list moved up.
    """

    data: JSON
    path: Path | None
    before: JSON | object = ABSENT
    inserted: bool = False


def check(op: str) -> None:
    """PatchError for an operation that no target can have; upstream finds it before anything is applied."""
    if op in ("move", "copy"):
        raise PatchError("op", f'{op} needs "from", which a target cannot have: it must be add, replace, remove or test')
    if op not in OPS:
        raise PatchError("op", f'"{op}" is no operation: it must be add, replace, remove or test{suggest.hint(op, OPS)}')


def apply(
    document: JSON, op: str, path: str, value: JSON, *, profile: str = "recommended", create_parents: bool = False
) -> Patched:
    """The document after an operation. PatchError names the first segment that is not there.

    profile: `recommended` (RFC 6901 and 6902, a missing leading slash added) or `upstream`. create_parents: `add` makes maps of missing
    and null parents, or lists before `-` and `0`.
    """
    check(op)
    upstream = profile == "upstream"
    parts = read(path, upstream=upstream)
    if not isinstance(document, dict | list) and (parts or op == "test"):
        raise PatchError("missing", f"the whole document is {kind_of(document)}, not a map or a list")
    if not parts:
        return _whole(document, op, value, upstream=upstream)
    if upstream and len(parts) > 1 and parts[0] == "":
        _Walk(document, op, parts[1:], upstream=True, creates=False, nested=True).apply(value)
        return Patched(document, None)
    return _Walk(document, op, parts, upstream=upstream, creates=create_parents and op == "add").apply(value)


def _whole(document: JSON, op: str, value: JSON, *, upstream: bool) -> Patched:
    """An operation on the document itself."""
    if op == "test":
        if not equal(document, value, upstream=upstream):
            raise PatchError("test", "test of the whole document failed")
        return Patched(document, None)
    if op == "remove":
        if upstream and isinstance(document, dict) and "" in document:
            return _Walk(document, op, ("",), upstream=True, creates=False).apply(value)
        raise PatchError("missing", "the whole document cannot be removed")
    if not isinstance(value, dict | list) and not (upstream and op == "replace" and value is None):
        raise PatchError("missing", f"the whole document must be a map or a list, found {type_of(value)}")
    return Patched(value, (), document)


class _Walk:
    """The way to a place: containers are copied as they are entered, so that the old document stays as it is."""

    __slots__ = ("_at", "_creates", "_data", "_nested", "_op", "_parts", "_upstream")

    def __init__(
        self, document: JSON, op: str, parts: tuple[str, ...], *, upstream: bool, creates: bool, nested: bool = False
    ) -> None:
        self._data, self._op, self._parts = _copied(document), op, parts
        self._upstream, self._creates, self._nested = upstream, creates, nested
        self._at: list[str | int] = []

    def apply(self, value: JSON) -> Patched:
        """Enter every parent, then do the operation in the last."""
        parent = self._data
        for number, part in enumerate(self._parts[:-1]):
            parent = self._enter(parent, part, self._parts[number + 1])
        key, before = self._place(parent, self._parts[-1])
        path = (*self._at, key)
        if self._op == "test":
            self._test(before, value)
            return Patched(self._data, None)
        inserted = self._op == "add" and isinstance(parent, list) and key != len(parent)
        _operate(parent, self._op, key, value)
        return Patched(self._data, path, ABSENT if inserted else before, inserted)

    def _enter(self, parent: Any, part: str, following: str) -> Any:
        """The container behind a segment, made if that is allowed."""
        key: str | int | None = part
        if isinstance(parent, list):
            key = self._element(parent, part, grows=self._creates)
        elif part not in parent or (self._upstream and part == ""):
            key = part if self._creates else None
        if key is None:
            hint = "; set `createParents: true` to have it made" if self._op == "add" and not self._creates else ""
            raise self._missing(f"{self._below(part)} does not exist{hint}")
        is_new = key == len(parent) if isinstance(parent, list) else key not in parent
        child = None if is_new else parent[key]
        self._at.append(key)
        if child is None and self._creates:
            child = [] if following in ("-", "0") else {}
        elif not isinstance(child, dict | list):
            raise PatchError("missing", f"{to_pointer(tuple(self._at))} is {kind_of(child)}, not a map or a list")
        made = _copied(child)
        if is_new and isinstance(parent, list):
            parent.append(made)
        else:
            parent[key] = made
        return made

    def _place(self, parent: Any, part: str) -> tuple[str | int, JSON | object]:
        """The key or index of the last segment, and what stands there (ABSENT if nothing)."""
        if self._upstream and part == "" and self._op == "test":
            return part, None if self._nested or self._at else self._data
        if isinstance(parent, list):
            key = self._element(parent, part, grows=self._op == "add")
            return key, parent[key] if key < len(parent) else ABSENT
        before = parent.get(part, ABSENT)
        if before is ABSENT and self._op != "add":
            if self._upstream and (self._op == "test" or (self._op == "replace" and part == "")):
                return part, None if self._op == "test" else ABSENT
            raise self._missing(f"{self._below(part)}: no such member")
        return part, before

    def _element(self, parent: list[JSON], part: str, *, grows: bool) -> int:
        """A segment as an index of a list. grows: the one behind the last element is allowed, and `-` for it."""
        size = len(parent)
        if part == "-" and grows:
            return size
        if part == "-":
            raise self._missing('"-" is no element of the list: it is the place behind the last one')
        found = index(part, upstream=self._upstream)
        if found is None:
            raise self._missing(f'"{part}" is not an index of the list')
        at = found + size + grows if found < 0 else found
        if not 0 <= at < size + grows:
            elements = f"{size} element{'s' * (size != 1)}"
            raise self._missing(f"{self._below(part)}: index {found} is beyond the list of {elements}")
        return at

    def _test(self, before: JSON | object, value: JSON) -> None:
        if not equal(before, value, upstream=self._upstream):  # type: ignore[arg-type]
            raise PatchError("test", f"test {to_pointer(self._parts)} failed: another value stands there")

    def _below(self, part: str) -> str:
        return to_pointer((*self._at, part))

    def _missing(self, reason: str) -> PatchError:
        return PatchError("missing", f"{self._op} {to_pointer(self._parts)}: {reason}")


def _operate(parent: Any, op: str, key: str | int, value: JSON) -> None:
    """The operation itself, in place."""
    import jsonpatch  # noqa: PLC0415 - only where something is patched

    if op == "replace" and isinstance(parent, dict):
        op = "add"  # of a member the same; the library refuses to replace one that is named `-`
    jsonpatch.JsonPatch([{"op": op, "path": to_pointer((key,)), "value": value}]).apply(parent, in_place=True)


def _copied(value: JSON) -> JSON:
    """A container of its own with the same members."""
    if isinstance(value, list):
        return FlowList(value) if isinstance(value, FlowList) else list(value)
    return dict(value) if isinstance(value, dict) else value
