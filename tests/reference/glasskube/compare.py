"""One list through `glasskube-values` and through the independent implementation: where they differ."""

from __future__ import annotations

import copy
import re
from typing import Any

from krm_values._data.data_edits import same
from krm_values._krm import findings
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding
from tests.conformance.cases import State, System, execute
from tests.reference.difference import Difference
from tests.reference.glasskube import lint as glasskube_lint
from tests.reference.glasskube import resolve as glasskube
from tests.reference.glasskube.notes import GENERATED, file_of, notes, stripped
from tests.reference.glasskube.state import Answer, Error

Json = Any
SYSTEM = System(lambda _: "glasskube-values", lambda _: {}, lambda _case, _outcome: "")
LATE = ("template", "patch", "target", "transformation")
WARNINGS = {"73": "target", "77": "target", "19": "secret", "79": "conflict"}  # by rule
NAMED = ("configuration", "resolution", "validation", *LATE)
RECORD = {("record", "", "")}


def run(items: list[Json], config: dict[str, Json]) -> State:
    return execute(SYSTEM, {}, copy.deepcopy(items), config)


def difference(items: list[Json], config: dict[str, Json]) -> Difference | None:
    """The first difference, None where both agree."""
    state, stricter = strictly(items, config)
    return stricter or compared(items, state, config)


def compared(pristine: list[Json], state: State, config: dict[str, Json]) -> Difference | None:
    return judged(glasskube.resolve(pristine, config), state)


def strictly(items: list[Json], config: dict[str, Json]) -> tuple[State, Difference | None]:
    """A run where `strict` is not set; and how one with it differs from that but for the warnings, which are errors."""
    lenient = run(items, {**config, "strict": False})
    if not config.get("strict"):
        return lenient, None
    state = run(items, config)
    gone = "generated-removed"  # a warning under `strict`, too, and not said where nothing goes
    before = {(one.kind, str(one.item), one.path) for one in lenient.outcome.findings if one.severity in ("error", "warning")}
    before = {one for one in before if one[0] != gone}
    after = {(one.kind, str(one.item), one.path) for one in state.outcome.findings if one.severity == "error"}
    if before != after:
        return lenient, Difference("strict findings", sorted(before - after), sorted(after - before))
    if not same(state.items, items if after else lenient.items):
        return lenient, Difference("strict items", state.items, items if after else lenient.items)
    return lenient, None


def judged(expected: Answer, state: State) -> Difference | None:
    wanted = {rough(error) for error in expected.errors}
    found = {rough(error_of(finding)) for finding in state.outcome.findings if finding.severity == "error"}
    if (wanted | found) - RECORD:  # what is overwritten, and which lists get elements, is not known after other errors
        wanted, found = wanted - RECORD, found - RECORD
    if wanted != found:
        texts = [f"{finding.kind}: {findings.line(finding)}" for finding in state.outcome.findings]
        return Difference("errors", texts, sorted(expected.errors))
    if wanted:
        return None
    told = [finding for finding in state.outcome.findings if finding.severity == "warning" and "lint" not in finding.tags]
    warned = {(WARNINGS[finding.rule], *error_of(finding)[1:]) for finding in told if finding.rule in WARNINGS}
    meant = expected.warnings
    if warned != meant:
        return Difference("warnings", sorted(warned - meant), sorted(meant - warned))
    said, odd = linted(state), expected.odd
    seen = {("dead-target", name) for kind, _, name in meant if kind == "target"}  # not said twice
    seen |= {("template", name) for kind, _, name in odd if kind == "default"}  # a default that fails anyway is no sample
    said, odd = ({one for one in those if (one[0], one[2]) not in seen} for those in (said, odd))
    if said != odd:
        return Difference("lint", sorted(said - odd), sorted(odd - said))
    items, helm = outcome(state)
    if not same(items, expected.items):
        return Difference("items", items, expected.items)
    if not same(helm, expected.helm):
        return Difference("helm", helm, expected.helm)
    return None


def error_of(finding: Finding) -> Error:
    """A finding as the independent implementation has it."""
    kind, item = finding.kind, finding.item
    if not isinstance(item, Item) or item.kind not in ("Package", "ClusterPackage"):
        return kind, "", ""
    named = re.match(r'(transformation \d+)|[^"]*"([^"]+)"', finding.message)
    name = (named[1] or named[2]) if named and kind in (*NAMED, "conflict") else ""
    return kind, f"{item.kind}/{item.namespace}/{item.label}", name


def rough(error: Error) -> Error:
    """What is compared: kind, Package and value where the texts say all three."""
    kind, package, name = error
    return (kind, package, name) if kind in NAMED else (kind, "", "")


def linted(state: State) -> set[Error]:
    """What lint says of the manifests of a run, as (kind, manifest, definition), but for resources that nobody has (rule 73)."""
    found = set()
    for finding in state.outcome.findings:
        named = re.match(r'(?:"([^"]+)" of )?manifest "([^"]+)"', finding.message)
        kind = finding.tags.get("lint", finding.kind)
        if named and finding.severity == "warning" and kind in glasskube_lint.KINDS.split() and finding.rule != "73":
            part = finding.path.index("transformations") + 1 if "transformations" in finding.path else 0
            name = f"transformation {int(finding.path[part]) + 1}" if part else named[1]
            found.add((kind.removesuffix("-json"), named[2], name))
    return found


def outcome(state: State) -> tuple[list[Json], dict[str, Json]]:
    """The items without our annotations, and the Helm objects by file."""
    items: list[Json] = []
    helm: dict[str, Json] = {}
    for item in state.items:
        if GENERATED in notes(item):
            helm[file_of(item)] = stripped(item)
        else:
            items.append(stripped(item))
    return items, helm
