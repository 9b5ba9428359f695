"""Answers at the seams of steps and runs that laws on packages of all functions found wrong, each with its shortest package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.packages import command, kptfile, write

LAYERED = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: {name}}}\nspec: {spec}\n"
LAYER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  v: |\n    {values}\n"
CHAIN = """\
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: a}
spec:
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: git}
spec:
  selector: {lane: a}
  resources:
  - {name: s, templateRef: {kind: ClusterTemplate, name: a}}
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: parcel, labels: {lane: a}}
"""
CARTOGRAPHER = (
    "apiVersion: krm-values.dev/v1alpha1\nkind: CartographerParams\nmetadata: {name: config}\nspec: {emit: [params]}\n"
)
OVER = "{layers: [{name: own, values: {v: new}}], targets: [{kind: ResolvedParams, name: workload-parcel, fields: {'spec.steps[0].name': v}}]}"


def values(package: Path, *words: str, name: str = "") -> dict[str, Any]:
    """The values by their paths. name: of the resource, if not of all."""
    told = json.loads(command("explain", package, "--json", *words).stdout)
    return {one.get("inner") or one["path"]: one for one in told["values"] if name in ("", one["resource"]["name"])}


def of_cartographer(folder: Path, *steps: str) -> Path:
    files = {"config.yaml": CARTOGRAPHER, "a.yaml": CHAIN, "over.yaml": LAYERED.format(name="over", spec=OVER)}
    return write(folder, {"Kptfile": kptfile("exec: krm-cartographer-params, configPath: config.yaml", *steps), **files})


def test_a_constant_that_somebody_changed_is_told_as_it_is_written_again(tmp_path):
    made = of_cartographer(tmp_path)
    assert command("render", made).returncode == 0
    (file,) = made.rglob("params.yaml")
    file.write_text(file.read_text().replace("kind: ClusterTemplate\n", "kind: Other\n"))
    assert values(made)["spec.steps[0].template.kind"]["value"] == "ClusterTemplate"
    assert command("render", made).returncode == 0
    assert "kind: ClusterTemplate\n" in file.read_text()


def test_an_object_that_a_step_generates_without_a_decision_is_no_earlier_runs(tmp_path):
    made = of_cartographer(tmp_path, "exec: krm-layered-values, configPath: over.yaml")
    for words in ([], ["--all"]):
        found = values(made, "ResolvedParams/workload-parcel", *words)
        assert {one["kind"] for one in found.values()} == {"decided", "derived", "literal"}
        assert (found["spec.chain.name"]["kind"], found["spec.chain.name"]["step"]) == ("literal", 0)
        (lost,) = found["spec.steps[0].name"]["overridden"]
        assert (lost["layer"], lost["file"], lost["value"]) == ("generated", "a.yaml", "s")
        assert "earlier" not in json.dumps(found)
    before = values(made)
    assert command("render", made).returncode == 0
    after = values(made)
    assert {path: (one["kind"], one["value"]) for path, one in after.items()} == {
        path: (one["kind"], one["value"]) for path, one in before.items()
    }


def test_what_is_replaced_as_a_whole_is_overridden_as_a_whole(tmp_path):
    spec = "{layers: [{configMap: a}, {configMap: b}], merge: {r: replace}, targets: [{configMap: out}]}"
    files = {
        "lv.yaml": LAYERED.format(name="lv", spec=spec),
        "Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"),
    }
    files["a.yaml"] = LAYER.format(name="a", values="r: {limits: {cpu: 1, memory: 2}, other: 3}")
    files["b.yaml"] = LAYER.format(name="b", values="r: {limits: {memory: 4}}")
    found = values(write(tmp_path, files))
    (lost,) = found["r.limits.memory"]["overridden"]
    assert (lost["at"], lost["value"]) == ("r", {"limits": {"cpu": 1, "memory": 2}, "other": 3})
    (tmp_path / "b.yaml").write_text(LAYER.format(name="b", values="q: 1"))
    assert values(tmp_path)["r.limits.memory"]["value"] == 2


def test_an_object_of_a_config_that_is_not_here_any_more_is_a_source(tmp_path):
    spec = "{layers: [{configMap: made}], targets: [{configMap: out}]}"
    marks = "krm-values.dev/generated-by: layered-values, krm-values.dev/generated-from: LayeredValues.krm-values.dev//gone/ConfigMap..made"
    text = LAYER.format(name="made", values="a: 5").replace("{name: made}", f"{{name: made, annotations: {{{marks}}}}}")
    sides = []
    for name, edited in (("one", text), ("other", text.replace("a: 5", "a: 6"))):
        files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "made.yaml": edited}
        sides.append(write(tmp_path / name, {**files, "lv.yaml": LAYERED.format(name="lv", spec=spec)}))
    found = json.loads(command("compare", *sides, "--json").stdout)
    assert [(one["file"], one["inner"]) for one in found["changed"]] == [("made.yaml", "a")]
    assert {one["proof"] for one in found["differences"]} == {"only"}
    left = values(sides[0], "--all", name="made")
    assert {one["kind"] for one in left.values()} == {"authored"}


DATA = """\
apiVersion: krm-values.dev/v1alpha1
kind: EnvgeneSd
metadata: {name: config}
spec:
  SD_SOURCE_TYPE: json
  SD_DATA:
  - version: 2.1
    type: solutionDeploy
    deployMode: composite
    applications:
    - version: ledger:3.2.0
      deployPostfix: finance
