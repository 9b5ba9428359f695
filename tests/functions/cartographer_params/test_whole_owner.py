"""A template that takes the whole owner: what hosts write into it must not be seen, so every host gives the same bytes."""

from __future__ import annotations

import json

import pytest

from tests.functions.cartographer_params.test_example import call, needs
from tests.hosts.package import Package, read

FILES = {
    "Kptfile": """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: whole
pipeline:
  mutators:
  - exec: krm-cartographer-params
    configPath: config.yaml
""",
    "kustomization.yaml": "resources:\n- chain.yaml\n- template.yaml\n- workload.yaml\ntransformers:\n- config.yaml\n",
    "config.yaml": """\
apiVersion: krm-values.dev/v1alpha1
kind: CartographerParams
metadata:
  name: config
  annotations:
    config.kubernetes.io/local-config: "true"
""",
    "chain.yaml": """\
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata:
  name: c
spec:
  selector:
    lane: a
  resources:
  - name: s
    templateRef:
      kind: ClusterTemplate
      name: t
""",
    "template.yaml": """\
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata:
  name: t
spec:
  template:
    apiVersion: demo.example/v1
    kind: Widget
    metadata:
      name: whole
    spec:
      owner: $(workload)$
      text: "owner: $(workload)$"
""",
}
WORKLOAD = """\
apiVersion: carto.run/v1alpha1
kind: Workload
metadata:
  name: parcel
  namespace: dock
  labels:
    lane: a
{annotations}spec:
  params:
  - name: ratio
    value: 1.50
  resources:
    limits:
      memory: 1024Mi
"""
ANNOTATIONS = '  annotations:\n    team: x\n    config.kubernetes.io/local-config: "false"\n'


@pytest.mark.parametrize("annotations", ["", ANNOTATIONS], ids=["no annotations", "own annotations"])
def test_kpt_kubectl_and_a_pipe_stamp_the_same_bytes(tmp_path, annotations):
    needs("kpt")
    needs("kubectl")
    package = tmp_path / "package"
    package.mkdir()
    for name, text in {**FILES, "workload.yaml": WORKLOAD.format(annotations=annotations)}.items():
        (package / name).write_text(text)
    piped = call("krm-values", "run", stdin=Package(package).resource_list()).stdout
    plugins = {"KUSTOMIZE_PLUGIN_HOME": str(tmp_path / "plugins")}
    call("krm-values", "kustomize", "install-plugins", **plugins)
    built = call("kubectl", "kustomize", "--enable-alpha-plugins", package, **plugins).stdout
    call("kpt", "fn", "render", "--allow-exec", package)
    rendered = (package / "cartographer/dock/workload-parcel/s.yaml").read_text()
    texts = {stamped(text) for text in (piped, built, rendered)}
    assert len(texts) == 1
    (text,) = texts
    assert "config.kubernetes.io/path" not in text
    assert ('"team": "x"' in text) == bool(annotations)
    assert text.count("1Gi") == 2


def stamped(text: str) -> str:
    """The stamped object's spec as JSON text, keys in order: kubectl prints maps in an order of its own."""
    documents = read(text)
    items = documents[0]["items"] if documents[0]["kind"] == "ResourceList" else documents
    (widget,) = (item for item in items if item["kind"] == "Widget")
    return json.dumps(widget["spec"], sort_keys=True)
