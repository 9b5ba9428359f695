"""What holds for every function: one check per law, each given a conformance case's state."""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from copy import deepcopy
from typing import Any

import jsonpatch

from krm_values._data.data_edits import same
from krm_values._data.pointer import ABSENT
from krm_values._krm import config, findings, places, resourcelist
from krm_values._krm.config import ConfigError
from krm_values._krm.item import Item, is_secret
from krm_values._krm.resources import Resources
from krm_values._run import invoke, registry
from krm_values._run.engine import DIFFERS
from krm_values._run.recorder import cleaned
from krm_values._yaml import decode, emit
from tests.conformance.cases import State, System, answer, execute

INTERNAL = {
    "internal.config.kubernetes.io/annotations-migration-resource-id": "7",
    "internal.config.kubernetes.io/seqindent": "compact",
    "internal.config.kubernetes.io/somebody": "keep",
    "kustomize.config.k8s.io/id": "3",
}
MERGES_ONCE = ("envgene-sd",)  # a Full SD that is merged already counts as authored
WITHOUT_RECORDS = {"released", "generated", "taken", "no-field", "patch", "target", "transformation"}
"""The errors of a run that does not know what an earlier one wrote, made or removed."""
TOLD_ONCE = {
    "record": "what an earlier run wrote was edited by hand: the edit counts from now on",
    "generated-removed": "the object that was generated is gone",
    "unknown-environment": "the run has created the environment",
    "no-full-sd": "the run has created the Full SD",
    "new-app-ignored": "after a basic-exclusion-merge its applications are removed or were ignored, which the Full SD does not tell",
}
"""The kinds of warnings about what a run changes, which the next run does not find any more."""
TOLD_ONCE_WITHOUT_RECORDS = {
    **TOLD_ONCE,
    "overwrites": "the map is replaced, and nothing tells that there was one",
    "target": "the number is a string, and nothing tells that it was none",
}
IDS = {"internal.config.kubernetes.io/id": "4", "config.k8s.io/id": "4"}


def holds_for(state: State) -> bool:
    """Whether laws are promised: not where a function is told to forget what it wrote."""
    spec: Any = decode.to_data(decode.parse(state.given.decode()))["functionConfig"]["spec"]  # type: ignore[index,call-overload]
    return bool(spec.get("record", True))


def planning_twice_gives_equal_plans_and_leaves_its_input_alone(state: State) -> None:
    source = resourcelist.read(state.given)
    function = registry.load(invoke.chosen("", source.function_config))
    try:
        value = config.read(function.form(), function.name, source.function_config)
    except ConfigError:
        assert state.outcome.failed
        return
    before = [deepcopy(item.data) for item in source.items]
    first = list(function.plan(value, Resources(source.items), state.tools))
    assert first == list(function.plan(value, Resources(source.items), state.tools))
    assert all(same(item.data, data) for item, data in zip(source.items, before, strict=True))


def a_second_run_changes_nothing(state: State) -> None:
    if state.outcome.failed:
        return
    source, outcome = state.again
    again = b"".join(source.apply(outcome, invoke.entries(outcome)))
    assert again.split(b"\nresults:")[0].rstrip() == state.out.split(b"\nresults:")[0].rstrip()
    assert not outcome.failed
    assert outcome.operations == ()


def a_warning_about_what_an_author_wrote_is_repeated(state: State) -> None:
    if state.outcome.failed:
        return
    assert _told_no_more(state, TOLD_ONCE) == []


def a_run_after_clean_changes_nothing_or_says_what_it_does_not_know(state: State) -> None:
    if state.outcome.failed:
        return
    source = resourcelist.read(state.out)
    texts = {item.number: source.text(item.number) for item in source.items}
    clean = {item.number: cleaned(item, texts[item.number], is_json=source.is_json(item.number)) for item in source.items}
    given = b"".join(source.write({number: text for number, text in clean.items() if text != texts[number]}, (), (), ()))
    _, outcome = answer(given, state.programs)
    errors = {finding.kind for finding in outcome.findings if finding.severity == "error"}
    assert errors <= WITHOUT_RECORDS
    assert errors or outcome.operations == ()


def a_run_without_decisions_writes_the_same(state: State) -> None:
    source = resourcelist.read(state.given)
    config = source.function_config
    _, outcome = invoke.run_function("", config, source, programs=state.programs, environment={}, brief=True)
    assert b"".join(source.apply(outcome, invoke.entries(outcome))) == state.out


