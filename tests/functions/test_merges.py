"""A key above a `<<` that has it as well: in a resource readers differ, in a text the key is dead. Both are warnings with the place."""

from __future__ import annotations

import pytest

from krm_values._data.errors import InputError
from krm_values._go import yaml as goyaml
from krm_values._krm import findings, resourcelist
from krm_values._krm.resourcelist import ResourceList
from krm_values._run import invoke
from krm_values._run.resolve import Outcome
from krm_values._yaml import decode

RESOURCES = """apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: web}
  spec:
    valuesFrom: [{kind: ConfigMap, name: base}]
    values:
      one: &one {cpu: 3, l: [1, {a: b}]}
      two:
        cpu: 5
        l: [1, {a: b}]
        <<: *one
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: base}
  data:
    values.yaml: |
      three: &three {cpu: 3}
      four:
        cpu: 5
        <<: *three
functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: FluxValues
  metadata: {name: config}
"""


HEAD = """apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: EnvgeneSd
  metadata: {name: config}
"""


def answered(given: bytes) -> tuple[ResourceList, Outcome]:
    source = resourcelist.read(given)
    return source, invoke.run_function("", source.function_config, source, invoke.place_in(source), environment={})[1]


def test_both_are_warned_of_in_every_run():
    source, outcome = answered(RESOURCES.encode())
    out = b"".join(source.apply(outcome, invoke.entries(outcome)))
    for given in (outcome, answered(out)[1]):
        warnings = [findings.line(one) for one in given.findings if one.severity == "warning"]
        assert [line.split(": ")[1] for line in warnings] == ["stdin:12:9", "stdin:22:9"]
        assert "kubectl reads that value" in warnings[0]
        assert "so this one is dead" in warnings[1]


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("a: &a {k: 1}\nb:\n  k: 2\n  <<: *a\n", [("b", "k")]),
        ("a: &a {k: 1}\nb:\n  <<: *a\n  k: 2\n", []),
        ("a: &a {k: 1}\nb: {k: 1, <<: *a}\n", []),
        ("b:\n  k: 2\n  <<: {k: 1}\n", [("b", "k")]),
        ("a: &a {k: 1}\nb: &b\n  <<: *a\n  z: 1\nc:\n  k: 2\n  z: {q: 1}\n  <<: [*b]\n", [("c", "k"), ("c", "z")]),
        ("a: &a {k: 1}\nb: &b\n  k: 7\n  <<: *a\nc:\n  <<: *b\nd: [*b]\n", [("b", "k")]),
        ("a: &a {k: 1}\nb: &b {k: 2}\nc:\n  k: 3\n  <<: [*a, *b]\n", [("c", "k")]),
        ("a: &a {k: 1}\nl:\n- k: 2\n  <<: *a\n", [("l", 0, "k")]),
    ],
)
def test_which_keys(text, dead):
    assert [one.path for one in goyaml.read(text).lints if one.kind == "merged"] == dead
    assert [*decode.above_merges(decode.parse(text))] == dead


@pytest.mark.parametrize(("levels", "passes"), [(190, True), (400, False)])
@pytest.mark.parametrize("quote", ["'", ""])
def test_sd_data_may_nest_as_deep_as_a_resource(levels, passes, quote):
    deep = '{"a": ' * levels + "1" + "}" * levels
    data = f'[{{"applications": [{{"version": "a:1", "deployPostfix": "x"}}], "userData": {deep}}}]'
    text = HEAD + f"  spec: {{SD_SOURCE_TYPE: json, SD_REPO_MERGE_MODE: replace, SD_DATA: {quote}{data}{quote}}}\n"
    try:
        errors = [findings.line(one) for one in answered(text.encode())[1].findings if one.severity == "error"]
    except InputError as error:  # of a list that cannot be read
        errors = [f"error: stdin: {error}"]
    assert (errors == []) == passes
    assert all("stdin:" in line and "must not nest deeper" in line for line in errors)
