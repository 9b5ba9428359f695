"""Directories for targets that work on files: one for each process, emptied for each input, with something beside it that must stay."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from pathlib import Path

from tests.fuzz.target import require

_MADE: dict[int, Path] = {}
BESIDE = {"secret.yaml": b"kind: Secret\n", "authorized_keys": b"key\n", "inner/a.yaml": b"kind: A\n"}


def fresh() -> Path:
    """An empty directory `case` of this process; beside it `outside`."""
    top = _MADE.get(os.getpid())
    if top is None:
        top = _MADE[os.getpid()] = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, top, ignore_errors=True)
    shutil.rmtree(top / "case", ignore_errors=True)
    if not (top / "outside").is_dir() or entries(top / "outside") != _beside():
        shutil.rmtree(top / "outside", ignore_errors=True)
        for name, content in BESIDE.items():
            (top / "outside" / name).parent.mkdir(parents=True, exist_ok=True)
            (top / "outside" / name).write_bytes(content)
    (top / "case").mkdir()
    return top / "case"


def nothing_outside_changed(case: Path) -> None:
    """Wrong if what stands beside the directory is not as it was laid."""
    require(entries(case.parent / "outside") == _beside(), "a file outside of the directory changed")
    require(
        {path.name for path in case.parent.iterdir()} <= {"case", "outside", "state"},
        "a file outside of the directory was made",
    )


def entries(root: Path) -> dict[str, object]:
    """All below a directory, links not followed: the content of a file, where a link leads, the kind of the rest; each with its mode."""
    found: dict[str, object] = {}
    for folder, names, files in os.walk(root):
        for name in (*names, *files):
            path = Path(folder, name)
            facts = path.lstat()
            kind = stat.S_IFMT(facts.st_mode)
            held = _content(path) if kind == stat.S_IFREG else str(path.readlink()) if kind == stat.S_IFLNK else kind
            found[str(path.relative_to(root))] = (stat.S_IMODE(facts.st_mode), held)
    return found


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except PermissionError:  # its mode is part of what is compared
        return b""


def _beside() -> dict[str, object]:
    mask = os.umask(0)
    os.umask(mask)
    files: dict[str, object] = {name: (0o666 & ~mask, content) for name, content in BESIDE.items()}
    return {**files, "inner": (0o777 & ~mask, stat.S_IFDIR)}
