"""The programs that whoever runs us may name: by an option, or by a variable of the environment; never by a config."""

from __future__ import annotations

from krm_values._data.errors import UsageError
from krm_values._kit.process import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Mapping

    from krm_values._kit.api.function import Function


def known() -> dict[str, str]:
    """Every tool of every function, and what its option is for."""
    tools = registry.tools().values()
    return {tool: f"{text} (default: {variable(tool)})" for one in tools for tool, text in one.names.items()}


def variable(tool: str) -> str:
    """The variable that names it: `KRM_VALUES_YTT`."""
    return f"KRM_VALUES_{tool.upper()}"


def on_command_line(options: Namespace, function: str = "") -> dict[str, str]:
    """The programs that the options name, by tool. UsageError if the function, where it is known, has no use for one."""
    named = {tool: program for tool in known() if (program := getattr(options, f"tool_{tool}", None)) is not None}
    refuse_unused(named, [function])
    return named


def refuse_unused(programs: Mapping[str, str], functions: Iterable[str]) -> None:
    """UsageError if none of these functions has a use for one of the programs; "" is a function that is not known."""
    called = set(functions)
    if "" in called:
        return
    used = {tool for name in called for tool in registry.load(name).tools}
    for tool in programs:
        if tool not in used:
            listed = ", ".join(f"`{name}`" for name in sorted(called)) or "a pipeline without steps"
            raise UsageError(f"`--{tool}` is not for {listed}, which runs no program")


def handed(function: Function, programs: Mapping[str, str], environment: Mapping[str, str]) -> object:
    """What the function's planner is handed: None if nobody names a program of its. An option overrides a variable."""
    named = {tool: programs.get(tool) or environment.get(variable(tool), "") for tool in function.tools}
    named = {tool: program for tool, program in named.items() if program}
    return registry.tools()[function.name].make(named) if named else None
