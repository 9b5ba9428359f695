"""What the cases of layered values expect: resources, generated objects, origins, findings with given words."""

from __future__ import annotations

import json
from typing import Any

from krm_values._data.pointer import get, to_field
from krm_values._explain.steps import Explained
from krm_values._go import yaml
from krm_values._krm import findings, names
from krm_values._krm.item import Item
from krm_values._run import objects
from krm_values._run.resolve import Outcome
from krm_values.layered_values.paths import value_path
from tests.answers import of_steps
from tests.conformance.cases import State, words
from tests.conformance.layered import BY, FROM, same, texts

PREFIX = "LayeredValues.krm-values.dev//"


def function(_: dict[str, Any]) -> str:
    return "layered-values"


def config(_: dict[str, Any]) -> dict[str, Any]:
    return {}


def name(case: dict[str, Any]) -> str:
    """The name of the functionConfig."""
    state = case.get("state", {})
    return str(state.get("name", case.get("name", "lv")))


def judge(expected: dict[str, Any], state: State) -> str:
    """Why a state is not as expected, or ""."""
    wanted = expected.get("expected", {})
    told = [finding for finding in state.outcome.findings if finding.severity == "warning"]
    reasons = [
        *_items(wanted, state),
        *_generated(wanted, state),
        *_inside(wanted, state),
        *_provenance(wanted, state.outcome),
        *words(wanted.get("warnings", []), "warning", state.outcome),
        *words(wanted.get("infos", []), "info", state.outcome),
        *(f"warns: {finding.message}" for finding in told if wanted.get("warnings") == []),
    ]
    return "; ".join(reasons)


def judge_error(expected: dict[str, Any], outcome: Outcome) -> str:
    """An error of the kind."""
    kind = expected["error"].partition(":")[0]
    kinds = [finding.kind for finding in outcome.findings if finding.severity == "error"]
    reasons = [] if kind in kinds else [f"no error of kind {kind}: {[(f.kind, f.message) for f in outcome.findings]}"]
    return "; ".join(reasons)


def always(case: dict[str, Any], state: State) -> str:
    """What may never be seen, and that an error changes nothing."""
    outcome = state.outcome
    explained = of_steps([Explained("", outcome)])
    results = json.dumps([findings.as_result(finding) for finding in outcome.findings])
    annotations = json.dumps([_ours(item) for item in state.items])
    printed = "\n".join(map(findings.line, outcome.findings)) + results + annotations + explained
    seen = [text for text in case.get("hidden", ()) if text in printed]
    if seen:
        return f"shows {seen}"
    return "an error changes items" if outcome.failed and not same(state.items, state.inputs) else ""


def _ours(item: dict[str, Any]) -> dict[str, str]:
    found = item["metadata"].get("annotations") or {}
    return {key: text for key, text in found.items() if key.startswith(names.GROUP)}


def _own(state: State) -> list[dict[str, Any]]:
    """The objects that carry the mark of this config."""
    mark = f"{PREFIX}{state.config_name}/"
    marked = [item for item in state.items if _ours(item).get(BY) == state.function]
    return [item for item in marked if _ours(item)[FROM].startswith(mark)]


def _items(wanted: dict[str, Any], state: State) -> list[str]:
    """Each expected resource as it is; all other items, but generated ones, as they were."""
    if "resources" not in wanted and "generated" not in wanted:
        return []
    expected = {_key(item): item for item in wanted.get("resources", [])}
    given = {_key(item): item for item in state.inputs}
    own = {_key(item) for item in _own(state)}
    gone = {key for key, item in given.items() if _ours(item).get(BY) == state.function} - own
    reasons = []
    found = {_key(item): item for item in state.items}
    for key in given.keys() | expected.keys():
        before = expected.get(key, given.get(key))
        if key in own or key in gone:
            continue
        if key not in found:
            reasons.append(f"absent: {key}")
        elif not same(_bare(found[key]) if key in expected else found[key], _bare(before) if key in expected else before):
            reasons.append(f"{key} is {_bare(found[key])}, expected {_bare(before)}")
    return reasons


