"""What the cases of Glasskube packages expect: resolved values, releases, patched resources, and findings by their first words."""

from __future__ import annotations

import re
from typing import Any

from krm_values._cli import pipe
from krm_values._kit import config as configs
from krm_values._kit import registry, resourcelist, results
from krm_values._kit.function import Outcome, resolve
from krm_values._kit.plain import same
from krm_values._kit.record import replace
from krm_values._kit.scalars import Float
from krm_values.glasskube_values import plan as planning
from tests.conformance.cases import State

NAME = "glasskube-values"
MARK = "krm-values.dev/"
PLACES = ("config.kubernetes.io/path", "config.kubernetes.io/index")
KINDS = {
    "manifest": "manifest",
    "configuration": "configuration",
    "cannot resolve": "resolution",
    "value": "validation",
    "template": "template",
    "patch": "patch",
    "target": "target",
    "transformation": "transformation",
}
FINER = {
    "pattern": "validation",
    "default": "validation",
    "options": "validation",
    "bounds": "validation",
    "template-json": "template",
    "if-boolean": "template",
    "op": "patch",
    "pointer": "patch",
    "slash": "patch",
    "duplicate": "target",
    "text-boolean": "target",
    "api-group": "target",
    "dead-target": "target",
    "unknown-key": "manifest",
}
COUNTS = {"two findings": 2, "three findings": 3}


def function(_: dict[str, Any]) -> str:
    return NAME


def prepare(case: dict[str, Any]) -> dict[str, Any]:
    """A case with its literals as the file means them: it is YAML 1.1, in which `2e3` is a text."""
    for item in case["input"]:
        values = item.get("spec", {}).get("values") if str(item["kind"]).endswith("Package") else None
        for entry in (values or {}).values():
            if isinstance(entry, dict) and isinstance(entry.get("value"), Float) and "." not in entry["value"].text:
                entry["value"] = entry["value"].text
    return case


def config(case: dict[str, Any]) -> dict[str, Any]:
    """What the profile says, the case's manifest, and `strict` where a state of a `tool` case has an error."""
    state = case.get("state", case)
    manifests = {"manifests": [case["manifest"]]} if "manifest" in case else {}
    match case["profile"]:
        case "upstream":
            return {**manifests, "profile": "upstream"}
        case "seed":
            return {**manifests, "createParents": True}
    return {**manifests, **({"strict": True} if "error" in state else {})}


def judge_error(expected: dict[str, Any], outcome: Outcome) -> str:
    """The right number of errors, one of them of the right kind and about the first quoted word."""
    text = expected["error"]
    errors = [finding for finding in outcome.findings if finding.severity == "error"]
    told = [results.message(finding) for finding in errors]
    wanted = next((count for words, count in COUNTS.items() if text.startswith(words)), 0)
    if wanted and len(errors) != wanted:
        return f"{len(errors)} errors, expected {wanted}: {told}"
    kind = next((kind for words, kind in KINDS.items() if re.match(rf"{words}\b", text)), "")
    word = (re.findall('"([^"]+)"', text) or [""])[0]
    for finding, message in zip(errors, told, strict=True):
        if kind in ("", FINER.get(finding.kind, finding.kind)) and word in message:
            return ""
    return f'no error of kind "{kind}" names "{word}": {[(finding.kind, results.message(finding)) for finding in errors]}'


def judge(expected: dict[str, Any], state: State) -> str:
    """Why a state without an error is not as expected, or ""."""
    wanted = expected.get("expected", {})
    reasons = [*_resources(wanted, state), *_generated(wanted, state), *_warnings(wanted, state.outcome)]
    if "values" in wanted or "helmValues" in wanted:
        reasons += _computed(wanted, state)
    return "; ".join(reasons)


def judge_always(case: dict[str, Any], state: State) -> str:
    """What must hold of every state: secrets are hidden, and after an error the items are as they came."""
    texts = [str(results.as_result(finding)) + results.line(finding) for finding in state.outcome.findings]
    texts += [
        str(value)
        for item in state.items
        for key, value in (item["metadata"].get("annotations") or {}).items()
        if key.startswith(MARK)
    ]
    for hidden in case.get("hidden", []):
        if any(hidden in text for text in texts):
            return f'"{hidden}" is shown'
    if state.outcome.failed and not same(state.items, state.inputs):
        return "the items changed in spite of an error"
    return ""


