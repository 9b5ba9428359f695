"""What the cases of layered configuration expect: merged values, merge order, generated objects, findings with given words."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from krm_values._explain.steps import Explained
from krm_values._go import yaml
from krm_values._run import objects, registry
from krm_values._run.resolve import Outcome
from tests.answers import of_steps
from tests.conformance.cases import State, words

BY, FROM = "krm-values.dev/generated-by", "krm-values.dev/generated-from"
PARTS = ("configMap", "secret", "combined")
VALUES = {"values": "combined"}  # what flux-values writes is the only result
CHAINS = {"order": "ConfigMap", "secretOrder": "Secret"}


def function(case: dict[str, Any]) -> str:
    return "flux-values" if case["feature"] == "flux" else "giantswarm-config"


def config(case: dict[str, Any]) -> dict[str, Any]:
    return {} if case["feature"] == "flux" else {"outputs": list(PARTS)}


def unmet(case: dict[str, Any]) -> str:
    return "" if function(case) in registry.functions() else f"{function(case)} is not built yet"


def judge(expected: dict[str, Any], state: State) -> str:
    """Why a state is not as expected, or ""."""
    wanted = expected.get("expected", {})
    reasons = [
        *_values(wanted, state),
        *_orders(wanted, state.outcome),
        *_outputs(wanted, state),
        *_generated(wanted, state),
        *words(wanted.get("warnings", []), "warning", state.outcome),
        *words(wanted.get("infos", []), "info", state.outcome),
    ]
    return "; ".join(reasons)


def judge_error(expected: dict[str, Any], outcome: Outcome) -> str:
    """Without `errorWords`, which are judged before, an error about the config alone proves nothing."""
    if expected.get("errorWords") or any(one.kind != "config" for one in outcome.findings if one.severity == "error"):
        return ""
    return "only an error about the config, which no `errorWords` expects: " + outcome.findings[0].message


def texts(item: dict[str, Any]) -> dict[str, str]:
    """The texts of a ConfigMap or Secret as it came out."""
    decode = objects.decode if item["kind"] == "Secret" else str
    return {key: decode(text) for key, text in item.get("data", {}).items()}


def same(a: Any, b: Any) -> bool:
    """Equal as values: numbers as numbers, a boolean never equals a number."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def _own(state: State) -> list[dict[str, Any]]:
    """What the function that ran has generated."""
    return [item for item in state.items if item["metadata"].get("annotations", {}).get(BY) == state.function]


def _values(wanted: dict[str, Any], state: State) -> list[str]:
    parts = {item["metadata"]["annotations"][FROM].rpartition("/")[2]: item for item in _own(state)}
    found = {VALUES.get(part, part): item for part, item in parts.items()}
    reasons = []
    for part in PARTS:
        if part not in wanted:
            continue
        value = yaml.read(*texts(found[part]).values()).data if part in found else None
        if not same(value, wanted[part]):
            reasons.append(f"{part} is {value}, expected {wanted[part]}")
    return reasons


def _orders(wanted: dict[str, Any], outcome: Outcome) -> list[str]:
    reasons = []
    explained: Any = json.loads(of_steps([Explained("", outcome)]))
    notes = explained["steps"][0]["notes"]
    for key, kind in CHAINS.items():
        if key in wanted:
            listed = [note["data"] for note in notes if note["topic"] == "layers" and note["subject"].endswith(f" {kind}")]
            names = [layer["name"] for layer in listed[0]] if listed else []
            if names != wanted[key]:
                reasons.append(f"{key} is {names}, expected {wanted[key]}")
    return reasons


def _outputs(wanted: dict[str, Any], state: State) -> list[str]:
    absent = [output for output in wanted.get("outputs", []) if not any(_is(output, item) for item in _own(state))]
    return [f"no output {output}" for output in absent]


def _generated(wanted: dict[str, Any], state: State) -> list[str]:
    if "generated" not in wanted and "resources" not in wanted:
        return []
    reasons = []
    found = _own(state)
    if "generated" in wanted:
        left = list(found)
        for entry in wanted["generated"]:
            match = next((item for item in left if _is(entry, item)), None)
            if match is None:
                reasons.append(f"not generated: {entry}")
            else:
                left.remove(match)
        reasons += [f"generated too much: {item['kind']} {item['metadata']['name']}" for item in left]
    resources = {_key(item): item for item in wanted.get("resources", [])}
    given = {**{_key(item): item for item in state.inputs}, **resources}
    known = {_key(item) for item in found}
    for item in state.items:
        seen, expected = item, given.get(_key(item))
        if _key(item) in resources:
            seen, expected = _bare(item), _bare(expected)
        if _key(item) not in known and not same(seen, expected):
            reasons.append(f"{_key(item)} is {seen}, expected {expected}")
    absent = resources.keys() - {_key(item) for item in state.items}
    return reasons + [f"absent: {key}" for key in absent]


def _bare(item: Any) -> Any:
    """Without our annotations and an annotations map that this empties; of a HelmRelease without an empty valuesFrom."""
    bare = deepcopy(item)
    annotations = bare["metadata"].get("annotations", {})
    for name in [name for name in annotations if name.startswith("krm-values.dev/")]:
        del annotations[name]
    if not annotations:
        bare["metadata"].pop("annotations", None)
    if bare["kind"] == "HelmRelease" and not bare["spec"].get("valuesFrom"):
        bare["spec"].pop("valuesFrom", None)
    return bare


def _is(entry: dict[str, Any], item: dict[str, Any]) -> bool:
    metadata = item["metadata"]
    named = (item["kind"], metadata.get("namespace"), metadata["name"])
    if named != (entry["kind"], entry.get("namespace"), entry["name"]):
        return False
    if "path" in entry and metadata["annotations"].get("config.kubernetes.io/path") != entry["path"]:
        return False
    held = texts(item)
    if "key" in entry and list(held) != [entry["key"]]:
        return False
    return "values" not in entry or (len(held) == 1 and same(yaml.read(*held.values()).data, entry["values"]))


def _key(item: dict[str, Any]) -> tuple[Any, ...]:
    metadata = item["metadata"]
    return item["apiVersion"], item["kind"], metadata.get("namespace"), metadata["name"]
