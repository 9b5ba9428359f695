"""A Secret that a text of values contains, as one of `extraObjects`, is hidden in every answer as one in a field is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write

STEPS = kptfile("exec: krm-flux-values")
FILE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec:
  chartRef: {kind: OCIRepository, name: chart}
  valuesFrom:
  - {kind: ConfigMap, name: base}
  - {kind: ConfigMap, name: over}
  values: {replicas: 3}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: base}
data:
  values.yaml: |
    extraObjects:
    - {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {pw: MARK1}}
    m: {kind: Secret, apiVersion: v1, stringData: {pw: MARK2}}
    open: {kind: ConfigMap, apiVersion: v1, data: {pw: seen}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: over}
data:
  values.yaml: |
    extraObjects:
    - {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {pw: MARK3}}
    m: {stringData: {pw: MARK4}}
  manifest: |
    a: 1
    ---
    kind: Secret
    apiVersion: v1
    data: {pw: TUFSSzU=}
"""
ANSWERS = [
    *("explain", "explain -o json", "explain --all", "explain --all -o json", "explain --where"),
    *("explain --layers", "explain --patch", "values", "values -o json", "values --comments", "render --diff", "clean"),
    *("why all.yaml:17", "why all.yaml:18", "why all.yaml:18 -o json", "why all.yaml:28", "why all.yaml:28 -o json"),
    *("impact all.yaml:17", "impact all.yaml:18", "impact all.yaml:28 -o json", "impact all.yaml:9", "impact all.yaml:30=2"),
]


def package(folder: Path, text: str = FILE) -> Path:
    return write(folder, {"Kptfile": STEPS, "all.yaml": text})


def marked(text: str) -> bool:
    return "MARK" in text or "TUFSSz" in text


@pytest.mark.parametrize("is_rendered", [False, True])
@pytest.mark.parametrize("words", ANSWERS)
def test_no_answer_shows_it(words, is_rendered, tmp_path):
    made = package(tmp_path)
    if is_rendered:
        assert command("render", made).returncode == 0
    name, *rest = words.split()
    folder = [] if name in ("why", "impact") else ["."]
    done = command(name, *folder, *rest, cwd=made, COLUMNS="2000")
    assert done.returncode in (0, 1), done.stderr
    assert not marked(done.stdout + done.stderr)


@pytest.mark.parametrize("words", [[], ["-o", "json"], ["--markdown"], ["--html"]])
def test_no_comparison_shows_it(words, tmp_path):
    text = FILE.replace("m: {stringData", "m: {kind: Secret, stringData")  # a part of one is known for it where it is merged
    one, other = (
        package(tmp_path / "a", text),
        package(tmp_path / "b", text.replace("MARK", "MARK9").replace("TUFSSzU=", "TUFSSzY=")),
    )
    page = tmp_path / "page.html"
    done = command("compare", one, other, *words, *([page] if words == ["--html"] else []))
    assert done.returncode == 1, done.stderr
    assert not marked(done.stdout + done.stderr + (page.read_text() if page.exists() else ""))


def test_the_page_shows_neither_a_value_nor_that_of_an_earlier_run(tmp_path):
    made = package(tmp_path / "a")
    assert command("render", made).returncode == 0
    (made / "all.yaml").write_text(FILE.replace("MARK", "MARK9"))
    assert command("explain", made, "--html", tmp_path / "page.html").returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert not marked(page)
    assert "seen" in page


def test_what_is_no_secret_is_shown(tmp_path):
    told = command("explain", package(tmp_path)).stdout
    assert "m.kind = Secret\n" in told
    assert (
        "m.stringData.pw = <hidden>\n  + valuesFrom[1]  all.yaml:28  <hidden>\n  - valuesFrom[0]  all.yaml:18  <hidden>\n"
        in told
    )
    assert "open.data.pw = seen\n" in told
    assert "MARK2" in command("explain", tmp_path, "--show-secrets").stdout
