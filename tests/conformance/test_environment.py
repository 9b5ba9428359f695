"""What a run does not depend on: hash seed, locale, time zone and directory."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance import cases
from tests.conformance.__main__ import named
from tests.conformance.systems import SYSTEMS
from tests.conformance.test_cases import FOLDER


def digest(file: Path) -> str:
    """One digest over the outputs of every third case of a file."""
    system = SYSTEMS[named(file)]
    outputs = hashlib.sha256()
    for case in [case for case in cases.of(system, file) if not system.unmet(case)][::3]:
        for _, state in cases.run(system, case):
            outputs.update(state.out)
    return outputs.hexdigest()


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_hash_seed_locale_time_zone_and_directory_do_not_matter(file, tmp_path):
    program = (
        f"import pathlib; from tests.conformance.test_environment import digest; print(digest(pathlib.Path({str(file)!r})))"
    )
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
