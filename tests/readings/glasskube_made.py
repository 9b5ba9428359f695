"""Random Glasskube packages with few names, so that they meet: manifests, Packages, ConfigMaps, Secrets and things, and a config."""

from __future__ import annotations

import base64
import random
from typing import Any

Json = Any
API = "packages.glasskube.dev/v1alpha1"
SPACES = ("x", "x", "y")
VALUES = ("a", "b", "B", "z")
TYPES = ("text", "text", "number", "boolean", "options")
TEXTS = {
    "text": ("red", "blue", "", "a b", "5"),
    "number": ("1", "7", "+3", "007", "12"),
    "boolean": ("true", "false", "T", "0", "1"),
    "options": ("red", "blue", "red"),
}
TEMPLATES = {
    "text": ('"{{.}}"', '"{{ . | base64 }}"', '{{ if eq . "red" }}1{{ else }}"{{ . }}"{{ end }}', "[{{ len . }}]"),
    "number": ("{{.}}", '"{{ . }}"'),
    "boolean": ("{{.}}", '{{ if eq . "true" }}{"on": true}{{ else }}null{{ end }}'),
    "options": ('"{{.}}"', '{"k": "{{ . }}"}'),
}


class Dice:
    """Choices from one seed. `wild` is how often something is done that is likely to be rejected."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(f"glasskube {seed}")
        self.wild = self.random.choice((0, 0, 0, 0, 0.004, 0.02, 0.06))
        self.upstream = self.chance(0.3)
        self.types = {name: self.pick(TYPES) for name in VALUES}

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def odd(self, weight: float = 1) -> bool:
        return self.chance(self.wild * weight)

    def pick(self, options: Json) -> Json:
        return self.random.choice(list(options))


def case(seed: int) -> tuple[list[Json], dict[str, Json]]:
    """Items and config of one seed."""
    dice = Dice(seed)
    names = [dice.pick("mn") for _ in range(dice.pick((1, 1, 1, 2)))]
    scope = "Cluster" if dice.chance(0.5) else "Namespaced"
    made = [manifest(dice, name, scope) for name in dict.fromkeys(names)]
    items = resources(dice)
    inline = []
    for data in made:
        where = dice.pick(("inline", "inline", "info", "wrapper"))
        inline += [data] if where == "inline" else []
        items += [] if where == "inline" else [carried(dice, data, where)]
        if dice.odd(4):
            again = manifest(dice, data["name"], scope) if dice.chance(0.7) else data
            items.append(carried(dice, again, dice.pick(("info", "wrapper"))))
    items += packages(dice, made)
    dice.random.shuffle(items)
    return distinct(dice, items), config(dice, inline)


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
    if dice.upstream:
        made["profile"] = "upstream"
    if dice.chance(0.3):
        made["useDefaults"] = dice.pick((True, ["a"], ["a", "z", "B"]))
    if dice.chance(0.3):
        made["createParents"] = True
    if dice.chance(0.3):
        made["typed"] = True
    if dice.chance(0.3):
        made["allowMissing"] = [{"kind": dice.pick(("Secret", "ConfigMap")), "name": dice.pick("*ct"), **named_space(dice)}]
    if dice.chance(0.2):
        made["emit"] = dice.pick((["helm"], ["resources"], []))
    if dice.chance(0.1):
        made["record"] = False
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


def manifest(dice: Dice, name: str, scope: str) -> Json:
    data: dict[str, Json] = {"name": name}
    if not (dice.chance(0.2) and scope == "Cluster") and not dice.odd():
        data["scope"] = scope
    if not dice.chance(0.15):
        data["defaultNamespace"] = dice.pick("xy")
    if dice.chance(0.5):
        data["helm"] = helm(dice)
    defined = [value for value in VALUES if dice.chance(0.6)]
    data["valueDefinitions"] = {value: definition(dice, value) for value in dice.random.sample(defined, len(defined))}
    if dice.chance(0.35):
        data["transformations"] = [transformation(dice) for _ in range(dice.pick((1, 1, 2)))]
    return data


def helm(dice: Dice) -> Json:
    values = dice.pick((None, {}, {"k": {}}, {"k": {"l": ["one"]}, "n": 1}, "absent"))
    given = {} if values == "absent" else {"values": values}
    url = {"repositoryUrl": dice.pick(("https://charts.example", "oci://charts.example/h"))}
    if dice.chance(0.3):
        return {
            **url,
            "releases": [{"chartName": dice.pick("hi"), "chartVersion": "1", **given} for _ in range(dice.pick((1, 2, 3)))],
        }
    return {**url, "chartName": "h", "chartVersion": "1.0", **given}


def definition(dice: Dice, name: str) -> Json:
    kind = dice.types[name]
    data: dict[str, Json] = {"type": kind, "targets": [target(dice, kind) for _ in range(dice.pick((0, 1, 1, 2)))]}
    if kind == "options":
        data["options"] = dice.pick((["red", "blue"], ["red", "blue", ""], ["red"]))
    if dice.chance(0.4):
        data["defaultValue"] = dice.pick(TEXTS[kind])
        if kind in ("number", "boolean") and dice.odd(3):
            data["defaultValue"] = dice.pick((True, 5))
    limits = {
        "required": dice.chance(0.5),
        "pattern": dice.pick(("^[a-z0-9]", ".", "red|[0-9]$")),
        "maxLength": 6,
        "minLength": dice.pick((0, 1)),
        "min": 0,
        "max": 9,
    }
    constraints = {key: limit for key, limit in limits.items() if dice.chance(0.12)}
    if constraints:
        data["constraints"] = constraints
    if dice.odd(0.5):
        data["type"] = dice.pick(("colour", "text"))
    if dice.odd(0.5):
        data.setdefault("constraints", {})["min"] = 1.5
    return data


def target(dice: Dice, kind: str) -> Json:
    data = chart_target(dice) if dice.chance(0.3) else resource_target(dice)
    patch = data["patch"]
    if dice.odd(2):
        patch["op"] = dice.pick(("remove", "test", "move", "replace"))
    if dice.odd(2):
        patch["path"] = patch["path"].lstrip("/")
    if dice.odd() and not dice.upstream:
        data["patch"] = [patch, {"op": "add", "path": "/metadata/labels"}]
    if dice.chance(0.35):
        data["valueTemplate"] = dice.pick(TEMPLATES[kind or "text"])
        if dice.odd(3):
            data["valueTemplate"] = dice.pick(('"{{ .value }}"', "{{ nosuch . }}", "{{ . }}", '"{{ . }}" x'))
    if dice.odd(0.3):
        data["chartName"] = "h"
        data["resource"] = {"apiGroup": "v1", "kind": "ConfigMap", "name": "c"}
    return data


def chart_target(dice: Dice) -> Json:
    path = dice.pick(("/a", "/k", "/n", "/b", "/a") if not dice.wild else ("/a", "/k/l/-", "/k/m", "/n/o", "/l/0"))
    return {"chartName": dice.pick("hhhi"), "patch": {"op": "add", "path": path}}


def resource_target(dice: Dice) -> Json:
    kind = dice.pick(("ConfigMap", "ConfigMap", "Secret", "Thing"))
    group = "e.example/v1" if kind == "Thing" else "v1"
    if dice.odd(2):
        group = dice.pick(("e.example", "v2", "", "a/b/c"))
    key = "apiVersion" if dice.odd(2) else "apiGroup"
    name = dice.pick("cd") if kind == "ConfigMap" else dice.pick("st") if kind == "Secret" else "w"
    resource = {key: group, "kind": kind, "name": name, **({"namespace": dice.pick("xy")} if dice.chance(0.25) else {})}
    paths = {
        "ConfigMap": ("/data/K", "/data/L", "/data/M", "/metadata/labels"),
        "Secret": ("/data/N", "/stringData/O", "/metadata/labels") if dice.chance(0.9) else ("/data/K", "/data"),
        "Thing": ("/spec/list/-", "/spec/list/0", "/spec/size", "/spec/map/k", "/spec/map", "/spec/new", "/spec/list/1"),
    }
    path = dice.pick(paths[kind])
    if path == "/stringData/O" and not dice.wild:
        path = "/data/P"
    op = "replace" if path in ("/data/K", "/spec/size", "/spec/map") and dice.chance(0.4) else "add"
    return {"resource": resource, "patch": {"op": op, "path": path}}


def transformation(dice: Dice) -> Json:
    paths = ["{ $.metadata.name }", "{ $.metadata }", "{.kind}", "{ $.spec.packageInfo.name }"]
    source: dict[str, Json] = {}
    if dice.chance(0.5):
        kind, name = dice.pick((("ConfigMap", "c"), ("Thing", "w"), ("Secret", "s")))
        source["resource"] = {"apiGroup": "e.example/v1" if kind == "Thing" else "v1", "kind": kind, "name": name}
        if dice.odd(2):
            source["resource"].pop("apiGroup")
        paths = {
            "ConfigMap": ["{.data.K}", "{ $.data }"],
            "Thing": ["{ $.spec.list }", "{.spec.size}", "{.spec.list[0]}"],
            "Secret": ["{ $.data.K }"],
        }[kind]
    source["path"] = dice.pick(paths) if not dice.odd(3) else dice.pick(("{ $.spec.list[*] }", "plain", "{.none}"))
    made = target(dice, "")
    if "valueTemplate" in made and not dice.odd(3):
        del made["valueTemplate"]
    return {"source": source, "targets": [made]}


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
        info = {"name": data["name"], "version": "v1", **({"repositoryName": "r"} if dice.chance(0.2) else {})}
        kind = "ClusterPackage" if cluster else "Package"
        spec = {"packageInfo": info, "values": configured(dice, data, cluster)}
        found.append({"apiVersion": API, "kind": kind, "metadata": metadata, "spec": spec})
    for name in "uv":
        values = {value: entry(dice, value, True) for value in VALUES if not dice.odd(3)}
        spec = {"packageInfo": {"name": "elsewhere", "version": "v1"}, "values": values}
        found.append({"apiVersion": API, "kind": "ClusterPackage", "metadata": {"name": name}, "spec": spec})
    return found


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
    if not cluster and dice.chance(0.2) and not dice.upstream:
        space = ""
    key = f"{prefix}{dice.types[name]}" if not dice.odd(2) else dice.pick(("none", "K", "bad"))
    reference = {"name": dice.pick(held), "key" if not dice.odd() else "value": key, **({"namespace": space} if space else {})}
    return {"valueFrom": {kind: reference}}


def resources(dice: Dice) -> list[Json]:
    found: list[Json] = []
    for name in "cd":
        found += [holder(dice, "ConfigMap", name, space) for space in spaces(dice)]
    for name in "st":
        found += [holder(dice, "Secret", name, space) for space in spaces(dice)]
    for space in spaces(dice):
        spec = {"list": ["one", "two"][: dice.pick((1, 2, 2))], "size": 3, "map": dice.pick(({}, {"k": "v"}, {"j": [1]}))}
        found.append({"apiVersion": "e.example/v1", "kind": "Thing", "metadata": {"name": "w", **space}, "spec": spec})
    if dice.odd(3):
        made = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"}
        found.append(
            {**made, "metadata": {"name": f"{dice.pick('pq')}-{dice.pick('mn')}", "namespace": dice.pick("xy")}, "spec": {}}
        )
    return found


def spaces(dice: Dice) -> list[Json]:
    found = [{"namespace": space} for space in "xy" if not dice.odd(5)]
    return [*found, *([{}] if dice.chance(0.15) else [])]


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
