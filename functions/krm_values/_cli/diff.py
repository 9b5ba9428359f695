"""`render --diff`: a unified diff of the files that would change, with the values of Secrets masked."""

from __future__ import annotations

from difflib import unified_diff

from krm_values._kit import yaml
from krm_values._kit.errors import InputError
from krm_values._kit.record import record
from krm_values._kit.results import HIDDEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TextIO

    from krm_values._kit.pointer import Path

_GREEN, _RED, _BOLD, _CYAN, _OFF = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[36m", "\x1b[0m"
_COLOURS = (("---", _BOLD), ("+++", _BOLD), ("@@", _CYAN), ("+", _GREEN), ("-", _RED))


@record
class Masks:
    """Which lines of a text show a secret: (first line, last line, column of the value), from 0."""

    spans: tuple[tuple[int, int, int], ...] = ()


class _Line(str):
    """A line that is compared as it is and printed as `shown`, the text of the string."""

    __slots__ = ("real",)

    real: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Line) and self.real == other.real

    def __hash__(self) -> int:
        return hash(self.real)


def unified(path: str, old: str | None, new: str | None, old_masks: Masks, new_masks: Masks) -> str:
    """The diff of one file; None where there is none before or after."""
    before, after = _lines(old or "", old_masks), _lines(new or "", new_masks)
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    return "".join(map(_ended, unified_diff(before, after, *names)))


def masks(text: str, paths: Iterable[Path], first: int = 0) -> Masks:
    """The lines of the values at `paths` of one document that begins on line `first`; every line if it cannot be read."""
    wanted = tuple(paths)
    if not wanted:
        return Masks()
    try:
        root = yaml.parse(text)
    except InputError:
        return Masks(((first, first + text.count("\n"), 0),))
    nodes = [node for path in wanted if (node := yaml.find(root, path)) is not None]
    return Masks(tuple((first + node.line, first + node.line + _height(text, node), node.column) for node in nodes))


def print_diff(text: str, out: TextIO, *, colours: bool) -> None:
    """Print, in colours where they are wanted."""
    if not colours:
        out.write(text)
        return
    for line in text.splitlines(keepends=True):
        colour = next((code for start, code in _COLOURS if line.startswith(start)), "")
        out.write(f"{colour}{line[:-1]}{_OFF}\n" if colour else line)


def _height(text: str, node: yaml.Node) -> int:
    """Lines below its first that a value goes over."""
    return text.count("\n", node.start, max(node.start, node.end - 1))


def _lines(text: str, hidden: Masks) -> list[str]:
    return list(_masked(text.removesuffix("\n").split("\n"), hidden.spans, ended=text.endswith("\n"))) if text else []


def _masked(lines: Sequence[str], spans: Sequence[tuple[int, int, int]], *, ended: bool) -> Iterator[str]:
    for number, text in enumerate(lines):
        end = "\n" if ended or number < len(lines) - 1 else ""
        span = next((found for found in spans if found[0] <= number <= found[1]), None)
        shown = text
        if span is not None:
            column = span[2] if number == span[0] else len(text) - len(text.lstrip(" "))
            shown = text[:column] + HIDDEN
        line = _Line(shown + end)
        line.real = text + end
        yield line


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
