"""`[port=80]` means the element with the number 80 or with the string "80" (rule 60), and a label `1` is the string "1" (rule 61)."""

from __future__ import annotations

import re

import pytest

from tests.functions.layered_values.support import item, kinds, run, told, values

SERVICE = """
apiVersion: v1
kind: Service
metadata:
  name: t
  labels: {{v: 1, on: true, minor: 1.10}}
spec:
  ports:
  - {{port: {first}, name: a, image: "x:1"}}
  - {{port: {second}, name: b, image: "y:1"}}
  text: |
    ports:
    - {{port: {first}, name: a, image: "x:1"}}
    - {{port: {second}, name: b, image: "y:1"}}
  flags: [{{enabled: true, n: a}}, {{enabled: false, n: b}}]
  empty: []
"""
NUMBERS, BOTH = SERVICE.format(first=80, second=81), SERVICE.format(first=80, second='"80"')
CONFIG = "layers: [{{values: {{v: new}}}}]\ntargets: [{{kind: Service, missing: {missing}, fields: {{'{path}': {value}}}}}]"


def _written(path: str, service: str = NUMBERS, *, missing: str = "error", value: str = "v"):
    return run(CONFIG.format(missing=missing, path=path, value=value), service)


@pytest.mark.parametrize(
    "service", [NUMBERS, SERVICE.format(first='"80"', second="81"), SERVICE.format(first=80, second="http")]
)
@pytest.mark.parametrize("missing", ["error", "create", "skip"])
def test_an_element_is_found_by_its_number_or_string(service, missing):
    state = _written("spec.ports[port=80].name", service, missing=missing)
    assert told(state) == []
    assert [one["name"] for one in item(state, "t")["spec"]["ports"]] == ["new", "b"]


def test_an_element_is_found_in_a_text_by_a_boolean_and_for_a_part():
    text = item(_written("spec.text.ports[port=81].name"), "t")["spec"]["text"]
    assert text == 'ports:\n- {port: 80, name: a, image: "x:1"}\n- {port: 81, name: new, image: "y:1"}\n'
    assert item(_written("spec.flags[enabled=false].n"), "t")["spec"]["flags"][1] == {"enabled": False, "n": "new"}
    tagged = item(_written("spec.ports[port=81].image", value="{value: v, part: tag}"), "t")
    assert tagged["spec"]["ports"][1]["image"] == "y:new"


@pytest.mark.parametrize("missing", ["error", "create", "skip"])
@pytest.mark.parametrize("path", ["spec.ports", "spec.text.ports"])
def test_a_number_and_a_string_are_an_error_with_both_lines(path, missing):
    state = _written(f"{path}[port=80].name", BOTH, missing=missing)
    assert kinds(state) == ["several"]
    lines = re.findall(rf"`{re.escape(path)}\[[01]\]\.port` \(line (\d+)\)", told(state)[0])
    assert len({*lines}) == 2
    assert "which are of different types" in told(state)[0]


@pytest.mark.parametrize("optional", ["false", "true"])
@pytest.mark.parametrize("path", ["spec.ports", "spec.text.ports"])
def test_a_source_is_found_by_its_number_and_is_never_one_of_two(path, optional):
    config = f"layers: [{{from: {{kind: Service}}, path: '{path}[port=80].name', at: x, optional: {optional}}}]\ntargets: [{{configMap: o}}]"
    assert values(run(config, NUMBERS), "o") == {"x": "a"}
    state = run(config, BOTH)
    assert kinds(state) == ["several"]
    assert "[0].port` (line" in told(state)[0]
    assert "[1].port` (line" in told(state)[0]


def test_a_source_in_the_text_of_a_config_map():
    config = "layers: [{configMap: c, path: 'ports[port=80].name', at: x}]\ntargets: [{configMap: o}]"
    held = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a.yaml: |\n    ports: [{port: 80, name: a}, {port: %s}]"
    )
    assert values(run(config, held % "81"), "o") == {"x": "a"}
    (line,) = told(run(config, held % '"80"'))
    assert '`data["a.yaml"].ports[0].port` (line' in line


@pytest.mark.parametrize(
    ("path", "made"),
    [
        ("spec.ports[port=90].name", {"port": 90, "name": "new"}),
        ("spec.ports[name=90].port", {"name": "90", "port": "new"}),
        ("spec.ports[port=http].name", {"port": "http", "name": "new"}),
        ("spec.flags[enabled=yes].n", {"enabled": "yes", "n": "new"}),
        ("spec.empty[port=90].name", {"port": 90, "name": "new"}),
        ("spec.empty[containerPort=90].name", {"containerPort": 90, "name": "new"}),
        ("spec.empty[name=90].n", {"name": "90", "n": "new"}),
        ("spec.absent[hostPort=90].n", {"hostPort": 90, "n": "new"}),
        ("spec.absent[name=true].n", {"name": "true", "n": "new"}),
    ],
)
def test_a_created_element_has_the_type_of_its_neighbours(path, made):
    state = _written(path, missing="create")
    assert told(state) == []
    assert item(state, "t")["spec"][path.split("[")[0].removeprefix("spec.")][-1] == made


def test_two_targets_create_one_element():
    config = """
layers: [{values: {v: new}}]
targets: [{kind: Service, missing: create, fields: {'spec.ports[port=90].name': v, 'spec.ports[port=90].protocol': v}}]
"""
    assert item(run(config, NUMBERS), "t")["spec"]["ports"][2:] == [{"port": 90, "name": "new", "protocol": "new"}]


def test_an_absent_number_lists_those_that_there_are():
    (line,) = told(_written("spec.ports[port=5000].name"))
    assert "no element has the port `5000`, there are `80` and `81`" in line


@pytest.mark.parametrize("labels", ["{v: '1'}", "{on: 'true'}", "{minor: '1.10'}", "{v: '*', on: 'true'}"])
def test_labels_are_compared_as_they_are_written(labels):
    config = "layers: [{values: {v: new}}]\ntargets: [{kind: Service, labels: %s, fields: {'spec.ports[0].name': v}}]"
    assert item(run(config % labels, NUMBERS), "t")["spec"]["ports"][0]["name"] == "new"
    when = "layers: [{values: {v: a}}, {values: {v: new}, name: w, when: {labels: %s}}]\ntargets: [{kind: Service, fields: {'spec.ports[0].name': v}}]"
    assert item(run(when % labels, NUMBERS), "t")["spec"]["ports"][0]["name"] == "new"


def test_a_label_that_differs_is_told():
    state = run(
        "layers: [{values: {v: new}}]\ntargets: [{kind: Service, labels: {v: '2'}, fields: {'spec.ports[0].name': v}}]", NUMBERS
    )
    assert "has the label `v: 1`" in told(state)[0]


@pytest.mark.parametrize("lists", [("[{}]", "[{}, {}]"), ("[{v: 1}]", "[{v: 2}]"), ("[{name: a}, {}]", "[{}, {name: a}]")])
def test_elements_without_the_key_are_errors_and_merge_with_none(lists):
    layers = ", ".join(f"{{name: l{number}, values: {{env: {one}}}}}" for number, one in enumerate(lists))
    outcome = run(f"layers: [{layers}]\ntargets: [{{configMap: t}}]\nmerge: {{env: {{by: name}}}}", NUMBERS)
    assert {*kinds(outcome)} == {"strategy"}
