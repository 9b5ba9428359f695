"""A document edited as functions edit it."""

from __future__ import annotations

from typing import Any

from krm_values._data.data_edits import Put
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor


def edited(text: str, *edits: Any, is_json: bool = False) -> str:
    editor = Editor(text, is_json=is_json)
    for edit in edits:
        editor.make(edit)
    result = editor.text()
    assert decode.to_data(decode.parse(result)) == editor.data
    return result


def put(path: str, value: Any, **how: Any) -> Put:
    return Put(at(path), value, **how)


def at(path: str) -> Any:
    return tuple(int(part) if part.isdigit() else part for part in path.split("/")) if path else ()
