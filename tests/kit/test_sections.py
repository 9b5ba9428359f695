"""The proof that lets the editor read only edited sections again: each of its conditions is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from krm_values._data import data_edits
from krm_values._data.errors import EditError, InputError
from krm_values._data.limits import DEFAULT, Limits
from krm_values._yaml import decode
from krm_values._yaml.edit import sections
from krm_values._yaml.edit.editor import Editor
from krm_values._yaml.edit.sections import CONDITIONS, Section

if TYPE_CHECKING:
    from krm_values._data.values import JSON

A, B = "a: 1\n", "b: 2\n"
WRONG: dict[str, tuple[str, str, str, str, JSON]] = {
    "_begins_alike": ("a: x\n", "k: 1\n", "  k: 2\n", B, 2),
    "_ends_its_line": (A, "k: 1\n", "k: 2", B, 2),
    "_ends_no_document": (A, "k: 1\n", "k: 2\n...\n", B, 2),
    "_has_lines": (A, "k: 1\n", "k: 2\x85...\n", B, 2),
    "_took_no_anchor": (A, "k: &x 1\n", "k: 2\n", "b: *x\n", 2),
    "_reads_as_meant": (A, "k: 1\n", "k: 3\n", B, 2),
}
"""A text in three parts, the second as it would be after an edit, and the value that it should have: all but one condition hold."""


def _section(before: str, after: str) -> Section:
    return Section("k", 0, len(before), len("k:"), before, after, "&" in before)


def _data(text: str) -> JSON:
    try:
        return decode.data(text)
    except InputError as error:
        return f"unreadable: {error.message}"


def _proved_without(name: str, section: Section, value: JSON) -> bool:
    return all(condition(section, value, DEFAULT) for condition in CONDITIONS if condition.__name__ != name)


def test_each_condition_has_such_a_text() -> None:
    assert [condition.__name__ for condition in CONDITIONS] == [*WRONG]


@pytest.mark.parametrize("name", [*WRONG])
def test_without_one_of_the_conditions_a_wrong_text_is_proved(name: str) -> None:
    above, before, after, below, value = WRONG[name]
    meant = _data(above + before + below)
    assert isinstance(meant, dict)
    assert not data_edits.same(_data(above + after + below), {**meant, "k": value})
    assert _proved_without(name, _section(before, after), value)
    assert not sections.is_proved(_section(before, after), value, DEFAULT)


def test_a_section_that_brings_an_anchor_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    section = _section("k: 1\n", "k: &x 2\n")
    assert _data("a: &x 1\n" + section.after + "b: *x\n") == {"a": 1, "k": 2, "b": 2}
    assert not sections.is_proved(section, 2, DEFAULT)
    monkeypatch.setattr(sections, "ordinary", lambda text, limits: decode.data(text, None, limits))
    assert sections.is_proved(section, 2, DEFAULT)


@pytest.mark.parametrize(
    ("after", "value"),
    [
        ('k: "2\n', 2),
        ("k: [2\n", [2]),
        ("k: {a: 2\n", {"a": 2}),
        ("k: *x\n", 1),
        ("k: !!str 2\n", "2"),
        ("k: 2\n---\n", 2),
        ("k: 2\nk: 2\n", 2),
        ("k: 2\nc: 3\n", 2),
        ("j: 2\n", 2),
        ("", 2),
    ],
)
def test_what_is_not_proved(after: str, value: JSON) -> None:
    assert not sections.is_proved(_section("k: 1\n", after), value, DEFAULT)


PROVED = [
    ("a: 1\nb: 2\n", lambda e: e.put(("a",), 3), "a: 3\nb: 2\n"),
    ("a: {x: 1}\n# c\nb: 2\n", lambda e: e.put(("a", "x"), 3), "a: {x: 3}\n# c\nb: 2\n"),
    ("  a:\n  - 1\n  - 2\n  b: |+\n    x\n\n", lambda e: e.remove(("a", 0)), "  a:\n  - 2\n  b: |+\n    x\n\n"),
    ("a: |+\n  x\n\nb:\n  c: 1\n", lambda e: e.put(("b", "c"), 2), "a: |+\n  x\n\nb:\n  c: 2\n"),
    ("a: x\n  y\nb: 'p\n\n  q'\nc: 1 # c\n", lambda e: e.put(("b",), "r"), "a: x\n  y\nb: r\nc: 1 # c\n"),
    ("a: 1\r\nb: 2\r\n", lambda e: e.put(("a",), 3), "a: 3\r\nb: 2\r\n"),
    ("a: &x 1\nb: *x\nc: 1\n", lambda e: e.put(("c",), 3), "a: &x 1\nb: *x\nc: 3\n"),
]
NOT_PROVED = [
    ("a: 1\nb: 2", lambda e: e.put(("a",), 3), "a: 3\nb: 2"),
    ("{a: 1,\nb: 2}\n", lambda e: e.put(("a",), 3), "{a: 3,\nb: 2}\n"),
    ("a:\n  x: 1\n  y: |+\n    t\n\nb: 1\n", lambda e: e.put(("a", "x"), 3), "a:\n  x: 3\n  y: |+\n    t\n\nb: 1\n"),
    ("- 1\n- 2\n", lambda e: e.put((0,), 3), "- 3\n- 2\n"),
    ("a: 1\nb: 2\n", lambda e: e.put(("c",), 3), "a: 1\nb: 2\nc: 3\n"),
    ("a: 1\nb: 2\n", lambda e: e.remove(("a",)), "b: 2\n"),
    ("a: 1\nb: 2\n", lambda e: (e.remove(("a",)), e.put(("a",), 3)), "b: 2\na: 3\n"),
    ("a: 1\n? b\n: 2\n", lambda e: (e.put(("a",), 3), e.put(("c",), 4)), "a: 3\n? b\n: 2\nc: 4\n"),
    ("a: &x\n  p: 1\nb: *x\n", lambda e: e.put(("b", "p"), 3), "a: &x\n  p: 1\nb:\n  p: 3\n"),
    ("a: 1\nb: &x {p: 1}\n<<: *x\n", lambda e: e.put(("p",), 3), "a: 1\nb: &x {p: 1}\n<<: *x\np: 3\n"),
    (
        "a: 1\nb: &x\n  p: 1\n  q: 2\nc: *x\n",
        lambda e: e.put(("b", "p"), 3),
        "a: 1\nb: &x\n  p: 3\n  q: 2\nc:\n  p: 1\n  q: 2\n",
    ),
    ("a:\n  p: &x 1\n  q: 2\nb: *x\n", lambda e: e.remove(("a", "p")), "a:\n  q: 2\nb: 1\n"),
]


REFUSED = [
    ("a: 1\nb:\u2028n: x\n", lambda e: e.put(("a",), 2)),
]


@pytest.fixture
def edited(text: str, edit: Callable[[Editor], object]) -> Editor:
    """An editor of the text with the edit."""
    editor = Editor(text)
    edit(editor)
    return editor


def _is_proved(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
    spliced: list[str] = []
    real = sections.spliced

    def recorded(*words: Any) -> str:
        spliced.append(real(*words))
        return spliced[-1]

    root = editor._root
    monkeypatch.setattr(sections, "spliced", recorded)
    proved = editor._proved(root) if root else ""
    text = editor.text()
    return proved == text == spliced[-1] if spliced else False, text


@pytest.mark.parametrize(("text", "edit", "expected"), PROVED)
def test_edits_of_which_only_a_section_is_read_again(edited: Editor, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_proved(edited, monkeypatch) == (True, expected)


@pytest.mark.parametrize(("text", "edit", "expected"), NOT_PROVED)
def test_edits_of_which_the_whole_is_read_again(edited: Editor, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    proved, found = _is_proved(edited, monkeypatch)
    assert not proved
    assert data_edits.same(_data(found), edited.data)
    assert found == expected or not expected


@pytest.mark.parametrize(("text", "edit"), REFUSED)
def test_edits_that_would_be_wrong_elsewhere_are_refused(edited: Editor) -> None:
    with pytest.raises(EditError):
        edited.text()


def test_only_edited_sections_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def recorded(text: str, limits: Limits) -> JSON:
        read.append(text)
        return decode.ordinary(text, limits)

    monkeypatch.setattr(sections, "ordinary", recorded)
    editor = Editor("a: 1\nb:\n  c: 1\nd: 2\n")
    editor.put(("b", "c"), 2)
    editor.put(("d",), 3)
    assert editor.text() == "a: 1\nb:\n  c: 2\nd: 3\n"
    assert read == ["b:\n  c: 2\n", "d: 3\n"]
