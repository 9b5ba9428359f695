"""`envgene process`: fetch, merge and compute the changes, as the pipeline's step does. Of each environment only what is printed and written is kept."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from krm_values._data.errors import UserError
from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.record import record, replace
from krm_values._krm import config as configs
from krm_values._krm import documents, names, places, resourcelist
from krm_values._krm import findings as results
from krm_values._krm.findings import Report
from krm_values._krm.item import Item
from krm_values._krm.plan import CONFIG, UNREADABLE, Finding, Origin
from krm_values._run.resolve import resolve
from krm_values.envgene_sd import function, parameters
from krm_values.envgene_sd.environments import is_environment
from krm_values.envgene_sd.merge import OUTCOMES
from krm_values.envgene_sd.repository import fetch, files, sd_files
from krm_values.envgene_sd.repository.fetch import Access
from krm_values.envgene_sd.repository.files import DESCRIPTOR, ENVIRONMENT, FaultsError, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values.envgene_sd.parameters import Parameters
    from krm_values.envgene_sd.repository.fetch import Fetched
    from krm_values.envgene_sd.repository.sd_files import Sunk

_MISSING = "no-artifact"
_SHOWN = ("added", "changed", "removed", "kept")
_CAUSES = (CONFIG, UNREADABLE, "text")


@record
class ProcessStep:
    """A run of the step before any SD is read: its parameters, the environments and the fetched artifacts.

    data_file: the file of SD_DATA, "" for stdin; None for no file.
    """

    root: Path
    spec: Mapping[str, JSON]
    parameters: Parameters
    environments: tuple[str, ...]
    fetched: tuple[Fetched, ...]
    findings: tuple[Finding, ...]
    data_file: str | None = None


@record
class Reported:
    """One finding without the resource that it is about: its line for a terminal, its entry in JSON, its place in the order of all findings."""

    severity: str
    line: str
    result: dict[str, JSON]
    rank: tuple[bool, bool, str]


@record
class Row:
    """One environment: its mode, the number of applications by outcome, and the state of both SDs."""

    environment: str
    mode: str
    counts: Mapping[str, JSON]
    full: str
    delta: str


@record
class Processed:
    """The result of the step. With an error there are no changes."""

    findings: tuple[Reported, ...]
    rows: tuple[Row, ...]
    sunk: tuple[Sunk, ...]

    @property
    def failed(self) -> bool:
        return any(finding.severity == "error" for finding in self.findings)


def step(
    root: Path,
    spec: dict[str, JSON],
    *,
    access: Access | None = None,
    create: bool = False,
    data_file: str | None = None,
    advance: Callable[[], None] = lambda: None,
) -> ProcessStep:
    """Read the parameters and fetch what they name; failures become findings. create: whether an environment without a folder is allowed."""
    given, allowed = parameters.read(_config(spec)), access or Access()
    environments = given.environments if "ENV_NAMES" in spec else tuple(files.environments(root))
    environments = tuple(filter(is_environment, environments))
    fetched: list[Fetched] = []
    findings: tuple[Finding, ...] = () if create else tuple(_absent(root, environments))
    if not environments and given.is_fit:
        raise fault(ENVIRONMENT, f"{root}: no environment has an SD or a Namespace; name one with `--environment CLUSTER/ENV`")
    if given.source == "artifact" and given.is_fit:
        try:
            wanted = fetch.wanted(root, given.versions, environments, allow_http=allowed.allow_http)
            fetched = fetch.fetch(root, wanted, allowed, advance)
        except FaultsError as error:
            findings += error.findings
    return ProcessStep(root, spec, given, environments, tuple(fetched), findings, data_file)


def refreshed(step: ProcessStep) -> ProcessStep:
    """Return the step with the environments that exist now: others may have changed them before the lock was taken."""
    is_chosen = "ENV_NAMES" in step.spec or not step.parameters.is_fit
    found = step.environments if is_chosen else tuple(filter(is_environment, files.environments(step.root)))
    return step if found == step.environments else replace(step, environments=found)


def processed(step: ProcessStep, deltas: Path | None = None, advance: Callable[[], None] = lambda: None) -> Processed:
    """Read, merge and compute the changes of one environment after the other; all are planned even if one fails.

    With invalid parameters there is one plan for all, which merges nothing.
    """
    found = [*map(reported, step.findings)]
    rows: list[Row] = []
    sunk: list[Sunk] = []
    fetched: dict[str, list[Fetched]] = {}
    for one in step.fetched:
        fetched.setdefault(one.environment, []).append(one)
    for environments in [(name,) for name in step.environments] if step.parameters.is_fit else [step.environments]:
        own = [one for name in ("", *environments) for one in fetched.get(name, ())]
        findings, row, changes = _planned(step, environments, own, deltas)
        found += map(reported, findings)
        rows += row
        sunk += changes
        advance()
    done = in_order(found)
    failed = any(one.severity == "error" for one in done)
    return Processed(done, () if failed else tuple(rows), () if failed else tuple(sunk))


def _planned(
    step: ProcessStep, environments: tuple[str, ...], fetched: list[Fetched], deltas: Path | None
) -> tuple[Sequence[Finding], list[Row], list[Sunk]]:
    """Return the findings of some environments, and their rows and changes if there is no error."""
    is_fit = step.parameters.is_fit
    report = Report()
    items = sd_files.items(step.root, environments, report)
    if report.findings and is_fit:
        return report.findings, [], []
    chosen: dict[str, JSON] = {"ENV_NAMES": [*environments]} if is_fit else {}
    resource_list = resourcelist.read(sd_files.listed(chain.from_iterable(items.values()), fetched))
    outcome = resolve(function, _config({**step.spec, **chosen}), resource_list, environments)
    fetch_failed = bool(step.findings)  # which has reported what is then missing
    of_run = [finding for finding in outcome.findings if not (fetch_failed and finding.kind == _MISSING)]
    report.extend(_in_files(step, of_run))
    if report.failed:
        return results.in_order(report.findings), [], []
    result = b"".join(resource_list.apply(outcome))
    try:
        sunk = sd_files.sunk(step.root, result, deltas if step.parameters.source else None)
    except FaultsError as error:
        return results.in_order([*report.findings, *error.findings]), [], []
    notes = {note.subject: note.data for note in outcome.notes if note.topic == "environment" and isinstance(note.data, dict)}
    report.extend(_unrepeatable(name) for name, data in notes.items() if data.get("repeatable") is False)
    return results.in_order(report.findings), [_row(each, notes.get(each.environment, {})) for each in sunk], sunk


def _absent(root: Path, environments: Iterable[str]) -> Iterator[Finding]:
    """Yield an error for each environment without a folder."""
    for name in environments:
        if missing := files.missing(root, name):
            yield Finding("error", "unknown-environment", "S39", f"{missing}; `--create` makes it", tags={"environment": name})


def _unrepeatable(environment: str) -> Finding:
    text = "files have no annotation, so the same run again would exclude what this one has changed or stored: do not repeat it"
    return Finding("info", "not-repeatable", "75", f"{environment}: {text}", tags={"environment": environment})


def _config(spec: Mapping[str, JSON]) -> Any:
    wrapped: dict[str, JSON] = {"apiVersion": names.API_VERSION, "kind": names.kind(function.name), "spec": dict(spec)}
    return configs.read(function.form(), function.name, wrapped)


def _in_files(step: ProcessStep, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings at their places in files: an item's `spec` is a whole file of the repository, SD_DATA the whole text of one."""
    known: dict[str, Item | None] = {}
    data: Sequence[Item] | None = None
    for finding in findings:
        at = None
        if isinstance(finding.item, Item):
            path = finding.item.position.path
            if path and path not in known:
                known[path] = _file(step.root, path)
            if file := known.get(path):
                at = Origin("file", None, file, finding.path[1:] if finding.path[:1] == ("spec",) else ())
        elif finding.item is None and finding.config and finding.config[0] == "SD_DATA" and step.data_file is not None:
            if data is None:
                data = documents.read(str(step.spec.get("SD_DATA", "")).encode(), step.data_file).items
            at = Origin("SD_DATA", None, data[0], finding.config[1:]) if data else None
        yield replace(finding, at=at) if at else finding


