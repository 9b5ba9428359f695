"""`why FILE:LINE` of a line of a layer: which values it goes into, where it loses, and why no step reads it if none does."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, kptfile, write
from tests.cli.test_ways import EXAMPLES

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: ns}
spec:
  interval: 5m
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}
  valuesFrom:
  - {kind: ConfigMap, name: base}
  - {kind: ConfigMap, name: over}
"""
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: {}\nmetadata: {{name: {}}}\nspec:\n{}"
LOCAL = CONFIG.format("FluxValues", "fv", "  output: object\n")


def layer(name, text, kind="ConfigMap", namespace="ns", field="data"):
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    head = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n{field}:\n  values.yaml: |\n"
    return head + lines


@pytest.fixture
def flux(tmp_path):
    return write(
        tmp_path,
        {
            "Kptfile": kptfile("exec: krm-flux-values, configPath: fv.yaml"),
            "fv.yaml": LOCAL,
            "rel.yaml": RELEASE,
            "base.yaml": layer("base", "host: a\nreplicas: 1\nm: {x: 1, z: 2}"),
            "over.yaml": layer("over", "replicas: 2\nm: {x: 3}"),
            "other.yaml": layer("base", "host: b", namespace="other"),
        },
    )


CHAIN = {
    "Kptfile": kptfile(*(f"exec: krm-layered-values, configPath: {name}.yaml" for name in ("one", "two"))),
    "one.yaml": CONFIG.format(
        "LayeredValues", "one", "  layers: [{configMap: a}, {configMap: b}]\n  targets: [{configMap: out}]\n"
    ),
    "two.yaml": CONFIG.format(
        "LayeredValues", "two", "  layers: [{configMap: out}, {configMap: t}]\n  targets: [{configMap: final}]\n"
    ),
    "a.yaml": layer("a", "k: 1\nj: 1", namespace="x").replace(", namespace: x", ""),
    "b.yaml": layer("b", "j: 2", namespace="x").replace(", namespace: x", ""),
    "t.yaml": layer("t", "j: 9", namespace="x").replace(", namespace: x", ""),
}


def why(package, place):
    done = command("why", place, cwd=package)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def said(package, place):
    return " ".join(why(package, place).split())


def test_a_line_that_loses_names_the_winner_the_rule_and_why_its_layer_is_there(flux):
    assert (
        why(flux, "base.yaml:7")
        == """\
ConfigMap ns/base `data["values.yaml"] » replicas`
ConfigMap ns/web-flux-values  (HelmRelease ns/web)
  replicas = 2: loses to over.yaml:6
    rule: valuesFrom[1] overrides valuesFrom[0] (position 2 over 1)
    because rel.yaml:8, Kptfile:7
"""
    )


def test_losses_come_first(flux):
    text = why(flux, "base.yaml:8")
    assert text.index("m.x = 3: loses to over.yaml:7") < text.index("m.z = 2: wins")
    assert text.count("because rel.yaml:8, Kptfile:7") == 1


def test_a_value_is_followed_through_all_steps(tmp_path):
    package = write(tmp_path, CHAIN)
    for _ in range(2):
        text = said(package, "b.yaml:6")
        assert "ConfigMap final (ConfigMap out) j = 9: loses to t.yaml:6" in text
        assert "ConfigMap out (ConfigMap a) j = 2: wins" in text
        assert "because one.yaml:5, one.yaml:6, Kptfile:7, two.yaml:5, two.yaml:6, Kptfile:8" in text
        assert command("render", package).returncode == 0
    text = why(package, "out.yaml:9")
    assert text.startswith("ConfigMap out  (ConfigMap a)\n")
    assert "  k = 1: wins\n" in text


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("other.yaml:6", "HelmRelease ns/web (rel.yaml:8) names ConfigMap ns/base, in another namespace"),
        ("none.yaml:6", "no reference names ConfigMap ns/none"),
        ("over.yaml:9", "its key is not the `valuesKey` of HelmRelease ns/web (rel.yaml:9), which is `values.yaml`"),
    ],
)
def test_of_a_line_that_no_step_reads_the_nearest_reason(flux, place, reason):
    (flux / "over.yaml").write_text(layer("over", "replicas: 2") + "  more: x\n  some.yaml: |\n    a: 1\n")
    write(flux, {"none.yaml": layer("none", "host: c")})
    assert said(flux, place).endswith(f": no step reads it or sets it: {reason}")


