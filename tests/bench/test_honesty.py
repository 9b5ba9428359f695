"""The bench is honest: extra work, waiting and a wrong result are noticed."""

from __future__ import annotations

import pytest

from tests.bench import figures, large, setting, start
from tests.bench.setting import Bench
from tests.hosts.machine import lacking

WORK = "import time\nuntil = time.process_time() + 0.030\nwhile time.process_time() < until: pass"
WAIT = "import time\ntime.sleep(0.3)"  # more than the slack of a machine three times slower


def verdicts(bench: Bench) -> dict[str, str]:
    known = figures.gates()
    return {figure.name: figures.verdict(figure, known[figure.name], quick=True) for figure in start.small(bench)}


def test_thirty_milliseconds_of_work_make_the_quick_bench_fail(tmp_path):
    found = verdicts(Bench(tmp_path, quick=True, prefix=WORK))
    assert found["G1"] == figures.WORSE
    assert figures.failed(found["G1"], quick=True)


def test_waiting_makes_the_row_of_wall_time_fail(tmp_path):
    found = {figure.name: figure.ratio for figure in start.small(Bench(tmp_path, quick=True, prefix=WAIT))}
    assert found["wall"] > figures.gates()["wall"].gate * figures.SLACK


@pytest.mark.hosts
def test_cat_in_the_place_of_the_function_has_not_its_result(tmp_path):
    bench = Bench(tmp_path, quick=True)
    file = start.listed(bench, 10)
    try:
        go = setting.peer() or lacking("Go is not installed")
    except SystemExit as error:
        lacking(str(error))
    assert start.same(bench.ours(start.NAME), go, file).ratio == 0
    cat = start.same(["/bin/cat"], go, file)
    assert figures.verdict(cat, figures.gates()["same"], quick=True) == figures.WORSE


def test_the_environments_can_be_measured_again(tmp_path):
    (tmp_path / "krm-values").touch()  # the command itself is not needed
    first, second = (large._command(Bench(tmp_path, quick=True), 1) for _ in range(2))
    assert first.argv == second.argv


def test_a_row_that_falls_short_makes_the_whole_bench_fail():
    slow, fast = (figures.Figure("G1", "what", value, "yardstick", 1.0) for value in (1000.0, 0.1))
    said: list[str] = []
    assert figures.report([slow, fast], quick=False, as_json=False, say=said.append)
    assert figures.SHORT in said[-2]
    assert not figures.report([fast], quick=False, as_json=True, say=said.append)


def test_no_gate_is_recorded_as_nothing():
    assert all(gate.recorded >= 0 and gate.gate >= 0 for gate in figures.gates().values())
