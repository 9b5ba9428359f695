"""Which functions there are: the folder is the registry."""

from __future__ import annotations

import os

from krm_values._kit import names
from krm_values._kit.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.function import Function


def functions() -> list[str]:
    """The names of all functions, sorted: `tekton-params` for each public folder of the package."""
    public = (entry for entry in os.scandir(_folder()) if entry.is_dir() and not entry.name.startswith("_"))
    return sorted(names.argument(entry.name) for entry in public)


def load(name: str) -> Function:
    """Import one function, and nothing of the others. UsageError names the nearest function."""
    module = names.module(name)
    if not module.isidentifier() or module.startswith("_") or not os.path.isdir(f"{_folder()}/{module}"):
        known = functions()
        near = names.nearest(name, known)
        hint = f'did you mean "{near}"?' if near else "functions: " + ", ".join(known)
        raise UsageError(f'no function is called "{name}"; {hint}')
    found: Function = __import__(f"krm_values.{module}", fromlist=["function"]).function
    return found


def _folder() -> str:
    path: str = __import__("krm_values").__path__[0]
    return path
