"""Packages whose Secrets hold markers: the examples, and one in which every function meets what another took out of a Secret."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import yaml

from tests.secrets.markers import Marker, planted

EXAMPLES = Path(__file__).parents[2] / "examples"
STORIES = sorted(
    path.parent for path in EXAMPLES.glob("*/*/Kptfile") if any("kind: Secret" in text.read_text() for text in path.parent.glob("*/*.yaml"))
    or any("kind: Secret" in text.read_text() for text in path.parent.glob("*.yaml"))
)  # fmt: skip

SECRETS = """\
apiVersion: v1
kind: Secret
metadata: {name: vault, namespace: team}
stringData: # the old one was @@
  pw: @@
  # @@
  yaml: |
    pw: @@
    list: [@@]
---
apiVersion: v1
kind: Secret
metadata: {name: more, namespace: team}
stringData: {a: "@@", b: '@@'}
---
apiVersion: v1
kind: Secret
metadata: {name: written, namespace: team}
type: Opaque
stringData:
  own: @@
"""

MANIFEST = """\
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata:
  name: foo
spec:
  manifest:
    name: foo
    scope: Namespaced
    defaultNamespace: team
    helm:
      repositoryUrl: https://charts.example.com
      chartName: foo
      chartVersion: v1.0.0
      values:
        host: h
        pw: none
        list: [a]
    valueDefinitions:
      pw:
        type: text
        targets:
        - {chartName: foo, patch: {op: add, path: /pw}}
        - {chartName: foo, patch: {op: add, path: /list/-}}
        - {chartName: foo, patch: {op: add, path: /auth}, valueTemplate: '{"user": "u", "pw": {{ printf "%q" . }}}'}
        - {resource: {apiGroup: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: app, namespace: team}, patch: {op: add, path: /spec/values/pw}}
        - {resource: {apiGroup: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: app, namespace: team}, patch: {op: replace, path: /spec/values/flow/pw}}
        - {resource: {apiGroup: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: app, namespace: team}, patch: {op: add, path: /spec/values/list/-}}
        - {resource: {apiGroup: v1, kind: ConfigMap, name: layer, namespace: team}, patch: {op: add, path: /data/values}, valueTemplate: '"pw: {{ . }}\\n"'}
        - {resource: {apiGroup: v1, kind: ConfigMap, name: settings, namespace: team}, patch: {op: add, path: /data/pw}}
        - {resource: {apiGroup: v1, kind: Secret, name: written, namespace: team}, patch: {op: add, path: /stringData/pw}}
        - {resource: {apiGroup: v1, kind: Secret, name: written, namespace: team}, patch: {op: replace, path: /stringData/own}, valueTemplate: '"plain"'}
        - {resource: {apiGroup: apps/v1, kind: Deployment, name: d, namespace: team}, patch: {op: add, path: /spec/template/spec/containers/0/env/-}, valueTemplate: '{"name": "PW", "value": {{ printf "%q" . }}}'}
        - {resource: {apiGroup: carto.run/v1alpha1, kind: Workload, name: w, namespace: team}, patch: {op: add, path: /spec/params/0/value}}
        - {resource: {apiGroup: carto.run/v1alpha1, kind: Workload, name: w, namespace: team}, patch: {op: add, path: /spec/env/0/value}}
        - {resource: {apiGroup: tekton.dev/v1, kind: PipelineRun, name: p, namespace: team}, patch: {op: add, path: /spec/params/0/value}}
      whole:
        type: text
        targets:
        - {resource: {apiGroup: v1, kind: ConfigMap, name: settings, namespace: team}, patch: {op: add, path: /data/whole.yaml}}
        - {resource: {apiGroup: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: app, namespace: team}, patch: {op: add, path: /spec/values/text}}
"""

PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: foo, namespace: team}
spec:
  packageInfo: {name: foo, version: v1.0.0}
  values:
    pw: {valueFrom: {secretRef: {name: vault, key: pw}}}
    whole: {valueFrom: {secretRef: {name: vault, key: yaml}}}
"""

RESOURCES = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: team}
spec:
  interval: 10m
  chartRef: {kind: OCIRepository, name: app}
  valuesFrom:
  - {kind: ConfigMap, name: settings, valuesKey: base.yaml}
  values:
    host: h
    flow: {host: h, pw: mine, port: 1}
    list: [a, b]
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: direct, namespace: team}
spec:
  interval: 10m
  chartRef: {kind: OCIRepository, name: app}
  valuesFrom:
  - {kind: Secret, name: vault, valuesKey: yaml}
  - {kind: Secret, name: more, valuesKey: a, targetPath: deep.pw}
  values: {pw: mine}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: team}
data:
  base.yaml: |
    colour: red
    replicas: 2
