"""Programs of this machine: where one is found by its name. An entry of PATH that is not absolute means another folder in every directory."""

from __future__ import annotations

import os


def search_path() -> str:
    """PATH without its relative and empty entries: those would find a program in whatever directory we are run in."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if os.path.isabs(entry))


def find(name: str) -> str | None:
    """The program's absolute path, None if there is none. A name with a slash is the caller's own path."""
    import shutil  # noqa: PLC0415 - slow to import, and most runs name no program

    if os.path.dirname(name):
        found = shutil.which(name)
        return os.path.abspath(found) if found else None
    return shutil.which(name, path=search_path() or os.devnull)
