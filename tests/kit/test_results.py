"""Findings as users see them: an address, a fact and a way out, on one line."""

from __future__ import annotations

import pytest

from krm_values._krm import findings as results
from krm_values._krm.item import Header, Item, Position, Reading
from krm_values._krm.plan import Finding, New, Origin


def item(kind="PipelineRun", *, namespace="ci", name="build", position=None, annotations=None, generate=""):
    data = {"metadata": {"generateName": generate}} if generate else {}
    reading = Reading(data, annotations or {}, lambda _: None, lambda path: (4, 2) if path else (0, 0))
    api_version = "v1" if kind == "Secret" else "tekton.dev/v1"
    return Item(0, Header(api_version, kind, namespace, name), lambda: reading, position)


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (Finding("error", "k", "38", "must be text"), "error: must be text"),
        (
            Finding(
                "error",
                "k",
                "38",
                "must be a string; found {found}",
                item(position=Position("", "run.yaml", 0, 10)),
                ("spec", "params", 0),
                "x",
            ),
            'error: run.yaml:14:3: PipelineRun ci/build `spec.params[0]`: must be a string; found string "x"',
        ),
        (
            Finding("warning", "k", None, "two\nlines", item(position=Position("sub", "run.yaml"))),
            "warning: sub/run.yaml: PipelineRun ci/build: two lines",
        ),
        (Finding("info", "k", None, "m", item(namespace="", name="", generate="build-")), "info: PipelineRun build-: m"),
        (
            Finding("info", "k", None, "m", New({"kind": "ConfigMap", "metadata": {"name": "c"}}, item())),
            "info: ConfigMap c: m",
        ),
    ],
)
def test_a_line_is_address_fact_and_way_out(finding, line):
    assert results.line(finding) == line


def test_what_is_not_written_has_the_line_of_the_nearest_place_above():
    lines = {(): (1, 0), ("spec",): (1, 4), ("spec", "params"): (3, 2)}
    one = Item(
        0, Header("v1", "Thing", "", "a"), lambda: Reading({}, {}, lambda _: None, lines.get), Position("", "a.yaml", 0, 10)
    )
    told = [
        results.line(Finding("error", "k", None, "m", one, path)) for path in (("spec", "params", 0, "name"), ("other",), ())
    ]
    assert [line.split()[1] for line in told] == ["a.yaml:13:3:", "a.yaml:11:1:", "a.yaml:11:1:"]


def test_a_result_carries_reference_field_file_and_tags():
    where = {"config.kubernetes.io/path": "a/run.yaml", "config.kubernetes.io/index": "2"}
    finding = Finding(
        "error", "type-conflict", "38", "m", item(annotations=where), ("spec", "params", 0, "value"), 7, {"task": "t"}
    )
    assert results.as_result(finding) == {
        "message": "a/run.yaml: PipelineRun ci/build `spec.params[0].value`: m",
        "severity": "error",
        "resourceRef": {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "name": "build", "namespace": "ci"},
        "field": {"path": "spec.params[0].value", "currentValue": 7},
        "file": {"path": "a/run.yaml", "index": 2},
        "tags": {"kind": "type-conflict", "rule": "38", "task": "t"},
    }


def test_the_value_of_a_secret_is_never_shown():
    secret = Origin("secret", "hunter2", item("Secret"), ("data", "p"))
    for origin in (secret, Origin("merged", "hunter2", via=(secret,))):
        finding = Finding("error", "k", None, "must be short; found {found}", item("Secret"), ("data", "p"), origin)
        assert results.message(finding).endswith('must be short; found "<hidden>"')
        assert "hunter2" not in repr(results.as_result(finding))
        assert results.as_result(finding)["field"] == {"path": "data.p", "currentValue": "<hidden>"}


def test_only_scalars_are_shown_as_the_current_value():
    finding = Finding("error", "k", None, "m", item(), ("spec",), {"a": 1})
    assert results.as_result(finding)["field"] == {"path": "spec"}


