"""The columns of the page: the layers of each step in the order of their rank, steps in order, as `explain --json` has them."""

from __future__ import annotations

import itertools
import json

import pytest

from tests.page.conftest import EXAMPLES, write
from tests.page.test_file import data

SIX = (
    "cartographer-params/web-and-worker",
    "envgene-sd/three-environments",
    "flux-values/base-and-site",
    "giantswarm-config/stage-and-region",
    "layered-values/base-and-environments",
    "pipelines/all-six",
)


@pytest.mark.parametrize("name", SIX)
def test_columns_are_in_the_order_of_the_ranks(name, page, tmp_path):
    found = json.loads(write("explain", EXAMPLES / name, "--json").stdout)
    write("explain", EXAMPLES / name, "--html", tmp_path / "page.html")
    sections = columns(tmp_path / "page.html")
    pairs = [pair for one in sections for pair in itertools.pairwise(one)]
    assert pairs
    wrong = [(low, high) for low, high in pairs if not may_precede(found["steps"], low, high)]
    assert wrong == []
    page.resize(6000, 9000)
    page.open(tmp_path / "page.html")
    shown = [page.texts(f"#rows .section:nth-child({at}) .layer b") for at in page.evaluate(SECTIONS)]
    assert sorted(shown) == sorted([layer for _, layer, _ in one] for one in sections), "the browser shows the same"


SECTIONS = "[...document.querySelectorAll('#rows > *')].flatMap((e, at) => e.classList.contains('section') ? [at + 1] : [])"


def columns(file) -> list[list[tuple[int, str, str]]]:
    """The columns of each resource: step, layer and file."""
    found = data(file)
    strings = found["strings"]
    layers = [(step, strings[name], strings[where]) for name, _, step, _, where in found["layers"]]
    return [[layers[number] for number in resource[5]] for resource in found["resources"] if resource[5]]


def may_precede(steps, low, high) -> bool:
    """Whether a layer may stand before another: an earlier step, or in some chain of the step a rank that is not higher."""
    if low[0] != high[0]:
        return low[0] < high[0]
    ranks: dict[int | None, dict[tuple[str, str], int]] = {}
    for one in steps[low[0]]["layers"]:
        if (one["layer"], one.get("file", "")) in (low[1:], high[1:]):
            ranks.setdefault(one.get("for"), {})[one["layer"], one.get("file", "")] = one["rank"]
    both = [chain for chain in ranks.values() if low[1:] in chain and high[1:] in chain]
    return not both or any(chain[low[1:]] <= chain[high[1:]] for chain in both)
