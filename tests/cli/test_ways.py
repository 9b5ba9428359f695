"""Each value's way ends at a line that somebody wrote, and another scalar on that line changes the value and those derived from it."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest
from tests.answers import cells, decided
from tests.cli.explained import explained
from tests.cli.packages import command, kptfile, write

from krm_values._data.errors import UserError

EXAMPLES = Path(__file__).parents[2] / "examples"
STORIES = sorted(path.parent.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.glob("*/*/Kptfile"))
MERGED_ONCE = ("envgene-sd/three-environments",)
NO_PLACE = ("basic-merge", "basic-exclusion-merge")
"""Layers without a place: what an SD loses by the rules of a mode."""
SCALAR = re.compile(
    r"^(?P<before>\s*(?:- )*(?:[\w.\"-]+: )?)(?P<value>[^\s#{}\[\],:'\"&*|>$][^#{}\[\]'\"$]*?)(?P<after>\s*(?: #.*)?)$"
)
SAMPLE = 200


def copy(story: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLES / story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))


@pytest.mark.parametrize("story", STORIES)
def test_every_way_ends_at_a_line_of_a_file_that_was_there_before(story, tmp_path):
    package = copy(story, tmp_path)
    for rendered in (False, True):
        found = explained(package)
        assert found or (rendered and story in MERGED_ONCE)
        for answer in found.values():
            for end in (end for ends in answer.ends for end in ends):
                if not end.file:
                    assert end.layer in NO_PLACE, answer
                else:
                    assert end.origin in ("authored", "config"), answer
                    lines = (package / end.file).read_text("utf-8").splitlines()
                    assert 0 < end.line <= len(lines)
        assert command("render", package).returncode == 0


CHAINED = {
    ("pipelines/all-six", ("ingress", "host")): (["values", "template", "owner.value"], ("value host", "package.yaml", 13)),
    ("pipelines/all-seven", ("ingress", "host")): (
        ["values", "template", "owner.value", "value host"],
        ("prod", "layers.yaml", 20),
    ),
    ("pipelines/layers-to-flux", ("replicas",)): (["valuesFrom[0]"], ("prod", "layers.yaml", 22)),
}
"""The way of a value from what Helm receives to the line that a person wrote, by example and value."""


@pytest.mark.parametrize("rendered", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("example", "value"), CHAINED, ids=str)
def test_through_all_steps_a_value_comes_from_the_line_that_a_person_wrote(example, value, rendered, tmp_path):
    package = copy(example, tmp_path)
    assert not rendered or command("render", package).returncode == 0
    (found,) = (
        one for (title, _, _, inner), one in explained(package).items() if title.endswith("flux-values") and inner == value
    )
    ((end,), *_) = found.ends
    assert (found.way, (end.layer, end.file, end.line)) == CHAINED[example, value]


def test_a_place_on_the_way_has_its_file_and_its_line(tmp_path):
    for rendered in (False, True):
        package = copy("pipelines/all-six", tmp_path / str(rendered))
        if rendered:
            assert command("render", package).returncode == 0
        found = json.loads(command("explain", package, "--json").stdout)
        hops = [hop for value in found["values"] for cell in cells(value) for hop in cell["way"]]
        template = next(hop for hop in hops if hop["resource"]["kind"] == "ClusterTemplate")
        lines = (package / template["file"]).read_text().splitlines()
        assert template["file"] == "chain/templates.yaml"
        assert lines[template["line"] - 1].strip() == "host: $(params.host)$"
        for hop in (hop for hop in hops if "line" in hop):
            assert 0 < hop["line"] <= len((package / hop["file"]).read_text().splitlines())


def other(text: str) -> str:
    """Another scalar of the same type."""
    if text in ("true", "false"):
        return "false" if text == "true" else "true"
    return str(int(text) + 1) if text.isdigit() else f"{text}x"


def shown(package: Path) -> dict[object, object]:
    return {key: answer.value for key, answer in explained(package).items()}


@pytest.mark.parametrize("story", STORIES)
def test_another_scalar_on_the_line_changes_the_value_and_what_uses_it(story, tmp_path):
    package = copy(story, tmp_path)
    found = explained(package)
    before = {key: answer.value for key, answer in found.items()}
    leaves = [(key, end) for key, answer in found.items() for end in (*answer.ends, [])[0] if end.line]
    tried = 0
    for key, end in random.Random(7).sample(leaves, min(len(leaves), max(16, SAMPLE // len(STORIES)))):
        file = package / end.file
        text = file.read_text("utf-8")
        lines = text.splitlines(keepends=True)
        match = SCALAR.match(lines[end.line - 1].rstrip("\n"))
        if not match or match["value"].strip() != str(end.value) or match["value"] not in str(before[key]):
            continue  # a list, a map, a value in another form, or one that only says which type another has
        if match["before"].rstrip().endswith("name:"):
            continue  # a name that is copied: other values refer to it
        lines[end.line - 1] = f"{match['before']}{other(match['value'])}{match['after']}\n"
        file.write_text("".join(lines), "utf-8")
        try:
            after = shown(package)
        except UserError:
            continue  # a value that is refused
        finally:
            file.write_text(text, "utf-8")
        if after.keys() != before.keys():
            continue  # a name, by which other resources are found
        tried += 1
        changed = {one for one in before if before[one] != after[one]}
        assert key in changed, (key, end)
        assert [one for one in changed if (end.file, end.line) not in found[one].through()] == [], (end.file, end.line)
    assert tried or story in ONLY_OTHERS


ONLY_OTHERS = ("tekton-params/build-and-deploy", "tekton-params/stored-pipeline", "tekton-params/referenced-tasks")
"""Stories all of whose values are lists, maps, names or references."""


def test_a_later_step_that_keeps_a_list_does_not_answer_again(tmp_path):
    config = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers:
  - values: {l: [{$value: x}, two], x: one}
  targets:
  - kind: HelmRelease
    fields:
      spec.values.l: l
"""
    release = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  interval: 5m
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}
  values:
    l: [old]
    own: [a, b]
