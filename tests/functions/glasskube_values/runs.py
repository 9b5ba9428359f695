"""A run over items, and what came out of it."""

from __future__ import annotations

from typing import Any

from krm_values._krm import findings
from tests.conformance.cases import State, System, execute

SYSTEM = System(lambda _: "glasskube-values", lambda _: {}, lambda _case, _outcome: "")


def run(*items: dict[str, Any], **config: Any) -> State:
    return execute(SYSTEM, {}, list(items), config)


def told(state: State, severity: str = "error") -> list[str]:
    """The messages of one severity."""
    return [findings.message(finding) for finding in state.outcome.findings if finding.severity == severity]


def found(state: State, name: str = "env", kind: str = "ConfigMap", namespace: str | None = "aviary") -> Any:
    """One item as it came out; None where it did not."""
    for item in state.items:
        metadata = item["metadata"]
        if (item["kind"], metadata["name"], metadata.get("namespace")) == (kind, name, namespace):
            return item
    return None


def level(state: State, **where: Any) -> Any:
    """What stands as LEVEL in the ConfigMap env."""
    return found(state, **where)["data"].get("LEVEL")
