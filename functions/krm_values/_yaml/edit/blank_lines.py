"""Blank lines that consist of spaces: below another line than before they could become content of a block scalar."""

from __future__ import annotations

import re

_RUN = re.compile(r"(?m)(^[^\S\n]*\S.*\n)((?:[ \t]*\r?\n)+)")  # a line that is not blank, and the blank lines below it
_SPACES = re.compile(r"[ \t]+")


def without_spaces(text: str, before: str) -> str:
    """Return a text without the spaces of its blank lines, except where they follow the line that they followed before."""
    known = {found[0] for found in _RUN.finditer(before)}
    return _RUN.sub(lambda found: found[0] if found[0] in known else found[1] + _SPACES.sub("", found[2]), text)
