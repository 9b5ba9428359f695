"""A scalar that a function copies without computing with it keeps its text: readers make of the copy what they make of the original."""

from __future__ import annotations

import re

import pytest

from tests.cli.packages import command, write

KEPT = (
    *(
        "!!str 1",
        '!!int "0775"',
        '!!bool "yes"',
        "!!bool on",
        "!!float 1",
        "!!binary aGk=",
        '!!null ""',
        "!!timestamp 2001-01-01",
    ),
    *("1:30", "1:30:45", "2001-01-01", "2001-01-01 10:00:00", "=", "<<", "yes", "Off", "0o8", "1,000"),
    *("0775", "0o17", "0b11", "0x1F", "1_000", "1e3", ".5", "+1", "1.0", "1.10", "08"),
)
"""Some reader would take another spelling of these for something else, or they are numbers."""
QUOTED = ('"0775"', "'yes'", '"1:30"', "'2001-01-01'", "'='", "'1e3'", "'null'", "'~'")
"""Strings to every reader: what is copied may have the other quotes."""
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: {}\nmetadata: {{name: c}}\nspec:\n{}"

TEMPLATE = """\
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: crate}
spec:
  params:
  - name: mode
    default: PARAM
  template:
    apiVersion: demo.example/v1
    kind: Widget
    metadata: {name: crate}
    spec:
      copied: LITERAL
      list:
      - LITERAL
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: line}
spec:
  selector: {lane: a}
  resources:
  - name: pack
    templateRef: {kind: ClusterTemplate, name: crate}
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: parcel, namespace: dock, labels: {lane: a}}
spec: {}
"""
RUN = """\
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata: {name: run}
spec:
  pipelineSpec:
    params:
    - name: given
      default: PARAM
    tasks:
    - name: use
      taskSpec:
        steps:
        - {name: s, image: busybox, script: echo $(params.given)}
"""
PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: PackageInfo
metadata: {name: lumen--v1}
spec: {name: lumen, version: v1}
status:
  manifest:
    name: lumen
    scope: Namespaced
    defaultNamespace: aviary
    transformations:
    - source: {resource: {apiGroup: aviary.example/v1, kind: Thing, name: thing}, path: "{ .spec.from }"}
      targets:
      - {resource: {apiGroup: aviary.example/v1, kind: Thing, name: thing}, patch: {op: add, path: /spec/to}}
---
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: lumen, namespace: aviary}
spec:
  packageInfo: {name: lumen, version: v1}
---
apiVersion: aviary.example/v1
kind: Thing
metadata: {name: thing, namespace: aviary}
spec:
  from:
    copied: LITERAL
"""
FULL = """\
apiVersion: krm-values.dev/v1alpha1
kind: SolutionDescriptor
metadata: {name: sd}
spec:
  version: 1
  applications: []
"""
INCOMING = """\
  SD_SOURCE_TYPE: json
  SD_REPO_MERGE_MODE: replace
  SD_DATA:
    version: 2
    applications:
    - version: ledger:2
      deployPostfix: a
      copied: LITERAL
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  interval: 10m
  valuesFrom:
  - {kind: ConfigMap, name: base}
  values:
    copied: LITERAL
---
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data: {values.yaml: "fresh: 1"}
"""
COPIES = {
    "literal of a template": (
        "cartographer-params",
        "",
        "",
        TEMPLATE.replace("PARAM", "x"),
        r"copied: (.*)|list:\n +- (.*)",
        4,
    ),
    "default of a template": ("cartographer-params", "", "", TEMPLATE.replace("LITERAL", "x"), r"name: mode\n +\w+: (.*)", 2),
    "default of a pipeline": ("tekton-params", "TektonParams", "  mode: implicit\n", RUN, r"default: (.*)", 2),
    "map that a path finds": ("glasskube-values", "", "", PACKAGE, r"copied: (.*)", 2),
    "application of an incoming SD": ("envgene-sd", "EnvgeneSd", INCOMING, FULL, r"copied: (.*)", 1),
    "values of a release": ("flux-values", "FluxValues", "  output: inline\n", RELEASE, r"copied: (.*)", 1),
}
"""What is copied: by which function, with which config, out of what; where it stands in the output, and how often, the source included."""


def copies(folder, place, scalar):
    """The texts in the output where the scalar stands or is copied to. Another run must leave them."""
    function, kind, spec, text, pattern, count = COPIES[place]
    given, config = (re.sub("PARAM|LITERAL", lambda _: scalar, part) for part in (text, CONFIG.format(kind, spec)))
    write(folder, {"input.yaml": given, "config.yaml": config})
    call = ("run", function, *(["--config", "config.yaml"] if kind else []), "input.yaml")
    done = command(*call, cwd=folder)
    assert done.returncode == 0, done.stderr
    write(folder, {"input.yaml": done.stdout})
    assert command(*call, cwd=folder).stdout == done.stdout
    found = ["".join(match.groups("")) for match in re.finditer(pattern, done.stdout)]
    assert len(found) == count
    return found


@pytest.mark.parametrize(
    ("place", "scalar"),
    [(place, scalar) for place in COPIES for scalar in KEPT if not (place.startswith("default") and "!!null" in scalar)],
)
def test_a_copy_is_written_as_its_source(tmp_path, place, scalar):
    """A null is no default."""
    assert set(copies(tmp_path, place, scalar)) == {scalar}


@pytest.mark.parametrize("scalar", QUOTED)
@pytest.mark.parametrize("place", COPIES)
def test_a_copy_of_a_quoted_string_is_quoted(tmp_path, place, scalar):
    found = copies(tmp_path, place, scalar)
    assert {text.strip("'\"") for text in found} == {scalar.strip("'\"")}
    assert all(text[0] in "'\"" for text in found)
