"""Replacements in a text by byte offset; every byte that none of them covers is copied."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._yaml.encoding import ENDS_LINE, LINE_BREAK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    New: TypeAlias = bytes | Callable[[], bytes]
    Patch: TypeAlias = tuple[
        int, int, New
    ]  # start, end, the replacement: an edited item's bytes are made when they are asked for

_BREAK = re.compile(LINE_BREAK)


def apply(data: bytes, patches: Iterable[Patch]) -> Iterator[bytes | memoryview]:
    """Yield the patched text in pieces. Patches must not overlap; those at one offset keep their order."""
    ordered, at = sorted(patches, key=lambda patch: patch[0]), 0
    for start, end, _ in ordered:
        assert start >= at, "patches overlap"
        at = end
    return _pieces(memoryview(data), ordered)


def _pieces(view: memoryview, patches: Sequence[Patch]) -> Iterator[bytes | memoryview]:
    at = 0
    for start, end, new in patches:
        yield view[at:start]
        yield new() if callable(new) else new
        at = end
    yield view[at:]


def closed(data: bytes, patches: Iterable[Patch], breaks: bytes) -> Iterator[Patch]:
    """Yield the patches; if the last line of the text has no line break, the first new line after it begins with one."""
    end = len(data)
    is_open = data[-1:] != b"\n"
    for start, stop, new in patches:
        is_line = isinstance(new, bytes) and start == end and new.endswith(b"\n")
        yield start, stop, breaks + new if isinstance(new, bytes) and is_line and is_open else new
        is_open = is_open and not is_line


def line_start(data: bytes, at: int) -> int:
    """Return the start of the line that contains `at`; lines end in LF."""
    return data.rfind(b"\n", 0, at) + 1


def line_end(data: bytes, at: int) -> int:
    """Return the end of the line that contains `at`, including its break (any that YAML knows); `at` itself if a line begins there."""
    if ENDS_LINE.search(data, max(at - 3, 0), at):
        return at
    found = _BREAK.search(data, at)
    return found.end() if found else len(data)
