"""Real manifests: on each document one label set, one scalar changed, one list element appended, and no other line touched."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import yaml as pyyaml

from krm_values._data import data_edits
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from tests import corpus
from tests.fuzz.edits import at, make, paths
from tests.fuzz.lines import stray
from tests.kit.reference import applied, read_11, typed


def documents(text: str) -> Iterator[tuple[str, Any]]:
    """The documents of a file with the comments above them, and their data; those that hold nothing are left out."""
    events: Any = pyyaml.parse(text, pyyaml.CLoader)
    starts = [event.start_mark.index for event in events if type(event) is pyyaml.DocumentStartEvent]
    for start, end in itertools.pairwise([0, *starts[1:], len(text)]):
        data = decode.to_data(decode.parse(text[start:end]))
        if data is not None:
            yield text[start:end], data_edits.copy(data)


def label(data: Any) -> tuple[Any, ...]:
    for path in (("metadata", "labels"), ("metadata",)):
        if isinstance(data, dict) and isinstance(at_or_none(data, path), dict):
            return (
                "put",
                (*path, "set") if len(path) > 1 else (*path, "labels"),
                "on" if len(path) > 1 else {"set": "on"},
                None,
            )
    return ("put", ("metadata",), {"labels": {"set": "on"}}, None)


def at_or_none(data: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        data = data.get(part) if isinstance(data, dict) else None
    return data


def scalar(data: Any) -> tuple[Any, ...]:
    leaves = [path for path in paths(data) if path and not isinstance(at(data, path), dict | list)]
    path = leaves[len(leaves) // 2]
    old = at(data, path)
    return ("put", path, (old.replace("\n", "!\n") if "\n" in old else "changed") if isinstance(old, str) else 4711, None)


def element(data: Any) -> tuple[Any, ...] | None:
    lists = [path for path in paths(data) if isinstance(at(data, path), list)]
    if not lists:
        return None
    path = lists[len(lists) // 2]
    here = at(data, path)
    return (
        "put",
        (*path, len(here)),
        {"name": "appended", "value": "7"} if here and isinstance(here[0], dict) else "appended",
        None,
    )


@corpus.needed
@pytest.mark.parametrize("path", corpus.FILES, ids=lambda path: str(path.relative_to(corpus.FOLDER)))
def test_one_edit_touches_its_lines_only_and_means_what_was_meant(path):
    text = path.read_bytes().decode()
    is_json = path.suffix == ".json"
    for document, data in documents(text):
        for edit in filter(None, (label(data), scalar(data), element(data))):
            check(document, data, edit, is_json=is_json)


def check(text: str, data: Any, edit: tuple[Any, ...], *, is_json: bool) -> None:
    editor = Editor(text, is_json=is_json)
    assert make(editor, edit)
    result = editor.text()
    assert typed(decode.to_data(decode.parse(result))) == typed(applied(data, edit))
    assert typed(read_11(result)) == typed(applied(read_11(text), edit))
    if not text.endswith("\n"):
        result = reopened(text, result)
    assert stray(text, edit, result) == ""
    changes = [line for line in difflib.ndiff(text.splitlines(), result.splitlines()) if line[:2] in ("- ", "+ ")]
    assert len(changes) <= 3 + 2 * str(at(applied(data, edit), edit[1])).count("\n") + 2 * isinstance(edit[2], dict)


def reopened(text: str, result: str) -> str:
    """A text that ended within a block scalar must say `|-` where `|` was once lines follow: that line is concerned too."""
    before, after = text.splitlines(), result.splitlines()
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        if old.endswith("|") and new == old + "-":
            return "\n".join([*after[:number], old, *after[number + 1 :]])
    return result
