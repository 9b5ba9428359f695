"""The systems by the name of their case file."""

from __future__ import annotations

import re
from typing import Any

from krm_values._run.resolve import Outcome
from tests.conformance import descriptors, glasskube, instances, layered, layers, supply_chains
from tests.conformance.cases import System


def _tekton_config(case: dict[str, Any]) -> dict[str, Any]:
    feature = case["feature"]
    if feature == "reference":
        return {"mode": "propagate", "references": True}
    return {"mode": feature}


def names_object_and_param(case: dict[str, Any], outcome: Outcome) -> str:
    """An error finding must name an object of the list and the param, or each of the params, that begin the `error` text."""
    params = re.split(", | and ", case["error"].split(":", 1)[0])
    for finding in outcome.findings:
        text = f"{finding.message} {finding.tags.get('param', '')}"
        named = all(re.search(rf"(?<![\w.-]){re.escape(param)}(?![\w-])", text) for param in params)
        if finding.severity == "error" and finding.item is not None and named:
            return ""
    return f"no error finding names {params}: " + "; ".join(finding.message for finding in outcome.findings)


XFAIL: dict[str, str] = {}
SYSTEMS = {
    "tekton": System(lambda _: "tekton-params", _tekton_config, names_object_and_param),
    "giantswarm": System(layered.function, layered.config, layered.judge_error, layered.unmet, layered.judge),
    "cartographer": System(
        supply_chains.function,
        supply_chains.config,
        supply_chains.judge_error,
        judge=supply_chains.judge,
        judges_failed=True,
        programs=supply_chains.programs,
        reads_annotations=True,
    ),
    "glasskube": System(
        glasskube.function,
        glasskube.config,
        glasskube.judge_error,
        judge=glasskube.judge,
        always=glasskube.judge_always,
        prepare=glasskube.prepare,
    ),
    "envgene": System(
        descriptors.function,
        descriptors.config,
        descriptors.judge_error,
        descriptors.unmet,
        descriptors.judge,
        prepare=descriptors.prepare,
        elsewhere=instances.elsewhere,
    ),
    "layers": System(
        layers.function,
        layers.config,
        layers.judge_error,
        judge=layers.judge,
        always=layers.always,
        reads_annotations=True,
        name=layers.name,
    ),
}
