"""The recorded answers of ytt, and that the runner of the cases asks them and nobody else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance import cases, supply_chains
from tests.conformance.systems import SYSTEMS

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
RECORDINGS = json.loads((FOLDER / "ytt" / "recordings.json").read_text("utf-8"))
FILES = sorted(FOLDER.glob("cartographer*.yaml"))
ALL = {case["id"]: case for file in FILES for case in cases.read(file)}
WITH_YTT = sorted(name for name, case in ALL.items() if case.get("requires") == "ytt")
RECORDED = {recording["id"]: recording for recording in RECORDINGS}


def replay(arguments, stdin):
    command = [supply_chains.REPLAY, *arguments]
    return subprocess.run(command, input=stdin.encode(), env={}, cwd="/", capture_output=True, check=False)


def test_every_case_that_requires_ytt_is_recorded_and_no_other():
    assert len(WITH_YTT) == 100
    assert sorted(RECORDED) == WITH_YTT


def test_it_answers_like_the_program_that_was_recorded():
    for exit_code in (0, 1):
        known = next(one for one in RECORDINGS if one["exit_code"] == exit_code)
        done = replay(known["arguments"], known["stdin"])
        assert (done.returncode, done.stdout.decode(), done.stderr.decode()) == (exit_code, known["stdout"], known["stderr"])


@pytest.mark.parametrize("change", ["a byte of the body", "an argument more", "no input at all"])
def test_it_answers_70_to_what_is_not_recorded(change):
    known = RECORDINGS[0]
    done = {
        "a byte of the body": lambda: replay(known["arguments"], known["stdin"] + " "),
        "an argument more": lambda: replay([*known["arguments"], "--debug"], known["stdin"]),
        "no input at all": lambda: replay([], ""),
    }[change]()
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (70, b"", 1)


def test_a_case_whose_input_is_not_recorded_fails(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    case = ALL["ytt-guard"]
    template = next(item for item in case["input"] if "ytt" in item["spec"])
    changed = {**template, "spec": {**template["spec"], "ytt": template["spec"]["ytt"] + "#! more\n"}}
    items = [changed if item is template else item for item in case["input"]]
    state = cases.execute(SYSTEMS["cartographer"], case, items, case.get("config"))
    assert "no answer is recorded" in state.outcome.findings[0].message


def test_the_runner_does_not_depend_on_what_the_caller_names(tmp_path):
    program = tmp_path / "ytt"
    program.write_text("#!/bin/sh\nexit 9\n")
    program.chmod(0o755)
    texts = [text for file in FILES for text in file.read_text("utf-8").split("\n---\n")]
    chosen = [text for text in texts if "id: cfg-ytt-unnamed\n" in text or "id: ytt-guard\n" in text]
    (tmp_path / "cartographer.yaml").write_text("---\n" + "\n---\n".join(chosen))
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance", tmp_path / "cartographer.yaml"],
        cwd=ROOT,
        env={**os.environ, "KRM_VALUES_YTT": str(program)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.splitlines()[-1], done.returncode) == ("2 of 2", 0), done.stdout
