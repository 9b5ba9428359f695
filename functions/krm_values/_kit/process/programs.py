"""Finds programs by name. A relative entry of PATH is ignored: it would depend on the working directory."""

from __future__ import annotations

import os


def search_path() -> str:
    """Return PATH without relative and empty entries, which would find programs in the working directory."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if os.path.isabs(entry))


def find(name: str) -> str | None:
    """Return the program's absolute path, None if there is none. A name with a slash is a path already."""
    import shutil  # noqa: PLC0415 - slow to import, and most runs name no program

    if os.path.dirname(name):
        found = shutil.which(name)
        return os.path.abspath(found) if found else None
    return shutil.which(name, path=search_path() or os.devnull)
