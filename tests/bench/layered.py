"""Layers of 200 keys: five for each App of Giant Swarm and each HelmRelease of Flux, and many for Deployments."""

from __future__ import annotations

import random
from typing import TextIO

_GROUPS, _KEYS = 20, 10
_LAYERS = ("config", "userConfig", "early", "middle", "late")
_PRIORITIES = {"early": 10, "middle": 60, "late": 120}
_HEAD = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: {kind}
  metadata: {{name: bench}}
"""
_APPS = """\
  spec: {outputs: [configMap]}
items:
- apiVersion: application.giantswarm.io/v1alpha1
  kind: Catalog
  metadata: {name: shelf, namespace: default}
  spec: {title: Shelf}
"""
_DEPLOYMENTS = """\
  spec:
    layers:
"""
_TARGET = """\
    targets:
    - kind: Deployment
      fields:
        spec.replicas: group1{dot}key2
        'spec.template.spec.containers[name=app].image': group0{dot}key4
        'spec.template.spec.containers[name=app].env[name=MODE].value': group3{dot}key0
items:
"""
TEXT, FIELD, KEYS = "text", "field", "keys"
"""How a layer is written: as the text of a ConfigMap's key, as a field of a resource, as a ConfigMap of which each key is a value."""
_ENTRIES = {
    TEXT: "    - configMap: layer-{number}\n",
    FIELD: "    - {{from: {{kind: Settings, name: layer-{number}}}, path: spec}}\n",
    KEYS: "    - {{configMap: layer-{number}, key: '*'}}\n",
}
_HEADS = {
    TEXT: "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: layer-{number}, namespace: team}}\n  data:\n    values.yaml: |\n",
    FIELD: "- apiVersion: example.com/v1\n  kind: Settings\n  metadata: {{name: layer-{number}, namespace: team}}\n  spec:\n",
    KEYS: "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: layer-{number}, namespace: team}}\n  data:\n",
}
_DEPLOYMENT = """\
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web{number}
    namespace: team
    labels:
      app: web{number}
  spec:
    replicas: 1
    selector:
      matchLabels:
        app: web{number}
    template:
      metadata:
        labels:
          app: web{number}
      spec:
        containers:
        - name: app
          image: app:1.0.0
          ports:
          - containerPort: 8080
          env:
          - name: MODE
            value: unset
          resources:
            requests:
              cpu: 100m
              memory: 64Mi
"""
_VALUES = (
    ("text value", "other"),
    ("true", "false"),
    ("80", "8080"),
    ("1.5", "2"),
    ("registry.example.test/image:tag",),
    ("[a, b]", "[c]"),
)


def write_apps(out: TextIO, count: int) -> None:
    """Write a list of Apps."""
    dice = random.Random(1)
    out.write(_HEAD.format(kind="GiantswarmConfig") + _APPS)
    for number in range(count):
        out.write(_app(number))
        for layer in _LAYERS:
            out.write(f"- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: {layer.lower()}-{number}, namespace: team}}\n")
            out.write("  data:\n    values: |\n")
            out.writelines(_lines(dice))


def write_releases(out: TextIO, count: int) -> None:
    """Write a list of HelmReleases."""
    dice = random.Random(1)
    out.write(_HEAD.format(kind="FluxValues") + "items:\n")
    for number in range(count):
        entries = "".join(f"    - {{kind: ConfigMap, name: {layer.lower()}-{number}}}\n" for layer in _LAYERS)
        out.write(
            f"- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  metadata: {{name: release{number}, namespace: team}}\n"
        )
        out.write(f"  spec:\n    interval: 10m\n    chartRef: {{kind: OCIRepository, name: chart}}\n    valuesFrom:\n{entries}")
        out.write("    values:\n      group0:\n        key0: inline\n")
        for layer in _LAYERS:
            out.write(f"- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: {layer.lower()}-{number}, namespace: team}}\n")
            out.write("  data:\n    values.yaml: |\n")
            out.writelines(_lines(dice))


def write_deployments(out: TextIO, count: int, form: str = TEXT) -> None:
    """Write a list of as many Deployments as layers, which are merged into one chain. form: of the layers."""
    dice = random.Random(1)
    out.write(_HEAD.format(kind="LayeredValues") + _DEPLOYMENTS)
    out.writelines(_ENTRIES[form].format(number=number) for number in range(count))
    out.write(_TARGET.format(dot="-" if form == KEYS else "."))
    for number in range(count):
        out.write(_HEADS[form].format(number=number))
        out.writelines(_strings(dice) if form == KEYS else _lines(dice))
        out.write(_DEPLOYMENT.format(number=number))


def _strings(dice: random.Random) -> list[str]:
    """Return the keys of one layer that has no maps, whose values are all in quotes."""
    places = [(group, key) for group in range(_GROUPS) for key in range(_KEYS)]
    return [f'    group{group}-key{key}: "{dice.choice(_VALUES[key % len(_VALUES)])}"\n' for group, key in places]


def _lines(dice: random.Random) -> list[str]:
    """Return the text of one layer."""
    found = []
    for group in range(_GROUPS):
        found.append(f"      group{group}:\n")
        found += [f"        key{key}: {dice.choice(_VALUES[key % len(_VALUES)])}\n" for key in range(_KEYS)]
    return found


def _app(number: int) -> str:
    extras = "".join(
        f"    - {{name: {layer}-{number}, namespace: team, priority: {priority}}}\n" for layer, priority in _PRIORITIES.items()
    )
    return (
        f"- apiVersion: application.giantswarm.io/v1alpha1\n  kind: App\n  metadata: {{name: app{number}, namespace: team}}\n"
        "  spec:\n    catalog: shelf\n    name: app\n    namespace: apps\n    version: 1.0.0\n    kubeConfig: {inCluster: true}\n"
        f"    config: {{configMap: {{name: config-{number}, namespace: team}}}}\n"
        f"    userConfig: {{configMap: {{name: userconfig-{number}, namespace: team}}}}\n    extraConfigs:\n{extras}"
    )
