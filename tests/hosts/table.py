"""The table of functions by host, of the cells that this run has tried: tests/hosts/test_every_host.py, `test_cell`."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

CELL = re.compile(r"test_every_host\.py::test_cell\[(\w+)-([a-z-]+)\]")
WORDS = {"passed": "same", "failed": "FAILED", "error": "FAILED", "skipped": "skipped"}


def lines(stats: Mapping[str, list[pytest.TestReport]]) -> list[str]:
    """Return the table, one line for each host. stats: the reports of pytest by outcome. A cell that was not tried is empty."""
    cells = {
        found.groups(): word for key, word in WORDS.items() for one in stats.get(key, ()) if (found := CELL.search(one.nodeid))
    }
    functions = sorted({function for _, function in cells})
    hosts = sorted({host for host, _ in cells})
    rows = [["", *functions], *([host, *(cells.get((host, function), "") for function in functions)] for host in hosts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows] if cells else []
