"""`render --diff`: one unified diff, comparing what is there and printing no secret."""

from __future__ import annotations

import io

import pytest

from krm_values._explain import masked_text
from krm_values._explain.diff import print_diff
from krm_values._run.unified_diff import unified

SECRET = "apiVersion: v1\nkind: Made\nstringData:\n  user: anna\n  password: hunter2 # old\n  key: |\n    line one\n    line two\nother: 1\n"


def diff(old: str | None, new: str | None, *paths: tuple[str | int, ...]) -> str:
    if not paths:
        return unified("a.yaml", old, new)
    one, other = (masked_text.hidden(text or "null", paths) for text in (old, new))
    return unified("a.yaml", old, new, masked_text.lines(old or "", one), masked_text.lines(new or "", other))


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


def test_a_value_that_changes_is_seen_to_change_and_not_shown():
    new = SECRET.replace("hunter2", "hunter3").replace("line two", "line three")
    text = diff(SECRET, new, ("stringData", "password"), ("stringData", "key"))
    assert text == (
        "--- a/a.yaml\n+++ b/a.yaml\n@@ -2,8 +2,8 @@\n kind: Made\n stringData:\n   user: anna\n"
        "-  password: <hidden>\n+  password: <hidden>\n"
        "   key: <hidden>\n     <hidden>\n-    <hidden>\n+    <hidden>\n other: 1\n"
    )


def test_a_value_that_does_not_change_has_no_sign():
    text = diff(SECRET, SECRET.replace("other: 1", "other: 2"), ("stringData", "key"))
    assert "line" not in text
    assert "   key: <hidden>\n     <hidden>\n     <hidden>\n-other: 1\n+other: 2\n" in text


def test_a_value_that_is_written_otherwise_only_is_told_like_another_one():
    text = diff(SECRET, SECRET.replace("hunter2", "'hunter2'"), ("stringData", "password"))
    assert "-  password: <hidden>\n+  password: <hidden>\n" in text


def test_a_new_value_and_one_that_goes_are_hidden():
    with_one, without = "a: 1\npw: hunter2\n", "a: 1\n"
    assert "+pw: <hidden>\n" in diff(without, with_one, ("pw",))
    assert "-pw: <hidden>\n" in diff(with_one, without, ("pw",))


def test_what_cannot_be_read_is_hidden_whole():
    broken = "a: [hunter2\nb: 1\n"
    assert shown(broken, ("a",)) == "<hidden>\n<hidden>\n"


def test_lines_count_from_the_first_line_of_the_document():
    assert masked_text.lines(SECRET, masked_text.hidden(SECRET, [("stringData", "password")]), 10) == {
        14: "  password: <hidden>"
    }


def shown(text: str, *paths: tuple[str | int, ...]) -> str:
    told = masked_text.lines(text, masked_text.hidden(text, paths))
    return "\n".join(told.get(number, line) for number, line in enumerate(text.split("\n")))


