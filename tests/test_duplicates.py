"""No run of twelve lines of code occurs twice in functions/, unless the reason is listed here."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "functions" / "krm_values"
MOST = 12
EXPLAINED = {
    "config_schema.py": "written by `make schemas` from each function's config.py, read without an import of another module",
    "upstream_fields.py": "tables of upstream's fields, one for each system",
}
"""Files that repeat lines of others of their name, and why."""


def lines(text):
    """Return (number, line) of the lines that count: no empty lines, comments, imports, nor brackets alone."""
    for number, line in enumerate(text.splitlines(), 1):
        bare = " ".join(line.split())
        if bare.strip("()[]{},:") and not bare.startswith(("#", "import ", "from ")):
            yield number, bare


def repeated(files):
    """Return the first places of each run of lines that occurs twice."""
    found = defaultdict(list)
    for path, text in files.items():
        counted = list(lines(text))
        for at in range(len(counted) - MOST + 1):
            run = tuple(line for _, line in counted[at : at + MOST])
            found[run].append(f"{path}:{counted[at][0]}")
    return [places for places in found.values() if len(places) > 1]


def test_no_code_is_in_two_places():
    files = {str(path.relative_to(SOURCE)): path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    assert repeated({path: text for path, text in files.items() if path.rpartition("/")[2] not in EXPLAINED}) == []


@pytest.mark.parametrize("name", EXPLAINED)
def test_each_explanation_is_of_files_that_exist(name):
    assert len(list(SOURCE.rglob(name))) > 1


def test_a_repeated_run_is_found():
    body = "\n".join(f"    step_{number}()" for number in range(MOST))
    assert repeated({"a.py": body, "b.py": f"# other\n{body}\n"}) == [["a.py:1", "b.py:2"]]
    assert repeated({"a.py": body, "b.py": body.replace("step_3", "other")}) == []