def every_finding_names_its_place_on_stdin(state: State) -> None:
    """That of the resource, or of the functionConfig; with the file in front where a path annotation names one.

    The place of a field is compared with that which the parser gives of the whole list. What kpt and kustomize print has no such place
    (nobody sees it), and the message that there was nothing to do is no finding. Behind a Secret's value on its line there is no column.
    """
    source = resourcelist.read(state.given)
    config, place = source.function_config, invoke.place_in(source)
    _, outcome = invoke.run_function("", config, source, place, programs=state.programs, environment={})
    numbers = {id(item): item.number for item in source.items}
    for finding in outcome.findings:
        line = findings.line(finding)
        found = re.match(r"(?:error|warning|info): (?:[^ ]+ \()?stdin:(\d+)(?::(\d+))?\)?: ", line)
        assert found, line
        assert found[2] or (isinstance(finding.item, Item) and is_secret(finding.item)), line
        if id(finding.item) in numbers and not finding.at and not finding.inside:
            path = ("items", numbers[id(finding.item)], *finding.path)
            expected = places.field_inside(state.given.decode(), path)
            assert expected
            column = int(found[2]) if found[2] else expected.column
            assert (int(found[1]), column) == (expected.line, expected.column), line


def untouched_items_keep_their_bytes(state: State) -> None:
    before, after = resourcelist.read(state.given), resourcelist.read(state.out)
    gone = state.outcome.removed
    kept = [number for number in range(len(before.items)) if number not in gone]
    for place, number in enumerate(kept):
        if number not in state.outcome.edited:
            assert after.text(place).rstrip("\n") == before.text(number).rstrip("\n")


def an_error_leaves_every_item_as_it_came(state: State) -> None:
    if state.outcome.failed:
        before, after = resourcelist.read(state.given), resourcelist.read(state.out)
        assert [after.text(n) for n in range(len(after.items))] == [before.text(n) for n in range(len(before.items))]
        assert state.outcome.operations == ()


def the_patch_leads_from_the_input_to_the_output(state: State) -> None:
    given, out = (decode.to_data(decode.parse(text.decode())) for text in (state.given, state.out))
    patched = jsonpatch.apply_patch(given, list(state.outcome.operations))
    assert same(patched["items"], out["items"])  # type: ignore[index,call-overload]


def explain_says_the_same_before_and_after(state: State) -> None:
    if not state.outcome.failed and state.function not in MERGES_ONCE:
        assert facts(state.outcome) == facts(state.again[1])


def unknown_fields_and_internal_annotations_survive(system: System, case: dict[str, Any], state: State) -> None:
    items = deepcopy(case["input"])
    if system.reads_annotations:  # what people write counts: the comparison is with a run that has their annotation too
        for item in items:
            item["metadata"]["annotations"] = {**item["metadata"].get("annotations", {}), "own": "kept"}
        state = execute(system, case, deepcopy(items), case.get("config"))
    for item in items:
        item["x-unknown"] = {"deep": [1, {"er": None}]}
        item["metadata"]["annotations"] = {**item["metadata"].get("annotations", {}), **INTERNAL, **IDS, "own": "kept"}
    other = execute(system, case, items, case.get("config"))
    assert other.outcome.failed == state.outcome.failed
    left = len(items) - len(state.outcome.removed)
    assert same(state.items[left:], other.items[left:])
    for before, after in zip(state.items[:left], other.items[:left], strict=True):
        annotations = after["metadata"].pop("annotations")
        assert after.pop("x-unknown") == {"deep": [1, {"er": None}]}
        assert {key: annotations.get(key) for key in INTERNAL} == INTERNAL
        expected = deepcopy(before)
        own = expected["metadata"].pop("annotations", {})
        assert same(after, expected)
        assert {k: v for k, v in annotations.items() if k not in INTERNAL and k not in IDS} == {**own, "own": "kept"}


def a_warning_about_what_an_author_wrote_is_repeated_without_records(
    system: System, case: dict[str, Any], state: State
) -> None:
    config = {**(case.get("config") or {}), "record": False}
    state = execute(system, case, deepcopy(case["input"]), config)
    if not (state.outcome.failed or state.again[1].failed):
        assert _told_no_more(state, TOLD_ONCE_WITHOUT_RECORDS) == []


