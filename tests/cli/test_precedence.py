"""The columns of the page stand in the order of precedence that each function declares, whatever the order in which layers occur."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.answers import cells, decided
from tests.cli.packages import command, kptfile, write

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("examples/*/*/Kptfile"))
_DATA = re.compile(r'<script id="data"[^>]*>(.*?)</script>', re.DOTALL)
DECLARED = {
    "cartographer-params": ["template.default", "blueprint.default", "resource.default", "owner.value", "blueprint.value"],
    "flux-values": ["valuesFrom[0]", "valuesFrom[1]", "valuesFrom[2]", "values"],
    "giantswarm-config": [
        "catalog",
        "extraConfigs[1]",
        "config",
        "extraConfigs[0]",
        "userConfig",
        "extraConfigs[2]",
        "extraConfigs[3]",
    ],
    "glasskube-values": ["resource", "manifest", "value", "transformation"],
    "layered-values": ["schema", "shop-base", "base", "every-stage", "shop-prod", "prod", "setters", "east", "values"],
    "tekton-params": ["taskSpec", "pipeline", "run", "matrix", "pipelineTask"],
    "envgene-sd": ["Full SD", "basic-merge", "suite:1.4.0", "suite-extra:2.0.0"],
}
"""The layers of the examples, lowest precedence first, as the manuals have them."""


def columns(*words: str | Path, folder: Path) -> dict[str, list[tuple[str, str]]]:
    """(function, layer) of the columns of each resource, from the left."""
    command(*words, "--html", folder / "page.html")
    found: dict[str, Any] = json.loads(_DATA.findall((folder / "page.html").read_text("utf-8"))[0])
    text, layers, steps = found["strings"], found["layers"], found["steps"]
    return {
        text[resource[0]]: [(text[steps[layers[one][2]][0]], text[layers[one][0]]) for one in resource[5]]
        for resource in found["resources"]
    }


def names(*words: str | Path, folder: Path, resource: str) -> list[str]:
    return [layer for _, layer in columns(*words, folder=folder)[resource]]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_columns_of_an_example(example, tmp_path):
    for resource, found in columns("explain", ROOT / example, folder=tmp_path).items():
        for function, declared in DECLARED.items():
            known = [layer if layer in declared else layer.split(" ")[0] for name, layer in found if name == function]
            places = [declared.index(layer) for layer in known if layer in declared]
            assert places == sorted(places), (resource, found)


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_a_layer_overrides_stands_to_its_left_and_is_listed_nearest_first(example):
    """An entry of Cartographer's step replaces that of the chain, also where it is a default; the lowest layer names an element."""
    for value in decided(command("explain", "--json", ROOT / example).stdout):
        declared = DECLARED.get(example.split("/")[1], [])
        layers = [cell["layer"] for cell in cells(value)]
        places = [declared.index(layer) for layer in layers if layer in declared]
        is_name = value.get("rule", "").endswith("names it")
        assert places == sorted(places, reverse=not is_name) or {"resource.default", "blueprint.value"} <= {*layers}, layers


LAYER = "apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: n}}\n{field}:\n  values.yaml: |\n    {text}\n"


def layer(name: str, text: str, kind: str = "ConfigMap") -> str:
    return LAYER.format(kind=kind, name=name, field="stringData" if kind == "Secret" else "data", text=text)


def test_layers_of_flux_that_meet_nowhere(tmp_path):
    """The keys are in the order of the alphabet, so the last layer occurs first."""
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: n}\nspec:\n  valuesFrom:\n"
        + "".join(f"  - {{kind: ConfigMap, name: c{number}}}\n" for number in range(12))
        + "  values: {a: 1}\n"
    )
    files = {f"c{number}.yaml": layer(f"c{number}", f"k{99 - number}: 1") for number in range(12)}
    package = write(tmp_path / "p", {"Kptfile": kptfile("exec: krm-flux-values"), "r.yaml": release, **files})
    found = names("explain", package, folder=tmp_path, resource="ConfigMap n/web-flux-values")
    assert found == [*(f"valuesFrom[{number}]" for number in range(12)), "values"]
    assert found == names("explain", "flux-values", package, folder=tmp_path, resource="ConfigMap n/web-flux-values")
    other = write(
        tmp_path / "q",
        {"Kptfile": kptfile("exec: krm-flux-values"), "r.yaml": release, **files, "c3.yaml": layer("c3", "z: 2")},
    )
    compared = names("compare", package, other, folder=tmp_path, resource="ConfigMap n/web-flux-values")
    assert compared == [one for one in found if one in compared]


