"""ResourceLists of any size in the layout kpt hands over, about 3 KB an item, five of them PipelineRuns to resolve."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import IO

_HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
_TAIL = """functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: TektonParams
  metadata:
    name: bench
  spec:
    mode: propagate
"""
_RUN = """- apiVersion: tekton.dev/v1
  kind: PipelineRun
  metadata:
    name: run-{number}
    namespace: ci
{annotations}  spec:
    params:
    - name: image # what is built
      value: registry.example.com/team/run-{number}
    - name: platforms
      value: ["linux/amd64", "linux/arm64"]
    - name: idle
      value: unread
    pipelineSpec:
      tasks:
      # first the image
      - name: build
        taskSpec:
          steps:
          - name: push
            image: gcr.io/kaniko-project/executor:v1.23.2
            args: ["--destination=$(params.image)", "$(params.platforms[*])"]
      - name: deploy
        runAfter:
        - build
        taskSpec:
          steps:
          - name: roll-out
            image: bitnami/kubectl:1.32
            script: |
              kubectl set image deployment/web web=$(params.image)
"""
RUN_HEAD = """- apiVersion: tekton.dev/v1
  kind: PipelineRun
  metadata:
    name: run-{number}
    namespace: ci
  spec:
    params:
    - name: image # what is built
      value: registry.example.com/team/run-{number}
    - name: platforms
      value: ["linux/amd64", "linux/arm64"]
    pipelineSpec:
      tasks:
"""
TASK = """      - name: task-{task}
        taskSpec:
          steps:
          # what it does
          - name: step
            image: gcr.io/kaniko-project/executor:v1.23.2
            args: ["--destination=$(params.image)", "$(params.platforms[*])"]
            script: |
              kubectl set image deployment/web web=$(params.image)
"""
_DEPLOYMENT = """- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: app-{number}
    namespace: team-{team}
    labels:
      app.kubernetes.io/name: app-{number}
      app.kubernetes.io/part-of: platform
{annotations}  spec:
    replicas: {replicas} # tuned by hand
    selector:
      matchLabels:
        app.kubernetes.io/name: app-{number}
    template:
      metadata:
        labels:
          app.kubernetes.io/name: app-{number}
      spec:
        # the sidecar comes last
        containers:
{containers}"""
_CONTAINER = """        - name: c{index}
          image: registry.example.com/team/app-{number}:1.{replicas}.{index}
          args:
          - --port=8080
          - --metrics-addr=:9090
          env:
{env}          resources:
            limits:
              cpu: "2"
              memory: 1Gi
          livenessProbe:
            httpGet:
              path: /healthz
              port: http
            initialDelaySeconds: 10
          securityContext:
            readOnlyRootFilesystem: true
            capabilities:
              drop: ["ALL"]
"""
_CONFIG_MAP = """- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: cm-{number}
    namespace: team-{team}
{annotations}  data:
    app.properties: |
{properties}    run.sh: |
      #!/bin/sh
      set -eu

      if [ "$1" = start ]; then
        echo "it's starting"
      fi
      - not: a list
    log.json: |-
      {{
        "sinks": [
          {{"type": "stdout"}}
        ]
      }}
    LEVEL: debug
    PORT: "8080"
"""
_VALUES = ("true", "8080", "http://svc:80/path?x=1", "a b c", "1.5", "on")


def write(file: IO[str], count: int, edited: int = 5) -> None:
    """Write `count` items, with `edited` PipelineRuns spread evenly among them."""
    file.write(_HEAD)
    file.writelines(items(count, edited))
    file.write(_TAIL)


def items(count: int, edited: int) -> Iterator[str]:
    """Yield the same items one by one, in the order of the list."""
    rng = random.Random(count)
    runs = {count * place // edited for place in range(edited)}  # none where none is edited
    for number in range(count):
        if number in runs:
            yield _RUN.format(number=number, annotations=_annotations(number))
        elif number % 3:
            yield _deployment(number, rng)
        else:
            lines = "".join(
                f"      key.{line}.path = {rng.choice(_VALUES)} of /var/lib/service\n" for line in range(rng.randint(30, 60))
            )
            yield _CONFIG_MAP.format(number=number, team=number % 40, annotations=_annotations(number), properties=lines)


def _deployment(number: int, rng: random.Random) -> str:
    replicas = rng.randint(1, 9)
    containers = "".join(_container(number, index, replicas, rng) for index in range(rng.choice((1, 2, 2, 3))))
    annotations = _annotations(number)
    return _DEPLOYMENT.format(
        number=number, team=number % 40, annotations=annotations, replicas=replicas, containers=containers
    )


def _container(number: int, index: int, replicas: int, rng: random.Random) -> str:
    env = "".join(
        f'          - name: VAR_{name}\n            value: "{rng.choice(_VALUES)}"\n' for name in range(rng.randint(6, 16))
    )
    return _CONTAINER.format(number=number, index=index, replicas=replicas, env=env)


def _annotations(number: int) -> str:
    path = f"team-{number % 40}/{number}.yaml"
    return f"""    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: '{path}'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/path: '{path}'
      internal.config.kubernetes.io/seqindent: 'compact'
      internal.config.kubernetes.io/annotations-migration-resource-id: '{number}'
      internal.config.kubernetes.io/id: '{number + 1}'
      config.k8s.io/id: '{number + 1}'
"""


def plain(count: int, edited: int) -> Iterator[str]:
    """Return the same items as files of their own, without a list's indentation and the annotations of hosts."""
    for item in items(count, edited):
        lines = [line[2:] for line in item.splitlines(keepends=True)]
        begins = lines.index("  annotations:\n")
        yield "".join(lines[:begins] + lines[begins + 9 :])
