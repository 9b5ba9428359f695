"""Random Glasskube packages with few names, so that they meet: manifests, Packages, ConfigMaps, Secrets and things, and a config."""

from __future__ import annotations

import copy
from typing import Any

from tests.reference.glasskube.dice import API, FILES, SPACES, TEXTS, VALUES, Dice
from tests.reference.glasskube.generate_manifests import manifest
from tests.reference.glasskube.generate_resources import resources
from tests.reference.glasskube.notes import PATH

Json = Any


def case(seed: int) -> tuple[list[Json], dict[str, Json]]:
    """Items and config of one seed."""
    dice = Dice(seed)
    names = [dice.pick("mn") for _ in range(dice.pick((1, 1, 2)))]
    scope = "Cluster" if dice.chance(0.5) else "Namespaced"
    made = [manifest(dice, name, scope) for name in dict.fromkeys(names)]
    items = resources(dice)
    inline = []
    for data in made:
        where = dice.pick(("inline", "inline", "info", "wrapper"))
        inline += [data] if where == "inline" else []
        items += [] if where == "inline" else [carried(dice, data, where)]
        if dice.chance(0.2):
            items += others(dice, data, scope)
        if dice.odd(4):
            again = manifest(dice, data["name"], scope) if dice.chance(0.7) else copy.deepcopy(data)
            items.append(carried(dice, again, dice.pick(("info", "wrapper"))))
    items += packages(dice, made)
    dice.random.shuffle(items)
    for item in items:
        if dice.chance(0.5):
            item["metadata"].setdefault("annotations", {})[PATH] = dice.pick(FILES)
    return distinct(dice, items), config(dice, inline)


def others(dice: Dice, data: Json, scope: str) -> list[Json]:
    """Manifests of the same name, for other versions or repositories."""
    found = [
        carried(dice, manifest(dice, data["name"], scope), dice.pick(("info", "wrapper"))) for _ in range(dice.pick((1, 1, 2)))
    ]
    for item in found:
        item["spec"]["version"] = dice.pick(("v1", "v2", "v2", "v3"))
        item["spec"]["repositoryUrl" if item["kind"] == "PackageInfo" else "repositoryName"] = dice.pick("rst")
    return found


def distinct(dice: Dice, items: list[Json]) -> list[Json]:
    """The items without a second one of an identity, but now and then."""
    seen, kept = set(), []
    for item in items:
        key = (item["kind"], item["metadata"].get("namespace"), item["metadata"]["name"])
        if key not in seen or (dice.odd(5) and not item["kind"].endswith("Package")):
            kept.append(item)
        seen.add(key)
    return kept


def config(dice: Dice, inline: list[Json]) -> dict[str, Json]:
    made: dict[str, Json] = {"manifests": inline} if inline else {}
    if dice.chance(0.3):
        made["useDefaults"] = dice.pick((True, ["a"], ["a", "z", "B"]))
    if dice.chance(0.3):
        made["createParents"] = dice.pick((True, False))
    if dice.chance(0.3):
        made["typed"] = dice.pick((True, False))
    if dice.chance(0.3):
        made["allowMissing"] = [{"kind": dice.pick(("Secret", "ConfigMap")), "name": dice.pick("*ct"), **named_space(dice)}]
    if dice.chance(0.2):
        made["emit"] = dice.pick((["helm"], ["resources"], []))
    if dice.chance(0.1):
        made["record"] = False
    if dice.chance(0.15):
        made["strict"] = True
    return made


def named_space(dice: Dice) -> dict[str, Json]:
    return {"namespace": dice.pick("xy")} if dice.chance(0.4) else {}


