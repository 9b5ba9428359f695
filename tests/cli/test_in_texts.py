"""Values in texts: in one of several documents of a text, in a text within a text, and with keys that Go reads as others."""

from __future__ import annotations

import json

import pytest
from tests.cli.packages import command, kptfile, write

CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{configMap: over}]
  targets: [TARGET]
"""
OVER = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: over}
data:
  values.yaml: |
    a: 5
    c: 1
    ---
    a: 6
    b: 7
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web}
spec: {valuesFrom: [{kind: ConfigMap, name: over}]}
"""
LAYERED = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "over.yaml": OVER}
OUT = CONFIG.replace("TARGET", "{configMap: out}")


@pytest.fixture
def layered(tmp_path):
    return write(tmp_path / "layered", {**LAYERED, "lv.yaml": OUT})


@pytest.fixture
def flux(tmp_path):
    return write(tmp_path / "flux", {"Kptfile": kptfile("exec: krm-flux-values"), "over.yaml": OVER, "rel.yaml": RELEASE})


def said(package, *words, code=0):
    done = command(*words, cwd=package)
    assert done.returncode == code, done.stderr
    return " ".join(done.stdout.split())


def cells(package, inner):
    values = json.loads(command("explain", ".", "--json", cwd=package).stdout)["values"]
    (found,) = (one for one in values if one.get("inner") == inner)
    return [(one["file"], one["line"], one["value"], one.get("doc", 0)) for one in (found["winner"], *found["overridden"])]


def test_what_an_earlier_document_of_a_text_says_loses(layered):
    assert cells(layered, "a") == [("over.yaml", 9, 6, 1), ("over.yaml", 6, 5, 0)]
    assert cells(layered, "c") == [("over.yaml", 7, 1, 0)]


ORDER = "the schema's defaults are lowest, then come layers by rising priority, by their order in the list and in a text"


def test_why_tells_the_documents_of_a_text_apart(layered, flux):
    assert f"a = 6: loses to over.yaml:9 rule: over#2 overrides over: {ORDER} because lv.yaml:5" in said(
        layered, "why", "over.yaml:6"
    )
    assert f"a = 6: wins rule: over#2 overrides over: {ORDER} because lv.yaml:5, lv.yaml:6" in said(
        layered, "why", "over.yaml:9"
    )
    assert "a = 5: wins" in said(flux, "why", "over.yaml:6")
    assert said(flux, "why", "over.yaml:9").endswith("only the first YAML document of this text is read")


def test_impact_takes_one_of_the_documents_of_a_text(layered, flux):
    assert said(layered, "impact", "over.yaml:6").startswith("nothing changes: over.yaml:9 wins")
    assert said(layered, "impact", "over.yaml:9", code=1).startswith("ConfigMap out a 6 -> 5 ")
    assert said(layered, "impact", "over.yaml:9=7", code=1).startswith("ConfigMap out a 6 -> 7 ")
    assert said(layered, "impact", "over.yaml:9:a=7", code=1).startswith("ConfigMap out a 6 -> 7 ")
    assert said(layered, "impact", "over.yaml:b", code=1).startswith("ConfigMap out b removed: 7 ")
    done = command("impact", "over.yaml:a", cwd=layered)
    assert done.stderr == "error: over.yaml: `a` is 2 values here, on lines 6 and 9; name one, as over.yaml:6\n"
    assert "only the first YAML document of this text is read" in said(flux, "impact", "over.yaml:9=7")
    assert said(flux, "impact", "over.yaml:6=7", code=1).startswith("ConfigMap web-flux-values a 5 -> 7 ")


GO = OVER.replace("c: 1\n    ---\n    a: 6\n    b: 7\n", "on: 4\n    1.20: x\n")


def test_keys_that_go_reads_as_others_have_their_lines(flux):
    (flux / "over.yaml").write_text(GO)
    assert cells(flux, "true") == [("over.yaml", 7, 4, 0)]
    assert cells(flux, '["1.2"]') == [("over.yaml", 8, "x", 0)]
    assert said(flux, "why", "over.yaml:7").startswith(
        'ConfigMap over `data["values.yaml"] » on` ConfigMap web-flux-values (HelmRelease web) true = 4: wins'
    )
    assert said(flux, "impact", "over.yaml:7=5", code=1).startswith("ConfigMap web-flux-values true 4 -> 5 ")
    assert said(flux, "impact", "over.yaml:true", code=1).startswith("ConfigMap web-flux-values true removed: 4 ")


@pytest.mark.parametrize(("asked", "read"), [("on", "true"), ("1.20", '["1.2"]'), ('["1.20"]', '["1.2"]')])
def test_a_path_with_such_a_key_names_what_go_reads(flux, asked, read):
    (flux / "over.yaml").write_text(GO)
    done = command("explain", ".", asked, cwd=flux)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"error: no value has the path `{asked}`; Go reads it as `{read}`\n" in done.stderr


def test_edits_of_such_keys_are_causes(flux, tmp_path):
    (flux / "over.yaml").write_text(GO)
    edited = GO.replace("on: 4", "on: 5").replace("a: 5", "a: 6").replace("1.20: x", "1.30: x")
    files = {name: (flux / name).read_text() for name in ("Kptfile", "rel.yaml")}
    write(tmp_path / "edited", {**files, "over.yaml": edited})
    done = command("compare", "flux", "edited", cwd=tmp_path)
    assert done.stdout == (
        "ConfigMap web-flux-values\n"
        '  ["1.2"] removed: x  because over.yaml:8 (A) removed\n'
        '  ["1.3"] added: x  because over.yaml:8 added\n'
        "  a 5 -> 6  because over.yaml:6 changed\n"
        "  true 4 -> 5  because over.yaml:7 changed\n"
    )


TARGET = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: t}
data:
  o.yaml: |
    x: 1
    deep: |
      z: 1
      b: zero
    json: '{"k": {"m": 3}}'
"""


def test_values_in_a_text_within_a_text_have_their_lines(tmp_path):
    fields = "{'data[\"o.yaml\"].deep.b': a, 'data[\"o.yaml\"].json.k.m': c, 'data[\"o.yaml\"].x': c}"
    config = CONFIG.replace("TARGET", f"{{kind: ConfigMap, name: t, fields: {fields}}}")
    package = write(tmp_path, {**LAYERED, "over.yaml": OVER.partition("    ---")[0], "lv.yaml": config, "t.yaml": TARGET})
    assert cells(package, "deep.b") == [("over.yaml", 6, "5", 0), ("t.yaml", 9, "zero", 0)]
    assert cells(package, "json.k.m") == [("over.yaml", 7, 1, 0), ("t.yaml", 10, 3, 0)]
    assert cells(package, "x") == [("over.yaml", 7, 1, 0), ("t.yaml", 6, 1, 0)]
    assert "  - resource  t.yaml:9     zero\n" in command("explain", package).stdout
