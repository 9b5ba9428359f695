"""Warnings of values that readers take differently, and of Secrets' values where anybody can read them."""

from __future__ import annotations

import pytest

from tests.answers import decided
from tests.functions.layered_values.support import kinds, run, told
from tests.fuzz.targets.streams import commanded
from tests.growth.lists import listed

SECRET = "{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: TOPSECRET99}}"
THING = "{apiVersion: a.b/v1, kind: Thing, metadata: {name: t}, spec: {a: x, i: 'a:b', y: 'k: v'}}"
LAYERS = "layers: [{secret: s, key: '*'}, {values: {open: x}}]\n"


@pytest.mark.parametrize(
    ("target", "count"),
    [
        ("{configMap: o, allowSecrets: true}", 1),
        ("{configMap: o, value: open, allowSecrets: true}", 0),
        ("{secret: o}", 1),
        ("{kind: Thing, allowSecrets: true, fields: {spec.a: password}}", 1),
        ("{kind: Thing, allowSecrets: true, fields: {spec.a: open}}", 0),
        ("{kind: Thing, allowSecrets: true, fields: {spec.i: {value: password, part: {split: ':', index: 1}}}}", 1),
        ("{kind: Thing, allowSecrets: true, fields: {spec.y.k: password}}", 1),
        ("{kind: Thing, allowSecrets: true, missing: skip, fields: {spec.none: password}}", 0),
        ("{kind: Secret, fields: {'data.p': open}, missing: create}", 0),
    ],
)
def test_a_value_out_of_a_secret_that_can_be_read_is_named(target: str, count: int):
    state = run(f"{LAYERS}targets: [{target}]", SECRET, THING)
    assert told(state) == []
    assert kinds(state, "info").count("readable-secret") == count
    assert not any("TOPSECRET" in line for line in told(state, "info"))


@pytest.mark.parametrize(
    ("field", "advice"),
    [
        ("c[name=wbe].image", "; did you mean `web`?"),
        (
            "c[name=shop].image",
            ": no element has the name `shop`, there are `web` and `proxy`; set `missing: create` to add it, or `skip`",
        ),
        ("c[name=web].tag", ": set `missing: create` to make it, or `skip`"),
        ("empty[name=web].image", ": set `missing: create` to make it, or `skip`"),
    ],
)
def test_of_an_absent_element_the_names_that_are_there_are_listed(field: str, advice: str):
    thing = "{apiVersion: a.b/v1, kind: T, metadata: {name: t}, spec: {c: [{name: web, image: a}, {name: proxy}], empty: []}}"
    state = run(f"layers: [{{values: {{a: x}}}}]\ntargets: [{{kind: T, fields: {{'spec.{field}': a}}}}]", thing)
    (line,) = told(state)
    assert line.endswith(f"`spec.{field}` is absent{advice}")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("on", "retyped-scalar"),
        ("y", "retyped-scalar"),
        ("'on'", ""),
        ("true", ""),
        ("123456789012345678901234567890", "text-digits"),
        ("5e-400", "text-digits"),
        ("1.10", "text-digits"),
        ("'1.10'", ""),
        ("1.5", ""),
        ("1e3", ""),
        ("0x1E", ""),
        ("0775", ""),
        ("9007199254740993", ""),
    ],
)
def test_words_and_digits_are_named(value: str, kind: str):
    warnings = [kind] if kind else []
    state = run(f"layers: [{{values: {{a: {{b: [{value}]}}}}}}]\ntargets: [{{configMap: gen}}]")
    assert kinds(state, "warning") == warnings
    assert not kind or f"layer values: `a.b[0]: {value}`" in told(state, "warning")[0]
    source = f"{{apiVersion: a.b/v1, kind: Thing, metadata: {{name: t}}, spec: {{a: [{value}]}}}}"
    state = run("layers: [{from: {kind: Thing}, path: spec, name: l}]\ntargets: [{configMap: gen}]", source)
    assert kinds(state, "warning") == warnings


