"""One list through `glasskube-values` and through the second reading: where they differ."""

from __future__ import annotations

import copy
from typing import Any

from krm_values._kit import results
from krm_values._kit.plain import same
from krm_values._kit.plan import Finding
from tests.conformance.cases import State, System, execute
from tests.readings import glasskube
from tests.readings.compare import Difference

Json = Any
SYSTEM = System(lambda _: "glasskube-values", lambda _: {}, lambda _case, _outcome: "")
LATE = ("template", "patch", "target", "transformation")
PATH = "config.kubernetes.io/path"


def run(items: list[Json], config: dict[str, Json]) -> State:
    return execute(SYSTEM, {}, copy.deepcopy(items), config)


def difference(items: list[Json], config: dict[str, Json]) -> Difference | None:
    """The first difference, None where both agree."""
    return compared(items, run(items, config), config)


def compared(pristine: list[Json], state: State, config: dict[str, Json]) -> Difference | None:
    expected = glasskube.resolve(pristine, config)
    wanted = {rough(kind, config) for kind, _, _ in expected.errors}
    found = {rough(kind_of(finding), config) for finding in state.outcome.findings if finding.severity == "error"}
    if wanted != found:
        texts = [f"{finding.kind}: {results.line(finding)}" for finding in state.outcome.findings]
        return Difference("errors", texts, sorted(expected.errors))
    if wanted:
        return None
    items, helm = outcome(state)
    if not same(items, expected.items):
        return Difference("items", items, expected.items)
    if not same(helm, expected.helm):
        return Difference("helm", helm, expected.helm)
    return None


def kind_of(finding: Finding) -> str:
    """The kind; the kit has its own for two objects of one name and for what a Secret held."""
    return "generated" if "would be written from" in finding.message else {"undo": "record"}.get(finding.kind, finding.kind)


def rough(kind: str, config: dict[str, Json]) -> str:
    return "late" if kind in LATE and config.get("profile") == "upstream" else kind


def outcome(state: State) -> tuple[list[Json], dict[str, Json]]:
    """The items without our annotations, and the Helm objects by file."""
    items, helm = [], {}
    for item in copy.deepcopy(state.items):
        annotations = item["metadata"].get("annotations") or {}
        made = "krm-values.dev/generated-by" in annotations
        path = annotations.get(PATH)
        left = {key: text for key, text in annotations.items() if not key.startswith("krm-values.dev/") and not (made and "config.kubernetes.io/" in key)}
        item["metadata"].pop("annotations", None)
        if left:
            item["metadata"]["annotations"] = left
        if made:
            helm[path] = item
        else:
            items.append(item)
    return items, helm
