"""What a function may bring beside its planner: commands of its own, and external programs.

`commands.py` or `commands/` of a function exports one record `commands`, `tools.py` one record `tools`. Neither imports the planner.
"""

from __future__ import annotations

from krm_values._data.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    Group: TypeAlias = Callable[[str, str], Callable[..., ArgumentParser]]


@record
class Commands:
    """What a function adds to the command line; None is nothing. Each that takes the options returns the exit code.

    grammar, run: a group of commands of its own; `group(name, summary)` opens it and returns what makes its commands. lint_arguments,
    lint: `lint FUNCTION`. schema_arguments, schema: another schema of `schema FUNCTION`; `schema` returns None where that of the
    functionConfig is meant.
    """

    grammar: Callable[[Group], None] | None = None
    run: Callable[[Namespace], int] | None = None
    lint_arguments: Callable[[ArgumentParser], None] | None = None
    lint: Callable[[Namespace], int] | None = None
    schema_arguments: Callable[[ArgumentParser], None] | None = None
    schema: Callable[[Namespace], int | None] | None = None


@record
class Tools:
    """The external programs that whoever runs a function may name.

    names: what each tool of `Function.tools` is for. make: what the planner gets of the programs that are named, by tool.
    """

    names: Mapping[str, str]
    make: Callable[[Mapping[str, str]], object]
