"""`render` and `explain` of a pipeline in which a function edits what the next one reads: the tree keeps items between steps."""

from __future__ import annotations

import json

import pytest
from tests.answers import decided, facts
from tests.cli.packages import command, kptfile, snapshot, write

GLASSKUBE = "exec: krm-glasskube-values, configPath: glasskube.yaml"
FLUX = "exec: krm-flux-values, configPath: flux.yaml"
IMAGES = (("glasskube-values", "glasskube.yaml"), ("flux-values", "flux.yaml"))
MANIFEST = """\
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata:
  name: web
spec:
  manifest:
    name: web
    scope: Namespaced
    defaultNamespace: shop
    valueDefinitions:
      host:
        type: text
        targets:
        - resource: {apiGroup: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: web}
          patch: {op: add, path: /spec/values/host}
"""
PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata:
  name: web
  namespace: shop
spec:
  packageInfo:
    name: web
    version: v1.0.0
  values:
    host:
      value: package.example.test
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: web
  namespace: shop
spec:
  valuesFrom:
  - kind: ConfigMap
    name: base
  values:
    colour: red # as written
"""
BASE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: base
  namespace: shop
data:
  values.yaml: |
    host: base.example.test
    size: 3
"""


def config(kind, spec):
    return f"apiVersion: krm-values.dev/v1alpha1\nkind: {kind}\nmetadata:\n  name: config\nspec:\n  {spec}\n"


def package(tmp_path, *steps, output="object", validators=()):
    files = {"Kptfile": kptfile(*steps, validators=validators), "manifest.yaml": MANIFEST, "package.yaml": PACKAGE}
    files |= {"release.yaml": RELEASE, "base.yaml": BASE, "glasskube.yaml": config("GlasskubeValues", "strict: true")}
    return write(tmp_path / "package", files | {"flux.yaml": config("FluxValues", f"output: {output}\n  strict: true")})


def render(directory):
    done = command("render", directory)
    assert done.returncode == 0, done.stderr
    assert "edited by hand" not in done.stderr
    return snapshot(directory)


def explained(directory):
    """(function, path, value, file of the winner, path on the way to it) of each value, and all that is said of them, without lines."""
    text = command("explain", "--json", directory).stdout
    steps = [step["function"] for step in json.loads(text)["steps"]]
    found = [
        (
            steps[value["step"]],
            value.get("inner", value["path"]),
            value["value"],
            value["winner"]["file"],
            *(hop["path"] for hop in value["winner"]["way"]),
        )
        for value in decided(text)
    ]
    return found, facts(decided(text))


@pytest.mark.parametrize("validators", [(), (GLASSKUBE,), (FLUX, GLASSKUBE)])
def test_what_the_first_step_wrote_the_second_reads_in_every_run(tmp_path, validators):
    directory = package(tmp_path, GLASSKUBE, FLUX, validators=validators)
    before = explained(directory)
    once = render(directory)
    assert "host: package.example.test" in once["web-flux-values.yaml"]
    assert render(directory) == once
    assert explained(directory) == before
    assert ("flux-values", "host", "package.example.test", "package.yaml", "spec.values.host") in before[0]


@pytest.mark.parametrize("steps", [(GLASSKUBE, FLUX, GLASSKUBE), (FLUX, GLASSKUBE, FLUX), (GLASSKUBE, GLASSKUBE, FLUX)])
def test_a_step_may_run_twice(tmp_path, steps):
    directory = package(tmp_path, *steps)
    once = render(directory)
    assert "host: package.example.test" in once["web-flux-values.yaml"]
    assert render(directory) == once


@pytest.mark.parametrize("steps", [(GLASSKUBE, FLUX), (FLUX, GLASSKUBE)])
def test_two_functions_in_one_release_are_no_edits_by_hand_to_each_other(tmp_path, steps):
    directory = package(tmp_path, *steps, output="inline")
    once = render(directory)
    assert "    host: package.example.test\n" in once["release.yaml"]
    assert render(directory) == once
    write(directory, {"base.yaml": BASE.replace("base.example", "other.example").replace("3", "4")})
    changed = render(directory)
    assert "    host: package.example.test\n" in changed["release.yaml"]
    assert "    size: 4\n" in changed["release.yaml"]
    (directory / "package.yaml").unlink()
    render(directory)
    gone = render(directory)  # the first step finds in the second run what the other one took back
    assert "    host: other.example.test\n" in gone["release.yaml"]
    assert render(directory) == gone
    write(directory, {"flux.yaml": config("FluxValues", "output: object")})
    assert render(directory)["release.yaml"] == RELEASE


