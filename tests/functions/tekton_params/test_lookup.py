"""Which Task or Pipeline of the list a reference means (rules 52, 55, 56)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.tekton_params.support import document, resolve, run

REFERENCES: dict[str, Any] = {"mode": "propagate", "references": True}
REMOTE = [
    "{name: absent}",
    "{name: n, apiVersion: tekton.dev/v1}",
    "{name: n, kind: ClusterTask}",
    "{resolver: cluster, name: n}",
    "{name: n, bundle: example.org/x}",
    "{name: $(params.must)}",
    "{}",
]
SEVERAL = document("Task", "params: [{name: must}]")
CALL = run(
    "params: [{name: must, value: x}]\npipelineSpec: {params: [{name: must, type: string}], tasks: [{name: t, taskRef: {name: n}}]}"
)
PLACES = [
    ("the same package", ("a:x.yaml", "a/b:y.yaml", "a/b:run.yaml"), True),
    ("the nearest enclosing package", (":x.yaml", "a:y.yaml", "a/b:run.yaml"), True),
    ("the outermost package", (":x.yaml", "c:y.yaml", "a/b:run.yaml"), True),
    ("a name that only begins like it", ("a/bc:x.yaml", "a:y.yaml", "a/b:run.yaml"), True),
    ("two elsewhere", ("c:x.yaml", "d:y.yaml", "a/b:run.yaml"), False),
    ("two in the same package", ("a:x.yaml", "a:y.yaml", "a:run.yaml"), False),
    ("two inside", ("a/b:x.yaml", "a/c:y.yaml", "a:run.yaml"), False),
]


@pytest.mark.parametrize(("files", "meant"), [place[1:] for place in PLACES], ids=[place[0] for place in PLACES])
def test_rule_52_of_several_tasks_the_nearest_is_meant(files, meant):
    found = resolve(f"{SEVERAL}\n---\n{SEVERAL}\n---\n{CALL}", files=files, **REFERENCES)
    assert found.edited is meant
    names = sorted(file.replace(":", "/").lstrip("/") for file in files[:2])
    told = f"52 2 Tasks named n are equally near ({' and '.join(names)}), so none is looked up; keep one or set namespaces"
    assert found.warnings == ([] if meant else [told])


@pytest.mark.parametrize(
    ("of_task", "of_run", "meant"),
    [("", "", True), ("a", "a", True), ("", "a", True), ("a", "", False), ("a", "b", False)],
)
def test_rule_52_a_task_is_looked_up_in_the_runs_namespace_or_none(of_task, of_run, meant):
    task, call = (
        text.replace("{name: n}\nspec", f"{{name: n, namespace: {space}}}\nspec") if space else text
        for text, space in ((SEVERAL, of_task), (CALL, of_run))
    )
    assert resolve(f"{task}\n---\n{call}", **REFERENCES).edited is meant


def test_rule_52_a_task_of_the_same_namespace_goes_before_one_without():
    own = SEVERAL.replace("{name: n}\nspec", "{name: n, namespace: a}\nspec").replace("must", "other")
    call = CALL.replace("{name: n}\nspec", "{name: n, namespace: a}\nspec")
    assert resolve(f"{SEVERAL}\n---\n{own}\n---\n{call}", **REFERENCES).errors == [
        "39 other: Task n needs it, task t does not pass it and no outer layer has it; pass a value"
    ]


def test_rule_56_several_pipelines_are_not_looked_up():
    flow = document("Pipeline", "params: [{name: must, type: string}]\ntasks: []")
    found = resolve(
        f"{flow}\n---\n{flow}\n---\n{run('pipelineRef: {name: n}')}", files=("a:x.yaml", "b:y.yaml", "c:z.yaml"), **REFERENCES
    )
    assert found.errors == []
    assert found.warnings == [
        "52 2 Pipelines named n are equally near (a/x.yaml and b/y.yaml), so none is looked up; keep one or set namespaces"
    ]


@pytest.mark.parametrize("reference", REMOTE)
def test_rule_55_a_reference_that_cannot_be_looked_up_is_left_alone(reference):
    found = resolve(f"{SEVERAL}\n---\n{CALL.replace('taskRef: {name: n}', f'taskRef: {reference}')}", **REFERENCES)
    assert found.edits == []
    assert found.errors == []


def test_rule_52_a_task_that_a_host_renamed_is_found_by_its_former_name():
    former = {"internal.config.kubernetes.io/previousNames": "n", "internal.config.kubernetes.io/previousKinds": "Task"}
    former["internal.config.kubernetes.io/previousNamespaces"] = "default"
    renamed = document("Task", "params: [{name: must}]", metadata="{name: prefix-n}")
    assert resolve(f"{renamed}\n---\n{CALL}", annotations=(former,), **REFERENCES).edited


def test_rules_3_and_49_objects_of_both_versions_refer_to_each_other():
    task = document("Task", "params: [{name: must}]", "v1beta1")
    assert resolve(f"{task}\n---\n{CALL}", **REFERENCES).edited


def test_rule_52_only_tasks_without_a_namespace_are_told_to_get_one():
    one = SEVERAL.replace("{name: n}\nspec", "{name: n, namespace: a}\nspec")
    call = CALL.replace("{name: n}\nspec", "{name: n, namespace: a}\nspec")
    (warning,) = resolve(f"{one}\n---\n{one}\n---\n{call}", **REFERENCES).warnings
    assert warning.endswith("so none is looked up; keep one")
