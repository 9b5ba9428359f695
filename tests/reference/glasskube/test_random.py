"""`glasskube-values` and the independent implementation agree on random packages and their later states; and the packages are worth it."""

from __future__ import annotations

import collections

import pytest

from tests import EXAMPLES
from tests.reference.glasskube import changes, compare, course, generate, hands, later, lint, resolve, targets, undo
from tests.reference.glasskube.differences import SEEN, report
from tests.reference.glasskube.notes import stripped

IN_ORDER = resolve.in_order


def test_function_and_reference_agree():
    for seed in range(EXAMPLES):
        assert report(seed, "first") == ""


def test_function_and_reference_agree_on_later_states():
    """The same run again changes nothing, after each change all is as on a first run over what people wrote; every change goes well somewhere."""
    SEEN.clear()
    for seed in range(EXAMPLES // 2):
        assert report(seed, "later") == ""
    named = {change.__name__.replace("_", " ") for change in (*changes.CHANGES, *hands.HANDS)}
    assert [name for name in named if not SEEN[f"{name}: no error"]] == []
    assert SEEN["unclear"] < EXAMPLES / 20


def test_what_is_gone_was_edited_only_where_something_of_it_was_changed():
    """Hands took out a map whose list had only got an element, so nothing of that map could be missed."""
    for base, left, edited in (
        ({"list": ["a"]}, {"list": ["ours", "a"]}, False),
        ({"list": ["a"]}, {"list": ["ours"]}, True),
        ({"map": {"own": 1}}, {"map": {"own": 1, "ours": 2}}, False),
        ({"map": {"own": 1}}, {"map": {"own": 2}}, True),
    ):
        edits = undo.Hands()
        assert undo.undone({"spec": base}, {"spec": left}, {"other": 1}, edits) == {"other": 1}
        assert edits.edited is edited, (base, left)


def test_a_quarter_of_packages_changes_and_every_kind_of_error_occurs():
    """Of those that are neither, the values have no targets, or nothing is emitted."""
    seen: collections.Counter[str] = collections.Counter()
    for seed in range(500):
        items, config = generate.case(seed)
        answer = resolve.resolve(items, config)
        seen["changed"] += answer.items != items or bool(answer.helm)
        seen.update({kind for kind, _, _ in answer.errors})
    assert seen["changed"] >= 125
    kinds = "manifest configuration resolution validation template patch transformation conflict generated"
    assert set(kinds.split()) <= set(seen)


@pytest.mark.parametrize(
    ("module", "name", "wrong", "seed"),
    [
        (resolve, "scope_is_wrong", lambda *_, **__: False, 2),
        (resolve, "defaults", lambda *_: {}, 5),
        (resolve, "in_order", lambda items: IN_ORDER(items)[::-1], 6),
        (resolve, "is_valid", lambda *_: True, 1),
        (targets, "namespace_of", lambda _: "", 0),
        (targets, "keeps_text", lambda _: False, 132),
        (targets, "default", lambda manifest, _: manifest.namespace, 832),
        (lint, "of_target", lambda *_: [], 10),
    ],
)
def test_a_wrong_rule_shows(monkeypatch, module, name, wrong, seed):
    """The seed is the first that notices."""
    assert not compare.difference(*generate.case(seed))
    monkeypatch.setattr(module, name, wrong)
    assert compare.difference(*generate.case(seed))


@pytest.mark.parametrize(
    ("module", "name", "wrong", "seed"),
    [
        (undo, "elements", lambda base, left, now, *_: now, 224),
        (undo, "alike", lambda one, other: one == other and one is not undo.ABSENT, 48),
        (course.Entry, "pristine", lambda entry, _: stripped(entry.item), 28),
        (course.Course, "unmade", lambda *_: False, 81),
    ],
)
def test_a_wrong_rule_of_later_states_shows(monkeypatch, module, name, wrong, seed):
    assert not later.difference(seed, *generate.case(seed))
    monkeypatch.setattr(module, name, wrong)
    assert later.difference(seed, *generate.case(seed))