PW = ("values", "pw")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("values: {host: h, pw: s3cret, port: 1}\n", "values: {host: h, pw: <hidden>, port: 1}\n"),
        ("values: {pw: 's3 # cret', host: 'a#b'} # was s3cret\n", "values: {pw: <hidden>, host: 'a#b'}\n"),
        ('{"values": {"pw": "s3cret", "host": "h"}}\n', '{"values": {"pw": <hidden>, "host": "h"}}\n'),
        ('{"values":\n  {"pw":\n "s3cret",\n "host": 1}}\n', '{"values":\n  {"pw":\n <hidden>,\n "host": 1}}\n'),
        ("values:\n  pw:\n    s3cret\n  host: h\n", "values:\n  pw:\n    <hidden>\n  host: h\n"),
        ("values:\n  pw: s3cret\n    and more\n  host: h\n", "values:\n  pw: <hidden>\n    <hidden>\n  host: h\n"),
        ('values:\n  pw: "s3\n\n    cret" # old\n  host: h\n', "values:\n  pw: <hidden>\n<hidden>\n    <hidden>\n  host: h\n"),
        ("values: {pw: 's3\n  cret', host: h}\n", "values: {pw: <hidden>\n  <hidden>, host: h}\n"),
        ("values:\n  pw: |-\n    s3\n\n    cret\n  host: h\n", "values:\n  pw: <hidden>\n    <hidden>\n<hidden>\n    <hidden>\n  host: h\n"),
        ("values:\n  pw: > # s3cret\n    s3\n    cret\n", "values:\n  pw: <hidden>\n    <hidden>\n    <hidden>\n"),
        ("values:\n  pw: &a s3cret\n  copy: *a\n", "values:\n  pw: <hidden>\n  copy: *a\n"),
        ("x: &a s3cret\nvalues:\n  pw: *a\n", "x: <hidden>\nvalues:\n  pw: <hidden>\n"),
        ("x: &a {pw: s3cret}\nvalues: *a\n", "x: &a {pw: <hidden>}\nvalues: *a\n"),
        ("x: &a {pw: s3cret}\nvalues: {<<: *a, host: h}\n", "x: &a {pw: <hidden>}\nvalues: {<<: *a, host: h}\n"),
        ("x: &a s3cret\nvalues: {pw: {in: [*a]}}\n", "x: <hidden>\nvalues: {pw: <hidden>}\n"),
        ("values:\n  ? pw\n  : s3cret\n  host: h\n", "values:\n  ? pw\n  : <hidden>\n  host: h\n"),
        ("values: {pw: {a: s3cret, b: [s3cret]}, c: 1}\n", "values: {pw: <hidden>, c: 1}\n"),
        ("values:\n  pw:\n    a: s3cret\n    # s3cret\n    b: s3cret\n  c: 1\n", "values:\n  pw:\n    <hidden>\n    # <hidden>\n    <hidden>\n  c: 1\n"),
        ("values: {pw: !!binary czNjcmV0}\n", "values: {pw: <hidden>}\n"),
        ("values:\r\n  pw: s3cret\r\n  host: h\r\n", "values:\r\n  pw: <hidden>\r\n  host: h\r\n"),
    ],
)  # fmt: skip
def test_whole_values_are_hidden_however_they_are_written(text, expected):
    assert shown(text, PW) == expected


HEAD = "apiVersion: v1\nkind: Secret\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "stringData:\n  a: s3cret\n  # s3cret\n  b: s3cret # s3cret\n",
        HEAD + "stringData: {a: s3cret, b: 's3cret'}\n",
        HEAD + 'data:\n  a:\n    "czNj\n    cmV0" # s3cret\n',
        HEAD + "data: &d\n  a: &x s3cret\n  b: *x\n",
        HEAD + "x-common: &d {a: s3cret}\nstringData: *d\n",
        HEAD + "x-common: &d {a: s3cret}\nstringData:\n  <<: *d\n  b: s3cret\n",
        HEAD + "stringdata:\n  a: s3cret\n",
        HEAD + "data: s3cret\n",
        HEAD + "data: [s3cret]\n",
        HEAD
        + "metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {s3cret}\nstringData: {}\n",
        "apiVersion: v1\nkind: List\nitems:\n- kind: Secret\n  apiVersion: v1\n  stringData:\n    a: s3cret\n- {kind: Secret, data: {b: s3cret}}\n",
        "apiVersion: x/v1\nkind: ClusterTemplate\nspec:\n  template: {kind: Secret, apiVersion: v1, stringData: {a: s3cret}}\n",
        "a: &s {kind: Secret, data: {b: s3cret}}\nitems: [*s]\n",
        "base: &b {stringData: {a: s3cret}}\nitems:\n- {<<: *b, kind: Secret}\n",
        "base: &b {stringData: {a: s3cret}}\nitems:\n- {<<: [*b], kind: Secret}\n",
        "{kind: Secret, stringData: {a: s3cret}, broken\n",
        '{"kind": "Secret", "apiVersion": "v1", "stringData": {"a": "s3cret"}}\n',
        "? kind\n: Secret\n? stringData\n: ? a\n  : s3cret\n",
    ],
)
def test_nothing_of_a_secrets_values_is_shown(text):
    assert "s3" not in shown(text)
    assert "cmV0" not in shown(text)
    assert "czNj" not in shown(text)


