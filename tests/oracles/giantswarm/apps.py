"""Random Apps: layers of both kinds at all priorities, whose texts clash and are odd now and then."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

KEYS = ["a", "b", "c", "d", "on", "y", "1", "x.y", "'quoted key'", '"\\u00e9"']
SCALARS = (
    "1 0 -0 3.0 1.10 1e3 1E400 0x1F 0o17 0644 08 1_000 .5 +.5 9007199254740993 1e21 1e-7 -1.5e300 true false yes No off y n "
    "null ~ Null text 2024-02-29 12:30:45 = 'y' \"n\" '08' '' '1e3' \"two\\nlines\\n\" ' outer ' '# no' \"\\U0001F600\" !!str 5"
)
ODD = [
    "",
    "null\n",
    "# nothing\n",
    "{}\n",
    "- 1\n",
    "text\n",
    "a: [1\n",
    "a: .nan\n",
    "~: 1\n",
    "? [x]\n: 1\n",
    "%YAML 1.2\n---\na: 1\n",
    'a: "x\\/y"\n',
    "a: 1\n---\nb: [\n",
    "a: 1\na: 2\n",
    "a: &x {b: 1}\nc: {<<: *x, d: 2}\n",
    "a: |\n  two\n  lines\nb: >-\n  folded\n  text\n",
    '{"a": {"b": [1, 2.50]}}\n',
    "a: !!binary aGk=\n",
    "\ta: 1\n",
]
LEVELS = {"catalog": 0.0, "config": 50.5, "userConfig": 100.5}


@dataclass
class App:
    """An App of one name, the objects around it, and its layers' texts in the order in which they merge."""

    items: list[dict[str, Any]]
    chains: dict[str, list[str]] = field(default_factory=dict)


def make(dice: random.Random) -> App:
    """One App in a list of its own."""
    layers = [(place, kind) for place in LEVELS for kind in ("ConfigMap", "Secret") if dice.random() < 0.6]
    extras = [
        (dice.choice(["ConfigMap", "Secret"]), dice.choice([None, 1, 25, 49, 50, 51, 75, 100, 101, 150]))
        for _ in range(dice.randint(0, 4))
    ]
    spec: dict[str, Any] = {
        "catalog": "c",
        "name": "n",
        "namespace": "n",
        "version": "1.0.0",
        "kubeConfig": {"inCluster": True},
    }
    catalog: dict[str, Any] = {}
    objects, placed = [], []
    for number, (place, kind) in enumerate(layers):
        key = "configMap" if kind == "ConfigMap" else "secret"
        held = text(dice)
        (catalog if place == "catalog" else spec).setdefault("config" if place == "catalog" else place, {})[key] = _name(number)
        objects.append(_object(kind, number, held, dice))
        placed.append((LEVELS[place], kind, held))
    for number, (kind, priority) in enumerate(extras, 10):
        entry = {**_name(number), "kind": "configMap" if kind == "ConfigMap" else "secret"}
        spec.setdefault("extraConfigs", []).append({**entry, "priority": priority} if priority else entry)
        held = text(dice)
        objects.append(_object(kind, number, held, dice))
        placed.append((float(priority or 25), kind, held))
    made = [_resource("App", "app", "t", spec=spec), _resource("Catalog", "c", "default", spec=catalog), *objects]
    order = sorted(placed, key=lambda layer: layer[0])
    return App(made, {kind: [held for _, of, held in order if of == kind] for kind in ("ConfigMap", "Secret")})


def text(dice: random.Random) -> str:
    """One layer's text."""
    if dice.random() < 0.04:
        return dice.choice(ODD)
    keys = dice.sample(KEYS, dice.randint(1, 4))
    return "".join(f"{key}: {_flow(dice, 0)}\n" for key in keys)


def _flow(dice: random.Random, depth: int) -> str:
    roll = dice.random()
    if depth < 3 and roll < 0.4:
        keys = dice.sample(KEYS, dice.randint(0, 3))
        return "{" + ", ".join(f"{key}: {_flow(dice, depth + 1)}" for key in keys) + "}"
    if depth < 3 and roll < 0.5:
        return "[" + ", ".join(_flow(dice, depth + 1) for _ in range(dice.randint(0, 3))) + "]"
    return dice.choice(_SCALARS)


def _name(number: int) -> dict[str, str]:
    return {"name": f"layer-{number}", "namespace": "t"}


def _object(kind: str, number: int, held: str, dice: random.Random) -> dict[str, Any]:
    from krm_values._run.objects import encode  # noqa: PLC0415

    if kind == "Secret" and dice.random() < 0.5:
        return _resource(kind, f"layer-{number}", "t", data={"values": encode(held)})
    return _resource(kind, f"layer-{number}", "t", **{"stringData" if kind == "Secret" else "data": {"values": held}})


def _resource(kind: str, name: str, namespace: str, **rest: Any) -> dict[str, Any]:
    group = "v1" if kind in ("ConfigMap", "Secret") else "application.giantswarm.io/v1alpha1"
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name, "namespace": namespace}, **rest}


_SCALARS = [
    word.replace("\x00", " ")
    for word in SCALARS.replace("' outer '", "'\x00outer\x00'")
    .replace("'# no'", "'#\x00no'")
    .replace("!!str 5", "!!str\x005")
    .split()
]
