"""What the cases of supply chains expect: the planned reports and objects, what fails and waits, and the files that leave."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from krm_values._krm import findings
from krm_values._krm.plan import Finding, New
from krm_values._run.resolve import Outcome
from tests.conformance.cases import State, planned
from tests.conformance.layered import same

BY = "krm-values.dev/generated-by"
PATH, INDEX = "config.kubernetes.io/path", "config.kubernetes.io/index"
HIDDEN = ("krm-values.dev/", "config.kubernetes.io/", "internal.config.kubernetes.io/")
OURS = ("config",)
REPORT = "ResolvedParams"
REPLAY = Path(__file__).parent / "ytt" / "replay"


def function(_: dict[str, Any]) -> str:
    return "cartographer-params"


def config(case: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = {"ownerReferences": True}
    if case.get("mode") == "rfc-literal":
        spec["precedence"] = "rfc0010"
    if "supplied" in case:
        spec["stepOutputs"] = {"*": case["supplied"]}
    if case["feature"] in ("params", "select"):
        spec["emit"] = ["params"]
    if case.get("requires") == "ytt":
        spec["ytt"] = True
    return spec


def programs(case: dict[str, Any]) -> dict[str, str]:
    """The ytt of the PATH, or the recorded answers of one."""
    return {"ytt": shutil.which("ytt") or str(REPLAY)} if case.get("requires") == "ytt" else {}


def judge_error(expected: dict[str, Any], outcome: Outcome) -> str:
    """An error finding from the part of the rules that the case is about, of the config, or of the objects that the case names."""
    errors = [finding for finding in outcome.findings if finding.severity == "error"]
    parts = {_part(str(rule)) for rule in expected.get("rule", ())}
    if not any(not parts or _part(str(finding.rule)) in parts or _is_kit_s(finding, expected["error"]) for finding in errors):
        return f"no error finding has a rule like {expected['rule']}: {[(finding.rule, finding.message) for finding in errors]}"
    return ""


def _is_kit_s(finding: Finding, error: str) -> bool:
    """Whether it is a finding without a rule, of the config, or about an object that the text of the error names."""
    if finding.kind == "generated":
        named = findings.message(finding)
        return any(name in named for name in re.findall(r"[\w.-]+/[\w.-]+", error))
    return finding.kind in OURS


def _part(rule: str) -> int:
    """The part of the rules that a number belongs to: params, refusals, selection, templates, ytt, objects, wiring."""
    number = int(rule) if rule.isdigit() else 0
    return max((first for first in (1, 20, 40, 60, 80, 90, 100) if number >= first), default=0)


def judge(expected: dict[str, Any], state: State) -> str:
    """Why a state is not as expected, or ""."""
    wanted = expected.get("expected", {})
    news = planned(state)
    reports = {new.data["metadata"]["name"]: new.data["spec"] for new in news if new.data["kind"] == REPORT}
    steps = {step["name"]: step for report in reports.values() for step in report["steps"]}
    reasons = [
        *_failed(wanted.get("failed"), state.outcome),
        *_selected(wanted.get("selected"), reports),
        *_templates(wanted.get("templates", {}), steps),
        *_params(wanted, steps),
        *_unresolved(wanted.get("unresolved"), steps),
        *_stamped(wanted.get("stamped"), news),
        *_resolved(wanted.get("resolved"), reports),
        *_files(wanted.get("files"), state),
        *_output(wanted.get("output", []), state),
    ]
    return "; ".join(reasons)


def _failed(wanted: Any, outcome: Outcome) -> list[str]:
    """Exactly these steps have an error finding, and nothing else has one."""
    failed = sorted(str(finding.tags.get("step")) for finding in outcome.findings if finding.severity == "error")
    if sorted(set(failed)) != sorted(wanted or {}):
        return [f"failed are {failed}, expected {sorted(wanted or {})}: {[f.message for f in outcome.findings]}"]
    return []


def _selected(wanted: Any, reports: dict[str, Any]) -> list[str]:
    found = [report["chain"]["name"] for report in reports.values()]
    return [f"selected is {found}, expected {wanted}"] if wanted is not None and found != [wanted] else []


def _templates(wanted: dict[str, str], steps: dict[str, Any]) -> list[str]:
    found = {name: _template(step.get("template", {})) for name, step in steps.items()}
    return [
        f"template of {step} is {found.get(step)}, expected {name}" for step, name in wanted.items() if found.get(step) != name
    ]


def _template(reference: dict[str, str]) -> str:
    return f"passThrough:{reference['passThrough']}" if "passThrough" in reference else reference.get("name", "")


def _params(wanted: dict[str, Any], steps: dict[str, Any]) -> list[str]:
    reasons = []
    for key, field in (("params", "value"), ("provenance", "origin")):
        for step, expected in wanted.get(key, {}).items():
            found = {param["name"]: param[field] for param in steps[step].get("params", [])}
            chosen = found if key == "params" else {name: found.get(name) for name in expected}
            if not same(chosen, expected):
                reasons.append(f"{key} of {step} are {found}, expected {expected}")
    return reasons


def _unresolved(wanted: Any, steps: dict[str, Any]) -> list[str]:
    found = {name: step["waiting"] for name, step in steps.items() if step.get("waiting")}
    return [f"unresolved is {found}, expected {wanted}"] if wanted is not None and found != wanted else []


def _stamped(wanted: Any, news: list[New]) -> list[str]:
    if wanted is None:
        return []
    found = [new.data for new in news if new.data["kind"] != REPORT and new.written]
    if len(found) != len(wanted):
        return [f"stamped are {found}, expected {wanted}"]
    return [f"stamped is {a}, expected {b}" for a, b in zip(found, wanted, strict=True) if not _matches(a, b)]


def _resolved(wanted: Any, reports: dict[str, Any]) -> list[str]:
    if wanted is None:
        return []
    found = {name: _without_empty(spec) for name, spec in reports.items()}
    expected = {name: _without_empty(spec) for name, spec in wanted.items()}
    return [] if same(found, expected) else [f"resolved is {found}, expected {expected}"]


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_empty(below) for key, below in value.items()}
        return {key: below for key, below in kept.items() if below != [] or key not in ("params", "waiting", "beat")}
    return [_without_empty(below) for below in value] if isinstance(value, list) else value


def _files(wanted: Any, state: State) -> list[str]:
    if wanted is None:
        return []
    found: dict[str, list[tuple[int, str]]] = {}
    for item in state.items:
        annotations = item["metadata"].get("annotations", {})
        if annotations.get(BY) == state.function:
            named = f"{item['kind']}/{item['metadata']['name']}"
            found.setdefault(annotations.get(PATH, ""), []).append((int(annotations.get(INDEX, 0)), named))
    ordered = {path: [named for _, named in sorted(entries)] for path, entries in found.items()}
    return [f"files are {ordered}, expected {wanted}"] if ordered != wanted else []


def _output(wanted: list[dict[str, Any]], state: State) -> list[str]:
    items = {_key(item): item for item in state.items}
    return [f"output {_key(item)} is {items.get(_key(item))}" for item in wanted if not _matches(items.get(_key(item)), item)]


def _key(item: dict[str, Any]) -> tuple[Any, ...]:
    metadata = item["metadata"]
    return item["kind"], metadata.get("namespace"), metadata.get("name")


def _matches(found: Any, wanted: dict[str, Any]) -> bool:
    """Equal, where what the expected object does not name of namespace, owner and labels does not count."""
    if found is None:
        return False
    kept, asked = dict(found["metadata"]), dict(wanted["metadata"])
    kept["annotations"] = {key: value for key, value in kept.get("annotations", {}).items() if not key.startswith(HIDDEN)}
    asked.setdefault("annotations", {})
    labels = asked.setdefault("labels", {})
    if not any(key.startswith("carto.run/") for key in labels):
        kept["labels"] = {key: value for key, value in kept.get("labels", {}).items() if not key.startswith("carto.run/")}
    for key in ("namespace", "ownerReferences"):
        if key not in asked:
            kept.pop(key, None)
    if asked.get("ownerReferences", "") is None:
        asked.pop("ownerReferences")
    if "name" not in asked and "generateName" in asked:
        kept.pop("name", None)
    kept.setdefault("labels", {})
    return same({**found, "metadata": kept}, {**wanted, "metadata": asked})
