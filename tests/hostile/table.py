"""Renders docs/hostile.md: a row per attack."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.hostile import running

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.hostile.attack import Attack, Ended

FILE = Path(__file__).parents[2] / "docs" / "hostile.md"
_HEAD = """\
# What an attacker's package can do

Each line is a package, a list, an instance repository or a server that somebody hostile has made, and a command that is run on it as a
process of its own. Around the package lie canaries: a home with keys, links, hard links, modes and times. Nothing
outside of the package may change, nothing of ours may stay in it, no run ends with exit code 3, and no control character is printed.
"0" says that the attack had nothing to attack. Time is that of the processor. `python -m tests.hostile` writes this file, and a test
holds every line of it but time and memory against what happens.
"""
_COLUMNS = "| attack | what it tries | exit | what the user sees | time | memory |\n| --- | --- | --- | --- | --- | --- |\n"
_LONGEST = 220
_SECONDS, _MEGABYTES = (1, 2, 5, running.SLOW), (64, 128, running.LARGE >> 20)


def document(families: Iterable[tuple[str, list[str]]]) -> str:
    """Return the whole file, from the rows of each family."""
    parts = (f"\n## {title}\n\n{_COLUMNS}{''.join(rows)}" for title, rows in families)
    return _HEAD + "".join(parts)


def row(attack: Attack, ended: Ended) -> str:
    """Return one line."""
    line = attack.shows or running.shown(attack, ended)
    line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
    cells = (attack.name, attack.tries, str(ended.code), _code(line) if line else "nothing", *_cost(ended))
    return f"| {' | '.join(cells)} |\n"


def without_cost(line: str) -> str:
    """Return a row without time and memory."""
    return re.sub(r"\| <[^|]*\| <[^|]*\|$", "", line.strip())


def _code(text: str) -> str:
    """Return a code span, fenced by more backticks than it contains in a row."""
    fence = "`" * max(2, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence} {text.replace('|', chr(92) + '|')} {fence}"


def _cost(ended: Ended) -> tuple[str, str]:
    seconds = next(limit for limit in _SECONDS if ended.seconds < limit)
    size = next(limit for limit in _MEGABYTES if ended.bytes < limit << 20)
    return f"< {seconds} s", f"< {size} MB"