---
apiVersion: v1
kind: ConfigMap
metadata: {name: layer, namespace: team}
data:
  values: |
    pw: mine
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: team}
spec:
  template:
    spec:
      containers:
      - name: c
        env:
        - {name: A, value: "1"}
"""

APPS = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: shop, namespace: team}
spec:
  name: shop
  namespace: shop
  version: 1.0.0
  catalog: c
  kubeConfig: {inCluster: true}
  config:
    configMap: {name: layer, namespace: team}
  userConfig:
    secret: {name: user, namespace: team}
---
apiVersion: application.giantswarm.io/v1alpha1
kind: Catalog
metadata: {name: c, namespace: default}
spec: {title: c, description: c, logoURL: "", storage: {type: helm, URL: https://charts.example.com}}
---
apiVersion: v1
kind: Secret
metadata: {name: user, namespace: team}
stringData:
  values: |
    auth: {pw: @@}
"""

SUPPLY = """\
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: w, namespace: team, labels: {app: web}}
spec:
  params:
  - {name: pw, value: mine}
  env:
  - {name: PW, value: mine}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: chain}
spec:
  selector: {app: web}
  resources:
  - name: settings
    templateRef: {kind: ClusterTemplate, name: settings}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: settings}
spec:
  params:
  - {name: pw, default: none}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: $(workload.metadata.name)$-settings}
    data:
      pw: $(params.pw)$
      env: $(workload.spec.env[0].value)$
      other: o
---
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata: {name: p, namespace: team}
spec:
  params:
  - {name: pw, value: mine}
  pipelineSpec:
    tasks:
    - name: t
      taskSpec:
        params:
        - {name: pw, type: string}
        steps:
        - {name: s, image: i, script: "echo $(params.pw)"}
"""

KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: chain, annotations: {config.kubernetes.io/local-config: "true"}}
pipeline:
  mutators:
  - {exec: krm-glasskube-values}
  - {exec: krm-flux-values, configPath: flux.yaml}
  - {exec: krm-giantswarm-config, configPath: giantswarm.yaml}
  - {exec: krm-cartographer-params, configPath: cartographer.yaml}
  - {exec: krm-tekton-params}
"""

CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: {}\nmetadata: {{name: c, annotations: {{config.kubernetes.io/local-config: 'true'}}}}\nspec: {}\n"


def chain(output: str = "object") -> dict[str, str]:
    """The package that all functions work on, with @@ for the marker."""
    return {
        "Kptfile": KPTFILE,
        "secrets.yaml": SECRETS,
        "manifest.yaml": MANIFEST,
        "package.yaml": PACKAGE,
        "resources.yaml": RESOURCES,
        "apps.yaml": APPS,
        "supply.yaml": SUPPLY,
        "flux.yaml": CONFIG.format("FluxValues", f"{{output: {output}}}"),
        "giantswarm.yaml": CONFIG.format("GiantswarmConfig", "{outputs: [configMap, secret, combined]}"),
        "cartographer.yaml": CONFIG.format("CartographerParams", "{emit: [params, objects]}"),
    }


def write(directory: Path, files: dict[str, str], marker: Marker) -> Path:
    """The package on disk."""
    return write_files(directory, {name: text.replace("@@", marker.text) for name, text in files.items()})


def write_files(directory: Path, files: dict[str, str]) -> Path:
    """A directory with these files."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (directory / name).write_text(text)
    return directory


def example(story: Path, directory: Path, marker: Marker) -> Path:
    """A copy of an example, its Secrets planted."""
    shutil.copytree(story, directory, ignore=shutil.ignore_patterns(".expected"))
    replant(directory, marker)
    return directory


def replant(directory: Path, marker: Marker) -> None:
    """Every Secret of a package with another marker."""
    rewrite(directory, lambda found: planted(found, marker))


def take_away(directory: Path) -> None:
    """Every Secret that no function wrote gone."""
    rewrite(directory, lambda found: None)


def rewrite(directory: Path, change: Any) -> None:
    """Change every Secret of a package that no function wrote; None takes it away."""
    for path in sorted(directory.rglob("*.yaml")):
        parts = path.read_text().split("\n---\n")
        kept = [_changed(part, change) for part in parts]
        if kept != parts:
            path.write_text("\n---\n".join(part for part in kept if part is not None))


def _changed(text: str, change: Any) -> str | None:
    found = yaml.safe_load(text) if "\nkind: Secret\n" in f"\n{text}" else None
    if not isinstance(found, dict) or "krm-values.dev/generated-by" in _annotations(found):
        return text
    changed = change(found)
    return (
        None
        if changed is None
        else yaml.safe_dump(changed, sort_keys=False, allow_unicode=True, width=10_000).rstrip("\n") + "\n"
    )


def _annotations(item: dict[str, Any]) -> Any:
    metadata = item.get("metadata")
    return (metadata.get("annotations") if isinstance(metadata, dict) else None) or {}
