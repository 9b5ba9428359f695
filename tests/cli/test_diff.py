"""`render --diff`: one unified diff, comparing what is there and printing no secret."""

from __future__ import annotations

import io

import pytest

from krm_values._cli.diff import Masks, masks, print_diff, unified

SECRET = "apiVersion: v1\nkind: Secret\nstringData:\n  user: anna\n  password: hunter2 # old\n  key: |\n    line one\n    line two\nother: 1\n"


def diff(old: str | None, new: str | None, *paths: tuple[str | int, ...]) -> str:
    return unified("a.yaml", old, new, masks(old or "", paths), masks(new or "", paths))


def test_a_changed_line_stands_among_three_lines_of_context():
    old = "".join(f"{n}\n" for n in range(9))
    assert diff(old, old.replace("4", "x")) == ("--- a/a.yaml\n+++ b/a.yaml\n@@ -2,7 +2,7 @@\n 1\n 2\n 3\n-4\n+x\n 5\n 6\n 7\n")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, "a: 1\n", "--- /dev/null\n+++ b/a.yaml\n@@ -0,0 +1 @@\n+a: 1\n"),
        ("a: 1\n", None, "--- a/a.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a: 1\n"),
        ("a: 1\n", "a: 1\n", ""),
        (
            "a: 1",
            "a: 1\n",
            "--- a/a.yaml\n+++ b/a.yaml\n@@ -1 +1 @@\n-a: 1\n\\ No newline at end of file\n+a: 1\n",
        ),
        ("a: 1\r\n", "a: 2\r\n", "--- a/a.yaml\n+++ b/a.yaml\n@@ -1 +1 @@\n-a: 1\r\n+a: 2\r\n"),
        (
            "a: x\u2028y\x0bz\n",
            "a: x\u2028y\x0bw\n",
            "--- a/a.yaml\n+++ b/a.yaml\n@@ -1 +1 @@\n-a: x\u2028y\x0bz\n+a: x\u2028y\x0bw\n",
        ),
    ],
    ids=["new", "removed", "equal", "no newline", "CRLF", "only LF ends a line"],
)
def test_forms(old, new, expected):
    assert diff(old, new) == expected


def test_a_secret_that_changes_is_seen_to_change_and_not_shown():
    new = SECRET.replace("hunter2", "hunter3").replace("line two", "line three")
    text = diff(SECRET, new, ("stringData", "password"), ("stringData", "key"))
    assert text == (
        "--- a/a.yaml\n+++ b/a.yaml\n@@ -2,8 +2,8 @@\n kind: Secret\n stringData:\n   user: anna\n"
        "-  password: <hidden>\n+  password: <hidden>\n   key: <hidden>\n     <hidden>\n-    <hidden>\n+    <hidden>\n other: 1\n"
    )


def test_a_secret_is_not_shown_as_context():
    text = diff(SECRET, SECRET.replace("other: 1", "other: 2"), ("stringData", "key"))
    assert "line" not in text
    assert "-other: 1\n+other: 2\n" in text


def test_what_cannot_be_read_is_hidden_whole():
    broken = "a: [hunter2\nb: 1\n"
    assert "hunter2" not in unified("a", broken, None, masks(broken, [("a",)]), Masks())


def test_masks_count_from_the_first_line_of_the_document():
    assert masks(SECRET, [("stringData", "password")], 10).spans == ((14, 14, 12),)


def test_colours_only_where_they_are_wanted():
    text = diff("a: 1\n", "a: 2\n")
    plain, coloured = io.StringIO(), io.StringIO()
    print_diff(text, plain, colours=False)
    print_diff(text, coloured, colours=True)
    assert plain.getvalue() == text
    assert "\x1b[31m-a: 1\x1b[0m\n\x1b[32m+a: 2\x1b[0m\n" in coloured.getvalue()
