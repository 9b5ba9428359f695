"""What `make test` runs: each test is in one part, thirty days cover the sampled ones, and nothing depends on how fast a machine is."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

from tests import daily
from tests.mutants import table

ROOT = Path(__file__).parents[1]
CLOCKS = {"monotonic", "perf_counter", "process_time", "time"}
READS_A_CLOCK = re.compile(rf"\b(?:{'|'.join(CLOCKS)})\(")


def test_thirty_days_run_each_sampled_test_once_and_every_other_daily(request):
    collected = request.config.stash[daily.ALL]
    parts = [part for _, part in collected]
    days = [daily.chosen(parts, day) for day in range(20_000, 20_000 + daily.DAYS)]
    runs = [sum(day[place] for day in days) for place in range(len(parts))]
    assert set(zip(parts, runs, strict=True)) <= {("daily", daily.DAYS), ("sampled", 1), ("rest", 0), ("turns", 0)}
    sampled = [sum(kept and part == "sampled" for kept, part in zip(day, parts, strict=True)) for day in days]
    assert max(sampled) - min(sampled) <= 1


def test_what_ci_runs_in_three_days_is_everything(request):
    parts = [part for _, part in request.config.stash[daily.ALL]]
    early = [daily.chosen(parts, day) for day in range(20_000, 20_003)]
    late = [daily.rest(parts, day, 3) for day in range(20_000, 20_003)]
    assert all(map(any, zip(*early, *late, strict=True)))
    assert not any(one and other for one, other in zip(early[0], late[0], strict=True))
    assert all(one != other for one, other in zip(early[0], daily.rest(parts, 20_000, 1), strict=True))


@pytest.mark.parametrize("place", [*daily.REST, *daily.SAMPLED, *daily.IN_TURNS])
def test_each_place_of_the_table_has_tests(place):
    path, _, test = place.partition("::")
    assert any(f"def {test or 'test_'}" in text for file, text in files_of_tests().items() if file.startswith(path))


@functools.cache
def files_of_tests() -> dict[str, str]:
    return {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")}


def test_the_tests_that_kill_mutants_run_daily():
    named = {test for row in table.read() for test in row.tests}
    assert {test: daily.part(test, hosts=False) for test in named} == dict.fromkeys(named, "daily")


def test_the_tests_that_kill_mutants_are_there():
    texts: dict[str, str] = {}
    for row in table.read():
        for test in row.tests:
            file, _, name = test.partition("::")
            text = texts.setdefault(file, (ROOT / file).read_text("utf-8"))
            wanted = f"id: {name}\n" if file.endswith(".yaml") else f"def {name.partition('[')[0]}"
            assert not name or wanted in text, f"{row.id}: {test}"


def test_the_line_of_each_mutant_is_there_once():
    """Without running any: a change that moves a line moves its row as well."""
    stale = []
    for row in table.read():
        try:
            table.number(row)
        except LookupError as error:
            stale.append(str(error))
    assert stale == []


def test_the_day_is_the_dates_or_the_one_that_is_given(pytester):
    pytester.makeconftest("pytest_plugins = ['tests.daily']")
    pytester.makepyfile("import pytest\n\n@pytest.mark.hosts\ndef test_a(): pass\n\ndef test_b(): pass\n")
    pytester.makeini("[pytest]\nmarkers = hosts")
    done = pytester.runpytest_inprocess("--daily", "--day", "31", "-p", "no:randomly")
    done.assert_outcomes(passed=1, deselected=1)
    done.stdout.fnmatch_lines(["0 of other days (this is day 1 of 30) and 1 that need more -> make test-all"])
    pytester.runpytest_inprocess("--rest", "--day", "31").assert_outcomes(passed=1, deselected=1)


def bounds(text: str) -> list[int]:
    """Return the lines of assertions that something takes less than a time."""
    if not READS_A_CLOCK.search(text):
        return []
    found = []
    for function in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)):
        names: set[str] = set()
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and _is_time(node.value, names):
                names |= {
                    target.id for target in ast.walk(node) if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
                }
        for check in (node for node in ast.walk(function) if isinstance(node, ast.Assert)):
            for compare in (node for node in ast.walk(check) if isinstance(node, ast.Compare)):
                sides = [compare.left, *compare.comparators]
                for operator, left, right in zip(compare.ops, sides, sides[1:], strict=False):
                    small = (
                        left
                        if isinstance(operator, ast.Lt | ast.LtE)
                        else right
                        if isinstance(operator, ast.Gt | ast.GtE)
                        else None
                    )
                    if small is not None and _is_time(small, names):
                        found.append(check.lineno)
    return found


def _is_time(node: ast.AST, names: set[str]) -> bool:
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    clocks = {
        ast.unparse(call.func).rpartition(".")[2]
        for call in calls
        if ast.unparse(call.func).partition(".")[0] in ("time", *CLOCKS)
    }
    return bool(clocks & CLOCKS) or any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


@pytest.mark.parametrize(
    "line",
    [
        "assert time.monotonic() - began < 2",
        "assert (1, perf_counter() - began < 2) == (1, True)",
        "took = time.time() - began\n    assert 2 >= took",
    ],
)
def test_an_upper_bound_on_a_time_is_found(line):
    assert bounds(f"def test():\n    began = time.monotonic()\n    {line}\n") != []


def test_no_test_asserts_an_upper_bound_on_a_time():
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert [f"{file.relative_to(ROOT)}:{line}" for file in files for line in bounds(file.read_text("utf-8"))] == []
