"""References that a field or a param cannot take: whole arrays and objects in strings, unknown keys, missing elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values.tekton_params.params import a

if TYPE_CHECKING:
    from krm_values._data.suggest import Hints
    from krm_values.tekton_params.pipelines import Read
    from krm_values.tekton_params.scope.known import Known


def of_reference(read: Read, known: Known, hints: Hints) -> tuple[str, str] | None:
    """Return the kind of misuse and its message, or None."""
    ref = read.ref
    if not known.type or not known.shape.sure:
        return None
    if ref.key:
        return _key(read, known, hints)
    if known.type == "string":
        return None
    if ref.index.isdigit():
        return _index(read, known)
    return None if _takes_whole(read, known.type) else _whole(read, known.type)


def _key(read: Read, known: Known, hints: Hints) -> tuple[str, str] | None:
    ref, keys = read.ref, known.shape.keys
    if known.type != "object":
        return "no-object", f"{ref.name} is {a(known.type)} and has no keys"
    if keys is None or ref.key in keys:
        return None
    hint = hints.hint(ref.key, keys) if len(ref.key) > 2 else ""
    return "unknown-key", f"object {ref.name} has no key {ref.key}, its keys are {suggest.listed(keys) or 'none'}{hint}"


def _index(read: Read, known: Known) -> tuple[str, str] | None:
    ref, length = read.ref, known.shape.length
    if known.type == "object":
        return "no-array", f"{ref.name} is an object and has no elements; name a key"
    if length is None or (len(ref.index) < 10 and int(ref.index) < length):
        return None
    return "past-the-end", f"the list has {length} element{'' if length == 1 else 's'}, counted from 0"


def _whole(read: Read, kind: str) -> tuple[str, str]:
    ref, field = read.ref, read.field
    alone = field.text == ref.text
    if kind == "array" and field.place in ("word", "member") and not alone:
        return "glued-array", f"`{ref.text}` must be the whole entry, without other text"
    if alone and field.place == "whole" and kind == "array":
        return "whole-value", f"`{ref.text}` does not pass on the array; write the list `['{ref.text}']`"
    if alone and field.place == "whole":
        return "whole-value", f"`{ref.text}` does not pass on the object; write `$(params.{ref.name}[*])`"
    if kind == "array":
        return "whole-value", "a whole array may be used in `command` and `args` only; name an element here"
    return "whole-value", "a whole object may only be passed on; name a key here"


def _takes_whole(read: Read, kind: str) -> bool:
    """Return whether a whole array or object may be used here."""
    ref, place = read.ref, read.field.place
    if read.field.text != ref.text:
        return False
    if place == "whole":
        return ref.star
    if kind == "object":
        return False
    return place in ("word", "member", "list") or (place == "when" and ref.index == "*")
