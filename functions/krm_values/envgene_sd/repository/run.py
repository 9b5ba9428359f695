"""Run the `envgene` commands: read, plan, write, print."""

from __future__ import annotations

import json
import os
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError, UserError, from_os
from krm_values._data.printable import lines, printable
from krm_values._data.record import replace
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values._kit.process import report
from krm_values._kit.process.arguments import LOCK_TIMEOUT
from krm_values._kit.process.progress import progress
from krm_values._kit.process.terminal import is_read, say, say_error, send
from krm_values._kit.process.write import clear, locked, made, refuse_link_out, write
from krm_values.envgene_sd import parameters
from krm_values.envgene_sd.environments import is_environment
from krm_values.envgene_sd.repository import access, fetch, process, reported, source
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository import options as step_options
from krm_values.envgene_sd.repository import sd_files as sink
from krm_values.envgene_sd.repository.diff import diff
from krm_values.envgene_sd.repository.faults import FaultsError, fault

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.process.write import Change
    from krm_values.envgene_sd.repository.fetch import Fetched
    from krm_values.envgene_sd.repository.process import Processed
    from krm_values.envgene_sd.repository.sd_files import Sunk

_FAILED, _WOULD_CHANGE = 2, 1


def run_source(options: Namespace, root: Path) -> int:
    """Run `envgene source`."""
    if options.fetch is None:
        _refuse_access(options, "use it with `--fetch`")
    _directory(root)
    environments = options.environment or repository.environments(root)
    _warn_of_missing(root, environments)
    fetched = _fetched(root, options, environments) if options.fetch is not None else []
    with progress("reading", len(environments)) as advance:
        items = source.items(root, environments, unread := Report(), advance)
    if unread.findings:
        raise FaultsError(unread.findings)
    _send(source.listed(chain.from_iterable(items.values()), fetched))
    return 0


def run_sink(options: Namespace, root: Path) -> int:
    """Run `envgene sink`."""
    data = sys.stdin.buffer.read()
    deltas = _deltas(options, root)
    with locked(_directory(root), timeout=_timeout(options)):
        done = sink.sunk(root, data, deltas)
        _clear(root, [each.environment for each in done])
        changed = _write(root, done, deltas)
    say(report.summary(changed))
    return 0


def run_fetch(options: Namespace, root: Path) -> int:
    """Run `envgene fetch`."""
    if options.environment:
        repository.check_environment(options.environment)
        _warn_of_missing(_directory(root), [options.environment])
    _directory(root)
    _send(fetch.documents(_read(root, options, _entries(options.artifacts), [options.environment])))
    return 0


def run_process(options: Namespace, root: Path) -> int:
    """Run `envgene process`."""
    if options.diff:
        try:
            return _diff(options, root)
        except (UserError, OSError) as error:
            say_error(from_os(error) if isinstance(error, OSError) else error)
            return _FAILED
    spec = _spec(options)
    deltas = _deltas(options, root)
    with progress("fetching") as advance:
        step = process.step(_directory(root), spec, access=access.of(options), create=options.create, advance=advance)
    step = replace(step, data_file=step_options.data_file(options))
    with locked(root, timeout=_timeout(options)):
        step = process.refreshed(step)
        _clear(root, step.environments)
        with progress("merging", len(step.environments)) as advance:
            done = process.processed(step, deltas, advance)
        if not done.failed:
            _write(root, done.sunk, deltas)
    reported.print_lines(done.findings, informations=options.verbose or is_read())
    print(_json(done) if options.json else "".join(f"{printable(process.line(row))}\n" for row in done.rows), end="")
    return int(done.failed)


