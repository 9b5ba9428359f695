"""Directories to write in: as they are before and after a command, byte for byte."""

from __future__ import annotations

import shutil
from pathlib import Path

from krm_values._kit.writer import STAGED

Tree = dict[str, bytes]


def lay(root: Path, tree: Tree) -> None:
    """Make the directory hold exactly this."""
    shutil.rmtree(root, ignore_errors=True)
    for name, content in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def held(root: Path) -> Tree:
    """Every file below the directory, staged texts included."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def folders(root: Path) -> set[str]:
    """Every directory below it."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir()}


def is_staged(name: str) -> bool:
    """Whether a path is that of a staged text."""
    return name.rpartition("/")[2].startswith(STAGED)


def torn(tree: Tree, old: Tree, new: Tree) -> list[str]:
    """The files that are neither as they were nor as they shall be."""
    own = {name: content for name, content in tree.items() if not is_staged(name)}
    names = {*own, *old, *new}
    return sorted(name for name in names if own.get(name) not in (old.get(name), new.get(name)))
