"""Writes the values that Flux composes for each HelmRelease beside it or into it.

There is one chain, lowest first:

    valuesFrom[0]  <  valuesFrom[1]  <  ...  <  spec.values

An entry with a `targetPath` writes its text into what is there: the values below it with `spec.values` already merged over them. Where that
is a map or list of `spec.values` itself, the text is merged last, with it, and wins; elsewhere `spec.values` wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._krm.findings import Report
from krm_values._krm.plan import Finding, New, Note
from krm_values._run import texts
from krm_values._run.generated import beside
from krm_values._run.traced import explained, plain
from krm_values.flux_values import inline
from krm_values.flux_values.compose import RefusedPathError, check, compose, reason
from krm_values.flux_values.release import VALUES_FROM, VALUES_KEY, VERSIONS, Reader, read_release
from krm_values.flux_values.strvals import filling
from krm_values.flux_values.upstream_fields import GROUP

if TYPE_CHECKING:
    from krm_values._data.limits import Budget
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Plan
    from krm_values._krm.resources import Resources
    from krm_values._run.traced import Clash, Map
    from krm_values.flux_values.config import FluxValues
    from krm_values.flux_values.release import LoadedEntry, Release

MOST = 1_000_000
"""Scalars that are merged for one release."""


def plan(config: FluxValues, resources: Resources, _tools: object) -> Plan:
    """Yield, per release, a note with its entries in order, the findings, and the edits of `inline`; then the objects, by namespace and name."""
    reader, budget = Reader(config, resources), filling(resources.limits)
    objects: list[New] = []
    for item in resources.select("HelmRelease", group=GROUP):
        if item.version not in VERSIONS:
            known = f"known are {', '.join(VERSIONS)}{suggest.hint(item.version, VERSIONS)}"
            text = f'has the version "{item.version}", which is not read; {known}'
            yield Finding("warning", "version", "90", text, item, ("apiVersion",))
            continue
        report = Report()
        release = read_release(item, report)
        loaded = [entry for reference in release.references if (entry := reader.load(reference, report))]
        yield Note("layers", f"HelmRelease {item.namespace}/{item.label}", [_listed(entry) for entry in loaded])
        values = None if report.failed or item.error is not None else resolve(release, loaded, budget, report)
        yield from report.findings
        if values is not None and config.output == "inline":
            yield from inline.edits(release, loaded, values, resources.limits)
        elif values is not None:
            objects.append(new_object(release, values))
    for new in sorted(objects, key=texts.sort_key):
        yield new
        yield from texts.about_readable(new, "11.8", "Secret values", "`output: inline` writes none")


def resolve(release: Release, loaded: list[LoadedEntry], budget: Budget, report: Report) -> Map | None:
    """Compose the values and report what is unexpected in them; None, with an error in the report, if Helm refuses a `targetPath`."""
    if _work(release, loaded) > MOST:
        text = f"brings more than {MOST:,} values together, those of an object again for each entry that names it, the inline ones for each `targetPath`"
        report.error("limit", None, f"{text}: name an object once", release.item, VALUES_FROM)
        return None
    clashes: list[Clash] = []
    try:
        values = compose(release.inline, release.layer, loaded, clashes, budget)
    except RefusedPathError as error:
        path = (*error.entry.reference.path, "targetPath")
        report.error("target-path", "105", error.message, release.item, path)
        return None
    check(release, loaded, values, clashes, report)
    return values


def _work(release: Release, loaded: list[LoadedEntry]) -> int:
    """Return how many scalars are merged to compose the values."""
    own = _scalars(release.inline)
    sizes: dict[int, int] = {}
    for embedded in (entry.embedded for entry in loaded):
        if embedded is not None and id(embedded) not in sizes:
            sizes[id(embedded)] = _scalars(embedded.values)
    return sum(own if entry.embedded is None else sizes[id(entry.embedded)] for entry in loaded)


def _scalars(value: JSON) -> int:
    if not isinstance(value, (dict, list)):
        return 1
    nested = [one for one in (value.values() if isinstance(value, dict) else value) if isinstance(one, (dict, list))]
    return len(value) - len(nested) + sum(map(_scalars, nested))


def new_object(release: Release, values: Map) -> New:
    """Make a ConfigMap, or a Secret if any entry names a Secret."""
    is_secret = any(reference.kind == "Secret" for reference in release.references)
    name, at = f"{release.item.name}-flux-values", ("data", VALUES_KEY)
    metadata = texts.metadata_of(name, release.item.namespace)
    data = texts.values_object(metadata, VALUES_KEY, texts.write(plain(values)), is_secret=is_secret)
    told = explained(values, at, reason)
    return New(data, release.item, "values", beside(release.item, name), told, reads_secrets=is_secret)


def _listed(entry: LoadedEntry) -> JSON:
    reference = entry.reference
    named: dict[str, JSON] = {"kind": reference.kind, "namespace": reference.namespace, "name": reference.name}
    return {**named, "key": reference.key, "found": entry.item is not None, "layer": reference.layer, **reference.facts}