def test_a_key_that_a_replaced_map_loses_names_the_target_as_its_cause():
    spec = {
        "layers": [{"values": {"m": {"x": 5}, "gone": None}}],
        "targets": [{"kind": "K", "fields": {"spec.m": "m", "spec.gone": "gone"}}],
    }
    item = {"apiVersion": "a/v1", "kind": "K", "metadata": {"name": "k"}, "spec": {"m": {"x": 1, "y": 2}, "gone": 3}}
    text = listed([item], "layered-values", **spec)
    code, out, err = commanded("explain", "layered-values", "--json", stdin=text.encode())
    assert code == 0, err
    removed = {one["path"]: one["winner"] for one in decided(out) if one.get("removed")}
    assert (removed["spec.m.y"]["layer"], removed["spec.m.y"]["path"]) == ("targets[0]", 'spec.targets[0].fields["spec.m"]')
    assert (removed["spec.gone"]["layer"], removed["spec.gone"]["path"]) == ("values", "spec.layers[0].values.gone")


_HELM = "spec.source.helm"
_OF_SET = "spec.template.spec.sources[0].helm"


def _argo(kind: str, base: str, helm: str, fields: str):
    spec = {
        _HELM: f"{{source: {{helm: {helm}}}}}",
        "spec.sources[0].helm": f"{{sources: [{{helm: {helm}}}]}}",
        "spec.template.spec.source.helm": f"{{template: {{spec: {{source: {{helm: {helm}}}}}}}}}",
        _OF_SET: f"{{template: {{spec: {{sources: [{{helm: {helm}}}]}}}}}}",
    }[base]
    app = f"{{apiVersion: argoproj.io/v1alpha1, kind: {kind}, metadata: {{name: a}}, spec: {spec}}}"
    return run(f"layers: [{{values: {{a: 1}}}}]\ntargets: [{{kind: {kind}, missing: create, fields: {{{fields}}}}}]", app)


@pytest.mark.parametrize(
    ("kind", "base"),
    [
        ("Application", _HELM),
        ("Application", "spec.sources[0].helm"),
        ("ApplicationSet", "spec.template.spec.source.helm"),
        ("ApplicationSet", _OF_SET),
    ],
)
@pytest.mark.parametrize("path", ["valuesObject: .", "valuesObject.a: a"])
def test_authored_values_beside_the_values_object_that_is_written(kind, base, path):
    state = _argo(kind, base, "{values: 'b: 1'}", f"'{base}.{path.split(':')[0]}': {path.split(' ')[1]}")
    (line,) = [one for one in told(state, "warning") if "ignored by Argo CD" in one]
    assert f"`{base}.values`: is ignored by Argo CD, as `valuesObject` is set beside it: move its values into a layer" in line


@pytest.mark.parametrize("helm", ["{values: 'b: 1', valuesObject: {}}", "{values: 'b: 1', valuesObject: {b: 1}}"])
def test_values_that_are_written_beside_an_authored_values_object(helm):
    (line,) = told(_argo("Application", _HELM, helm, f"'{_HELM}.values.b': a"), "warning")
    assert line.endswith("is ignored by Argo CD, as `valuesObject` is set beside it: write into `valuesObject`, or remove that")


@pytest.mark.parametrize(
    ("helm", "fields"),
    [
        ("{}", f"'{_HELM}.valuesObject': ."),
        ("{values: ''}", f"'{_HELM}.valuesObject': ."),
        ("{values: null}", f"'{_HELM}.valuesObject': ."),
        ("{values: 'b: 1'}", f"'{_HELM}.values.b': a"),
        ("{values: 'b: 1', valuesObject: null}", f"'{_HELM}.values.b': a"),
    ],
)
def test_one_of_the_two_is_no_warning(helm, fields):
    assert told(_argo("Application", _HELM, helm, fields), "warning") == []
