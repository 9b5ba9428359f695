"""Where cells stand that are not at a line of their own: above the value, in a text within a text, in a list that has lost them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cli.packages import command, kptfile, write

from krm_values._explain.model import order

EXAMPLES = Path(__file__).parents[2] / "examples"
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: lv}\nspec:\n"
ONE_STEP = kptfile("exec: krm-layered-values, configPath: lv.yaml")


def values(package: Path) -> list[dict]:
    return json.loads(command("explain", package, "--json").stdout)["values"]


def test_a_loser_of_an_inline_layer_says_at_which_path_it_stood(tmp_path):
    layers = "  layers:\n  - {name: one, values: {m: {x: 1}}}\n  - {name: two, values: {m: 5}}\n  - {name: three, values: {m: {y: 2}}}\n"
    package = write(tmp_path, {"Kptfile": ONE_STEP, "lv.yaml": f"{CONFIG}{layers}  targets:\n  - {{configMap: out}}\n"})
    (found,) = (one for one in values(package) if one.get("inner") == "m.y")
    assert [(cell["layer"], cell["at"]) for cell in found["overridden"]] == [("two", "m"), ("one", "m")]


def test_a_text_within_a_text_is_hidden_if_a_secret_is_in_it(tmp_path):
    target = "  targets:\n  - {kind: ConfigMap, name: t, allowSecrets: true, fields: {'data[\"o.yaml\"].deep.b': b}}\n"
    secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: sec}\nstringData: {v: "b: s3cr3t"}\n'
    text = '  o.yaml: |\n    deep: \'{"b": "zero"}\'\n    plain: shown\n'
    files = {"s.yaml": secret, "t.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: t}}\ndata:\n{text}"}
    config = f"{CONFIG}  layers: [{{secret: sec}}]\n{target}"
    package = write(tmp_path, {"Kptfile": ONE_STEP, "lv.yaml": config, **files})
    for _ in range(2):
        assert command("values", package).stdout == "deep: <hidden>\nplain: shown\n"
        assert command("render", package).returncode == 0
        assert "s3cr3t" in (package / "t.yaml").read_text()


def test_an_element_that_a_step_took_out_has_the_line_of_its_list(tmp_path):
    package = shutil.copytree(EXAMPLES / "flux-values/into-the-release", tmp_path / "p")
    assert command("render", package).returncode == 0
    lines = (package / "app/release.yaml").read_text().splitlines()
    kept = [cell for one in values(package) if one.get("removed") for cell in one["overridden"] if cell.get("kept")]
    assert {lines[cell["line"] - 1] for cell in kept} == {"  valuesFrom:"}


def test_a_copied_namespace_names_the_field_of_the_source_before_and_after_a_render(tmp_path):
    package = shutil.copytree(EXAMPLES / "pipelines/all-seven", tmp_path / "p", ignore=shutil.ignore_patterns(".expected"))
    for _ in range(2):
        found = (one for one in values(package) if one["resource"]["name"] == "cart-flux-values")
        (winner,) = (one["winner"] for one in found if one["path"] == "metadata.namespace")
        assert (winner["file"], winner["path"], winner["value"]) == ("workload.yaml", "metadata.namespace", "shop")
        assert winner["origin"] == "authored"
        assert command("render", package).returncode == 0


def test_a_value_that_a_reference_leads_to_has_its_own_losers_then_those_of_the_reference(tmp_path):
    layers = (
        "  references: true\n  layers:\n  - {name: one, values: {a: 11, b: 1, m: {x: 1}, l: [0]}}\n"
        "  - {name: two, values: {a: 10, b: 2, m: {x: 2}}}\n"
        "  - {name: three, values: {a: {$value: b}, again: {$value: a}, n: {$value: m}, l: [{$value: b}]}}\n"
    )
    targets = "  targets:\n  - {configMap: out}\n  - {kind: Thing, name: t, fields: {spec.a: a}}\n"
    thing = "apiVersion: a.b/v1\nkind: Thing\nmetadata: {name: t}\nspec: {a: 7}\n"
    package = write(tmp_path, {"Kptfile": ONE_STEP, "lv.yaml": f"{CONFIG}{layers}{targets}", "t.yaml": thing})
    told = {}
    for one in values(package):
        cells = [one["winner"], *one["overridden"]] if "winner" in one else []
        told[one.get("inner") or one["path"]] = [
            (cell["layer"], cell["value"], [hop["path"] for hop in cell["way"]]) for cell in cells
        ]
    a, again, n, element = (f"spec.layers[2].values.{key}" for key in ("a", "again", "n", "l[0]"))
    assert told["a"] == [("two", 2, [a]), ("one", 1, [a]), ("two", 10, []), ("one", 11, [])]
    assert told["spec.a"] == [*told["a"], ("resource", 7, [])]
    assert told["again"] == [("two", 2, [again, a]), ("one", 1, [again, a]), ("two", 10, [again]), ("one", 11, [again])]
    assert told["n.x"] == [("two", 2, [n]), ("one", 1, [n])]
    assert told["l[0]"][:2] == [("two", 2, [element]), ("one", 1, [element])]


def test_a_reference_is_because_of_both_layers(tmp_path):
    layers = "  references: true\n  layers:\n  - {name: one, values: {b: 1}}\n  - {name: two, values: {a: {$value: b}}}\n"
    package = write(tmp_path, {"Kptfile": ONE_STEP, "lv.yaml": f"{CONFIG}{layers}  targets:\n  - {{configMap: out}}\n"})
    found = json.loads(command("explain", package, "a", "--json").stdout)
    ((winner,),) = ([one["winner"]] for one in found["values"])
    named = [found["references"][index] for index in winner["because"]]
    assert [one["path"] for one in named if one["kind"] == "config"] == ["spec.layers[0]", "spec.layers[1]"]


def test_a_default_of_a_schema_is_the_lowest(tmp_path):
    properties = "a: {default: 1}, m: {default: {x: 0, z: 0}, properties: {x: {default: 2}}}, l: {default: [1]}, n: {default: 5}, r: {$ref: '#/$defs/r'}"
    schema = f"  schema: {{properties: {{{properties}}}, $defs: {{r: {{default: 8}}}}}}\n"
    layers = (
        "  layers:\n  - {name: one, values: {a: 3, m: {x: 4, y: 5}, l: [2]}}\n  - {name: two, values: {a: 6, n: null, r: 9}}\n"
    )
    config = f"{CONFIG}  references: true\n  nulls: remove\n{schema}{layers}  targets:\n  - {{configMap: out}}\n"
    package = write(tmp_path, {"Kptfile": ONE_STEP, "lv.yaml": config})
    told = {
        one["inner"]: [(cell["layer"], cell["value"]) for cell in (one["winner"], *one["overridden"])]
        for one in values(package)
        if "inner" in one
    }
    assert told == {
        "a": [("two", 6), ("one", 3), ("schema", 1)],
        "l": [("one", [2]), ("schema", [1])],
        "m.x": [("one", 4), ("schema", 2)],
        "m.y": [("one", 5)],
        "n": [("two", None), ("schema", 5)],
        "r": [("two", 9), ("schema", 8)],
    }


def test_a_part_of_a_string_overrides_what_the_string_would_be(tmp_path):
    layers = "  layers:\n  - {name: none, values: {n: {a: 1}, t: null}}\n  - {name: one, values: {n: a/x, t: '1'}}\n  - {name: two, values: {n: b/y, t: '2'}}\n"
    fields = "fields: {spec.image: [{value: n, part: name}, {value: t, part: tag}], spec.tag: [{value: t, part: tag}]}"
    targets = f"  targets:\n  - {{kind: Thing, name: t, {fields}}}\n"
    thing = "apiVersion: a.b/v1\nkind: Thing\nmetadata: {name: t}\nspec: {image: 'old:0', tag: 'old:0'}\n"
    package = write(tmp_path, {"Kptfile": ONE_STEP, "lv.yaml": f"{CONFIG}{layers}{targets}", "t.yaml": thing})
    told = {
        one["path"]: (
            one["value"],
            [(cell["layer"], cell["value"], [part["layer"] for part in cell.get("parts", ())]) for cell in one["overridden"]],
        )
        for one in values(package)
    }
    assert told == {
        "spec.image": ("b/y:2", [("one", "a/x:2", ["two"]), ("one", "b/y:1", ["two"]), ("resource", "old:0", [])]),
        "spec.tag": ("old:2", [("one", "old:1", ["resource"]), ("resource", "old:0", [])]),
    }


def test_the_parts_of_a_value_are_in_the_order_of_their_paths_not_of_the_keys_in_the_file(tmp_path):
    """A render puts the keys that it took away, and gives back, in another order."""
    deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n  m: {c: 1, b: 1, a: 1}\n"
    whole = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: whole}\ndata: {v: 'm: {}'}\n"
    parts = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: parts}\ndata:\n  v: |\n    m:\n      b: 7\n      a: 6\n      c: 5\n"
    )
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: {0}}}\nspec:\n"
    config += "  layers: [{{configMap: {0}}}]\n  targets: [{{kind: Deployment, fields: {{spec.m: m}}}}]\n"
    steps = [f"exec: krm-layered-values, configPath: {name}-config.yaml" for name in ("whole", "parts")]
    files = {"d.yaml": deployment, "whole.yaml": whole, "parts.yaml": parts, "Kptfile": kptfile(*steps)}
    configs = {f"{name}-config.yaml": config.format(name) for name in ("whole", "parts")}
    package = write(tmp_path, {**files, **configs})
    for _ in range(2):
        (found,) = (one for one in values(package) if one["path"] == "spec.m")
        assert [one["inner"] for one in found["winner"]["parts"]] == ["m", "m.a", "m.b", "m.c"]
        told = [line.split()[2] for line in command("explain", package).stdout.splitlines() if "<-" in line]
        assert told == ["whole.yaml:4", "parts.yaml:8", "parts.yaml:7", "parts.yaml:9"]
        assert command("render", package).returncode == 0


def test_values_are_sorted_by_their_paths_with_numbers_as_numbers():
    places = [(("l", 10), None), (("l", 2), None), (("b",), ("z",)), (("b",), ("a",)), (("b",), None)]
    assert sorted(places, key=lambda one: order(*one)) == [*reversed(places[2:]), places[1], places[0]]


def test_a_list_of_the_resource_that_loses_is_told_in_one_order_before_and_after_a_render(tmp_path):
    target = "  targets: [{kind: Thing, fields: {spec.l: l}}]\n"
    thing = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: t}\nspec:\n  l: [{z: 1, c: 2, b: {y: 1, a: 2}}]\n"
    config = f"{CONFIG}  layers: [{{name: one, values: {{l: [1]}}}}]\n{target}"
    package = write(tmp_path, {"Kptfile": ONE_STEP, "lv.yaml": config, "t.yaml": thing})
    told = []
    for _ in range(2):
        (found,) = (one for one in values(package) if one["path"] == "spec.l")
        told.append(json.dumps(found["overridden"][0]["value"]))
        assert command("render", package).returncode == 0
    assert told[0] == told[1]


def because(package: Path, at: str) -> list[tuple[str, str, int, str]]:
    """Kind, file, line and path of why the winner of a value is there; the value is at this path in its text or object."""
    told = json.loads(command("explain", package, "--json").stdout)
    (found,) = (one for one in told["values"] if one.get("inner", one["path"]) == at)
    named = [told["references"][index] for index in found["winner"]["because"]]
    return [(one["kind"], one["file"], one.get("line", 0), one["path"]) for one in named if one["kind"] != "step"]


RELEASE = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: team}\nspec:\n"
VALUES = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: team}\ndata: {values.yaml: "replicas: 1"}\n'
ENTRY = "{kind: ConfigMap, name: base}"
TARGET = "  targets: [{kind: HelmRelease, fields: {spec.valuesFrom: {value: %s, missing: create}}}]\n"
THEN_FLUX = kptfile("exec: krm-layered-values, configPath: lv.yaml", "exec: krm-flux-values")


def test_an_entry_that_an_earlier_step_wrote_is_named_where_its_layer_has_it(tmp_path):
    """Not in the release, where it is not before a render, and where an edit does not last after it."""
    layer = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: team, namespace: team}}\ndata:\n  v: |\n    other: 1\n    from:\n    - {ENTRY}\n"
    config = f"{CONFIG}  layers: [{{configMap: team, namespace: team}}]\n{TARGET % 'from'}"
    files = {"release.yaml": f"{RELEASE}  chart: {{}}\n", "values.yaml": VALUES, "team.yaml": layer, "lv.yaml": config}
    package = write(tmp_path, {"Kptfile": THEN_FLUX, **files})
    for _ in range(2):
        entry, source = because(package, "replicas")
        assert entry == ("entry", "team.yaml", 8, "data.v")
        assert source[:3] == ("source", "release.yaml", 3)
        assert command("render", package).returncode == 0


def with_element_before(kind: str, path: str) -> dict[str, str]:
    """A Package that puts an element into a list of an object, before those of the author."""
    group, kind, name = kind.split(" ")
    at = f"{{apiGroup: {group}, kind: {kind}, name: {name}, namespace: team}}"
    patch = f'{{op: add, path: {path}/0}}, valueTemplate: \'{{"kind": "ConfigMap", "name": "{{{{ . }}}}", "optional": true}}\''
    definitions = f"{{layer: {{type: text, targets: [{{resource: {at}, patch: {patch}}}]}}}}"
    manifests = f"  manifests: [{{name: p, scope: Namespaced, defaultNamespace: team, valueDefinitions: {definitions}}}]\n"
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: GlasskubeValues\nmetadata: {name: g}\nspec:\n"
    package = "apiVersion: packages.glasskube.dev/v1alpha1\nkind: Package\nmetadata: {name: p, namespace: team}\n"
    spec = "spec: {packageInfo: {name: p, version: v1.0.0}, values: {layer: {value: none}}}\n"
    return {"g.yaml": f"{config}{manifests}", "p.yaml": f"{package}{spec}"}


def test_an_entry_before_which_an_earlier_step_puts_others_is_named_at_its_line(tmp_path):
    release = f"{RELEASE}  chart: {{}}\n  valuesFrom:\n  - {ENTRY}\n"
    steps = kptfile("exec: krm-glasskube-values, configPath: g.yaml", "exec: krm-flux-values")
    files = with_element_before("helm.toolkit.fluxcd.io/v2 HelmRelease web", "/spec/valuesFrom")
    package = write(tmp_path, {"Kptfile": steps, "release.yaml": release, "values.yaml": VALUES, **files})
    for line in (7, 10):
        assert (package / "release.yaml").read_text().splitlines()[line - 1] == f"  - {ENTRY}"
        assert because(package, "replicas")[0] == ("entry", "release.yaml", line, "spec.valuesFrom[0]")
        assert command("render", package).returncode == 0


def test_a_value_before_which_an_earlier_run_put_others_is_told_and_asked_for_at_its_line(tmp_path):
    thing = "apiVersion: a.b/v1\nkind: Thing\nmetadata: {name: t, namespace: team}\nspec:\n  l:\n  - name: url\n    value: 7\n"
    layer = "{name: one, from: {kind: Thing, name: t, namespace: team}, path: 'spec.l[name=url].value', at: a}"
    config = f"{CONFIG}  layers: [{layer}]\n  targets: [{{configMap: out}}]\n"
    steps = kptfile("exec: krm-glasskube-values, configPath: g.yaml", "exec: krm-layered-values, configPath: lv.yaml")
    files = {"t.yaml": thing, "lv.yaml": config, **with_element_before("a.b/v1 Thing t", "/spec/l")}
    package = write(tmp_path / "p", {"Kptfile": steps, **files})
    for line in (7, 10):
        (found,) = (one for one in values(package) if one.get("inner") == "a")
        cell = found["winner"]
        assert (cell["line"], cell["path"], cell["origin"], "kept" in cell) == (line, "spec.l[0].value", "authored", False)
        assert "  a = 7: wins" in command("why", f"{package}/t.yaml:{line}").stdout
        assert command("render", package).returncode == 0
    assert "a = 7" not in command("why", f"{package}/t.yaml:7").stdout
    other = shutil.copytree(package, tmp_path / "other")
    (other / "t.yaml").write_text((other / "t.yaml").read_text().replace("value: 7", "value: 8"))
    told = command("compare", package, other).stdout.splitlines()
    assert [line.strip() for line in told if "->" in line] == [
        "a 7 -> 8  because t.yaml:10 changed",
        "spec.l[1].value 7 -> 8  because t.yaml:10 changed",
    ]


def test_all_that_layers_are_there_for_is_in_the_sources(tmp_path):
    package = shutil.copytree(EXAMPLES / "pipelines/all-seven", tmp_path / "p", ignore=shutil.ignore_patterns(".expected"))
    sources = {str(path.relative_to(package)) for path in package.rglob("*.yaml")} | {"Kptfile"}
    found = []
    for _ in range(2):
        told = json.loads(command("explain", package, "--json").stdout)["references"]
        assert [one for one in told if one["file"] not in sources or "line" not in one] == []
        found.append([(one["kind"], one["file"], one["path"]) for one in told if "environments" not in one["file"]])
        assert command("render", package).returncode == 0
    assert found[0] == found[1]
    entries = {(file, path) for kind, file, path in found[0] if kind == "entry"}
    assert ("chain/templates.yaml", "spec.template.spec.valuesFrom[0]") in entries
    assert ("chain/templates.yaml", "spec.template.spec.values") in entries
    assert ("layers.yaml", 'data["values.yaml"]') in entries