def test_of_a_line_that_a_step_may_read_it_is_said_only_that_no_value_comes_from_it(flux):
    assert said(flux, "rel.yaml:5").endswith(": no value comes from it: no layer is in this field of HelmRelease ns/web")


def test_a_catalog_is_named_by_the_catalog_namespace_and_not_by_that_of_the_app():
    said = command("why", "app/catalog.yaml:16", cwd=EXAMPLES / "pipelines/all-seven").stdout
    assert (
        " ".join(said.split())
        == "Catalog default/harbour `spec.config`: no value comes from it: its layer is not in this field"
    )


def test_a_layer_whose_when_fits_no_target_and_one_of_which_no_target_takes_the_value(tmp_path):
    spec = """\
  layers:
  - {configMap: a}
  - {configMap: prod, when: {labels: {env: prod}}}
  targets:
  - {kind: Deployment, fields: {spec.replicas: replicas}}
"""
    package = write(
        tmp_path,
        {
            "Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"),
            "lv.yaml": CONFIG.format("LayeredValues", "lv", spec),
            "a.yaml": layer("a", "replicas: 2\nmore: 1"),
            "prod.yaml": layer("prod", "replicas: 3"),
            "d.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: ns}\nspec:\n  replicas: 1\n",
        },
    )
    assert said(package, "prod.yaml:6").endswith("no step reads it or sets it: `when` of the layer (lv.yaml:7) fits no target")
    assert said(package, "a.yaml:7").endswith("ConfigMap ns/a is a layer, but no target has this value")
    assert said(package, "lv.yaml:6").endswith("it names the layer a of layered-values (Kptfile:7), which wins 1 of 1 values")
    assert said(package, "lv.yaml:9").endswith("it chooses targets of layered-values (Kptfile:7)")
    assert said(package, "Kptfile:7").endswith("it runs layered-values (Kptfile:7)")
    assert "spec.replicas = 2: loses to a.yaml:6" in said(package, "d.yaml:5")
    assert command("render", package).returncode == 0
    line = (package / "d.yaml").read_text().splitlines().index("  replicas: 2") + 1
    assert "loses" not in said(package, f"d.yaml:{line}")


def test_what_the_selectors_of_a_step_leave_out(flux):
    text = (flux / "Kptfile").read_text().replace("configPath: fv.yaml", "configPath: fv.yaml, exclude: [{name: none}]")
    (flux / "Kptfile").write_text(text)
    write(flux, {"none.yaml": layer("none", "host: c")})
    assert said(flux, "none.yaml:6").endswith("`exclude` of flux-values (Kptfile:7) leaves ConfigMap ns/none out")


def test_a_line_with_several_keys_answers_all_of_them(flux):
    (flux / "over.yaml").write_text(layer("over", "m: {x: 3,\n  b: 4, z: 5}"))
    text = why(flux, "over.yaml:7")
    for key, value in (("b", 4), ("z", 5)):
        assert f'ConfigMap ns/over `data["values.yaml"] » m.{key}`\n' in text
        assert f"  m.{key} = {value}: wins\n" in text
    assert "m.x" not in text


def test_values_of_secrets_are_hidden(flux):
    text = (flux / "rel.yaml").read_text().replace("ConfigMap, name: over", "Secret, name: login")
    (flux / "rel.yaml").write_text(text)
    write(flux, {"login.yaml": layer("login", "replicas: 70007\npass: hunter", kind="Secret", field="stringData")})
    assert "replicas = <hidden>: loses to login.yaml:6" in why(flux, "base.yaml:7")
    assert "pass = <hidden>: wins" in why(flux, "login.yaml:7")
    shown = command("why", "login.yaml:7", "--show-secrets", cwd=flux).stdout
    assert "pass = hunter: wins" in shown
    (flux / "rel.yaml").write_text(RELEASE)
    assert why(flux, "login.yaml:7").startswith('Secret ns/login `stringData["values.yaml"]`: no step reads it')


DEAD = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: shop}
data:
  values.yaml: |
    d: 1
    anchor: &a {x: 1, w: 3}
    m:
      w: 5
      <<: *a
    d: 2
"""


@pytest.mark.parametrize(
    ("line", "reason"), [(6, "line 11 has the key again"), (9, "`<<` below has the key as well"), (11, ""), (10, "")]
)
def test_a_key_that_a_later_one_of_its_map_replaces_gives_no_value(line, reason, tmp_path):
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\n"
        "spec: {valuesFrom: [{kind: ConfigMap, name: base}]}\n"
    )
    write(tmp_path, {"Kptfile": kptfile("exec: krm-flux-values"), "base.yaml": DEAD, "release.yaml": release})
    told = " ".join(command("why", str(tmp_path / f"base.yaml:{line}")).stdout.split())
    assert (f"no value comes from this line: {reason}" if reason else "= 2: wins" if line == 11 else "m.w = 3: wins") in told


FAILING = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{configMap: nowhere}]
  targets: [{kind: HelmRelease, name: web, fields: {spec.interval: a}}]
"""


