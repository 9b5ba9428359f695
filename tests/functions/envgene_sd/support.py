"""Small SDs, and a run over them."""

from __future__ import annotations

from typing import Any

from tests.conformance import descriptors
from tests.conformance.cases import State, System, execute

SYSTEM = System(lambda _: "envgene-sd", lambda _: {}, lambda _case, _outcome: "")
SD = "SolutionDescriptor"


def sd(*applications: Any, **more: Any) -> dict[str, Any]:
    """An SD of `ledger:1@finance` texts (without `@`: no postfix), or of applications as they stand."""
    return {"applications": [map_of(one) if isinstance(one, str) else one for one in applications], **more}


def map_of(text: str) -> dict[str, str]:
    version, _, postfix = text.partition("@")
    return {"version": version, **({"deployPostfix": postfix} if postfix else {})}


def item(spec: Any, name: str = "sd", environment: str = "", kind: str = SD, **annotations: str) -> dict[str, Any]:
    marks = {"krm-values.dev/environment": environment} if environment else {}
    metadata: dict[str, Any] = {
        "name": name,
        **({"annotations": {**marks, **annotations}} if marks or annotations else {}),
    }
    return {"apiVersion": descriptors.API_VERSION, "kind": kind, "metadata": metadata, "spec": spec}


def run(*items: Any, data: Any = None, **config: Any) -> State:
    given = {"SD_SOURCE_TYPE": "json", "SD_DATA": data} if data is not None else {}
    return execute(SYSTEM, {}, list(items), {**given, **config})


def spec(state: State, name: str = "sd") -> Any:
    """The SD of this name as it came out, None if there is none."""
    return next((one["spec"] for one in state.items if one["metadata"]["name"] == name and one["kind"] == SD), None)


def findings_of(state: State, severity: str) -> list[tuple[str, str | None]]:
    """(kind, rule) of the findings of one severity."""
    return [(finding.kind, finding.rule) for finding in state.outcome.findings if finding.severity == severity]
