"""Every field that is searched, and those that are not (rules 33 and 36)."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values.tekton_params import pipelines
from tests.functions.tekton_params.support import data

IN_A_TASK = """
steps:
- name: $(text)
  image: $(text)
  imagePullPolicy: $(text)
  workingDir: $(text)
  script: $(text)
  onError: $(text)
  command: [$(word)]
  args: [$(word), $(word)]
  env:
  - name: no
    value: $(text)
    valueFrom:
      secretKeyRef: {name: $(text), key: $(text)}
      configMapKeyRef: {name: $(text), key: $(text)}
      fieldRef: {fieldPath: $(no)}
  envFrom:
  - {prefix: $(text), configMapRef: {name: $(text)}, secretRef: {name: $(text)}}
  volumeMounts:
  - {name: $(text), mountPath: $(text), subPath: $(text)}
  stdoutConfig: {path: $(text)}
  stderrConfig: {path: $(text)}
  when:
  - {input: $(text), operator: $(no), values: [$(when)]}
  - {cel: $(text)}
  params:
  - {name: $(no), value: $(whole)}
  - {name: x, value: [$(member)]}
  - {name: x, value: {key: $(text)}}
  ref: {name: $(no)}
  computeResources: {limits: {memory: $(no)}}
  timeout: $(no)
stepTemplate:
  image: $(text)
  workingDir: $(text)
  args: [$(word)]
  env:
  - {name: x, value: $(text)}
  script: $(no)
sidecars:
- name: $(text)
  image: $(text)
  script: $(text)
  command: [$(word)]
  onError: $(no)
volumes:
- name: $(text)
  configMap: {name: $(text), items: [{key: $(text), path: $(text)}]}
  secret: {secretName: $(text), items: [{key: $(text), path: $(text)}]}
  persistentVolumeClaim: {claimName: $(text)}
  projected:
    sources:
    - {configMap: {name: $(text)}, secret: {name: $(text)}, serviceAccountToken: {audience: $(text)}}
  csi: {nodePublishSecretRef: {name: $(text)}, volumeAttributes: {any: $(text)}, driver: $(no)}
  hostPath: {path: $(no)}
workspaces:
- {name: $(no), mountPath: $(text), description: $(no)}
description: $(no)
displayName: $(no)
results:
- {name: r, value: $(no)}
"""

AROUND_A_TASK = """
name: $(no)
displayName: $(title)
onError: $(text)
description: $(no)
runAfter: [$(no)]
retries: $(no)
timeout: $(no)
when:
- {input: $(text), operator: in, values: [$(when), $(when)]}
- {cel: $(text)}
params:
- {name: $(no), value: $(whole)}
- {name: a, value: [$(member), $(member)]}
- {name: b, value: {key: $(text)}}
matrix:
  params:
  - {name: $(no), value: [$(member)]}
  - {name: m, value: $(list)}
  include:
  - name: $(no)
    params:
    - {name: n, value: $(text)}
workspaces:
- {name: $(no), workspace: $(no), subPath: $(text)}
taskRef:
  name: $(text)
  kind: $(no)
  params:
  - {name: $(no), value: $(whole)}
taskSpec:
  steps:
  - {image: $(no)}
"""


def marked(value: Any) -> list[str]:
    """The places that the texts themselves name, but for `no`."""
    found = sorted(text[2:-1] for text in _strings(value) if text.startswith("$("))
    return [place for place in found if place != "no"]


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        return [text for member in (value.values() if isinstance(value, dict) else value) for text in _strings(member)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(
    ("text", "search"),
    [(IN_A_TASK, pipelines.task_fields), (AROUND_A_TASK, pipelines.pipeline_task_fields)],
    ids=["task", "pipeline task"],
)
def test_each_field_is_searched_once_and_no_other(text, search):
    document = data(text)
    found = list(search(document, ()))
    assert [field for field in found if field.text.startswith("$(") and field.text != f"$({field.role})"] == []
    assert sorted(field.role for field in found if field.text.startswith("$(")) == marked(document)


def test_a_field_knows_its_path():
    found = pipelines.task_fields({"steps": [{"env": [{"value": "v"}]}]}, ("spec",))
    assert [field.path for field in found] == [("spec", "steps", 0, "env", 0, "value")]


def test_a_matrix_that_is_a_list_is_read_as_its_params():
    found = list(pipelines.matrix_fields({"matrix": [{"name": "m", "value": ["$(member)"]}]}, ()))
    assert [(field.path, field.role) for field in found] == [(("matrix", 0, "value", 0), "member")]


@pytest.mark.parametrize(
    "value", [None, "text", 5, [], [None], {"steps": "text"}, {"steps": [None, 1]}, {"steps": {"a": {"image": 5}}}]
)
def test_what_is_not_shaped_like_a_task_has_no_fields(value):
    assert list(pipelines.task_fields(value, ())) == []
