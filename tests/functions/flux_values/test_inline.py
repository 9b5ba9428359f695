"""What changes between two runs of `output: inline`, each run twice: the second of every pair changes nothing."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.functions.flux_values.support import config_map, entry, inlined, made, release, run, secret, told, value

LOGIN = entry("login", "Secret")
SITE = entry("site")
BEFORE = [
    release(entry(), SITE, values={"own": {"x": 1}}),
    config_map("base", "a: 1\nb: 1\nl: [1, 2]\n"),
    config_map("site", "b: 2\nown: {z: 2}\n"),
]
PATH = "config.kubernetes.io/path"


def value_changed(items):
    items[2]["data"]["values.yaml"] = "b: 3\nown: {z: 2}\n"


def file_moved(items):
    items[0]["metadata"].setdefault("annotations", {})[PATH] = "elsewhere/release.yaml"


def list_shortened(items):
    items[1]["data"]["values.yaml"] = "a: 1\nl: [2]\n"


def entry_added(items):
    items[0]["spec"]["valuesFrom"].append(entry("late"))
    items.append(config_map("late", "late: true\n"))


def list_edited_by_hand(items):
    items[0]["spec"]["values"]["l"] = [7]


def ours_deleted_by_hand(items):
    del items[0]["spec"]["values"]["a"]


def own_value_edited(items):
    items[0]["spec"]["values"]["own"]["x"] = 5


def own_value_added(items):
    items[0]["spec"]["values"]["b2"] = "new"


WHOLE = {"a": 1, "b": 2, "l": [1, 2], "own": {"x": 1, "z": 2}}
INLINE = [
    (value_changed, {**WHOLE, "b": 3}, False),
    (list_shortened, {**WHOLE, "l": [2]}, False),
    (entry_added, {**WHOLE, "late": True}, False),
    (list_edited_by_hand, {**WHOLE, "l": [7]}, True),
    (ours_deleted_by_hand, WHOLE, False),
    (own_value_edited, {**WHOLE, "own": {"x": 5, "z": 2}}, False),
    (own_value_added, {**WHOLE, "b2": "new"}, False),
    (file_moved, WHOLE, False),
]


@pytest.mark.parametrize(("change", "expected", "is_warned"), INLINE)
def test_inline_a_change_comes_through_and_a_second_run_changes_nothing(change, expected, is_warned):
    items = deepcopy(run(*deepcopy(BEFORE), output="inline").items)
    assert inlined(run(*deepcopy(BEFORE), output="inline")) == ([], WHOLE)
    change(items)
    state = run(*items, output="inline")
    assert told(state, "error") == []
    assert inlined(state) == ([], expected)
    assert any("by hand" in text for text in told(state, "warning")) == is_warned
    again = run(*state.items, output="inline")
    assert again.items == state.items
    assert again.outcome.operations == ()
    assert told(again, "warning") == []


def test_inline_a_missing_config_map_is_an_error_unless_optional():
    items = run(*deepcopy(BEFORE), output="inline").items
    (text,) = told(run(items[0], items[2], output="inline"), "error")
    assert "ConfigMap team/base is not in the list" in text
    optional = deepcopy(BEFORE)
    optional[0]["spec"]["valuesFrom"] = [entry(optional=True)]
    items = run(*optional, output="inline").items
    state = run(items[0], items[2], output="inline")
    assert state.items[0] == optional[0], "the release as it was, without our annotation"


def test_inline_and_back_to_an_object_the_release_is_as_it_was():
    first = run(*deepcopy(BEFORE), output="inline")
    state = run(*first.items, output="object")
    assert state.items[0] == BEFORE[0]
    assert made(state) == {"ConfigMap web-flux-values": WHOLE}
    assert run(*state.items).items == state.items
    third = run(*state.items, output="inline")
    assert third.items == first.items
    assert [text for text in told(third, "info") if "web-flux-values" in text and "is removed" in text]


def test_inline_after_a_first_secret_the_secret_stays_an_entry():
    items = deepcopy(run(*deepcopy(BEFORE), output="inline").items)
    items[0]["spec"]["valuesFrom"] = [LOGIN]
    state = run(*items, secret("login", "c: 4\n"), output="inline")
    assert told(state, "error") == []
    assert inlined(state) == ([LOGIN], WHOLE)
    assert run(*state.items, output="inline").items == state.items


def test_inline_an_object_of_the_name_is_no_matter():
    state = run(*deepcopy(BEFORE), config_map("web-flux-values", "a: 7\n"), output="inline")
    assert told(state, "error") == []


def test_the_undo_record_names_config_maps_and_holds_none_of_their_values():
    held = config_map("base", "a: Kx4mPz9wQf2vTn7b\n", v="Wd8rYc3hLs6gBj5e")
    state = run(release(entry(), value("v", "b.c"), values={"b": {"c": "before"}}), held, output="inline")
    assert inlined(state) == ([], {"a": "Kx4mPz9wQf2vTn7b", "b": {"c": "Wd8rYc3hLs6gBj5e"}})
    record = state.items[0]["metadata"]["annotations"]["krm-values.dev/undo.flux-values"]
    assert '"by":["ConfigMap/team/base"]' in record
    assert '"value":"before"' in record
    assert "Kx4mPz9wQf2vTn7b" not in record
    assert "Wd8rYc3hLs6gBj5e" not in record


def test_a_record_that_nobody_can_read_is_an_error():
    items = deepcopy(run(*deepcopy(BEFORE), output="inline").items)
    items[0]["metadata"]["annotations"]["krm-values.dev/undo.flux-values"] = "{}"
    for output in ("inline", "object"):
        state = run(*items, output=output)
        assert state.items == items
        assert any("is not an undo record" in text for text in told(state, "error"))


def test_a_release_with_entries_reordered_and_added_is_still_undone():
    items = deepcopy(run(*deepcopy(BEFORE), output="inline").items)
    items[0]["spec"]["valuesFrom"] = [entry("first", optional=True)]
    state = run(*items, output="object")
    assert inlined(state) == ([entry(), SITE, entry("first", optional=True)], BEFORE[0]["spec"]["values"])


@pytest.mark.parametrize(
    ("text", "entries", "named"),
    [
        ("a: {b: null, c: 1}\nd: null\n", {}, "`a.b`, `d`"),
        ("a: 1\n", {"valuesKey": "n", "targetPath": "a.b"}, "`a.b`"),
        ("l: [null]\n", {}, ""),
        ("a: 1\n", {}, ""),
    ],
)
def test_nulls_that_are_moved_into_the_release_are_a_warning(text, entries, named):
    state = run(release(entry(**entries), values={"own": None}), config_map(text=text, n="null"), output="inline")
    found = [one for one in told(state, "warning") if "moves the null" in one]
    assert len(found) == bool(named)
    assert all(f"moves the null of {named.replace('`, `', '` and `')} into `spec.values`" in one for one in found)
    assert not [one for one in told(run(*state.inputs, output="object"), "warning") if "moves the null" in one]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("false\n", "is a boolean or null that"),
        ("true\r\n", "is a boolean or null that"),
        (" true", "is a boolean or null that"),
        ("TRUE ", "is a boolean or null that"),
        ("null\n", "is a boolean or null that"),
        ("\tNull", "is a boolean or null that"),
        ("5\n", "is a number that"),
        ("true", ""),
        ("null", ""),
        ('"true"\n', ""),
        ("truth\n", ""),
    ],
)
@pytest.mark.parametrize("literal", [False, True])
def test_a_word_with_a_blank_or_line_break_is_a_warning(text, said, literal):
    more = {"literal": True} if literal else {}
    state = run(release(value("v", "a.b", **more)), config_map(v=text))
    found = [one for one in told(state, "warning") if "because of the space or line break around it" in one]
    assert len(found) == bool(said and not literal)
    assert all(f"the value of ConfigMap team/base (key `v`) {said} `targetPath` keeps as a string" in one for one in found)


@pytest.mark.parametrize("text", ["false\n", "null\n"])
def test_of_a_secret_the_word_is_not_shown(text):
    state = run(release(value("v", "a.b", "login", kind="Secret")), secret(v=text))
    (found,) = told(state, "warning")
    assert "keeps as a string because of the space or line break around it" in found
    assert "is a boolean or null that" in found
    assert "false" not in found
