"""A row of the bench: a figure and its yardstick, and the verdict by `gates.toml`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SLACK = 1.25
"""How far above `recorded` a ratio may be before the quick bench fails."""
PASS, SHORT, WORSE = "pass", "FALLS SHORT", "WORSE THAN RECORDED"
_GATES = Path(__file__).with_name("gates.toml")
_HEAD = "| row | what | figure | yardstick | ratio | gate | recorded | wall | runs | |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---|"


@dataclass(frozen=True)
class Figure:
    """One row, by its name in `gates.toml`: `value` of `what` against `other` of `yardstick`, both in `unit`.

    median, wall: of what is measured, 0 where there is none. runs: how often it ran.
    """

    name: str
    what: str
    value: float
    yardstick: str
    other: float
    unit: str = "ms"
    median: float = 0
    wall: float = 0
    runs: int = 1

    @property
    def ratio(self) -> float:
        """The value in units of the yardstick."""
        return self.value / self.other


@dataclass(frozen=True)
class Gate:
    """`gate`: the ratio that the row must not exceed; `recorded`: the one that was last reached."""

    gate: float
    recorded: float


def gates() -> dict[str, Gate]:
    """Return the gates by row."""
    return {name: Gate(**values) for name, values in tomllib.loads(_GATES.read_text("utf-8")).items()}


def verdict(figure: Figure, gate: Gate, *, quick: bool) -> str:
    """Judge a row. The quick bench compares with what was reached before, the whole one with the gate."""
    if quick and figure.ratio > gate.recorded * SLACK:
        return WORSE
    return PASS if figure.ratio <= gate.gate else SHORT


def worse(found: Iterable[Figure]) -> bool:
    """Return whether a row is worse than what was recorded."""
    known = gates()
    return any(verdict(figure, known[figure.name], quick=True) == WORSE for figure in found)


def failed(found: str, *, quick: bool) -> bool:
    """Return whether a verdict makes the bench fail."""
    return found == WORSE if quick else found == SHORT


def report(found: list[Figure], *, quick: bool, as_json: bool, say: Callable[[str], None] = print) -> bool:
    """Print the rows; return whether one fails."""
    known = gates()
    verdicts = [verdict(figure, known[figure.name], quick=quick) for figure in found]
    if as_json:
        say(json.dumps([_data(*pair, known) for pair in zip(found, verdicts, strict=True)], indent=2))
    else:
        say(_HEAD)
        for figure, judged in zip(found, verdicts, strict=True):
            say(line(figure, known[figure.name], judged))
    return any(failed(judged, quick=quick) for judged in verdicts)


def line(figure: Figure, gate: Gate, judged: str) -> str:
    """Return a row of the table."""
    median = f" (median {_number(figure.median)})" if figure.median else ""
    wall = f"{figure.wall:.1f}" if figure.wall else ""
    cells = [
        *(figure.name, figure.what, f"{_number(figure.value)} {figure.unit}{median}"),
        f"{figure.yardstick}: {_number(figure.other)} {figure.unit}",
        *(ratio(figure.ratio), ratio(gate.gate), ratio(gate.recorded), wall, str(figure.runs), judged),
    ]
    return f"| {' | '.join(cells)} |"


def ratio(value: float) -> str:
    """Format a ratio: 2.31, or 1/14.2 below a half."""
    return f"{value:.2f}" if value >= 0.5 or not value else f"1/{1 / value:.1f}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"


def _data(figure: Figure, judged: str, known: dict[str, Gate]) -> dict[str, Any]:
    return {**asdict(figure), "ratio": round(figure.ratio, 5), **asdict(known[figure.name]), "verdict": judged}
