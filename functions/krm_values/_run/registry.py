"""The functions of the package: the folder is the registry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import UsageError
from krm_values._krm import names

SUFFIXES = (".yaml", ".yml", ".json")

if TYPE_CHECKING:
    from typing import Any

    from krm_values._run.function import Commands, Function, Tools


def functions() -> list[str]:
    """Return the names of all functions, sorted: `tekton-params` for each public folder of the package."""
    public = (entry for entry in os.scandir(_folder()) if entry.is_dir() and not entry.name.startswith("_"))
    return sorted(names.argument(entry.name) for entry in public)


def load(name: str) -> Function:
    """Import one function and no other. UsageError names the nearest function."""
    module = names.module(name)
    if not module.isidentifier() or module.startswith("_") or not os.path.isdir(f"{_folder()}/{module}"):
        raise UsageError(_unknown(name))
    found: Function = __import__(f"krm_values.{module}", fromlist=["function"]).function
    return found


def is_path(word: str) -> bool:
    """Return whether an argument is a file or directory, or looks like a path (`-` is stdin)."""
    return word == "-" or "/" in word or word.startswith(".") or word.endswith(SUFFIXES) or os.path.exists(word)


def extensions() -> dict[str, Commands]:
    """Return what functions add to the command line, by function: the record in `commands.py` or `commands/`. No planner is imported."""
    return _hooks("commands")


def tools() -> dict[str, Tools]:
    """Return the programs that a caller may name, by function: the record in `tools.py`. No planner is imported."""
    return _hooks("tools")


def _unknown(name: str) -> str:
    known = functions()
    if is_path(name):
        return f'"{name}" is a path, where a function must be named: {", ".join(known)}'
    near = suggest.nearest(name, known)
    hint = f'did you mean "{near}"?' if near else "functions: " + ", ".join(known)
    return f'no function is called "{name}"; {hint}'


def _hooks(module: str) -> dict[str, Any]:
    """Return the record with the module's own name from each function that has the module."""
    having = [name for name in functions() if _has(f"{_folder()}/{names.module(name)}/{module}")]
    found = {name: __import__(f"krm_values.{names.module(name)}.{module}", fromlist=[module]) for name in having}
    return {name: getattr(one, module) for name, one in found.items()}


def _has(module: str) -> bool:
    return os.path.isfile(f"{module}.py") or os.path.isfile(f"{module}/__init__.py")


def _folder() -> str:
    path: str = __import__("krm_values").__path__[0]
    return path
