"""What `explain` prints of an outcome: blocks, JSON and the patch, secrets masked in each."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import jsonpatch
import pytest
from tests.answers import decided, of_steps
from tests.cli.packages import command, kptfile, write
from tests.conformance.laws import fact

from krm_values._data.pointer import ABSENT
from krm_values._data.record import replace
from krm_values._data.scalars import Float
from krm_values._explain.diff import _taken
from krm_values._explain.ledger import Ledger
from krm_values._explain.shown import masked
from krm_values._explain.steps import Explained, Explanation
from krm_values._explain.text import show
from krm_values._krm.item import Header, Item, Position, Reading
from krm_values._krm.names import Writer
from krm_values._krm.plan import Finding, Leaf, New, Note, Origin
from krm_values._run.pipeline import Ran, Rendered
from krm_values._run.resolve import Outcome
from krm_values._run.state import Decision

RUN_DATA = {"spec": {"params": [{"name": "url", "value": "x"}]}}


def item(number: int, kind: str, name: str, data: dict, file: str = "", group: str = "") -> Item:
    def place(path: tuple[str | int, ...]) -> tuple[int, int] | None:
        return (len(path), 0) if path else (0, 0)

    reading = Reading(data, {}, lambda _: None, place)
    api_version = f"{group}/v1" if group else "v1"
    position = Position("", file, 0, 10) if file else Position()
    return Item(number, Header(api_version, kind, "ci", name), lambda: reading, position)


RUN = item(1, "PipelineRun", "build", RUN_DATA, "run.yaml", "tekton.dev")
SECRET = item(0, "Secret", "token", {"data": {"a": "aHVudGVyMg=="}}, "secret.yaml")


def outcome(*decisions: Decision, operations: tuple = (), notes: tuple = (), findings: tuple = ()) -> Outcome:
    return Outcome(findings, {}, frozenset(), (), operations, decisions, notes)


def added(
    path: tuple, value: Any, origin: Origin, *overridden: Origin, before: object = ABSENT, kept: bool = False
) -> Decision:
    return Decision(RUN, path, before, value, Leaf(path, value, origin, overridden), kept)


FROM_RUN = Origin("run", "x", RUN, ("spec", "params", 0))
FROM_DEFAULT = Origin("default", "y", None, ("spec", "params", 0))
FROM_SECRET = Origin("secret", "hunter2", SECRET, ("data", "a"))
VIA_SECRET = Origin("merged", "hunter2", RUN, ("spec",), via=(FROM_SECRET,))


def entries(*decisions: Decision, show_secrets: bool = False) -> list:
    return decided(of_steps([Explained("tekton-params", outcome(*decisions))], show_secrets=show_secrets))


def blocks(*decisions: Decision, notes: tuple = (), show_secrets: bool = False) -> str:
    out = io.StringIO()
    explanation = Explanation((Explained("tekton-params", outcome(*decisions, notes=notes)),))
    ledger = Ledger(explanation)
    listed = ledger.listed(ledger.resources(), complete=False, authored=False)
    show(ledger, listed, out, show_secrets=show_secrets, whole=True)
    return out.getvalue()


def test_json_says_where_a_value_stands_and_comes_from():
    decision = added(("spec", "a"), "x", FROM_RUN, FROM_DEFAULT, before="z")
    assert entries(decision) == [
        {
            "resource": {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "name": "build", "namespace": "ci"},
            "document": 0,
            "path": "spec.a",
            "pointer": "/spec/a",
            "value": "x",
            "kind": "decided",
            "step": 0,
            "before": "z",
            "winner": {
                "layer": "run",
                "rank": 1,
                "value": "x",
                "origin": "authored",
                "file": "run.yaml",
                "line": 13,
                "column": 1,
                "resource": {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "name": "build", "namespace": "ci"},
                "path": "spec.params[0]",
                "because": [],
                "way": [],
            },
            "overridden": [
                {"layer": "default", "rank": 0, "value": "y", "origin": "default", "because": [], "way": []},
            ],
            "rule": "run overrides default: what is passed overrides a default, and of defaults the outermost counts",
        }
    ]


def test_json_leaves_out_what_is_absent():
    assert "before" not in entries(added(("spec", "a"), "x", FROM_RUN))[0]
    dropped = Decision(RUN, ("spec", "a"), "x", ABSENT, Leaf(("spec", "a"), None, FROM_RUN), kept=False)
    entry = entries(dropped)[0]
    assert ("value" in entry, entry["removed"], entry["before"]) == (False, True, "x")
    assert entries(added(("spec", "a"), "x", FROM_RUN, before=None))[0]["before"] is None


def test_json_of_a_generated_object_names_it():
    new = New({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "made"}}, RUN)
    decision = Decision(new, ("data", "a"), ABSENT, "x", Leaf(("data", "a"), "x", FROM_RUN), kept=False)
    text = of_steps([Explained("tekton-params", outcome(decision))])
    (entry,) = decided(text)
    assert entry["resource"] == {"apiVersion": "v1", "kind": "ConfigMap", "name": "made"}
    assert json.loads(text)["documents"][entry["document"]] == {**entry["resource"], "file": "", "index": 0}


def test_json_names_the_step_of_a_package():
    explained = [Explained("tekton-params", outcome(), "sub", "pipeline.mutators[0]")]
    step = json.loads(of_steps(explained))["steps"][0]
    assert (step["function"], step["package"], step["step"]) == ("tekton-params", "sub", "pipeline.mutators[0]")
    assert (step["file"], step["layers"], step["notes"], step["findings"]) == ("sub/Kptfile", [], [], [])


@pytest.mark.parametrize("origin", [FROM_SECRET, VIA_SECRET], ids=["direct", "through another value"])
def test_a_value_out_of_a_secret_is_hidden_in_json(origin):
    entry = entries(added(("spec", "a"), "hunter2", origin, before="hunter1"))[0]
    assert (entry["hidden"], "value" in entry, "before" in entry) == (True, False, False)
    assert (entry["winner"]["hidden"], "value" in entry["winner"]) == (True, False)
    assert "hunter" not in json.dumps(entry)


def test_what_a_secret_put_there_earlier_is_hidden_when_it_is_beaten():
    entry = entries(added(("spec", "a"), "x", FROM_RUN, FROM_SECRET, before="hunter2"))[0]
    assert ("before" in entry, entry["value"], entry["overridden"][0]["hidden"]) == (False, "x", True)
    assert "hunter2" not in json.dumps(entry)


@pytest.mark.parametrize("hides", [True, False])
def test_a_diff_hides_what_a_secret_put_there_earlier(hides):
    below = FROM_SECRET if hides else FROM_DEFAULT
    done = outcome(added(("spec", "a"), "x", FROM_RUN, below, before="hunter2"))
    assert _taken(Rendered(None, (Ran(None, Writer("tekton-params"), (RUN,), done),))) == (
        {("run.yaml", 0): {("spec", "a")}} if hides else {}
    )


def test_a_value_that_holds_one_of_a_secret_is_hidden_whatever_its_origin():
    decision = replace(added(("spec", "d"), "hunter2", FROM_RUN), secret=True)
    operations = ({"op": "add", "path": "/items/1/spec/d", "value": "hunter2"},)
    assert masked(outcome(decision, operations=operations), [RUN])[0]["value"] == "<hidden>"
    assert "hunter2" not in json.dumps(entries(decision)) + blocks(decision)


def test_a_hidden_value_is_told_alike_whether_or_not_it_changes():
    changed, kept = (
        added(("spec", "a"), "hunter2", FROM_SECRET, before=before, kept=before == "hunter2") for before in ("x", "hunter2")
    )
    assert blocks(changed) == blocks(kept)
    assert "spec.a = <hidden>\n" in blocks(changed)


def test_a_secret_value_is_hidden_in_the_map_that_another_layer_set():
    whole = added(("spec", "a"), {"b": "hunter2", "c": "x"}, FROM_RUN)
    inner = added(("spec", "a", "b"), "hunter2", FROM_SECRET)
    assert entries(whole, inner)[0]["value"] == {"b": "<hidden>", "c": "x"}
    assert "hunter2" not in blocks(whole, inner)


def test_what_an_earlier_run_took_out_of_a_secret_stays_hidden():
    decision = replace(added(("spec", "a"), "x", FROM_RUN, before={"b": "hunter2", "c": "y"}), withheld=(("spec", "a", "b"),))
    assert entries(decision)[0]["before"] == {"b": "<hidden>", "c": "y"}
    assert "hunter2" not in blocks(decision)


def test_everything_in_a_secret_is_hidden():
    decision = Decision(SECRET, ("data", "a"), "aHVudGVyMg==", "eA==", Leaf(("data", "a"), "eA==", FROM_RUN), kept=False)
    entry = entries(decision)[0]
    assert (entry["hidden"], "before" in entry) == (True, False)
    assert "aHVudGVyMg==" not in json.dumps(entry) + blocks(decision)


def test_show_secrets_shows_them():
    decision = added(("spec", "a"), "hunter2", FROM_SECRET)
    assert entries(decision, show_secrets=True)[0]["value"] == "hunter2"
    assert "hunter2" in blocks(decision, show_secrets=True)
    assert "hunter2" not in blocks(decision)


def test_there_is_a_block_per_value():
    text = blocks(
        added(("spec", "a"), "x", FROM_RUN, FROM_DEFAULT, before="z"),
        added(("spec", "b"), {"c": [1, True]}, FROM_RUN, kept=True, before={"c": [1, True]}),
        notes=(Note("layers", "ci/build", ["run", "default"]),),
    )
    assert text == (
        "PipelineRun ci/build  (run.yaml)\n"
        "spec.a = x\n"
        "  + run      run.yaml:13  x\n"
        "  - default               'y'\n"
        "    rule: run overrides default: what is passed overrides a default, and of\n"
        "      defaults the outermost counts\n"
        "spec.b = {c: [1, true]}\n"
        "  + run  run.yaml:13  x\n"
        "    rule: only run sets it\n"
        "\n"
        "layers ci/build: [run, default]\n"
    )


def test_the_sentence_has_the_reason_that_a_value_has_of_its_own():
    leaf = Leaf(("spec", "a"), "y", FROM_DEFAULT, (FROM_RUN,), reason="it was there first")
    text = blocks(Decision(RUN, ("spec", "a"), "x", "y", leaf, kept=False))
    assert text.endswith("    rule: default overrides run: it was there first\n")


def test_long_values_are_cut_and_nothing_is_wider_than_80_columns():
    text = blocks(added(("spec", "a"), "x" * 500, Origin("run", "x" * 500, RUN, ("spec", "params", 0))))
    assert [len(line) for line in text.splitlines()] == [32, 80, 80, 26]
    assert "…" in text


def test_nothing_decided_is_said():
    assert blocks() == "tekton-params decides no value here\n"


def test_a_number_that_json_lacks_is_a_string():
    found = entries(
        added(("data", "a"), {"b": [Float(".nan", math.nan), 1.5]}, Origin("a", 1), Origin("base", Float("-.Inf", -math.inf)))
    )[0]
    assert found["value"] == {"b": [".nan", 1.5]}
    assert found["overridden"][0]["value"] == "-.Inf"


def test_a_number_keeps_its_text():
    decision = added(("spec", "a"), Float("2.10"), FROM_RUN)
    assert "spec.a = 2.10\n" in blocks(decision)


OPERATIONS = (
    {"op": "add", "path": "/items/1/spec/a", "value": {"b": "hunter2", "c": "x"}},
    {"op": "add", "path": "/items/1/spec/d", "value": "hunter2"},
    {"op": "add", "path": "/items/1/spec/e", "value": "y"},
    {"op": "replace", "path": "/items/0/data/a", "value": "aHVudGVyMg=="},
    {"op": "remove", "path": "/items/1/spec/f"},
)


def test_the_patch_is_masked_where_the_secret_stands():
    decisions = (
        Decision(RUN, ("spec", "a", "b"), ABSENT, "hunter2", Leaf(("spec", "a", "b"), "hunter2", FROM_SECRET), kept=False),
        Decision(RUN, ("spec", "d"), ABSENT, "hunter2", Leaf(("spec", "d"), "hunter2", VIA_SECRET), kept=False),
    )
    found = masked(outcome(*decisions, operations=OPERATIONS), [SECRET, RUN])
    assert [operation.get("value") for operation in found] == [
        {"b": "<hidden>", "c": "x"},
        "<hidden>",
        "y",
        "<hidden>",
        None,
    ]
    assert OPERATIONS[0]["value"] == {"b": "hunter2", "c": "x"}  # what was decided is left alone
    jsonpatch.JsonPatch(found)


def test_a_fact_depends_on_no_item_number_line_or_earlier_run():
    decision = added(("spec", "a"), "x", FROM_RUN, FROM_DEFAULT)
    moved = item(7, "PipelineRun", "build", RUN_DATA, "run.yaml", "tekton.dev")
    kept = Decision(moved, ("spec", "a"), "x", "x", Leaf(("spec", "a"), "x", FROM_RUN, (FROM_DEFAULT,)), kept=True)
    assert fact(decision) == fact(kept)
    assert fact(decision) != fact(added(("spec", "a"), "x", FROM_RUN))
    assert fact(decision) != fact(added(("spec", "a"), "y", FROM_RUN, FROM_DEFAULT))


def test_findings_are_part_of_the_json():
    said = outcome(findings=(Finding("error", "k", "7", "is wrong", RUN, ("spec",)),))
    found = json.loads(of_steps([Explained("f", said)]))
    messages = [finding["message"] for finding in found["steps"][0]["findings"]]
    assert messages == ["run.yaml:11:1: PipelineRun ci/build `spec`: is wrong"]


def test_json_has_a_line_for_each_value():
    decisions = added(("a",), "x", FROM_RUN), added(("b",), Float("2.10"), FROM_RUN)
    lines = of_steps([Explained("f", outcome(*decisions)), Explained("g", outcome())]).splitlines()
    heads = [line.partition(":")[0] for line in lines]
    assert heads == [
        '{"apiVersion"',
        '"steps"',
        '{"function"',
        '{"function"',
        '"documents"',
        '{"apiVersion"',
        '"references"',
        '"values"',
        '{"resource"',
        '{"resource"',
        "}",
    ]


CONDITION = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers:
  - values: {replicas: 1}
  - name: prod
    when:
      labels: {env: prod}
    values: {replicas: 9}
  targets:
  - {kind: Deployment, fields: {spec.replicas: replicas}}
"""
LABELLED = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {env: prod}}
spec: {replicas: 3}
"""


def test_a_layers_condition_is_among_what_it_is_there_for(tmp_path):
    files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "lv.yaml": CONDITION, "web.yaml": LABELLED}
    package = write(tmp_path / "package", files)
    assert "\n    because lv.yaml:8, lv.yaml:12, Kptfile:" in command("explain", ".", cwd=package).stdout
    said = "it chooses targets of a layer of layered-values"
    assert said in " ".join(command("why", "lv.yaml:9", cwd=package).stdout.split())


WHOLE = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{name: a, values: {replicas: 3}}]
  targets:
  - {kind: Deployment, fields: {spec.values: .}}
"""
HELD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  values: {z: 2, replicas: 1}
"""


def test_what_is_replaced_as_a_whole_is_the_loser_as_a_whole(tmp_path):
    """Without the layer's line the key is gone, since the map around it is written."""
    steps = kptfile("exec: krm-layered-values, configPath: lv.yaml")
    package = write(tmp_path / "package", {"Kptfile": steps, "lv.yaml": WHOLE, "web.yaml": HELD})
    found = []
    for _ in range(2):
        listed = json.loads(command("explain", ".", "--json", cwd=package).stdout)["values"]
        one = next(one for one in listed if one["path"] == "spec.values.replicas")
        found.append([(cell["value"], cell["at"], cell["line"]) for cell in one["overridden"]])
        assert command("render", ".", cwd=package).returncode == 0
    assert found == [[({"replicas": 1, "z": 2}, "spec.values", 5)]] * 2
    (package / "lv.yaml").write_text(WHOLE.replace("replicas: 3", "y: 4"))
    assert command("render", ".", cwd=package).returncode == 0
    assert "replicas" not in (package / "web.yaml").read_text().partition("\nspec:")[2]
