"""Random manifests of Glasskube packages."""

from __future__ import annotations

import copy
from typing import Any

from tests.reference.glasskube.dice import FILES, TEMPLATES, TEXTS, VALUES, Dice

Json = Any


ODD_PATHS = ("/spec/list/-1", "/spec/list/01", "/spec/a~b", "/spec//c", "//spec")


def manifest(dice: Dice, name: str, scope: str) -> Json:
    data: dict[str, Json] = {"name": name}
    if not (dice.chance(0.2) and scope == "Cluster") and not dice.odd():
        data["scope"] = scope
    if not dice.chance(0.15):
        data["defaultNamespace"] = dice.pick("xy")
    if dice.chance(0.5):
        data["helm"] = helm(dice)
    if dice.chance(0.6):
        data["manifests"] = [plain(dice) for _ in range(dice.pick((1, 1, 2)))]
    defined = [value for value in VALUES if dice.chance(0.6)]
    data["valueDefinitions"] = {value: definition(dice, value) for value in dice.random.sample(defined, len(defined))}
    if dice.chance(0.35):
        data["transformations"] = [transformation(dice) for _ in range(dice.pick((1, 1, 2)))]
    return data


def plain(dice: Dice) -> Json:
    url = f"https://plain.example/v1/{dice.pick(FILES).rpartition('/')[2]}"
    return {"url": url, **({"defaultNamespace": dice.pick("xy")} if dice.chance(0.7) else {})}


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
    odd_definition(dice, data)
    if dice.odd(0.5):
        data["type"] = dice.pick(("colour", "text"))
    if dice.odd(0.5):
        data.setdefault("constraints", {})["min"] = 1.5
    return data


def odd_definition(dice: Dice, data: Json) -> None:
    """What lint warns of, in place."""
    if dice.chance(0.05) and data["targets"]:
        data["targets"].append(copy.deepcopy(dice.pick(data["targets"])))
    if dice.chance(0.03):
        data.setdefault("constraints", {})["pattern"] = dice.pick(("(?=a)", "(", "[a-z]+"))
    if dice.chance(0.03):
        data.setdefault("constraints", {}).update(
            dice.pick(({"min": 9, "max": 1}, {"minLength": 7, "maxLength": 6}, {"maxLength": -1}))
        )
    if dice.chance(0.03) and data["type"] == "options":
        del data["options"]
    if dice.chance(0.02):
        data["hint"] = "no field"
    single = [one for one in data["targets"] if isinstance(one["patch"], dict)]
    if dice.chance(0.03) and single:
        dice.pick(single)["patch"]["path"] = dice.pick(ODD_PATHS)
    if dice.chance(0.03) and data["targets"] and data["type"] == "boolean":
        dice.pick(data["targets"])["valueTemplate"] = dice.pick(
            ("{{ if . }}1{{ else }}2{{ end }}", "{{- if . -}} true {{- end -}}")
        )


def target(dice: Dice, kind: str) -> Json:
    data = chart_target(dice) if dice.chance(0.3) else resource_target(dice)
    patch = data["patch"]
    if dice.odd(2):
        patch["op"] = dice.pick(("remove", "test", "move", "replace"))
    if dice.odd(2):
        patch["path"] = patch["path"].lstrip("/")
    if dice.odd():
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
    resource = {key: group, "kind": kind, "name": name, **({"namespace": dice.pick("xy")} if dice.chance(0.35) else {})}
    paths = {
        "ConfigMap": ("/data/K", "/data/L", "/data/M", "/metadata/labels"),
        "Secret": ("/data/N", "/stringData/O", "/metadata/labels") if dice.chance(0.9) else ("/data/K", "/data"),
        "Thing": ("/spec/list/-", "/spec/list/0", "/spec/size", "/spec/map/k", "/spec/map", "/spec/new", "/spec/list/1"),
    }
    path = dice.pick(paths[kind])
    if kind == "Thing" and dice.chance(0.3):
        path = dice.pick(
            ("/spec/rules/0/host", "/spec/rules/0/paths/-", "/spec/rules/-", "/spec/rules/0", "/spec/rules/0/port")
        )
    if kind == "Thing" and dice.chance(0.15):
        path = dice.pick(("/spec/list/0", "/spec/list/-", "/spec/rules/-", "/spec/rules/0"))
    if dice.chance(0.03):
        path = "/metadata/annotations/own"
    if path == "/stringData/O" and not dice.wild:
        path = "/data/P"
    op = "replace" if path in ("/data/K", "/spec/size", "/spec/map") and dice.chance(0.4) else "add"
    if path in ("/data/K", "/spec/size", "/spec/map", "/spec/list/0", "/spec/rules/0", "/spec/rules/0/host") and dice.chance(
        0.2
    ):
        op = "remove"
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
            "Secret": ["{ $.data.K }", "{ $.data.text }", "{.data}", "{.stringData.text}", "{ $.metadata.name }"],
        }[kind]
    source["path"] = dice.pick(paths) if not dice.odd(3) else dice.pick(("{ $.spec.list[*] }", "plain", "{.none}"))
    made = target(dice, "")
    if "valueTemplate" in made and not dice.odd(3):
        del made["valueTemplate"]
    return {"source": source, "targets": [made]}
