"""`envgene process --diff`: the changes as a unified diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.process.unified_diff import unified
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository.faults import DESCRIPTOR

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from krm_values._kit.process.write import Change


def diff(root: Path, changes: Iterable[Change]) -> str:
    """Return one diff of all changes, sorted by path."""
    return "".join(_one(root, change) for change in sorted(changes, key=lambda change: change.path))


def _one(root: Path, change: Change) -> str:
    before = repository.raw(root, change.path, DESCRIPTOR) if repository.is_there(root, change.path) else None
    old, new = (None if content is None else content.decode() for content in (before, change.new))
    return unified(change.path, old, new)
