"""The `envgene` commands: read, plan, write, print. A parameter of the pipeline's step is an option, or else a variable of the environment."""

from __future__ import annotations

import json
import os
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError, UserError, from_os
from krm_values._data.record import replace
from krm_values._data.shown import inert, lines
from krm_values._krm.files import read_named
from krm_values._krm.findings import Report
from krm_values._krm.plan import Finding
from krm_values._krm.write import clear, made, refuse_link_out, write
from krm_values._run import report
from krm_values._run.arguments import LOCK_TIMEOUT
from krm_values._run.pipeline import alone
from krm_values._run.terminal import is_on_terminal, plain, progress, say, say_error, send
from krm_values._run.unified_diff import unified
from krm_values._yaml.encoding import check_utf8
from krm_values.envgene_sd import parameters
from krm_values.envgene_sd.environments import is_environment
from krm_values.envgene_sd.repository import fetch, files, process, sd_files
from krm_values.envgene_sd.repository.fetch import Access
from krm_values.envgene_sd.repository.files import DESCRIPTOR, FaultsError, fault

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Mapping, Sequence

    from krm_values._data.values import JSON
    from krm_values._krm.write import Change
    from krm_values.envgene_sd.repository.fetch import Fetched
    from krm_values.envgene_sd.repository.process import Processed, ProcessStep
    from krm_values.envgene_sd.repository.sd_files import Sunk

_FAILED, _WOULD_CHANGE = 2, 1
_ACCESS = ("credentials", "sops_env", "allow_http", "verify_checksums")


def run_source(options: Namespace, root: Path) -> int:
    """Run `envgene source`."""
    if options.fetch is None:
        _refuse_access(options, "use it with `--fetch`")
    _directory(root)
    environments = options.environment or files.environments(root)
    _warn_of_missing(root, environments)
    fetched = []
    if options.fetch is not None:
        fetched = _fetched(root, options, options.fetch or [os.environ.get("SD_VERSION", "")], environments)
    with progress("reading", len(environments)) as advance:
        items = sd_files.items(root, environments, unread := Report(), advance)
    if unread.findings:
        raise FaultsError(unread.findings)
    send([sd_files.listed(chain.from_iterable(items.values()), fetched)])
    return 0


def run_sink(options: Namespace, root: Path) -> int:
    """Run `envgene sink`."""
    data = sys.stdin.buffer.read()
    deltas = _deltas(options, root)
    with alone(_directory(root), _timeout(options)):
        done = sd_files.sunk(root, data, deltas)
        _clear(root, [each.environment for each in done])
        changed = _write(root, done, deltas)
    say(report.summary(changed))
    return 0


def run_fetch(options: Namespace, root: Path) -> int:
    """Run `envgene fetch`."""
    if options.environment:
        files.check_environment(options.environment)
        _warn_of_missing(_directory(root), [options.environment])
    _directory(root)
    send([fetch.documents(_fetched(root, options, options.artifacts, [options.environment]))])
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
    step = _step(options, _directory(root), spec)
    with alone(root, _timeout(options)):
        step = process.refreshed(step)
        _clear(root, step.environments)
        done = _processed(step, deltas)
        if not done.failed:
            _write(root, done.sunk, deltas)
    _print_findings(options, done)
    if options.json:
        rows = [process.as_json(row) for row in done.rows]
        print(json.dumps({"environments": rows, "findings": [one.result for one in done.findings]}, indent=2))
    else:
        print("".join(f"{plain(process.line(row))}\n" for row in done.rows), end="")
    return int(done.failed)


def _diff(options: Namespace, root: Path) -> int:
    if options.lock_timeout is not None:
        raise UsageError("`--lock-timeout` has no effect here: `--diff` writes nothing")
    step = _step(options, _directory(root), _spec(options))
    deltas = _deltas(options, root)
    done = _processed(step, deltas)
    _print_findings(options, done)
    if done.failed:
        return _FAILED
    text = _diffs(root, (change for each in done.sunk for change in each.changes))
    text += _diffs(deltas, (change for each in done.sunk for change in each.aside)) if deltas else ""
    sys.stdout.write(inert(lines(text) if sys.stdout.isatty() else text))
    return _WOULD_CHANGE if text else 0


def _diffs(root: Path, changes: Iterable[Change]) -> str:
    """Return one unified diff of all changes, sorted by path."""
    found = []
    for change in sorted(changes, key=lambda change: change.path):
        before = files.raw(root, change.path, DESCRIPTOR) if files.is_there(root, change.path) else None
        old, new = (None if content is None else content.decode() for content in (before, change.new))
        found.append(unified(change.path, old, new))
    return "".join(found)


def _step(options: Namespace, root: Path, spec: dict[str, JSON]) -> ProcessStep:
    data = options.sd_data or ""
    file = "" if data == "-" else data[1:] if data.startswith("@") else None
    with progress("fetching") as advance:
        return process.step(root, spec, access=_access(options), create=options.create, data_file=file, advance=advance)


def _processed(step: ProcessStep, deltas: Path | None) -> Processed:
    with progress("merging", len(step.environments)) as advance:
        return process.processed(step, deltas, advance)