def _computed(wanted: dict[str, Any], state: State) -> list[str]:
    """`values` and `helmValues`, as the plan has them."""
    reasons = []
    found = _plan(state)
    if "values" in wanted:
        values = {name: value.text for name, value in found.values.items() if value.text is not None}
        if not same(values, wanted["values"]):
            reasons.append(f"values are {values}, expected {wanted['values']}")
    if "helmValues" in wanted:
        charts: list[Any] = [{"chartName": chart.release.chart, "values": chart.values} for chart in found.charts]
        if not same(charts, wanted["helmValues"]):
            reasons.append(f"helmValues are {charts}, expected {wanted['helmValues']}")
    return reasons


def _plan(state: State) -> Any:
    """The configured package of a state, computed once more from what went in."""
    source = resourcelist.read(state.given)
    loaded = registry.load(pipe.chosen("", source.function_config))
    value = configs.read(loaded.load_model(), loaded.name, source.function_config)
    seen: list[Any] = []

    def spy(given: Any, resources: Any, tools: Any) -> Any:
        seen.extend(planning.compute(given, resources)[0])
        yield from loaded.plan(given, resources, tools)

    resolve(replace(loaded, plan=spy), value, source)
    return seen[0]


def _resources(wanted: dict[str, Any], state: State) -> list[str]:
    given = {_key(item): item for item in state.inputs if not _is_ours(item)}
    listed = {_key(item): item for item in wanted.get("resources", [])}
    found = {_key(item): item for item in state.items if not _is_ours(item)}
    reasons = [f"lost: {key}" for key in given if key not in found]
    reasons += [f"not there: {key}" for key in listed if key not in found]
    for key, item in found.items():
        expected = _bare(listed.get(key, given.get(key)), ())
        if not same(_bare(item, () if key in given and key not in listed else _unnamed(expected)), expected):
            reasons.append(f"{key} is {item}, expected {expected}")
    return reasons


def _generated(wanted: dict[str, Any], state: State) -> list[str]:
    if "generated" not in wanted:
        return []
    found = {_key(item): item for item in state.items if _is_ours(item)}
    expected = {_key(item): item for item in wanted["generated"]}
    reasons = [f"generated too much: {key}" for key in found if key not in expected]
    for key, item in expected.items():
        if key not in found:
            reasons.append(f"not generated: {key}")
        elif not same(_bare(found[key], _unnamed(item)), item):
            reasons.append(f"generated {found[key]}, expected {item}")
    return reasons


def _warnings(wanted: dict[str, Any], outcome: Outcome) -> list[str]:
    """Each text's quoted words stand in one warning."""
    told = [results.message(finding) for finding in outcome.findings if finding.severity == "warning"]
    if wanted.get("warnings") == [] and told:
        return [f"warnings: {told}"]
    reasons = []
    for text in wanted.get("warnings", []):
        words = re.findall('"([^"]+)"', text)
        if not any(all(word in message for word in words) for message in told):
            reasons.append(f"no warning names {words}: {told}")
    return reasons


def _bare(item: Any, without: tuple[str, ...]) -> Any:
    """An item without our annotations and those named, and without an annotations map that they alone filled."""
    metadata = item["metadata"]
    annotations = metadata.get("annotations") or {}
    left = {key: value for key, value in annotations.items() if not key.startswith(MARK) and key not in without}
    rest = {key: value for key, value in metadata.items() if key != "annotations"}
    return {**item, "metadata": {**rest, "annotations": left} if left else rest}


def _unnamed(expected: Any) -> tuple[str, ...]:
    """The hosts' annotations that an expected object does not name."""
    return tuple(key for key in PLACES if key not in (expected["metadata"].get("annotations") or {}))


def _is_ours(item: Any) -> bool:
    return (item["metadata"].get("annotations") or {}).get(f"{MARK}generated-by") == NAME


def _key(item: Any) -> tuple[Any, ...]:
    metadata = item["metadata"]
    path = (metadata.get("annotations") or {}).get("config.kubernetes.io/path", "") if item["kind"] == "Secret" else ""
    return item["apiVersion"], item["kind"], metadata.get("namespace"), metadata["name"], path
