"""The protocol of hosts: a ResourceList on stdin, the resolved list on stdout."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT, beyond, bounded
from krm_values._data.record import replace
from krm_values._krm import hosts, resourcelist
from krm_values._krm.config import ConfigPlace
from krm_values._krm.item import STDIN
from krm_values._run import invoke, registry, report
from krm_values._run.resolve import Outcome
from krm_values._run.terminal import is_on_terminal, progress, send, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import IO, TextIO, TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._krm.resourcelist import ResourceList

    Release: TypeAlias = Callable[[bytes, Limits], bytes]

_PIPE_SIZE = 1 << 20
_PATIENCE = 2.0  # seconds before somebody at a terminal is told what is waited for


def run(
    name: str,
    programs: Mapping[str, str] = invoke.NONE,
    *,
    config: str | None = None,
    verbose: bool = False,
    form: str = report.TEXT,
    limits: Limits = DEFAULT,
    own_command: bool = False,
    release: Release | None = None,
) -> int:
    """Run one function, called by its name, by KRM_FUNCTION, or by the functionConfig's kind. Return the exit code.

    config: a file whose functionConfig replaces that of the list. verbose: show informational messages, too. form: of the findings.
    own_command: as in `listed`. release: converts the output.
    """
    source, _, outcome = listed(name, config, programs, limits, brief=True, own_command=own_command)
    is_kpt = hosts.served_by_kpt(source)
    if is_kpt:
        outcome = report.with_storage_warnings(outcome)
    pieces = source.apply(outcome, invoke.entries(outcome, source))
    send([release(b"".join(pieces), limits)] if release else pieces)
    if not is_kpt:  # which prints the results itself
        kept = "" if release else invoke.about_records(outcome, source)
        report.report(outcome.findings, [outcome.unmatched, kept], verbose=verbose, form=form)
    return int(outcome.failed)


def listed(
    name: str,
    config: str | None,
    programs: Mapping[str, str] = invoke.NONE,
    limits: Limits = DEFAULT,
    *,
    brief: bool = False,
    own_command: bool = False,
    command: str = "run",
) -> tuple[ResourceList, str, Outcome]:
    """Read a ResourceList from stdin and resolve it. Return the list, the function's name and the outcome. brief: without decisions.

    Without a functionConfig, a function that the command line names uses the only one of its kind in the list. A host that sends none means
    the defaults: kpt, and any caller of a function's own command or of KRM_FUNCTION. own_command: whether the function is called by its
    own command (`krm-flux-values`), as hosts do. command: the one that a message suggests.
    """
    named = name or os.environ.get("KRM_FUNCTION", "")
    if named:
        registry.load(named)  # a misspelt name is reported before anything is waited for
    place = invoke.of_file(config, limits) if config is not None else None
    source = resourcelist.read(received(limits), limits)
    given, where = (place.data, lambda: ConfigPlace(place)) if place else (source.function_config, invoke.place_in(source))
    among = bool(name) and not own_command and not hosts.served_by_kpt(source)
    with progress("resolving"):
        function, outcome = invoke.run_function(
            named, given, source, where, among=among, programs=programs, brief=brief, call=(command,)
        )
    if programs:
        _refuse_unused(programs, function)
    refused = [*source.refused_elsewhere()]
    return source, function, replace(outcome, findings=[*outcome.findings, *refused]) if refused else outcome


def _refuse_unused(programs: Mapping[str, str], function: str) -> None:
    from krm_values._run import tools  # noqa: PLC0415 - most runs name no program

    tools.refuse_unused(programs, [function])


def received(limits: Limits = DEFAULT) -> bytes:
    """Return all of stdin. InputError beyond the limit. Where nothing comes, a line on the terminal says after a while what is waited for."""
    if sys.stdin and is_on_terminal() and not _comes_soon(sys.stdin):
        tell("krm-values: waiting for resources on stdin; Ctrl-D ends them, and `krm-values help` shows other ways")
    try:
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.fcntl(0, 1031, _PIPE_SIZE)  # F_SETPIPE_SZ, Linux: a host's pipe is read in bigger bites
    except (ImportError, OSError):
        pass
    return up_to(limits, sys.stdin.buffer, STDIN) if sys.stdin else b""


def _comes_soon(stream: TextIO) -> bool:
    """Return whether something, or the end, can be read within a while; true where that cannot be known."""
    import select  # noqa: PLC0415 - not for hosts

    try:
        return bool(select.select([stream], [], [], _PATIENCE)[0])
    except (OSError, ValueError):  # as on Windows
        return True


def up_to(limits: Limits, file: IO[bytes], name: str) -> bytes:
    """Return the content of a file. InputError beyond the limit."""
    found = bounded(file, limits.input_bytes)
    if len(found) > limits.input_bytes:
        text = f"must not have more than {limits.input_bytes:,} bytes, found more"
        raise InputError(beyond(limits, "input_bytes", text), file=name)
    return found