def _bare(item: dict[str, Any]) -> dict[str, Any]:
    """Without our annotations, and an annotations map that this empties."""
    metadata = dict(item["metadata"])
    left = {key: text for key, text in (metadata.pop("annotations", None) or {}).items() if not key.startswith(names.GROUP)}
    return {**item, "metadata": {**metadata, **({"annotations": left} if left else {})}}


def _generated(wanted: dict[str, Any], state: State) -> list[str]:
    if "generated" not in wanted:
        return []
    reasons, left = [], list(_own(state))
    for entry in wanted["generated"]:
        match = next((item for item in left if _is(entry, item)), None)
        if match is None:
            reasons.append(f"not generated: {entry} among {[(texts(item), item) for item in left]}")
        else:
            left.remove(match)
    return reasons + [f"generated too much: {item['kind']} {item['metadata']['name']}" for item in left]


def _is(entry: dict[str, Any], item: dict[str, Any]) -> bool:
    metadata = item["metadata"]
    if (item["kind"], metadata.get("namespace"), metadata["name"]) != (entry["kind"], entry.get("namespace"), entry["name"]):
        return False
    if "path" in entry and metadata["annotations"].get("config.kubernetes.io/path") != entry["path"]:
        return False
    held = texts(item)
    if "data" not in entry:
        return True
    return held.keys() == entry["data"].keys() and all(_reads(held[key], value) for key, value in entry["data"].items())


def _reads(text: str, value: Any) -> bool:
    """A text that is meant itself, or one that Go reads as the value."""
    return text == value if isinstance(value, str) else same(yaml.read(text).data, value)


def _inside(wanted: dict[str, Any], state: State) -> list[str]:
    reasons = []
    for entry in wanted.get("inside", []):
        key = entry["kind"], entry.get("namespace"), entry["name"]
        item = next(one for one in state.items if _key(one)[1:] == key)
        text = get(item, value_path(entry["path"]))
        text = objects.decode(text) if item["kind"] == "Secret" else text
        if not same(yaml.read(text).data, entry["values"]):
            reasons.append(f"inside {entry['path']} is {text!r}, expected {entry['values']}")
    return reasons


def _provenance(wanted: dict[str, Any], outcome: Outcome) -> list[str]:
    return [reason for entry in wanted.get("provenance", []) if (reason := _origin(entry, outcome))]


def _origin(entry: dict[str, Any], outcome: Outcome) -> str:
    decisions = [one for one in outcome.decisions if one.leaf and _is_at(one, entry)]
    if len(decisions) != 1:
        leaves = [(f"{one.item!r}", to_field(one.path), one.leaf and one.leaf.inner) for one in outcome.decisions]
        return f"{len(decisions)} decisions at {entry}: {leaves}"
    leaf: Any = decisions[0].leaf
    trail = [one.layer for one in leaf.origin.trail()][1:]
    is_reference = bool(leaf.origin.via)  # which hands on what is overridden where it leads; beaten is what it overrides itself
    found = {
        "layer": leaf.origin.layer,
        "beaten": [one.layer for one in leaf.overridden if not (is_reference and one.via)],
        "via": trail,
        "line": leaf.origin.place[0] or None,
    }
    wrong = {key: value for key, value in found.items() if key in entry and entry[key] != value}
    return f"the origin of {entry} is {wrong}" if wrong else ""


def _is_at(decision: Any, entry: dict[str, Any]) -> bool:
    item = decision.item
    named = f"{item.kind}/{item.name}" if isinstance(item, Item) else f"{item.data['kind']}/{item.data['metadata']['name']}"
    inner = None if decision.leaf.inner is None else to_field(decision.leaf.inner)
    return named == entry["object"] and to_field(decision.path) == entry["path"] and inner == entry.get("inner")


def _key(item: dict[str, Any]) -> tuple[Any, ...]:
    metadata = item["metadata"]
    return item["apiVersion"], item["kind"], metadata.get("namespace"), metadata["name"]
