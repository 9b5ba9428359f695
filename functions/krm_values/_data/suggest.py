"""Known names in messages: the nearest to a misspelt one, and lists of names."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from krm_values._data.limits import Budget

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST = 100
_MOST, _WORK, _RUN = 1_000, 6_000, 1_500_000  # words, and pairs of letters, of one call; work of a run
_SHOWN, _SPARE = 9, 3
_LEAST = 2  # letters, of which a word that begins another has more

_budget = Budget(_RUN)


def begin() -> None:
    """Begin a run: its hints have the whole work again."""
    _budget.left = _RUN


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word with the fewest edits, or "" when none is near.

    At most a third of the letters may differ, and a single letter must be in the known word. An empty word and words of more than 100
    characters have no near word. The first 1,000 words are compared, within a bounded amount of work; so is the work of a run, after which
    nothing is near.
    """
    if _budget.left <= 0:
        return ""
    near, work = _search(word, known)
    _budget.allows(work + 1)
    return near


def nearest_or_whole(word: str, known: Sequence[str]) -> str:
    """Return the nearest known word, else the only one that begins with this word, if it has three letters or more."""
    begun = [one for one in known if len(word) > _LEAST and one.startswith(word.lower())]
    return nearest(word, known) or ("".join(begun) if len(begun) == 1 else "")


def _search(word: str, known: Iterable[str]) -> tuple[str, int]:
    """Return the nearest word and the work of finding it, in words looked at plus pairs of letters compared."""
    best, distance, work, letters = "", max(1, len(word) // 3) + 1, 0, 0
    lower = word.lower()
    for candidate in islice(known, _MOST) if 0 < len(word) <= _LONGEST else ():
        work += 1
        if abs(len(candidate) - len(word)) >= distance or (len(word) == 1 and lower not in candidate.lower()):
            continue
        a, b = _differing(lower, candidate.lower())
        work += len(word) - len(a)
        letters += len(a) * len(b)
        if letters > _WORK:
            break
        cost = _edits(a, b)
        if cost < distance:
            best, distance = candidate, cost
            if not cost:
                break
    return best, work + letters


def _differing(a: str, b: str) -> tuple[str, str]:
    """Return two words without their common beginning and end."""
    start, end = 0, 0
    shorter = min(len(a), len(b))
    while start < shorter and a[start] == b[start]:
        start += 1
    while end < shorter - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


def hint(word: str, known: Iterable[str], quote: str = "`") -> str:
    """Return `; did you mean ...?` with the nearest known word, or "" when none is near."""
    near = nearest(word, known)
    return f"; did you mean {quote}{near}{quote}?" if near else ""


def listed(words: Sequence[str], quote: str = "") -> str:
    """Return the words separated by commas, of very many the first ones; "" is shown as `""`. quote: the character around each word."""
    some = (word or '""' for word in words[: _SHOWN + _SPARE])
    shown, more = [f"{quote}{word}{quote}" for word in some], len(words) - _SHOWN
    return ", ".join(shown) if more <= _SPARE else f"{', '.join(shown[:_SHOWN])} and {more} more"


def several(words: Sequence[str], between: str = "", count: int = 0) -> str:
    """Return `A, B and C`, or the words with something else between them; of very many the first ones and the number of the rest.

    count: of all words, if `words` are already the first ones.
    """
    shown = words if len(words) <= _SHOWN + _SPARE else words[:_SHOWN]
    more = max(count, len(words)) - len(shown)
    named = [*shown, *([f"{more} more"] if more else [])]
    return between.join(named) if between else _ended(named, " and ")


def alternatives(words: Sequence[str]) -> str:
    """Return `A`, `A or B`, `A, B or C`."""
    return _ended(words, " or ")


def _ended(words: Sequence[str], between: str) -> str:
    """Join the words with commas, and the last one with another word."""
    return between.join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def _edits(a: str, b: str) -> int:
    """Return the edit distance, in which swapping two neighbours costs one."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]