def check_writes_nothing_and_reports_what_a_run_would_change(system: System, case: dict[str, Any], state: State) -> None:
    """Rule S40 holds for every function."""
    config = {**(case.get("config") or {}), "check": True}
    checked = execute(system, case, deepcopy(case["input"]), config).outcome
    assert (checked.edited, checked.removed, checked.added, checked.operations) == ({}, frozenset(), (), ())
    told = [findings.line(one) for one in checked.findings if one.kind != DIFFERS]
    differing = [one for one in checked.findings if one.kind == DIFFERS]
    for one in differing:
        assert one.severity == "error"
        assert not isinstance(one.item, Item) or places.of_finding(one)[1][0] or places.on_stdin(one)[0]
    if state.outcome.failed:
        assert set(told) == {findings.line(one) for one in state.outcome.findings if one.kind != DIFFERS}
        return
    repeated = sum(one.kind == "repeat" for one in state.outcome.findings)
    would_change = len(state.outcome.edited) + len(state.outcome.removed) - repeated + len(state.outcome.added)
    assert len(differing) == would_change
    lost = {"generated-removed", "rewritten"} if differing else ()
    assert set(told) == {findings.line(one) for one in state.outcome.findings if one.kind not in lost}
    again = execute(system, case, deepcopy(state.items), config).outcome
    assert [one for one in again.findings if one.kind == DIFFERS] == []


def the_order_of_items_and_keys_does_not_matter(system: System, case: dict[str, Any], state: State) -> None:
    shuffler = random.Random(case["id"])
    items = [_shuffled(item, shuffler) for item in deepcopy(case["input"])]
    order = list(range(len(items)))
    shuffler.shuffle(order)
    other = execute(system, case, [items[place] for place in order], case.get("config"))
    assert other.outcome.failed == state.outcome.failed
    assert len(other.items) == len(state.items)
    left = [number for number in range(len(items)) if number not in state.outcome.removed]
    assert {order[place] for place in other.outcome.removed} == state.outcome.removed
    places = [left.index(number) for number in order if number in left]
    for place, number in enumerate([*places, *range(len(left), len(state.items))]):
        assert same(other.items[place], state.items[number])


def facts(outcome: Any) -> set[str]:
    """(resource, path in the result, value, origin, beaten), without item numbers."""
    return {fact(decision) for decision in outcome.decisions}


def fact(decision: Any) -> str:
    """A decision without what applying it changes: numbers and lines."""
    leaf = decision.leaf
    layers = [_layer(origin) for origin in (leaf.origin, *leaf.overridden)] if leaf else []
    return repr((_resource(decision.item), decision.path, _shown(decision.after), layers))


def _told_no_more(state: State, told_once: Collection[str]) -> list[str]:
    """Return the warnings that a second run does not repeat, apart from those of some kinds."""
    again = [_told(finding) for finding in state.again[1].findings]
    told = [one for one in state.outcome.findings if one.severity == "warning" and one.kind not in told_once]
    return [findings.line(one) for one in told if _told(one) not in again]


def _told(finding: Any) -> tuple[object, ...]:
    """Return what a finding says, without the lines, which an undo record moves."""
    said = re.sub(r"\blines? \d+(?:(?:, | and )\d+)*", "line", finding.message)
    named = findings.title(finding.item) if finding.item is not None else ""
    return finding.kind, finding.rule, said, named, finding.path, sorted(finding.tags.items())


def _layer(origin: Any) -> tuple[object, ...]:
    place = (_resource(origin.item), origin.path, origin.inner) if origin.item is not None else ()
    return origin.layer, _shown(origin.value), place, _shown(dict(origin.facts)), [_layer(below) for below in origin.via]


def _resource(item: Any) -> tuple[object, ...]:
    file = (item.position.path, item.position.index) if isinstance(item, Item) and item.position.file else ()
    return findings.reference(item), file


def _shown(value: Any) -> str:
    return "" if value is ABSENT else emit.as_json(value)


def _shuffled(value: Any, shuffler: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        shuffler.shuffle(keys)
        return {key: _shuffled(value[key], shuffler) for key in keys}
    return [_shuffled(element, shuffler) for element in value] if isinstance(value, list) else value


STATE_LAWS = [
    a_run_without_decisions_writes_the_same,
    planning_twice_gives_equal_plans_and_leaves_its_input_alone,
    a_second_run_changes_nothing,
    a_warning_about_what_an_author_wrote_is_repeated,
    a_run_after_clean_changes_nothing_or_says_what_it_does_not_know,
    every_finding_names_its_place_on_stdin,
    untouched_items_keep_their_bytes,
    an_error_leaves_every_item_as_it_came,
    the_patch_leads_from_the_input_to_the_output,
    explain_says_the_same_before_and_after,
]
CASE_LAWS = [
    check_writes_nothing_and_reports_what_a_run_would_change,
    unknown_fields_and_internal_annotations_survive,
    a_warning_about_what_an_author_wrote_is_repeated_without_records,
    the_order_of_items_and_keys_does_not_matter,
]
