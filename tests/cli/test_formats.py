"""`--format github` and `sarif`: findings that their hosts show beside the source, in which no text of a package acts."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write

from krm_values._krm.item import Header, Item, Position, Reading
from krm_values._krm.plan import Finding, New
from krm_values._run import report

HOSTILE = [
    "::set-output name=x::y",
    "a\n::error::b",
    "a\r::stop-commands::b",
    "100%",
    "%0A::error::b",
    "[x](https://y)",
    "@team",
    "</script>",
]
MANIFEST = '{"name": "x", "defaultManifestName": "x", "manifests": [], "colour": "red"}'
UNESCAPED_LINK = re.compile(r"(?<!\\)(?:\\\\)*[\[\]]")


def finding(message: str, file: str = "a.yaml", severity: str = "error") -> Finding:
    reading = Reading({"a": 1}, {}, lambda _: None, lambda path: (len(path), 0))
    item = Item(0, Header("v1", "ConfigMap", "ns", "x"), lambda: reading, Position("", file, 0, 3))
    return Finding(severity, "kind", "7", message, item, ("a",))  # type: ignore[arg-type]


def test_a_workflow_command_has_the_place():
    assert report.github(finding("is wrong")) == "::error file=a.yaml,line=4,col=1,title=kind::ConfigMap ns/x `a`: is wrong"
    assert report.github(finding("b", severity="info")).startswith("::notice ")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_command_or_a_property(text):
    for line in (report.github(finding(text)), report.github(finding("x", file=f"a,line=1::{text}.yaml"))):
        assert "\n" not in line
        assert "\r" not in line
        assert line.startswith("::error file=a")
        properties, _, data = line.removeprefix("::error ").partition("::")
        assert [part.partition("=")[0] for part in properties.split(",")] == ["file", "line", "col", "title"]
        assert re.fullmatch(r"(?:[^%]|%25|%0D|%0A|%3A|%2C)*", data)


@pytest.mark.parametrize("text", HOSTILE)
def test_sarif_has_no_link(text):
    (run,) = json.loads(report.sarif([(finding(text), "")]))["runs"]
    (result,) = run["results"]
    assert UNESCAPED_LINK.search(result["message"]["text"]) is None
    assert result["level"] == "error"
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "a.yaml"}, "region": {"startLine": 4, "startColumn": 1}}}
    ]


def test_what_is_generated_has_the_place_of_what_it_is_made_for():
    source = finding("x").item
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "made", "namespace": "ns"}}
    about = Finding("warning", "readable-secret", "7", "can be read", New(secret, New(secret, source)))
    assert report.github(about) == "::warning file=a.yaml,line=3,col=1,title=readable-secret::Secret ns/made: can be read"
    (run,) = json.loads(report.sarif([(about, "")]))["runs"]
    assert run["results"][0]["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "a.yaml"}, "region": {"startLine": 3, "startColumn": 1}}}
    ]


def test_a_path_is_a_uri():
    (run,) = json.loads(report.sarif([(finding("x", file="a b/#c%.yaml"), "")]))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/%23c%25.yaml"


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  valuesFrom:
  - {kind: ConfigMap, name: none}
"""


@pytest.mark.parametrize(
    "words", [["run", "flux-values", "release.yaml"], ["render", "."], ["lint", "glasskube-values", "package.yaml"]]
)
def test_each_command_prints_both_forms(tmp_path, words):
    write(tmp_path, {"Kptfile": kptfile("exec: krm-flux-values"), "release.yaml": RELEASE, "package.yaml": MANIFEST})
    if words[0] == "render":
        (tmp_path / "package.yaml").unlink()
    plain, github, sarif = (command(*words, "--format", form, cwd=tmp_path) for form in report.FORMATS)
    assert plain.returncode == github.returncode == sarif.returncode
    printed = "stdout" if words[0] == "lint" else "stderr"
    count = len([line for line in getattr(plain, printed).splitlines() if line.startswith(("error:", "warning:"))])
    commands = getattr(github, printed).splitlines()
    assert len(commands) == count > 0
    assert all(line.startswith(("::error ", "::warning ")) for line in commands)
    assert len(json.loads(getattr(sarif, printed))["runs"][0]["results"]) == count


def test_render_names_files_from_the_working_directory(tmp_path):
    example = Path(__file__).parents[2] / "examples/layered-values/eight-lines"
    for name in ("p", "p2"):
        shutil.copytree(example, tmp_path / name, ignore=shutil.ignore_patterns(".expected"))
        file = tmp_path / name / "prod.yaml"
        file.write_text(file.read_text().replace("replicas: 3 #", "replicas: 3\n    replicas: 3 #"))
    for _ in range(2):  # the second time from the record of the first
        done = command("render", "p", "p2", "--format", "github", cwd=tmp_path)
        assert done.returncode == 0
        assert "file=p/prod.yaml," in done.stderr
        assert "file=p2/prod.yaml," in done.stderr
    inside = command("render", "--format", "github", cwd=tmp_path / "p")
    assert "file=prod.yaml," in inside.stderr
    beside = command("render", "../p", "--format", "github", cwd=tmp_path / "p2")
    assert "file=../p/prod.yaml," in beside.stderr
    sarif = command("render", tmp_path / "p", "--format", "sarif", cwd=tmp_path)
    assert '"uri": "p/prod.yaml"' in sarif.stderr
