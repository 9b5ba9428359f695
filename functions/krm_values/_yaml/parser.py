"""PyYAML's parser, of which only the events are used, with error messages of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._yaml import libyaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from krm_values._data.limits import Limits

    Next: TypeAlias = Callable[[], Any]

_Parser, _events, _error = libyaml.load()

YAMLError = _error.YAMLError
StreamEnd, DocumentStart, DocumentEnd = _events.StreamEndEvent, _events.DocumentStartEvent, _events.DocumentEndEvent
MappingStart, MappingEnd = _events.MappingStartEvent, _events.MappingEndEvent
SequenceStart, SequenceEnd = _events.SequenceStartEvent, _events.SequenceEndEvent
Scalar, Alias = _events.ScalarEvent, _events.AliasEvent
STARTS, ENDS = (MappingStart, SequenceStart), (MappingEnd, SequenceEnd)
_BRACKETS = 2000  # in a text with more, the depth is counted event by event
_BREAKS = "\n\r\x85\u2028\u2029"
# patterns of errors, compiled on first use
_CHARACTER = r"""(found (?:unknown escape )?character) (?:'(?:[^\\]|\\.[^']*)'|"'")"""
_BUT_FOUND = r"""(?s), but (?:found|got) (?:'.*'|".*")"""
_QUOTED, _SIGN = r"""\s?(?:'[^']*'|"[^"]*")""", 3  # a sign with its quotes has three characters
_NO_COLON = "could not find expected ':'"


def events(text: str | bytes) -> Next:
    """Return a function that returns the next event of `text` or raises a YAMLError. Marks count characters without a byte order mark."""
    text = text if isinstance(text, bytes) else str(text)  # the parser does not accept subclasses of str
    get: Next = _Parser(text).get_event
    return get


def accepts(text: bytes, limits: Limits = DEFAULT) -> bool:
    """Return whether the parser reads `text` to its end; False where brackets nest so deeply that this would take long."""
    get, depth = events(text), 0
    try:
        if text.count(b"[") + text.count(b"{") < _BRACKETS:
            _Parser(text).raw_parse()
            return True
        while event := get():
            depth += (type(event) in STARTS) - (type(event) in ENDS)
            if depth > limits.depth:
                return False
    except YAMLError:
        return False
    return True


def input_error(error: Any, text: str | bytes) -> InputError:
    """Convert a YAMLError about `text` to one line with its place."""
    if isinstance(text, bytes):
        text = text.decode()
    text = text.removeprefix("\ufeff")
    if not hasattr(error, "problem"):
        return _unreadable(error, text)
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return InputError(f"is not YAML: {_unquoted(error.problem)}", 1, 1)
    if text[mark.index : mark.index + 1] == "\t":
        return InputError("must be indented by spaces, found a tab", mark.line + 1, mark.column + 1)
    return InputError(f"is not YAML: {_unquoted(error.problem)}", *_blamed(error, text, mark))


def _blamed(error: Any, text: str, mark: Any) -> tuple[int, int]:
    """Return line and column, from 1, of the cause of an error.

    For an unclosed construct or a missing colon the parser reports the end of the text or the next line; the cause is where it began.
    """
    begun, is_end = error.context_mark, not text[mark.index :].strip()
    if begun and begun.index < mark.index and (is_end or error.problem == _NO_COLON or _is_open(text, begun.index)):
        mark = begun
    elif is_end and text.strip():
        return _place(text, len(text.rstrip()) - 1)
    return mark.line + 1, mark.column + 1


def _is_open(text: str, at: int) -> bool:
    """Return whether there is a bracket at this offset that is never closed."""
    closing = {"[": "]", "{": "}"}.get(text[at])
    return closing is not None and closing not in text[at:]


def _place(text: str, at: int) -> tuple[int, int]:
    """Return line and column of a character, from 1; lines end where the parser ends them."""
    start = max(text.rfind(end, 0, at) for end in _BREAKS) + 1
    line = sum(text.count(end, 0, at) for end in _BREAKS) - text.count("\r\n", 0, at)
    return line + 1, at - start + 1


def _unquoted(problem: str) -> str:
    """Remove quotations of the text, which may be secret, from a problem; quoted punctuation such as ':' stays."""
    problem = re.sub(_CHARACTER, r"\1", re.sub(_BUT_FOUND, "", problem))
    return re.sub(_QUOTED, lambda found: found[0] if len(found[0].strip()) <= _SIGN else "", problem)


def _unreadable(error: Any, text: str) -> InputError:
    """Return the error for a character that YAML does not allow; libyaml and PyYAML count its place differently, so it is searched again."""
    for at, character in enumerate(text):
        if not _allowed(character):
            return InputError(f"must not hold the control character U+{ord(character):04X}", *_place(text, at))
    return InputError(f"is not YAML: {getattr(error, 'reason', None) or error}".split("\n")[0], 1, 1)


def _allowed(c: str) -> bool:
    return (
        " " <= c <= "~"
        or c in "\t\n\r\x85"
        or "\xa0" <= c <= "\ud7ff"
        or ("\ue000" <= c <= "\ufffd" and c != "\ufeff")
        or c > "\uffff"
    )
