"""In a pipe, a generated object gets a file in the package of its source, which the Kptfiles in the list tell, as `render` gives it."""

from __future__ import annotations

import re

import pytest

from tests.cli.packages import command, kptfile, write

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
CHAIN = """\
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec: {template: {apiVersion: v1, kind: ConfigMap, metadata: {name: made}, data: {k: v}}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: c}
spec: {selector: {lane: one}, resources: [{name: s, templateRef: {kind: ClusterTemplate, name: t}}]}
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: w, namespace: team, labels: {lane: one}}
spec: {}
"""
RELEASE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data: {values.yaml: 'a: 1'}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec: {valuesFrom: [{kind: ConfigMap, name: base}]}
"""


def as_list(files: dict[str, str]) -> str:
    items = []
    for path, text in files.items():
        for index, document in enumerate(text.split("---\n")):
            place = f"annotations: {{config.kubernetes.io/path: {path}, config.kubernetes.io/index: '{index}'}}"
            first, *rest = document.replace("metadata: {", f"metadata: {{{place}, ").splitlines()
            items += [f"- {first}", *(f"  {line}" for line in rest)]
    return "\n".join(["apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items:", *items, ""])


@pytest.mark.parametrize(("function", "text"), [("cartographer-params", CHAIN), ("flux-values", RELEASE)])
@pytest.mark.parametrize("outer", ["", "Kptfile"])
def test_it_is_that_of_render(function, text, outer, tmp_path):
    package = {"sub/Kptfile": KPTFILE, "sub/in/a.yaml": text, **({outer: KPTFILE} if outer else {})}
    out = command("run", function, stdin=as_list(package)).stdout
    piped = {*re.findall(r"config.kubernetes.io/path: '?([\w./-]+)", out)} - package.keys()
    root = write(tmp_path / "p", {"Kptfile": KPTFILE, **package, "sub/Kptfile": kptfile(f"exec: krm-{function}")})
    command("render", str(root))
    written = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {*package, "Kptfile"}
    assert piped == written
    assert piped
