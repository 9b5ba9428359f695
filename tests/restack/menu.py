"""What packages of these tests hold, and the places in it that steps write: scalars, maps and lists, what is in them, and places in texts."""

from __future__ import annotations

import random
from typing import Any

TARGET = """\
apiVersion: example.org/v1
kind: Target
metadata:
  name: {name}
  namespace: demo
spec:
  x: 0 # by the author
  s: own
  img: nginx:1.0
  m:
    p: 0
    q: {{a: 1}}
  l:
  - a # the first
  - b
  e:
  - name: a
    v: 1
  - name: b # the second
    v: 2
  dnsNames: [unset.test]
"""
CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
  namespace: demo
data:
  k: own
  app.yaml: |
    # read at the start
    cpu: 1
    hosts: [a.test]
    cache: {{size: 10}}
  app.json: '{{"cpu": 1, "hosts": ["a.test"], "cache": {{"size": 10}}}}'
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: {name}
  namespace: demo
spec:
  interval: 10m
  chartRef:
    kind: OCIRepository
    name: shop
  valuesFrom:
  - kind: ConfigMap
    name: {name}-base
  - kind: ConfigMap
    name: {name}-site
    optional: true
  values:
    x: 0 # by the author
    m: {{p: 0}}
    l: [a, b]
"""
RUN = """\
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata:
  name: {name}
  namespace: demo
spec:
  params:
  - name: url # of the clone
    value: https://example.com/a.git
  - name: depth
    value: "1"
  pipelineSpec:
    tasks:
    - name: fetch
      params:
      - name: depth
        value: "2"
      taskSpec:
        steps:
        - name: clone
          image: git
          script: git clone --depth $(params.depth) $(params.url)
    - name: build
      taskSpec:
        steps:
        - name: make
          image: make
          script: make $(params.url)
"""
APP = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata:
  name: {name}
  namespace: demo
spec:
  catalog: harbour
  name: shop
  namespace: shop
  version: 1.0.0
  kubeConfig:
    inCluster: true
  config:
    configMap:
      name: layer1-{name}
      namespace: demo
  extraConfigs:
  - name: layer2-{name} # of the stage
    namespace: demo
  - name: layer3-{name}
    namespace: demo
    priority: 60
"""
LAYER = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
  namespace: demo
data:
  values: |
    # read by the operator
    cpu: 1
    m: {{p: 0}}
    l: [a, b]
"""
WORKLOAD = """\
apiVersion: carto.run/v1alpha1
kind: Workload
metadata:
  name: {name}
  namespace: demo
  labels:
    chain: {name}
spec:
  params:
  - name: color # of the author
    value: green
  - name: size
    value: 1
"""
CHAIN = """\
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata:
  name: chain-{name}
spec:
  selector:
    chain: {name}
  params:
  - name: color
    default: blue
  resources:
  - name: stamp
    templateRef:
      kind: ClusterTemplate
      name: template-{name}
    params:
    - name: size
      default: 3
"""
TEMPLATE = """\
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata:
  name: template-{name}
spec:
  params:
  - name: color
    default: white
  - name: size
    default: 0
  template:
    apiVersion: example.org/v1
    kind: Stamp
    metadata:
      name: stamp-{name}
    spec:
      color: $(params.color)$
      size: $(params.size)$
      l: [a, $(params.color)$]
      m:
        p: 0
"""
BESIDE = {"Workload": {"chain": CHAIN, "template": TEMPLATE}}
"""What a resource of a kind needs beside it, by the end of the file's name."""
TEXTS = {
    "Target": TARGET,
    "ConfigMap": CONFIG_MAP,
    "HelmRelease": RELEASE,
    "PipelineRun": RUN,
    "App": APP,
    "Layer": LAYER,
    "Workload": WORKLOAD,
}
LAYERS = ("layer1", "layer2", "layer3")
"""The ConfigMaps that an App reads, by the beginning of their names. They are of the kind Layer here."""

NUMBER, STRING, LIST, MAP, ELEMENTS, TAG, REPOSITORY = "number", "string", "list", "map", "elements", "tag", "repository"
PRIORITY, REFERENCE, REFERENCES = "priority", "reference", "references"

