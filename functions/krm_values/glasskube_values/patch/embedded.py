"""Patches of YAML and JSON documents that a resource holds as strings: `/data/values.yaml»/ingress/host` (S33)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.diff import diff
from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import ABSENT, get, to_pointer
from krm_values._data.record import replace
from krm_values.glasskube_values.jsonpatch import pointers
from krm_values.glasskube_values.jsonpatch.apply import apply as apply_operation
from krm_values.glasskube_values.jsonpatch.pointers import SEPARATOR, PatchError

if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.edit.editor import Editor
    from krm_values.glasskube_values.jsonpatch.apply import Patched

MOST = 8_000_000
"""Characters of embedded documents that the patches of one resource may read."""
_DEEPEST = 10


def apply(
    document: JSON, op: str, pointer: str, value: JSON, *, create_parents: bool, limits: Limits
) -> tuple[Patched, tuple[Patched, ...], int]:
    """Apply an operation to a document within a string of another. Raises PatchError.

    pointer: to the string, `»`, and a pointer into its document, which may lead into a further string.
    Returns the change of the outer document, those of the inner ones, the outermost first, and how many characters were read.
    """
    if pointer.count(SEPARATOR) > _DEEPEST:
        raise PatchError("pointer", f"the path has more than {_DEEPEST} `{SEPARATOR}`")
    left, _, right = pointer.partition(SEPARATOR)
    path = _path(document, left)
    text, where = get(document, path), to_pointer(path)
    if not isinstance(text, str):
        raise PatchError("embedded", f"{where} is {pointers.kind_of(text)}, not a string with a document")
    try:
        editor = _editor(text, where, limits)
        found, read = _inner(editor.data, op, right, value, where, create_parents=create_parents, limits=limits)
        inner = found[0]
        new = text if inner.path is None else _edited(editor, inner.data, text, where)
    except PatchError as error:
        if error.kind != "embedded" or not _is_secret(document):
            raise
        raise PatchError("embedded", f"the string at {where} must be one YAML or JSON map or list that can be edited") from None
    outer = apply_operation(document, "replace", left, new) if inner.path is not None else replace(inner, data=document)
    return outer, found, read + len(text)


def _inner(
    data: JSON, op: str, pointer: str, value: JSON, where: str, *, create_parents: bool, limits: Limits
) -> tuple[tuple[Patched, ...], int]:
    try:
        if SEPARATOR in pointer:
            outer, found, read = apply(data, op, pointer, value, create_parents=create_parents, limits=limits)
            return (outer, *found), read
        return (apply_operation(data, op, pointer, value, create_parents=create_parents),), 0
    except PatchError as error:
        raise PatchError(error.kind, f"{error.message}, within {where}") from None


def _is_secret(document: JSON) -> bool:
    """Return whether it is a Secret, of whose strings no message may quote anything."""
    return isinstance(document, dict) and document.get("kind") == "Secret"


def _path(document: JSON, pointer: str) -> Path:
    """Return the path of an existing place. Raises PatchError."""
    path: Path = ()
    value = document
    for part in pointers.read(pointer):
        key = pointers.index(part) if isinstance(value, list) else part
        found = get(value, (key,), ABSENT) if key is not None else ABSENT
        if key is None or found is ABSENT:
            raise PatchError("missing", f"{to_pointer((*path, part))} does not exist")
        path, value = (*path, key), found
    return path


def _editor(text: str, where: str, limits: Limits) -> Editor:
    """Return the editor of the document in a string. Raises PatchError unless it is one map or list."""
    from krm_values._golang.encoding_json import is_json  # noqa: PLC0415 - few targets lead into strings
    from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415

    try:
        editor = Editor(text, is_json=is_json(text), limits=limits)
    except InputError as error:
        place = f"line {error.line}: " if error.line else ""
        raise PatchError(
            "embedded", f"the string at {where} must be one YAML or JSON document: {place}{error.message}"
        ) from None
    if not isinstance(editor.data, dict | list):
        kind = pointers.kind_of(editor.data)
        raise PatchError("embedded", f"the string at {where} must hold a YAML or JSON map or list, it holds {kind}")
    return editor


def _edited(editor: Editor, data: JSON, text: str, where: str) -> str:
    """Return the text with `data` instead of what it holds: only the differences are edited."""
    if not _can_merge(editor.data, data):
        return _written(data, text)
    try:
        for edit in list(diff(editor.data, data)):
            editor.make(edit)
        return editor.text()
    except EditError as error:
        raise PatchError("embedded", f"the string at {where} cannot be edited: {error.message}") from None


def _can_merge(old: JSON, new: JSON) -> bool:
    """Return whether the editor can make one document of another: both must be maps, or both lists."""
    return all(isinstance(one, dict) for one in (old, new)) or all(isinstance(one, list) for one in (old, new))


def _written(data: JSON, old: str) -> str:
    """Return data as a text of the form of another one."""
    from krm_values._golang import encoding_json  # noqa: PLC0415
    from krm_values._kit.layers import values_text  # noqa: PLC0415

    return encoding_json.text(data) + "\n" if encoding_json.is_json(old) else values_text.write(data)
