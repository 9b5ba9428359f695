"""Records the result of a bench: `recorded` in gates.toml, and the table of docs/performance.md with the machine and the date."""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
from pathlib import Path

from tests.bench import figures
from tests.bench.figures import Figure
from tests.bench.setting import ROOT

PAGE = ROOT / "docs/performance.md"
GATES = Path(figures.__file__).with_name("gates.toml")
_BEGIN, _END = "<!-- bench -->\n", "<!-- /bench -->\n"
_HEAD = "| row | what | yardstick | ratio | at most | |\n|---|---|---|---:|---:|---|\n"


def save(found: list[Figure], *, whole: bool, gates: Path = GATES, page: Path = PAGE) -> None:
    """Write the ratios into gates.toml; those of a whole run into docs/performance.md, too."""
    text = gates.read_text("utf-8")
    for figure in found:
        line = re.compile(rf'^("{re.escape(figure.name)}" = {{ gate = \S+, recorded = )\S+', re.MULTILINE)
        text = line.sub(rf"\g<1>{figure.ratio:.4g}", text)
    gates.write_text(text, "utf-8")
    if whole:
        before, _, rest = page.read_text("utf-8").partition(_BEGIN)
        page.write_text(before + _BEGIN + _section(found) + _END + rest.partition(_END)[2], "utf-8")


def _section(found: list[Figure]) -> str:
    known = figures.gates()
    said = f"{dt.datetime.now(dt.UTC):%B %Y}, {os.cpu_count()} cores, {_processor()}, Python {platform.python_version()}"
    rows = (_line(figure, known[figure.name]) for figure in found)
    return f"`make bench` ({said}): processor time of whole processes, the least of all runs.\n\n{_HEAD}{''.join(rows)}"


def _line(figure: Figure, gate: figures.Gate) -> str:
    judged = figures.verdict(figure, gate, quick=False)
    cells = (figure.name, figure.what, figure.yardstick, figures.ratio(figure.ratio), figures.ratio(gate.gate), judged)
    return f"| {' | '.join(cells)} |\n"


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.*)$", file.read_text("utf-8") if file.exists() else "", re.MULTILINE)
    return names[0] if names else platform.machine()
