"""`envgene process`: source, fetch, run and sink in one command, as a step of the pipeline."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._kit.api.resolve import resolve
from krm_values._kit.config import read as configs
from krm_values._kit.kio import resourcelist
from krm_values._kit.planner import names
from krm_values._kit.planner.findings import in_order as ordered
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.envgene_sd import function, parameters
from krm_values.envgene_sd.environments import is_environment
from krm_values.envgene_sd.merge import OUTCOMES
from krm_values.envgene_sd.repository import fetch, item_files, source
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository import sd_files as sink
from krm_values.envgene_sd.repository.access import NOTHING
from krm_values.envgene_sd.repository.faults import ENVIRONMENT, FaultsError, fault
from krm_values.envgene_sd.repository.reported import in_order, reported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._kit.api.resolve import Outcome
    from krm_values.envgene_sd.parameters import Parameters
    from krm_values.envgene_sd.repository.access import Access
    from krm_values.envgene_sd.repository.fetch import Fetched
    from krm_values.envgene_sd.repository.reported import Reported
    from krm_values.envgene_sd.repository.sd_files import Sunk

_MISSING = "no-artifact"
_SHOWN = ("added", "changed", "removed", "kept")


@record
class Step:
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
class Processed:
    """The result of the step. With an error there are no changes."""

    findings: tuple[Reported, ...]
    rows: tuple[Row, ...]
    sunk: tuple[Sunk, ...]

    @property
    def failed(self) -> bool:
        return any(finding.severity == "error" for finding in self.findings)


@record
class Row:
    """One environment: its mode, the number of applications by outcome, and the state of both SDs."""

    environment: str
    mode: str
    counts: Mapping[str, JSON]
    full: str
    delta: str


def step(
    root: Path,
    spec: dict[str, JSON],
    *,
    access: Access = NOTHING,
    create: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> Step:
    """Read the parameters and fetch what they name; failures become findings.

    access: options for fetching. create: whether an environment without a folder is allowed.
    """
    given = parameters.read(_config(spec))
    environments = given.environments if "ENV_NAMES" in spec else tuple(repository.environments(root))
    environments = tuple(filter(is_environment, environments))
    fetched: list[Fetched] = []
    findings: tuple[Finding, ...] = () if create else tuple(_absent(root, environments))
    if not environments and given.is_fit:
        raise fault(ENVIRONMENT, f"{root}: no environment has an SD or a Namespace; name one with `--environment CLUSTER/ENV`")
    if given.source == "artifact" and given.is_fit:
        try:
            wanted = fetch.wanted(root, given.versions, environments, allow_http=access.allow_http)
            fetched = fetch.fetch(root, wanted, access, advance)
        except FaultsError as error:
            findings += error.findings
    return Step(root, spec, given, environments, tuple(fetched), findings)


def refreshed(step: Step) -> Step:
    """Return the step with the environments that exist now: others may have changed them before the lock was taken."""
    is_chosen = "ENV_NAMES" in step.spec or not step.parameters.is_fit
    found = step.environments if is_chosen else tuple(filter(is_environment, repository.environments(step.root)))
    return step if found == step.environments else replace(step, environments=found)


def processed(step: Step, deltas: Path | None = None, advance: Callable[[], None] = lambda: None) -> Processed:
    """Read, merge and compute the changes of one environment after the other; all are planned even if one fails.

    Of each environment only the findings, its row and the changes of its files are kept. With invalid parameters there is one plan
    for all, which merges nothing.
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
    step: Step, environments: tuple[str, ...], fetched: list[Fetched], deltas: Path | None
) -> tuple[Sequence[Finding], list[Row], list[Sunk]]:
    """Return the findings of some environments, and their rows and changes if there is no error."""
    is_fit = step.parameters.is_fit
    report = Report()
    items = source.items(step.root, environments, report)
    if report.findings and is_fit:
        return report.findings, [], []
    chosen: dict[str, JSON] = {"ENV_NAMES": [*environments]} if is_fit else {}
    resource_list = resourcelist.read(source.listed(chain.from_iterable(items.values()), fetched))
    outcome = resolve(function, _config({**step.spec, **chosen}), resource_list, environments)
    of_run: Iterable[Finding] = _of_run(outcome, fetch_failed=bool(step.findings))
    of_run = item_files.in_files(step.root, of_run)
    if step.data_file is not None:
        of_run = item_files.in_data(str(step.spec.get("SD_DATA", "")), step.data_file, of_run)
    report.extend(of_run)
    if report.failed:
        return ordered(report.findings), [], []
    result = b"".join(resource_list.apply(outcome))
    try:
        sunk = sink.sunk(step.root, result, deltas if step.parameters.source else None)
    except FaultsError as error:
        return ordered([*report.findings, *error.findings]), [], []
    notes = {note.subject: note.data for note in outcome.notes if note.topic == "environment" and isinstance(note.data, dict)}
    report.extend(_unrepeatable(name) for name, data in notes.items() if data.get("repeatable") is False)
    return ordered(report.findings), [_row(each, notes.get(each.environment, {})) for each in sunk], sunk


def _absent(root: Path, environments: Iterable[str]) -> Iterator[Finding]:
    """Yield an error for each environment without a folder."""
    for name in environments:
        if missing := repository.missing(root, name):
            yield Finding("error", "unknown-environment", "S39", f"{missing}; `--create` makes it", tags={"environment": name})


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


def _row(sunk: Sunk, note: Mapping[str, JSON]) -> Row:
    counts = {outcome: note[outcome] for outcome in OUTCOMES if outcome in note}
    return Row(sunk.environment, str(note.get("mode", "")), counts, sunk.full, sunk.delta)


def _unrepeatable(environment: str) -> Finding:
    text = "files have no annotation, so the same run again would exclude what this one has changed or stored: do not repeat it"
    return Finding("info", "not-repeatable", "75", f"{environment}: {text}", tags={"environment": environment})


def _of_run(outcome: Outcome, *, fetch_failed: bool) -> list[Finding]:
    """Return the findings of the run, without those about artifacts that a failed fetch has reported."""
    return [finding for finding in outcome.findings if not (fetch_failed and finding.kind == _MISSING)]


def _config(spec: Mapping[str, JSON]) -> Any:
    wrapped: dict[str, JSON] = {"apiVersion": names.API_VERSION, "kind": names.kind(function.name), "spec": dict(spec)}
    return configs.read(function.form(), function.name, wrapped)
