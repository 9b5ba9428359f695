"""Prints the answers: in colour and in the width of a terminal, elsewhere in 80 columns."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from krm_values._data.printable import inert, printable
from krm_values._explain import layout, rule
from krm_values._explain import text as blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from krm_values._explain.facts import Explained, Explanation
    from krm_values._explain.values import Resource

_PIPE = 80  # columns where there is no terminal
_BOLD, _GREEN, _DIM, _OFF = "\x1b[1m", "\x1b[32m", "\x1b[2m", "\x1b[0m"
_COLOURS = {blocks.HEAD: _BOLD, blocks.WON: _GREEN, blocks.LOST: _DIM}


def show(explanation: Explanation, resources: Sequence[Resource], out: TextIO, *, show_secrets: bool, whole: bool) -> None:
    """Print the blocks. whole: there is no query, so print the functions' notes as well."""
    colours = out.isatty() and not os.environ.get("NO_COLOR")
    for kind, text in _lines(explanation, resources, width(out), show_secrets=show_secrets, whole=whole):
        line = inert(text)
        colour = _COLOURS.get(kind, "") if colours else ""
        out.write(f"{colour}{line}{_OFF}\n" if colour else f"{line}\n")


def width(out: TextIO) -> int:
    """Return the columns available for a line."""
    if not out.isatty():
        return _PIPE
    return min(max(shutil.get_terminal_size((_PIPE, 24)).columns, layout.NARROWEST), layout.WIDEST)


def _lines(
    explanation: Explanation, resources: Sequence[Resource], columns: int, *, show_secrets: bool, whole: bool
) -> Iterator[tuple[str, str]]:
    precedence = [rule.precedence(entry) for entry in explanation.steps]
    made = blocks.Blocks(explanation, precedence, columns, show_secrets=show_secrets)
    for number, resource in enumerate(resources):
        if number:
            yield blocks.PLAIN, ""
        yield from made.resource(resource)
    beside = [line for entry in explanation.steps for line in _beside(entry, columns)] if whole else []
    if beside and resources:
        yield blocks.PLAIN, ""
    yield from ((blocks.PLAIN, line) for line in beside)


def _beside(entry: Explained, columns: int) -> Iterator[str]:
    """Yield the notes of a step, and a sentence if it decides no value."""
    if entry.function and not entry.outcome.decisions:
        place = f" ({printable(entry.package or '.')}: {entry.step})" if entry.step else ""
        yield from layout.wrapped(f"{entry.function} decides no value here{place}", columns, "", "  ")
    for note in entry.outcome.notes:
        yield from blocks.note(note.topic, note.subject, note.data, columns)
