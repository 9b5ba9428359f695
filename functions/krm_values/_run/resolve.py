"""The one way in which a function runs: plan everything, then apply all of it or nothing."""

from __future__ import annotations

import posixpath
from types import MappingProxyType
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.limits import beyond
from krm_values._data.pointer import get
from krm_values._data.record import lazy, record, replace
from krm_values._data.shown import described, type_of
from krm_values._krm import names, places
from krm_values._krm.config import not_located, nowhere
from krm_values._krm.findings import in_order
from krm_values._krm.plan import UNREADABLE, Finding, Inside, New, unreadable
from krm_values._krm.resources import Resources
from krm_values._krm.shapes import misspelt
from krm_values._krm.taint import TELLING
from krm_values._run.engine import InterleavedError, Run, differing, mentioning
from krm_values._run.generated import REMOVED, marked_by
from krm_values._run.step_position import StepPosition
from krm_values._yaml.decode import above_merges
from krm_values._yaml.parser import accepts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.errors import InputError
    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.config import ConfigPlace
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Note
    from krm_values._krm.shapes import Served
    from krm_values._run.engine import Source
    from krm_values._run.function import Function
    from krm_values._run.generated import Added
    from krm_values._run.recorder import Recorder
    from krm_values._run.redaction import Redaction
    from krm_values._run.state import Decision


NO_RESOURCE = "not-a-resource"
_RESOURCE_ID = "kpt-resource-id"


@record
class Outcome:
    """The result of a run. With an error finding nothing is edited, removed or added.

    edited: new text by item number. operations: RFC 6902, with paths from /items/N of the input. planned: those on the items as the plan saw them,
    without what earlier runs wrote; None for a failed or brief run. unmatched: the message that there was nothing to work on; not a finding, so that such
    a list is returned byte for byte. redaction: hides the values that other functions took from Secrets, None if there are none. place: returns
    where the config is. missed: kind, group, namespace and name of each object that was looked up and not found. moved: the path and index to
    which a step of others moves resources, by number. generated: the objects that the run generates and writes, also those of earlier runs.
    """

    findings: tuple[Finding, ...]
    edited: Mapping[int, str]
    removed: frozenset[int]
    added: tuple[Added, ...]
    operations: tuple[dict[str, JSON], ...]
    decisions: Sequence[Decision]
    notes: tuple[Note, ...]
    unmatched: str = ""
    redaction: Redaction | None = None
    place: Callable[[], ConfigPlace | None] = nowhere
    missed: frozenset[tuple[str, str, str, str]] = frozenset()
    planned: tuple[dict[str, JSON], ...] | None = None
    moved: Mapping[int, tuple[str, int]] = MappingProxyType({})
    generated: tuple[New, ...] = ()

    @property
    def failed(self) -> bool:
        return any(finding.severity == "error" for finding in self.findings)


def resolve(
    function: Function,
    config: object,
    source: Source,
    tools: object = None,
    place: Callable[[], ConfigPlace | None] = nowhere,
    *,
    checks_unread: bool = False,
    brief: bool = False,
    stored: bool = True,
    position: StepPosition | None = None,
) -> Outcome:
    """Run a function's planner over the items and apply its plan: all of it, or with an error nothing.

    A list with values from Secrets is planned twice, the first time with stand-ins for them (`redaction`). A brief run whose plan returns to
    an item is made again in full.

    tools: what the planner gets. place: returns where the config is. checks_unread: report documents that no function reads and that are not
    YAML. brief: the caller needs no decisions, operations and notes, so that items are dropped from memory as soon as they are written, unless
    the function keeps undo records. stored: whether a later run may get what this one writes; otherwise nothing is annotated, unless the config
    wants records. position: of the step among others.
    """
    checks = getattr(config, "check", False)
    stored = stored or checks  # what is checked is what a stored run would leave
    wants_records = getattr(config, "record", None)
    keeps = stored if wants_records is None else wants_records
    repeats, findings = _repeats(source)
    items = [item for item in source.items if item.number not in repeats]
    position = position or StepPosition(function.writer(config))
    ours, others, about_patches = _divided(function, position, items, source)
    findings += about_patches
    keeps_all = keeps and (
        function.record(config) if function.record else function.records_on_request and wants_records is True
    )
    recorder, others = _reverted_items(function, position, others, source, keeps=keeps_all)

    def plan(seen: list[Item]) -> tuple[Resources, Iterable[Any]]:
        resources = Resources(seen, ours, source.limits)
        return resources, function.plan(config, resources, tools)

    redaction = _redaction(others, source, lambda seen: list(plan(seen)[1]))
    is_brief = brief and not (recorder or redaction or function.tools or checks)
    resources, run = _applied(lambda: plan(others), source, redaction, brief=is_brief, annotates=stored or keeps)
    findings += misspelt(function.serves, others, function.misspelt)
    findings += run.plan_findings
    findings += _unreadable(items, findings)
    findings += _no_resources(items)
    findings += unread_warnings(items, source.text) if checks_unread else ()
    findings += _merges(mentioning("<<", items, source))
    run.findings = [*findings, *run.findings]
    removal = function.removal(config) if function.removal else "info"
    run.generate(function.name, ours, others, removal, position)
    if recorder:
        beside = keeps and function.records_on_request
        recorder.write_records(run, keeps=keeps_all, beside=beside, marks=function.record is not None and not keeps_all)
    if checks:
        run.findings += differing(run)
    edited = {} if _fails(_promoted(run.findings, config)) else run.texts()
    ordered = _ordered(_about_config(_promoted(run.findings, config), place), source.limits)
    failed = _fails(ordered)
    unwritten = failed or checks
    return Outcome(
        tuple(finding for finding in ordered if finding.kind != REMOVED) if failed else ordered,
        {} if unwritten else edited,
        frozenset() if unwritten else frozenset(repeats | run.removed),
        () if unwritten else tuple(run.added),
        () if unwritten or brief else run.operations(repeats),
        lazy(run.decisions, run.decisions),
        tuple(run.notes),
        _unmatched(function, items, run),
        redaction,
        place,
        frozenset(resources.missed),
        None if failed or brief else run.planned(),
        generated=tuple(new for new in run.news if new.written),
    )