def carried(dice: Dice, data: Json, where: str) -> Json:
    """A manifest as an item."""
    version = "v2" if dice.odd(2) else "v1"
    number = dice.random.randrange(100)
    if where == "info":
        spec = {"name": data["name"], "version": version, "repositoryUrl": dice.pick(("r", "r", "s")) if dice.wild else "r"}
        return {
            "apiVersion": API,
            "kind": "PackageInfo",
            "metadata": {"name": f"{data['name']}--{number}"},
            "spec": spec,
            "status": {"manifest": data},
        }
    spec = {
        "manifest": data,
        **({"version": version} if dice.chance(0.6) else {}),
        **({"repositoryName": "r"} if dice.chance(0.3) else {}),
    }
    return {
        "apiVersion": "krm-values.dev/v1alpha1",
        "kind": "PackageManifest",
        "metadata": {"name": f"{data['name']}-{number}", "annotations": {"config.kubernetes.io/local-config": "true"}},
        "spec": spec,
    }


def packages(dice: Dice, made: list[Json]) -> list[Json]:
    """Packages of the manifests, and ClusterPackages that values may come from."""
    found = []
    for _ in range(dice.pick((1, 1, 2, 2, 3))):
        data = dice.pick(made)
        cluster = data.get("scope", "Cluster") == "Cluster"
        if dice.odd(2):
            cluster = not cluster
        metadata = {"name": dice.pick("pq")}
        if not cluster and not dice.odd(2):
            metadata["namespace"] = dice.pick(SPACES)
        info = {"name": data["name"], "version": dice.pick(("v1", "v1", "v1", "v2")), **repository(dice)}
        kind = "ClusterPackage" if cluster else "Package"
        spec = {"packageInfo": info, "values": configured(dice, data, cluster)}
        if dice.chance(0.1):
            spec["suspend"] = True
        found.append({"apiVersion": API, "kind": kind, "metadata": metadata, "spec": spec})
    for name in "uv":
        values = {value: entry(dice, value, True) for value in VALUES if not dice.odd(3)}
        spec = {"packageInfo": {"name": "elsewhere", "version": "v1"}, "values": values}
        found.append({"apiVersion": API, "kind": "ClusterPackage", "metadata": {"name": name}, "spec": spec})
    return found


def repository(dice: Dice) -> Json:
    return {"repositoryName": dice.pick("rrs")} if dice.chance(0.3) else {}


def configured(dice: Dice, data: Json, cluster: bool) -> Json:
    values = {}
    for name, defined in data["valueDefinitions"].items():
        required = defined.get("constraints", {}).get("required")
        if dice.chance(0.6) or (required and not dice.odd(3)):
            values[name] = entry(dice, name, cluster)
    if dice.odd():
        values["ghost"] = entry(dice, "a", cluster)
    return values


def entry(dice: Dice, name: str, cluster: bool) -> Json:
    """How a value is configured."""
    if dice.odd(0.7):
        return dice.pick(
            (
                {},
                {"value": "1", "valueFrom": {}},
                {"value": 5},
                {"valueFrom": {}},
                {"valueFrom": {"configMapRef": {"name": "c"}}},
            )
        )
    text = dice.pick(TEXTS[dice.types[name]])
    if dice.chance(0.5):
        return {"value": text if not dice.odd(3) else dice.pick(("yes", "", "long long text", "-1", "1e3"))}
    if dice.chance(0.35):
        return {
            "valueFrom": {
                "packageRef": {
                    "name": dice.pick("uuvvp" if dice.wild else "u" if not cluster else "v"),
                    "value": dice.pick((name, name, dice.pick(VALUES))) if dice.wild else name,
                }
            }
        }
    kind, prefix, held = dice.pick((("configMapRef", "", "cd"), ("secretRef", "", "st")))
    space = dice.pick("xy") if not dice.odd(2) else ""
    if not cluster and dice.chance(0.2):
        space = ""
    key = f"{prefix}{dice.types[name]}" if not dice.odd(2) else dice.pick(("none", "K", "bad"))
    reference = {"name": dice.pick(held), "key" if not dice.odd() else "value": key, **({"namespace": space} if space else {})}
    return {"valueFrom": {kind: reference}}