"""
    inline = "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: fx}\nspec: {output: inline}\n"
    steps = "exec: krm-layered-values, configPath: lv.yaml", "exec: krm-flux-values, configPath: fx.yaml"
    write(tmp_path, {"Kptfile": kptfile(*steps), "lv.yaml": config, "fx.yaml": inline, "release.yaml": release})
    found = decided(command("explain", tmp_path, "--json").stdout)
    assert {one["path"]: [one["winner"]["layer"], *(hop["path"] for hop in one["winner"]["way"])] for one in found} == {
        "spec.values.l[0]": ["values", "spec.layers[0].values.l[0]"],
        "spec.values.l[1]": ["values"],
        "spec.values.own": ["values"],
    }


TEXT = """apiVersion: v1
kind: ConfigMap
metadata: {name: conf, namespace: shop}
data:
  app.yaml: |
    x: 1
    y: 2
---
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: shop, namespace: shop}
spec:
  packageInfo: {name: shop, version: v1}
  values: {text: {value: "z: 3"}}
"""
LAYERS = """apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers:
  - {name: base, values: {x: 5}}
  targets:
  - kind: ConfigMap
    fields: {'data["app.yaml"].x': x}
"""
PACKAGES = """apiVersion: krm-values.dev/v1alpha1
kind: GlasskubeValues
metadata: {name: gk}
spec:
  manifests:
  - name: shop
    scope: Namespaced
    valueDefinitions:
      text:
        type: text
        targets:
        - resource: {apiGroup: v1, kind: ConfigMap, name: conf}
          patch: {op: replace, path: /data/app.yaml}
"""


def test_an_overridden_text_of_which_a_step_wrote_a_part_has_its_own_line(tmp_path):
    steps = ("image: krm-values/layered-values, configPath: lv.yaml", "image: krm-values/glasskube-values, configPath: gk.yaml")
    write(tmp_path, {"Kptfile": kptfile(*steps), "all.yaml": TEXT, "lv.yaml": LAYERS, "gk.yaml": PACKAGES})
    answer = command("explain", tmp_path, 'data["app.yaml"]')
    assert answer.stdout.splitlines()[2:5] == [
        "  + value text  all.yaml:14  'z: 3'",
        '  - resource    all.yaml:5   "x: 5\\ny: 2\\n"',
        "      <- base  lv.yaml:6  5",
    ]
