"""Patches of kustomize in a directory: incomplete objects that are no resources, which every function leaves alone and says so."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, write

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  interval: 10m
  valuesFrom:
  - {kind: ConfigMap, name: base}
  values: {replicas: 1}
"""
BASE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data: {values.yaml: "colour: red"}
"""
OVER = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  values: {replicas: 3}
"""
OTHER = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data: {values.yaml: "colour: blue"}
"""
LISTED = {
    "patches": "patches:\n- path: release.yaml\n- path: ./values/base.yaml\n  target: {kind: ConfigMap}\n",
    "patchesStrategicMerge": "patchesStrategicMerge:\n- release.yaml\n- values/base.yaml\n",
    "patchesJson6902": "patchesJson6902:\n- {path: release.yaml}\n- {path: ../production/values/base.yaml}\n",
}
HEADS = {
    "kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
    "kustomization.yml": "kind: Kustomization\n",
    "component.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nmetadata: {name: c}\n",
}
DIRECTIVES = ("$patch: delete\n", "metadata: {name: web, namespace: team, $patch: replace}\n", "spec: {$patch: merge}\n")
INCOMPLETE = {
    "tekton-params": "tekton.dev/v1\nkind: Pipeline\nmetadata: {name: p}\nspec: {tasks: [{name: t}], parms: []}",
    "cartographer-params": "carto.run/v1alpha1\nkind: Workload\nmetadata: {name: p}\nspec: {parms: []}",
    "giantswarm-config": "application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: p}\nspec: {extraConfig: []}",
    "flux-values": "helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: p}\nspec: {valueFrom: []}",
    "glasskube-values": "packages.glasskube.dev/v1alpha1\nkind: ClusterPackage\nmetadata: {name: p}\nspec: {vaules: {}}",
    "envgene-sd": "krm-values.dev/v1alpha1\nkind: SolutionDescriptor\nmetadata: {name: p}\nspec: {aplications: []}",
}
"""By function, a resource that it reports, because a field is misspelt."""
HEADER = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"


def run(folder, function="flux-values"):
    return command("run", "-v", function, ".", cwd=folder)


@pytest.mark.parametrize("lists", LISTED)
@pytest.mark.parametrize("name", HEADS)
def test_a_file_that_a_kustomization_lists_as_a_patch_is_no_resource(tmp_path, name, lists):
    base, overlay = {"base/release.yaml": RELEASE, "base/base.yaml": BASE}, tmp_path / "all" / "production"
    write(tmp_path / "all", base)
    alone = run(tmp_path / "all")
    assert "colour: red\\n    replicas: 1" in alone.stdout.replace("\n", "\\n")
    write(overlay, {"release.yaml": OVER, "values/base.yaml": OTHER, name: HEADS[name] + LISTED[lists]})
    done = run(tmp_path / "all")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(alone.stdout.partition("---\n")[0])
    assert alone.stdout.partition("data:\n  values.yaml: |")[2] in done.stdout
    for text in (OVER, OTHER):
        assert text in done.stdout
    told = [line for line in done.stderr.splitlines() if "patch of kustomize" in line]
    assert [line.split(":")[1].strip() for line in told] == ["production/release.yaml", "production/values/base.yaml"]
    assert all(line.startswith("info: ") and f"`production/{name}` lists its file as one" in line for line in told)


@pytest.mark.parametrize("directive", DIRECTIVES)
def test_an_object_with_a_directive_is_a_patch(tmp_path, directive):
    head = "" if directive.startswith("metadata") else "metadata: {name: web, namespace: team}\n"
    write(tmp_path / "all", {"release.yaml": RELEASE, "base.yaml": BASE, "patch.yaml": HEADER + head + directive})
    done = run(tmp_path / "all")
    assert done.returncode == 0, done.stderr
    word = directive.partition("$patch: ")[2].strip("}\n")
    expected = f"info: patch.yaml:1:1: HelmRelease team/web: is a patch of kustomize and not a resource, so it is left as it is: it has `$patch: {word}`"
    assert expected in done.stderr.splitlines()
    assert done.stdout.count("colour: red") == 2


@pytest.mark.parametrize("function", INCOMPLETE)
def test_no_function_reads_a_patch(tmp_path, function):
    incomplete = f"apiVersion: {INCOMPLETE[function]}\n"
    write(tmp_path / "all", {"part.yaml": incomplete})
    assert run(tmp_path / "all", function).stderr.count("part.yaml:") >= 1 - (function == "envgene-sd")
    write(tmp_path / "all", {"kustomization.yaml": HEADS["kustomization.yaml"] + "patches: [{path: part.yaml}]\n"})
    done = run(tmp_path / "all", function)
    assert done.returncode == 0
    assert incomplete in done.stdout
    found = [line for line in done.stderr.splitlines() if "part.yaml:" in line]
    assert len(found) == 1
    assert "is a patch of kustomize" in found[0]


@pytest.mark.parametrize(
    "more",
    [
        {"kustomization.yaml": HEADS["kustomization.yaml"] + "resources: [release.yaml]\npatches: [{path: release.yaml}]\n"},
        {"kustomization.yaml": HEADS["kustomization.yaml"] + 'patches: [{patch: "release.yaml\\n"}]\nresources: [base.yaml]\n'},
        {"other/kustomization.yaml": HEADS["kustomization.yaml"] + "patches: [{path: release.yaml}]\n"},
        {"made.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {patches: '- path: release.yaml'}\n"},
        {"release.yaml": RELEASE.replace("replicas: 1", "replicas: 1, patches: [{$patch: delete}], $patch: delete")},
        {
            "release.yaml": RELEASE
            + "  postRenderers: [{kustomize: {patchesStrategicMerge: [{kind: Deployment, $patch: delete}]}}]\n"
        },
    ],
)
def test_a_resource_is_no_patch(tmp_path, more):
    """Also listed as a resource, a patch that is no path, in another directory, or with a directive for something else."""
    write(tmp_path / "all", {"release.yaml": RELEASE, "base.yaml": BASE, **more})
    done = run(tmp_path / "all")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("colour: red") == 2
    assert "patch of kustomize" not in done.stderr