def test_layers_of_a_config_by_priority_then_position(tmp_path):
    layers = [("z", 5, "b"), ("y", 0, "c"), ("x", 0, "d"), ("w", -1, "e"), ("v", 5, "a")]
    config = (
        "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: own}\nspec:\n  layers:\n"
        + "".join(f"  - {{name: {name}, priority: {priority}, values: {{{key}: 1}}}}\n" for name, priority, key in layers)
        + "  schema: {type: object, properties: {aa: {type: integer, default: 1}}}\n  targets: [{configMap: out}]\n"
    )
    package = write(tmp_path / "p", {"Kptfile": kptfile("exec: krm-layered-values, configPath: own.yaml"), "own.yaml": config})
    assert names("explain", package, folder=tmp_path, resource="ConfigMap out") == ["schema", "w", "y", "x", "z", "v"]


def test_secrets_of_an_app_stand_above_its_config_maps_where_both_are_merged(tmp_path):
    app = (
        "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: web, namespace: n}\nspec:\n"
        "  catalog: none\n  name: web\n  namespace: n\n  version: 1.0.0\n"
        "  kubeConfig: {inCluster: true}\n  extraConfigs:\n"
        + "".join(
            f"  - {{kind: {kind}, name: {name}, namespace: n, priority: {priority}}}\n"
            for kind, name, priority in (
                ("configMap", "a", 150),
                ("secret", "b", 10),
                ("configMap", "c", 10),
                ("configMap", "d", 10),
                ("secret", "e", 120),
            )
        )
    )
    app += "---\napiVersion: application.giantswarm.io/v1alpha1\nkind: Catalog\nmetadata: {name: none, namespace: default}\nspec: {}\n"
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: GiantswarmConfig\nmetadata: {name: c}\nspec: {outputs: [combined]}\n"
    texts = {name: layer(name, f"k{name}: 1", "Secret" if name in "be" else "ConfigMap") for name in "abcde"}
    files = {
        "app.yaml": app,
        "config.yaml": config,
        **{f"{name}.yaml": text.replace("values.yaml", "values") for name, text in texts.items()},
    }
    package = write(tmp_path / "p", {"Kptfile": kptfile("exec: krm-giantswarm-config, configPath: config.yaml"), **files})
    found = names("explain", package, folder=tmp_path, resource="Secret giantswarm/web-helm-values")
    assert found == [f"extraConfigs[{number}]" for number in (2, 3, 0, 1, 4)]


def test_layers_of_tekton(tmp_path):
    run = (
        "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: r, namespace: n}\nspec:\n"
        "  params: [{name: c, value: 1}, {name: d, value: x}]\n  pipelineSpec:\n    params: [{name: b, default: x}, {name: c, default: x}]\n"
        "    tasks:\n    - name: t\n      params: [{name: a, value: own}]\n      taskSpec:\n"
        "        params: [{name: a, default: x}, {name: e, default: x}]\n"
        "        steps: [{name: s, image: i, script: $(params.a) $(params.b) $(params.c) $(params.d) $(params.e)}]\n"
    )
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: c}\nspec: {mode: propagate}\n"
    package = write(
        tmp_path / "p", {"Kptfile": kptfile("exec: krm-tekton-params, configPath: c.yaml"), "c.yaml": config, "r.yaml": run}
    )
    found = names("explain", package, folder=tmp_path, resource="PipelineRun n/r")
    assert found == [one for one in ("taskSpec", "pipeline", "run", "pipelineTask") if one in found]
    assert len(found) > 2


def test_values_of_a_package_by_name_below_its_transformations(tmp_path):
    """The value of a later name is written after one of an earlier, whatever the order in the Package."""
    definitions = "".join(
        f"  {name}: {{type: text, targets: [{{chartName: foo, patch: {{op: add, path: /{name}}}}}]}}\n"
        for name in ("zeta", "alpha", "mid")
    )
    manifest = (
        "name: foo\nhelm: {repositoryUrl: 'https://charts.example.test', chartName: foo, chartVersion: 1.0.0, values: {own: 1}}\n"
        f"valueDefinitions:\n{definitions}"
    )
    inner = manifest.replace("\n", "\n      ").rstrip(" ")
    config = (
        f"apiVersion: krm-values.dev/v1alpha1\nkind: GlasskubeValues\nmetadata: {{name: c}}\nspec:\n  manifests:\n  -   {inner}"
    )
    package = (
        "apiVersion: packages.glasskube.dev/v1alpha1\nkind: Package\nmetadata: {name: foo, namespace: team}\n"
        "spec:\n  packageInfo: {name: foo, version: v1}\n  values: {zeta: {value: a}, mid: {value: b}, alpha: {value: c}}\n"
    )
    files = {
        "Kptfile": kptfile("exec: krm-glasskube-values, configPath: config.yaml"),
        "config.yaml": config,
        "package.yaml": package,
    }
    found = columns("explain", write(tmp_path / "p", files), folder=tmp_path)
    assert [layer for _, layer in found["HelmRelease team/foo-foo"]][-3:] == ["value alpha", "value mid", "value zeta"]
