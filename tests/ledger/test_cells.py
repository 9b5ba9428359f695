"""Where cells stand that are not at a line of their own: above the value, in a text within a text, in a list that has lost them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.cli.packages import command, kptfile, write

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
