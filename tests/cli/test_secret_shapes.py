"""Shapes of packages in which an answer, a record or a mark once had a Secret's value, or its digest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from tests.cli.packages import command, kptfile, write

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData: {{v: '{value}'}}\n"
LAYERS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {{name: lv}}
spec:
  layers: [{{secret: s}}]
  targets:
  - {target}
"""
FOO = "apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\n"
IN_LIST = f"{FOO}spec:\n  c:\n  - v: q\n    i: 1\n"
INTO_LIST = '{kind: Foo, allowSecrets: true, fields: {"spec.c[0].v": a}}'
ONE_STEP = kptfile("exec: krm-layered-values, configPath: lv.yaml")


def package(folder: Path, target: str, files: dict[str, str], value: str = "MARK1x", steps: str = ONE_STEP) -> Path:
    text = files.get("s.yaml") or SECRET.format(value=f"a: {value}")
    return write(folder, {"Kptfile": steps, "lv.yaml": LAYERS.format(target=target), "s.yaml": text, **files})


def rendered(folder: Path) -> Path:
    done = command("render", ".", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def edited(folder: Path, old: str, new: str, file: str = "d.yaml") -> Path:
    path = folder / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    return folder


def note(folder: Path, name: str, file: str = "d.yaml") -> str:
    return str(yaml.safe_load((folder / file).read_text())["metadata"]["annotations"][f"krm-values.dev/{name}"])


def without_steps(folder: Path) -> Path:
    (folder / "Kptfile").write_text(kptfile())
    (folder / "lv.yaml").unlink()
    return folder


def said(folder: Path, *words: str) -> str:
    done = command(*words, cwd=folder)
    return done.stdout + done.stderr


MADE = '{kind: Foo, allowSecrets: true, fields: {"spec.new.x": {value: ., missing: create}}}'


@pytest.mark.parametrize(
    ("target", "text", "old", "new"),
    [
        (INTO_LIST, IN_LIST, "i: 1", "i: 2"),
        (MADE, f"{FOO}spec:\n  y: 1\n", "  new:\n", "  new:\n    beside: 1\n"),
    ],
)
def test_a_record_never_has_the_value_when_something_beside_it_was_edited(tmp_path, target, text, old, new):
    folder = edited(rendered(package(tmp_path / "package", target, {"d.yaml": text})), old, new)
    for words in (["render", "--diff", "."], ["explain", ".", "--patch"], ["explain", ".", "--all"]):
        assert "MARK1x" not in said(folder, *words), words
    assert "MARK1x" not in note(rendered(folder), "undo.layered-values.lv")
    edited(folder, "a: MARK1x", "a: MARK2x", "s.yaml")
    assert "MARK" not in note(rendered(folder), "undo.layered-values.lv")
    assert "MARK2x" in (folder / "d.yaml").read_text()


def test_nor_does_one_of_a_later_step(tmp_path):
    first = LAYERS.format(target="{kind: Foo, fields: {spec.z: z}}").replace("name: lv", "name: lv1")
    first = first.replace("{secret: s}", "{name: i, values: {z: 2}}")
    steps = kptfile("exec: krm-layered-values, configPath: lv1.yaml", "exec: krm-layered-values, configPath: lv.yaml")
    files = {"d.yaml": IN_LIST + "  z: 1\n", "lv1.yaml": first}
    folder = edited(rendered(package(tmp_path / "package", INTO_LIST, files, steps=steps)), "i: 1", "i: 2")
    edited(folder, "z: 2", "z: 4", "lv1.yaml")  # so that the first step leaves another object
    for _ in range(2):
        assert "MARK1x" not in note(rendered(folder), "undo.layered-values.lv")
    assert "MARK1x" in (folder / "d.yaml").read_text()
    assert "MARK1x" not in said(folder, "explain", ".", "--all")


def test_a_mark_covers_an_element_that_may_have_moved(tmp_path):
    folder = edited(rendered(package(tmp_path / "package", INTO_LIST, {"d.yaml": IN_LIST})), "i: 1", "i: 2")
    assert command("clean", ".", cwd=folder).returncode == 0
    assert "MARK1x" not in said(without_steps(folder), "explain", ".", "--all")


def test_a_page_hides_a_list_that_is_partly_from_a_secret(tmp_path):
    for name in ("one", "two"):
        folder = package(
            tmp_path / name, "{configMap: o, allowSecrets: true}", {"s.yaml": SECRET.format(value=f"l: [MARK-{name}]")}
        )
        edited(
            folder,
            "layers: [{secret: s}]",
            "layers: [{secret: s}, {name: i, values: {l: [q]}}]\n  merge: {l: append}",
            "lv.yaml",
        )
    done = command("compare", str(tmp_path / "one"), str(tmp_path / "two"), "--html", str(tmp_path / "p.html"), cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "MARK" not in (tmp_path / "p.html").read_text()


def test_a_later_step_hashes_no_value_of_an_earlier_one(tmp_path):
    later = LAYERS.format(target='{kind: Foo, fields: {"spec.c[0].i": z}}').replace("name: lv", "name: lv2")
    later = later.replace("{secret: s}", "{name: i, values: {z: 2}}")
    steps = kptfile("exec: krm-layered-values, configPath: lv.yaml", "exec: krm-layered-values, configPath: lv2.yaml")
    texts = []
    for value in ("MARK1x", "another"):
        folder = package(tmp_path / value, INTO_LIST, {"d.yaml": IN_LIST, "lv2.yaml": later}, value, steps)
        texts.append(note(rendered(folder), "undo.layered-values.lv2"))
        assert rendered(folder)
        assert note(folder, "undo.layered-values.lv2") == texts[-1]
    assert texts[0] == texts[1]


def test_a_copy_in_a_secret_that_a_resource_holds_is_hidden(tmp_path):
    inner = "apiVersion: v1, kind: Secret, metadata: {name: e, annotations: {kubectl.kubernetes.io/last-applied-configuration: MARK1x}}"
    folder = package(
        tmp_path / "package", '{kind: Foo, fields: {"spec.b": x}}', {"d.yaml": f"{FOO}spec:\n  list: [{{{inner}}}]\n  b: 1\n"}
    )
    edited(folder, "{secret: s}", "{from: {kind: Foo}, path: spec.list, at: x}", "lv.yaml")
    for words in (["values", "."], ["explain", ".", "--all"], ["clean", "."]):
        assert "MARK1x" not in said(folder, *words), words


def test_no_column_tells_how_long_a_value_is(tmp_path):
    target = "{kind: Foo, allowSecrets: true, fields: {spec.a: a, spec.b: z}}"
    found = []
    for value in ("MARK1x", "MARK1x-and-more"):
        files = {"d.yaml": f"{FOO}spec: {{a: q, b: 1}}\n", "s.yaml": SECRET.format(value=f"{{a: {value}, z: 3}}")}
        folder = rendered(package(tmp_path / value, target, files))
        listed = json.loads(command("explain", ".", "--json", cwd=folder).stdout)["values"]
        found.append([(one["path"], cell.get("line"), cell.get("column")) for one in listed for cell in one["overridden"]])
    assert found[0] == found[1]
    assert found[0]


STAMPED = """\
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: w, namespace: n, labels: {k: web}}
spec: {params: []}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: c}
spec:
  selector: {k: web}
  resources: [{name: l, templateRef: {kind: ClusterTemplate, name: t}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: t}
spec: {template: {apiVersion: x.io/v1, kind: Foo, metadata: {name: o, labels: {own: a}}, spec: {y: 1}}}
"""


def test_a_label_of_a_stamped_object_is_hidden(tmp_path):
    fields = "spec.template.metadata.labels.q: a, spec.template.spec.z: a"
    target = f"{{kind: ClusterTemplate, allowSecrets: true, missing: create, fields: {{{fields}}}}}"
    steps = kptfile("exec: krm-layered-values, configPath: lv.yaml", "exec: krm-cartographer-params, configPath: f.yaml")
    files = {
        "r.yaml": STAMPED,
        "f.yaml": "apiVersion: krm-values.dev/v1alpha1\nkind: CartographerParams\nmetadata: {name: f}\n",
    }
    folder = package(tmp_path / "package", target, files, steps=steps)
    for words in (["render", "--diff", "."], ["explain", ".", "--all"], ["values", "."]):
        assert "MARK1x" not in said(folder, *words), words
    assert "metadata.labels.own = a\n" in said(folder, "explain", ".", "--all")
    rendered(folder)
    assert command("clean", ".", cwd=folder).returncode == 0
    assert "MARK1x" not in said(without_steps(folder), "explain", ".", "--all")


def test_what_is_replaced_as_a_whole_is_hidden_if_an_earlier_run_wrote_a_value_there(tmp_path):
    """The map around a value that is no secret holds one of the last run, which its record does not find any more."""
    target = '{kind: Foo, allowSecrets: true, fields: {"spec.c[0].m": .}}'
    files = {"d.yaml": f"{FOO}spec:\n  c:\n  - m: {{k: 1}}\n    i: 1\n"}
    folder = package(tmp_path / "package", target, files)
    edited(folder, "layers: [{secret: s}]", "layers: [{secret: s}, {name: i, values: {keep: 2}}]", "lv.yaml")
    edited(rendered(folder), "i: 1", "i: 2")
    edited(folder, "layers: [{secret: s}, {name: i, values: {keep: 2}}]", "layers: [{name: i, values: {keep: 3}}]", "lv.yaml")
    shown = said(folder, "explain", ".")
    assert "spec.c[0].m.keep = 3\n" in shown
    assert "at spec.c[0].m" in shown
    for words in (["explain", "."], ["explain", ".", "--all"], ["explain", ".", "--json"], ["values", "."]):
        assert "MARK1x" not in said(folder, *words), words


def test_a_step_that_keeps_no_record_any_more_marks_what_it_wrote_out_of_a_secret(tmp_path):
    """Else a later step that reads it would take it for the author's."""
    later = (
        LAYERS.replace("name: lv", "name: later")
        .replace("secret: s", "from: {{kind: Foo}}, path: spec")
        .format(target="{kind: Bar, allowSecrets: true, fields: {spec.v: v}}")
    )
    steps = kptfile("exec: krm-layered-values, configPath: lv.yaml", "exec: krm-layered-values, configPath: later.yaml")
    files = {
        "f.yaml": f"{FOO}spec: {{v: none}}\n",
        "b.yaml": "apiVersion: x.io/v1\nkind: Bar\nmetadata: {name: b}\nspec: {v: none}\n",
    }
    made = package(
        tmp_path, "{kind: Foo, allowSecrets: true, fields: {spec.v: a}}", {**files, "later.yaml": later}, steps=steps
    )
    assert command("render", made).returncode == 0
    (made / "lv.yaml").write_text((made / "lv.yaml").read_text().replace("spec:\n", "spec:\n  record: false\n", 1))
    for _ in range(2):
        done = command("explain", made, "--json")
        assert done.returncode == 0, done.stderr
        assert "MARK1x" not in done.stdout
        assert command("render", made).returncode == 0
        assert "krm-values.dev/from-secret: '[\"/spec/v\"]'" in (made / "f.yaml").read_text()
        assert '"path":"/spec/v","secret":true' in (made / "b.yaml").read_text()


PATCHED = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: ClusterPackage
metadata: {name: app}
spec:
  packageInfo: {name: app, version: v1}
  values: {k: {valueFrom: {secretRef: {name: s, namespace: n, key: v}}}}
---
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata: {name: app}
spec:
  manifest:
    name: app
    valueDefinitions:
      k:
        type: text
        targets: [{resource: {apiGroup: x.io/v1, kind: Foo, name: f}, patch: PATCH}]
---
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: n}
stringData: {v: MARK1x}
"""


def test_a_record_has_no_key_that_a_template_made_of_a_secret(tmp_path):
    text = PATCHED.replace("PATCH", """{op: replace, path: /spec/x}, valueTemplate: '{"{{ . }}": 1}'""")
    files = {"Kptfile": kptfile("exec: krm-glasskube-values"), "all.yaml": text, "f.yaml": f"{FOO}spec: {{x: 1}}\n"}
    made = write(tmp_path, files)
    assert command("render", made).returncode == 0
    found = (made / "f.yaml").read_text()
    assert found.count("MARK1x") == 1
    assert '{"op":"replace","path":"/spec/x","secret":true,"value":1}' in found
    for words in ([], ["--patch"], ["--all"]):
        assert "MARK1x" not in command("explain", made, *words).stdout


def test_a_record_of_a_map_has_no_key_that_a_template_made_of_a_secret(tmp_path):
    """Though the map before it has keys, too."""
    text = PATCHED.replace("PATCH", """{op: replace, path: /spec/x}, valueTemplate: '{"{{ . }}": {"k": "{{ . }}"}}'""")
    files = {"Kptfile": kptfile("exec: krm-glasskube-values"), "all.yaml": text, "f.yaml": f"{FOO}spec: {{x: {{own: 1}}}}\n"}
    made = write(tmp_path, files)
    for words in (["render", "--diff", "."], ["explain", ".", "--patch"]):
        assert "MARK1x" not in said(made, *words)
    assert command("render", made).returncode == 0
    assert '{"op":"replace","path":"/spec/x","secret":true,"value":{"own":1}}' in (made / "f.yaml").read_text()
    public = edited(made, "valueFrom: {secretRef: {name: s, namespace: n, key: v}}", "value: pub", "all.yaml")
    assert "MARK1x" not in said(public, "render", "--diff", ".")
    assert "MARK1x" not in said(public, "clean", ".")


def test_an_element_out_of_a_secret_that_moved_by_hand_is_not_written_twice(tmp_path):
    """No record has its digest, so that it is not found again."""
    text = PATCHED.replace("PATCH", "{op: add, path: /spec/c/-}")
    files = {"Kptfile": kptfile("exec: krm-glasskube-values"), "all.yaml": text, "f.yaml": f"{FOO}spec: {{c: [q]}}\n"}
    made = write(tmp_path, files)
    done = command("render", made)
    assert done.returncode == 0, done.stderr
    file = made / "f.yaml"
    file.write_text(file.read_text().replace("c: [q", "c: [new, q"))
    before = file.read_text()
    done = command("render", made)
    assert done.returncode == 1
    assert "`spec.c`: was edited by hand, and an earlier run added an element out of a Secret" in done.stderr
    assert file.read_text() == before
    file.write_text(before.replace("[new, q, MARK1x]", "[q, MARK1x]"))
    assert command("render", made).returncode == 0
    file.write_text(f"{FOO}spec: {{c: [new, q]}}\n")
    assert command("render", made).returncode == 0
    assert file.read_text().count("MARK1x") == 1


WIDGET = "apiVersion: x.dev/v1\nkind: Foo\nmetadata: {name: f}\nspec:\n"
BESIDE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: b}}\ndata:\n  v: |\n    {values}\n"


def test_what_a_secret_adds_to_a_map_beside_a_configmap_is_recorded_as_secret(tmp_path):
    """The own map loses a key, so that it is no edit as a whole."""
    target = "{kind: Foo, allowSecrets: true, fields: {spec.m: map}}"
    layers = LAYERS.replace("[{{secret: s}}]", "[{{configMap: b}}, {{secret: s}}]").format(target=target)
    files = {"d.yaml": f"{WIDGET}  m: {{own: 1}}\n", "b.yaml": BESIDE.format(values="map: {pub: 1}")}
    made = package(tmp_path, target, files, value="MARK1x")
    (made / "lv.yaml").write_text(layers)
    (made / "s.yaml").write_text(SECRET.format(value="map: {key: MARK1x}"))
    assert "MARK1x" not in said(rendered(made), "render", "--diff", ".")
    record = json.loads(note(made, "undo.layered-values.lv"))
    (entry,) = [one for one in record["undo"] if one["path"] == "/spec/m/key"]
    assert entry == {"op": "remove", "path": "/spec/m/key", "secret": True}
    assert "MARK1x" not in said(made, "impact", "Kptfile:6") + said(made, "explain", ".", "--all")
    without = without_steps(made)
    assert "MARK1x" not in said(without, "explain", ".", "--all") + said(without, "clean", ".")
    assert '["/spec/m/key"]' in (without / "d.yaml").read_text()
    assert "MARK1x" not in said(without, "explain", ".", "--all")


def test_an_element_of_values_from_a_secret_is_not_taken_for_another_of_its_form(tmp_path):
    """Its digest has none of its values, and an element of the author's has the same keys: a render must not take that one out."""
    target = "{kind: Foo, allowSecrets: true, fields: {spec.l: l}}"
    layers = LAYERS.replace("[{{secret: s}}]", "[{{configMap: b}}, {{secret: s}}]").format(target=target)
    files = {"d.yaml": f"{WIDGET}  l:\n  - {{name: own, val: 2}}\n", "b.yaml": BESIDE.format(values="l: [{name: pub, val: 1}]")}
    made = package(tmp_path, target, files)
    (made / "lv.yaml").write_text(f"{layers}  merge: {{l: {{by: name}}}}\n")
    (made / "s.yaml").write_text(SECRET.format(value="l: [{name: MARK1x, val: 5}]"))
    edited(rendered(made), "    val: 5\n", "")
    for words in (["render", "--diff", "."], ["explain", "."], ["check", "."]):
        told = said(made, *words)
        assert "MARK1x" not in told
        assert "was edited by hand, and an earlier run added an element out of a Secret" in told