def _divided(
    function: Function, position: StepPosition, items: list[Item], source: Source
) -> tuple[list[Item], list[Item], list[Finding]]:
    """Return the objects that the function generated earlier, the other items that it sees, and a finding on the patches of kustomize.

    It sees neither these patches nor what a later step generated in an earlier run.
    """
    made = [item for item in mentioning(names.MADE_BY, items, source) if names.MADE_BY in item.marks]
    ours = [item for item in marked_by(position.called, made) if position.owns(item)]
    known = {item.number for item in ours}
    known |= {item.number for item in made if item.number not in known and position.is_made_later(item)}
    found = patches(items, lambda text: mentioning(text, items, source))
    others = [item for item in items if item.number not in known and item.number not in found]
    return ours, others, list(ignored_patches(found, items, function.serves))


def _applied(
    plan: Callable[[], tuple[Resources, Iterable[Any]]],
    source: Source,
    redaction: Redaction | None,
    *,
    brief: bool,
    annotates: bool,
) -> tuple[Resources, Run]:
    """Return the run with all entries of the plan applied, and the resources afterwards; in full if it cannot be brief. plan: runs the planner."""
    resources, entries = plan()
    if redaction:
        entries = redaction.hidden([*entries])
    run = Run(source, redaction, brief=brief, annotates=annotates)
    try:
        for entry in entries:
            run.take(entry)
    except InterleavedError:
        return _applied(plan, source, redaction, brief=False, annotates=annotates)
    return resources, run


def _unreadable(items: list[Item], findings: list[Finding]) -> list[Finding]:
    """Return an error for each item that cannot be read, unless the planner has reported it."""
    reported = {id(finding.item) for finding in findings if finding.kind == UNREADABLE}
    return [unreadable(item, item.error) for item in items if not item.is_unread and item.error and id(item) not in reported]


def _no_resources(items: Iterable[Item]) -> Iterator[Finding]:
    """Yield an error for each item that cannot be a resource: not a map, or without a kind. Only an item whose header has no kind is read."""
    for item in items:
        if (item.kind and not item.kind.isdigit()) or item.error:
            continue
        data = item.data
        if posixpath.basename(item.position.path) in names.KUSTOMIZATIONS:
            continue
        if not isinstance(data, dict):
            text = f"must be a resource, which is a map; found {type_of(data)}"
            yield Finding("error", NO_RESOURCE, None, f"{text}; remove it", item)
        elif not isinstance(kind := data.get("kind"), str) or not kind:
            near = "" if "kind" in data else suggest.nearest("kind", [key for key in data if isinstance(key, str)])
            found = f"`{near}`; did you mean `kind`?" if near else "nothing" if kind is None else described(kind)
            advice = "" if near else "; add it, or leave out what is no resource"
            text = f"must be there and name a kind; found {found}{advice}"
            yield Finding("error", NO_RESOURCE, None, text, item, ("kind",))


