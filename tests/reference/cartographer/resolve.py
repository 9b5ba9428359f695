"""How params are resolved and how a chain is selected: slow, in the order of the rules and with none of our code."""

from __future__ import annotations

from typing import Any

MISSING = object()


class Refused(Exception):
    """The owner is refused; the number of the rule."""


def read(owner: dict[str, Any], chains: list[dict[str, Any]], templates: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """(name of the chain, {step: {param: (value, origin)}}). Refused."""
    chosen = select(owner, chains)
    found: dict[str, Any] = {}
    for step in chosen["spec"]["resources"]:
        declared = next(t for t in templates if t["metadata"]["name"] == step["templateRef"]["name"])
        found[step["name"]] = resolve(
            last_ones(declared["spec"].get("params")),
            last_ones(chosen["spec"].get("params")),
            last_ones(step.get("params")),
            last_ones(owner["spec"].get("params")),
        )
    return chosen["metadata"]["name"], found


def last_ones(listed: list[dict[str, Any]] | None) -> dict[str, dict[str, Any]]:
    """Rule 10."""
    return {entry["name"]: entry for entry in listed or []}


def resolve(template: Any, chain: Any, step: Any, owner: Any) -> dict[str, tuple[Any, str]]:
    """Rules 2 to 9, 12 and 13, one name after the other."""
    result = {}
    for name in [*template, *chain, *step, *owner]:
        if name in step:
            word, effective = "resource", step[name]
        elif name in chain:
            word, effective = "blueprint", chain[name]
        else:
            word, effective = "", {}
        if effective.get("value") is not None:
            result[name] = effective["value"], f"{word}.value"
        elif name in owner:
            result[name] = owner[name]["value"], "owner.value"
        elif effective.get("default") is not None:
            result[name] = effective["default"], f"{word}.default"
        elif name in template:
            result[name] = template[name]["default"], "template.default"
    return result


def select(owner: dict[str, Any], chains: list[dict[str, Any]]) -> dict[str, Any]:
    """Rules 40 to 46."""
    labels = owner["metadata"].get("labels") or {}
    if not labels:
        raise Refused("40")
    scores = []
    for chain in chains:
        spec = chain["spec"]
        pairs = spec.get("selector") or {}
        expressions = spec.get("selectorMatchExpressions") or []
        fields = spec.get("selectorMatchFields") or []
        if not all(labels.get(key) == value for key, value in pairs.items()):
            continue
        if not all(label_holds(asked, labels) for asked in expressions):
            continue
        if not all(field_holds(asked, owner) for asked in fields):
            continue
        score = len(pairs) + len(expressions) + len(fields)
        if score:
            scores.append((score, chain))
    top = [chain for score, chain in scores if score == max(score for score, _ in scores)]
    if len(top) != 1:
        raise Refused("42")
    return top[0]


def label_holds(asked: dict[str, Any], labels: dict[str, str]) -> bool:
    """Rule 43."""
    there = asked["key"] in labels
    if asked["operator"] == "In":
        return there and labels[asked["key"]] in asked["values"]
    if asked["operator"] == "NotIn":
        return not there or labels[asked["key"]] not in asked["values"]
    return there if asked["operator"] == "Exists" else not there


def field_holds(asked: dict[str, Any], owner: dict[str, Any]) -> bool:
    """Rule 44."""
    value = field(asked["key"], owner)
    there = value is not MISSING and value is not None
    if asked["operator"] == "DoesNotExist":
        return not there
    if not there:
        return False
    listed = isinstance(value, str) and value in asked.get("values", [])
    return {"Exists": True, "In": listed, "NotIn": not listed}[asked["operator"]]


def field(key: str, owner: dict[str, Any]) -> Any:
    """Rules 45 and 46, each key that the comparison uses by itself."""
    spec, metadata = owner["spec"], owner["metadata"]
    source = spec.get("source")
    git = (source or {}).get("git")
    match key:
        case "spec.serviceAccountName":
            return spec.get(key.removeprefix("spec."), "")
        case "spec.build":
            return spec.get("build", {})
        case "spec.build.env":
            return (spec.get("build") or {}).get("env")
        case "spec.image" | "spec.env" | "spec.source":
            return spec.get(key.removeprefix("spec."))
        case "spec.source.image" | "spec.source.git":
            return MISSING if source is None else source.get(key.rpartition(".")[2])
        case "spec.source.git.url":
            return MISSING if git is None else git.get("url")
        case "metadata.uid":
            return metadata.get("uid", "")
        case "metadata.annotations":
            return metadata.get("annotations")
        case "metadata.labels.tier":
            return metadata["labels"].get("tier", MISSING)
        case "spec.env[0].name":
            if not spec.get("env"):
                raise Refused("46")
            return spec["env"][0]["name"]
        case "spec.env[*].name":
            return only([entry["name"] for entry in spec.get("env") or []])
        case 'spec.params[?(@.name=="p1")].value':
            return only([entry["value"] for entry in spec.get("params") or [] if entry["name"] == "p1"])
    raise AssertionError(key)


def only(found: list[Any]) -> Any:
    """One result, none, or an error."""
    if len(found) > 1:
        raise Refused("46")
    return found[0] if found else MISSING
