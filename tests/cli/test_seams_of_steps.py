"""Answers that a tester found wrong where a later step reads what an earlier one wrote, each with its shortest package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cli.packages import command, kptfile, write
from tests.cli.test_seams import LAYERED, values

WIDGET = "apiVersion: x.dev/v1\nkind: Widget\nmetadata: {{name: w}}\nspec:\n  {spec}\n"
LAYER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  values.yaml: |\n{values}"


def layer(name: str, text: str) -> str:
    """A ConfigMap with a text of values, which begins on line 6."""
    return LAYER.format(name=name, values="".join(f"    {line}\n" for line in text.splitlines()))


def steps(folder: Path, *specs: str, **files: str) -> Path:
    """A package of steps of layered-values, step `l1` first."""
    configs = {f"l{number}.yaml": LAYERED.format(name=f"l{number}", spec=spec) for number, spec in enumerate(specs, 1)}
    pipeline = kptfile(*(f"exec: krm-layered-values, configPath: {name}" for name in configs))
    return write(folder, {"Kptfile": pipeline, **configs, **{f"{name}.yaml": text for name, text in files.items()}})


def losers(value: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What a value overrides: the file, the line, the value, and above which place it stood."""
    return [(one["file"], one["line"], one["value"], one.get("at")) for one in value.get("overridden", ())]


def test_a_line_that_a_step_wrote_over_wins_in_no_later_step(tmp_path):
    made = steps(
        tmp_path,
        "{layers: [{name: own, values: {v: 2}}], targets: [{kind: Widget, fields: {spec.a: v}}]}",
        "{layers: [{from: {kind: Widget}, path: spec}], targets: [{configMap: out}]}",
        w=WIDGET.format(spec="a: 1"),
    )
    for line in (5, 4):  # the value, and the map that it is in
        told = command("why", f"w.yaml:{line}", made).stdout
        assert told.count(": loses to l1.yaml:4\n") == 2
        assert "wins" not in told
    assert "ConfigMap out  (Widget w)\n  a = 2: wins\n" in command("why", "l1.yaml:4", made).stdout
    assert command("render", made).returncode == 0
    assert "ConfigMap out  (Widget w)\n  a = 2: loses to l1.yaml:4\n" in command("why", "w.yaml:5", made).stdout


def test_a_line_that_only_a_step_wrote_has_what_later_steps_read_there(tmp_path):
    made = steps(
        tmp_path,
        "{layers: [{name: own, values: {v: 2}}], targets: [{kind: Widget, fields: {spec.a: v}, missing: create}]}",
        "{layers: [{from: {kind: Widget}, path: spec}], targets: [{configMap: out}]}",
        w=WIDGET.format(spec="b: 1"),
    )
    for line in (5, 4):  # the author's value, and the map that it is in
        assert "a = 2: wins" not in command("why", f"w.yaml:{line}", made).stdout
    assert command("render", made).returncode == 0
    line = 1 + (tmp_path / "w.yaml").read_text().splitlines().index("  a: 2")
    assert "ConfigMap out  (Widget w)\n  a = 2: wins\n" in command("why", f"w.yaml:{line}", made).stdout


WHOLE = (
    "{layers: [{configMap: a}, {configMap: b}], targets: [{configMap: out}]}",
    layer("a", "e:\n- name: s\n  v: 24"),
    layer("b", "e:\n- name: p\n  v: 15\n  w: 16"),
)


def test_of_a_list_that_lost_as_a_whole_no_element_loses_to_one_of_another_name(tmp_path):
    first, a, b = WHOLE
    second = "{layers: [{configMap: t}, {configMap: out}], merge: {e: {by: name}}, targets: [{configMap: fin}]}"
    found = values(steps(tmp_path, first, second, a=a, b=b, t=layer("t", "e:\n- {name: q}")), name="fin")
    lost = [("a.yaml", 6, [{"name": "s", "v": 24}], "e")]
    assert {path: losers(one) for path, one in found.items() if "inner" in one} == {
        **{f"e[1].{key}": lost for key in ("name", "v", "w")},
        "e[0].name": [],
    }


def test_of_such_a_list_the_same_element_loses_where_the_object_has_no_place_for_the_list(tmp_path):
    first, a, b = WHOLE
    second = "{layers: [{configMap: out}], targets: [{kind: Widget, fields: {spec.v: 'e[0].v', spec.w: 'e[0].w'}}]}"
    made = steps(tmp_path, first, second, a=a, b=b, w=WIDGET.format(spec="{v: 1, w: 1}"))
    found = values(made, name="w")
    assert losers(found["spec.v"]) == [("a.yaml", 8, 24, None), ("w.yaml", 5, 1, None)]
    assert losers(found["spec.w"]) == [("w.yaml", 5, 1, None)]


