"""Solution Descriptors: what comes in, merged into the Full SD of each environment."""

from __future__ import annotations

from krm_values._data.record import replace
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding, Note
from krm_values.envgene_sd import outputs
from krm_values.envgene_sd.inputs import environments, incoming, namespaces, parameters
from krm_values.envgene_sd.inputs.parameters import EXTENDED, REPLACE
from krm_values.envgene_sd.merge import fold, merge, outcomes
from krm_values.envgene_sd.sd import canonical, checks, descriptors, near_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.envgene_sd.config import EnvgeneSd
    from krm_values.envgene_sd.inputs.environments import Environment, Inventory
    from krm_values.envgene_sd.inputs.parameters import Parameters
    from krm_values.envgene_sd.merge.fold import Incoming
    from krm_values.envgene_sd.merge.merge import Merged


def plan(config: EnvgeneSd, resources: Resources, known: Collection[str] | None) -> Plan:
    """Merge the incoming SD into the Full SD of each chosen environment, and make its Delta SD where one is due.

    known: environments that there are although the list may have nothing of them; a host names none.
    Yields the findings of the parameters; then per environment, by name, its findings, the edits of its SDs, a note of the whole and
    one per application.
    """
    asked = parameters.read(config)
    yield from asked.findings
    if not asked.source and asked.is_fit:
        return
    inventory = environments.read(resources, asked.environments, known or ())
    yield from inventory.findings
    findings: list[Finding] = []
    data = incoming.of_data(asked.data, findings) if asked.source == "json" else []
    yield from findings
    if asked.source and asked.is_fit and not findings:
        for environment in inventory.environments:
            if environment.full or not _fails(inventory.findings):  # an SD that is at fault may be the one that is missing here
                yield from _environment(environment, asked, inventory, data)


def _environment(environment: Environment, asked: Parameters, inventory: Inventory, data: list[JSON]) -> Plan:
    if environment.full and asked.mode != REPLACE:
        standing, place = merge.standing(environment.full), merge.full_place(environment.full)
        yield from near_keys.warnings(near_keys.find(standing), place)
        yield from near_keys.odd_shapes(standing, place)
    findings: list[Finding] = []
    found = _incoming(environment, asked, inventory, data, findings)
    yield from findings
    findings = []
    if found is None:
        if environment.full and asked.mode != REPLACE:
            merge.read(environment.full, asked, findings)
        yield from (_of(environment, finding) for finding in findings)
        return
    profile = "upstream" if asked.upstream else "recommended"
    known = (asked.mode, profile, merge.stored(asked, found))
    old = environment.full
    mark = outputs.applied(old)
    if old and mark and mark == canonical.digest(*known, merge.standing(old)):
        text = "has this SD merged already: nothing is done, as its mark `krm-values.dev/applied` says"
        yield Finding("info", "already-applied", "75", text, old)
        return
    merged = merge.merge(old, found, asked, findings)
    yield from (_of(environment, finding) for finding in findings)
    if merged is not None and not _fails(findings):
        yield from outputs.write(environment, merged, found, asked.mode, canonical.digest(*known, merged.full))
        yield from _notes(environment, asked, merged)


def _incoming(
    environment: Environment, asked: Parameters, inventory: Inventory, data: list[JSON], findings: list[Finding]
) -> Incoming | None:
    """Return the environment's incoming SD after the input stage."""
    items: list[Item | None] = [None] * len(data)
    if asked.source == "artifact":
        items = list(incoming.of_artifacts(asked, environment, inventory, findings))
        data = [incoming.descriptor(item) for item in items if item]
    is_extended = asked.mode == EXTENDED
    if is_extended and asked.upstream and len(data) > 1:
        text = f"`extended-merge` must have exactly one incoming SD; found {len(data)}"
        config = ("SD_VERSION",) if asked.source == "artifact" else ("SD_DATA",)
        findings.append(Finding("error", "several-sds", "35", text, config=config))
    is_folded = len(data) > 1 or asked.mode not in (EXTENDED, REPLACE)
    before = len(findings)
    known, known_folders = _folders(environment, data, findings), namespaces.folders_of(environment.namespaces)
    is_ambiguous = _fails(findings[before:])
    found = []
    for index, (sd, item) in enumerate(zip(data, items, strict=False)):
        place = incoming.place(index, item, asked.data)
        is_marked, before = namespaces.is_marked(sd), len(findings)
        translated = namespaces.translated(sd, namespaces.Known(known, inventory.hints), place, findings) if is_marked else sd
        is_told = is_marked and (is_ambiguous or len(findings) > before)
        findings[before:] = [_of(environment, finding) for finding in findings[before:]]
        near = [one for one in near_keys.find(sd) if not (is_told and one.field == "deployPostfix")]
        findings += [*near_keys.warnings(near, place), *near_keys.odd_shapes(sd, place)]
        descriptor = descriptors.read(translated, place, findings)
        if descriptor:
            findings += checks.incoming(descriptor, extended=is_extended, folded=is_folded, told=is_told)
            if not is_told:
                postfixes = namespaces.unknown_postfixes(descriptor.applications, known_folders, inventory.hints)
                findings += [_of(environment, finding) for finding in postfixes]
            found.append(descriptor)
    if _fails(findings) or not found:
        return None
    folded = fold.fold(found, findings, extended=is_extended)
    return None if _fails(findings) else folded


def _folders(environment: Environment, data: list[JSON], findings: list[Finding]) -> dict[str, str]:
    """Return the environment's folders by namespace name, if an SD asks for them."""
    return namespaces.folders(environment.namespaces, findings) if any(map(namespaces.is_marked, data)) else {}


def _notes(environment: Environment, asked: Parameters, merged: Merged) -> Iterator[Note]:
    counts: dict[str, JSON] = {outcome: sum(row.outcome == outcome for row in merged.rows) for outcome in outcomes.OUTCOMES}
    told: dict[str, JSON] = {"mode": asked.mode, **counts, "full": "edited" if environment.full else "created"}
    delta = "written" if merged.delta is not None else "removed" if environment.delta else "none"
    yield Note("environment", environment.name or "(no name)", {**told, "delta": delta, "repeatable": merged.is_repeatable})
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
