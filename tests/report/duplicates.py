"""Runs of twelve lines of code that occur twice in functions/."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "functions" / "krm_values"
MOST = 12
TABLES = ("upstream_fields.py",)
"""Files that repeat lines of others of their name: tables, and what `make schemas` writes."""


def lines(text):
    """Return (number, line) of the lines that count: no empty lines, comments, imports, nor brackets alone."""
    for number, line in enumerate(text.splitlines(), 1):
        bare = " ".join(line.split())
        if bare.strip("()[]{},:") and not bare.startswith(("#", "import ", "from ")):
            yield number, bare


def repeated(files):
    """Return the first places of each run of lines that occurs twice."""
    found = defaultdict(list)
    for path, text in files.items():
        counted = list(lines(text))
        for at in range(len(counted) - MOST + 1):
            run = tuple(line for _, line in counted[at : at + MOST])
            found[run].append(f"{path}:{counted[at][0]}")
    return [places for places in found.values() if len(places) > 1]


def rows() -> Iterator[str]:
    """Return a line for each run, with its places."""
    files = {str(path.relative_to(SOURCE)): path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    for places in repeated({path: text for path, text in files.items() if path.rpartition("/")[2] not in TABLES}):
        yield ", ".join(places)