ABOVE = layer("b", "k:\n  z:\n    z: 2")


def test_a_loser_stood_above_a_key_with_the_name_of_its_parent(tmp_path):
    spec = "{layers: [{name: own, values: {k: {z: 24}}}, {configMap: b}], targets: [{kind: Widget, fields: {spec.v: .}}]}"
    found = values(steps(tmp_path, spec, b=ABOVE, w=WIDGET.format(spec="v:")))
    assert losers(found["spec.v.k.z.z"]) == [("l1.yaml", 4, 24, "spec.v.k.z"), ("w.yaml", 5, None, "spec.v")]


def test_where_a_loser_stood_is_told_as_the_last_step_has_it(tmp_path):
    first = "{layers: [{name: own, values: {k: {z: 24}}}, {configMap: b}], targets: [{configMap: out}]}"
    second = "{layers: [{configMap: out}], targets: [{kind: Widget, fields: {spec.v: .}}, {configMap: fin, value: k}]}"
    made = steps(tmp_path, first, second, b=ABOVE, w=WIDGET.format(spec="v:"))
    assert losers(values(made, name="w")["spec.v.k.z.z"])[0] == ("l1.yaml", 4, 24, "spec.v.k.z")
    assert losers(values(made, name="fin")["z.z"]) == [("l1.yaml", 4, 24, "z")]


def test_what_stood_above_all_that_is_written_stood_at_no_place_of_the_object(tmp_path):
    spec = "{layers: [{configMap: a}, {configMap: b}], targets: [{kind: Widget, fields: {spec.z: k.z.z}}]}"
    a, w = layer("a", "k: {z: 24}"), WIDGET.format(spec="z: 1")
    found = values(steps(tmp_path, spec, a=a, b=ABOVE, w=w))
    assert losers(found["spec.z"]) == [("a.yaml", 6, 24, None), ("w.yaml", 5, 1, None)]


def test_what_stood_above_what_a_reference_leads_to_stood_at_no_place_of_the_reference(tmp_path):
    layers = "[{configMap: a}, {configMap: b}, {name: own, values: {x: {y: {$value: k.z.z}, m: {$value: k}}}}]"
    spec = f"{{layers: {layers}, targets: [{{configMap: out}}]}}"
    found = values(steps(tmp_path, spec, a=layer("a", "k: {z: 24}"), b=ABOVE))
    assert losers(found["k.z.z"]) == [("a.yaml", 6, 24, "k.z")]
    assert [one[2:] for one in losers(found["x.m.z.z"])] == [(24, "x.m.z")]
    assert [one[2:] for one in losers(found["x.y"])] == [(24, None)]


def test_an_object_is_named_by_the_target_and_not_by_the_layer_of_the_same_name(tmp_path):
    name = "metadata: {name: b, namespace: ns}"
    first = "{layers: [{configMap: b}], targets: [{configMap: b-values, namespace: ns}]}"
    second = "{layers: [{from: {kind: ConfigMap, name: b-values}, path: metadata}], targets: [{configMap: fin}]}"
    made = steps(tmp_path, first, second, b=ABOVE.replace("metadata: {name: b}", name))
    found = values(made, name="b-values")
    for key, text, field in (("name", "b-values", "configMap"), ("namespace", "ns", "namespace")):
        (one,) = (one for path, one in found.items() if path == f"metadata.{key}")
        winner = one["winner"]
        assert (one["kind"], one["value"], winner["layer"], winner["file"]) == ("copied", text, "targets[0]", "l1.yaml")
        assert (winner["line"], winner["path"], winner["origin"]) == (4, f"spec.targets[0].{field}", "config")
    read = values(made, name="fin")["namespace"]["winner"]
    assert (read["file"], read["line"], read["path"]) == ("l1.yaml", 4, "spec.targets[0].namespace")
    assert "wins" not in command("why", "b.yaml:3", made).stdout
    told = command("why", "l1.yaml:4", made).stdout
    assert "  metadata.namespace = ns: wins\n" in told
    assert "  metadata.name = b-values: wins\n" in told


def documents(folder: Path, name: str, text: str) -> Path:
    (folder / name).mkdir()
    return steps(folder / name, "{layers: [{configMap: a}], targets: [{configMap: out}]}", a=layer("a", text))


