"""`explain --layers`: which layers win, and how often; `explain --where`: where a value is set, and where it could be."""

from __future__ import annotations

import json

import pytest
from tests.cli.packages import command, kptfile, write

CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: {}}}\nspec:\n{}"
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  replicas: 1\n"


def layer(name, text, kind="ConfigMap"):
    field = "data" if kind == "ConfigMap" else "stringData"
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}\n{field}:\n  v: |\n{lines}"


def said(package, *words):
    done = command("explain", package, *words)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def chain(tmp_path):
    return write(
        tmp_path,
        {
            "Kptfile": kptfile(*(f"exec: krm-layered-values, configPath: {name}.yaml" for name in ("one", "two"))),
            "one.yaml": CONFIG.format("one", "  layers: [{configMap: a}, {configMap: b}]\n  targets: [{configMap: out}]\n"),
            "two.yaml": CONFIG.format("two", "  layers: [{configMap: out}, {configMap: t}]\n  targets: [{configMap: final}]\n"),
            "a.yaml": layer("a", "k: 1\nj: 1"),
            "b.yaml": layer("b", "k: 2"),
            "t.yaml": layer("t", "l: 3"),
        },
    )


@pytest.fixture
def own(tmp_path):
    spec = """\
  layers: [{configMap: a}, {configMap: b}]
  schema: {type: object, properties: {count: {type: integer, maximum: 9, default: 4}}}
  targets: [{kind: Deployment, fields: {spec.replicas: count}}]
"""
    files = {"a.yaml": layer("a", "count: 2"), "b.yaml": layer("b", "count: 3"), "d.yaml": DEPLOYMENT}
    step = kptfile("exec: krm-layered-values, configPath: lv.yaml")
    return write(tmp_path, {"Kptfile": step, "lv.yaml": CONFIG.format("lv", spec), **files})


def test_the_layers_of_each_step_in_their_order(chain):
    expected = """\
layered-values (Kptfile:7)
  a  a.yaml:5  wins 1 of 2
  b  b.yaml:5  wins 1 of 1

layered-values (Kptfile:8)
  out  {}  wins 2 of 2
  t    t.yaml:5{}  wins 1 of 1
"""
    assert said(chain, "--layers") == expected.format("out.yaml", "")
    assert command("render", chain).returncode == 0
    assert [line.split()[0] for line in said(chain, "--layers").splitlines() if line.startswith("  ")] == ["a", "b", "out", "t"]


@pytest.mark.parametrize("is_rendered", [False, True])
def test_the_value_of_the_resource_itself_is_a_layer_too(own, is_rendered):
    assert not is_rendered or command("render", own).returncode == 0
    rows = [line.split() for line in said(own, "--layers").splitlines()[1:]]
    assert [(row[0], row[-3:]) for row in rows] == [
        ("resource", ["0", "of", "1"]),
        ("schema", ["0", "of", "1"]),
        ("a", ["0", "of", "1"]),
        ("b", ["1", "of", "1"]),
    ]


def test_the_layers_are_those_of_all_values(chain):
    done = command("explain", chain, "k", "--layers")
    assert (done.returncode, done.stdout) == (2, "")
    assert "`--layers` has no effect here: use it without paths and filters" in done.stderr


@pytest.mark.parametrize("is_rendered", [False, True])
def test_what_a_step_generates_is_not_offered(chain, is_rendered):
    assert not is_rendered or command("render", chain).returncode == 0
    assert (
        said(chain, "k", "--resource", "ConfigMap/final", "--where")
        == """\
ConfigMap final  (ConfigMap out)
k = 2
  could set  t    t.yaml:5       data.v » k
  generated  out  ConfigMap out
  sets       b    b.yaml:6       2
  sets       a    a.yaml:6       1
    type: integer (as b.yaml:6)
"""
    )
    assert (
        said(chain, "l", "--where")
        == """\
ConfigMap final  (ConfigMap out)
l = 3
  sets       t    t.yaml:6       3
  generated  out  ConfigMap out
  could set  b    b.yaml:5       data.v » l
  could set  a    a.yaml:5       data.v » l
    type: integer (as t.yaml:6)
"""
    )


