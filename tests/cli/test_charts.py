"""A Helm chart below a directory is no set of resources: it is skipped, with one informational message."""

from __future__ import annotations

import pytest
from tests.cli.packages import CONFIG_MAP, command, kptfile, write

CHART = {
    "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "values.yaml": "replicas: 1\n",
    "templates/web.yaml": "{{ if .Values.on }}\nkind: Deployment\n{{ end }}\n",
    "crds/crd.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-the-chart}\n",
    "charts/sub/Chart.yaml": "name: sub\n",
    "charts/sub/templates/a.yaml": "{{ x }}\n",
}
TEXT = "is a Helm chart and not a set of resources: it is skipped, with all that is below it"


def below(folder: str) -> dict[str, str]:
    return {f"{folder}/{name}": text for name, text in CHART.items()}


@pytest.fixture
def package(tmp_path):
    files = {"Kptfile": kptfile("exec: krm-flux-values"), "a.yaml": CONFIG_MAP.format(name="a")}
    return write(tmp_path, {**files, **below("charts/web"), **below("sub/other"), "sub/Kptfile": kptfile()})


@pytest.mark.parametrize(
    "call",
    [
        ["render", "-v", "."],
        ["explain", "-v", "."],
        ["render", "-v", "--diff", "."],
        ["why", "a.yaml:1", "-v"],
        ["impact", "a.yaml:4", "-v"],
    ],
)
def test_in_a_package(package, call):
    before = {path: path.read_bytes() for path in package.rglob("*.yaml")}
    done = command(*call, cwd=package)
    assert done.returncode == 0, done.said
    lines = [line for line in done.said.splitlines() if "Helm chart" in line]
    assert lines == [f"info: sub/other: {TEXT}", f"info: charts/web: {TEXT}"]
    assert {path: path.read_bytes() for path in package.rglob("*.yaml")} == before


@pytest.mark.parametrize("name", ["run", "explain"])
def test_in_a_directory(package, name):
    done = command(name, "flux-values", "-v", ".", cwd=package)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if "Helm chart" in line] == [
        f"info: charts/web: {TEXT}",
        f"info: sub/other: {TEXT}",
    ]
    assert "of-the-chart" not in done.stdout
    assert name != "run" or "name: a" in done.stdout


@pytest.mark.parametrize("folder", [".", "sub"])
def test_of_a_package_that_is_a_chart_as_well_only_what_is_helms_is_skipped(tmp_path, folder):
    files = {
        "Kptfile": kptfile("exec: krm-flux-values"),
        f"{folder}/Kptfile": kptfile("exec: krm-flux-values"),
        **below(folder),
    }
    done = command("render", "-v", "-o", "stdout", ".", cwd=write(tmp_path, files))
    assert done.returncode == 0, done.said
    assert [line for line in done.said.splitlines() if "Helm chart" in line] == [
        f"info: {folder}: is a Helm chart as well: its templates, values and charts are no resources and are skipped"
    ]
    assert "of-the-chart" in done.stdout


def test_a_directory_with_only_one_of_the_two_is_no_chart(tmp_path):
    files = {"Kptfile": kptfile("exec: krm-flux-values"), "x/templates/a.yaml": CONFIG_MAP.format(name="a")}
    done = command("render", "-v", ".", cwd=write(tmp_path, files))
    assert (done.returncode, "Helm chart" in done.stderr) == (0, False)
    done = command("render", ".", cwd=write(tmp_path, {"y/Chart.yaml": CHART["Chart.yaml"]}))
    assert "y/Chart.yaml:1:1: input resource list must contain only KRM resources" in done.stderr
