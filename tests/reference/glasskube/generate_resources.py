"""Random ConfigMaps, Secrets and things."""

from __future__ import annotations

import base64
from typing import Any

from tests.reference.glasskube.dice import TEXTS, Dice

Json = Any


def resources(dice: Dice) -> list[Json]:
    found: list[Json] = []
    for name in "cd":
        found += [holder(dice, "ConfigMap", name, space) for space in spaces(dice)]
    for name in "st":
        found += [holder(dice, "Secret", name, space) for space in spaces(dice)]
    for space in spaces(dice):
        spec = {"list": ["one", "two"][: dice.pick((1, 2, 2))], "size": 3, "map": dice.pick(({}, {"k": "v"}, {"j": [1]}))}
        if dice.chance(0.7):
            spec["rules"] = [{"host": "a", "paths": ["p"]}, {"host": "b", "paths": []}, {"host": "c"}][: dice.pick((1, 2, 3))]
        found.append({"apiVersion": "e.example/v1", "kind": "Thing", "metadata": {"name": "w", **space}, "spec": spec})
    for item in found:
        if dice.chance(0.15):
            item["metadata"]["annotations"] = {"own": "kept"}
    if dice.odd(3):
        made = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"}
        found.append(
            {**made, "metadata": {"name": f"{dice.pick('pq')}-{dice.pick('mn')}", "namespace": dice.pick("xy")}, "spec": {}}
        )
    return found


def spaces(dice: Dice) -> list[Json]:
    found = [{"namespace": space} for space in "xy" if not dice.odd(5)]
    return [*found, *([{}] if dice.chance(0.4) else [])]


def holder(dice: Dice, kind: str, name: str, space: Json) -> Json:
    """A ConfigMap or Secret with a value for each type."""
    texts = {key: dice.pick(texts) for key, texts in TEXTS.items()}
    if kind == "ConfigMap":
        return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **space}, "data": {"K": "old", **texts}}
    data = {key: base64.b64encode(text.encode()).decode() for key, text in {"K": "old", **texts}.items()}
    if dice.odd(3):
        data["bad"] = "%%"
    item = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **space}, "data": data}
    if dice.chance(0.2):
        item["stringData"] = {key: dice.pick(texts) for key, texts in TEXTS.items() if dice.chance(0.5)}
    return item
