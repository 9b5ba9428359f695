"""The planner: merges the incoming SDs into the Full SD of each environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding, Note
from krm_values._kit.planner.report import Report
from krm_values.envgene_sd import (
    canonical,
    checks,
    descriptors,
    environments,
    fold,
    incoming,
    merge,
    namespaces,
    near_keys,
    outcomes,
    outputs,
    parameters,
)
from krm_values.envgene_sd.parameters import EXTENDED, REPLACE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.envgene_sd.config import EnvgeneSd
    from krm_values.envgene_sd.environments import Environment, Inventory
    from krm_values.envgene_sd.fold import Incoming
    from krm_values.envgene_sd.merge import Merged
    from krm_values.envgene_sd.parameters import Parameters


def plan(config: EnvgeneSd, resources: Resources, known: Collection[str] | None) -> Plan:
    """Merge the incoming SD into the Full SD of each chosen environment, and make its Delta SD where one is due.

    known: environments that exist even if the list has no item of them; None for a host, which names none.
    Yields the findings of the parameters; then per environment, by name, its findings, the edits of its SDs, a note about it and
    one per application.
    """
    given = parameters.read(config)
    yield from given.findings
    if not given.source and given.is_fit:
        return
    inventory = environments.read(resources, given.environments, known or ())
    yield from inventory.findings
    report = Report()
    data = incoming.of_data(given.data, report) if given.source == "json" else []
    yield from report.findings
    if given.source and given.is_fit and not report.findings:
        for environment in inventory.environments:
            if environment.full or not _fails(inventory.findings):  # an SD that is at fault may be the one that is missing here
                yield from _environment(environment, given, inventory, data)


def _environment(environment: Environment, given: Parameters, inventory: Inventory, data: list[JSON]) -> Plan:
    if environment.full and given.mode != REPLACE:
        content, place = merge.data_of(environment.full), merge.full_place(environment.full)
        yield from near_keys.warnings(near_keys.find(content), place)
        yield from near_keys.wrong_shapes(content, place)
    report = Report()
    found = _incoming(environment, given, inventory, data, report)
    yield from report.findings
    report = Report()
    if found is None:
        if environment.full and given.mode != REPLACE:
            merge.read(environment.full, given, report)
        yield from (_of(environment, finding) for finding in report.findings)
        return
    known = (given.mode, "recommended", merge.stored(given, found))  # the second word was a choice once, and is part of marks
    old = environment.full
    mark = outputs.applied(old)
    if old and mark and mark == canonical.digest(*known, merge.data_of(old)):
        text = "this SD is merged already, by its annotation `krm-values.dev/applied`: nothing is done"
        yield Finding("info", "already-applied", "75", text, old)
        return
    merged = merge.merge(old, found, given, report)
    yield from (_of(environment, finding) for finding in report.findings)
    if merged is not None and not _fails(report.findings):
        yield from outputs.write(environment, merged, found, given.mode, canonical.digest(*known, merged.full))
        yield from _notes(environment, given, merged)


def _incoming(
    environment: Environment, given: Parameters, inventory: Inventory, data: list[JSON], report: Report
) -> Incoming | None:
    """Return the environment's incoming SD after the input stage."""
    items: list[Item | None] = [None] * len(data)
    if given.source == "artifact":
        items = list(incoming.of_artifacts(given, environment, inventory, report))
        data = [incoming.descriptor(item) for item in items if item]
    is_extended = given.mode == EXTENDED
    is_folded = len(data) > 1 or given.mode not in (EXTENDED, REPLACE)
    before = len(report.findings)
    known, known_folders = _folders(environment, data, report), namespaces.folders_of(environment.namespaces)
    is_ambiguous = _fails(report.findings[before:])
    found = []
    for index, (sd, item) in enumerate(zip(data, items, strict=False)):
        place = incoming.place(index, item, given.data)
        is_marked, before = namespaces.is_marked(sd), len(report.findings)
        translated = namespaces.translated(sd, namespaces.Known(known, inventory.hints), place, report) if is_marked else sd
        is_reported = is_marked and (is_ambiguous or len(report.findings) > before)
        report.findings[before:] = [_of(environment, finding) for finding in report.findings[before:]]
        near = [one for one in near_keys.find(sd) if not (is_reported and one.field == "deployPostfix")]
        report.extend([*near_keys.warnings(near, place), *near_keys.wrong_shapes(sd, place)])
        descriptor = descriptors.read(translated, place, report)
        if descriptor:
            report.extend(checks.incoming(descriptor, extended=is_extended, folded=is_folded, reported=is_reported))
            if not is_reported:
                postfixes = namespaces.unknown_postfixes(descriptor.applications, known_folders, inventory.hints)
                report.extend([_of(environment, finding) for finding in postfixes])
            found.append(descriptor)
    if _fails(report.findings) or not found:
        return None
    folded = fold.fold(found, report, extended=is_extended)
    return None if _fails(report.findings) else folded


def _folders(environment: Environment, data: list[JSON], report: Report) -> dict[str, str]:
    """Return the environment's folders by namespace name, if an SD needs them."""
    return namespaces.folders(environment.namespaces, report) if any(map(namespaces.is_marked, data)) else {}


def _notes(environment: Environment, given: Parameters, merged: Merged) -> Iterator[Note]:
    counts: dict[str, JSON] = {outcome: sum(row.outcome == outcome for row in merged.rows) for outcome in outcomes.OUTCOMES}
    summary: dict[str, JSON] = {"mode": given.mode, **counts, "full": "edited" if environment.full else "created"}
    delta = "written" if merged.delta is not None else "removed" if environment.delta else "none"
    yield Note("environment", environment.name or "(no name)", {**summary, "delta": delta, "repeatable": merged.is_repeatable})
    for row in merged.rows:
        yield Note("application", f"{environment.name} {row.application.title}".lstrip(), outcomes.account(row))


def _of(environment: Environment, finding: Finding) -> Finding:
    """Return a finding that names its environment, unless its item does."""
    if not environment.name:
        return finding
    own = isinstance(finding.item, Item) and environments.name_of(finding.item) == environment.name
    message = finding.message if own else f"{environment.name}: {finding.message}"
    return replace(finding, message=message, tags={**finding.tags, "environment": environment.name})


def _fails(findings: Iterable[Finding]) -> bool:
    return any(finding.severity == "error" for finding in findings)
