"""`envgene process --diff`: the changes as a unified diff."""

from __future__ import annotations

from difflib import unified_diff

from krm_values._kit.planner.filenames import header
from krm_values.envgene_sd.artifacts import repository
from krm_values.envgene_sd.artifacts.faults import DESCRIPTOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from krm_values._kit.process.transaction import Change


def diff(root: Path, changes: Iterable[Change]) -> str:
    """Return one diff of all changes, sorted by path."""
    return "".join(_one(root, change) for change in sorted(changes, key=lambda change: change.path))


def _one(root: Path, change: Change) -> str:
    before = repository.raw(root, change.path, DESCRIPTOR) if repository.is_there(root, change.path) else None
    names = (_name("a", before, change.path), _name("b", change.new, change.path))
    return "".join(map(_ended, unified_diff(_lines(before), _lines(change.new), *names)))


def _name(side: str, content: bytes | None, path: str) -> str:
    return "/dev/null" if content is None else header(f"{side}/{path}")


def _lines(content: bytes | None) -> list[str]:
    parts = (content or b"").decode().split("\n")
    return [f"{line}\n" for line in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
