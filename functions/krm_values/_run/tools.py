"""External programs, which only the caller may name: by an option or an environment variable, never by a config."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._run import registry

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Mapping

    from krm_values._run.function import Function


def known() -> dict[str, str]:
    """Return every tool of every function, with the description of its option."""
    tools = registry.tools().values()
    return {tool: f"{text} (default: {variable(tool)})" for one in tools for tool, text in one.names.items()}


def variable(tool: str) -> str:
    """Return the variable that names a tool: `KRM_VALUES_YTT`."""
    return f"KRM_VALUES_{tool.upper()}"


def on_command_line(options: Namespace, function: str = "") -> dict[str, str]:
    """Return the programs that the options name, by tool. UsageError if the function, where it is known, does not use one."""
    named = {tool: program for tool in known() if (program := getattr(options, f"tool_{tool}", None)) is not None}
    refuse_unused(named, [function])
    return named


def refuse_unused(programs: Mapping[str, str], functions: Iterable[str]) -> None:
    """Raise UsageError if none of these functions uses one of the programs; "" is a function that is not known."""
    called = set(functions)
    if "" in called:
        return
    used = {tool for name in called for tool in registry.load(name).tools}
    for tool in programs:
        if tool not in used:
            listed = ", ".join(f"`{name}`" for name in sorted(called)) or "a pipeline without steps"
            raise UsageError(f"`--{tool}` is not for {listed}, which runs no program")


def handed(function: Function, programs: Mapping[str, str], environment: Mapping[str, str]) -> object:
    """Return the object that the function's planner gets: None if none of its programs is named. An option overrides a variable."""
    named = {tool: programs.get(tool) or environment.get(variable(tool), "") for tool in function.tools}
    named = {tool: program for tool, program in named.items() if program}
    return registry.tools()[function.name].make(named) if named else None


# Finds programs by name. A relative entry of PATH is ignored: it would depend on the working directory.


def search_path() -> str:
    """Return PATH without relative and empty entries, which would find programs in the working directory."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(entry for entry in entries if os.path.isabs(entry))


def find_program(name: str) -> str | None:
    """Return the program's absolute path, None if there is none. A name with a slash is a path already."""
    import shutil  # noqa: PLC0415 - slow to import, and most runs name no program

    if os.path.dirname(name):
        found = shutil.which(name)
        return os.path.abspath(found) if found else None
    return shutil.which(name, path=search_path() or os.devnull)
