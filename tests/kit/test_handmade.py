"""Twenty manifests as people write them, four edits on each: the diff shows the lines concerned and no others.

`handmade/edits.yaml` lists the edits, `handmade/NAME.diff` holds the four diffs.
"""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from krm_values._data.data_edits import Put, Remove
from krm_values._data.pointer import to_field
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor

if TYPE_CHECKING:
    from krm_values._data.data_edits import Edit

HERE = Path(__file__).parent / "handmade"
LISTED: dict[str, list[dict[str, Any]]] = yaml.safe_load((HERE / "edits.yaml").read_text("utf-8"))


def edit_of(listed: dict[str, Any]) -> Edit:
    """Return the edit of an entry; one without a value removes."""
    path = tuple(listed["path"])
    return Put(**{**listed, "path": path}) if "value" in listed else Remove(path)


EDITS = {name: [edit_of(one) for one in listed] for name, listed in LISTED.items()}


def diff_of(name: str) -> str:
    text = (HERE / name).read_bytes().decode()
    parts = []
    for edit in EDITS[name]:
        editor = Editor(text, is_json=name.endswith("json"))
        editor.make(edit)
        parts.append(f"{type(edit).__name__.lower()} {to_field(edit.path)}\n")
        changes = difflib.unified_diff(text.splitlines(keepends=True), editor.text().splitlines(keepends=True), n=0)
        parts += [line if line.endswith("\n") else line + "\n\\ no line end\n" for line in list(changes)[2:]]
    return "".join(parts).replace("\r", "\\r")


@pytest.mark.parametrize("name", EDITS)
def test_only_the_lines_concerned_differ(name):
    assert diff_of(name) == (HERE / name).with_suffix(".diff").read_text()


@pytest.mark.parametrize("name", EDITS)
def test_setting_what_stands_there_already_is_no_edit(name):
    text = (HERE / name).read_bytes().decode()
    editor = Editor(text, is_json=name.endswith("json"))
    assert not any(editor.put(path, value) for path, value in _leaves(decode.to_data(decode.parse(text))))
    assert editor.text() == text


def _leaves(data, path=()):
    yield path, data
    for part, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _leaves(value, (*path, part))