def test_of_a_long_value_the_beginning_is_shown():
    finding = Finding("error", "k", None, "must be short; found {found}", item(), ("spec",), "ab" * 500_000)
    assert results.message(finding).endswith(f'must be short; found string "{"ab" * 500}... (1,000,000 characters)"')
    assert results.as_result(finding)["field"] == {"path": "spec"}


def test_findings_without_a_place_are_sorted_by_severity_and_distinct():
    findings = [
        Finding(severity, "k", None, text)
        for severity, text in [("info", "1"), ("error", "2"), ("warning", "3"), ("error", "4"), ("info", "1")]
    ]
    assert [finding.message for finding in results.in_order(findings)] == ["2", "4", "3", "1"]


def written(places, position=None):
    """An item whose fields are written at these places, from 0."""
    header = Header("v1", "Thing", "", "a")
    return Item(0, header, lambda: Reading({}, {}, lambda _: None, {(): (0, 0), **places}.get), position)


@pytest.mark.parametrize("line", [0, 10])
def test_findings_are_sorted_by_place_then_by_severity(line):
    lines = {("b",): (1, 0), ("c",): (9, 8), ("d",): (9, 10), ("e",): (10, 0)}
    one, other = written(lines, Position("", "a.yaml", 0, line)), written(lines, Position("sub", "a.yaml", 0, line))
    told = [
        Finding("error", "k", None, "no item"),
        Finding("error", "k", None, "generated", New({"kind": "Thing"}, one)),
        Finding("error", "k", None, "no file", written(lines)),
        Finding("error", "k", None, "other file", other),
        Finding("error", "k", None, "line 11", one, ("e",)),
        Finding("info", "k", None, "column 11", one, ("d",)),
        Finding("info", "k", None, "then an info", one, ("c",)),
        Finding("warning", "k", None, "then a warning", one, ("c",)),
        Finding("error", "k", None, "column 9", one, ("c",)),
        Finding("warning", "k", None, "line 2", one, ("b",)),
        Finding("error", "unreadable", None, "cannot be read", other),
    ]
    assert [finding.message for finding in results.in_order(told)] == [
        *("cannot be read", "line 2", "column 9", "then a warning", "then an info", "column 11", "line 11"),
        *("other file", "no file", "generated", "no item"),
    ]


def test_a_missing_key_has_the_place_of_its_misspelling():
    one = written({("b",): (1, 0), ("spce",): (4, 0), ("spce", "x"): (5, 2)}, Position("", "a.yaml", 0, 10))
    told = [
        Finding("error", "k", None, "must be a map", one, ("spec",)),
        Finding("error", "k", None, "must be given", one, ("name",)),
        Finding("warning", "unknown-key", "S5", "is not a field", one, ("spce",)),
        Finding("error", "k", None, "is wrong", one, ("b",)),
    ]
    assert [results.line(finding) for finding in results.in_order(told)] == [
        "error: a.yaml:10:1: Thing a `name`: must be given",
        "error: a.yaml:11:1: Thing a `b`: is wrong",
        "warning: a.yaml:14:1: Thing a `spce`: is not a field",
        "error: a.yaml:14:1: Thing a `spec`: must be a map",
    ]


def test_a_very_long_word_is_cut():
    finding = Finding("error", "k", None, f"patch: /spec/{'x' * 5_000} is not there", path=("spec", "y" * 5_000))
    told = results.message(finding)
    assert told == f"`spec.{'y' * 995}... (5,005 characters)`: patch: /spec/{'x' * 994}... (5,006 characters) is not there"


def test_of_very_many_findings_each_is_told_once():
    findings = [Finding("info", "k", None, f"{number % 20_000}", path=(number % 20_000,)) for number in range(40_000)]
    assert results.in_order(findings) == tuple(findings[:20_000])
