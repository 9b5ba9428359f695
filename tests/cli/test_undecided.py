"""Values that no step decides: constants of a function, copies and texts of a template, by their paths and by their resource."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command

RFC = Path(__file__).parents[2] / "examples/cartographer-params/rfc-0010"
LABELS = """\
      labels:
        own: fixed
        of: $(workload.metadata.name)$
        carto.run/resource-name: mine
"""
NAME = "      name: $(workload.metadata.name)$\n"


@pytest.fixture
def package(tmp_path):
    """rfc-0010 with labels in a template, some of which Cartographer writes over."""
    target = tmp_path / "package"
    shutil.copytree(RFC, target)
    template = target / "templates/source.yaml"
    text = template.read_text()
    assert text.count(NAME) == 1
    template.write_text(text.replace(NAME, NAME + LABELS))
    return target


def line(package, words):
    return 1 + (package / "templates/source.yaml").read_text().splitlines().index(f"        {words}")


@pytest.mark.parametrize("is_rendered", [False, True])
def test_labels_are_those_of_the_template_or_constants(package, is_rendered):
    assert not is_rendered or command("render", package).returncode == 0
    done = command("explain", package, "**.labels.**", "--resource", "ConfigMap/silent", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = {}
    for one in json.loads(done.stdout)["values"]:
        if one["resource"]["kind"] == "ConfigMap":
            cells = [part for part in (one.get("winner", {}), *one.get("winner", {}).get("parts", ())) if "file" in part]
            found[one["path"]] = one["value"], one["kind"], [f"{part['file']}:{part['line']}" for part in cells]
    at = f"templates/source.yaml:{line(package, 'own: fixed')}"
    assert found.pop("metadata.labels.own") == ("fixed", "literal", [at])
    assert found.pop("metadata.labels.of") == ("silent", "decided", ["workloads/names.yaml:4"])
    assert found.pop('metadata.labels["carto.run/workload-name"]') == ("silent", "literal", [])
    assert found.pop('metadata.labels["carto.run/resource-name"]') == ("some-resource", "literal", [])
    assert [one[1:] for one in found.values()] == [("literal", [])] * 5


def test_why_of_a_label_of_a_template(package):
    file = package / "templates/source.yaml"
    told = command("why", f"{file}:{line(package, 'of: $(workload.metadata.name)$')}").stdout
    assert "  metadata.labels.of = silent: wins\n" in told
    told = command("why", f"{file}:{line(package, 'carto.run/resource-name: mine')}").stdout
    assert "no value comes" in " ".join(told.split())


def test_a_path_does_not_make_a_constant_of_a_copy():
    """Of an object with decided values, of which none has the path."""
    whole, asked = (json.loads(command("explain", RFC, *more, "--json").stdout) for more in ((), ("metadata.namespace",)))
    told = {
        json.dumps(one["resource"]): (one["kind"], one.get("winner", {}).get("file"))
        for one in whole["values"]
        if one["path"] == "metadata.namespace"
    }
    assert set(told.values()) > {("copied", "workloads/names.yaml")}
    assert told == {json.dumps(one["resource"]): (one["kind"], one.get("winner", {}).get("file")) for one in asked["values"]}


def test_all_values_of_a_path_are_also_those_of_generated_objects():
    told = command("explain", RFC, "metadata.namespace", "--all", "--resource", "ConfigMap/silent").stdout
    assert told == (
        "ConfigMap team/silent  (Workload team/silent)\n"
        "metadata.namespace = team\n  + generated from  workloads/names.yaml:5  team\n"
        "    because workloads/names.yaml:4, Kptfile:9\n"
    )


@pytest.mark.parametrize("form", [["--all"], ["--json"], ["--all", "--json"]])
def test_the_resource_chooses_among_objects_without_decided_values_too(form):
    done = command("explain", RFC, "--resource", "ConfigMap/silent", *form)
    if "--json" in form:
        found = {f"{one['resource']['kind']} {one['resource']['name']}" for one in json.loads(done.stdout)["values"]}
    else:
        found = {text.split()[0] + " " + text.split()[1].split("/")[-1] for text in done.stdout.splitlines() if "  (" in text}
    assert found == {"ConfigMap silent"}