def test_without_the_first_step_what_both_wrote_stays(tmp_path):
    directory = package(tmp_path, GLASSKUBE, FLUX, output="inline")
    render(directory)
    write(directory, {"Kptfile": kptfile(FLUX), "base.yaml": BASE.replace("3", "4")})
    once = render(directory)
    assert "    host: package.example.test\n" in once["release.yaml"]
    assert "    size: 4\n" in once["release.yaml"]


def test_a_container_in_between_is_run_like_a_command(tmp_path):
    images = [f"image: ghcr.io/example/{name}:v1, configPath: {config}" for name, config in IMAGES]
    directory = package(tmp_path, *images)
    once = render(directory)
    assert "host: package.example.test" in once["web-flux-values.yaml"]
    assert render(directory) == once


def test_an_edit_by_hand_between_two_runs_reaches_the_next_step(tmp_path):
    directory = package(tmp_path, FLUX, GLASSKUBE, FLUX, output="inline")
    write(
        directory,
        {"glasskube.yaml": config("GlasskubeValues", "strict: false"), "flux.yaml": config("FluxValues", "output: inline")},
    )
    once = render(directory)
    write(directory, {"release.yaml": once["release.yaml"].replace("size: 3", "size: 9")})
    done = command("render", directory)
    assert "`spec.values.size`: was edited by hand where ConfigMap/shop/base had written" in done.stderr
    assert "    size: 9\n" in snapshot(directory)["release.yaml"]
    assert render(directory) == snapshot(directory)


def test_a_selector_does_not_change_what_a_later_step_sees(tmp_path):
    selected = f"{GLASSKUBE}, selectors: [{{kind: HelmRelease}}, {{kind: Package}}, {{kind: PackageManifest}}]"
    directory = package(tmp_path, selected, f"{FLUX}, exclude: [{{kind: Package}}]")
    once = render(directory)
    assert "host: package.example.test" in once["web-flux-values.yaml"]
    assert render(directory) == once


def test_a_sub_packages_items_reach_the_outer_pipeline_as_they_were_left(tmp_path):
    inner = package(tmp_path / "inner", GLASSKUBE)
    directory = write(tmp_path / "outer", {"Kptfile": kptfile(FLUX), "flux.yaml": config("FluxValues", "output: object")})
    inner.rename(directory / "inner")
    once = render(directory)
    assert "host: package.example.test" in next(text for name, text in once.items() if name.endswith("web-flux-values.yaml"))
    assert render(directory) == once


APP = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: NAME, namespace: org}
spec:
  {catalog: main, name: web, namespace: web, version: 1.0.0, kubeConfig: {inCluster: true},
   config: {configMap: {name: conf, namespace: org}}}
"""
LAYER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, namespace: org}\ndata: {values: 'x: 1'}\n"
GIANTSWARM = """\
apiVersion: krm-values.dev/v1alpha1
kind: GiantswarmConfig
metadata: {name: NAME}
spec: {outputs: [configMap], allowMissing: [{kind: Catalog, name: "*"}]}
"""


def test_what_a_step_generated_stays_where_another_one_of_its_function_selects_another_source(tmp_path):
    names = ("one", "two")
    steps = [
        f"exec: krm-giantswarm-config, configPath: {name}.yaml, selectors: [{{kind: App, name: {name}}}, {{kind: ConfigMap}}]"
        for name in names
    ]
    files = {f"{name}.yaml": GIANTSWARM.replace("NAME", name) for name in names}
    files |= {f"app-{name}.yaml": APP.replace("NAME", name) for name in names}
    package = write(tmp_path, {"Kptfile": kptfile(*steps), "conf.yaml": LAYER, **files})
    made = [f"{name}-chart-values.yaml" for name in names]
    for _ in range(2):
        done = command("render", package)
        assert done.returncode == 0
        assert "is removed" not in done.stderr
        assert sorted(path.name for path in package.glob("*-chart-values.yaml")) == made
    assert done.stderr.endswith("2 steps run, changed: nothing\n")
    (package / "app-one.yaml").unlink()
    assert "one-chart-values: is removed" in command("render", package).stderr
    (package / "Kptfile").write_text(kptfile(steps[0]))
    assert "two-chart-values: is removed" in command("render", package).stderr
    assert not [*package.glob("*-chart-values.yaml")]