def _print_findings(options: Namespace, done: Processed) -> None:
    infos = options.verbose or is_on_terminal()
    if found := [one.line for one in done.findings if infos or one.severity != "info"]:
        say(*found)


def _spec(options: Namespace) -> dict[str, JSON]:
    """Return the functionConfig's spec. UsageError if no environment is selected, or an option has no effect."""
    given = {name: _given(getattr(options, name.lower()), name) for name in parameters.TEXTS}
    given["SD_DATA"] = _given(_data(options.sd_data), "SD_DATA")
    given["ENV_NAMES"] = _environments(options, _without_source(given))
    if given["SD_SOURCE_TYPE"].strip().lower() == "json":
        _refuse_access(options, "nothing is fetched for the source `json`")
    return {**{name: text for name, text in given.items() if text}, "strict": options.strict}


def _without_source(given: Mapping[str, str]) -> str:
    """Return the end of a message: the source that must be named as well, of what is given."""
    missing = next((name for name in ("SD_DATA", "SD_VERSION") if given.get(name)), "") if not given["SD_SOURCE_TYPE"] else ""
    source = {"SD_DATA": "json", "SD_VERSION": "artifact"}.get(missing, "")
    return f"; `{missing}` needs `--sd-source-type {source}` or SD_SOURCE_TYPE, too" if source else ""


def _environments(options: Namespace, also: str) -> str:
    """Return the environments that are named, "" for all. also: the end of the message if there are none."""
    if options.all and options.environment:
        raise UsageError("`--all` and `--environment` exclude each other: leave one out")
    if options.all:
        return ""
    given = "\n".join(options.environment or ()) or _given(None, "ENV_NAMES")
    if not given:
        text = "no environment is named: give `--environment CLUSTER/ENV`, set ENV_NAMES, or ask for `--all`"
        raise UsageError(f"{text}{also}")
    return given


def _given(option: str | None, name: str) -> str:
    """Return the option, else the variable; an empty one counts as not given."""
    return next((text for text in (option or "", os.environ.get(name, "")) if text.strip()), "")


def _data(option: str | None) -> str | None:
    """Return the text of SD_DATA, from stdin or a file if the option says so. InputError with its place if that is not JSON."""
    if option == "-":
        name, data = "stdin", sys.stdin.buffer.read()
    elif option and option.startswith("@"):
        name = option[1:]
        try:
            data = read_named(name)
        except OSError as error:
            text = f"`--sd-data` must name a file that can be read after its @: {(error.strerror or str(error)).lower()}"
            raise InputError(text, file=name) from None
    else:
        return option
    try:
        check_utf8(data)
    except InputError as error:
        raise error.moved(name, 1) from None
    text = data.decode("utf-8-sig")
    try:
        parameters.parse(text)
    except parameters.DataError as error:
        if error.line and text.strip():
            raise InputError(f"`SD_DATA` must be JSON: {error}", error.line, error.column, name) from None
    return text


def _access(options: Namespace) -> Access:
    return Access(options.credentials, tuple(options.sops_env), options.allow_http, options.verify_checksums)


def _refuse_access(options: Namespace, reason: str) -> None:
    for name in _ACCESS:
        if getattr(options, name):
            raise UsageError(f"`--{name.replace('_', '-')}` has no effect here: {reason}")


def _fetched(root: Path, options: Namespace, given: Iterable[str], environments: Sequence[str]) -> list[Fetched]:
    """Read the artifacts in strings of the form of SD_VERSION."""
    try:
        artifacts = [entry for text in given for entry in parameters.split(text)]
    except parameters.MixedError as error:
        raise fault("16", f"an artifact list must have one kind of separator; found {error}", "fetch") from None
    if not artifacts:
        raise UsageError("no artifact is named: give APPLICATION:VERSION, or set SD_VERSION")
    allowed = _access(options)
    wanted = fetch.wanted(root, artifacts, environments, allow_http=allowed.allow_http)
    with progress("fetching", len(wanted)) as advance:
        return fetch.fetch(root, wanted, allowed, advance)


def _warn_of_missing(root: Path, environments: Iterable[str]) -> None:
    """Report a warning for each environment without a folder: a reading command continues without it."""
    messages = (files.missing(root, name) for name in environments if is_environment(name))
    report.report(Finding("warning", "unknown-environment", "S39", message) for message in messages if message)


def _clear(root: Path, environments: Iterable[str]) -> None:
    """Remove what an interrupted run has staged beside the SDs; report a warning for each other file that looks like it."""
    names = [name for environment in environments for name in files.beside(root, environment)]
    messages = clear(root, dict.fromkeys(names))
    report.report(Finding("warning", "left-behind", None, message) for message in messages)


def _write(root: Path, done: Sequence[Sunk], deltas: Path | None) -> list[Change]:
    """Write, Delta SDs first: after an interruption a repeated run does the rest. Return the changes."""
    aside = [change for each in done for change in each.aside]
    if deltas and aside:
        with made(deltas), alone(deltas, LOCK_TIMEOUT):
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
