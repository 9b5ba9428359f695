"""`render` of several packages says what has changed and a total; `-q` leaves errors alone."""

from __future__ import annotations

import pytest
from tests.cli.packages import STEP, command, kptfile, resolved, run, write

WARNS = run("idle").replace("  - name: url #", "  - name: idle\n    value: x\n  - name: url #")
CHANGED = "1 step run, updated: run.yaml"
NOTHING = "1 step run, changed: nothing"


@pytest.fixture
def fleet(tmp_path):
    """Packages below one directory: two to change, two as they are already, one that fails."""
    texts = {"a": run(), "b": resolved(), "c": "a: [\n", "d": run(), "e": resolved()}
    for name, text in texts.items():
        write(tmp_path, {f"{name}/Kptfile": kptfile(f"{STEP}, configMap: {{mode: propagate}}"), f"{name}/run.yaml": text})
    return tmp_path


def test_what_changed_is_listed_and_a_total_comes_last(fleet):
    done = command("render", "--recursive", ".", cwd=fleet)
    *lines, total = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert total == "5 packages: 2 changed, 2 same, 1 failed"
    assert lines[:3] == ["a:", CHANGED, "c:"]
    assert lines[3].startswith("error: c/run.yaml:1:4: ")
    assert lines[4:] == ["d:", CHANGED]


def test_a_second_run_lists_what_fails_alone(fleet):
    command("render", "--recursive", ".", cwd=fleet)
    done = command("render", "--recursive", ".", cwd=fleet)
    heading, error, total = done.stderr.splitlines()
    assert (heading, error[:7], total) == ("c:", "error: ", "5 packages: 4 same, 1 failed")


def test_an_unchanged_package_with_a_warning_is_listed(fleet):
    write(fleet, {"b/run.yaml": WARNS})
    directories = ["b", "e"]
    for _ in range(2):
        command("render", *directories, cwd=fleet)
    done = command("render", *directories, cwd=fleet)
    heading, *warnings, summary, total = done.stderr.splitlines()
    assert (heading, summary, total) == ("b:", NOTHING, "2 packages: 2 same")
    assert "idle" in warnings[0]
    assert warnings[0].startswith("warning: ")


def test_with_v_every_package_is_listed(fleet):
    done = command("render", "-v", "b", "e", cwd=fleet)
    assert [line for line in done.stderr.splitlines() if not line.startswith("info: ")] == [
        *("b:", NOTHING),
        *("e:", NOTHING),
        "2 packages: 2 same",
    ]


def test_a_diff_has_its_own_words(fleet):
    done = command("render", "--diff", "a", "b", "c", cwd=fleet)
    heading, failed, error, total = done.stderr.splitlines()
    assert (done.returncode, heading, failed, error[:7]) == (2, "a:", "c:", "error: ")
    assert total == "3 packages: 1 would change, 1 same, 1 failed"
    assert done.stdout.startswith("--- a/a/run.yaml\n")


def test_one_package_has_no_total(fleet):
    assert command("render", "a", cwd=fleet).stderr == f"{CHANGED}\n"
    assert command("render", "--recursive", "a", cwd=fleet).stderr == f"{NOTHING}\n"


def test_q_prints_errors_alone(fleet):
    done = command("render", "-q", "--recursive", ".", cwd=fleet)
    heading, error = done.stderr.splitlines()
    assert (done.returncode, heading, error[:7]) == (1, "c:", "error: ")
    assert (fleet / "a/run.yaml").read_text() == resolved()


def test_q_hides_warnings_and_the_summary_from_this_run_only(fleet):
    write(fleet, {"b/run.yaml": WARNS})
    command("render", "-q", "b", cwd=fleet)
    for words in (["b"], ["-q", "b"], ["b"]):
        done = command("render", *words, cwd=fleet)
        assert done.returncode == 0
        assert ("idle" in done.stderr, NOTHING in done.stderr) == (("-q" not in words),) * 2
    assert command("render", "-q", "-o", "out", "--release", "b", cwd=fleet).stderr == ""


@pytest.mark.parametrize("form", ["text", "github", "sarif"])
def test_q_of_a_function_leaves_its_output(fleet, form):
    config = fleet / "config.yaml"
    config.write_text("apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: c}\nspec: {mode: propagate}\n")
    (fleet / "idle.yaml").write_text(WARNS)
    loud, quiet = (command("run", *words, "--format", form, "config.yaml", "idle.yaml", cwd=fleet) for words in ([], ["-q"]))
    assert loud.stdout == quiet.stdout != ""
    assert "idle" in loud.stderr
    assert "idle" not in quiet.stderr
    assert quiet.stderr == "" or form == "sarif"


def test_q_of_a_failing_function_prints_the_error(fleet):
    (fleet / "wrong.yaml").write_text("apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nspec: {mode: x}\n")
    (fleet / "idle.yaml").write_text(WARNS)
    done = command("run", "-q", "--config", "wrong.yaml", "idle.yaml", cwd=fleet)
    assert done.returncode == 1
    assert [line[:7] for line in done.stderr.splitlines()] == ["error: "]


def test_q_of_clean_prints_nothing(fleet):
    assert command("clean", "-q", "a", cwd=fleet).stderr == ""
    assert command("clean", "a", cwd=fleet).stderr == "changed: nothing\n"


@pytest.mark.parametrize("name", ["run", "render"])
def test_q_and_v_exclude_each_other(name):
    done = command(name, "-q", "-v", "x")
    assert done.returncode == 2
    assert "not allowed with argument" in done.stderr


def test_the_highest_exit_code_counts_and_a_package_is_rendered_once(fleet):
    done = command("render", "c", "b", "b", "./b", "-v", cwd=fleet)
    assert done.returncode == 1
    assert done.stderr.count("b:\n") == 1


def test_recursive_renders_each_outermost_package(fleet):
    write(fleet, {"b/inner/Kptfile": kptfile(name="inner"), "more/deep/second/Kptfile": kptfile()})
    done = command("render", "-v", "--recursive", "b", "more", cwd=fleet)
    assert [line for line in done.stderr.splitlines() if line.endswith(":")] == ["b:", "more/deep/second:"]
    (fleet / "empty").mkdir()
    none = command("render", "--recursive", "empty", cwd=fleet)
    assert (none.returncode, "holds no package" in none.stderr) == (1, True)


@pytest.mark.parametrize("words", [("-o", "stdout"), ("--results-dir", "r"), ("--format", "sarif")])
def test_what_is_one_document_takes_one_package(words, fleet):
    done = command("render", *words, "a", "b", cwd=fleet)
    assert (done.returncode, "takes one package, found 2" in done.stderr) == (2, True)
