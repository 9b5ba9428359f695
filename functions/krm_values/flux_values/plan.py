"""The values that Flux composes for each HelmRelease, written out beside it or into it."""

from __future__ import annotations

from krm_values._data import suggest
from krm_values._kit.planner.plan import Finding, Note
from krm_values.flux_values import diagnostics, inline, outputs
from krm_values.flux_values import release as releases
from krm_values.flux_values.compose import effects, set_syntax
from krm_values.flux_values.compose.strvals import Room
from krm_values.flux_values.compose.values import RefusedPathError, compose
from krm_values.flux_values.layer_reader import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Clash
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import New, Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.flux_values.compose.tracked import Map
    from krm_values.flux_values.config import FluxValues
    from krm_values.flux_values.layer_reader import Read
    from krm_values.flux_values.release import Release


def plan(config: FluxValues, resources: Resources, _tools: object) -> Plan:
    """Compose the values of each release, and write them where `output` says.

    Yields per release a note with its entries in order, and its findings; then edits of the release, or the objects by namespace and name.
    """
    reader, room = Reader(config, resources), Room(resources.limits)
    news: list[New] = []
    for item in resources.select("HelmRelease", group=releases.GROUP):
        if item.version not in releases.VERSIONS:
            known = f"known are {', '.join(releases.VERSIONS)}{suggest.hint(item.version, releases.VERSIONS)}"
            text = f'has the version "{item.version}", which is not read; {known}'
            yield Finding("warning", "version", "90", text, item, ("apiVersion",))
        else:
            yield from _release(item, config, reader, room, news)
    for new in sorted(news, key=outputs.place):
        yield new
        yield from outputs.readable(new)


def _release(item: Item, config: FluxValues, reader: Reader, room: Room, news: list[New]) -> Plan:
    findings: list[Finding] = []
    release = releases.read(item, findings)
    reads = [read for reference in release.references if (read := reader.read(reference, findings))]
    yield Note("layers", f"HelmRelease {item.namespace}/{item.label}", [_listed(read) for read in reads])
    if any(finding.severity == "error" for finding in findings) or item.error is not None:
        yield from findings
        return
    found = _composed(release, reads, room, findings)
    yield from findings
    if found is None:
        return
    if config.output == "inline":
        yield from inline.inlined(release, reads, found, reader.limits)
    else:
        news.append(outputs.made(release, found))


def _composed(release: Release, reads: list[Read], room: Room, findings: list[Finding]) -> Map | None:
    """The values; None where a `targetPath` is refused, which is then said."""
    clashes: list[Clash] = []
    try:
        found = compose(release.inline, release.says, reads, clashes, room)
    except RefusedPathError as error:
        path = (*error.read.reference.path, "targetPath")
        findings.append(Finding("error", "target-path", "105", error.message, release.item, path))
        return None
    findings += diagnostics.clashes(clashes)
    findings += effects.findings_of(release, reads, found)
    findings += set_syntax.findings_of(release, reads)
    return found


def _listed(read: Read) -> JSON:
    reference = read.reference
    named: dict[str, JSON] = {"kind": reference.kind, "namespace": reference.namespace, "name": reference.name}
    return {**named, "key": reference.key, "found": read.item is not None, "layer": reference.layer, **reference.facts}