"""
FULL = """\
apiVersion: krm-values.dev/v1alpha1
kind: SolutionDescriptor
metadata: {name: sd}
spec:
  applications:
  - version: ledger:3.1.0
    deployPostfix: finance
"""


def of_envgene(folder: Path, config: str = DATA, full: str = FULL) -> Path:
    steps = kptfile("exec: krm-envgene-sd, configPath: config.yaml")
    return write(folder, {"Kptfile": steps, "config.yaml": config, "sd.yaml": full})


def test_the_impact_on_an_equal_value_that_comes_from_elsewhere(tmp_path):
    made = of_envgene(tmp_path)
    found = json.loads(command("impact", "sd.yaml:7=other", "--json", cwd=made).stdout)["differences"]
    told = {(one["path"], one["change"]): one for one in found}
    moved = told["spec.applications[1].deployPostfix", "winner"]
    assert (moved["before"]["winner"]["file"], moved["after"]["winner"]["file"]) == ("sd.yaml", "config.yaml")


def test_each_edit_that_alone_puts_another_element_there_is_a_cause(tmp_path):
    """One edit takes the element of the value away; the other one names an element otherwise, so that it is not merged with that any more."""
    gone = f"{DATA.partition('    - version')[0].rstrip()} []\n"
    one, other = of_envgene(tmp_path / "one"), of_envgene(tmp_path / "other", gone, FULL.replace("finance", "other"))
    found = json.loads(command("compare", one, other, "--json").stdout)["differences"]
    (version,) = [
        each for each in found if (each["resource"]["name"], each.get("path")) == ("sd", "spec.applications[0].version")
    ]
    assert (version["change"], version["proof"]) == ("changed", "rendered")
    assert {each["file"] for each in version["causes"]} == {"config.yaml", "sd.yaml"}


def test_what_is_only_taken_back_is_told_as_it_is_again(tmp_path):
    """The step has left the resource: nothing is decided there, and the file still has what an earlier run wrote."""
    thing = "apiVersion: example.org/v1\nkind: Thing\nmetadata: {{name: {name}}}\nspec: {{k: 1}}\n"
    spec = "{{layers: [{{values: {{k: 2}}}}], targets: [{{kind: Thing, name: {name}, fields: {{spec.k: k}}}}]}}"
    package = {f"{name}.yaml": thing.format(name=name) for name in ("one", "two")}
    package |= {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml")}
    write(tmp_path, {**package, "lv.yaml": LAYERED.format(name="lv", spec=spec.format(name="one"))})
    assert command("render", cwd=tmp_path).returncode == 0
    write(tmp_path, {"lv.yaml": LAYERED.format(name="lv", spec=spec.format(name="two"))})
    found = values(tmp_path, "--all", "Thing/one")["spec.k"]
    assert (found["value"], found["kind"], found["winner"]["origin"], found["winner"]["kept"]) == (
        1,
        "authored",
        "authored",
        True,
    )


def test_what_takes_an_element_away_is_the_cause_and_not_what_puts_another_one_in_its_place(tmp_path):
    spec = "{{layers: {}, merge: {{env: {{by: name}}}}, targets: [{{configMap: out}}]}}"
    first, second = "{env: [{name: A, x: 1}, {name: B, x: 1}]}", "{env: [{name: B, x: 2}]}"
    sides = []
    for name, order, a in (
        ("one", "[{configMap: a}, {configMap: b}]", first),
        ("two", "[{configMap: b}, {configMap: a}]", "{}"),
    ):
        files = {"a.yaml": LAYER.format(name="a", values=a), "b.yaml": LAYER.format(name="b", values=second)}
        files |= {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml")}
        sides.append(write(tmp_path / name, {**files, "lv.yaml": LAYERED.format(name="lv", spec=spec.format(order))}))
    found = json.loads(command("compare", *sides, "--json").stdout)["differences"]
    gone = [one for one in found if (one["resource"]["name"], one["change"]) == ("out", "removed")]
    assert [one["inner"] for one in gone] == ["env[0].name", "env[0].x"]
    assert {each["file"] for one in gone for each in one["causes"]} == {"a.yaml"}


def test_what_lets_another_element_come_to_an_index_is_a_cause_though_no_step_decides_it(tmp_path):
    data = DATA.replace("ledger:3.2.0", "ledger-ui:3.1.0") + "  SD_REPO_MERGE_MODE: basic-exclusion-merge\n"
    more = data.replace("    - version", "    - version: mailer:1.8.2\n      deployPostfix: shared\n    - version")
    ledger, others = (
        "  - version: ledger:3.1.0\n    deployPostfix: finance\n",
        "  - version: ledger-ui:3.1.0\n    deployPostfix: finance\n  - version: mailer:1.8.2\n    deployPostfix: shared\n",
    )
    head = FULL.partition("  - version")[0]
    one = of_envgene(tmp_path / "one", more, head + ledger + others)
    other = of_envgene(tmp_path / "other", more.replace("mailer:1.8.2", "mailer:9"), head + others)
    found = json.loads(command("compare", one, other, "--json").stdout)["differences"]
    (shared,) = [
        each for each in found if (each["resource"]["name"], each.get("path")) == ("sd", "spec.applications[0].deployPostfix")
    ]
    assert (shared["proof"], {each["file"] for each in shared["causes"]}) == ("together", {"config.yaml", "sd.yaml"})
