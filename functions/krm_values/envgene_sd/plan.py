"""Merges the incoming SDs into the Full SD of each environment, and writes the Delta SD.

Several incoming SDs are folded into one: a later one overrides the version of an earlier one. What then becomes of an application:

    mode                    in both SDs        same version   in the Full SD only   in the incoming SD only   header and graph
    basic-merge             incoming version   kept           kept                  added at the end          dropped
    basic-exclusion-merge   incoming version   removed        kept                  ignored                   dropped
    extended-merge          incoming version   kept           kept                  added, also to the graph  those of the Full SD
    replace                 incoming           incoming       removed               added                     those of a single SD

An application is found by name and `deployPostfix`, in extended-merge by its effective alias as well. But for `replace`, all
but its version stays.
Without a Full SD the incoming SD becomes the Full SD. The Delta SD is the incoming SD; `replace` and a first SD have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._krm.findings import Report
from krm_values._krm.plan import Finding, Note
from krm_values.envgene_sd import environments, incoming, merge, outputs, parameters
from krm_values.envgene_sd.descriptors import check_keys
from krm_values.envgene_sd.parameters import EXCLUSION, REPLACE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from krm_values._data.values import JSON
    from krm_values._krm.plan import Plan
    from krm_values._krm.resources import Resources
    from krm_values.envgene_sd.config import EnvgeneSd
    from krm_values.envgene_sd.environments import Environment, Inventory
    from krm_values.envgene_sd.merge import Merged, Row
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
    report = Report()
    inventory = environments.read(resources, given.environments, known or (), report)
    is_whole = not report.failed
    data = incoming.of_data(given.data, report) if given.source == "json" else []
    yield from report.findings
    if given.is_fit and (data or given.source == "artifact"):
        for environment in inventory.environments:
            if environment.full or is_whole:  # an SD that is at fault may be the one that is missing here
                yield from _environment(environment, given, inventory, data)


def _environment(environment: Environment, given: Parameters, inventory: Inventory, data: list[JSON]) -> Plan:
    full, report = environment.full, Report()
    if full and given.mode != REPLACE:
        check_keys(merge.content(full), merge.place(full), report)
    found = incoming.read(environment, given, inventory, data, report)
    yield from report.findings
    report = Report()
    if found is None:
        if full and given.mode != REPLACE:
            merge.read(full, given, report)
        yield from map(environment.named, report.findings)
        return
    known = (given.mode, "recommended", merge.stored(given, found))  # the second word was a choice once, and is part of marks
    merged = merge.merge(full, found, given, report)
    if full and (mark := outputs.applied(full)) and mark == outputs.digest(*known, merge.content(full)):
        text = "this SD is merged already, by its annotation `krm-values.dev/applied`: nothing is done"
        yield Finding("info", "already-applied", "75", text, full)
        if given.mode != EXCLUSION:  # which would miss what it has removed; else what is at fault in the incoming SD still is
            yield from map(environment.named, (one for one in report.findings if one.severity == "warning"))
        return
    yield from map(environment.named, report.findings)
    if merged is not None and not report.failed:
        yield from outputs.write(environment, merged, found, given.mode, outputs.digest(*known, merged.full))
        yield from _notes(environment, given, merged)


def _notes(environment: Environment, given: Parameters, merged: Merged) -> Iterator[Note]:
    counts: dict[str, JSON] = {outcome: sum(row.outcome == outcome for row in merged.rows) for outcome in merge.OUTCOMES}
    summary: dict[str, JSON] = {"mode": given.mode, **counts, "full": "edited" if environment.full else "created"}
    delta = "written" if merged.delta is not None else "removed" if environment.delta else "none"
    yield Note("environment", environment.name or "(no name)", {**summary, "delta": delta, "repeatable": merged.is_repeatable})
    for row in merged.rows:
        yield Note("application", f"{environment.name} {row.application.title}".lstrip(), _account(row))


def _account(row: Row) -> dict[str, JSON]:
    """Return what `explain` shows for an application."""
    versions = (("from", row.before), ("to", row.application.version)) if row.outcome == merge.CHANGED else ()
    known = versions or (("version", row.application.version),)
    found: dict[str, JSON] = {"outcome": row.outcome, **dict(known), "by": row.origin.layer}
    return {**found, "overridden": [origin.layer for origin in row.overridden]} if row.overridden else found
