"""What a function may provide besides its planner: commands of its own, and external programs.

`commands.py` or `commands/` of a function exports one record `commands`, `tools.py` one record `tools`. Neither imports the planner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    Group: TypeAlias = Callable[[str, str], Callable[..., ArgumentParser]]


@record
class Commands:
    """What a function adds to the command line; None adds nothing. Each callable that takes the options returns the exit code.

    grammar, run: a command group; `group(name, summary)` creates it and returns the object that adds its commands. lint_arguments, lint:
    `lint FUNCTION`. schema_arguments, schema: another schema for `schema FUNCTION`; `schema` returns None if the schema of the functionConfig
    is wanted.
    """

    grammar: Callable[[Group], None] | None = None
    run: Callable[[Namespace], int] | None = None
    lint_arguments: Callable[[ArgumentParser], None] | None = None
    lint: Callable[[Namespace], int] | None = None
    schema_arguments: Callable[[ArgumentParser], None] | None = None
    schema: Callable[[Namespace], int | None] | None = None


@record
class Tools:
    """The external programs that the caller of a function may name.

    names: the purpose of each tool of `Function.tools`. make: converts the named programs, by tool, to the object that the planner gets.
    """

    names: Mapping[str, str]
    make: Callable[[Mapping[str, str]], object]
