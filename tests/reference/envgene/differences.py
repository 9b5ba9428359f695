"""`envgene-sd` against the independent implementation."""

from __future__ import annotations

from typing import Any

from tests.conformance.cases import State
from tests.conformance.layered import same
from tests.functions.envgene_sd.support import item, run, spec
from tests.reference.difference import Difference, shown
from tests.reference.envgene import generate, resolve

MODES = ("all",)


def report(seed: int, mode: str = "all") -> str:
    """The difference of the SDs of a seed; "" if there is none."""
    given, state = outcome(seed)
    found = _difference(given, state)
    return "" if found is None else shown([given], found)


def outcome(seed: int) -> tuple[dict[str, Any], State]:
    """The SDs of a seed, and what the function makes of them."""
    given = generate.run(seed)
    items = [item(given["full"])] if given["full"] is not None else []
    for number, namespace in enumerate(given["namespaces"]):
        items.append(item(namespace, f"n{number}", kind="EnvironmentNamespace"))
    return given, run(*items, data=given["sds"], SD_REPO_MERGE_MODE=given["mode"])


def _difference(given: dict[str, Any], state: State) -> Difference | None:
    findings = state.outcome.findings
    errors = {finding.rule for finding in findings if finding.severity == "error"}
    warnings = {finding.kind for finding in findings if finding.severity == "warning"}
    try:
        full, delta, expected = resolve.process(**given)
    except resolve.Rejected as rejected:
        return None if errors == rejected.rules else Difference("errors", errors, rejected.rules)
    if errors or warnings != expected:
        return Difference("findings", [finding.message for finding in findings], expected)
    for name, wanted in (("sd", full), ("delta-sd", delta)):
        if not same(spec(state, name), wanted):
            return Difference(name, spec(state, name), wanted)
    return None
