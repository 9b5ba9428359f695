"""Where edits go and in which style; and that both versions are treated alike."""

from __future__ import annotations

import pytest

from krm_values._data.pointer import to_field
from tests.functions.tekton_params.support import document, resolve, run

LAYOUT = run("""
params:
- {name: a, value: x}
- {name: l, value: [x]}
pipelineSpec:
  params: [{name: p, default: d}]
  tasks:
  - name: t
    runAfter: []
    taskSpec:
      params:
      - name: own
        default: d
      steps: []
  - taskSpec: {steps: []}
  - runAfter: []
    taskRef: {name: do}
    name: u
""")
TASK = document("Task", "params: [{name: a}]", metadata="{name: do}")


def test_layout_2b_new_keys_and_entries_have_their_place_and_style():
    tasks = "spec.pipelineSpec.tasks"
    found = resolve(f"{TASK}\n---\n{LAYOUT}", references=True)
    assert [(to_field(edit.path), edit.after, edit.flow) for number, edit in found.edits if number == 1] == [
        ("spec.pipelineSpec.params[1]", None, True),
        ("spec.pipelineSpec.params[2]", None, True),
        (f"{tasks}[0].params", "name", False),
        (f"{tasks}[0].taskSpec.params[1]", None, False),
        (f"{tasks}[0].taskSpec.params[2]", None, False),
        (f"{tasks}[0].taskSpec.params[3]", None, False),
        (f"{tasks}[1].params", "", False),
        (f"{tasks}[1].taskSpec.params", "", False),
        (f"{tasks}[2].params", "taskRef", False),
    ]


def test_layout_2b_an_array_is_handed_down_in_flow_style():
    found = resolve(LAYOUT)
    entries = next(edit.value for _, edit in found.edits if to_field(edit.path) == "spec.pipelineSpec.tasks[0].params")
    assert [type(entry["value"]).__name__ for entry in entries] == ["str", "str", "FlowList"]


@pytest.mark.parametrize("mode", ["implicit", "propagate"])
def test_rule_49_both_versions_give_the_same_and_keep_their_apiversion(mode):
    spec = "params: [{name: a, value: x}]\npipelineSpec: {tasks: [{name: t, taskSpec: {steps: [{script: $(params.a)}]}}]}"
    new, old = (resolve(document("PipelineRun", spec, version), mode=mode) for version in ("v1", "v1beta1"))
    assert new.edits == old.edits != []
    assert [found.items[0]["apiVersion"] for found in (new, old)] == ["tekton.dev/v1", "tekton.dev/v1beta1"]
