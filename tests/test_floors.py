"""Which room may import which, and that there are no circles: `tests/floors.py` has the table; all offenders at once."""

from __future__ import annotations

import ast
import re

import pytest

from tests import floors
from tests.report import duplicates, sizes, words


@pytest.mark.parametrize("check", floors.CHECKS.values(), ids=floors.CHECKS)
def test_none(check):
    assert check() == []


@pytest.mark.parametrize("library", floors.OWN_LIBRARIES)
def test_the_example_of_a_library_runs(library):
    readme = (floors.SOURCES / floors.ROOT / library / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert "assert " in example
    exec(compile(example, f"{library}/README.md", "exec"), {})


def test_a_circle_is_found():
    assert floors._circle({"a": {"b"}, "b": {"a"}, "c": set()}) == ["a", "b"]


@pytest.mark.parametrize(
    "line",
    [
        *("path.write_text('a')", "path.write_bytes(b'a')", "open('a', 'w')", "path.open(mode='xb')", "open('a', 'r+')"),
        *(
            "path.chmod(0o755)",
            "os.chmod('a', 0)",
            "os.open('a', os.O_WRONLY)",
            "shutil.copy('a', 'b')",
            "os.symlink('a', 'b')",
        ),
    ],
)
def test_what_writes_a_file_is_found(line):
    assert any(floors._writes(node) for node in ast.walk(ast.parse(line)))


def test_what_reads_or_hides_a_value_itself_is_found():
    assert [ast.unparse(one) for one in floors._values(ast.parse("cell.value; shown.value(cell); cell.value is ABSENT"))] == [
        "cell.value"
    ]
    assert [one.value for one in floors._texts(ast.parse("'words'\nprint('<hidden>')"))] == ["<hidden>"]


@pytest.mark.parametrize("line", ["path[0] + 1", "one.path[at] - by", "(*path[:1], index + 1, *path[2:])"])
def test_what_computes_with_an_index_of_a_path_is_found(line):
    assert any(floors._shifts(node) for node in ast.walk(ast.parse(line)))


@pytest.mark.parametrize("line", ["(*path, len(found) - 1)", "path[1:] + rest", "len(path) - 1"])
def test_what_makes_a_path_is_not_taken_for_computing(line):
    assert not any(floors._shifts(node) for node in ast.walk(ast.parse(line)))


@pytest.mark.parametrize("line", ["open('a')", "path.open('rb')", "os.open('a', os.O_RDONLY)", "data.copy()", "edit.move(1)"])
def test_what_reads_is_not_taken_for_writing(line):
    assert not any(floors._writes(node) for node in ast.walk(ast.parse(line)))


def test_the_report_finds_words_and_repeated_lines():
    assert len(words.banned("is mended now\nthere is no file\nwhere it stands\n")) == 2
    body = "\n".join(f"    step_{number}()" for number in range(duplicates.MOST))
    assert duplicates.repeated({"a.py": body, "b.py": f"# other\n{body}\n"}) == [["a.py:1", "b.py:2"]]
    assert any(row.startswith("in all: ") for row in sizes.rows())
