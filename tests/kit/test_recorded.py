"""The engine with a function that keeps undo records: each run starts from what was there before it."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._krm import resourcelist
from krm_values._krm.plan import Origin, put
from krm_values._run.function import Function
from krm_values._run.resolve import resolve
from krm_values._yaml.edit.editor import Editor
from tests.kit.recording import STEPS, TARGET, items, kept, listed, plan, run, said, source, targets


@pytest.mark.parametrize("steps", [STEPS[:1], STEPS[1:2], STEPS[2:4], STEPS[:4], STEPS[4:], ["spec.containers.0-"]])
def test_a_second_run_changes_nothing_and_without_source_all_is_undone(steps):
    text = listed(source(*steps), TARGET)
    outcome, output = run(text)
    assert said(outcome) == []
    assert kept(output)["by"] == ["Source//s"]
    again, same = run(output)
    assert same == output
    assert again.operations == ()
    assert [d.kept for d in again.decisions] == [True] * len(steps)
    assert items(run(output.replace(source(*steps), source()))[1])[1] == items(text)[1]


def test_the_text_is_as_it_was_but_for_what_was_removed():
    text = listed(source(*STEPS[:4]), TARGET)
    output = run(text)[1]
    assert run(output.replace(source(*STEPS[:4]), source()))[1] == text.replace(source(*STEPS[:4]), source())


def test_a_changed_value_replaces_what_the_earlier_run_wrote():
    first = source("spec.replicas=5", "spec.containers.0.image=v")
    output = run(listed(first, TARGET))[1]
    second = source("spec.replicas=6", "spec.new=1")
    changed = run(output.replace(first, second))[1]
    assert changed == run(listed(second, TARGET))[1]


MERGED = """    one: &c {cpu: 1, limits: {mem: 1}}
    two:
      <<: *c # as one
      disk: 2
    three: {<<: *c, x: 1}
