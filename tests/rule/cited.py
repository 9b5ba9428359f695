"""Which lines name a rule: as a text of its own (`"73"`), in brackets (`[73]`, `[D16]`), or in words (`rules 44 to 46`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_NUMBER = r"[DS]?\d{1,3}[a-z]?(?:\.\d)?"
_ALONE = re.compile(rf'"({_NUMBER})"|\[({_NUMBER})\]')
_IN_WORDS = re.compile(rf"\brules? ((?:{_NUMBER})(?:(?:, | and | or | to )(?:{_NUMBER}))*)")


def cited(line: str) -> set[str]:
    """The rules that a line names."""
    found = {one or other for one, other in _ALONE.findall(line)}
    for words in _IN_WORDS.findall(line):
        found |= set(_listed(words))
    return found


def places(files: Iterable[Path], rule: str) -> list[tuple[Path, int, str]]:
    """(file, line from 1, text) of every line that names a rule."""
    return [
        (path, number, line.strip())
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if rule in cited(line)
    ]


def _listed(words: str) -> Iterable[str]:
    before, joint = "", ""
    for part in re.split(r"(, | and | or | to )", words):
        if part.strip() in (",", "and", "or", "to"):
            joint = part.strip()
        else:
            if joint == "to" and before.isdigit() and part.isdigit():
                yield from map(str, range(int(before) + 1, int(part)))
            yield part
            before, joint = part, ""
