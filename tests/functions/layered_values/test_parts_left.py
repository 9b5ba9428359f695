"""A string of which only parts are written comes from the layers and from the resource, whose own string has the other parts."""

from __future__ import annotations

import json

import pytest

from krm_values.layered_values import parts
from krm_values.layered_values.parts import Piece
from tests.cli.packages import command, kptfile, write
from tests.functions.layered_values.support import item, run, told

IMAGE = "reg.test/shop/web:1.0"
DIGEST = "sha256:" + "a" * 64


@pytest.mark.parametrize(
    ("text", "replaced", "used_up"),
    [
        (IMAGE, ["tag"], False),
        (IMAGE, ["name"], False),
        (IMAGE, ["registry", "tag"], False),
        (IMAGE, ["name", "tag"], True),
        (IMAGE, ["registry", "repository", "tag"], True),
        ("web:1.0", ["repository", "tag"], True),
        (f"{IMAGE}@{DIGEST}", ["name", "tag"], False),
        (f"web@{DIGEST}", ["name", "tag", "digest"], True),
        ("a-b", [Piece("-", 0)], False),
        ("a-b", [Piece("-", 1), Piece("-", 0)], True),
        ("a:b-c", [Piece(":", 0), Piece("-", 1)], False),
    ],
)
def test_what_is_left(text, replaced, used_up):
    assert parts.is_used_up(text, replaced) == used_up


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("spec.image: {value: tag, part: tag}", [("values", None), ("resource", None)]),
        ("spec.image: [{value: repo, part: name}, {value: tag, part: tag}]", [("values", None), ("values", None)]),
        ("spec.text.image: {value: tag, part: tag}", [("values", None), ("resource", ("image",))]),
    ],
)
def test_the_resources_own_string_is_what_a_part_came_by(field, expected):
    config = f"layers: [{{values: {{tag: '2.0', repo: b.test/b}}}}]\ntargets: [{{kind: Thing, fields: {{{field}}}}}]"
    thing = f"apiVersion: x/v1\nkind: Thing\nmetadata: {{name: t}}\nspec: {{image: '{IMAGE}', text: 'image: {IMAGE}'}}"
    (decision,) = [one for one in run(config, thing).outcome.decisions if one.path[0] == "spec"]
    origin = decision.leaf.origin
    assert [(one.layer, one.inner) for one in origin.trail()] == expected
    assert [one.value for one in origin.trail() if one.layer == "resource"] == [IMAGE] * (expected[-1][0] == "resource")
    assert decision.leaf.overridden == ()


def test_compare_names_the_line_of_the_resource_that_changed(tmp_path):
    config = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers:
  - values:
      tag: '2.0'
  targets:
  - kind: Thing
    fields:
      spec.image: {value: tag, part: tag}
"""
    for name, image in (("a", "one:1"), ("b", "two:1")):
        thing = f"apiVersion: x/v1\nkind: Thing\nmetadata: {{name: t}}\nspec:\n  image: {image}\n"
        files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "lv.yaml": config, "t.yaml": thing}
        write(tmp_path / name, files)
    done = command("compare", tmp_path / "a", tmp_path / "b", "--json")
    (found,) = json.loads(done.stdout)["differences"]
    assert (found["path"], found["causes"][0]["file"], found["causes"][0]["line"]) == ("spec.image", "t.yaml", 5)
    assert found["after"] == {"value": "two:2.0", "winner": {"layer": "values", "file": "lv.yaml", "line": 7}}
    explained = command("explain", tmp_path / "a", "--from", "t.yaml:5").stdout
    assert explained == (
        "Thing t  (t.yaml)\n"
        "spec.image = 'one:2.0'\n"
        "  + values    lv.yaml:7  '2.0'\n"
        "      <- resource  t.yaml:5  'one:1'\n"
        "  - resource  t.yaml:5   'one:1'\n"
        "    because lv.yaml:9, Kptfile:7\n"
        "    rule: values overrides the resource's own value\n"
    )


_IMAGE = "layers: [{values: {a: %s, b: quay.io, tag: '2'}}]\ntargets: [{kind: Thing, fields: {spec.i: %s}}]"
_THING = "{apiVersion: a.b/v1, kind: Thing, metadata: {name: t}, spec: {i: '%s'}}"


@pytest.mark.parametrize("value", ["a.b/x", "localhost/x", "quay.io/team/x", "a.b/localhost"])
@pytest.mark.parametrize("image", ["nginx:1", "nginx", "team/nginx:1"])
@pytest.mark.parametrize("field", ["{value: a, part: repository}", "[{value: tag, part: tag}, {value: a, part: repository}]"])
def test_a_repository_never_becomes_the_registry(value, image, field):
    (line,) = told(run(_IMAGE % (value, field), _THING % image))
    assert f'cannot take string "{value}" as repository: it is not one, its first part would be the registry' in line


@pytest.mark.parametrize(
    ("image", "field", "value", "result"),
    [
        ("nginx:1", "{value: a, part: repository}", "team/a.b", "team/a.b:1"),
        ("nginx:1", "{value: a, part: repository}", "a.b", "a.b:1"),
        ("nginx:1", "{value: a, part: name}", "a.b/x", "a.b/x:1"),
        ("ghcr.io/nginx:1", "{value: a, part: repository}", "a.b/x", "ghcr.io/a.b/x:1"),
        ("nginx:1", "[{value: a, part: repository}, {value: b, part: registry}]", "a.b/x", "quay.io/a.b/x:1"),
        ("localhost/x:1", "{value: a, part: registry}", "a.b", "a.b/x:1"),
    ],
)
def test_a_repository_with_a_dot_behind_a_registry(image, field, value, result):
    state = run(_IMAGE % (value, field), _THING % image)
    assert told(state) == []
    assert item(state, "t")["spec"]["i"] == result
