"""`glasskube-values` and the second reading agree on random packages and their later states; and the packages are worth it."""

from __future__ import annotations

import collections

import pytest

from tests import EXAMPLES
from tests.readings import glasskube, glasskube_compare, glasskube_later, glasskube_made, glasskube_targets

IN_ORDER = glasskube.in_order
AGAIN = "python -m tests.readings glasskube --seed {} --count 1 --mode {}"


def test_function_and_reading_agree():
    for seed in range(EXAMPLES):
        found = glasskube_compare.difference(*glasskube_made.case(seed))
        assert found is None, f"{found}\n{AGAIN.format(seed, 'first')}"


def test_function_and_reading_agree_on_later_states():
    """The same run again changes nothing, and after a change all is as on a first run."""
    for seed in range(EXAMPLES // 2):
        found = glasskube_later.difference(seed, *glasskube_made.case(seed))
        assert found is None, f"{found}\n{AGAIN.format(seed, 'later')}"


def test_a_quarter_of_the_packages_is_changed_and_every_kind_of_error_occurs():
    """Of those that are neither, the values have no targets, or nothing is emitted."""
    seen: collections.Counter[str] = collections.Counter()
    for seed in range(500):
        items, config = glasskube_made.case(seed)
        answer = glasskube.resolve(items, config)
        seen["changed"] += answer.items != items or bool(answer.helm)
        seen.update({kind for kind, _, _ in answer.errors})
    assert seen["changed"] >= 125
    kinds = "manifest configuration resolution validation template patch transformation conflict generated"
    assert set(kinds.split()) <= set(seen)


@pytest.mark.parametrize(
    ("module", "name", "misreading"),
    [
        (glasskube, "scope_is_wrong", lambda *_, **__: False),
        (glasskube, "defaults", lambda *_: {}),
        (glasskube, "in_order", lambda items: IN_ORDER(items)[::-1]),
        (glasskube, "is_valid", lambda *_: True),
        (glasskube_targets, "namespace_of", lambda _: ""),
        (glasskube_targets, "keeps_text", lambda _: False),
    ],
)
def test_a_misreading_shows(monkeypatch, module, name, misreading):
    monkeypatch.setattr(module, name, misreading)
    assert any(glasskube_compare.difference(*glasskube_made.case(seed)) for seed in range(300))
