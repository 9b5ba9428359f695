"""Fields that are created side by side, below one parent or within each other: each value is told by the layer that it is from."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from krm_values._data.errors import UserError
from tests.cli.packages import command, kptfile, write
from tests.ledger.packages import Told, text_of
from tests.secrets.looks import showing

MANY = 150
KEYS = "abcd"
MARK = "s3cret"
STEP = "exec: krm-layered-values, configPath: config.yaml"
HEADER = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: config}\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: pw}\nstringData: {v: 'c: s3cret'}\n"
THING = "apiVersion: x/v1\nkind: Thing\nmetadata: {name: t}\nspec: {}\n"


@pytest.mark.parametrize("fields", ["spec.n.b.c: {V: c, missing: create}", "'spec.n.l[name=x].v': {V: c, missing: create}"])
@pytest.mark.parametrize("beside", ["spec.n.a", "spec.n.b.a", "spec.m"])
def test_a_value_of_a_secret_beside_another_one(tmp_path, fields, beside):
    targets = f"[{{kind: Thing, allowSecrets: true, fields: {{{fields.replace('V', 'value')}, {beside}: {{value: a, missing: create}}}}}}]"
    config = (
        f"{HEADER}spec:\n  layers: [{{name: own, values: {{a: 7}}}}, {{name: pw, secret: pw, key: v}}]\n  targets: {targets}\n"
    )
    files = {"Kptfile": kptfile(STEP), "config.yaml": config, "t.yaml": THING, "pw.yaml": SECRET}
    package = write(tmp_path / "package", files)
    assert showing(package, MARK) == []
    told = {one["path"]: one for one in json.loads(command("explain", package, "--json").stdout)["values"]}
    assert {one["winner"]["layer"] for one in told.values() if one["kind"] == "decided"} == {"own", "pw"}
    assert told[beside]["value"] == 7
    assert command("render", package).returncode == 0
    assert '"blank":[' in (package / "t.yaml").read_text(encoding="utf-8")
    assert showing(package, MARK) == []


@pytest.mark.parametrize("number", range(MANY))
def test_each_value_is_told_by_its_layer_and_hidden_if_that_is_a_secret(number, tmp_path):
    chance = random.Random(f"created {number}")
    for _ in range(24):
        try:
            told = Told(side_by_side(chance), tmp_path / "package")
        except UserError:
            continue
        if not told.failed:
            break
    else:
        pytest.fail("no package of these can be rendered")
    for name, value in told.values.items():
        for cell in value.cells:
            assert cell.secret or MARK not in json.dumps(cell.value, default=str), name
        stands_in = value.kind == "decided" and value.cells and value.cells[0].layer.startswith("targets[")
        assert not stands_in or value.cells[0].value is None, name  # a map that is replaced removes what was in it


def side_by_side(chance: random.Random) -> dict[str, str]:
    """A package whose fields are created below and within each other, out of a ConfigMap's values and those of a Secret."""
    public = {f"p{number}": some_value(chance, "public") for number in range(4)}
    hidden = {f"s{number}": some_value(chance, MARK) for number in range(4)}
    hidden |= {name: some_value(chance, MARK) for name in public if chance.random() < 0.3}
    public |= {name: some_value(chance, "public") for name in hidden if name not in public and chance.random() < 0.3}
    names = [*dict.fromkeys([*public, *hidden])]
    targets = []
    for _ in range(chance.randrange(1, 3)):
        places = [some_path(chance) for _ in range(chance.randrange(2, 6))]
        fields = {at: {"value": chance.choice(names), "missing": "create", "optional": True} for at in places}
        targets.append({"kind": "Thing", "allowSecrets": True, "fields": fields})
    own = {key: chance.choice([None, {"a": 1, "d": 1}]) for key in chance.sample(KEYS, 2)} if chance.random() < 0.6 else {}
    layers: list[dict[str, Any]] = [{"name": "own", "values": public}, {"name": "pw", "secret": "pw", "key": "v"}]
    chance.shuffle(layers)
    thing = {"apiVersion": "x/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": own}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "pw"}, "stringData": {"v": text_of(hidden)}}
    config = HEADER + text_of({"spec": {"layers": layers, "targets": targets}})
    return {"Kptfile": kptfile(STEP), "config.yaml": config, "t.yaml": text_of(thing), "pw.yaml": text_of(secret)}


def some_path(chance: random.Random) -> str:
    parts = (chance.choice(KEYS) if chance.random() < 0.8 else "l[name=x]" for _ in range(chance.randrange(1, 5)))
    return ".".join(["spec", *parts])


def some_value(chance: random.Random, mark: str, depth: int = 0) -> Any:
    if depth > 1 or chance.random() < 0.6:
        return f"{mark}{chance.randrange(10**6)}"
    if chance.random() < 0.7:
        return {key: some_value(chance, mark, depth + 1) for key in chance.sample(KEYS, 2)}
    return [some_value(chance, mark, 2) for _ in range(2)]
