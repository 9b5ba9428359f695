"""The runner of mutants tells killed, surviving and unfit ones apart: `make mutants` runs those of the table."""

from __future__ import annotations

import pytest

from tests.mutants import table
from tests.mutants.__main__ import main
from tests.mutants.table import Mutant

MODULE = "def double(n):\n    return 2 * n\n\n\ndef half(n):\n    return n // 2\n"
TEST = "from krm_values._data.twice import double, half\n\n\ndef test_double():\n    assert (double(2), half(2)) == (4, 1)\n"


def one(line="return 2 * n", mutated="return 3 * n", file="_data/twice.py"):
    return Mutant("K99", file, line, mutated, ["tests/test_twice.py"])


@pytest.fixture
def project(tmp_path):
    """A project of one module and its test."""
    package = dict.fromkeys((f"{table.PACKAGE}/__init__.py", f"{table.PACKAGE}/_data/__init__.py", "pyproject.toml"), "")
    for path, text in {**package, one().path: MODULE, "tests/test_twice.py": TEST}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        (one("return 2 * m"), "does not have `return 2 * m`; the nearest is line 2: `return 2 * n`"),
        (one("class Twice:"), "does not have `class Twice:`"),
        (one(file="_yaml/twice.py"), "is not a file; it is in functions/krm_values/_data/twice.py"),
        (one(""), "has the line 3 times, at [3, 4, 7]: choose another"),
    ],
)
def test_a_line_that_is_not_there_once_is_named_with_the_nearest(project, row, hint):
    with pytest.raises(LookupError) as error:
        table.number(row, project)
    assert str(error.value) == f"K99: functions/krm_values/{row.file} {hint}"


def test_verdicts(project, capsys):
    rows = [one(), one(mutated="return n + n"), one(mutated="return 2 *")]
    assert main(["--jobs", "1"], project, rows) == 1
    killed, survived, broken, total = capsys.readouterr().out.splitlines()
    assert killed.startswith("K99  killed  ")
    assert killed.endswith("functions/krm_values/_data/twice.py:2  tests/test_twice.py::test_double")
    assert survived.startswith("K99  SURVIVED  ")
    assert survived.endswith("`return 2 * n` -> `return n + n`: tests/test_twice.py")
    assert broken.startswith("K99  NOT RUN  ")
    assert total == "1 of 3 killed"
    assert (project / one().path).read_text("utf-8") == MODULE


def test_rows_are_run_by_the_beginning_of_their_id(project, capsys):
    rows = [one(), one()._replace(id="L01"), one(mutated="return n + n")._replace(id="L02")]
    assert main(["K", "L01", "--jobs", "1"], project, rows) == 0
    *ran, total = capsys.readouterr().out.splitlines()
    assert ([line[:3] for line in ran], total) == (["K99", "L01"], "2 of 2 killed")
    with pytest.raises(SystemExit):
        main(["M"], project, rows)
    assert "no row begins with M" in capsys.readouterr().err


def test_tests_that_fail_without_a_mutant_are_refused(project, capsys):
    (project / "tests/test_twice.py").write_text(TEST.replace("4", "5"), "utf-8")
    assert main(["--jobs", "1"], project, [one()]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("the tests fail without a mutant:\n")
    assert "assert (4, 1) == (5, 1)" in found.err
