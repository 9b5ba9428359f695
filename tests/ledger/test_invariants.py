"""The invariants of the ledger, for examples, cases, random packages and lists, before and after a render."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.packages import write
from tests.cli.stacks import stack
from tests.conformance import cases as lists
from tests.conformance.test_laws import AS_LISTS
from tests.ledger import cases, invariants
from tests.restack.__main__ import FUNCTIONS
from tests.restack.packages import package

from krm_values._explain.steps import Explained, Explanation
from krm_values._krm import resourcelist

EXAMPLES = Path(__file__).parents[2] / "examples"
STORIES = sorted(path.parent.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.glob("*/*/Kptfile"))
RANDOM = 300
MOVED = 737
"""A list in a text of which two steps write elements: what they keep stands at other indices in the file."""
STACKS = 60


@pytest.mark.parametrize("story", STORIES)
def test_of_an_example(story, tmp_path):
    shutil.copytree(EXAMPLES / story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected"))
    assert invariants.of_renders(tmp_path / "package") == []


@pytest.mark.parametrize("name", cases.read()["packages"])
def test_of_a_package(name, tmp_path):
    assert invariants.of_renders(write(tmp_path, cases.read()["packages"][name])) == []


EDITED = [case for case in cases.read()["cases"] if "edit" in case]


@pytest.mark.parametrize("case", EDITED, ids=[case["id"] for case in EDITED])
def test_of_an_edited_package(case, tmp_path):
    files = cases.edited(cases.read()["packages"][case["package"]], case["edit"])
    assert invariants.of_renders(write(tmp_path, files)) == []


@pytest.mark.parametrize("seed", [*range(1, RANDOM), MOVED])
def test_of_a_random_package(seed, tmp_path):
    files = package(random.Random(str(seed)), FUNCTIONS).files()
    assert invariants.of_renders(write(tmp_path, files)) == []


@pytest.mark.parametrize("seed", range(STACKS))
def test_of_a_random_stack(seed, tmp_path):
    stack(tmp_path, random.Random(seed))
    assert invariants.of_renders(tmp_path) == []


@pytest.mark.parametrize(("system", "case"), AS_LISTS)
def test_of_a_list(system, case):
    for _, state in lists.run(system, case):
        if not state.outcome.failed:
            assert invariants.faults(*_told(state)) == []


def _told(state: lists.State) -> tuple[Explanation, invariants.Final]:
    """What a run decides on a list, and the objects that it leaves."""
    source = resourcelist.read(state.given)
    explanation = Explanation((Explained(state.function, state.outcome, items=source.items),))
    numbers = [number for number in range(len(source.items)) if number not in state.outcome.removed]
    kept = len(numbers)
    objects = [("", number, data) for number, data in zip(numbers, state.items[:kept], strict=True)]
    return explanation, invariants.Final([*objects, *(("", -1, data) for data in state.items[kept:])])


def test_a_render_makes_no_value():
    """A run makes none either: it loads nothing of what explains."""
    program = "import sys, krm_values; krm_values.render(sys.argv[1]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program, str(EXAMPLES / STORIES[0])], capture_output=True, text=True, check=True
    )
    assert [name for name in done.stdout.split() if name.startswith("krm_values._explain")] == []
