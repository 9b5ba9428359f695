"""`render -o unwrap --release` of every example, and the sidecar of Argo CD, as Kubernetes' own code takes them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.hosts.machine import Machine
from tests.oracles import go

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/*/Kptfile"))
REPO_SERVER = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: argocd-repo-server}
spec:
  selector: {matchLabels: {app: argocd-repo-server}}
  template:
    metadata: {labels: {app: argocd-repo-server}}
    spec:
      containers:
      - name: argocd-repo-server
        image: quay.example.test/argocd:v3.2.0
        volumeMounts: [{name: tmp, mountPath: /tmp}]
      volumes:
      - {name: var-files, emptyDir: {}}
      - {name: plugins, emptyDir: {}}
      - {name: tmp, emptyDir: {}}
"""


def read(text: str) -> list[dict[str, Any]]:
    """Return the documents as JSON: with timestamps as the texts that they are."""
    loader = type("Loader", (yaml.SafeLoader,), {"yaml_implicit_resolvers": yaml.SafeLoader.yaml_implicit_resolvers.copy()})
    loader.yaml_implicit_resolvers = {  # type: ignore[attr-defined]
        first: [one for one in resolvers if one[0] != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return [one for one in yaml.load_all(text, loader) if one is not None]


@pytest.mark.hosts
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_kubernetes_takes_every_document(example: Path, machine: Machine) -> None:
    """Kinds that it has are decoded strictly, as the API server does; of others the metadata."""
    go.needed("kubernetes")
    found = read(machine.run("krm-values", "render", "-q", "-o", "unwrap", "--release", example).stdout)
    said = go.ask("kubernetes", [{"object": one} for one in found])
    wrong = [(one["kind"], one["metadata"]["name"], answer["errors"]) for one, answer in zip(found, said, strict=True)]
    assert [one for one in wrong if one[2]] == []


@pytest.mark.hosts
def test_the_judge_refuses_what_a_cluster_refuses() -> None:
    go.needed("kubernetes")
    base = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    wrong: list[dict[str, Any]] = [
        {**base, "data": {"a": 1}},
        {**base, "dta": {}},
        {**base, "metadata": {"name": "A_b"}},
        {**base, "metadata": {"name": "a", "annotations": {"a": True}}},
        {**base, "apiVersion": "x.test/v1", "metadata": {"name": "a", "annotations": {"a/b/c": "d"}}},
        {**base, "apiVersion": "x.test/v1", "metadata": {"name": "a", "unknown": "d"}},
    ]
    said = go.ask("kubernetes", [{"object": one} for one in (base, *wrong)])
    assert [bool(answer["errors"]) for answer in said] == [False, *[True] * len(wrong)]


@pytest.mark.hosts
def test_the_sidecar_joins_a_repo_server(machine: Machine, tmp_path: Path) -> None:
    go.needed("kubernetes")
    machine.needs("kubectl")
    shutil.copytree(ROOT / "argocd", tmp_path / "krm-values/argocd")
    (tmp_path / "install.yaml").write_text(REPO_SERVER)
    kustomization = {
        "resources": ["install.yaml"],
        "components": ["krm-values/argocd"],
        "images": [{"name": "krm-values", "newName": "registry.example.test/krm-values", "newTag": "v1"}],
    }
    (tmp_path / "kustomization.yaml").write_text(json.dumps(kustomization))
    found = read(machine.run("kubectl", "kustomize", tmp_path).stdout)
    assert all(answer == {"known": True, "errors": []} for answer in go.ask("kubernetes", [{"object": one} for one in found]))
    by_kind = {one["kind"]: one for one in found}
    config, pod = by_kind["ConfigMap"], by_kind["Deployment"]["spec"]["template"]["spec"]
    assert config["data"]["plugin.yaml"] == (ROOT / "argocd/plugin.yaml").read_text("utf-8")
    sidecar = next(one for one in pod["containers"] if one["name"] == "krm-values")
    assert sidecar["image"] == "registry.example.test/krm-values:v1"
    volumes = {one["name"]: one for one in pod["volumes"]}
    assert {mount["name"] for mount in sidecar["volumeMounts"]} <= {*volumes}
    assert volumes["krm-values-plugin"]["configMap"]["name"] == config["metadata"]["name"]
    assert len(pod["containers"]) == 2
