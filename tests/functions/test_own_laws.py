"""The laws that `krm_values.testing` offers to others hold for our own functions, on all of their cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values.testing import Laws

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/cases/*/input.yaml"))
LAWS = sorted(
    name
    for name in vars(Laws)
    if name.startswith("test_") and name not in ("test_there_is_a_case", "test_schema", "test_output")
)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parents[1].name}/{case.name}")
def test_our_functions_keep_the_laws(case, law):
    function = case.parents[1].name.replace("_", "-")
    getattr(type("Own", (Laws,), {"function": function, "cases": case.parent})(), law)(case)