def test_what_else_a_secret_says_is_shown():
    text = HEAD + "type: Opaque\nmetadata: # the\n  name: s # name\nstringData: # all\n  user: s3cret\n"
    assert shown(text) == text.replace("s3cret", "<hidden>")


def test_colours_only_where_they_are_wanted():
    text = diff("a: 1\n", "a: 2\n")
    plain, coloured = io.StringIO(), io.StringIO()
    print_diff(text, plain, colours=False)
    print_diff(text, coloured, colours=True)
    assert plain.getvalue() == text
    assert "\x1b[31m-a: 1\x1b[0m\n\x1b[32m+a: 2\x1b[0m\n" in coloured.getvalue()


@pytest.mark.parametrize("kind", ["Secret", "ConfigMap"])
def test_the_undo_record_of_a_secret_is_hidden(kind):
    """It may hold an earlier value of the place that is hidden beside it."""
    record = 'krm-values.dev/undo.x: \'{"value":"hunter2"}\''
    text = f"apiVersion: v1\nkind: {kind}\nmetadata:\n  name: a\n  annotations:\n    {record}\n"
    found = masked_text.hidden(text, ())
    assert ("hunter2" in unified("a.yaml", None, text, {}, masked_text.lines(text, found))) == (kind == "ConfigMap")


PASSWORD = "O1dPassw0rd"
AUTHORED = f"""\
# {PASSWORD}
apiVersion: v1
kind: Secret # said
metadata: {{name: a#b}}
# {PASSWORD}
stringData:
  # {PASSWORD}
  host: h # {PASSWORD}
  empty: # {PASSWORD}
  values.yaml: |
    # {PASSWORD}
    port: 1 # {PASSWORD}
  #  password: {PASSWORD}
  last: # {PASSWORD}
# {PASSWORD}
"""


def listed(text: str) -> str:
    items = [text, "apiVersion: v1\nkind: ConfigMap # open\nmetadata: {name: c}\n"]
    indented = ["".join(f"  {line}" for line in one.splitlines(keepends=True)) for one in items]
    return "apiVersion: v1\nkind: Other # open\nitems:\n" + "".join(f"-\n{one}" for one in indented)


@pytest.mark.parametrize(
    "text", [AUTHORED, AUTHORED.replace("\n", "\r\n"), AUTHORED.replace("stringData", "data"), listed(AUTHORED)]
)
def test_no_comment_of_a_secret_is_shown(text):
    found = shown(text)
    assert PASSWORD not in found
    assert "name: a#b" in found
    assert found.count("open") == text.count("open")


@pytest.mark.parametrize("data", ["", "stringData:\n", "stringData: {}\n", "data:\n  a:\n"])
def test_nor_is_one_of_a_secret_without_values(data):
    assert PASSWORD not in shown(f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n{data}  # b: {PASSWORD}\n")


def test_the_names_in_a_reference_to_a_secret_are_shown():
    text = "valuesFrom:\n- kind: Secret\n  name: tp\n  valuesKey: pw\n  targetPath: auth.password\n"
    assert shown(text) == text
    assert "x1" not in shown("kind: Secret\nname: tp\npassword: x1\n")


def test_an_element_that_only_moved_did_not_change():
    old = "list:\n- pw: one\n- pw: two\n"
    text = diff(old, "list:\n- pw: two\n", ("list", 0, "pw"), ("list", 1, "pw"))
    assert "changed" not in text
    assert "two" not in text
