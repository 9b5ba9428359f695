"""`envgene process`: its parameters, what it prints, and that it writes all or nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from krm_values._krm.write import STAGED
from tests.conformance.instances import call, servers
from tests.functions.envgene_sd.test_files import APPS, EAST, WEST, held, lay

DATA = '{"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]}'
JSON = ["--sd-source-type", "json", "--sd-data", DATA]
LINE = b"east/prod-7 basic-merge: 0 added, 1 changed, 0 removed, 0 kept; Full SD written, Delta SD written\n"
BOTH = b"west/dev-1 basic-merge: 0 added, 1 changed, 0 removed, 0 kept; Full SD written, Delta SD written\n"
HERE = Path(__file__).parents[3]


@pytest.fixture
def root(tmp_path):
    return lay(tmp_path, **{f"{EAST}/sd.yaml": APPS, f"{WEST}/sd.yml": APPS})


def process(root, *options, **variables):
    return call(["process", str(root), *options], variables)


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        ([*JSON, "--environment", "east/prod-7"], {}),
        (["--environment", "east/prod-7"], {"SD_SOURCE_TYPE": "json", "SD_DATA": DATA}),
        ([], {"SD_SOURCE_TYPE": "JSON", "SD_DATA": DATA, "ENV_NAMES": "east/prod-7"}),
        ([*JSON, "--environment", "east/prod-7"], {"SD_SOURCE_TYPE": "artifact", "SD_DATA": "x", "ENV_NAMES": "west/dev-1"}),
        (["--sd-source-type", "", "--environment", "east/prod-7"], {"SD_SOURCE_TYPE": "json", "SD_DATA": DATA}),
        ([*JSON, "--environment", "east/prod-7"], {"SD_REPO_MERGE_MODE": " ", "SD_DELTA": "", "SD_VERSION": "\n"}),
        ([*JSON, "--environment", "east/prod-7,east/prod-7"], {}),
    ],
    ids=["options", "variables", "all variables", "options win", "an empty option", "empty variables", "named twice"],
)
def test_parameters_are_options_or_variables(root, options, variables):
    done = process(root, *options, **variables)
    assert (done.code, done.out, done.err) == (0, LINE, "")


def test_long_parameters_come_from_a_file_or_stdin(root, tmp_path):
    lay(tmp_path, **{"long.json": DATA})
    options = ["--sd-source-type", "json", "--environment", "east/prod-7", "--diff"]
    first = process(root, *options, "--sd-data", f"@{tmp_path}/long.json")
    second = call(["process", str(root), *options, "--sd-data", "-"], {}, DATA.encode())
    assert first.out == second.out != b""


def test_a_long_parameter_that_cannot_be_read_is_named_with_its_option(root, tmp_path):
    done = process(root, "--sd-source-type", "json", "--all", "--sd-data", f"@{tmp_path}/none.json")
    assert done.code == 1
    assert done.err == (
        f"error: {tmp_path}/none.json: `--sd-data` must name a file that can be read after its @: no such file or directory\n"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (JSON, "no environment is named"),
        ([*JSON, "--all", "--environment", "east/prod-7"], "exclude each other"),
        ([*JSON, "--all", "--diff", "--json"], "not allowed with"),
        ([*JSON, "--all", "--delta-dir", "ROOT"], "must not be the repository"),
    ],
)
def test_a_command_line_that_must_be_mended(root, options, words):
    done = process(root, *(word.replace("ROOT", str(root)) for word in options))
    assert done.code == 2
    assert words in done.err


@pytest.mark.parametrize("arguments", [["."], []], ids=["given", "from CI_PROJECT_DIR"])
def test_the_directory(root, arguments):
    variables = {"CI_PROJECT_DIR": str(root)} if not arguments else {"CI_PROJECT_DIR": "/nowhere"}
    before = os.getcwd()
    os.chdir(root if arguments else before)
    try:
        done = call(["process", *arguments, *JSON, "--all", "--diff"], variables)
    finally:
        os.chdir(before)
    assert done.code == 1
    assert b"b/" in done.out


def test_all_environments_in_order_and_the_same_as_json(root):
    done = process(root, *JSON, "--all", "--json")
    row = {
        "mode": "basic-merge",
        "added": 0,
        "changed": 1,
        "removed": 0,
        "kept": 0,
        "ignored": 0,
        "full": "written",
        "delta": "written",
    }
    assert json.loads(done.out) == {
        "environments": [{"environment": "east/prod-7", **row}, {"environment": "west/dev-1", **row}],
        "findings": [],
    }
    assert process(root, *JSON, "--all").out == LINE.replace(b"written", b"unchanged").replace(
        b"1 changed", b"0 changed"
    ).replace(b"0 kept", b"1 kept") + BOTH.replace(b"written", b"unchanged").replace(b"1 changed", b"0 changed").replace(
        b"0 kept", b"1 kept"
    )


def test_a_diff_writes_nothing_and_exits_as_render_does(root):
    before = held(root)
    done = process(root, *JSON, "--environment", "east/prod-7", "--diff")
    assert (done.code, done.err) == (1, "")
    assert done.out.decode() == (
        f"--- /dev/null\n+++ b/{EAST}/delta_sd.yaml\n@@ -0,0 +1,3 @@\n+applications:\n+- version: ledger:3.2.0\n"
        f"+  deployPostfix: finance\n--- a/{EAST}/sd.yaml\n+++ b/{EAST}/sd.yaml\n@@ -1,3 +1,3 @@\n applications:\n"
        "-- version: ledger:3.1.0\n+- version: ledger:3.2.0\n   deployPostfix: finance\n"
    )
    assert held(root) == before
    assert process(root, *JSON, "--environment", "east/prod-7").code == 0
    assert process(root, *JSON, "--environment", "east/prod-7", "--diff").code == 0
    assert process(root, "--sd-source-type", "x", "--sd-data", "y", "--all", "--diff").code == 2
    assert process(root, *JSON, "--diff").code == 2


def test_what_an_anchor_in_a_part_that_the_mode_drops_gave_is_written_out(tmp_path):
    dropped = "version: 2.1\ndefaults: &d {deployPostfix: finance, note: kept}\nwaves: &w [ledger]\n"
    kept = "applications:\n- <<: *d\n  version: ledger:3.1.0\n- {version: other:1, deployPostfix: x, waves: *w}\n"
    lay(tmp_path, **{f"{EAST}/sd.yaml": dropped + kept})
    done = process(tmp_path, *JSON, "--environment", "east/prod-7")
    assert (done.code, done.err) == (0, "")
    written = "- deployPostfix: finance\n  note: kept\n  version: ledger:3.2.0\n- {version: other:1, deployPostfix: x, waves: [ledger]}\n"
    assert held(tmp_path)[f"{EAST}/sd.yaml"] == f"applications:\n{written}".encode()


def test_a_diff_of_a_file_without_a_last_line_break(tmp_path):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": APPS.rstrip("\n").encode(), f"{EAST}/delta_sd.yaml": APPS})
    out = process(root, *JSON, "--all", "--sd-repo-merge-mode", "replace", "--diff").out.decode()
    assert "   deployPostfix: finance\n\\ No newline at end of file\n" in out
    assert f"--- a/{EAST}/delta_sd.yaml\n+++ /dev/null\n" in out


def test_one_that_fails_leaves_all_as_they_were_and_every_finding_is_shown(root):
    lay(root, **{"environments/north/x/Inventory/solution-descriptor/sd.yaml": "a: [\n", f"{WEST}/delta_sd.yml": APPS})
    (root / WEST / "sd.yml").write_text("applications:\n- version: ledger\n  deployPostfix: finance\n")
    before = held(root)
    done = process(root, *JSON, "--all")
    assert (done.code, done.out) == (1, b"")
    assert "north/x/Inventory/solution-descriptor/sd.yaml:1:4: " in done.err
    assert f"{WEST}/sd.yml" in done.err
    assert done.err.count("error: ") == 2
    assert held(root) == before
    found = json.loads(process(root, *JSON, "--all", "--json").out)
    assert found["environments"] == []
    assert sorted(finding["tags"]["rule"] for finding in found["findings"]) == ["21", "70"]


def test_a_fetch_that_fails_hides_no_other_fault(root):
    (root / WEST / "sd.yml").write_text("x: [\n")
    done = process(root, "--all", "--sd-source-type", "artifact", "--sd-version", "suite:1", "--json")
    assert [finding["tags"]["rule"] for finding in json.loads(done.out)["findings"]] == ["70", "86", "86"]


def test_nothing_is_fetched_for_parameters_that_are_refused(root):
    servers().serve({})
    done = process(root, "--all", "--sd-source-type", "artifact", "--sd-version", "suite:1 other", "--json")
    assert [finding["tags"]["rule"] for finding in json.loads(done.out)["findings"]] == ["17"]
    assert servers().requests == []


@pytest.mark.parametrize("names", ["east", "east/prod-7/x", "../x", "east/..", "a b,c"])
def test_a_wrong_environment_is_a_finding(root, names):
    done = process(root, *JSON, "--json", ENV_NAMES=names)
    assert (done.code, {finding["tags"]["rule"] for finding in json.loads(done.out)["findings"]}) == (1, {"16"})


def test_a_new_environment_needs_create(root):
    before = held(root)
    done = process(root, *JSON, "--environment", "east/prod-77", "--json")
    findings = json.loads(done.out)["findings"]
    assert (done.code, [(f["severity"], f["tags"]["rule"]) for f in findings]) == (1, [("error", "S39")])
    assert all(word in findings[0]["message"] for word in ("east/prod-77", "`east/prod-7`", "`--create`"))
    assert held(root) == before
    assert process(root, *JSON, "--environment", "east/prod-77", "--diff").code == 2
    made = process(root, *JSON, "--environment", "east/prod-77", "--create", "--strict")
    assert (made.code, made.err) == (0, "")
    assert "environments/east/prod-77/Inventory/solution-descriptor/sd.yaml" in held(root)


def test_every_unknown_environment_is_reported_beside_other_faults(root):
    (root / WEST / "sd.yml").write_text("x: [\n")
    done = process(root, *JSON, "--environment", "north/a", "west/dev-1", "south/b", "--json")
    assert [finding["tags"]["rule"] for finding in json.loads(done.out)["findings"]] == ["70", "S39", "S39"]


@pytest.mark.parametrize("task", ["source", "fetch"])
def test_a_reading_command_warns_of_an_environment_that_is_not_there(root, task):
    if task == "source":
        done = call(["source", str(root), "--environment", "east/prod7"], dict(os.environ))
    else:
        done = call(["fetch", "suite:1", "--repository", str(root), "--environment", "east/prod7"], dict(os.environ))
    assert "warning: environments/east/prod7 does not exist" in done.err
    assert "`east/prod-7`" in done.err


def test_strict(root):
    both = [*JSON, "--all", "--sd-delta", "true", "--sd-repo-merge-mode", "replace"]
    assert process(root, *both, "--strict").code == 1
    assert process(root, *both).code == 0


def test_no_parameters_no_change(root):
    lay(root, **{f"{EAST}/delta_sd.yaml": APPS})
    before = held(root)
    done = process(root, "--all")
    assert done.out == b"east/prod-7: Full SD unchanged, Delta SD unchanged\nwest/dev-1: Full SD unchanged, no Delta SD\n"
    assert held(root) == before
    assert process(root, "--all", "--delta-dir", str(root / "deltas")).code == 0
    assert held(root) == before


def test_a_repository_without_an_environment(tmp_path):
    done = process(tmp_path, *JSON, "--all")
    assert done.code == 1
    assert "name one with `--environment CLUSTER/ENV`" in done.err
    assert process(tmp_path / "none", *JSON, "--all").code == 1


@pytest.mark.parametrize("mode", ["basic-exclusion-merge"])
def test_what_cannot_be_repeated_is_told(root, mode):
    """Once in a run that changes a version, once as a first import; not otherwise."""
    options = ["--sd-repo-merge-mode", mode, "--json"]
    results = [process(root, *JSON, "--environment", name, "--create", *options) for name in ("east/prod-7", "new/one")]
    for done in results:
        kinds = [finding["tags"]["kind"] for finding in json.loads(done.out)["findings"]]
        assert "not-repeatable" in kinds
    again = process(root, *JSON, "--environment", "east/prod-7", *options)
    assert "not-repeatable" not in again.out.decode()


def test_the_mark_is_never_written(root):
    process(root, *JSON, "--all")
    assert all(b"krm-values.dev" not in content for content in held(root).values())


def test_delta_sds_elsewhere(root, tmp_path):
    deltas = tmp_path / "out" / "deltas"
    assert process(root, *JSON, "--all", "--delta-dir", str(deltas)).code == 0
    assert sorted(held(deltas)) == [f"{EAST}/delta_sd.yaml", f"{WEST}/delta_sd.yml"]
    assert not any("delta_sd" in name for name in held(root) if not name.startswith("out"))


def test_what_an_interrupted_run_has_staged_goes(root):
    staged = [root / folder / f"{STAGED}{'0123456789abcdef' * 2}" for folder in ("", "environments", EAST)]
    for path in staged:
        path.write_bytes(b"x")
    assert process(root, *JSON, "--all", "--diff").code == 1
    assert all(path.exists() for path in staged)
    assert process(root, *JSON, "--all").code == 0
    assert not any(path.exists() for path in staged)


HOLD = "import fcntl, os, sys, time; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX); print(flush=True); time.sleep(60)"


def test_somebody_else_is_writing(root):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(root)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout
        holder.stdout.readline()
        done = process(root, *JSON, "--all", "--lock-timeout", "0.1")
        assert done.code == 1
        assert "another command is writing here" in done.err
        assert process(root, *JSON, "--all", "--diff").code == 1
    finally:
        holder.kill()
        holder.communicate()


def test_links_are_not_written_through(root, tmp_path):
    lay(tmp_path, **{"other.yaml": APPS})
    (root / EAST / "sd.yaml").unlink()
    (root / EAST / "sd.yaml").symlink_to(tmp_path / "other.yaml")
    done = process(root, *JSON, "--environment", "east/prod-7")
    assert done.code == 1
    assert "symbolic link" in done.err
    assert (tmp_path / "other.yaml").read_text() == APPS


def test_help_and_completion_know_the_commands():
    for arguments in (["--help"], ["envgene", "--help"], ["envgene", "process", "--help"]):
        done = call(arguments, {"COLUMNS": "100"}, group=())
        assert done.code == 0
        assert b"envgene" in done.out
    assert b"--sd-repo-merge-mode" in call(["__complete", "envgene", "process", "--sd"], {}, group=()).out


def test_what_only_fetching_needs_is_not_loaded(root):
    program = (
        "import sys; from krm_values._cli.main import main\n"
        "code = main(sys.argv[1:]); print(code, *sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    with mock.patch.dict(os.environ, {"PYTHONPATH": str(HERE / "functions")}):
        done = subprocess.run(
            [sys.executable, "-c", program, "envgene", "process", str(root), *JSON, "--all"],
            capture_output=True,
            text=True,
            check=True,
        )
    loaded = done.stderr.split()
    assert loaded[0] == "0"
    assert {"urllib3", "cryptography", "ssl"}.isdisjoint(loaded)


STRANGE = ".krm-values-" + "0123456789abcdef" * 2


@pytest.mark.parametrize("place", ["", "environments/", "environments/east/", f"{EAST}/"])
def test_what_looks_staged_and_is_no_file_of_this_user_is_named_and_stays(root, place):
    (root / "file").write_text("x")
    (root / f"{place}{STRANGE}").symlink_to(root / "file")
    warning = f"warning: {root / place / STRANGE}: looks like a file that another user has staged"
    done = process(root, *JSON, "--environment", "east/prod-7", "west/dev-1")
    assert (done.code, done.err) == (0, f"{warning}: remove it if no other command is writing here\n")
    listed = call(["source", str(root)], {}).out
    sunk = call(["sink", str(root)], {}, listed.replace(b"3.2.0", b"3.3.0"))
    assert (sunk.code, sunk.err.splitlines()[0]) == (0, f"{warning}: remove it if no other command is writing here")
    assert (root / f"{place}{STRANGE}").is_symlink()


def test_a_directory_for_deltas_that_cannot_be_written_leaves_nothing(root, tmp_path):
    (tmp_path / "file").write_text("x")
    done = process(root, *JSON, "--environment", "east/prod-7", "--delta-dir", str(tmp_path / "file/deltas"))
    assert (done.code, done.out) == (1, b"")
    assert "nothing was written" in done.err
