"""The table of the manual: what was done by other tools, done here."""

from __future__ import annotations

import pytest

from tests.functions.layered_values.support import item, run, told, values

SETTERS = """
apiVersion: v1
kind: ConfigMap
metadata: {name: setters}
data:
  replicas: "3"
  tag: "1.10"
  x: shop
  "y": orders
  args: |
    - --fast
    - --quiet
"""
THING = """
apiVersion: x.test/v1
kind: Thing
metadata: {name: t}
spec:
  replicas: 4
  image: nginx:1.0
  name: a-b
  args: [--slow]
  config: |
    # kept
    server: {port: 80} # public
  any: {}
"""
SOURCE = """
apiVersion: x.test/v1
kind: Source
metadata: {name: s}
spec: {host: db.test:5432, zone: eu}
"""
ROWS = [
    ("setters: a number", "{spec.replicas: replicas}", "replicas", 3),
    ("setters: a tag", "{spec.image: {value: tag, part: tag}}", "image", "nginx:1.10"),
    (
        "setters: two in one string",
        "{spec.name: [{value: x, part: {split: '-', index: 0}}, {value: 'y', part: {split: '-', index: 1}}]}",
        "name",
        "shop-orders",
    ),
    ("setters: an array", "{spec.args: args}", "args", ["--fast", "--quiet"]),
    ("replacements: create", "{spec.zone: {value: x, missing: create}}", "zone", "shop"),
    ("replacements: ignored where absent", "{spec.zone: {value: x, missing: skip}, spec.name: x}", "name", "shop"),
    (
        "replacements: inside a text",
        "{spec.config.server.port: replicas}",
        "config",
        "# kept\nserver: {port: 3} # public\n",
    ),
]


@pytest.mark.parametrize(("fields", "field", "value"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_setters_and_replacements(fields, field, value):
    config = f"layers: [{{configMap: setters, key: '*'}}]\ntargets: [{{kind: Thing, fields: {fields}}}]"
    state = run(config, SETTERS, THING)
    assert told(state) == []
    assert item(state, "t")["spec"][field] == value


def test_the_source_of_a_replacement_is_a_layer_and_its_options_a_part():
    config = """
    layers:
    - {from: {kind: Source, name: s}, path: spec.host, part: {split: ':', index: 0}, at: host}
    - {from: {kind: Source, name: s}, path: spec.zone, at: zone, name: zone}
    - {values: {port: 81}}
    targets:
    - {kind: Thing, name: t, fields: {spec.name: host, spec.image: zone, spec.replicas: port}}
    """
    spec = item(run(config, SOURCE, THING), "t")["spec"]
    assert (spec["name"], spec["image"], spec["replicas"]) == ("db.test", "eu", 81)


def test_a_whole_map_goes_into_a_text():
    config = "layers: [{values: {a: 1, b: [x]}}]\ntargets: [{kind: Thing, fields: {spec.config: {value: ., as: yaml}}}]"
    assert item(run(config, THING), "t")["spec"]["config"] == "a: 1\nb:\n- x\n"


def test_values_files_of_helm_and_set_are_layers():
    base = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {v: 'x: {p: 1, q: [1, 2]}'}"
    over = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {v: 'x: {q: [3], r: null}'}"
    config = "layers: [{configMap: a}, {configMap: b}, {values: {x: {s: set}}}]\ntargets: [{configMap: out}]"
    assert values(run(config, base, over), "out") == {"x": {"p": 1, "q": [3], "r": None, "s": "set"}}


def test_parameters_of_argo_cd_are_elements_by_their_name():
    application = """
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata: {name: shop}
    spec: {source: {helm: {parameters: [{name: image.tag, value: "1"}]}}}
    """
    config = """
    layers: [{values: {image: {tag: "2"}}}]
    targets: [{kind: Application, fields: {'spec.source.helm.parameters[name=image.tag].value': image.tag}}]
    """
    state = run(config, application)
    assert item(state, "shop")["spec"]["source"]["helm"]["parameters"] == [{"name": "image.tag", "value": "2"}]
