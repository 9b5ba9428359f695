"""What people see: nothing that a terminal or a log would act on, and one place where it is escaped."""

from __future__ import annotations

import ast
import io
import json
import sys
from pathlib import Path

import pytest

from krm_values._data import pointer, shown
from krm_values._data.errors import InputError, InputsError
from krm_values._explain.diff import print_diff
from krm_values._krm import filenames, findings
from krm_values._krm.item import Header, Item, Position, Reading, position_of
from krm_values._krm.plan import Finding
from krm_values._run import terminal
from krm_values._run.terminal import progress
from krm_values._run.unified_diff import unified

SOURCE = Path(__file__).parents[2] / "functions" / "krm_values"
ALL = "\x1b]0;x\x07\r\n\t\u202e\x00\x7f\x85\u2028\ufeff\U000e0041\udc80"
SEEN = "\\x1b]0;x\\x07\\r\\n\\t\\u202e\\x00\\x7f\\x85\\u2028\\ufeff\\U000e0041\\udc80"
PRINTING = {
    "_cli/inputs.py": "`printable`, `json_text`",
    "_cli/arguments/completion.py": "our own scripts",
    "_cli/complete.py": "`str.isprintable` for each candidate",
    "_fleet/render.py": "`printable` for each line of the table",
    "_fleet/ask.py": "`printable` for each line, `json_text`",
    "testing.py": "a schema, for the developer who asks for it",
    "_fleet/job.py": "a manifest of our own making; the image is a quoted scalar",
    "_explain/diff.py": "`lines` on a terminal; elsewhere the bytes of files, so that the patch can be applied",
    "_explain/explain.py": "`json_text`, and the blocks",
    "_explain/compare.py": "`printable` for each line, `json_text`, code spans",
    "_explain/impact.py": "a line feed; the diff as `render --diff` prints it",
    "_explain/composed.py": "`emit` for each value, `printable` for each comment",
    "_explain/why.py": "`printable`",
    "_explain/layers.py": "`printable` for each cell",
    "_explain/where.py": "`printable` for each cell",
    "_cli/main.py": "flushes only",
    "_cli/manual.py": "our own manuals and schemas",
    "_cli/kustomize.py": "where a plugin file was written, below the user's own directory",
    "_explain/text.py": "`printable` for each cell",
    "_run/report.py": "`plain`, `lines`",
    "_run/terminal.py": "a bar with our own words",
    "envgene_sd/repository/run.py": "`printable`, `lines`, JSON in ASCII",
    "glasskube_values/files.py": "`json_text`",
}
"""Every module that prints, and what keeps control characters away."""


def test_what_is_not_seen_is_escaped_and_the_rest_stays():
    assert shown.printable(ALL) == SEEN
    assert shown.printable("Größe 数 😀 «x» \\x1b") == "Größe 数 😀 «x» \\x1b"
    assert shown.printable("") == ""


def test_lines_keep_line_feeds_and_tabs():
    assert shown.lines("a\n\tb\x1b\r\n") == "a\n\tb\\x1b\\r\n"


def test_json_says_the_same():
    given = {"\u202e": ALL.replace("\udc80", "") + "ü😀"}
    text = shown.json_text(json.dumps(given, ensure_ascii=False, indent=2))
    assert json.loads(text) == given
    assert shown.lines(text) == text


def test_a_message_is_one_line_and_each_error_has_its_own(capsys):
    terminal.say_error(InputError(f"a{ALL}", 1, 2, f"f{ALL}"))
    terminal.say_error(InputsError(["a\nerror: forged", "b"]))
    assert capsys.readouterr().err == f"error: f{SEEN}:1:2: a{SEEN}\nerror: a\\nerror: forged\nerror: b\n"


