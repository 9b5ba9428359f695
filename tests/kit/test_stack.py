"""Two functions that keep records and write into one resource: whatever each wrote earlier, the result is that of a first run.

One run is enough, also where a place goes from one to the other.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from krm_values._data.pointer import get
from krm_values._data.record import replace
from krm_values._data.scalars import quoted
from krm_values._data.values import FlowList
from krm_values._krm import findings, resourcelist
from krm_values._krm.kptfile import Step
from krm_values._krm.names import Writer
from krm_values._krm.plan import Origin, drop, put
from krm_values._run.function import Function
from krm_values._run.resolve import resolve
from krm_values._run.step_position import PackageStep, PackageSteps, StepPosition
from krm_values._yaml import decode

HEAD = """apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: example.org/v1
  kind: Target
  metadata:
    name: t
  spec:
    x: 0
    m:
      p: 0
"""
OWN = {"x": 0, "m": {"p": 0}}
NOTHING = ()


def plan(config, resources, tools):
    """The config is a list of (path, value): None drops; `?path` writes only where nothing stands, as a layer below the resource does."""
    target = next(iter(resources))
    for where, value in config:
        path = ("spec", *(int(part) if part.isdigit() else part for part in where.removeprefix("?").split(".")))
        if value is None:
            yield drop(target, path, Origin("step", None, target))
        elif not where.startswith("?") or get(target.data, path) is None:
            yield put(target, path, value, Origin("step", value, target))


STEPS = [
    PackageStep(Writer(name), "", Step(("pipeline", "mutators", at), {}, "", f"krm-{name}", "", "", None, (), ()))
    for at, name in enumerate(("first", "second"))
]
FIRST, SECOND = (Function(f"krm_values.{name}", "config:X", plan, lambda _: True) for name in ("first", "second"))


def step(function, config, text):
    """(what is said but which value overrides which, the list that leaves)."""
    source = resourcelist.read(text.encode())
    number = (FIRST, SECOND).index(function)
    position = StepPosition(STEPS[number].called, PackageSteps(lambda: STEPS), number, lambda: "", is_render=True)
    outcome = resolve(function, config, source, position=position)
    said = [findings.line(finding) for finding in outcome.findings if finding.kind != "override"]
    return said, b"".join(source.write(outcome.edited, (), [], [])).decode()


def rendered(text, *configs):
    """Both functions in turn, on what the one before it left."""
    said = []
    for function, config in zip((FIRST, SECOND), configs, strict=True):
        found, text = step(function, config, text)
        said += found
    return said, text


def emptied(text):
    """What is left when both stop."""
    said, text = rendered(text, NOTHING, NOTHING)
    assert said == []
    return text


def spec(text):
    return decode.to_data(decode.parse(text))["items"][0]["spec"]


def kept(text):
    return decode.to_data(decode.parse(text))["items"][0]["metadata"].get("annotations", {})


def test_what_the_second_wrote_over_the_first_is_no_edit_by_hand():
    first, second = [("x", 1)], [("x", 2)]
    said, once = rendered(HEAD, first, second)
    assert said == []
    assert spec(once)["x"] == 2
    assert rendered(once, first, second) == ([], once)
    assert emptied(once) == HEAD


@pytest.mark.parametrize("below", [("?n", 1), ("?n", {"a": 1})])
@pytest.mark.parametrize("over", [("n", 5), ("n", {"b": 2})])
def test_the_first_finds_what_it_wrote_again_when_the_second_stops(below, over):
    _, once = rendered(HEAD, [below], [over])
    said, twice = rendered(once, [below], [over])
    assert (said, spec(twice)) == ([], spec(once))
    changed = [(below[0], 7)]
    said, text = rendered(twice, changed, NOTHING)
    assert (said, spec(text)) == ([], OWN | {"n": 7})
    assert emptied(text) == HEAD


@pytest.mark.parametrize("before", [list, FlowList])
@pytest.mark.parametrize("after", [list, FlowList])
def test_what_the_second_wrote_into_a_list_stays_however_the_list_is_written(before, after):
    _, once = rendered(HEAD, [("n", before([{"a": 1}]))], [("n.0.a", 5)])
    said, text = step(FIRST, [("n", after([{"a": 1}])), ("x", 9)], once)
    assert (said, spec(text)) == ([], OWN | {"n": [{"a": 5}], "x": 9})


def test_the_second_may_write_into_a_map_that_the_first_made():
    first, second = [("?n", {"a": 1, "b": 2})], [("n.b", 5)]
    _, once = rendered(HEAD, first, second)
    assert rendered(once, first, second)[0] == []
    said, text = rendered(once, [("?n", {"a": 7, "b": 2})], second)
    assert said == []
    assert spec(text)["n"]["b"] == 5


def test_a_key_removed_with_its_map_is_restored_by_the_second():
    first, second = [("m", {"q": 1})], [("m.r", 2)]
    _, once = rendered(HEAD, first, second)
    said, twice = rendered(once, first, second)
    assert (said, twice) == ([], once)
    assert emptied(twice) == HEAD


def test_an_edit_by_hand_over_both_is_told():
    first, second = [("x", 1)], [("x", 2)]
    _, once = rendered(HEAD, first, second)
    said, text = rendered(once.replace("    x: 2\n", "    x: 9\n"), first, second)
    assert len(said) == 1
    assert "`spec.x`: was edited by hand" in said[0]
    assert spec(text)["x"] == 2


def test_an_unreadable_record_of_another_function_beside_ours_is_an_error():
    """It may lie over what ours says, so that this would be taken for an edit by hand."""
    _, once = rendered(HEAD, [("x", 1)], [("x", 2)])
    said, _ = step(FIRST, [("x", 1)], once.replace("""undo.second: '{"by":""", """undo.second: '{"of":"""))
    (line,) = said
    assert line.startswith("error: ")
    assert '`metadata.annotations["krm-values.dev/undo.second"]`: is not an undo record' in line


def test_no_step_writes_its_first_record_beside_one_that_cannot_be_read():
    _, once = step(FIRST, [("x", 1)], HEAD)
    assert "undo.first" in once
    said, text = step(SECOND, [("x", 2)], once.replace("""undo.first: '{"by":""", """undo.first: '{"of":"""))
    assert [line.partition(":")[0] for line in said] == ["error"]
    assert "undo.second" not in text


LISTED_OWN = OWN | {"l": [{"name": "a"}, {"name": "b"}]}
LISTED = HEAD + "    l:\n    - name: a\n    - name: b\n"


@pytest.mark.parametrize(
    ("first", "second", "changed"),
    [
        ([("?n", {"l": ["a"], "k": 1})], [("n.l.1", "b")], [("?n", {"l": ["a"], "k": 2})]),
        ([("?n", {"l": ["a"], "k": 1})], [("n.l.0", "b")], [("?n", {"l": ["a", "c"], "k": 1})]),
        ([("?n", {"l": [{"k": 1}]})], [("n.l.0.j", 2)], [("?n", {"l": [{"k": 3}]})]),
        ([("l.0.name", "z")], [("l", [])], [("l.0.name", "y")]),
        ([("l.0.name", "z")], [("l", [])], [("x", 1)]),
        ([("l.2", {"name": "z"})], [("l", [])], [("l.2", {"name": "y"})]),
        ([("l.2", {"name": "z"})], [("l", [])], NOTHING),
        ([("l.2", {"name": "z"})], [("l.2.more", [1])], [("l.2", {"name": "y"})]),
    ],
)
def test_what_the_second_did_to_a_list_of_the_first_is_no_edit_by_hand(first, second, changed):
    _, once = rendered(LISTED, first, second)
    assert rendered(once, first, second) == ([], once)
    assert rendered(once, changed, second)[1] == rendered(LISTED, changed, second)[1]
    said, text = rendered(once, NOTHING, NOTHING)
    assert (said, emptied(text)) == ([], LISTED)


def test_an_edit_by_hand_in_a_list_of_both_is_reported():
    first, second = [("?n", {"l": ["a"], "k": 1})], [("n.l.1", "b")]
    _, once = rendered(LISTED, first, second)
    said, _ = rendered(once.replace("- a\n", "- by hand\n"), first, second)
    assert len(said) == 1
    assert "was edited by hand" in said[0]


PLACES = st.sampled_from(["x", "y", "m.p", "m.q"])
VALUES = st.sampled_from([1, 2, "a", True, [1], {"k": 1}])
CONFIGS = st.lists(st.tuples(PLACES, VALUES), max_size=3)


FIRSTS, SECONDS = st.sampled_from([1, "f", {"name": "f"}]), st.sampled_from([2, "s", {"name": "s"}, ["s"]])


@settings(max_examples=100, deadline=None)
@given(
    st.data(),
    st.sampled_from([["l.0"], ["l.1.name"], ["l.0", "?n"]]),
    st.sampled_from([["l.2"], ["l.1.more"], ["n"], ["l.2", "m.q"]]),
)
def test_other_values_for_the_same_list_places_give_a_fresh_result(data, first, second):
    """Each function has places of its own: where both write one element, or equal ones, a list does not show which of them wrote it."""
    text = LISTED
    for _ in range(3):
        pair = [[(place, data.draw(values)) for place in places] for places, values in ((first, FIRSTS), (second, SECONDS))]
        fresh, expected = rendered(LISTED, *pair)
        assume(not fresh)
        said, text = rendered(text, *pair)
        assert (said, spec(text)) == ([], spec(expected))
        assert rendered(text, *pair) == ([], text)
    assert spec(emptied(text)) == LISTED_OWN


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(CONFIGS, CONFIGS), min_size=2, max_size=4))
def test_after_any_history_a_pipeline_gives_what_it_gives_at_first(history):
    text = HEAD
    for configs in history:
        said, text = rendered(text, *configs)
        assume(not any("error" in line for line in said))
        fresh, expected = rendered(HEAD, *configs)
        assume(not fresh)
        assert said == []
        assert spec(text) == spec(expected)
        assert rendered(text, *configs) == ([], text)
    assert spec(emptied(text)) == OWN
    assert kept(emptied(text)) == {}


OLD, NEW = (PackageStep(Writer("first", name), package, STEPS[0].step) for name, package in (("old", ""), ("new", "sub")))


def one_of(steps, number, config, text, planned=plan):
    """The list that leaves one of these steps of one function, whose records do not name a config, for a resource of the package `sub`."""
    source, called = resourcelist.read(text.encode()), steps[number]
    position = StepPosition(
        called.called, PackageSteps(lambda: steps), number, lambda: called.package, lambda _: "sub", is_render=True
    )
    outcome = resolve(Function("krm_values.first", "config:X", planned, lambda _: True), config, source, position=position)
    assert [findings.line(finding) for finding in outcome.findings if finding.kind != "override"] == []
    return b"".join(source.write(outcome.edited, (), [], [])).decode()


@pytest.mark.parametrize(("before", "after"), [([OLD], [NEW, OLD]), ([NEW, OLD], [OLD]), ([NEW], [NEW, OLD])])
def test_records_are_found_again_where_another_step_becomes_the_first_of_its_function(before, after):
    def run(steps, text):
        for number, one in enumerate(steps):
            text = one_of(steps, number, [("x", 1)] if one is OLD else [("m.p", 5)], text)
        return text

    text = run(before, HEAD)
    if NEW not in after:
        text = one_of(before, 0, NOTHING, text)
    assert spec(run(after, text)) == spec(run(after, HEAD))
    assert kept(run(after, text)) == kept(run(after, HEAD))


def test_a_step_before_the_one_that_was_the_first_of_its_function_takes_the_edits_of_that_one_back():
    """It would take them for the author's: here it would find that something stands at the place already."""
    first, second = [("?n", 5)], [("n", 1)]
    text = one_of([OLD], 0, second, HEAD)
    expected = one_of([NEW, OLD], 1, second, one_of([NEW, OLD], 0, first, HEAD))
    text = one_of([NEW, OLD], 1, second, one_of([NEW, OLD], 0, first, text))
    assert (spec(text), kept(text)) == (spec(expected), kept(expected))
    assert len(kept(text)) == 2


@pytest.mark.parametrize(("steps", "expected"), [([NEW], [{"Target//t"}]), ([NEW, OLD], [set()])])
def test_who_wrote_is_told_only_if_no_other_step_can_have_written_the_record(steps, expected):
    told: list[str] = []

    def asks(config, resources, tools):
        told.extend(item.writers for item in resources)
        return iter(())

    one_of(steps, 0, NOTHING, one_of([NEW], 0, [("x", 1)], HEAD), asks)
    assert told == expected


def test_what_a_step_of_the_outer_package_wrote_is_told_when_it_has_left():
    """It is later than a step of the package itself, but only as long as it is there, or may be in a package around all that is rendered."""
    outer, inner = OLD, NEW
    text = one_of([outer], 0, [("x", 1)], HEAD)
    source = resourcelist.read(text.encode())

    def said(package):
        position = StepPosition(
            inner.called,
            PackageSteps(lambda: [replace(inner, package=package)]),
            0,
            lambda: package,
            lambda _: package,
            is_render=True,
        )
        return [findings.line(finding) for finding in resolve(FIRST, NOTHING, source, position=position).findings]

    (told,) = said("sub")
    assert "keeps what a step wrote that no pipeline here has" in told
    assert said("") == []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["{b: 1, c: 1}", "{b: 2, c: 1}", "{b: 2, c: 7}", "{b: 3, c: 1}"], "{b: 3, c: 7}"),
        (
            [
                "d: 1\na: '{b: 1, c: 1}'\n",
                "d: 1\na: '{b: 2, c: 1}'\n",
                "d: 1\na: '{b: 2, c: 7}'\n",
                "d: 1\na: '{b: 3, c: 1}'\n",
            ],
            "d: 1\na: '{b: 3, c: 7}'\n",
        ),
    ],
)
def test_what_a_later_step_wrote_in_a_text_within_a_text_is_put_back_on_what_the_first_writes_there_now(texts, expected):
    own, first, second, changed = texts
    given = HEAD.replace("x: 0", f"x: {quoted(own)}")
    _, once = rendered(given, [("x", first)], [("x", second)])
    said, text = step(FIRST, [("x", changed)], once)
    assert (said, spec(text)["x"]) == ([], expected)
    assert emptied(once) == given
