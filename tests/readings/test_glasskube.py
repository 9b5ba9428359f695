"""`glasskube-values` and the second reading agree on random packages and their later states; and the packages are worth it."""

from __future__ import annotations

import collections

import pytest

from tests import EXAMPLES
from tests.readings import (
    glasskube,
    glasskube_changes,
    glasskube_compare,
    glasskube_course,
    glasskube_hands,
    glasskube_later,
    glasskube_lint,
    glasskube_made,
    glasskube_targets,
    glasskube_undo,
)
from tests.readings.glasskube_notes import stripped

IN_ORDER = glasskube.in_order
AGAIN = "python -m tests.readings glasskube --seed {} --count 1 --mode {}"


def test_function_and_reading_agree():
    for seed in range(EXAMPLES):
        found = glasskube_compare.difference(*glasskube_made.case(seed))
        assert found is None, f"{found}\n{AGAIN.format(seed, 'first')}"


def test_function_and_reading_agree_on_later_states():
    """The same run again changes nothing, after each change all is as on a first run over what people wrote; every change goes well somewhere."""
    seen: collections.Counter[str] = collections.Counter()
    for seed in range(EXAMPLES // 2):
        found = glasskube_later.difference(seed, *glasskube_made.case(seed), seen)
        assert found is None, f"{found}\n{AGAIN.format(seed, 'later')}"
    named = {change.__name__.replace("_", " ") for change in (*glasskube_changes.CHANGES, *glasskube_hands.HANDS)}
    assert [name for name in named if not seen[f"{name}: no error"]] == []
    assert seen["unclear"] < EXAMPLES / 20


def test_what_is_gone_with_all_around_it_was_edited_only_where_something_of_it_had_been_changed():
    """Seed 1051: hands took out a map whose list had only got an element, so nothing of that map could be missed."""
    for base, left, edited in (
        ({"list": ["a"]}, {"list": ["ours", "a"]}, False),
        ({"list": ["a"]}, {"list": ["ours"]}, True),
        ({"map": {"own": 1}}, {"map": {"own": 1, "ours": 2}}, False),
        ({"map": {"own": 1}}, {"map": {"own": 2}}, True),
    ):
        hands = glasskube_undo.Hands()
        assert glasskube_undo.undone({"spec": base}, {"spec": left}, {"other": 1}, hands) == {"other": 1}
        assert hands.edited is edited, (base, left)
    assert glasskube_later.difference(1051, *glasskube_made.case(1051)) is None


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
        (glasskube_targets, "default", lambda manifest, _: manifest.namespace),
        (glasskube_lint, "of_target", lambda *_: []),
    ],
)
def test_a_misreading_shows(monkeypatch, module, name, misreading):
    monkeypatch.setattr(module, name, misreading)
    assert any(glasskube_compare.difference(*glasskube_made.case(seed)) for seed in range(600))


@pytest.mark.parametrize(
    ("module", "name", "misreading"),
    [
        (glasskube_undo, "elements", lambda base, left, now, *_: now),
        (glasskube_undo, "alike", lambda one, other: one == other and one is not glasskube_undo.ABSENT),
        (glasskube_course.Entry, "pristine", lambda entry, _: stripped(entry.item)),
        (glasskube_course.Course, "unmade", lambda *_: False),
    ],
)
def test_a_misreading_of_later_states_shows(monkeypatch, module, name, misreading):
    monkeypatch.setattr(module, name, misreading)
    assert any(glasskube_later.difference(seed, *glasskube_made.case(seed)) for seed in range(600))