def test_nothing_goes_to_stdout_where_stderr_is_closed(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    terminal.say("x")
    with progress("reading") as advance:
        advance()
    assert capsys.readouterr().out == ""


def test_findings_are_escaped_wherever_a_name_stands():
    """In the line on stderr and in `results`, which hosts print."""
    item = Item(
        0,
        Header("v1", f"K{ALL}", f"n{ALL}", f"m{ALL}"),
        lambda: Reading({}, {}, lambda _: None, lambda _: None),
        Position("", f"f{ALL}", 0, 1),
    )
    finding = Finding("error", "k", "1", f"said {ALL} of {{found}}", item, ("spec", f"a{ALL}"), f"v{ALL}", tags={"t": ALL})
    for text in (
        findings.line(finding),
        *_texts({**findings.as_result(finding), "field": {"path": findings.as_result(finding)["field"]["path"]}}),
    ):
        assert shown.printable(text) == text
        assert "\n" not in text
    line = findings.line(finding)
    assert line.count("\\x1b]0;x\\x07\\r") == 6
    assert "\\u001b]0;x" in line


def _texts(value):
    if isinstance(value, dict):
        return [text for key, inner in value.items() for text in (key, *_texts(inner))]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("a/b.yaml", "a/b.yaml"),
        ("a/ü.yaml", "a/ü.yaml"),
        ("a/\n+++ b/evil", '"a/\\n+++ b/evil"'),
        ('a/"\\', '"a/\\"\\\\"'),
        ("a/\x1b\u202e", '"a/\\033\\342\\200\\256"'),
    ],
)
def test_a_diff_spells_a_path_as_git_does(path, header):
    assert filenames.header(path) == header
    text = unified(path[2:], "a\n", "b\n")
    assert text.splitlines()[:2] == [f"--- {filenames.header('a/' + path[2:])}", f"+++ {filenames.header('b/' + path[2:])}"]


def test_a_diff_is_escaped_on_a_terminal_only():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    text = unified("a", "x\x1b\r\n", "y\u202e\r\n")
    piped, seen = io.StringIO(), Terminal()
    print_diff(text, piped, colours=False)
    print_diff(text, seen, colours=False)
    assert piped.getvalue() == text
    assert seen.getvalue() == "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\\x1b\\r\n+y\\u202e\\r\n"


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        ("a/b.yaml", ""),
        ("ü/-rf.yaml", ""),
        ("a.b/c..d.yaml", ""),
        ("../x", "inside the package"),
        ("/x", "inside the package"),
        ("a//x", "inside the package"),
        ("a/./x", "inside the package"),
        (".git/hooks/pre-commit", 'found string ".git"'),
        ("a/.github/x.yaml", 'found string ".github"'),
        ("..x.yaml", 'found string "..x.yaml"'),
        ("a\n.yaml", "control characters"),
        ("a\u202e.yaml", "control characters"),
        ("ab:c/de:.yaml", ""),
        ("a\\..\\x.yaml", "elsewhere on Windows"),
        ("a/\\x.yaml", "elsewhere on Windows"),
        ("C:x.yaml", 'found string "C:x.yaml"'),
        ("a/c:/x.yaml", 'found string "c:"'),
        ("a/" + "x" * 256, "found one of 256"),
        ("ü" * 128, "found one of 256"),
    ],
)
def test_where_a_new_file_may_not_be(path, wrong):
    found = filenames.wrong_with(path)
    assert wrong in found
    assert bool(found) == bool(wrong)


@pytest.mark.parametrize(("text", "index"), [("0", 0), ("12", 12), ("007", 7), ("9" * 9, 999_999_999)])
def test_an_index(text, index):
    assert pointer.index_of(text) == index


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1_0", "²", "٣", "1e3", "9" * 10, "9" * 5000])
def test_no_index(text):
    assert pointer.index_of(text) is None
    assert position_of({"config.kubernetes.io/index": text}).index == 0


def test_only_one_module_writes_to_stderr_and_each_that_prints_has_a_guard():
    found = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if _prints(path)}
    assert found == set(PRINTING)
    assert [path for path in sorted(SOURCE.rglob("*.py")) if _names_stderr(path)] == [SOURCE / "_run/terminal.py"]


def _prints(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("write", "writelines", "flush") and _is_stream(node.value):
            return True
        if isinstance(node, ast.Name) and node.id == "Console":
            return True
    return False


def _is_stream(node):
    if isinstance(node, ast.Name):
        return node.id == "out"
    names = [inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)]
    return "stdout" in names or "stderr" in names


def _names_stderr(path):
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == "stderr"
        and isinstance(node.value, ast.Name)
        and node.value.id == "sys"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )
