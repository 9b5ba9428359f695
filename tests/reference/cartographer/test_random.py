"""Random chains: the planner and the independent implementation agree."""

from __future__ import annotations

from tests.reference.cartographer.differences import SEEN, report


def test_the_planner_does_as_the_reference_says_on_random_packages():
    SEEN.clear()
    assert [found for seed in range(1200) if (found := report(seed))] == []
    assert min(SEEN[key] for key in ("40", "42", "46", "selected")) >= 20, SEEN
    assert min(SEEN[f"{layer}.value"] for layer in ("owner", "resource", "blueprint")) >= 100, SEEN
    assert min(SEEN[f"{layer}.default"] for layer in ("template", "resource", "blueprint")) >= 100, SEEN
