"""The directory of an attack: a package, and around it files, links and directories that it must not reach."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.hostile.attack import Attack

_LONG_AGO = 1_600_000_000
_TEXTS = {
    "home/.bashrc": ("alias ll='ls -l'\n", 0o644),
    "home/.ssh/id_ed25519": ("not really a key\n", 0o600),
    "home/.gitconfig": ("[user]\n", 0o444),
    "home/.local/state/other/journal": ("somebody else's\n", 0o600),
    "outside/values.yaml": ("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: outside\n", 0o640),
    "outside/sub/keep.txt": ("keep\n", 0o755),
    "sibling/Kptfile": ("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sibling\n", 0o644),
}
_LINKS = {"home/link": "../outside/values.yaml", "home/dangling": "nowhere", "outside/folder": "sub"}


def make(root: Path, attack: Attack) -> None:
    """Create canaries, then the attack's own files."""
    for name, (text, mode) in _TEXTS.items():
        _put(root / name, text.encode())
        (root / name).chmod(mode)
    for name, target in _LINKS.items():
        (root / name).symlink_to(target)
    os.link(root / "outside/sub/keep.txt", root / "outside/hard")
    for name in ("package", "tmp"):
        (root / name).mkdir()
    for name, content in attack.files.items():
        _put(root / name, content.encode() if isinstance(content, str) else content)
    if attack.prepare:
        attack.prepare(root)
    for path in reversed([*_walk(root)]):
        os.utime(path, (_LONG_AGO, _LONG_AGO), follow_symlinks=False)


def snapshot(root: Path, but: Iterable[str] = ()) -> dict[str, tuple[object, ...]]:
    """Return every file, link and directory with its content and status, except these paths and those below them, and krm-values' own state and cache."""
    allowed = [*but, "cache"]
    parents = {os.path.dirname(path) for path in allowed}
    found = {}
    for path in _walk(root):
        short = os.path.relpath(path, root)
        if not any(short == one or short.startswith(f"{one}/") for one in allowed):
            found[short] = _facts(path, timed=short not in parents)
    return found


def leftovers(root: Path) -> list[str]:
    """Return the staged files in the package."""
    return [path for path in _walk(root / "package") if os.path.basename(path).startswith(".krm-values-")]


def _walk(root: Path) -> Iterator[str]:
    """Yield every path below a directory, parents first, to any depth."""
    left = [str(root)]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                yield entry.path
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)


def _facts(path: str, *, timed: bool) -> tuple[object, ...]:
    facts = os.lstat(path)
    when = facts.st_mtime_ns if timed else 0
    content = os.readlink(path) if stat.S_ISLNK(facts.st_mode) else _digest(path) if stat.S_ISREG(facts.st_mode) else ""
    return facts.st_mode, facts.st_uid, facts.st_gid, facts.st_ino, facts.st_nlink if timed else 0, when, content


def _digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