def _merges(items: Iterable[Item]) -> Iterator[Finding]:
    """Yield a warning for each value above a `<<` that has its key as well, in resources that were read: kubectl takes what is merged."""
    for item in items:
        root = None if item.is_unread or item.data is None else item.reading.root
        text = "`<<` below has the key as well, and kubectl reads that value; kpt, kustomize and krm-values read this one: write it below `<<`"
        yield from (Finding("warning", "merged", None, text, item, path) for path in above_merges(root())) if root else ()


def _ordered(findings: list[Finding], limits: Limits) -> tuple[Finding, ...]:
    """Return the findings in order; of very many, the first ones."""
    ordered = in_order(findings)
    return _first(ordered, limits) if len(ordered) > limits.findings else ordered


def _first(findings: tuple[Finding, ...], limits: Limits) -> tuple[Finding, ...]:
    """Return the first findings if there are very many, preceded by an error that says so."""
    text = f"there must not be more than {limits.findings:,} findings, found {len(findings):,}: the others are not shown"
    return Finding("error", "findings", None, beyond(limits, "findings", text)), *findings[: limits.findings]


def _about_config(findings: list[Finding], place: Callable[[], ConfigPlace | None]) -> list[Finding]:
    """Return the findings, with the place of the config on those about it, and on those that have no other place."""
    about = [replace(finding, config=()) if _is_nowhere(finding) else finding for finding in findings]
    found = place() if any(finding.config is not None for finding in about) else None
    return [found.located(finding) for finding in about] if found else [not_located(finding) for finding in findings]


def _is_nowhere(finding: Finding) -> bool:
    """Return whether a finding is about no resource and no field: about all of them, or about an object that the functionConfig alone makes."""
    item = finding.item
    is_of_config = item is None or (isinstance(item, New) and places.made_from(item) is None)
    return is_of_config and finding.at is None and finding.config is None


def _redaction(items: list[Item], source: Source, plan: Callable[[list[Item]], list[Any]]) -> Redaction | None:
    """Return the redaction of values that other functions took from Secrets; None if there are none. plan: runs the planner on items with stand-ins.

    Generated objects alone are no reason to plan twice, because their values are elsewhere as well, or are removed; but they get stand-ins, too.
    """
    mentioned = {item.number: item for key in TELLING for item in mentioning(key, items, source)}
    holders = [item for item in mentioned.values() if item.withheld]
    found = [item for item in holders if names.MADE_BY not in item.marks]
    if not found:
        return None
    from krm_values._run import redaction  # noqa: PLC0415 - few lists hold such values

    entries = plan(redaction.stand_ins(items, {item.number for item in holders}))
    run = Run(source)
    for entry in entries:
        run.take(entry)
    for new in run.news:
        run.state(new)
    return redaction.Redaction(found, entries, run)


def _reverted_items(
    function: Function, position: StepPosition, items: list[Item], source: Source, *, keeps: bool
) -> tuple[Recorder | None, list[Item]]:
    """Return the items as the planner sees them: without what this step and later ones wrote in earlier runs. keeps: whether it keeps records."""
    recorded = mentioning(names.RECORD, items, source)
    if not (function.record or keeps or recorded):
        return None, items
    from krm_values._run.recorder import Recorder  # noqa: PLC0415 - few functions keep records

    recorder = Recorder(position)
    seen = recorder.undo(recorded)
    return recorder, [seen.get(item.number, item) for item in items]


def _repeats(source: Source) -> tuple[set[int], list[Finding]]:
    """Return the numbers of items that a host sent twice (byte-equal, with the same kpt-resource-id), and findings about them."""
    first: dict[tuple[str, str, str, str], Item] = {}
    texts: dict[tuple[str, str, str, str], set[str]] = {}
    repeats: set[int] = set()
    findings = []
    for item in source.items if source.contains(_RESOURCE_ID) else ():
        named = item.api_version, item.kind, item.namespace, item.name
        other = first.setdefault(named, item)
        if other is item:
            continue
        earlier = texts.setdefault(named, {source.text(other.number).strip()})
        text = source.text(item.number).strip()
        if _RESOURCE_ID in text and text in earlier:
            repeats.add(item.number)
            findings.append(
                Finding("warning", "repeat", None, "was sent twice by overlapping selectors; the repeat is dropped", item)
            )
        earlier.add(text)
    return repeats, findings