def test_the_cause_is_the_line_of_the_document_of_a_text_that_was_edited(tmp_path):
    text = "k: 1\nm: 1\n---\nj: 5\nm: 2\n---\nj: 7\nl: [1, 2]"
    one = documents(tmp_path, "one", text)
    for number, (edits, told) in enumerate(
        [
            ({"k: 1": "k: 2"}, ["  k 1 -> 2  because a.yaml:6 changed"]),
            ({"m: 2": "m: 3"}, ["  m 2 -> 3  because a.yaml:10 changed"]),
            ({"j: 7": "j: 8"}, ["  j 7 -> 8  because a.yaml:12 changed"]),
            ({"j: 7\n": ""}, ["  j 7 -> 5  because a.yaml:12 (A) removed"]),
            ({"m: 2": "m: 2\np: 1"}, ["  p added: 1  because a.yaml:11 added"]),
            ({"[1, 2]": "[1]"}, ["  l[1] removed: 2  because a.yaml:13 (A) removed"]),
            (
                {"k: 1": "k: 2", "j: 7": "j: 8"},
                ["  j 7 -> 8  because a.yaml:12 changed", "  k 1 -> 2  because a.yaml:6 changed"],
            ),
            ({"m: 1": "m: 4", "m: 2\n": ""}, ["  m 2 -> 4  because a.yaml:7 changed and a.yaml:10 (A) removed together"]),
        ]
    ):
        edited = text
        for old, new in edits.items():
            edited = edited.replace(old, new)
        other = documents(tmp_path, f"other{number}", edited)
        assert command("compare", one, other).stdout.splitlines()[1:] == told


def test_of_edits_in_several_documents_of_a_text_each_is_told_apart_without_a_render(tmp_path):
    text = "k: 1\n---\nj: 5\n---\nj: 7"
    both = documents(tmp_path, "one", text), documents(tmp_path, "other", text.replace("1", "2").replace("7", "8"))
    assert command("compare", *both, "--renders", "0").stdout.splitlines() == [
        "ConfigMap out",
        "  j 7 -> 8  because a.yaml:10 changed",
        "  k 1 -> 2  because a.yaml:6 changed",
    ]


DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: web, image: 'nginx:1.0'}]}}}
"""
IMAGE = "spec.template.spec.containers[name=web].image"


def test_a_part_of_a_string_out_of_a_generated_object_is_followed_to_its_line(tmp_path):
    made = steps(
        tmp_path,
        "{layers: [{configMap: base}], targets: [{configMap: out}]}",
        f"{{layers: [{{configMap: out}}], targets: [{{kind: Deployment, fields: {{'{IMAGE}': {{value: img, part: tag}}}}}}]}}",
        base=layer("base", "img: v2"),
        d=DEPLOYMENT,
    )
    value = values(made)["spec.template.spec.containers[0].image"]
    winner = value["winner"]
    assert (winner["layer"], winner["origin"], winner["file"], winner["line"]) == ("base", "authored", "base.yaml", 6)
    assert [one["path"] for one in winner["way"]] == ['data["values.yaml"]']
    told = command("why", "base.yaml:6", made).stdout
    assert "Deployment web\n  spec.template.spec.containers[0].image = 'nginx:v2': wins\n" in told


def test_a_part_of_a_string_that_a_later_step_writes_over_is_none_any_more(tmp_path):
    spec = (
        f"{{layers: [{{configMap: NAME}}], targets: [{{kind: Deployment, fields: {{'{IMAGE}': {{value: img, part: PART}}}}}}]}}"
    )
    files = {"base": layer("base", "img: v2"), "over": layer("over", "img: v9"), "reg": layer("reg", "img: reg.example")}
    first, second, other = (
        spec.replace("NAME", name).replace("PART", part)
        for name, part in (("base", "tag"), ("over", "tag"), ("reg", "registry"))
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    made = steps(tmp_path / "a", first, second, **files, d=DEPLOYMENT)
    told = command("why", "base.yaml:6", made).stdout
    assert "image = 'nginx:v9': loses to over.yaml:6\n" in told
    assert command("impact", "base.yaml:6=v3", made).stdout.startswith("nothing changes: over.yaml:6 wins\n")
    value = values(made)["spec.template.spec.containers[0].image"]
    assert [one["layer"] for one in value["winner"]["parts"]] == ["resource"]
    assert losers(value) == [("base.yaml", 6, "nginx:v2", None), ("d.yaml", 4, "nginx:1.0", None)]
    both = steps(tmp_path / "b", first, other, **files, d=DEPLOYMENT)
    told = " ".join(command("why", "base.yaml:6", both).stdout.split())
    assert "image = 'reg.example/nginx:v2': wins, as a part of it" in told


def test_a_step_that_takes_a_value_from_a_secret_leaves_what_the_author_wrote_in_the_record_below_it(tmp_path):
    for number, text in enumerate(("x: base", "x: other")):  # what the first step writes, and another value
        (tmp_path / str(number)).mkdir()
        made = steps(
            tmp_path / str(number),
            "{layers: [{name: own, values: {x: base}}], targets: [{kind: Widget, fields: {spec.a: x}}]}",
            "{layers: [{secret: s}], targets: [{kind: Widget, fields: {spec.a: x}, allowSecrets: true}]}",
            w=WIDGET.format(spec="a: orig"),
            s=f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{v: '{text}'}}\n",
        )
        assert command("render", made).returncode == 0
        once = (made / "w.yaml").read_text()
        assert command("render", made).stdout + (made / "w.yaml").read_text() == once
        for name in ("l2", "l1"):
            assert command("revert", f"layered-values/{name}", made).returncode == 0
        assert (made / "w.yaml").read_text() == WIDGET.format(spec="a: orig")


def test_a_member_that_one_value_adds_to_the_map_of_another_is_told_beside_its_other_members(tmp_path):
    patch = "{{op: add, path: {path}}}"
    package = f"""\