@pytest.mark.parametrize("place", ["base.yaml:6", "rel.yaml:6", "lv.yaml:5", "Kptfile:8"])
def test_of_a_run_that_fails_it_says_so_and_no_other_reason(flux, place):
    step = "exec: krm-layered-values, configPath: lv.yaml"
    write(flux, {"lv.yaml": FAILING, "Kptfile": kptfile(step, "exec: krm-flux-values") + "# more\n"})
    done = command("why", place, cwd=flux)
    assert done.returncode == 1
    said = " ".join(done.stdout.split())
    assert said.endswith(": no step reads it or sets it before the run fails in layered-values (Kptfile:7)")


def test_what_the_steps_before_a_failing_one_do_is_told_as_such(flux):
    step = "exec: krm-layered-values, configPath: lv.yaml"
    write(flux, {"lv.yaml": FAILING, "Kptfile": kptfile("exec: krm-flux-values", step)})
    done = command("why", "base.yaml:6", cwd=flux)
    assert done.stdout.startswith("the run fails in layered-values (Kptfile:8); the steps before it:\nConfigMap ")
    assert "wins" in done.stdout or "loses" in done.stdout


APP = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: x, namespace: ns}
spec:
  catalog: c
  name: x
  namespace: d
  version: 1.0.0
  extraConfigs:
  - {name: a, namespace: ns}
  - {name: b, namespace: ns}
  - {name: c, namespace: ns}
"""


def test_a_map_that_lost_within_another_one_is_said_to_be_in_no_target(tmp_path):
    """Its layer is named, also where a reference leaves out the kind."""
    config = CONFIG.format("GiantswarmConfig", "gs", "  allowMissing: [{kind: Catalog, name: c}]\n")
    texts = {"a": "t: {w: 0}", "b": "t: {w: 2}", "c": "t: 1"}
    files = {f"{name}.yaml": layer(name, text).replace("values.yaml", "values") for name, text in texts.items()}
    steps = kptfile("exec: krm-giantswarm-config, configPath: gs.yaml")
    package = write(tmp_path, {"Kptfile": steps, "gs.yaml": config, "app.yaml": APP, **files})
    found = [" ".join(command("why", place, cwd=package).stdout.split()) for place in ("a.yaml:6", "b.yaml:6")]
    assert found[0].endswith("no value comes from it: ConfigMap ns/a is a layer, but no target has this value")
    assert "t = 1: loses to c.yaml:6 rule: extraConfigs[2] overrides extraConfigs[1]" in found[1]


def test_a_text_removes_the_entry_that_names_it_as_a_whole_and_none_of_its_lines_does(flux):
    (flux / "fv.yaml").write_text(LOCAL.replace("output: object", "output: inline"))
    assert "spec.valuesFrom[0] = (removed): wins" in said(flux, "base.yaml:5")  # the line of the text
    told = said(flux, "base.yaml:6")
    assert "spec.values.host = a: wins" in told
    assert "valuesFrom[0] = (removed)" not in told
    assert "spec.valuesFrom[0] = (removed): loses to base.yaml:5" in said(flux, "rel.yaml:8")


@pytest.mark.parametrize("spec", ["  nulls: remove\n", ""])
def test_of_a_null_that_removes_nothing_the_option_that_leaves_it_out(spec, tmp_path):
    files = {
        "Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"),
        "lv.yaml": CONFIG.format(
            "LayeredValues", "lv", f"{spec}  layers: [{{configMap: a}}]\n  targets: [{{configMap: out}}]\n"
        ),
        "a.yaml": layer("a", "k: 1\nnone: null").replace(", namespace: ns", ""),
    }
    write(tmp_path, files)
    told = said(tmp_path, "a.yaml:7")
    if spec:
        reason = "no value comes from it: it is null, which `nulls: remove` (lv.yaml:5) leaves out, and no layer below has a value for it to remove"
        assert reason in told
        assert reason.partition(": ")[2] in " ".join(command("impact", "a.yaml:7", cwd=tmp_path).stdout.split())
    else:
        assert "none = null: wins" in told
