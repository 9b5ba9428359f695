"""The functions: the folders of this package, and those of the namespace package `krm_values_functions`, where others put theirs."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import UsageError
from krm_values._krm import names

SUFFIXES = (".yaml", ".yml", ".json")
OTHERS = "krm_values_functions"
"""The namespace package of functions that are not ours; like any package it is found on Python's path."""

if TYPE_CHECKING:
    from typing import Any

    from krm_values._run.function import Commands, Function, Tools


def version() -> str:
    """Return the installed version of krm-values."""
    from importlib import metadata  # noqa: PLC0415 - slow to import

    try:
        return metadata.version("krm-values")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def functions() -> tuple[str, ...]:
    """Return the names of all functions, sorted: `tekton-params` for each public folder."""
    return _functions(tuple(sys.path))


def load(name: str) -> Function:
    """Import one function and no other. UsageError names the nearest function."""
    module = names.module(name)
    if not module.isidentifier() or module.startswith("_"):
        raise UsageError(_unknown(name))
    if os.path.isdir(f"{_folder()}/{module}"):
        package = f"krm_values.{module}"
    elif module in _of_others(tuple(sys.path)):
        package = f"{OTHERS}.{module}"
    else:
        raise UsageError(_unknown(name))
    found: Function = __import__(package, fromlist=["function"]).function
    return found


def load_beside_files(name: str) -> Function:
    """Do as `load` where a file or directory could be named as well, so that those here are near, too."""
    try:
        return load(name)
    except UsageError:
        if is_path(name) or suggest.nearest(name, functions()):
            raise
    near = suggest.nearest(name, sorted(os.listdir()))
    hint = f'did you mean "{near}"?' if near else f"functions: {', '.join(functions())}"
    raise UsageError(f'no function, file or directory is called "{name}"; {hint}')


def is_path(word: str) -> bool:
    """Return whether an argument is a file or directory, or looks like a path (`-` is stdin)."""
    return word == "-" or "/" in word or word.startswith(".") or word.endswith(SUFFIXES) or os.path.exists(word)


def extensions() -> dict[str, Commands]:
    """Return what functions add to the command line, by function: the record in `commands.py` or `commands/`. No planner is imported."""
    return _hooks("commands")


def tools() -> dict[str, Tools]:
    """Return the programs that a caller may name, by function: the record in `tools.py`. No planner is imported."""
    return _hooks("tools")


def texts(name: str) -> dict[str, str]:
    """Return the file of that name in each function's folder, by function, and that of all functions, below ""; those without one are left out."""
    folders = {"": f"{_folder()}/_run", **{function: folder for function, (folder, _) in _places().items()}}
    found = {}
    for function, folder in folders.items():
        if os.path.isfile(f"{folder}/{name}"):
            with open(f"{folder}/{name}", encoding="utf-8") as file:
                found[function] = file.read()
    return found


def _unknown(name: str) -> str:
    known = functions()
    if is_path(name):
        return f'"{name}" is a path, where a function must be named: {", ".join(known)}'
    near = suggest.nearest_or_whole(name, known)
    hint = f'did you mean "{near}"?' if near else "functions: " + ", ".join(known)
    return f'no function is called "{name}"; {hint}'


def _hooks(module: str) -> dict[str, Any]:
    """Return the record with the module's own name from each function that has the module."""
    having = {name: package for name, (folder, package) in _places().items() if _has(f"{folder}/{module}")}
    return {name: getattr(__import__(f"{package}.{module}", fromlist=[module]), module) for name, package in having.items()}


def _places() -> dict[str, tuple[str, str]]:
    """Return the folder and the package of each function, by its name."""
    places = {name: (f"{folder}/{name}", f"{OTHERS}.{name}") for name, folder in _of_others(tuple(sys.path)).items()}
    places |= {name: (f"{_folder()}/{name}", f"krm_values.{name}") for name in _folders(_folder())}
    return {names.argument(name): place for name, place in sorted(places.items())}


def _has(module: str) -> bool:
    return os.path.isfile(f"{module}.py") or os.path.isfile(f"{module}/__init__.py")


@cache
def _functions(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(map(names.argument, {*_folders(_folder()), *_of_others(path)})))


@cache
def _of_others(path: tuple[str, ...]) -> dict[str, str]:
    """Return the folder that holds each function of others, by module. As Python does, the first one on its path counts.

    A relative entry is left out: what runs would depend on the working directory.
    """
    found: dict[str, str] = {}
    for folder in (f"{entry}/{OTHERS}" for entry in path if os.path.isabs(entry)):
        if os.path.isdir(folder):
            found = {**dict.fromkeys(_folders(folder), folder), **found}
    return found


def _folders(folder: str) -> list[str]:
    return [entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("_")]


def _folder() -> str:
    path: str = __import__("krm_values").__path__[0]
    return path