def _file(root: Path, path: str) -> Item | None:
    """Return a file as an item; None if it cannot be read, as for an item that was fetched."""
    try:
        content = files.read(root, path, DESCRIPTOR)
    except UserError:
        return None
    return next(iter(documents.read(content.raw, content.path).items), None)


def _row(sunk: Sunk, note: Mapping[str, JSON]) -> Row:
    counts = {outcome: note[outcome] for outcome in OUTCOMES if outcome in note}
    return Row(sunk.environment, str(note.get("mode", "")), counts, sunk.full, sunk.delta)


def line(row: Row) -> str:
    """Format a row: `east/prod-7 basic-merge: 1 added, 1 changed, 0 removed, 3 kept; Full SD written, Delta SD written`."""
    delta = f"Delta SD {row.delta}" if row.delta else "no Delta SD"
    if not row.mode:
        return f"{row.environment}: Full SD {row.full}, {delta}"
    counts = ", ".join(f"{row.counts[outcome]} {outcome}" for outcome in _SHOWN)
    return f"{row.environment} {row.mode}: {counts}; Full SD {row.full}, {delta}"


def as_json(row: Row) -> dict[str, JSON]:
    """Return a row as JSON data."""
    counts: dict[str, JSON] = {**row.counts}
    return {"environment": row.environment, "mode": row.mode or None, **counts, "full": row.full, "delta": row.delta or "none"}


def reported(finding: Finding) -> Reported:
    """Return a finding as it is printed."""
    item, _ = places.of_finding(finding)
    is_cause = finding.severity == "error" and finding.kind in _CAUSES
    rank = not is_cause, item is None, item.position.path if item else ""
    return Reported(finding.severity, results.line(finding), results.as_result(finding), rank)


def in_order(found: Iterable[Reported]) -> tuple[Reported, ...]:
    """Return the findings of all environments without repetitions: strings that cannot be read first, then by file."""
    distinct = {(one.line, str(one.result)): one for one in found}
    ordered = sorted(distinct.values(), key=lambda one: one.rank)
    if len(ordered) <= DEFAULT.findings:
        return tuple(ordered)
    text = f"there must not be more than {DEFAULT.findings:,} findings, found {len(ordered):,}: the others are not shown"
    return reported(Finding("error", "findings", None, beyond(DEFAULT, "findings", text))), *ordered[: DEFAULT.findings]
