"""An error about a value stands at the line of the value in its layer, and names the layer, the target and the resource (rules 71 to 78 and 80 to 83)."""

from __future__ import annotations

import re

import pytest

from tests.cli.packages import command, kptfile, write
from tests.functions.layered_values.support import run, told

PROD = """
apiVersion: v1
kind: {kind}
metadata: {{name: prod}}
{data}:
  values.yaml: |
    sha: 706798e8
    port: http
    list: [1]
    labels: {{a: 1.10}}
    nested: {{b: {{c: 1}}}}
    tag: "a/b"
    ref: {{$value: sha}}
    none: ""
"""
CONFIG_MAP, SECRET = PROD.format(kind="ConfigMap", data="data"), PROD.format(kind="Secret", data="stringData")
SERVICE = "{apiVersion: v1, kind: Service, metadata: {name: s, labels: {a: b}}, spec: {n: 1, s: x, m: {}, l: [1], i: 'web:1'}}"
FIELDS = [
    ("spec.s: sha", "sha: 706798e8", "takes a string, and 706798e8 would become 70679800000000: quote it"),
    ("spec.s: ref", "sha: 706798e8", "takes a string, and 706798e8 would become 70679800000000: quote it"),
    ("spec.n: port", "port: http", 'is a number, and string "http" is not one'),
    ("spec.m: port", "port: http", 'is a map, and string "http" is not one: give one, or its text, such as `{}`'),
    ("spec.l: none", 'none: ""', 'is a list, and string "" is not one: give one, or its text, such as `[]`'),
    ("spec.n: {value: port, as: number}", "port: http", 'takes a number by `as: number`; found string "http"'),
    ("spec.n: list", "list: [1]", "is of type number, and a list cannot be written there"),
    ("spec.s: list", "list: [1]", "is a string, and a list cannot be written there: write it with `as: yaml` or `as: json`"),
    ("metadata.labels: labels", "labels: {a: 1.10}", "takes a string, and 1.10 would become 1.1: quote it"),
    ("metadata.labels: nested", "nested: {b: {c: 1}}", "takes strings only, not a value of type object"),
    ("spec.i: {value: tag, part: tag}", 'tag: "a/b"', 'cannot take string "a/b" as tag: it is not one'),
    ("spec.i: {value: list, part: tag}", "list: [1]", "takes a string, number or boolean as a part"),
]


@pytest.mark.parametrize(("field", "line", "said"), FIELDS)
def test_an_error_about_a_value_has_its_line(field, line, said):
    state = run(f"layers: [{{configMap: prod}}]\ntargets: [{{kind: Service, fields: {{{field}}}}}]", CONFIG_MAP, SERVICE)
    (error,) = told(state)
    number = int(re.match(r"error: stdin:(\d+):", error)[1])
    assert line in state.given.decode().split("\n")[number - 1]
    assert 'ConfigMap prod `data["values.yaml"]`: layer prod: `targets[0]`: ' in error
    assert f"of Service s {said}" in error


@pytest.mark.parametrize(("field", "line", "said"), FIELDS)
def test_a_value_of_a_secret_is_not_shown(field, line, said):
    config = f"layers: [{{secret: prod}}]\ntargets: [{{kind: Service, allowSecrets: true, fields: {{{field}}}}}]"
    (error,) = told(run(config, SECRET, SERVICE))
    assert "layer prod: `targets[0]`: " in error
    assert not re.search(r"706798|\bhttp\b|a/b|1\.10?\b", error)


@pytest.mark.parametrize(
    ("target", "line"), [("key: x, value: sha", "sha: 706798e8"), ("key: '*', value: labels", "labels: {a: 1.10}")]
)
def test_a_generated_object_names_the_line_of_the_value(target, line):
    state = run(f"layers: [{{configMap: prod}}]\ntargets: [{{configMap: o, {target}}}]", CONFIG_MAP)
    (error,) = told(state)
    number = int(re.match(r"error: stdin:(\d+):", error)[1])
    assert line in state.given.decode().split("\n")[number - 1]
    assert "layer prod: `targets[0]`: ConfigMap o takes a string" in error


def test_in_a_package_the_file_is_that_of_the_layer(tmp_path):
    config = """
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: web}
spec:
  layers:
  - {configMap: prod}
  - values:
      inline: 0755
  targets:
  - {kind: Service, fields: {spec.s: sha, spec.i: inline}}
"""
    write(
        tmp_path,
        {
            "Kptfile": kptfile("exec: krm-layered-values, configPath: fn.yaml"),
            "fn.yaml": config,
            "prod.yaml": CONFIG_MAP.lstrip(),
            "svc.yaml": SERVICE,
        },
    )
    done = command("render", tmp_path)
    assert done.returncode != 0
    assert "prod.yaml:6:5: ConfigMap prod" in done.stderr
    assert (
        "layer prod: `targets[0]`: `spec.s` of Service s takes a string, and 706798e8 would become 70679800000000"
        in done.stderr
    )
    assert re.search(r"fn\.yaml:9:\d+: .*layer values: `targets\[0\]`: `spec\.i` of Service s takes a string", done.stderr)
