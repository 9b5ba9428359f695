"""Solution Descriptor cases as lists: environments, their Full and Delta SDs, and findings by rule or by kind and words."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from krm_values._krm import findings as results
from krm_values._run.resolve import Outcome
from tests.conformance.cases import State
from tests.conformance.layered import same

API_VERSION = "krm-values.dev/v1alpha1"
ENVIRONMENT, PATH = "krm-values.dev/environment", "config.kubernetes.io/path"
HOME = "east/prod-7"
PROFILES = {None: {}, "strict": {"strict": True}}
NEEDS_FILES = ("repository", "files", "raw")


def function(_: dict[str, Any]) -> str:
    return "envgene-sd"


def config(_: dict[str, Any]) -> dict[str, Any]:
    return {}


def unmet(case: dict[str, Any]) -> str:
    bodies = [case, *case.get("environments", {}).values()]
    found = [key for key in NEEDS_FILES if any(key in body for body in bodies)]
    return f"a list has no {found[0]}" if found else ""


def prepare(case: dict[str, Any]) -> dict[str, Any]:
    """The case with its items as `input`, and each state with its whole config and the rules that an error may carry."""
    if unmet(case):
        return case
    params, own = case["params"], {**PROFILES[case.get("profile")], **case.get("config", {})}
    shared = {"rule": case["rule"], "known": list(case.get("environments", {}))}
    prepared = {**case, **shared, "input": _items(case), "config": {**params, **own}, "then": []}
    for later in case.get("then", []):
        params, own = later.get("params", params), later.get("config", own)
        prepared["then"].append({**shared, **later, "config": {**params, **own}})
    return prepared


def judge_error(expected: dict[str, Any], outcome: Outcome) -> str:
    """An error finding has one of the case's rules."""
    rules = {str(rule) for rule in expected["rule"]}
    errors = [finding for finding in outcome.findings if finding.severity == "error"]
    if any(finding.rule in rules for finding in errors):
        return ""
    return f"no error finding has a rule of {sorted(rules)}: {[(finding.rule, finding.message) for finding in errors]}"


def judge(expected: dict[str, Any], state: State) -> str:
    """Why a state is not as expected, or ""."""
    if "environments" not in expected:
        found = {_environment(item) for item in state.items if _is_sd(item)}
        name = found.pop() if len(found) == 1 else HOME
        return "; ".join(_judged(expected.get("expected", {}), name, state))
    wanted = {name: body.get("expected", {}) for name, body in expected["environments"].items()}
    others = {_environment(item) for item in state.items if _is_sd(item)} - wanted.keys() - {*expected["known"]}
    reasons = [f"{name} has an SD" for name in others]
    return "; ".join(reasons + [reason for name, body in wanted.items() for reason in _judged(body, name, state)])


def _judged(wanted: dict[str, Any], name: str, state: State) -> list[str]:
    found, before = _sds(state.items, name), _sds(state.inputs, name)
    if wanted.get("unchanged"):
        wanted = {**before, **{key: wanted[key] for key in wanted if key == "warnings"}}
    differing = [key for key in ("full", "delta") if key in wanted and not same(found[key], wanted[key])]
    reasons = [f"{name} {key} is {found[key]}, expected {wanted[key]}" for key in differing]
    findings = state.outcome.findings
    missing = [one for one in wanted.get("warnings", []) if not any(_is_told(one, finding) for finding in findings)]
    return reasons + [f"no warning {one}: {[(finding.kind, finding.message) for finding in findings]}" for one in missing]


def _is_told(warning: dict[str, Any], finding: Any) -> bool:
    told = results.message(finding)
    return (finding.severity, finding.kind) == ("warning", warning["kind"]) and all(
        word in told for word in warning["mentions"]
    )


def _items(case: dict[str, Any]) -> list[Any]:
    if "items" in case:
        return deepcopy(case["items"])
    environments = case.get("environments", {HOME: case})
    items = [item for name, body in environments.items() for item in _of(name, body, alone=len(environments) == 1)]
    for index, (version, descriptor) in enumerate(case.get("artifacts", {}).items()):
        spec = {"version": version, "descriptor": descriptor}
        items.append(
            {"apiVersion": API_VERSION, "kind": "SolutionDescriptorArtifact", "metadata": {"name": f"a{index}"}, "spec": spec}
        )
    return items


def _of(name: str, body: dict[str, Any], *, alone: bool) -> list[Any]:
    """The items of one environment; where it is the only one its SDs are called `sd` and `delta-sd`, as later states name them."""
    stem = "" if alone else name.replace("/", ".") + "."
    folder = f"environments/{name}"
    items = []
    for key, suffix in (("full", "sd"), ("delta_before", "delta-sd")):
        if body.get(key) is not None:
            file = f"{folder}/Inventory/solution-descriptor/{suffix.replace('-', '_')}.yaml"
            items.append(_item("SolutionDescriptor", stem + suffix, file, body[key]))
    for index, namespace in enumerate(body.get("namespaces", [])):
        file = f"{folder}/Namespaces/{namespace['folder']}/namespace.yml"
        spec = {key: value for key, value in namespace.items() if key != "folder"}
        items.append(_item("EnvironmentNamespace", f"{stem}n{index}", file, spec))
    return items


def _item(kind: str, name: str, file: str, spec: Any) -> dict[str, Any]:
    return {"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": name, "annotations": {PATH: file}}, "spec": spec}


def _sds(items: list[Any], name: str) -> dict[str, Any]:
    own = [item for item in items if _is_sd(item) and _environment(item) == name]
    found: dict[str, list[Any]] = {"full": [], "delta": []}
    for item in own:
        found[_kind(item)].append(item["spec"])
    return {kind: {"items": specs} if len(specs) > 1 else next(iter(specs), None) for kind, specs in found.items()}


def _is_sd(item: dict[str, Any]) -> bool:
    return item["kind"] == "SolutionDescriptor"


def _kind(item: dict[str, Any]) -> str:
    return "delta" if item["metadata"]["name"].endswith("delta-sd") else "full"


def _environment(item: dict[str, Any]) -> str:
    annotations = item["metadata"].get("annotations", {})
    after = annotations.get(PATH, "").partition("environments/")[2]
    return annotations.get(ENVIRONMENT) or "/".join(after.split("/")[:2])