@pytest.mark.parametrize("is_rendered", [False, True])
def test_a_schema_says_type_limits_and_default(own, is_rendered):
    """The own value, which a record keeps after a render, can be set where it stood: an edit there counts as the resource's own."""
    assert not is_rendered or command("render", own).returncode == 0
    assert (
        said(own, "spec.replicas", "--where")
        == """\
Deployment d  (d.yaml)
spec.replicas = 3
  sets  b         b.yaml:6   3
  sets  a         a.yaml:6   2
  sets  schema    lv.yaml:6  4
  sets  resource  d.yaml:5   1
    type: integer (schema, lv.yaml:6)
    maximum: 9
    default: 4
"""
    )


def test_a_layer_without_the_value_could_set_it_where_the_others_have_it(own):
    (own / "b.yaml").write_text(layer("b", "more: 3"))
    (own / "lv.yaml").write_text(
        (own / "lv.yaml").read_text().replace("spec.replicas: count", "spec.replicas: count, spec.more: more")
    )
    (own / "d.yaml").write_text(DEPLOYMENT + "  more: 2\n")
    text = said(own, "spec.replicas", "--where")
    assert "  could set  b         b.yaml:5   data.v » count\n" in text
    assert "  could set  a         a.yaml:5  data.v » more\n" in said(own, "spec.more", "--where")


def test_no_type_comes_from_a_hidden_value(own):
    (own / "lv.yaml").write_text(CONFIG.format("lv", "  layers: [{configMap: a}, {secret: b}]\n  targets: [{secret: out}]\n"))
    (own / "a.yaml").write_text(layer("a", "count: 2"))
    (own / "b.yaml").write_text(layer("b", "count: 70007\npass: hunter", "Secret"))
    text = said(own, "--where")
    assert "70007" not in text
    assert "hunter" not in text
    assert "type: string" not in text
    assert "  sets  a  a.yaml:6  2\n    type: integer (as a.yaml:6)\n" in text
    assert "  could set  a  a.yaml:5  data.v » pass\n" in text
    assert "pass = hunter\n" in said(own, "--where", "--show-secrets")


def test_elements_of_lists_are_not_offered_by_their_numbers(tmp_path):
    spec = "  layers: [{configMap: a}, {configMap: b}]\n  merge: {list: append}\n  targets: [{configMap: out}]\n"
    files = {"lv.yaml": CONFIG.format("lv", spec), "a.yaml": layer("a", "list: [1]"), "b.yaml": layer("b", "list: [2]\nx: 1")}
    package = write(tmp_path, {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), **files})
    text = said(package, "list", "--where")
    assert "list[0] = 1\n  could set  b  b.yaml:6  data.v » list\n  sets       a  a.yaml:6  1\n" in text
    assert "list[1] = 2\n  sets       b  b.yaml:6  2\n  could set  a  a.yaml:6  data.v » list\n" in text


def test_a_layer_with_a_scalar_above_the_value_cannot_set_it(tmp_path):
    layers = "  layers: [{name: one, values: {b: 1, m: {x: 1}}}, {name: two, values: {b: 2, m: 5}}, {configMap: a}]\n"
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\n"
    spec = "spec: {valuesFrom: [{kind: ConfigMap, name: out, valuesKey: v}], values: {m: {z: 9}}}\n"
    files = {"lv.yaml": CONFIG.format("lv", f"{layers}  targets: [{{configMap: out, key: v}}]\n"), "rel.yaml": release + spec}
    steps = kptfile("exec: krm-layered-values, configPath: lv.yaml", "exec: krm-flux-values")
    package = write(tmp_path, {"Kptfile": steps, "a.yaml": layer("a", "m: {q: 2}"), **files})
    told = command("explain", package, "m.z", "--where").stdout
    assert "could set a a.yaml:6 data.v » m.z" in " ".join(told.split())
    assert " two " not in told
    told = command("explain", package, "m.q", "--where").stdout
    assert "  sets  two  lv.yaml:5  5\n" in told


