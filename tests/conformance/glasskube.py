"""What the cases of Glasskube packages expect: resolved values, releases, patched resources, and findings by their first words."""

from __future__ import annotations

import re
from typing import Any

import yaml

from krm_values._data.data_edits import same
from krm_values._data.record import replace
from krm_values._data.scalars import Float, Int
from krm_values._krm import config as configs
from krm_values._krm import findings, resourcelist
from krm_values._krm.findings import Report
from krm_values._run import invoke, registry
from krm_values._run.resolve import Outcome, resolve
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
TEXT = "tag:yaml.org,2002:str"
_YAML11 = yaml.SafeLoader("")
_JOINED = re.compile('"[^"]+"(?: and "[^"]+")*')
COUNTS = {"two findings": 2, "three findings": 3}


def function(_: dict[str, Any]) -> str:
    return NAME


def prepare(case: dict[str, Any]) -> dict[str, Any]:
    """A case with its scalars as the file means them: it is YAML 1.1, in which `2e3` and `1.5e2` are texts."""
    prepared = _as_written(case)
    assert isinstance(prepared, dict)
    return prepared


def _as_written(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_written(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_as_written(element) for element in value]
    is_text = isinstance(value, Float | Int) and _YAML11.resolve(yaml.ScalarNode, value.text, (True, False)) == TEXT
    return value.text if is_text else value


def config(case: dict[str, Any]) -> dict[str, Any]:
    """What the case's `profile` means, the case's manifest, and `strict` where a state of a `tool` case has an error."""
    state = case.get("state", case)
    manifests = {"manifests": [case["manifest"]]} if "manifest" in case else {}
    match case["profile"]:
        case "upstream":
            return {**manifests, "createParents": False, "typed": False}
        case "design":
            return {**manifests, "createParents": True, "typed": False}
    return {**manifests, **({"strict": True} if "error" in state else {})}


def judge_error(expected: dict[str, Any], outcome: Outcome) -> str:
    """The right number of errors, one of them of the right kind and about the first quoted word, or the first ones joined by "and"."""
    text = expected["error"]
    errors = [finding for finding in outcome.findings if finding.severity == "error"]
    told = [findings.message(finding) for finding in errors]
    wanted = next((count for words, count in COUNTS.items() if text.startswith(words)), 0)
    if wanted and len(errors) != wanted:
        return f"{len(errors)} errors, expected {wanted}: {told}"
    kind = next((kind for words, kind in KINDS.items() if re.match(rf"{words}\b", text)), "")
    found = _JOINED.search(text)
    words = re.findall('"([^"]+)"', found[0])[: 1 if wanted else None] if found else []
    for finding, message in zip(errors, told, strict=True):
        if kind in ("", finding.kind) and all(_names(message, word) for word in words):
            return ""
    return f'no error of kind "{kind}" names {words}: {[(finding.kind, findings.message(finding)) for finding in errors]}'


def _names(message: str, word: str) -> bool:
    """Whether a word stands in a message, and not only inside a longer one."""
    return not word or re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message) is not None


def judge(expected: dict[str, Any], state: State) -> str:
    """Why a state without an error is not as expected, or ""."""
    wanted = expected.get("expected", {})
    reasons = [*_resources(wanted, state), *_generated(wanted, state), *_warnings(wanted, state.outcome)]
    if "values" in wanted or "helmValues" in wanted:
        reasons += _computed(wanted, state)
    return "; ".join(reasons)


def judge_always(case: dict[str, Any], state: State) -> str:
    """What must hold of every state: secrets are hidden, and after an error the items are as they came."""
    texts = [
        text for finding in state.outcome.findings for text in (*_texts(findings.as_result(finding)), findings.line(finding))
    ]
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


def _texts(value: Any) -> list[str]:
    """Every scalar and key of some data, as text."""
    if isinstance(value, dict):
        return [text for key, member in value.items() for text in (str(key), *_texts(member))]
    return [text for element in value for text in _texts(element)] if isinstance(value, list) else [str(value)]


