"""`make bench-record` writes gates.toml and the table of docs/performance.md, and nothing else of them."""

from __future__ import annotations

import shutil

import pytest

from tests.bench import figures, record
from tests.bench.figures import Figure

ROW = Figure("G1", "a run", 30, "another", 20)


@pytest.fixture
def files(tmp_path):
    """Copies of both files."""
    return {
        "gates": shutil.copy(record.GATES, tmp_path / "gates.toml"),
        "page": shutil.copy(record.PAGE, tmp_path / "performance.md"),
    }


def test_a_whole_run_replaces_the_table_of_the_page(files):
    record.save([ROW], whole=True, **files)
    before, _, rest = record.PAGE.read_text("utf-8").partition("<!-- bench -->\n")
    after = rest.partition("<!-- /bench -->\n")[2]
    found = files["page"].read_text("utf-8")
    assert found.startswith(before + "<!-- bench -->\n`make bench` (")
    assert found.endswith(
        f"| G1 | a run | another | 1.50 | {figures.ratio(figures.gates()['G1'].gate)} | pass |\n<!-- /bench -->\n" + after
    )
    assert after


def test_a_part_of_a_run_is_recorded_as_a_ratio_only(files):
    record.save([ROW], whole=False, **files)
    assert files["page"].read_bytes() == record.PAGE.read_bytes()
    before, after = (file.read_text("utf-8").splitlines() for file in (record.GATES, files["gates"]))
    (changed,) = (new for old, new in zip(before, after, strict=True) if new != old)
    assert changed.startswith('"G1" = {')
    assert changed.endswith(", recorded = 1.5 }")


def test_the_page_has_a_row_for_each_gate_of_a_whole_run():
    rows = {
        line.split(" | ")[0].removeprefix("| ") for line in record.PAGE.read_text("utf-8").splitlines() if line.startswith("| ")
    }
    assert {name for name in figures.gates() if not name.endswith("-quick")} - rows == set()