FIELDS: dict[str, list[tuple[str, str]]] = {
    "Target": [
        ("spec.x", NUMBER),
        ("spec.s", STRING),
        ("spec.img", STRING),
        ("spec.img", TAG),
        ("spec.img", REPOSITORY),
        ("spec.m", MAP),
        ("spec.m.p", NUMBER),
        ("spec.m.q", MAP),
        ("spec.m.q.a", NUMBER),
        ("spec.m.r", NUMBER),
        ("spec.n", MAP),
        ("spec.n.a", NUMBER),
        ("spec.n.b.c", STRING),
        ("spec.l", LIST),
        ("spec.l[0]", STRING),
        ("spec.l[1]", STRING),
        ("spec.e", ELEMENTS),
        ("spec.e[name=a].v", NUMBER),
        ("spec.e[name=c].v", NUMBER),
        ("spec.e[name=g].v", NUMBER),
        ("spec.e[1].v", NUMBER),
        ("spec.e[*].w", NUMBER),
        ("spec.dnsNames", LIST),
        ("spec.dnsNames[0]", STRING),
        ("spec.dnsNames[1]", STRING),
        ("metadata.labels.tier", STRING),
    ],
    "ConfigMap": [
        ("data.k", STRING),
        ("data.new", STRING),
        *(
            (f'data["{key}"].{path}', kind)
            for key in ("app.yaml", "app.json")
            for path, kind in (
                ("cpu", NUMBER),
                ("hosts", LIST),
                ("hosts[0]", STRING),
                ("cache", MAP),
                ("cache.size", NUMBER),
                ("cache.more", NUMBER),
                ("extra.deep", NUMBER),
            )
        ),
    ],
    "HelmRelease": [
        ("spec.values", MAP),
        ("spec.values.x", NUMBER),
        ("spec.values.y", NUMBER),
        ("spec.values.m", MAP),
        ("spec.values.m.p", NUMBER),
        ("spec.values.m.s", NUMBER),
        ("spec.values.l", LIST),
        ("spec.values.l[0]", STRING),
        ("spec.values.b", NUMBER),
    ],
    "PipelineRun": [
        ("spec.params[name=url].value", STRING),
        ("spec.params[name=depth].value", STRING),
        ("spec.params[name=more].value", STRING),
        ("spec.pipelineSpec.tasks[name=fetch].params[name=depth].value", STRING),
        ("spec.pipelineSpec.tasks[name=fetch].params[name=url].value", STRING),
        ("spec.pipelineSpec.tasks[name=build].params[name=url].value", STRING),
    ],
    "App": [
        ("spec.version", STRING),
        ("spec.config.configMap.name", REFERENCE),
        ("spec.userConfig.configMap.name", REFERENCE),
        ("spec.extraConfigs", REFERENCES),
        ("spec.extraConfigs[0].priority", PRIORITY),
        ("spec.extraConfigs[1].priority", PRIORITY),
        ("spec.extraConfigs[1].name", REFERENCE),
        ("metadata.labels.tier", STRING),
    ],
    "Layer": [
        ("data.values.cpu", NUMBER),
        ("data.values.m", MAP),
        ("data.values.m.p", NUMBER),
        ("data.values.m.q", MAP),
        ("data.values.l", LIST),
        ("data.values.l[0]", STRING),
        ("data.values.new", NUMBER),
    ],
    "Workload": [
        ("spec.params[name=color].value", STRING),
        ("spec.params[name=size].value", NUMBER),
        ("spec.params[name=more].value", STRING),
        ("metadata.labels.tier", STRING),
    ],
    "Stamp": [
        ("spec.color", STRING),
        ("spec.size", NUMBER),
        ("spec.l", LIST),
        ("spec.l[0]", STRING),
        ("spec.l[1]", STRING),
        ("spec.m", MAP),
        ("spec.m.p", NUMBER),
        ("spec.n.a", NUMBER),
        ("metadata.labels.tier", STRING),
    ],
}
"""The fields that layered-values writes, by the kind of the resource: a path and what is there."""

