"""Random chains of steps that write over each other, some of their layers Secrets: a second render changes nothing, and the author's values come back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.packages import command, kptfile, write
from tests.cli.test_seams import LAYERED

COUNT = 40
PLACES = [
    "spec.a",
    "spec.b",
    "spec.m",
    "spec.m.k",
    "spec.m.n",
    "spec.l[name=x].v",
    "spec.l[name=y].v",
    "spec.l[name=x]",
    "spec.t.k",
]


def value(picked: random.Random, place: str) -> Any:
    if place in ("spec.m", "spec.l[name=x]"):
        name = {"name": "x"} if "name" in place else {}
        return {**name, **{key: picked.choice([1, 2, 3]) for key in picked.sample(["k", "n", "v"], picked.randint(1, 3))}}
    return picked.choice([1, 2, 3])


def chain(picked: random.Random) -> dict[str, str]:
    """An object that has some of the places, and two to four steps that each write one to three of them, from one or two layers."""
    text = "# of the author\nk: 1 # one\n"
    spec = {
        "a": picked.choice([1, 2]),
        "m": value(picked, "spec.m"),
        "l": [{"name": name, "v": picked.choice([1, 2])} for name in picked.sample("xyz", 3)],
        "t": text,
    }
    files = {
        "w.yaml": yaml.safe_dump(
            {"apiVersion": "x.dev/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": spec}, sort_keys=False
        )
    }
    steps = []
    count = picked.randint(2, 4)
    for number in range(count):
        name = f"l{number}"
        layers: list[Any] = []
        fields: dict[str, str] = {}
        places = picked.sample(PLACES, picked.randint(1, 3))
        for place in places if picked.random() < 0.9 else places[:1]:
            if not any(place.startswith(other) or other.startswith(place) for other in fields):
                fields[place] = f"p{PLACES.index(place)}"
        for at in range(picked.randint(1, 2)):
            values = {key: value(picked, place) for place, key in fields.items() if picked.random() < 0.8 or not at}
            if picked.random() < (0.7 if number == count - 1 else 0.1):  # nothing may be written over what is from a Secret
                files[f"{name}-{at}.yaml"] = yaml.safe_dump(
                    {
                        "apiVersion": "v1",
                        "kind": "Secret",
                        "metadata": {"name": f"{name}-{at}"},
                        "stringData": {"v": yaml.safe_dump(values)},
                    }
                )
                layers.append({"secret": f"{name}-{at}"})
            else:
                layers.append({"name": f"{name}-{at}", "values": values})
        target = {"kind": "Widget", "fields": fields, "missing": "create", "allowSecrets": True}
        files[f"{name}.yaml"] = LAYERED.format(
            name=name,
            spec=yaml.safe_dump({"layers": layers, "targets": [target]}, default_flow_style=True, width=10**6).strip(),
        )
        steps.append(f"exec: krm-layered-values, configPath: {name}.yaml")
    return {"Kptfile": kptfile(*steps), **files}


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_chain_is_rendered_once_and_can_be_reverted(seed, tmp_path):
    made = write(tmp_path, chain(random.Random(f"chain {seed}")))
    check(made)


def check(made: Path) -> bool:
    """Return whether the package could be rendered."""
    original = (made / "w.yaml").read_text()
    if command("render", made).returncode:
        assert (made / "w.yaml").read_text() == original
        return False
    once = (made / "w.yaml").read_text()
    told = command("explain", made, "--json").stdout
    assert command("render", made).returncode == 0
    assert (made / "w.yaml").read_text() == once
    assert command("explain", made, "--json").stdout == told
    names = [
        one["configPath"].removesuffix(".yaml")
        for one in yaml.safe_load((made / "Kptfile").read_text())["pipeline"]["mutators"]
    ]
    for name in reversed(names):
        done = command("revert", f"layered-values/{name}", made)
        assert done.returncode in (0, 1), done.stderr
    assert yaml.safe_load((made / "w.yaml").read_text()) == yaml.safe_load(original)
    return True
