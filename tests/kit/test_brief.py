"""Runs of which nobody asks what was decided: items are written one by one and forgotten."""

from __future__ import annotations

import tracemalloc

from krm_values._krm import resourcelist
from krm_values._krm.plan import Finding, Origin, drop, put
from krm_values._run import invoke
from krm_values._run.function import Function
from krm_values._run.resolve import resolve
from tests.bench import data

HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
ITEM = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: {name}\n  data:\n    a: old\n    b: old # kept\n"
ORIGIN = Origin("test", None)
TIMES = 3


def run(plan, text, *, brief):
    source = resourcelist.read(text.encode())
    outcome = resolve(Function("krm_values.demo_values", "config:X", plan), None, source, brief=brief)
    return b"".join(source.apply(outcome, invoke.entries(outcome))).decode(), outcome, source


def both(plan, text):
    whole, brief = (run(plan, text, brief=brief) for brief in (False, True))
    assert whole[0] == brief[0]
    assert [finding.message for finding in whole[1].findings] == [finding.message for finding in brief[1].findings]
    return brief


def listed(count):
    return HEAD + "".join(ITEM.format(name=f"c{number}") for number in range(count))


def test_an_item_is_forgotten_and_read_again_where_somebody_asks():
    def plan(config, resources, tools):
        for item in resources:
            yield put(item, ("data", "a"), "new", ORIGIN)
            yield Finding("warning", "w", None, "look at this", item, ("data", "b"))

    text, outcome, source = both(plan, listed(3))
    assert text.count("a: new") == 3
    assert (*outcome.decisions,) == ()
    first = source.items[0]
    assert type(first.reading).__name__ == "_Forgotten"
    assert first.reading.place(("data", "b")) == (6, 4)
    assert first.reading.place(("data", "a")) == (5, 4)
    assert first.data["data"] == {"a": "old", "b": "old"}


def test_a_plan_that_comes_back_to_an_item_is_taken_as_a_whole():
    planned = []

    def plan(config, resources, tools):
        planned.append(1)
        for key in "ab":
            for item in resources:
                yield put(item, ("data", key), "new", ORIGIN)

    text, outcome, _ = both(plan, listed(3))
    assert text.count(": new") == 6
    assert len(outcome.edited) == 3
    assert len(planned) == 3, "once by the whole run, twice by the brief one"


def test_a_plan_may_come_back_to_an_item_that_it_left_as_it_was():
    def plan(config, resources, tools):
        first, second = resources
        yield put(first, ("data", "a"), "old", ORIGIN)
        yield put(second, ("data", "a"), "new", ORIGIN)
        yield drop(first, ("data", "a"), ORIGIN)

    text, *_ = both(plan, listed(2))
    assert text.count("a: old") == 0


def test_what_cannot_be_written_is_reported_alike():
    def plan(config, resources, tools):
        for item in resources:
            yield put(item, ("spec", "x"), "new", ORIGIN)

    text, outcome, _ = both(plan, listed(2))
    assert [finding.severity for finding in outcome.findings] == ["error", "error"]
    assert text.startswith(listed(2))


def test_memory_is_at_most_three_times_input_and_output(tmp_path):
    file = tmp_path / "list.yaml"
    with file.open("w") as out:
        data.write(out, 400, 400)
    given = file.read_bytes()
    invoke.answer(given, "tekton-params")  # imports, and what is kept of the texts that most have
    tracemalloc.start()
    source = resourcelist.read(given)
    _, outcome = invoke.run_function("tekton-params", source.function_config, source, brief=True)
    written = sum(map(len, source.apply(outcome, invoke.entries(outcome))))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= TIMES * (len(given) + written)
