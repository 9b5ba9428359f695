"""A Secret that another resource holds, in a template or a list of resources, is one: no command shows its values."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from krm_values._explain import masked_text
from tests.cli.packages import command, kptfile, write

MARKERS = "Vn4kWq8xTz2m", "Rb7sLd3yHc9p", "Jf5gQu6wMe1k"
STAMPED = """\
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: cart, namespace: shop, labels: {of: web}}
spec:
  params: [{name: user, value: clerk}]
  source: {git: {url: https://git.example.test/cart.git, ref: {branch: main}}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {of: web}
  resources: [{name: login, templateRef: {kind: ClusterTemplate, name: login}}, {name: run, templateRef: {kind: ClusterTemplate, name: run}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: login}
spec:
  template:
    apiVersion: v1
    kind: Secret
    metadata: {name: login}
    stringData: {dsn: "$(params.user)$:Vn4kWq8xTz2m"}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: run}
spec:
  template:
    apiVersion: triggers.tekton.dev/v1beta1
    kind: TriggerTemplate
    metadata: {name: run}
    spec:
      resourcetemplates:
      - apiVersion: v1
        kind: Secret
        metadata: {generateName: login-}
        stringData: {dsn: "$(params.user)$:Rb7sLd3yHc9p"}
"""
WRITTEN = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: open, namespace: shop}
data: {user: clerk}
---
apiVersion: triggers.tekton.dev/v1beta1
kind: TriggerTemplate
metadata: {name: own, namespace: shop}
spec:
  resourcetemplates:
  - apiVersion: v1
    kind: Secret
    metadata: {generateName: login-}
    stringData:
      user: Jf5gQu6wMe1k
"""
CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: own}
spec:
  layers: [{configMap: open, key: '*'}]
  targets: [{kind: TriggerTemplate, name: own, fields: {'spec.resourcetemplates[0].stringData.user': user}}]
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    steps = "exec: krm-cartographer-params", "exec: krm-layered-values, configPath: config.yaml"
    files = {"Kptfile": kptfile(*steps), "stamped.yaml": STAMPED, "written.yaml": WRITTEN, "config.yaml": CONFIG}
    return write(tmp_path / "shop", files)


CALLS = [
    *(["explain"], ["explain", "--json"], ["explain", "--patch"], ["values"], ["values", "--comments"], ["render", "--diff"]),
    *(["explain", "--resource", "Secret/login"], ["explain", "--html", "page.html"]),
]


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
@pytest.mark.parametrize("is_rendered", [False, True])
def test_no_command_shows_it(package, call, is_rendered):
    if is_rendered:
        command("render", package)
    done = command(call[0], str(package), *call[1:], cwd=package.parent)
    assert done.returncode == int("--diff" in call and not is_rendered), done.stderr
    page = package.parent / "page.html"
    text = done.stdout + done.stderr + (page.read_text() if page.exists() else "")
    assert not [one for one in MARKERS if one in text]


@pytest.mark.parametrize("form", [[], ["--json"], ["--markdown"], ["--html", "page.html"]], ids=" ".join)
def test_compare_shows_none(package, form):
    other = package.parent / "other"
    shutil.copytree(package, other)
    for one in other.iterdir():
        one.write_text(one.read_text().replace("Rb7s", "Xb7s").replace("Vn4k", "Xn4k"))
    done = command("compare", str(package), str(other), *form, cwd=package.parent)
    assert done.returncode == 1, done.stderr
    page = package.parent / "page.html"
    text = done.stdout + done.stderr + (page.read_text() if page.exists() else "")
    assert not [one for one in (*MARKERS, "Xb7s", "Xn4k") if one in text]


def test_with_show_secrets_it_is_shown(package):
    shown = command("explain", str(package), "--show-secrets").stdout
    assert "clerk:Rb7sLd3yHc9p" in shown
    assert "$(params.user)$:Vn4kWq8xTz2m" in shown


@pytest.mark.parametrize("field", ["apiGroup", "apiVersion"])
def test_a_reference_to_a_secret_is_none(field):
    assert not masked_text.hidden(f"resource: {{{field}: v1, kind: Secret, name: login, namespace: shop}}\n", ()).spans
    assert masked_text.hidden(f"resource: {{{field}: v1, kind: Secret, name: login, stringData: {{a: b}}}}\n", ()).spans


@pytest.mark.parametrize("value", ["", "=Other"])
def test_its_kind_cannot_be_asked_about(package, value):
    """What it holds would be no Secret's then, nor what is copied out of it: a record would have a digest of that."""
    text = (package / "written.yaml").read_text()
    number = 1 + text.splitlines().index("  - apiVersion: v1")
    for line in (f"{number}:spec.resourcetemplates[0].apiVersion", number + 1):
        done = command("impact", f"written.yaml:{line}{value}", cwd=package)
        assert (done.returncode, done.stdout) == (2, "")
        assert "makes `spec.resourcetemplates[0]` a Secret: without it, what it holds would be no Secret's" in done.stderr


def test_a_question_does_not_repeat_what_it_would_write_into_it(tmp_path):
    holder = "apiVersion: example.com/v1\nkind: Holder\nmetadata: {name: h}\nspec:\n  template:\n    apiVersion: v1\n    kind: Secret\n"
    write(
        tmp_path, {"Kptfile": kptfile("exec: krm-tekton-params"), "h.yaml": f"{holder}    stringData: {{pass: {MARKERS[0]}}}\n"}
    )
    for words in ([], ["--json"], ["--markdown"]):
        done = command("impact", f"h.yaml:8={MARKERS[1]}", *words, cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert [one for one in MARKERS if one in done.stdout + done.stderr] == []
