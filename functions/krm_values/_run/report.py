"""What a command prints on stderr: its findings, one line each, and the files that it has changed."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.record import replace
from krm_values._data.shown import inert, json_text
from krm_values._data.shown import lines as shown_lines
from krm_values._krm import findings as results
from krm_values._krm import places
from krm_values._run.terminal import is_quiet, plain, say, shows_details

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from typing import Any

    from krm_values._krm.plan import Finding
    from krm_values._krm.write import Change
    from krm_values._run.resolve import Outcome


TEXT = "text"
"""The format of findings for people; `FORMATS` has all."""
CHOSEN = "functionConfig-chosen"
"""The kind of information that is always shown: a choice made for the user."""
_ABOUT_STORAGE = ("readable-secret", "generated-removed")
_SHOWN = 10  # files that a summary names


def report(
    findings: Iterable[Finding], unmatched: Iterable[str] = (), *, verbose: bool = False, form: str = TEXT, folder: str = ""
) -> None:
    """Print the findings on stderr, as `lines` has them."""
    if found := lines(findings, unmatched, verbose=verbose, form=form, folder=folder):
        say(*found, commands=form != TEXT)


def folder_of(directory: Path | None, form: str = TEXT) -> str:
    """Return the prefix of a package's files in findings: in text the package as it was named, for hosts its path from the working directory."""
    if directory is None:
        return ""
    found = directory.as_posix() if form == TEXT else posixpath.relpath(directory.as_posix())
    return "" if found == posixpath.curdir else found


def lines(
    findings: Iterable[Finding],
    unmatched: Iterable[str] = (),
    *,
    verbose: bool = False,
    form: str = TEXT,
    folder: str = "",
    apart: str | None = None,
    kinds: bool = False,
) -> list[str]:
    """Return the lines that are printed for findings, errors first.

    That a run had nothing to do is said only on a terminal or if `verbose`. form: one of `FORMATS`. folder: of the package, the prefix of files.
    apart: a file that is named as the working directory reaches it. kinds: end each line with the kind of the finding, which can be looked up.
    """
    shown = [(one, "" if _place(one)[0] == apart else folder) for one in selected(findings, verbose=verbose)]
    if form != TEXT:
        return formatted(shown, form)
    every = shows_infos(verbose=verbose)
    ordered = sorted(shown, key=lambda one: results.SEVERITIES[one[0].severity])
    told = [f"{results.line(*one)} [{_rule(one[0])}]" if kinds else results.line(*one) for one in ordered]
    return told + [f"info: {text}" for text in unmatched if text and every]


def selected(findings: Iterable[Finding], *, verbose: bool) -> list[Finding]:
    """Return the findings that are printed: informational messages only on a terminal or if `verbose`, and errors alone where only they are wanted."""
    every = shows_infos(verbose=verbose)
    shown = [one for one in findings if every or one.severity != "info" or one.kind == CHOSEN]
    return [one for one in shown if one.severity == "error"] if is_quiet() else shown


def shows_infos(*, verbose: bool) -> bool:
    """Return whether informational messages are printed: on request, or on a terminal, unless it is about many packages or only errors are wanted."""
    return verbose or shows_details()


def with_storage_warnings(outcome: Outcome) -> Outcome:
    """Return an outcome that a host writes to files: informational messages about a readable Secret and a removed object become warnings."""
    if not any(finding.kind in _ABOUT_STORAGE for finding in outcome.findings):
        return outcome
    findings = [replace(one, severity="warning") if _is_promoted(one) else one for one in outcome.findings]
    return replace(outcome, findings=results.in_order(findings))


def summary(changes: Iterable[Change]) -> str:
    """Format changes as `created: a.yaml; updated: b.yaml, c.yaml; deleted: d.yaml`; without changes `changed: nothing`."""
    from krm_values._krm.write import REMOVED  # noqa: PLC0415 - loaded where something is written

    groups: dict[str, list[str]] = {"created": [], "updated": [], "deleted": []}
    for change in changes:
        groups["deleted" if change.new is None else "created" if change.old == REMOVED else "updated"].append(change.path)
    return "; ".join(f"{done}: {_few(paths)}" for done, paths in groups.items() if paths) or "changed: nothing"


