"""Prints a unified diff, in colour if requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.printable import lines

if TYPE_CHECKING:
    from typing import TextIO

_GREEN, _RED, _BOLD, _CYAN, _OFF = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[36m", "\x1b[0m"
_COLOURS = (("---", _BOLD), ("+++", _BOLD), ("@@", _CYAN), ("+", _GREEN), ("-", _RED))


def print_diff(text: str, out: TextIO, *, colours: bool) -> None:
    """Print a diff. For a terminal, control characters of files are escaped; elsewhere the diff can be applied."""
    text = lines(text) if out.isatty() else text
    if not colours:
        out.write(text)
        return
    for line in text.split("\n")[:-1]:
        colour = next((code for start, code in _COLOURS if line.startswith(start)), "")
        out.write(f"{colour}{line}{_OFF}\n" if colour else f"{line}\n")
