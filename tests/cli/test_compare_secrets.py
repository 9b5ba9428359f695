"""An object that is a Secret in one state and a ConfigMap in the other: its texts are compared as values, and what came out of a Secret is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: ns}
spec:
  valuesFrom:
  - {kind: ConfigMap, name: base}
  - {kind: Secret, name: more}
"""
BASE = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: ns}\ndata:\n  values.yaml: |\n    a: 1\n    host: h\n"
)
MORE = "apiVersion: v1\nkind: Secret\nmetadata: {name: more, namespace: ns}\nstringData:\n  values.yaml: |\n    host: HOST\n    pw: s3cretpw\n"
ENTRY = "  - {kind: Secret, name: more}\n"


def state(release=RELEASE, more=MORE, host="s3crethost"):
    files = {"Kptfile": kptfile("exec: krm-flux-values"), "rel.yaml": release, "base.yaml": BASE}
    return {**files, "more.yaml": more.replace("HOST", host)}


def compared(tmp_path, one, other, *words):
    for name, files in (("A", one), ("B", other)):
        write(tmp_path / name, files)
    done = command("compare", "A", "B", *words, cwd=tmp_path)
    assert done.returncode == 1
    return done.stdout


@pytest.mark.parametrize("host", ["s3crethost", "h"])
def test_without_the_layer_of_the_secret_its_values_go(tmp_path, host):
    """Whether a value of it is equal to that of the ConfigMap is not told."""
    one, other = state(host=host), state(RELEASE.replace(ENTRY, ""), host=host)
    assert compared(tmp_path, one, other) == (
        "ConfigMap ns/web-flux-values\n"
        "  host <hidden> -> h  because rel.yaml:7 (A) removed\n"
        "  pw removed: <hidden>  because rel.yaml:7 (A) removed\n"
        "  kind Secret -> ConfigMap  because rel.yaml:7 (A) removed\n"
        "  type removed: Opaque  because rel.yaml:7 (A) removed\n"
    )
    assert compared(tmp_path, other, one) == (
        "Secret ns/web-flux-values\n"
        "  host h -> <hidden>  because rel.yaml:7 added\n"
        "  pw added: <hidden>  because rel.yaml:7 added\n"
        "  kind ConfigMap -> Secret  because rel.yaml:7 added\n"
        "  type added: Opaque  because rel.yaml:7 added\n"
    )
    for words in ("--json", "--markdown"):
        assert "s3cret" not in compared(tmp_path, one, other, words)


def test_impact_of_the_entry_says_the_same(tmp_path):
    package = write(tmp_path, state())
    done = command("impact", package / "rel.yaml:7")
    assert done.stdout.startswith("ConfigMap ns/web-flux-values\n  host <hidden> -> h  next winner valuesFrom[0] base.yaml:7\n")
    assert "s3cret" not in done.stdout


def test_a_layer_that_is_no_secret_any_more(tmp_path):
    plain = MORE.replace("kind: Secret", "kind: ConfigMap").replace("stringData", "data")
    other = state(RELEASE.replace("kind: Secret", "kind: ConfigMap"), plain, host="other")
    said = " ".join(compared(tmp_path, state(), other).split())
    assert said.startswith("Secret ns/more removed because more.yaml:1 (A) removed")
    assert "host <hidden> -> other because more.yaml:1 added and rel.yaml:7 changed together" in said
    assert "kind Secret -> ConfigMap because more.yaml:1 added and rel.yaml:7 changed together type" in said


def test_the_causes_do_not_tell_that_a_value_of_a_secret_is_equal_to_another_one(tmp_path):
    """Without the release's own value that of the Secret counts: which edits are the causes is the same whatever it is."""
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: team}\nspec:\n"
        "  valuesFrom: [{kind: ConfigMap, name: base}, {kind: Secret, name: over}]\n"
    )
    layer = "apiVersion: v1\nkind: {}\nmetadata: {{name: {}, namespace: team}}\n{}:\n  values.yaml: |\n    {}\n"
    steps = kptfile("exec: krm-flux-values, configPath: config.yaml")
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: config}\n"
    told = set()
    for number in (0, 5):
        sides: list[Path] = []
        for own, over in (("  values: {b: 1}\n", f"b: {number}"), ("", "other: 1")):
            files = {"Kptfile": steps, "config.yaml": config, "base.yaml": layer.format("ConfigMap", "base", "data", "b: 0")}
            files |= {"release.yaml": release + own, "over.yaml": layer.format("Secret", "over", "stringData", over)}
            sides.append(write(tmp_path / f"{number}-{len(sides)}", files))
        told.add(command("compare", *sides, cwd=tmp_path).stdout.replace(f"{number}-", ""))
    (text,) = told
    assert " together" in text
