"""The unified diff of one file, compared as it is and printed without hidden values."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from krm_values._krm.filenames import header

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Pair = tuple[str, str]  # what is compared, and what is printed
    Shown = Mapping[int, str | Sequence[Pair]]  # in place of lines, by number from 0


_NOTHING: Shown = {}


class _Line(str):
    """A line that is compared as it is and printed as `shown`."""

    __slots__ = ("real",)

    real: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Line) and self.real == other.real

    def __hash__(self) -> int:
        return hash(self.real)


def unified(
    path: str,
    old: str | None,
    new: str | None,
    old_shown: Shown = _NOTHING,
    new_shown: Shown = _NOTHING,
) -> str:
    """Return the diff of one file; None for a file that does not exist before or after. old_shown, new_shown: lines, by number from 0, that are printed differently."""
    before, after = list(_lines(old or "", old_shown)), list(_lines(new or "", new_shown))
    names = ("/dev/null" if old is None else header(f"a/{path}"), "/dev/null" if new is None else header(f"b/{path}"))
    return "".join(map(_ended, unified_diff(before, after, *names)))


def _lines(text: str, shown: Shown) -> Iterator[_Line]:
    if not text:
        return
    lines, ended = text.removesuffix("\n").split("\n"), text.endswith("\n")
    for number, real in enumerate(lines):
        end = "\n" if ended or number < len(lines) - 1 else ""
        printed = shown.get(number, real)
        for compared, one in [(real, printed)] if isinstance(printed, str) else printed:
            line = _Line(one + end)
            line.real = compared + end
            yield line


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