apiVersion: packages.glasskube.dev/v1alpha1
kind: ClusterPackage
metadata: {{name: app}}
spec:
  packageInfo: {{name: app, version: v1}}
  values:
    b: {{value: brisk}}
    a: {{value: "true"}}
---
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata: {{name: app}}
spec:
  manifest:
    name: app
    scope: Cluster
    defaultNamespace: n
    helm: {{repositoryUrl: 'https://x.example', chartName: app, chartVersion: '1', values: {{}}}}
    valueDefinitions:
      b: {{type: text, targets: [{{chartName: app, patch: {patch.format(path="/sound/tone")}}}]}}
      a:
        type: boolean
        targets: [{{chartName: app, patch: {patch.format(path="/sound")}, valueTemplate: '{{"on": {{{{.}}}}, "x": {{"y": 1}}}}'}}]
"""
    made = write(tmp_path, {"Kptfile": kptfile("exec: krm-glasskube-values"), "all.yaml": package})
    told = {path: one for path, one in values(made).items() if "sound" in path}
    assert {path: (one["value"], one["winner"]["line"], losers(one)) for path, one in told.items()} == {
        "spec.values.sound.on": (True, 8, []),
        "spec.values.sound.x": ({"y": 1}, 8, []),
        "spec.values.sound.tone": ("brisk", 7, []),
    }


def test_a_line_with_an_anchor_has_what_its_aliases_repeat(tmp_path):
    text = "base: &b\n  x: 1\ntwo: *b\nthree: *b\nfour:\n  <<: *b\n  x: 3\nfive:\n  <<: *b\n  y: 2\ns1: &s text\ns2: *s"
    made = steps(
        tmp_path,
        "{layers: [{configMap: cm}, {name: i, values: {three: {x: 9}}}], targets: [{configMap: out}]}",
        cm=layer("cm", text),
    )

    def told(line: int) -> list[str]:
        out = command("why", f"cm.yaml:{line}", made).stdout
        return [one.strip() for one in out.splitlines() if " = " in one]

    wins = "base.x = 1: wins", "two.x = 1: wins", "three.x = 9: loses to l1.yaml:4", "five.x = 1: wins"
    assert told(7) == [*wins]
    assert told(6) == [*wins[:3]]
    assert told(12) == ["four.x = 3: wins"]
    assert told(16) == ["s1 = text: wins", "s2 = text: wins"]
    assert told(17) == ["s2 = text: wins"]


def test_of_very_many_aliases_some_are_answered_for_and_the_others_counted(tmp_path):
    text = "base: &b 1\n" + "\n".join(f"k{number:03}: *b" for number in range(150))
    made = steps(tmp_path, "{layers: [{configMap: cm}], targets: [{configMap: out}]}", cm=layer("cm", text))
    told = command("why", "cm.yaml:6", made).stdout
    assert told.count(": wins\n") == 101
    assert told.endswith("\n50 more places repeat it\n")
    bomb = "a: &a 1\n" + "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}' if n else '*a'] * 9)}]" for n in range(6))
    (tmp_path / "bomb").mkdir()
    hostile = steps(tmp_path / "bomb", "{layers: [{configMap: cm}], targets: [{configMap: out}]}", cm=layer("cm", bomb))
    assert command("why", "cm.yaml:6", hostile).returncode in (0, 1)