def test_values_of_several_texts_are_named_with_their_fields(tmp_path):
    texts = "  a.yaml: |\n    k: 4\n  b.yaml: |\n    k: 5\n"
    target = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: t}}\ndata:\n{texts}"
    fields = "{'data[\"a.yaml\"].k': k, 'data[\"b.yaml\"].k': k}"
    config = CONFIG.format("lv", f"  layers: [{{configMap: a}}]\n  targets: [{{kind: ConfigMap, name: t, fields: {fields}}}]\n")
    step = kptfile("exec: krm-layered-values, configPath: lv.yaml")
    files = {"Kptfile": step, "lv.yaml": config, "t.yaml": target}
    package = write(tmp_path / "A", {**files, "a.yaml": layer("a", "k: 1")})
    other = write(tmp_path / "B", {**files, "a.yaml": layer("a", "k: 2")})
    assert '\ndata["a.yaml"] » k = 1\n' in command("explain", package, "--where").stdout
    assert '  data["a.yaml"] » k = 1: wins\n' in command("why", package / "a.yaml:6").stdout
    assert '  data["b.yaml"] » k 1 -> 2  because a.yaml:6 changed\n' in command("compare", package, other).stdout
    assert '- `data["b.yaml"] » k`: `1` → `2`' in command("compare", "--markdown", package, other).stdout


def test_the_layers_of_configmaps_and_secrets_of_one_name_are_two(tmp_path):
    group = "apiVersion: application.giantswarm.io/v1alpha1"
    both = "{configMap: {name: a, namespace: org}, secret: {name: s, namespace: org}}"
    app = f"{group}\nkind: App\nmetadata: {{name: web, namespace: org}}\nspec:\n  name: web\n  namespace: web\n  catalog: own\n"
    app += f"  version: 1.0.0\n  kubeConfig: {{inCluster: true}}\n  config: {both}\n  userConfig: {{configMap: {{name: u, namespace: org}}}}\n"
    objects = {"a": ("k: 1\nl: 1", "ConfigMap"), "u": ("k: 2", "ConfigMap"), "s": ("k: 3", "Secret")}
    files = {
        f"{name}.yaml": layer(name, *one).replace(f"name: {name}", f"name: {name}, namespace: org")
        for name, one in objects.items()
    }
    catalog = f"{group}\nkind: Catalog\nmetadata: {{name: own, namespace: default}}\nspec: {{title: Own}}\n"
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: GiantswarmConfig\nmetadata: {name: gs}\nspec: {outputs: [configMap, secret, combined]}\n"
    steps = kptfile("exec: krm-giantswarm-config, configPath: gs.yaml")
    package = write(tmp_path, {"Kptfile": steps, "gs.yaml": config, "app.yaml": app, "catalog.yaml": catalog, **files})
    assert " ".join(command("explain", package, "--layers").stdout.partition("App org/web")[2].split()) == (
        "config a.yaml:5 wins 2 of 4 userConfig u.yaml:5 wins 1 of 2 config s.yaml:5 wins 2 of 2"
    )
    found = command("explain", package, "k", "--where", "--resource", "Secret/web-helm-values").stdout
    assert [line.split()[2] for line in found.splitlines() if " sets " in line] == ["s.yaml:6", "u.yaml:6", "a.yaml:6"]
    values = json.loads(command("explain", package, "k", "--json", "--resource", "Secret/web-helm-values").stdout)["values"]
    assert [cell["rank"] for cell in (values[0]["winner"], *values[0]["overridden"])] == [2, 1, 0]
