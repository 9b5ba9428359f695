"""Findings in the formats of hosts that show them beside the source: GitHub's workflow commands, and SARIF 2.1.0."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.printable import json_text
from krm_values._kit.planner import findings as results
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import New

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from krm_values._kit.planner.plan import Finding

TEXT, GITHUB, SARIF = "text", "github", "sarif"
NAMES = (TEXT, GITHUB, SARIF)
_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def github(finding: Finding, folder: str = "") -> str:
    """Return one workflow command. Special characters are escaped, so that no value of a package becomes a command or a property."""
    file, line, column = _place(finding)
    named = {"file": file and posixpath.join(folder, file), "line": line, "col": column, "title": finding.kind}
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in named.items() if value)
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(_message(finding))}"


def sarif(findings: Iterable[Finding], folder: str = "") -> str:
    """Return one document with one run."""
    import json  # noqa: PLC0415 - for hosts that ask for this form

    found = [*findings]
    rules = [{"id": one} for one in dict.fromkeys(map(_rule, found))]
    driver = {"name": "krm-values", "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(one, folder) for one in found]}
    return json_text(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2))


def lines(findings: Iterable[Finding], form: str, folder: str = "") -> list[str]:
    """Return the findings, in lines, in a format other than text. folder: prefix of their files, relative to the working directory."""
    return [github(one, folder) for one in findings] if form == GITHUB else sarif(findings, folder).split("\n")


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
    """Return file, line and column, as far as they are known. A generated object is in no file yet: its place is what it is made for."""
    item, (line, column) = places.of_finding(finding)
    made = finding.item
    while item is None and isinstance(made, New):
        made = made.source
    if item is None and isinstance(made, Item):
        item, line, column = made, made.position.line, int(made.position.line > 0)
    return (item.position.source if item else "", line, column)


def _message(finding: Finding) -> str:
    """Return the message without the address, which the host shows itself."""
    text = results.message(finding)
    return text.removeprefix(f"{address(*_place(finding))}: ") if _place(finding)[0] else text


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _plain(text: str) -> str:
    """Return a text in which SARIF finds no link."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
