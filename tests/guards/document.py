"""Renders the table as `docs/guards.md`."""

from __future__ import annotations

from pathlib import Path

from tests.guards.sites import KINDS, sites
from tests.guards.table import EXPRESSIONS, EXPRESSIONS_TEST, GUARDS

PATH = Path(__file__).parents[2] / "docs" / "guards.md"
HEAD = """\
# Guards

Every place where the code reads or writes files, runs programs, asks the network, matches or hashes texts, loads code, reads the
environment or prints, with what keeps a hostile package from using it, and the test that shows it. The places are found in the source:
a place without a guard fails `tests/guards`. `python -m tests.guards` writes this page. Files are named below `functions/krm_values`.
"""


def page() -> str:
    """Return the whole page."""
    return HEAD + "".join(_section(kind, title) for kind, title in KINDS.items())


def unguarded() -> list[str]:
    """Return the places without a row, as rows to fill in."""
    places = sorted({(kind, file) for kind, file, _ in sites() if kind != "expression"} - GUARDS.keys())
    return [f'    ("{kind}", "{file}"): ("", ""),' for kind, file in places]


def stale() -> list[str]:
    """Return the rows without a place."""
    return [f"{kind}: {file}" for kind, file in sorted(GUARDS.keys() - {(kind, file) for kind, file, _ in sites()})]


def _section(kind: str, title: str) -> str:
    found = sites()
    files = sorted({file for each, file, _ in found if each == kind})
    rows = []
    for file in files:
        calls = {call: found[each, name, call] for each, name, call in found if (each, name) == (kind, file)}
        guard, test = (EXPRESSIONS, EXPRESSIONS_TEST) if kind == "expression" else GUARDS.get((kind, file), ("", ""))
        shown = ", ".join(f"`{call}`" for call in sorted(calls))
        rows.append(f"| `{file}` | {shown} | {guard} | `{test}` |\n")
    return f"\n## {title}\n\n| File | Calls | Guard | Test |\n|---|---|---|---|\n" + "".join(rows)
