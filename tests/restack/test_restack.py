"""Random packages whose steps write one place, with random changes between renders. `python -m tests.restack` tries more of them."""

from __future__ import annotations

import pytest

from tests.restack.laws import Count, tried

FUNCTIONS = [
    ["layered-values"],
    ["layered-values", "glasskube-values"],
    ["layered-values", "flux-values"],
    ["layered-values", "glasskube-values", "giantswarm-config"],
    ["layered-values", "glasskube-values", "tekton-params"],
    ["layered-values", "glasskube-values", "cartographer-params"],
]


@pytest.mark.parametrize("number", range(45))
def test_a_render_after_a_change_gives_what_it_gives_of_the_pristine_package(number, tmp_path):
    count = Count()
    for which in range(3):
        tried(f"{number}-{which}", FUNCTIONS[(3 * number + which) % 6], tmp_path / str(which), count)
    assert count.falls == []
    assert count.renders > 4