ADD, REPLACE = "add", "replace"
PATCHES: dict[str, list[tuple[str, str, str]]] = {
    "Target": [
        (ADD, "/spec/dnsNames/-", ""),
        (ADD, "/spec/dnsNames/0", ""),
        (ADD, "/spec/l/-", ""),
        (REPLACE, "/spec/l/0", ""),
        (REPLACE, "/spec/dnsNames/0", ""),
        (ADD, "/spec/e/-", '{"name": "g", "v": {{ printf "%q" . }}}'),
        (ADD, "/spec/e/0", '{"name": "first", "v": {{ printf "%q" . }}}'),
        (REPLACE, "/spec/e/0/v", ""),
        (REPLACE, "/spec/x", ""),
        (ADD, "/spec/s", ""),
        (ADD, "/spec/m/g", ""),
        (ADD, "/spec/m/p", ""),
        (ADD, "/spec/m/q/a", ""),
        (ADD, "/spec/n", '{"a": {{ printf "%q" . }}}'),
        (ADD, "/metadata/labels", '{"tier": {{ printf "%q" . }}}'),
    ],
    "ConfigMap": [(ADD, "/data/k", ""), (ADD, "/data/new", ""), (ADD, "/data/glass", "")],
    "HelmRelease": [(ADD, "/spec/values/x", ""), (ADD, "/spec/values/l/-", ""), (ADD, "/spec/values/m/g", "")],
    "PipelineRun": [
        (REPLACE, "/spec/params/0/value", ""),
        (ADD, "/spec/params/-", '{"name": "glass", "value": {{ printf "%q" . }}}'),
    ],
    "App": [
        (REPLACE, "/spec/version", ""),
        (REPLACE, "/spec/extraConfigs/1/name", '"layer1-NAME"'),
        (ADD, "/spec/extraConfigs/-", '{"name": "layer1-NAME", "namespace": "demo", "priority": 120}'),
        (ADD, "/spec/userConfig", '{"configMap": {"name": "layer2-NAME", "namespace": "demo"}}'),
    ],
    "Layer": [(ADD, "/data/values", '"cpu: 5"')],
    "Workload": [
        (REPLACE, "/spec/params/0/value", ""),
        (ADD, "/spec/params/-", '{"name": "glass", "value": {{ printf "%q" . }}}'),
        (ADD, "/metadata/labels/tier", ""),
    ],
    "Stamp": [(ADD, "/spec/color", ""), (ADD, "/spec/l/-", ""), (REPLACE, "/spec/l/0", ""), (ADD, "/spec/m/g", "")],
}
"""The patches of glasskube-values, by the kind of the resource: operation, place and template, in which `NAME` stands for the resource's."""

API = {
    "Target": "example.org/v1",
    "ConfigMap": "v1",
    "HelmRelease": "helm.toolkit.fluxcd.io/v2",
    "PipelineRun": "tekton.dev/v1",
    "App": "application.giantswarm.io/v1alpha1",
    "Layer": "v1",
    "Workload": "carto.run/v1alpha1",
    "Stamp": "example.org/v1",
}


def value(kind: str, chance: random.Random, name: str = "") -> Any:
    """A random value for a field of the resource of this name. Few ones, so that steps often write what is there already."""
    number = chance.choice([0, 1, 2, 3, 5, 7])
    if kind == NUMBER:
        return number
    if kind == LIST:
        return [chance.choice(["a", "b", "web.test", "unset.test", "extra.test"]) for _ in range(chance.randint(0, 3))]
    if kind == MAP:
        keys = chance.sample(["p", "q", "r", "a", "x", "size"], chance.randint(0, 3))
        return {key: {"a": chance.randint(0, 3)} if key == "q" else chance.randint(0, 3) for key in keys}
    if kind == ELEMENTS:
        return [{"name": name, "v": chance.randint(0, 3)} for name in chance.sample(["a", "b", "c", "g"], chance.randint(0, 3))]
    if kind == PRIORITY:
        return chance.choice([10, 25, 60, 75, 120])
    if kind == REFERENCE:
        return f"{chance.choice(LAYERS)}-{name}"
    if kind == REFERENCES:
        layers = chance.sample(LAYERS, chance.randint(0, 3))
        return [{"name": f"{layer}-{name}", "namespace": "demo", "priority": value(PRIORITY, chance)} for layer in layers]
    if kind == TAG:
        return chance.choice(["1.0", "1.1", "latest"])
    if kind == REPOSITORY:
        return chance.choice(["nginx", "shop"])
    return chance.choice(["a", "b", "own", "web.test", "extra.test"])


def conflict(one: str, other: str) -> bool:
    """Whether one config must not write both: the places are equal, one is in the other, or they may be elements of one list."""
    whole = min(one, other, key=len), max(one, other, key=len)
    if whole[1].startswith(whole[0]) and whole[1][len(whole[0]) :][:1] in ("", ".", "["):
        return True
    lists = [path.partition("[")[0] if "[name=" not in path else path for path in (one, other) if "spec.e" in path]
    return len(lists) == 2 and not ("[name=" in one and "[name=" in other)
