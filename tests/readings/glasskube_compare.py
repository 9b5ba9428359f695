"""One list through `glasskube-values` and through the second reading: where they differ."""

from __future__ import annotations

import copy
import re
from typing import Any

from krm_values._kit import results
from krm_values._kit.item import Item
from krm_values._kit.plain import same
from krm_values._kit.plan import Finding
from tests.conformance.cases import State, System, execute
from tests.readings import glasskube
from tests.readings.compare import Difference

Json = Any
SYSTEM = System(lambda _: "glasskube-values", lambda _: {}, lambda _case, _outcome: "")
LATE = ("template", "patch", "target", "transformation")
WARNINGS = {"73": "target", "77": "target", "19": "secret", "79": "conflict"}  # by rule
NAMED = ("configuration", "resolution", "validation", *LATE)
PATH = "config.kubernetes.io/path"


def run(items: list[Json], config: dict[str, Json]) -> State:
    return execute(SYSTEM, {}, copy.deepcopy(items), config)


def difference(items: list[Json], config: dict[str, Json]) -> Difference | None:
    """The first difference, None where both agree."""
    return compared(items, run(items, config), config)


def compared(pristine: list[Json], state: State, config: dict[str, Json]) -> Difference | None:
    expected = glasskube.resolve(pristine, config)
    wanted = {rough(error, config) for error in expected.errors}
    found = {rough(error_of(finding), config) for finding in state.outcome.findings if finding.severity == "error"}
    if wanted != found:
        texts = [f"{finding.kind}: {results.line(finding)}" for finding in state.outcome.findings]
        return Difference("errors", texts, sorted(expected.errors))
    if wanted:
        return None
    told = [finding for finding in state.outcome.findings if finding.severity == "warning" and "lint" not in finding.tags]
    warned = {(WARNINGS[finding.rule], *error_of(finding)[1:]) for finding in told if finding.rule in WARNINGS}
    meant = set() if config.get("profile") == "upstream" else expected.warnings
    if warned != meant:
        return Difference("warnings", sorted(warned - meant), sorted(meant - warned))
    items, helm = outcome(state)
    if not same(items, expected.items):
        return Difference("items", items, expected.items)
    if not same(helm, expected.helm):
        return Difference("helm", helm, expected.helm)
    return None


def error_of(finding: Finding) -> glasskube.Error:
    """A finding as the reading has it."""
    kind, item = finding.kind, finding.item
    if not isinstance(item, Item) or item.kind not in ("Package", "ClusterPackage"):
        return kind, "", ""
    named = re.match(r'(transformation \d+)|[^"]*"([^"]+)"', finding.message)
    name = (named[1] or named[2]) if named and kind in (*NAMED, "conflict") else ""
    return kind, f"{item.kind}/{item.namespace}/{item.label}", name


def rough(error: glasskube.Error, config: dict[str, Json]) -> glasskube.Error:
    """What is compared: kind, Package and value where the texts say all three. Upstream's late stages may stop at any value."""
    kind, package, name = error
    if kind in LATE and config.get("profile") == "upstream":
        return "late", package, ""
    return (kind, package, name) if kind in NAMED else (kind, "", "")


def outcome(state: State) -> tuple[list[Json], dict[str, Json]]:
    """The items without our annotations, and the Helm objects by file."""
    items: list[Json] = []
    helm: dict[str, Json] = {}
    for item in copy.deepcopy(state.items):
        annotations = item["metadata"].get("annotations") or {}
        made = "krm-values.dev/generated-by" in annotations
        path = annotations.get(PATH)
        left = {
            key: text
            for key, text in annotations.items()
            if not key.startswith("krm-values.dev/") and not (made and "config.kubernetes.io/" in key)
        }
        item["metadata"].pop("annotations", None)
        if left:
            item["metadata"]["annotations"] = left
        if made:
            helm[path] = item
        else:
            items.append(item)
    return items, helm
