"""Every field of a closed set, misspelt by one letter at its place."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path


def fields(shape: Any, path: Path = ()) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The path of every field below the top, and the fields beside it with it; elements of lists have the index 0."""
    if isinstance(shape, list):
        yield from fields(shape[0], (*path, 0))
    elif isinstance(shape, dict):
        for key, below in shape.items():
            yield (*path, key), tuple(shape)
            yield from fields(below, (*path, key))


def typos(word: str, dice: random.Random) -> set[str]:
    """A letter left out, doubled, swapped, changed, put in, in the other case, and the word in lower case."""
    at = dice.randrange(len(word))
    letter = dice.choice(string.ascii_lowercase)
    made = {
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
        word[:at] + letter + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + word[at].swapcase() + word[at + 1 :],
        word.lower(),
    }
    return {one for one in made if one and one != word and not one.startswith("x-")}


def document(path: Path) -> Any:
    """What holds nothing but the key at the end of a path."""
    found: Any = None
    for part in reversed(path):
        found = [found] if isinstance(part, int) else {part: found}
    return found


def is_near(a: str, b: str) -> bool:
    """Whether one letter makes one of the other, upper and lower case aside."""
    a, b = sorted((a.lower(), b.lower()), key=len)
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) == len(b):
        return a[at + 1 :] == b[at + 1 :] or (a[at : at + 2][::-1] == b[at : at + 2] and a[at + 2 :] == b[at + 2 :])
    return len(a) + 1 == len(b) and a[at:] == b[at + 1 :]
