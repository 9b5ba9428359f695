"""An annotation that holds a Secret's value, or a copy of a whole object, is shown by no answer; what a Secret is called is shown alike everywhere."""

from __future__ import annotations

import json

import pytest
from tests.cli.packages import command, kptfile, write

LAYERS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{values: {replicas: 2}}]
  targets: [{kind: Deployment, fields: {spec.replicas: replicas}}]
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    copied: MARK-1
    open: shown
    krm-values.dev/from-secret: '["/metadata/annotations/copied","/spec/token"]'
    kubectl.kubernetes.io/last-applied-configuration: |
      {"spec":{"token":"MARK-2"}}
spec:
  token: MARK-3
  replicas: 1
"""
SECRET = """\
apiVersion: v1
kind: Secret
metadata:
  name: login
  labels: {of: team}
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"stringData":{"pw":"MARK-4"}}
type: Opaque
stringData:
  pw: MARK-5
"""


@pytest.fixture
def package(tmp_path):
    files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "lv.yaml": LAYERS}
    return write(tmp_path / "package", {**files, "web.yaml": DEPLOYMENT, "login.yaml": SECRET})


def asked(package):
    """Commands about the package, and beside it one with other values."""
    other = write(package.parent / "other", {one.name: one.read_text().replace("MARK", "OTHER") for one in package.iterdir()})
    forms: tuple[list[str], ...] = ([], ["--json"], ["--html", str(package.parent / "page.html")], ["--patch"])
    yield from (["explain", ".", "--all", *form] for form in forms)
    yield from (["explain", ".", one, "--all"] for one in ("Secret/login", "Deployment/web"))
    yield from (["values", ".", one] for one in ("Secret/login", "Deployment/web"))
    yield from (["compare", ".", str(other), *form] for form in ([], ["--json"]))
    lines = {"web.yaml": DEPLOYMENT, "login.yaml": SECRET}
    places = [f"{file}:{line}" for file, text in lines.items() for line in range(5, text.count("\n") + 1)]
    yield from ([name, place] for name in ("why", "impact") for place in places)
    yield ["render", "--diff", "."]


def test_no_answer_shows_them(package):
    said = 0
    for words in asked(package):
        done = command(*words, cwd=package)
        assert "MARK" not in done.stdout + done.stderr, words
        said += "<hidden>" in done.stdout
    assert said > 10
    assert "MARK" not in (package.parent / "page.html").read_text()


def test_what_a_secret_is_called_is_shown_with_its_place(package):
    listed = json.loads(command("explain", ".", "--all", "--json", cwd=package).stdout)["values"]
    found = {
        one["path"]: (one.get("value"), one["winner"].get("value")) for one in listed if one["resource"]["kind"] == "Secret"
    }
    assert found == {
        "apiVersion": ("v1", "v1"),
        "kind": ("Secret", "Secret"),
        "metadata.name": ("login", "login"),
        "metadata.labels.of": ("team", "team"),
        'metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]': (None, None),
        "type": ("Opaque", "Opaque"),
        "stringData.pw": (None, None),
    }
