"""A key that came from the value of a Secret is in no answer, as its value is in none."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
import yaml
from tests.cli.packages import command, kptfile, write
from tests.cli.test_secret_shapes import FOO, PATCHED

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec:
  chartRef: {kind: OCIRepository, name: chart}
  valuesFrom: [{kind: Secret, name: s, valuesKey: v, targetPath: a.b}]
  values: {replicas: 3}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData:
  v: "MARK0,MARK1x.sub.list={MARK2,MARK3},MARK4[1].in=5"
"""
PACKAGES = {
    "a key of a text": (kptfile("exec: krm-flux-values"), RELEASE, "13:stringData.v"),
    "a key of a map": (
        kptfile("exec: krm-glasskube-values"),
        PATCHED.replace("PATCH", """{op: replace, path: /spec/x}, valueTemplate: '{"{{ . }}": {"{{ . }}": 1}, "q": 2}'"""),
        "22:stringData.v",
    ),
}


def package(folder: Path, name: str, old: str = "", new: str = "") -> Path:
    steps, text, _ = PACKAGES[name]
    assert old in text
    return write(folder, {"Kptfile": steps, "all.yaml": text.replace(old, new), "f.yaml": f"{FOO}spec: {{x: 1}}\n"})


@pytest.mark.parametrize("name", PACKAGES)
@pytest.mark.parametrize("words", [[], ["-o", "json"], ["--markdown"], ["--html"]])
def test_a_key_of_a_secret_is_not_in_a_comparison(name, words, tmp_path):
    one, other = package(tmp_path / "a", name), package(tmp_path / "b", name, "MARK1x", "MARK9y")
    page = tmp_path / "page.html"
    done = command("compare", one, other, *words, *([page] if words == ["--html"] else []))
    assert done.returncode == 1, done.stderr
    told = done.stdout + done.stderr + (page.read_text() if page.exists() else "")
    assert "hidden" in told
    assert "MARK" not in told


@pytest.mark.parametrize(
    ("name", "path"), [("a key of a text", '["<hidden>"]["<hidden>"]["<hidden>"]'), ("a key of a map", "spec.x")]
)
def test_differences_within_one_hidden_value_are_one_with_its_cause(name, path, tmp_path):
    one, other = package(tmp_path / "a", name), package(tmp_path / "b", name, "MARK1x", "MARK9y")
    told = json.loads(command("compare", one, other, "-o", "json").stdout)["differences"]
    (found,) = [difference for difference in told if path in (difference.get("inner"), difference["path"])]
    line, field = PACKAGES[name][2].split(":")
    (cause,) = found["causes"]
    assert (found["change"], found["proof"]) == ("changed", "only")
    assert (cause["class"], cause["line"], cause["path"]) == ("value", int(line), field)
    assert f"{path} <hidden>, changed because all.yaml:{line} changed" in " ".join(
        command("compare", one, other).stdout.split()
    )


@pytest.mark.parametrize("name", PACKAGES)
@pytest.mark.parametrize("edit", ["", "=MARK9y", "=MARK5,MARK6=7"])
def test_a_key_of_a_secret_is_not_in_an_impact(name, edit, tmp_path):
    made = package(tmp_path, name)
    for words in ([], ["-o", "json"]):
        done = command("impact", f"all.yaml:{PACKAGES[name][2]}{edit}", *words, cwd=made)
        assert done.returncode == 1, done.stderr
        told = (done.stdout + done.stderr).replace(edit[1:], "") if edit else done.stdout + done.stderr
        assert "MARK" not in told


def test_values_have_a_hidden_key_once_and_its_name_on_request(tmp_path):
    made = package(tmp_path, "a key of a text")
    for words in ([], ["-o", "json"], ["--comments"]):
        assert "MARK" not in command("values", made, *words).stdout
    hidden = yaml.safe_load(command("values", made).stdout)
    assert hidden == {"a": {"b": "<hidden>"}, "replicas": 3, "<hidden>": "<hidden>"}
    shown = yaml.safe_load(command("values", made, "--show-secrets").stdout)
    assert shown == {
        "a": {"b": "MARK0"},
        "replicas": 3,
        "MARK1x": {"sub": {"list": ["MARK2", "MARK3"]}},
        "MARK4": [None, {"in": 5}],
    }


@pytest.mark.parametrize("present", ["1.0", "2.0"])
def test_the_order_of_values_does_not_tell_what_is_equal_to_a_secret(present, tmp_path):
    files = {
        "Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"),
        "lv.yaml": "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: lv}\nspec:\n  layers: [{secret: s}]\n"
        "  targets: [{kind: Foo, allowSecrets: true, fields: {spec.i: {value: t, part: tag}, spec.k: k}}]\n",
        "s.yaml": 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  v: |\n    t: "1.0"\n    k: new\n',
        "f.yaml": f"{FOO}spec: {{i: 'reg.example/app:{present}', k: old}}\n",
    }
    told = command("values", write(tmp_path, files)).stdout
    assert told == "i: <hidden>\nk: <hidden>\n"


@pytest.mark.parametrize("field", ["stringData", "data"])
@pytest.mark.parametrize(
    ("one", "other"), [("{MARK1,x9}", "{MARK2,x9}"), ("MARK1: 4dor", "MARK2: 4dor"), ("{MARK1: 1}", "plain")]
)
def test_a_password_that_looks_like_a_map_is_compared_as_one_value(one, other, field, tmp_path):
    def made(name: str, text: str) -> Path:
        held = base64.b64encode(text.encode()).decode() if field == "data" else json.dumps(text)
        secret = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\n{field}: {{password: {held}}}\n"
        release = RELEASE.split("---\n", maxsplit=1)[0].replace(
            "valuesKey: v, targetPath: a.b", "valuesKey: password, targetPath: a.b, literal: true"
        )
        (tmp_path / name).mkdir()
        return write(tmp_path / name, {"Kptfile": kptfile("exec: krm-flux-values"), "all.yaml": release, "s.yaml": secret})

    packages = made("one", one), made("other", other)
    for words in ([], ["-o", "json"], ["--markdown"]):
        done = command("compare", *packages, *words)
        assert done.returncode == 1, done.stderr
        assert "MARK" not in done.stdout + done.stderr
    found = json.loads(command("compare", *packages, "-o", "json").stdout)["differences"]
    assert {(each["path"], each.get("inner"), each["change"]) for each in found} == {
        (f"{field}.password", None, "changed"),
        ('data["values.yaml"]', "a.b", "changed"),
    }
    done = command("impact", "s.yaml:4={x9}", "-o", "json", cwd=packages[0])
    assert "MARK" not in done.stdout + done.stderr


@pytest.mark.parametrize("field", ["metadata.labels.p", 'metadata.annotations["q/p"]', "spec.p"])
def test_a_patch_does_not_tell_whether_a_value_is_the_one_that_it_replaces(field, tmp_path):
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: lv}\nspec:\n  layers: [{secret: s}]\n"
    config += f"  targets: [{{kind: Thing, name: t, allowSecrets: true, fields: {{'{field}': p}}}}]\n"
    thing = "apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: t, labels: {p: same}, annotations: {q/p: same}}\nspec: {p: same}\n"
    files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "lv.yaml": config, "t.yaml": thing}
    told = []
    for value in ("same", "else"):
        secret = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData:\n  values.yaml: |\n    p: {value}\n"
        write(tmp_path, {**files, "s.yaml": secret})
        told.append(command("explain", ".", "--patch", cwd=tmp_path).stdout)
    assert told[0] == told[1]
    assert "<hidden>" in told[0]
