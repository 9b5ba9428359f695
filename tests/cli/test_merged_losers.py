"""A key over one that `<<` merges into its own map: without it that value counts, so it is the next loser."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write
from tests.secrets.looks import showing

MANY = 40
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: config}\n"
STEP = "exec: krm-flux-values, configPath: config.yaml"
LAYER = "apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: t}}\n{field}:\n  values.yaml: |\n{text}"
RELEASE = (
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: t}\nspec:\n"
    "  valuesFrom:\n  - {kind: ConfigMap, name: a}\n  - {kind: Secret, name: s}\n"
)


def package(folder: Path, a: str, own: str = "", secret: str = "z: 1\n") -> Path:
    texts = {"ConfigMap": a, "Secret": secret}
    layers = {
        kind: LAYER.format(kind=kind, name=kind[0].lower().replace("c", "a"), field=field, text=indented(texts[kind], 4))
        for kind, field in (("ConfigMap", "data"), ("Secret", "stringData"))
    }
    values = f"  values:\n{indented(own, 4)}" if own else ""
    files = {"Kptfile": kptfile(STEP), "config.yaml": CONFIG, "release.yaml": RELEASE + values}
    return write(folder, {**files, "a.yaml": layers["ConfigMap"], "s.yaml": layers["Secret"]})


def indented(text: str, size: int) -> str:
    return "".join(f"{' ' * size}{line}" for line in text.splitlines(keepends=True))


def cells(made: Path) -> dict[str, list[tuple[object, str, int]]]:
    """Value or `hidden`, file and line of each cell, by the paths of the values."""
    values = json.loads(command("explain", made, "--json").stdout)["values"]
    return {
        one["inner"]: [
            (cell.get("value", "hidden"), cell["file"], cell["line"]) for cell in (one["winner"], *one["overridden"])
        ]
        for one in values
        if "inner" in one
    }


def test_the_merged_value_of_each_layer_is_behind_its_own(tmp_path):
    text = "base: &b\n  p: 7\nown:\n  <<: *b\n  p: 8\n"
    made = package(tmp_path, text, text.replace("7", "1").replace("8", "5"))
    told = cells(made)
    assert told["own.p"] == [(5, "release.yaml", 13), (1, "release.yaml", 10), (8, "a.yaml", 10), (7, "a.yaml", 7)]
    assert "rule: values overrides what `<<` merges there and valuesFrom[0]: spec.values" in command("explain", made).stdout
    assert command("render", made).returncode == 0
    assert cells(made) == told


def test_merged_maps_that_merge_others_are_asked_the_nearest_first(tmp_path):
    text = "far: &f {x: 1, w: 1}\nnear: &n\n  <<: *f\n  x: 2\nown:\n  <<: [*n, *f]\n  x: 3\n  w: 3\n"
    told = cells(package(tmp_path, text))
    assert told["own.x"] == [(3, "a.yaml", 12), (2, "a.yaml", 9), (1, "a.yaml", 6)]
    assert told["own.w"] == [(3, "a.yaml", 13), (1, "a.yaml", 6)]
    assert told["near.x"] == [(2, "a.yaml", 9), (1, "a.yaml", 6)]


def test_below_the_key_go_takes_what_is_merged(tmp_path):
    told = cells(package(tmp_path, "base: &b {p: 7}\nown:\n  p: 8\n  <<: *b\n"))
    assert told["own.p"] == [(7, "a.yaml", 6)]


def test_what_a_secret_merges_is_hidden(tmp_path):
    made = package(tmp_path / "package", "z: 0\n", secret="base: &b {p: s3cretA}\nown:\n  <<: *b\n  p: s3cretB\n")
    assert cells(made)["own.p"] == [("hidden", "s.yaml", 9), ("hidden", "s.yaml", 6)]
    assert showing(made, "s3cret") == []


@pytest.mark.parametrize("number", range(MANY))
def test_without_its_line_a_key_has_the_next_cells_value(number, tmp_path):
    """The removal law, of texts with merge keys."""
    chance = random.Random(f"merged {number}")
    text = some_text(chance)
    made = package(tmp_path / "before", text, some_text(chance) if chance.random() < 0.5 else "")
    for path, found in [(path, found) for path, found in cells(made).items() if len(found) > 1]:
        (_, file, line), (wanted, *_) = found[:2]
        lines = (made / file).read_text(encoding="utf-8").splitlines(keepends=True)
        if path.count(".") != 1 or ": &" in lines[line - 1]:
            continue
        other = write(tmp_path / path, {one.name: one.read_text(encoding="utf-8") for one in made.iterdir()})
        (other / file).write_text("".join([*lines[: line - 1], *lines[line:]]), encoding="utf-8")
        assert cells(other)[path][0][0] == wanted, (path, found)


def some_text(chance: random.Random) -> str:
    """Maps of which later ones merge earlier ones, in texts that Go reads."""
    made: list[str] = []
    for number, name in enumerate("abcd"):
        merged = chance.sample("abcd"[:number], chance.randrange(min(number, 2) + 1))
        made.append(f"{name}: &{name}\n")
        made += [f"  <<: [{', '.join(f'*{one}' for one in merged)}]\n"] if merged else []
        made += [f"  {key}: {chance.randrange(10**6)}\n" for key in chance.sample("uvx", chance.randrange(1, 4))]
        made += ["  last: 0\n"]
    return "".join(made)
