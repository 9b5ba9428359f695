"""Manifests with comments, blank lines and styles of every kind: a text, edits, and the text a careful person would have written."""

from __future__ import annotations

from typing import Any

MANIFESTS: list[Any] = []


def m(name: str, text: str, edits: list[Any], ideal: str) -> None:
    """Add a manifest; the first line end of the texts is for the eye only."""
    MANIFESTS.append((name, text.removeprefix("\n"), edits, ideal.removeprefix("\n")))


m(
    "01 plain scalar with comment",
    """
# head comment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3   # tuned by hand
""",
    [("set", ["spec", "replicas"], 5)],
    """
# head comment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 5   # tuned by hand
""",
)
m(
    "02 wide sequences, image",
    """
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
        - name: app     # main
          image: nginx:1.25
          ports:
            - containerPort: 80
""",
    [("set", ["spec", "template", "spec", "containers", 0, "image"], "nginx:1.27")],
    """
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
        - name: app     # main
          image: nginx:1.27
          ports:
            - containerPort: 80
""",
)
m(
    "03 compact sequences, append map",
    """
apiVersion: v1
kind: Service
metadata:
  name: svc
spec:
  ports:
  - name: http
    port: 80
  - name: https   # tls
    port: 443
  selector:
    app: web
""",
    [("append", ["spec", "ports"], {"name": "metrics", "port": 9090})],
    """
apiVersion: v1
kind: Service
metadata:
  name: svc
spec:
  ports:
  - name: http
    port: 80
  - name: https   # tls
    port: 443
  - name: metrics
    port: 9090
  selector:
    app: web
""",
)
m(
    "04 blank lines kept",
    """
apiVersion: v1
kind: ConfigMap

metadata:
  name: cm

  labels:
    a: b


data:

  k: v

  z: w
""",
    [("set", ["metadata", "labels", "c"], "d"), ("set", ["data", "k"], "v2")],
    """
apiVersion: v1
kind: ConfigMap

metadata:
  name: cm

  labels:
    a: b
    c: d


data:

  k: v2

  z: w
""",
)
m(
    "05 literal block untouched",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  run.sh: |
    #!/bin/sh
    echo "it's"   # not a comment

      indented
    tail
  other: x
""",
    [("set", ["data", "other"], "why")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  run.sh: |
    #!/bin/sh
    echo "it's"   # not a comment

      indented
    tail
  other: why
""",
)
m(
    "06 folded, strip, keep blocks",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  a: >-
    folded text that
    goes on

    para
  b: |+
    keep


  c: >
    x
      y
    z
  d: 1
""",
    [("set", ["data", "d"], "2")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  a: >-
    folded text that
    goes on

    para
  b: |+
    keep


  c: >
    x
      y
    z
  d: '2'
""",
)
m(
    "07 replace a literal block",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  conf: |
    a=1
    b=2

  next: x
""",
    [("set", ["data", "conf"], "a=9\nb=2\n")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  conf: |
    a=9
    b=2

  next: x
""",
)
m(
    "08 quote styles",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: 'cm'
  labels: {app: "x", 'y': 'z', on: "yes"}
data:
  a: "double"
  b: 'single'
  c: 'it''s'
  d: "tab\\tu\\u263a"
  e: plain
""",
    [("set", ["data", "a"], "new"), ("set", ["data", "b"], "it's"), ("set", ["data", "e"], "yes")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: 'cm'
  labels: {app: "x", 'y': 'z', on: "yes"}
data:
  a: "new"
  b: 'it''s'
  c: 'it''s'
  d: "tab\\tu\\u263a"
  e: 'yes'
""",
)
m(
    "09 flow collections",
    """
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {a: b}}   # flow
spec:
  containers:
  - {name: c, image: x, args: ["-a",   "-b"]}
""",
    [("set", ["metadata", "labels", "c"], "d"), ("append", ["spec", "containers", 0, "args"], "-c")],
    """
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {a: b, c: d}}   # flow
spec:
  containers:
  - {name: c, image: x, args: ["-a",   "-b", -c]}
""",
)
m(
    "10 anchors and aliases",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
  labels: &labels
    app: web
    tier: &t back
spec:
  selector: *labels
  tier: *t
  n: 1
""",
    [("set", ["spec", "n"], 2), ("set", ["metadata", "labels", "app"], "api"), ("set", ["spec", "selector", "app"], "api")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
  labels: &labels
    app: api
    tier: &t back
spec:
  selector: *labels
  tier: *t
  n: 2
""",
)
m(
    "11 merge keys",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
base: &base
  cpu: 1
  mem: 2Gi
a:
  <<: *base
  cpu: 4
b:
  <<: [*base]
  x: y
""",
    [("set", ["base", "mem"], "4Gi"), ("set", ["a", "mem"], "4Gi"), ("set", ["b", "mem"], "4Gi")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
base: &base
  cpu: 1
  mem: 4Gi
a:
  <<: *base
  cpu: 4
b:
  <<: [*base]
  x: y
""",
)
m(
    "12 four-space indent",
    """
apiVersion: apps/v1
kind: Deployment
metadata:
    name: web
    labels:
        app: web
spec:
    replicas: 1
    template:
        spec:
            containers:
                - name: a
                  image: x
""",
    [("set", ["metadata", "labels", "team"], "core"), ("set", ["spec", "strategy"], {"type": "Recreate"})],
    """
apiVersion: apps/v1
kind: Deployment
metadata:
    name: web
    labels:
        app: web
        team: core
spec:
    replicas: 1
    template:
        spec:
            containers:
                - name: a
                  image: x
    strategy:
        type: Recreate
""",
)
m(
    "13 mixed sequence styles, odd dash gap",
    """
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  a:
    - x
    - y
  b:
  - x
  - y
  c:
    -   k: 1
        l: 2
""",
    [("append", ["spec", "a"], "z"), ("append", ["spec", "b"], "z"), ("append", ["spec", "c"], {"k": 3})],
    """
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  a:
    - x
    - y
    - z
  b:
  - x
  - y
  - z
  c:
    -   k: 1
        l: 2
    -   k: 3
""",
)
m(
    "14 comments in every place",
    """
# top

# second
apiVersion: v1 # av
kind: Service # k
# before metadata
metadata: # m
  # before name
  name: svc # n
  # after name
spec: # s
  ports: # p
  # first port
  - port: 80 # p80
    # inside
    name: http
  # second port
  - port: 443
  # after ports
  type: NodePort
# foot
""",
    [("set", ["spec", "ports", 0, "port"], 8080), ("set", ["spec", "type"], "ClusterIP")],
    """
# top

# second
apiVersion: v1 # av
kind: Service # k
# before metadata
metadata: # m
  # before name
  name: svc # n
  # after name
spec: # s
  ports: # p
  # first port
  - port: 8080 # p80
    # inside
    name: http
  # second port
  - port: 443
  # after ports
  type: ClusterIP
# foot
""",
)
m(
    "15 long lines and multi-line plain/quoted",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
  annotations:
    long: this is a very long plain scalar that goes on and on well past eighty columns so that emitters with a line width will fold it somewhere
    multi: plain text
      over two lines
    dq: "double quoted
      over two lines"
    json: '{"a": [1, 2, 3], "b": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}'
    n: x
""",
    [("set", ["metadata", "annotations", "n"], "why")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
  annotations:
    long: this is a very long plain scalar that goes on and on well past eighty columns so that emitters with a line width will fold it somewhere
    multi: plain text
      over two lines
    dq: "double quoted
      over two lines"
    json: '{"a": [1, 2, 3], "b": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}'
    n: why
""",
)
m(
    "16 nulls and empties",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
  annotations: {}
  labels:
  finalizers: []
data: null   # nothing yet
extra: ~
""",
    [
        ("set", ["metadata", "annotations", "a"], "b"),
        ("set", ["metadata", "labels"], {"c": "d"}),
        ("append", ["metadata", "finalizers"], "f/x"),
        ("set", ["data"], {"k": "v"}),
    ],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
  annotations:
    a: b
  labels:
    c: d
  finalizers:
  - f/x
data:   # nothing yet
  k: v
extra: ~
""",
)
m(
    "17 numbers, booleans, YAML 1.1 traps",
    """
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  mode: 0644
  oct: 0o644
  hex: 0xFF
  big: 12345678901234567890
  f: 1.10
  e: 1e3
  u: 1_000
  t: 12:30:45
  d: 2001-01-01
  yes: on
  b: True
  n: ~
  ver: 1.20
  x: 1
""",
    [("set", ["spec", "x"], 2)],
    """
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  mode: 0644
  oct: 0o644
  hex: 0xFF
  big: 12345678901234567890
  f: 1.10
  e: 1e3
  u: 1_000
  t: 12:30:45
  d: 2001-01-01
  yes: on
  b: True
  n: ~
  ver: 1.20
  x: 2
""",
)
m(
    "18 delete keys and entries",
    """
apiVersion: v1
kind: Service
metadata:
  name: svc
  annotations:
    drop: me   # gone
    keep: it   # stays
spec:
  ports:
  - port: 80
    name: a
  # keep this
  - port: 443
    name: b
  type: NodePort
""",
    [
        ("delete", ["metadata", "annotations", "drop"], None),
        ("delete", ["spec", "ports", 0], None),
        ("delete", ["spec", "type"], None),
    ],
    """
apiVersion: v1
kind: Service
metadata:
  name: svc
  annotations:
    keep: it   # stays
spec:
  ports:
  # keep this
  - port: 443
    name: b
""",
)
m(
    "19 unicode, quoted keys, spaces before colon",
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  "quoted key" : v
  'on': "é✓😀"
  ключ: значение   # комментарий
  ? explicit
  : value
  a/b.c: 1
""",
    [("set", ["data", "ключ"], "другое"), ("set", ["data", "on"], "ö")],
    """
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  "quoted key" : v
  'on': "ö"
  ключ: другое   # комментарий
  ? explicit
  : value
  a/b.c: 1
""",
)
m(
    "20 CRD-like: deep, no trailing newline, document start",
    """
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              description: >-
                Spec is the spec; see "docs"
                for more.
              x-kubernetes-validations:
              - rule: "self.a <= self.b"
                message: 'a: must be <= b'
  # kubebuilder footer
  preserveUnknownFields: false""",
    [
        ("set", ["spec", "preserveUnknownFields"], True),
        ("append", ["spec", "versions", 0, "schema", "openAPIV3Schema", "required"], "status"),
    ],
    """
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          required: [spec, status]
          properties:
            spec:
              description: >-
                Spec is the spec; see "docs"
                for more.
              x-kubernetes-validations:
              - rule: "self.a <= self.b"
                message: 'a: must be <= b'
  # kubebuilder footer
  preserveUnknownFields: true""",
)