def _diff(options: Namespace, root: Path) -> int:
    if options.lock_timeout is not None:
        raise UsageError("`--lock-timeout` has no effect here: `--diff` writes nothing")
    _directory(root)
    step = process.step(root, _spec(options), access=access.of(options), create=options.create)
    step = replace(step, data_file=step_options.data_file(options))
    deltas = _deltas(options, root)
    done = process.processed(step, deltas)
    reported.print_lines(done.findings, informations=options.verbose or is_read())
    if done.failed:
        return _FAILED
    text = diff(root, (change for each in done.sunk for change in each.changes))
    text += diff(deltas, (change for each in done.sunk for change in each.aside)) if deltas else ""
    sys.stdout.write(lines(text) if sys.stdout.isatty() else text)
    return _WOULD_CHANGE if text else 0


def _spec(options: Namespace) -> dict[str, JSON]:
    spec = step_options.spec(options)
    if str(spec.get("SD_SOURCE_TYPE", "")).strip().lower() == "json":
        _refuse_access(options, "nothing is fetched for the source `json`")
    return spec


def _refuse_access(options: Namespace, reason: str) -> None:
    for option in access.given(options):
        raise UsageError(f"`{option}` has no effect here: {reason}")


def _warn_of_missing(root: Path, environments: Iterable[str]) -> None:
    """Report a warning for each environment without a folder: a reading command continues without it."""
    messages = (repository.missing(root, name) for name in environments if is_environment(name))
    report.report(Finding("warning", "unknown-environment", "S39", message) for message in messages if message)


def _clear(root: Path, environments: Iterable[str]) -> None:
    """Remove what an interrupted run has staged beside the SDs; report a warning for each other file that looks like it."""
    names = [name for environment in environments for name in repository.beside(root, environment)]
    messages = clear(root, dict.fromkeys(names))
    report.report(Finding("warning", "left-behind", None, message) for message in messages)


def _fetched(root: Path, options: Namespace, environments: Sequence[str]) -> list[Fetched]:
    """Return the artifacts that `source --fetch` adds."""
    given = options.fetch or [os.environ.get("SD_VERSION", "")]
    return _read(root, options, _entries(given), environments)


def _read(root: Path, options: Namespace, artifacts: Sequence[str], environments: Sequence[str]) -> list[Fetched]:
    allowed = access.of(options)
    wanted = fetch.wanted(root, artifacts, environments, allow_http=allowed.allow_http)
    with progress("fetching", len(wanted)) as advance:
        return fetch.fetch(root, wanted, allowed, advance)


def _entries(given: Iterable[str]) -> list[str]:
    """Return the artifacts in strings of the form of SD_VERSION."""
    try:
        found = [entry for text in given for entry in parameters.split(text)]
    except parameters.MixedError as error:
        raise fault("16", f"an artifact list must have one kind of separator; found {error}", "fetch") from None
    if not found:
        raise UsageError("no artifact is named: give APPLICATION:VERSION, or set SD_VERSION")
    return found


def _write(root: Path, done: Sequence[Sunk], deltas: Path | None) -> list[Change]:
    """Write, Delta SDs first: after an interruption a repeated run does the rest. Return the changes."""
    aside = [change for each in done for change in each.aside]
    if deltas and aside:
        with made(deltas), locked(deltas):
            _clear(deltas, [each.environment for each in done])
            write(deltas, aside)
    changes = [change for each in done for change in each.changes]
    write(root, changes)
    return [*changes, *(replace(change, path=str(deltas / change.path)) for change in aside if deltas)]


def _timeout(options: Namespace) -> float:
    return LOCK_TIMEOUT if options.lock_timeout is None else float(options.lock_timeout)


def _deltas(options: Namespace, root: Path) -> Path | None:
    if options.delta_dir is None:
        return None
    deltas = Path(options.delta_dir)
    if deltas.resolve() == root.resolve():
        raise UsageError("`--delta-dir` must not be the repository itself")
    refuse_link_out(root, deltas)
    return deltas


def _directory(root: Path) -> Path:
    if not root.is_dir():
        raise InputError("is not a directory", file=str(root))
    return root


def _json(done: Processed) -> str:
    rows = [process.as_json(row) for row in done.rows]
    return json.dumps({"environments": rows, "findings": [one.result for one in done.findings]}, indent=2) + "\n"


def _send(data: bytes) -> None:
    send([data])
