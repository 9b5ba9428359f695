"""Which file a generated object gets: never one that something else needs whole, and one of its own for each namespace."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, kptfile, write

LAYERED = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {{name: c}}
spec:
  layers: [{{values: {{replicas: 2}}}}]
  targets: [{{{target}}}]
"""
CONFIG_MAP_AS_CONFIG = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  layers: '[{values: {a: 1}}]'\n  targets: '[{TARGET}]'\n"
)
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: web, namespace: {0}}}
spec:
  interval: 1m
  chart: {{spec: {{chart: app, sourceRef: {{kind: HelmRepository, name: charts}}}}}}
  valuesFrom:
  - {{kind: ConfigMap, name: base}}
---
apiVersion: v1
kind: ConfigMap
metadata: {{name: base, namespace: {0}}}
data: {{values.yaml: "x: {0}"}}
"""


def rendered(folder, files: dict[str, str]) -> set[str]:
    """The new files after two renders; the second one changes nothing, and no given file has changed."""
    write(folder, files)
    before = {path.name for path in folder.iterdir()}
    assert command("render", ".", cwd=folder).returncode == 0
    again = command("render", ".", cwd=folder)
    assert (again.returncode, again.stderr) == (0, "1 step run, changed: nothing\n")
    assert {name: (folder / name).read_text() for name in files} == files
    return {path.name for path in folder.iterdir()} - before


@pytest.mark.parametrize("kind", ["configMap", "secret"])
@pytest.mark.parametrize("config", [LAYERED.format(target="TARGET"), CONFIG_MAP_AS_CONFIG], ids=["own kind", "ConfigMap"])
def test_no_object_lands_in_the_file_of_a_config(tmp_path, config, kind):
    files = {
        "Kptfile": kptfile("exec: krm-layered-values, configPath: after.yaml"),
        "after.yaml": config.replace("TARGET", f"{kind}: after"),
    }
    assert rendered(tmp_path, files) == {"after-2.yaml"}


@pytest.mark.parametrize(
    ("name", "others", "expected"),
    [
        ("kustomization", {}, "kustomization-2.yaml"),
        ("kustomization", {"kustomization.yaml": "resources: []\n"}, "kustomization-2.yaml"),
        ("web", {"web.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"}, "web-2.yaml"),
        (
            "web",
            {
                "web.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n",
                "web-2.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: two}\n",
            },
            "web-3.yaml",
        ),
        ("free", {}, "free.yaml"),
    ],
)
def test_a_file_of_something_else_is_left_to_it(tmp_path, name, others, expected):
    config = LAYERED.format(target=f"configMap: {name}")
    files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: c.yaml"), "c.yaml": config, **others}
    assert rendered(tmp_path, files) == {expected}


@pytest.mark.parametrize("spaces", [("a", "b"), ("b", "a", "c")])
def test_objects_of_one_name_in_several_namespaces_have_files_of_their_own(tmp_path, spaces):
    files = {"Kptfile": kptfile("exec: krm-flux-values"), "r.yaml": "---\n".join(map(RELEASE.format, spaces))}
    assert rendered(tmp_path, files) == {f"web-flux-values-{space}.yaml" for space in spaces}


def test_a_namespace_that_comes_later_leaves_the_first_its_file(tmp_path):
    files = {"Kptfile": kptfile("exec: krm-flux-values"), "a.yaml": RELEASE.format("a")}
    assert rendered(tmp_path, files) == {"web-flux-values.yaml"}
    assert rendered(tmp_path, {"b.yaml": RELEASE.format("b")}) == {"web-flux-values-b.yaml"}
