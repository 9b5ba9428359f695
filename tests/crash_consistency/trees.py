"""Directories to write in: as they are before and after a command, byte for byte, and what an attacker has planted in and beside them."""

from __future__ import annotations

import shutil
from pathlib import Path

from krm_values._krm.write import STAGED

Tree = dict[str, bytes]
PLANTED = f"{STAGED}{'0123456789abcdef' * 2}"
"""A name as we give it to staged files, which an attacker has given."""
NEARLY = f"{STAGED}notes"
HOME: Tree = {"id_rsa": b"key\n", "deep/bashrc": b"alias\n"}
"""Somebody's files beside the directory: nothing may change them, or come to lie beside them."""


def lay(root: Path, tree: Tree) -> None:
    """Make the directory hold exactly this."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for name, content in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def plant(root: Path, home: Path) -> None:
    """What an attacker would have us take for our own: links to outside with the names of staged files, and names that are nearly theirs."""
    lay(home, HOME)
    for folder in [root, *(path for path in sorted(root.rglob("*")) if path.is_dir())]:
        (folder / PLANTED).symlink_to(home / "id_rsa")
        (folder / NEARLY).write_bytes(b"evil\n")


def planted(root: Path, home: Path) -> dict[str, object]:
    """Everything that was planted and everything outside, to be compared before and after."""
    mine = [*home.rglob("*"), *root.rglob(PLANTED), *root.rglob(NEARLY), home]
    return {str(path): _fact(path) for path in mine}


def held(root: Path) -> Tree:
    """Every file below the directory, staged files included, what was planted aside."""
    found = {str(path.relative_to(root)): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not _is_planted(name)}


def folders(root: Path) -> set[str]:
    """Every directory below it, the attacker's aside."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir()}


def is_staged(name: str) -> bool:
    """Whether a path is that of a staged file."""
    return name.rpartition("/")[2].startswith(STAGED)


def torn(tree: Tree, *states: Tree) -> list[str]:
    """The files that are as in none of the states."""
    own = {name: content for name, content in tree.items() if not is_staged(name)}
    names = {*own, *(name for state in states for name in state)}
    return sorted(name for name in names if own.get(name) not in [state.get(name) for state in states])


def _is_planted(name: str) -> bool:
    return name.rpartition("/")[2] in (PLANTED, NEARLY)


def _fact(path: Path) -> object:
    facts = path.lstat()
    content = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else sorted(path.iterdir())
    return facts.st_mode, facts.st_ino, facts.st_mtime_ns if path.is_file() else 0, content