"""


@pytest.mark.parametrize("step", ["two.cpu=5", "two.limits.mem=5", "two.limits.new=5", "three.cpu=5", "two.own=5"])
def test_a_value_taken_by_a_merge_key_is_undone_by_removing(step):
    first = source(f"spec.{step}")
    output = run(listed(first, TARGET + MERGED))[1]
    assert run(output)[1] == output
    assert run(output.replace(first, source()))[1] == listed(source(), TARGET + MERGED)


def test_an_own_value_that_is_equal_to_a_merged_one_stays_while_others_are_undone():
    target = TARGET + MERGED.replace("disk: 2", "cpu: 1 # for now")
    first = source("spec.two.disk=5")
    output = run(listed(first, target))[1]
    assert run(output.replace(first, source()))[1] == listed(source(), target)


def test_appends_do_not_pile_up():
    target = TARGET + "    args: [a]\n"
    output = run(listed(source("spec.args+=x"), target))[1]
    assert items(output)[1]["spec"]["args"] == ["a", "x"]
    assert run(output)[1] == output
    assert items(run(output.replace("spec.args+=x", "spec.args+=y"))[1])[1]["spec"]["args"] == ["a", "y"]
    shifted = output.replace("args: [a, x]", "args: [x, new, a]")
    outcome, found = run(shifted)
    assert said(outcome) == []
    assert items(found)[1]["spec"]["args"] == ["new", "a", "x"]


def test_an_element_of_ours_edited_by_hand_is_an_error_in_a_growing_list():
    first = source("spec.args+=x")
    output = run(listed(first, TARGET + "    args: [a]\n"))[1].replace("[a, x]", "[a, hand]")
    outcome, same = run(output)
    assert outcome.failed
    assert same == output
    assert "changed by hand, and would get another: delete the changed one" in said(outcome)[0][1]
    outcome, left = run(output.replace(first, source()))
    assert [severity for severity, _ in said(outcome)] == ["warning"]
    assert items(left)[1]["spec"]["args"] == ["a", "hand"]
    assert kept(left) is None


def test_a_value_edited_by_hand_is_the_new_pristine_one():
    first = source("spec.replicas=5")
    output = run(listed(first, TARGET))[1].replace("replicas: '5'", "replicas: 9")
    outcome, again = run(output)
    text = "was edited by hand where Source//s had written; the current value now counts as the resource's own"
    assert said(outcome) == [("warning", f"stdin:16:5: Deployment d `spec.replicas`: {text}")]
    assert kept(again)["undo"][0]["value"] == 9
    assert run(again)[0].findings == ()
    assert items(run(again.replace(first, source()))[1])[1]["spec"]["replicas"] == 9


def test_each_value_edited_by_hand_is_reported():
    output = run(listed(source("spec.replicas=5", "spec.new=1"), TARGET))[1]
    outcome, _ = run(output.replace("replicas: '5'", "replicas: 9").replace("new: '1'", "new: 2"))
    assert {finding.path for finding in outcome.findings} == {("spec", "replicas"), ("spec", "new")}


def test_planners_see_the_pristine_item_and_who_wrote():
    seen: list[object] = []

    def look(config, resources, tools):
        seen.extend(
            (item.data["spec"]["replicas"], item.writers, item.scalar(("spec", "replicas"))) for item in targets(resources)
        )
        yield from ()

    output = run(listed(source("spec.replicas=5"), TARGET))[1]
    run(output, look)
    assert seen == [(1, frozenset({"Source//s"}), None)]


def test_the_items_that_came_stay_as_they_are_also_in_name_and_kind():
    text = listed(source("metadata.name=e", "spec.replicas=5"), TARGET)
    output = run(text)[1]
    seen = []

    def spy(config, resources, tools):
        seen.extend(targets(resources))
        return plan(config, resources, tools)

    came = resourcelist.read(output.encode())
    resolve(Function("krm_values.demo_values", "config:X", spy, lambda _: True), None, came)
    assert (seen[0].name, seen[0].data["spec"]["replicas"], seen[0].writers) == ("d", 1, {"Source//s"})
    assert (came.items[1].name, came.items[1].data["spec"]["replicas"], came.items[1].writers) == ("e", "5", frozenset())


def test_two_functions_keep_their_own_records():
    first, second = source("spec.replicas=5"), source("spec.new=1")

    def other(config, resources, tools):
        for item in targets(resources):
            yield put(item, ("spec", "other"), "o", Origin("other", None, resources.select("Source", group="example.org")[0]))

    one = run(listed(first, TARGET))[1]
    both = run(one, other, name="other_values")[1]
    assert kept(both) == kept(one)
    assert [entry["path"] for entry in kept(both, name="other-values")["undo"]] == ["/spec/other"]
    assert run(both)[1] == both
    assert run(both, other, name="other_values")[1] == both
    left = run(both.replace(first, source()))[1]
    assert items(left)[1]["spec"] == {**items(listed(TARGET))[0]["spec"], "other": "o"}
    assert items(run(both.replace(first, second))[1])[1]["spec"]["new"] == "1"


def test_annotations_stay_and_a_map_made_for_the_record_is_removed():
    annotated = TARGET.replace("    name: d # the name\n", "    name: d # the name\n    annotations:\n      own: x # mine\n")
    for target in (TARGET, annotated):
        first = source("spec.new=v", "spec.replicas=5")
        output = run(listed(first, target))[1]
        assert "krm-values.dev/undo.demo-values" in output
        assert run(output.replace(first, source()))[1] == listed(source(), target)


def test_no_record_is_kept_by_default_but_an_earlier_one_is_undone():
    text = listed(source("spec.replicas=5"), TARGET)
    assert kept(run(text, record=lambda _: False)[1]) is None
    output = run(text)[1].replace("spec.replicas=5", "spec.new=1")
    left = run(output, record=lambda _: False)[1]
    assert items(left)[1]["spec"]["replicas"] == 1
    assert items(left)[1]["spec"]["new"] == "1"
    assert kept(left) is None


def test_an_unreadable_record_is_an_error():
    text = listed(
        source("spec.new=1"),
        TARGET.replace(
            "    name: d # the name\n", "    name: d\n    annotations:\n      krm-values.dev/undo.demo-values: nonsense\n"
        ),
    )
    outcome, output = run(text)
    assert outcome.failed
    assert output == text
    assert "is not an undo record" in said(outcome)[0][1]


def test_a_record_over_64_kib_is_an_error():
    outcome, _ = run(listed(source("spec.big=1"), TARGET + f"    big: {'x' * 65536}\n"))
    assert outcome.failed
    assert "more than 64 KiB" in said(outcome)[0][1]


def test_a_record_that_hashes_too_much_is_an_error():
    entries = ",".join('{"op":"remove","path":"/big/0/x","sha":"0","within":{"/big/0":"0"}}' for _ in range(800))
    text = listed(
        source("spec.new=1"),
        TARGET.replace(
            "name: d # the name\n",
            f"""name: d
    annotations:
      krm-values.dev/undo.demo-values: '{{"by":[],"undo":[{entries}],"v":2}}'
  big:
  - {{{", ".join(f"k{number}: v" for number in range(5_000))}}}