def _computed(wanted: dict[str, Any], state: State) -> list[str]:
    """`values` and `helmValues`, as the plan has them."""
    reasons = []
    found = _plan(state)
    if "values" in wanted:
        values = {name: value.text for name, value in found.values.items() if value.text is not None} if found else {}
        if not same(values, wanted["values"]):
            reasons.append(f"values are {values}, expected {wanted['values']}")
    if "helmValues" in wanted:
        charts: list[Any] = (
            [{"chartName": chart.release.chart, "values": chart.values} for chart in found.charts] if found else []
        )
        if not same(charts, wanted["helmValues"]):
            reasons.append(f"helmValues are {charts}, expected {wanted['helmValues']}")
    return reasons


def _plan(state: State) -> Any:
    """The configured package of a state, computed once more from what went in; None where no Package has a manifest."""
    source = resourcelist.read(state.given)
    loaded = registry.load(invoke.chosen("", source.function_config))
    value = configs.read(loaded.form(), loaded.name, source.function_config)
    seen: list[Any] = []

    def spy(given: Any, resources: Any, tools: Any) -> Any:
        seen.extend(planning.compute(given, resources, Report())[0])
        yield from loaded.plan(given, resources, tools)

    resolve(replace(loaded, planner=spy), value, source)
    return seen[0] if seen else None


def _resources(wanted: dict[str, Any], state: State) -> list[str]:
    """Every resource that is listed comes out so, every other one as it came in, and none is lost."""
    given, found = ([item for item in items if not _is_ours(item)] for items in (state.inputs, state.items))
    listed = wanted.get("resources", [])
    reasons = []
    for key in dict.fromkeys(map(_key, [*given, *found, *listed])):
        came, left, expected = ([item for item in items if _key(item) == key] for items in (given, found, listed))
        if len(left) != max(len(came), len(expected)):
            reasons.append(f"{key}: {len(left)} of {max(len(came), len(expected))} came out")
        rest = _without(left, expected)
        if len(rest) != len(left) - len(expected) or _without(rest, came, *PLACES) != []:
            reasons.append(f"{key} is {left}, expected {expected or came}")
    return reasons


def _generated(wanted: dict[str, Any], state: State) -> list[str]:
    """The objects that carry our mark are exactly the listed ones."""
    if "generated" not in wanted:
        return []
    found = [item for item in state.items if _is_ours(item)]
    left = _without(found, wanted["generated"])
    if not left and len(found) == len(wanted["generated"]):
        return []
    return [f"generated {found}, expected {wanted['generated']}"]


def _without(found: list[Any], expected: list[Any], *named: str) -> list[Any]:
    """What is found but for one object like each expected one. named: annotations that count though they are not expected."""
    left = list(found)
    for item in expected:
        unnamed = tuple(place for place in _unnamed(item) if place not in named)
        twins = (place for place, other in enumerate(left) if same(_bare(other, unnamed), _bare(item, ())))
        if (place := next(twins, None)) is not None:
            del left[place]
    return left


def _warnings(wanted: dict[str, Any], outcome: Outcome) -> list[str]:
    """Each text's quoted words stand in one warning, another one for each text."""
    told = [findings.message(finding) for finding in outcome.findings if finding.severity == "warning"]
    if wanted.get("warnings") == [] and told:
        return [f"warnings: {told}"]
    reasons = []
    for text in wanted.get("warnings", []):
        words = re.findall('"([^"]+)"', text)
        if not any(all(_names(message, word) for word in words) for message in told):
            reasons.append(f"no warning names {words}: {told}")
    if not reasons and not _is_paired([re.findall('"([^"]+)"', text) for text in wanted.get("warnings", [])], told):
        reasons.append(f"one warning stands for two of {wanted['warnings']}: {told}")
    return reasons


def _is_paired(wanted: list[list[str]], told: list[str]) -> bool:
    """Whether each list of words has a warning of its own."""
    if not wanted:
        return True
    fits = [place for place, message in enumerate(told) if all(_names(message, word) for word in wanted[0])]
    return any(_is_paired(wanted[1:], told[:place] + told[place + 1 :]) for place in fits)


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
    return item["apiVersion"], item["kind"], metadata.get("namespace"), metadata["name"]