def _fails(findings: Iterable[Finding]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def _promoted(findings: list[Finding], config: object) -> list[Finding]:
    """Return the findings, with `strict` warnings as errors, except notices of removal, which would block the removal."""
    if not getattr(config, "strict", False):
        return findings
    return [replace(one, severity="error") if one.severity == "warning" and one.kind != REMOVED else one for one in findings]


def _unmatched(function: Function, items: list[Item], run: Run) -> str:
    """Return the message that there is nothing to work on (`no HelmRelease among 12 resources`); "" if anything was done or found."""
    if run.removed or run.has_entries or any(finding.severity != "info" for finding in run.findings):
        return ""
    if not function.kinds or any(f"{item.kind}.{item.group}" in function.kinds for item in items):
        return ""
    kinds = suggest.alternatives([kind.partition(".")[0] for kind in function.kinds])
    count = f"{len(items)} resource" if len(items) == 1 else f"{len(items)} resources"
    return f"no {kinds} among {count}"


# Kustomize patches among the items: incomplete objects that change others. They are not resources, so no function reads them.

KUSTOMIZE = "kustomize.config.k8s.io"
KUSTOMIZE_PATCH = "kustomize-patch"
_LISTS = ("patches", "patchesStrategicMerge", "patchesJson6902")
_PATCH = "patch"  # in the name of each of them
_DIRECTIVE = "$patch"
_MAPS = ((), ("metadata",), ("spec",))  # further down a field may hold anything, a patch for something else as well


def patches(items: Sequence[Item], mentioning: Callable[[str], Iterable[Item]]) -> dict[int, str]:
    """Return why an item is a patch, by item number. mentioning: returns the items that contain a string."""
    found = {item.number: text for item in mentioning(_DIRECTIVE) if (text := _directive(item))}
    files = dict(_files(filter(is_kustomization, mentioning(_PATCH)))) if any(map(is_kustomization, items)) else {}
    for item in items if files else ():
        if item.placed and item.position.path in files:
            found.setdefault(item.number, f"`{files[item.position.path]}` lists its file as one")
    return found


def ignored_patches(found: dict[int, str], items: Iterable[Item], served: Sequence[Served]) -> Iterator[Finding]:
    """Yield an info finding about the patches of kinds that the function reads."""
    groups = {"", *(one.group for one in served)}
    for item in items:
        if item.number in found and item.group in groups:
            text = f"is a patch of kustomize and not a resource, so it is left as it is: {found[item.number]}"
            yield Finding("info", KUSTOMIZE_PATCH, None, text, item)


def _directive(item: Item) -> str:
    """Return the patch directive in an item, "" if there is none."""
    maps = (get(item.data, path) for path in _MAPS)
    directive = next((one[_DIRECTIVE] for one in maps if isinstance(one, dict) and _DIRECTIVE in one), None)
    return f"it has `{_DIRECTIVE}: {directive}`" if isinstance(directive, str) else ""


def is_kustomization(item: Item) -> bool:
    """Return whether an item configures kustomize."""
    return item.group == KUSTOMIZE or (item.placed and posixpath.basename(item.position.path) in names.KUSTOMIZATIONS)


def _files(kustomizations: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """Yield the files that are listed as patches and not as resources, each with its kustomization."""
    data: list[tuple[str, Any]] = [(item.position.path, item.data) for item in kustomizations if isinstance(item.data, dict)]
    resources = {path for file, one in data for path in _paths(file, one.get("resources"))}
    for file, one in data:
        for name in _LISTS:
            yield from ((path, file) for path in _paths(file, one.get(name)) if path not in resources)


def _paths(file: str, entries: Any) -> Iterator[str]:
    """Yield the files that the entries of a list name, as paths of items."""
    for entry in entries if isinstance(entries, list) else ():
        path = entry.get("path") if isinstance(entry, dict) else entry
        if isinstance(path, str) and path and "\n" not in path:
            yield posixpath.normpath(posixpath.join(posixpath.dirname(file), path))


# Documents that no function reads and that are not YAML: they stay unchanged, with a finding.


def broken_documents(items: Iterable[Item], text: Callable[[int], str]) -> Iterator[Item]:
    """Yield the unread items that cannot be parsed. Only the parser runs on their text, which is much faster than reading it."""
    for item in items:
        if item.is_unread and not accepts(text(item.number).encode()) and item.error:
            yield item


def unread_warnings(items: Iterable[Item], text: Callable[[int], str]) -> Iterator[Finding]:
    """Yield a warning at the place of each such item."""
    for item in broken_documents(items, text):
        if item.error:
            yield unread_warning(item, item.error)


def unread_warning(item: Item, error: InputError) -> Finding:
    """Return the warning that a document, which no function needs, cannot be read."""
    inside = None if error.file else Inside(None, error.line, error.column)
    text = f"{error.message}; nothing here reads this document, so it stays as it is"
    return Finding("warning", UNREADABLE, None, text, item, inside=inside)
