"""The rows of `mutants.toml`, and where their lines are."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = "functions/krm_values"
_LIKE = 0.5  # of difflib: how alike a line must be to be named


class Mutant(NamedTuple):
    """A line of a file below `PACKAGE`, without its indentation, and what replaces it.

    tests: what pytest is called with, or `tests.conformance`, as `tests/conformance/tekton.yaml::ID`.
    """

    id: str
    file: str
    line: str
    mutated: str
    tests: list[str]

    @property
    def path(self) -> str:
        return f"{PACKAGE}/{self.file}"


def read() -> list[Mutant]:
    """All rows, in their order."""
    found = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))
    return [Mutant(**row) for row in found["mutant"]]


def number(mutant: Mutant, root: Path = ROOT) -> int:
    """Return the number of its line, from 1 on. LookupError with a hint unless the line is there once."""
    path = root / mutant.path
    if not path.is_file():
        raise LookupError(f"{mutant.id}: {mutant.path} is not a file{_elsewhere(mutant, root)}")
    lines = _lines(path)
    numbers = [place for place, line in enumerate(lines, 1) if line == mutant.line]
    if len(numbers) > 1:
        raise LookupError(f"{mutant.id}: {mutant.path} has the line {len(numbers)} times, at {numbers}: choose another")
    if not numbers:
        raise LookupError(
            f"{mutant.id}: {mutant.path} does not have `{mutant.line}`{_elsewhere(mutant, root) or _near(mutant, lines)}"
        )
    return numbers[0]


def mutate(mutant: Mutant, root: Path) -> str:
    """Return the file's text with the mutated line in place of its own."""
    lines = (root / mutant.path).read_text("utf-8").split("\n")
    at = number(mutant, root) - 1
    lines[at] = lines[at].replace(mutant.line, mutant.mutated)
    return "\n".join(lines)


def _elsewhere(mutant: Mutant, root: Path) -> str:
    moved = [path for path in sorted((root / PACKAGE).rglob("*.py")) if mutant.line in _lines(path)]
    return f"; it is in {', '.join(str(path.relative_to(root)) for path in moved)}" if moved else ""


def _near(mutant: Mutant, lines: list[str]) -> str:
    near = difflib.get_close_matches(mutant.line, lines, 1, _LIKE)
    return f"; the nearest is line {lines.index(near[0]) + 1}: `{near[0]}`" if near else ""


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text("utf-8").split("\n")]
