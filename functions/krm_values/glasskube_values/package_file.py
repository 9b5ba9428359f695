"""The file of one Package: its values are set in place, every other byte stays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._kit.kio import documents
from krm_values._kit.process.arguments import LOCK_TIMEOUT
from krm_values._kit.process.below import read_named
from krm_values._kit.process.terminal import tell
from krm_values._kit.process.write import Change, clear, digest, locked, write
from krm_values._yaml.edit.editor import Editor
from krm_values.glasskube_values.packages import GROUP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.limits import Limits
    from krm_values._kit.kio.documents import Documents
    from krm_values._kit.planner.item import Item

_KINDS = ("Package", "ClusterPackage")
_VALUES = ("spec", "values")


def package_of(path: str, limits: Limits) -> tuple[bytes, Documents, Item]:
    """Return the content of a file and the one Package in it. InputError if there is none, or several."""
    content = read_named(path, limits)
    source = documents.read(content, path, limits=limits)
    found = [item for item in source.items if item.group == GROUP and item.kind in _KINDS]
    if len(found) != 1:
        raise InputError(f"must hold one Package or ClusterPackage, found {len(found)}", file=path)
    (item,) = found
    if item.reading and item.error:
        raise item.error
    return content, source, item


def manifest_name(item: Item) -> str:
    """Return the name of the manifest that a Package is of."""
    found = get(item.data, ("spec", "packageInfo", "name"))
    return found if isinstance(found, str) else ""


def edited(source: Documents, item: Item, values: Mapping[str, str]) -> bytes:
    """Return the file with these values as literals, in place of what the Package had under their names."""
    editor = Editor(source.text(item.number), is_json=source.is_json(item.number))
    for name, text in values.items():
        path = (*_VALUES, name)
        entry = get(editor.data, path)
        if not isinstance(get(editor.data, _VALUES), dict):
            editor.put(_VALUES, {name: {"value": text}})
        elif isinstance(entry, dict) and [*entry] == ["value"]:
            editor.put((*path, "value"), text)
        else:
            editor.put(path, {"value": text})
    return source.write({item.number: editor.text()}, frozenset(), [])


def store(path: str, old: bytes, new: bytes) -> bool:
    """Write a file that was read; whether anything changed."""
    if new == old:
        return False
    file = Path(path)
    with locked(file.parent, timeout=LOCK_TIMEOUT):
        tell(*(f"warning: {text}" for text in clear(file.parent, os.listdir(file.parent))))
        write(file.parent, [Change(file.name, digest(old), new)])
    return True
