"""Random packages whose steps write one place, with random changes between renders. `python -m tests.restack` tries more of them."""

from __future__ import annotations

import pytest

from tests.restack.laws import Count, tried

FUNCTIONS = [["layered-values"], ["layered-values", "glasskube-values"]]
INLINE = ["layered-values", "flux-values"]


@pytest.mark.parametrize("number", range(90))
def test_a_render_after_a_change_gives_what_it_gives_of_the_pristine_package(number, tmp_path):
    count = Count()
    for which in range(4):
        if (number + which) % 3 < len(FUNCTIONS):
            tried(f"{number}-{which}", FUNCTIONS[(number + which) % 3], tmp_path / str(which), count)
    assert count.falls == []
    assert count.renders > 4


@pytest.mark.xfail(
    reason="flux-values writes values into a release before a step of the outer package that writes there, too", strict=True
)
@pytest.mark.parametrize("seed", ["80-0", "122-3"])
def test_values_that_flux_writes_into_a_release_before_an_outer_step(seed, tmp_path):
    count = Count()
    tried(seed, INLINE, tmp_path, count)
    assert count.falls == []
