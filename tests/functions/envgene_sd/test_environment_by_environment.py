"""`envgene process` plans one environment after the other: of each only its findings and changes are kept, and nothing is written before the last."""

from __future__ import annotations

import gc

from krm_values._krm.item import Item
from krm_values.envgene_sd.repository import process
from tests.functions.envgene_sd.test_files import lay

SPEC = {"SD_SOURCE_TYPE": "json", "SD_DATA": '{"applications": [{"version": "a:2", "deployPostfix": "p"}]}', "strict": False}
FULL = 'version: "2.1"\napplications:\n  - version: "a:1"\n    deployPostfix: p\n'


def _items() -> int:
    gc.collect()
    return sum(isinstance(one, Item) for one in gc.get_objects())


def _root(tmp_path, count):
    return lay(tmp_path, **{f"environments/east/e{n:02}/Inventory/solution-descriptor/sd.yaml": FULL for n in range(count)})


def test_no_resource_of_an_environment_is_kept(tmp_path):
    counts: list[int] = []
    step = process.step(_root(tmp_path, 12), dict(SPEC), create=True)
    done = process.processed(step, advance=lambda: counts.append(_items()))
    assert len(done.rows) == len(done.sunk) == len(counts) == 12
    assert len(done.findings) == 12, "each environment loses its header, and says so"
    assert max(counts) == counts[0]


def test_one_that_fails_at_the_end_leaves_nothing_to_write(tmp_path):
    root = _root(tmp_path, 3)
    last = root / "environments/east/e02/Inventory/solution-descriptor/sd.yaml"
    last.write_text("applications: [{version: a}]\n")
    done = process.processed(process.step(root, dict(SPEC), create=True))
    assert (done.failed, done.rows, done.sunk) == (True, (), ())
    assert [one.severity for one in done.findings].count("info") == 2


def test_a_finding_about_the_parameters_is_reported_once(tmp_path):
    spec = {**SPEC, "SD_DELTA": "false", "SD_REPO_MERGE_MODE": "basic-merge"}
    done = process.processed(process.step(_root(tmp_path, 4), spec, create=True))
    kinds = [one.result["tags"]["kind"] for one in done.findings]
    assert (kinds.count("deprecated-param"), kinds.count("ignored-param"), kinds.count("header-dropped")) == (1, 1, 4)


def test_very_many_findings_are_an_error_and_the_first_ones(tmp_path):
    step = process.step(_root(tmp_path, 1), {**SPEC, "SD_DELTA": "x"}, create=True)
    (one, *_) = process.processed(step).findings
    many = [type(one)("warning", f"warning: {number}", one.result, one.rank) for number in range(20_001)]
    first, *others = process.in_order(many)
    assert (first.severity, len(others)) == ("error", 20_000)
    assert "must not be more than 20,000 findings, found 20,001" in first.line
