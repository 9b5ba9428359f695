"""Directories to write in: as they are before and after a command, byte for byte, and what an attacker has planted in and beside them."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from krm_values._kit.process.transaction import OLD_STAGING, STAGED

Tree = dict[str, bytes]
PLANTED = f"{STAGED}{'0123456789abcdef' * 2}"
"""A name as we give it to staged texts, which an attacker has given."""
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
    """What an attacker would have us take for our own: a journal of 0.1.0 with targets outside, staged texts, links to outside."""
    lay(home, HOME)
    staging = root / OLD_STAGING
    staging.mkdir()
    (staging / PLANTED).write_bytes(b"evil\n")
    (staging / "journal").write_text(json.dumps([*map(_entry, _targets(home))]))
    for number, folder in enumerate([root, *(path for path in sorted(root.rglob("*")) if path.is_dir() and path != staging)]):
        if number % 2:
            (folder / PLANTED).symlink_to(home / "id_rsa")
        else:
            (folder / PLANTED).write_bytes(b"evil\n")


def planted(root: Path, home: Path) -> dict[str, object]:
    """Everything that was planted and everything outside, to be compared before and after."""
    mine = [*home.rglob("*"), *root.rglob(PLANTED), *(root / OLD_STAGING).rglob("*"), root / OLD_STAGING, home]
    return {str(path): _fact(path) for path in mine}


def held(root: Path) -> Tree:
    """Every file below the directory, staged texts included, what was planted aside."""
    found = {str(path.relative_to(root)): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not _is_planted(name)}


def folders(root: Path) -> set[str]:
    """Every directory below it, the attacker's aside."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_dir()} - {OLD_STAGING}


def is_staged(name: str) -> bool:
    """Whether a path is that of a staged text."""
    return name.rpartition("/")[2].startswith(STAGED)


def torn(tree: Tree, old: Tree, new: Tree) -> list[str]:
    """The files that are neither as they were nor as they shall be."""
    own = {name: content for name, content in tree.items() if not is_staged(name)}
    names = {*own, *old, *new}
    return sorted(name for name in names if own.get(name) not in (old.get(name), new.get(name)))


def _is_planted(name: str) -> bool:
    return name.rpartition("/")[2] == PLANTED or name.startswith(f"{OLD_STAGING}/")


def _targets(home: Path) -> list[str]:
    return [str(home / "authorized_keys"), str(home / "id_rsa"), "../home/deep/bashrc", "../../../../../tmp/made"]


def _entry(target: str) -> dict[str, str]:
    return {"target": target, "old": "removed", "new": hashlib.sha256(b"evil\n").hexdigest(), "staged": PLANTED}


def _fact(path: Path) -> object:
    facts = path.lstat()
    content = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else sorted(path.iterdir())
    return facts.st_mode, facts.st_ino, facts.st_mtime_ns if path.is_file() else 0, content