""",
        ),
    )
    outcome, output = run(text)
    assert outcome.failed
    assert output == text
    assert "takes more than 2,000,000 steps to undo" in said(outcome)[0][1]


def test_strict_makes_errors_of_edits_by_hand():
    output = run(listed(source("spec.new=1"), TARGET))[1].replace("new: '1'", "new: 2")
    assert run(output, config=SimpleNamespace(strict=True))[0].failed


def test_what_a_plan_takes_back_itself_is_no_edit():
    text = listed(source("spec.new=p", "spec.new-"), TARGET)
    outcome, output = run(text)
    assert output == text
    assert outcome.operations == ()


PLACES = [
    "spec.replicas",
    "spec.new",
    "spec.containers.0.image",
    "spec.containers.1.image",
    "spec.containers.1",
    "spec.args.0",
    "spec.m",
]
STEPS_OF_ALL_KINDS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(PLACES), st.sampled_from(["=p", "=q", "-"])).map("".join),
        st.sampled_from(["spec.args+=p", "spec.args+=q", "spec.containers+=r"]),
    ),
    max_size=4,
)
FULL = TARGET + "    args: [a, p]\n    m: {k: v}\n"


def tolerant(config, resources, tools):
    """The plan without the steps that have no place."""
    for step in plan(config, resources, tools):
        parent = get(step.item.data, step.path[:-1], None)
        is_place = isinstance(parent, list) and isinstance(step.path[-1], int) and step.path[-1] <= len(parent)
        if is_place or (isinstance(parent, dict) and isinstance(step.path[-1], str)):
            yield step


@settings(max_examples=60, deadline=None)
@given(STEPS_OF_ALL_KINDS, STEPS_OF_ALL_KINDS)
def test_any_run_after_any_other_gives_what_it_alone_gives(first, second):
    text = listed(source(*first), FULL)
    outcome, output = run(text, tolerant)
    if outcome.failed:
        return
    again, same = run(output, tolerant)
    assert again.operations == ()
    assert same == output
    assert [(entry.path, entry.after) for entry in again.decisions] == [
        (entry.path, entry.after) for entry in outcome.decisions
    ]
    replaced = output.replace(source(*first), source(*second))
    later, direct = run(replaced, tolerant), run(listed(source(*second), FULL), tolerant)
    assert later[0].failed == direct[0].failed
    if not later[0].failed:
        assert items(later[1])[1]["spec"] == items(direct[1])[1]["spec"]
        assert sorted(map(str, kept(later[1]) or {})) == sorted(map(str, kept(direct[1]) or {}))


@settings(max_examples=60, deadline=None)
@given(STEPS_OF_ALL_KINDS, STEPS_OF_ALL_KINDS, st.data())
def test_an_edit_by_hand_between_runs_is_lost_only_if_written_over(first, second, data):
    outcome, output = run(listed(source(*first), FULL), tolerant)
    if outcome.failed:
        return
    spec = items(output)[1]["spec"]
    spots = [path for path in leaves(spec) if not isinstance(get(spec, path), dict | list)]
    edit = data_edits.Put(("spec", *data.draw(st.sampled_from(spots))), "by hand")
    editor = Editor(output.partition(source(*first))[2].replace("- apiVersion", "  apiVersion", 1))
    editor.make(edit)
    edited = editor.text().replace("  apiVersion", "- apiVersion", 1)
    outcome, later = run(listed(source(*second), edited), tolerant)
    if not outcome.failed:
        found = items(later)[1]
        record = kept(later) or {"undo": []}
        assert "by hand" in json.dumps(found["spec"]) or "by hand" in json.dumps(record["undo"])
        assert run(later, tolerant)[1] == later


def leaves(value, path=()):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in leaves(item, (*path, key)))]
