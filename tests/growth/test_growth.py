"""How calls grow: a second doubling of a dimension adds at most 2.3 times what the first one adds."""

from __future__ import annotations

import pytest

from krm_values._yaml import decode
from tests.growth import dimensions
from tests.growth.measure import MOST, growth

BOUNDED = {
    "flux-values: valuesFrom entries, inline": "an undo record has at most 64 KiB",
    "flux-values: valuesFrom entries with targetPath, inline": "an undo record has at most 64 KiB",
    "flux-values: inline entries on a second run": "an undo record has at most 64 KiB",
    "cartographer-params: tags that each look through one list": "2,000,000 steps of all paths of a run",
    "layered-values: layers for one target each, by a name with a star": "4,000,000 comparisons of selectors with stars",
    "layered-values: targets with a star": "4,000,000 comparisons of selectors with stars",
    "layered-values: layers for one target each, over as many layers": "5,000,000 steps of all targets; each is explained with all layers",
    "glasskube-values: inserts into one list": "2,000 patches of a resource",
    "glasskube-values: references from package to package": "400 references; each package is explained with all before it",
}
"""What grows with the square of a number that a limit keeps small."""
SQUARE = 4.3


@pytest.fixture(scope="module", autouse=True)
def prepared():
    """Long texts are read by an expression that is compiled when the first one comes."""
    decode.data("".join(f"key{number}: value\n" for number in range(300)))


@pytest.mark.parametrize("name", dimensions.ALL)
def test_calls_grow_as_their_dimension(name):
    """What is bounded needs it, too: its calls grow more than those of the others may."""
    found = growth(dimensions.ALL[name])
    least, most = (MOST, SQUARE) if name in BOUNDED else (float("-inf"), MOST)
    assert least < found.ratio <= most, "\n".join([f"calls at {found.sizes}: {found.calls}", *found.worst()])


def test_nothing_is_bounded_that_is_not_measured():
    assert dimensions.ALL.keys() >= BOUNDED.keys()
