"""The data of the page of a fleet: its packages in a matrix of two parts of their names, with what has come of each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from krm_values._data.shown import printable
from krm_values._explain.page import file
from krm_values._fleet.results import FAULTS, OURS, STATUSES, row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from krm_values._fleet.results import Results
    from krm_values._fleet.roots import Fleet

_HERE = Path(__file__).parent
FORM = file.Form(
    _HERE / "fleet.html",
    (file.HERE / "page.css", _HERE / "fleet.css"),
    (file.HERE / "elements.js", _HERE / "fleet.js"),
)
_MOST = 20
"""Findings of one package on the page."""


def write(found: Results, fleet: Fleet, title: str, name: str) -> None:
    """Write the page of a run."""
    file.write(name, data(found, fleet, title, os.path.dirname(name)), secret=False, form=FORM)


def data(found: Results, fleet: Fleet, title: str, folder: str) -> dict[str, Any]:
    """Return what the page shows. folder: the one of the page; the page of a package, if there is one, is PACKAGE.html in it."""
    strings: dict[str, int] = {}

    def string(text: str) -> int:
        return strings.setdefault(printable(text), len(strings))

    packages = []
    for member, answer in found:
        told = row(member, answer)
        findings = [[one["severity"], string(one["message"])] for one in told["findings"][:_MOST]]
        line, column = (string(_part(member.name, number)) for number in (fleet.rows, fleet.columns))
        name, status, changed = string(member.name), STATUSES.index(told["status"]), [*map(string, told["changed"])]
        packages.append([name, line, column, status, changed, findings, len(told["findings"]), _page(folder, member.name)])
    return {
        "kind": "fleet",
        "title": printable(title),
        "statuses": STATUSES,
        "bad": [*(FAULTS + OURS)],
        "lacking": found.lacking,
        "packages": packages,
        "strings": [*strings],
    }


def _part(name: str, number: int) -> str:
    """Return a part of a name, from 1; what is behind the last one that is asked for belongs to it. Of a name that is too short, all."""
    parts = name.split("/")
    return parts[number - 1] if number <= len(parts) else name


def _page(folder: str, package: str) -> str:
    """Return the link to the page of a package, "" if there is none."""
    path = os.path.join(folder, f"{package}.html")
    return quote(f"{package}.html") if file.is_page(path) else ""


def title_of(roots: Sequence[str]) -> str:
    """Return what the page is called: the names of the roots."""
    return ", ".join(os.path.basename(os.path.realpath(root)) or root for root in roots)
