"""An attack, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Prepare = Callable[[Path], Any]


@dataclass(frozen=True)
class Attack:
    """A package, or what comes with it, that somebody else wrote, and a command that is run on it.

    The directory of the run holds `package/` and, around it, what nobody may touch (`place`). Paths are relative to it.

    name, tries: for the table. sees: what must stand in a line of what is printed, in the first such line for the table; "" where
    nothing is printed. code: the exit code. files: by path; prepare: makes what is no text; its result goes to `check`.
    writes: paths that the command may change or make. changed: whether it must. hides: texts that nothing printed may hold.
    shows: for the table, in the place of that line: what a browser shows, which `check` has seen.
    around: a context that gives words for the command by name, as a server its port. tty: run on a terminal.
    """

    name: str
    tries: str
    command: tuple[str, ...]
    sees: str
    code: int
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    prepare: Prepare | None = None
    stdin: str | bytes = b""
    environment: Mapping[str, str] = field(default_factory=dict)
    writes: tuple[str, ...] = ()
    changed: bool = False
    hides: tuple[str, ...] = ()
    check: Callable[[Path, Ended], None] | None = None
    around: Any = None
    tty: bool = False
    shows: str = ""


@dataclass(frozen=True)
class Ended:
    """A finished run. seconds: of processor time. text: everything printed, without the paths of the run's own directory."""

    code: int
    out: bytes
    err: bytes
    text: str
    seconds: float
    bytes: int
