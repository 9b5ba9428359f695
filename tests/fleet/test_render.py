"""`fleet render`: with any engine the tree, results, state and exit code of one package after the other."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

import krm_values
from tests.cli.packages import command, snapshot, write
from tests.fleet import made


def rendered(fleet, folder, *words):
    """Render a fleet; return exit code, stdout, results and state."""
    files = [folder / name for name in ("results", "state")]
    key = write(folder, {"key": "k" * 64}) / "key"
    given = ("--results", files[0], "--state", files[1], "--state-key", key)
    done = command("fleet", "render", ".", *words, *given, cwd=fleet)
    return done.returncode, done.stdout, *(file.read_bytes() for file in files)


@pytest.fixture(scope="module")
def expected(serial, tmp_path_factory):
    """What one process comes to, in the same and in the next run."""
    folder = tmp_path_factory.mktemp("expected")
    fleet = shutil.copytree(serial.source, folder / "fleet")
    return [rendered(fleet, folder, "--jobs", "1") for _ in range(2)]


@pytest.mark.parametrize("jobs", [2, 4])
def test_any_number_of_processes_comes_to_the_same(fleet, tmp_path, serial, expected, jobs):
    code, _, results, state = rendered(fleet, tmp_path, "--jobs", jobs)
    assert (code, results, state) == (1, *expected[0][2:])
    assert made.digest(fleet) == serial.tree
    code, _, results, state = rendered(fleet, tmp_path, "--jobs", jobs)
    assert (code, results, state) == (1, *expected[1][2:])
    assert made.digest(fleet) == serial.tree


@pytest.mark.parametrize("executor", [made.Serial, lambda: ThreadPoolExecutor(3)], ids=["serial", "threads"])
def test_any_executor_comes_to_the_same(fleet, serial, expected, executor):
    with executor() as given:
        done = krm_values.render_fleet(fleet, executor=given)
    assert made.digest(fleet) == serial.tree
    assert done.exit_code == 1
    assert done.rows == [json.loads(line) for line in expected[0][2].splitlines()]
    assert done.counts == {"changed": 54, "failed": 6}


def test_every_failure_is_reported_as_render_reports_it(serial, expected):
    rows = [json.loads(line) for line in expected[0][2].splitlines()]
    assert [row["package"] for row in rows] == sorted(row["package"] for row in rows)
    failed = [row for row in rows if row["status"] == "failed"]
    for row in failed:
        alone = command("render", serial.source / row["package"])
        assert (alone.returncode, row["changed"]) == (1, [])
        assert [f"{one['severity']}: {one['message']}" for one in row["findings"]] == alone.said.splitlines()
    assert {row["findings"][-1]["message"].split(":")[0] for row in failed} >= {"release.yaml", "run.yaml", "layers.yaml"}
    changed = next(row for row in rows if row["status"] == "changed")
    assert changed["changed"] == ["beacon-flux-values.yaml", "deployment.yaml", "run.yaml"]


def test_the_table_counts_and_names_what_failed(expected):
    out = expected[0][1].splitlines()
    assert out[:4] == ["packages  60", "changed   54", "failed     6", "first failures"]
    assert out[4].startswith("  failed  c000/app3 and 1 other: release.yaml:1:4: ")
    assert [line.split(": ")[0] for line in out[5:8]] == [
        "  failed  c001/app3 and 1 other",
        "  failed  c002/app3",
        "  failed  c003/app3",
    ]
    assert out[8] == "slowest"
    assert len(out) == 9 + 10


def test_what_is_unchanged_is_skipped_with_the_same_answer(expected):
    first, second = ([json.loads(line) for line in run[2].splitlines()] for run in expected)
    assert [row["status"] for row in second] == ["skipped" if row["status"] == "changed" else "failed" for row in first]
    assert [row["findings"] for row in second] == [row["findings"] for row in first]


def test_a_diff_writes_nothing_and_names_files_below_the_root(fleet, tmp_path):
    before = snapshot(fleet)
    done = command("fleet", "render", ".", "--diff", "--select", "c00[01]/app1", "--jobs", "1", cwd=fleet)
    assert done.returncode == 2, "no package has this name: brackets stand for themselves"
    done = command("fleet", "render", ".", "--diff", "--select", "*/app1", "--select", "c000/app2", "--jobs", "2", cwd=fleet)
    assert (done.returncode, snapshot(fleet)) == (1, before)
    names = [line.removeprefix("+++ b/") for line in done.stdout.splitlines() if line.startswith("+++ ")]
    assert names[:4] == [
        *(f"c000/app1/{name}.yaml" for name in ("beacon-flux-values", "deployment", "run")),
        "c000/app2/beacon-flux-values.yaml",
    ]
    assert done.stderr.splitlines()[:2] == ["packages  7", "changed   7"]


def test_fail_fast_begins_no_other_package(fleet, tmp_path):
    results = tmp_path / "results"
    done = command("fleet", "render", ".", "--fail-fast", "--jobs", "1", "--results", results, cwd=fleet)
    assert done.returncode == 1
    assert "not begun" in done.stdout
    assert len(made.rows(results)) < 60


def test_a_program_that_reads_stdout_is_not_told_more(fleet):
    done = command("fleet", "render", ".", "--quiet", "--jobs", "1", "--state", "state", "--select", "c000/app1", cwd=fleet)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("packages  1\nchanged   1\n")


def test_timings_have_every_package(fleet, tmp_path):
    file = tmp_path / "timings"
    command("fleet", "render", ".", "--select", "c001", "--jobs", "1", "--timings", file, cwd=fleet)
    found = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["package"] for row in found] == [f"c001/app{number}" for number in range(10)]
    assert all(row["seconds"] > 0 for row in found)


def test_an_edit_of_a_package_ends_its_skipping(fleet, tmp_path):
    rendered(fleet, tmp_path, "--jobs", "1", "--select", "c000/app1")
    edited = fleet / "c000/app1/deployment.yaml"
    edited.write_text(edited.read_text().replace("replicas: 3", "replicas: 4"))
    code, _, results, _ = rendered(fleet, tmp_path, "--jobs", "1", "--select", "c000/app1")
    assert (code, json.loads(results)["status"]) == (0, "changed")


def test_a_state_without_a_key_is_ignored_with_a_notice(fleet, tmp_path):
    done = command("fleet", "render", ".", "--select", "c000/app1", "--jobs", "1", "--state", tmp_path / "state", cwd=fleet)
    assert "warning: `--state` is ignored without `--state-key FILE`" in done.stderr
    assert not (tmp_path / "state").exists()


def test_a_state_is_for_its_owner_and_its_key_is_made(fleet, tmp_path):
    given = ("--state", tmp_path / "state", "--state-key", tmp_path / "key")
    command("fleet", "render", ".", "--select", "c000/app1", "--jobs", "1", *given, cwd=fleet)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("state", "key")] == [0o600, 0o600]
    (tmp_path / "state").write_text('{"package": 1}\n')
    done = command("fleet", "render", ".", "--select", "c000/app1", "--jobs", "1", *given, cwd=fleet)
    assert done.returncode == 1
    assert f"error: {tmp_path / 'state'}:1:1: must be JSON" in done.stderr


def test_another_key_or_option_ends_skipping(fleet, tmp_path):
    select = ("--select", "c000/app1", "--jobs", "1")
    rendered(fleet, tmp_path, *select)
    assert json.loads(rendered(fleet, tmp_path, *select)[2])["status"] == "skipped"
    assert json.loads(rendered(fleet, tmp_path, *select, "--skip-foreign")[2])["status"] == "same"


def test_a_step_of_others_is_never_skipped(fleet, tmp_path):
    folder = fleet / "c000/app1"
    write(folder, {"Kptfile": (folder / "Kptfile").read_text().replace("exec: krm-flux-values", "exec: cat")})
    for status in ("changed", "same", "same"):
        found = rendered(fleet, tmp_path, "--select", "c000/app1", "--jobs", "1", "--allow-exec")
        assert json.loads(found[2])["status"] == status
