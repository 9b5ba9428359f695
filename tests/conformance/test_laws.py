"""Every law on every state of every conformance case."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance import cases, laws
from tests.conformance.__main__ import named
from tests.conformance.systems import SYSTEMS
from tests.conformance.test_cases import ALL, FOLDER

RUNNING = [case for case in ALL if not case.values[0].unmet(case.values[1])]


@pytest.mark.parametrize("law", laws.STATE_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("system", "case"), RUNNING)
def test_state_law(system, case, law):
    for _, state in cases.run(system, case):
        if laws.holds_for(state):
            law(state)


@pytest.mark.parametrize("law", laws.CASE_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("system", "case"), RUNNING)
def test_case_law(system, case, law):
    law(system, case, next(cases.run(system, case))[1])


def digest(file: Path) -> str:
    """One digest over the outputs of all cases of a file."""
    system = SYSTEMS[named(file)]
    outputs = hashlib.sha256()
    for case in (case for case in cases.of(system, file) if not system.unmet(case)):
        for _, state in cases.run(system, case):
            outputs.update(state.out)
    return outputs.hexdigest()


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_hash_seed_locale_time_zone_and_directory_do_not_matter(file, tmp_path):
    program = f"import pathlib; from tests.conformance.test_laws import digest; print(digest(pathlib.Path({str(file)!r})))"
    root = Path(__file__).parents[2]
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "4711",
        "TZ": "Asia/Kathmandu",
        "LC_ALL": "C",
        "PYTHONPATH": os.pathsep.join([str(root), *sys.path]),
    }
    other = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert other.stdout.strip() == digest(file)
