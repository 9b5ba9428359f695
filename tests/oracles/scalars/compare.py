"""Our reading of a scalar beside that of both Go readers, and what we write of it read back by them."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

from krm_values._data import data_edits
from krm_values._data.errors import InputError
from krm_values._data.scalars import is_disputed
from krm_values._go import encoding_json
from krm_values._yaml import decode, emit
from tests.oracles.go import ask
from tests.oracles.scalars.texts import Scalars

EXCEPTIONS = {
    "word": "a word of YAML 1.1: a boolean to the first reader, a text to the second and to us; behind `!!bool` a boolean to us, too",
    "infinite": "an infinite number or `.nan`: the first reader and we refuse it, because JSON has none",
    "signed octal": "`0o` before a sign: a number to the second reader only",
    "bare tag": "`!` makes a text of a scalar for the first reader and us; the second takes no notice of it",
}
"""Where the two disagree, and with whom we go."""
_REFUSED = object()
_SIGNED = re.compile("0o[-+][0-7]+")


class Comparison:
    """Lines about what differs, and how many scalars there are of each exception."""

    def __init__(self) -> None:
        self.differences: list[str] = []
        self.exceptions: Counter[str] = Counter()


def run(count: int, seed: int) -> Comparison:
    """So many scalars, read by all three; then what we write of each, as a copy and as a string of that text."""
    source, found = Scalars(seed), Comparison()
    scalars = [source.next() for _ in range(count)]
    for scalar, (ours, first, second) in zip(scalars, _readings(scalars), strict=True):
        if line := _difference(scalar, ours, first, second, found.exceptions):
            found.differences.append(f"{scalar!r}: {line}")
    kept = [ours for scalar in scalars if (ours := _ours(scalar)) is not _REFUSED]
    copies = [emit.scalar(value) for value in kept]
    strings = [source.text() for _ in range(count)]
    found.differences += _read_back(kept, copies, Counter())
    found.differences += _read_back(strings, [emit.scalar(text) for text in strings], None)
    found.differences += _copied(scalars)
    return found


def _readings(scalars: list[str]) -> list[tuple[object, object, object]]:
    answers: list[Any] = ask("scalars", [f"a: {scalar}\n" for scalar in scalars])
    return [
        (_ours(scalar), _go(answer["first"]), _go(answer["second"])) for scalar, answer in zip(scalars, answers, strict=True)
    ]


def _ours(scalar: str) -> object:
    try:
        found: Any = decode.data(f"a: {scalar}\n")
    except InputError:
        return _REFUSED
    return found["a"]


def _go(answer: dict[str, Any]) -> object:
    if "error" in answer:
        return _REFUSED
    value = answer["json"]["a"]
    return float(value[0]) if isinstance(value, list) else value


def _difference(scalar: str, ours: object, first: object, second: object, exceptions: Counter[str] | None) -> str:
    """Empty if all three agree, or two of them where the disagreement is one that is known."""
    said = f"we read {_shown(ours)}, the first reader {_shown(first)}, the second {_shown(second)}"
    if _same(first, second):
        return "" if _same(ours, first) else said
    cause = _cause(scalar, second)
    if exceptions is None or not cause:
        return said
    exceptions[cause] += 1
    is_first = cause in ("bare tag", "infinite", "signed octal") or (cause == "word" and "!!bool" in scalar)
    return "" if _same(ours, first if is_first else second) else said


def _cause(scalar: str, second: object) -> str:
    tag, _, quoted = scalar.rpartition(" ")
    text = quoted.strip("'\"")
    if tag == "!":
        return "bare tag"
    if is_disputed(text):
        return "word"
    if isinstance(second, float) and not math.isfinite(second):
        return "infinite"
    return "signed octal" if _SIGNED.fullmatch(text.replace("_", "")) else ""


def _read_back(meant: list[Any], written: list[str], exceptions: Counter[str] | None) -> list[str]:
    """What both readers make of what we wrote. A copy may be of a word's or an infinite number's kind; a string must be a string."""
    lines = []
    for value, text, (ours, first, second) in zip(meant, written, _readings(written), strict=True):
        line = _difference(text, ours, first, second, exceptions)
        if not line and not _same(ours, value):
            line = f"we read back {_shown(ours)}"
        if line:
            lines.append(f"{_shown(value)} written as {text!r}: {line}")
    return lines


def _copied(scalars: list[str]) -> list[str]:
    """What either reader makes of a copy in block and in flow style that is not what it makes of the original, but for a bare tag alone."""
    maps: dict[str, Any] = {
        scalar: decode.data(f"a: {scalar}\n") for scalar in scalars if scalar.strip() != "!" and _ours(scalar) is not _REFUSED
    }
    lines = []
    for style in ("block", "flow"):
        copies = {
            scalar: "\n".join(emit.block(found)) if style == "block" else emit.flow(found) for scalar, found in maps.items()
        }
        before, after = (
            ask("scalars", [f"{text}\n" for text in texts]) for texts in ([f"a: {one}" for one in maps], copies.values())
        )
        for scalar, one, other in zip(maps, before, after, strict=True):
            for reader in ("first", "second"):
                was, now = (_go(answer[reader]) for answer in (one, other))
                if was is not now and not _same(was, now):
                    copy = copies[scalar]
                    lines.append(f"{scalar!r} copied as {copy!r}: the {reader} reader read {_shown(was)}, now {_shown(now)}")
    return lines


def _same(one: Any, other: Any) -> bool:
    """Whether two readings are the same JSON: a float without fraction is its digits there."""
    return one is other or (
        _REFUSED not in (one, other) and data_edits.same(encoding_json.by_value(one), encoding_json.by_value(other))
    )


def _shown(value: object) -> str:
    return "an error" if value is _REFUSED else repr(value)