def _is_promoted(finding: Finding) -> bool:
    return finding.kind in _ABOUT_STORAGE and finding.severity == "info"


def _few(paths: list[str]) -> str:
    shown, more = paths[:_SHOWN], len(paths) - _SHOWN
    return ", ".join(shown + ([f"and {more} more"] if more > 0 else []))


# Findings in the formats of hosts that show them beside the source: GitHub's workflow commands, and SARIF 2.1.0.

GITHUB, SARIF = "github", "sarif"
FORMATS = (TEXT, GITHUB, SARIF)
_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def github(finding: Finding, folder: str = "") -> str:
    """Return one workflow command. Special characters are escaped, so that no value of a package becomes a command or a property."""
    file, line, column = _place(finding)
    named = {
        "file": file and posixpath.join(folder, file),
        "line": line,
        "col": column,
        "title": finding.kind,
    }
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in named.items() if value)
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(inert(_message(finding)))}"


def sarif(findings: Iterable[tuple[Finding, str]]) -> str:
    """Return one document with one run. findings: each with the prefix of its file."""
    import json  # noqa: PLC0415 - for hosts that ask for this form

    found = [*findings]
    from krm_values._run import kinds  # noqa: PLC0415 - only this form has texts on kinds

    rules = kinds.sarif_rules([*dict.fromkeys(_rule(one) for one, _ in found)])
    driver = {"name": "krm-values", "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(*one) for one in found]}
    text = json_text(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2))
    return text.replace("##", "#\\u0023")  # the same JSON, which no host of a pipeline takes for a command


def formatted(findings: Iterable[tuple[Finding, str]], form: str) -> list[str]:
    """Return the findings, in lines, in a format other than text. findings: each with the prefix of its file from the working directory."""
    return [github(*one) for one in findings] if form == GITHUB else sarif(findings).split("\n")


def put(findings: Iterable[tuple[Finding, str]], form: str) -> None:
    """Print findings on stdout in a format other than text. findings: each with the prefix of its file."""
    for line in formatted(findings, form):
        print(shown_lines(line))


def linted(findings: Sequence[Finding], form: str, *, strict: bool) -> int:
    """Print the findings of `lint` on stdout, each with its kind, and return the exit code. strict: whether a warning is a failure, too."""
    shown = [one for one in findings if one.severity == "error" or not is_quiet()]
    if form == TEXT:
        for finding in shown:
            print(plain(f"{results.line(finding)} [{_rule(finding)}]"))
    else:
        put(((one, "") for one in shown), form)
    failures = ("error", "warning") if strict else ("error",)
    return int(any(finding.severity in failures for finding in findings))


def _result(finding: Finding, folder: str) -> dict[str, Any]:
    from urllib.parse import quote  # noqa: PLC0415 - slow to import

    file, line, column = _place(finding)
    result: dict[str, Any] = {
        "ruleId": _rule(finding),
        "level": _LEVELS[finding.severity],
        "message": {"text": _plain(_message(finding))},
    }
    if file:
        region = {key: value for key, value in (("startLine", line), ("startColumn", column)) if value}
        place: dict[str, Any] = {"artifactLocation": {"uri": quote(posixpath.join(folder, file))}}
        result["locations"] = [{"physicalLocation": {**place, "region": region} if region else place}]
    return result


def _rule(finding: Finding) -> str:
    return str(finding.tags.get("lint", finding.kind))


def _place(finding: Finding) -> tuple[str, int, int]:
    """Return file, line and column, as far as they are known."""
    item, (line, column) = places.of_finding(finding)
    return (item.position.source if item else "", line, column)


def _message(finding: Finding) -> str:
    """Return the message without the address, which the host shows itself."""
    text = results.message(finding)
    return text.removeprefix(f"{address(*_place(finding))}: ") if _place(finding)[0] else text


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(inert(text)).replace(":", "%3A").replace(",", "%2C")


def _plain(text: str) -> str:
    """Return a text in which SARIF finds no link."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
