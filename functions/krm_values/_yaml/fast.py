"""Ordinary YAML to plain data in one pass over the parser's events, or line by line; nearly every document is ordinary.

Not ordinary are anchors, tags, directives, complex and repeated keys, several documents, and whatever the caller's `value` and `key`
refuse.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import UnusualError
from krm_values._data.limits import DEFAULT, KEPT, SHORT
from krm_values._yaml.encoding import has_other_break
from krm_values._yaml.parser import (
    ENDS,
    STARTS,
    DocumentEnd,
    DocumentStart,
    MappingEnd,
    MappingStart,
    Scalar,
    SequenceEnd,
    SequenceStart,
    StreamEnd,
    YAMLError,
    events,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._yaml.parser import Next

    Line: TypeAlias = tuple[int, int, str | None, int, Any]
    """The columns of the dash (-1: none) and of what follows, the key, what the value is, and the value."""
    Known: TypeAlias = dict[str, "Line | tuple[()] | None"]
    """What lines say: nothing for blank lines and comments, None for those that are not ordinary."""
    Convert: TypeAlias = Callable[[str], Any]


__all__ = ["UnusualError", "read", "starts"]

LONG = 2_000
"""Texts of at least this many characters are read line by line, if possible."""


class Scalars:
    """The meaning of plain scalars and plain keys for a reader. Results for short ones are cached across texts, since most of them repeat.

    value: converts a scalar; key: converts a key; both may raise UnusualError.
    """

    __slots__ = ("key", "keys", "lines", "value", "values")

    def __init__(self, value: Callable[[str], JSON], key: Callable[[str], str]) -> None:
        self.value, self.key = value, key
        self.values: dict[str, JSON] = {}
        self.keys: dict[str, str] = {}
        self.lines: Known = {}

    def trim(self) -> None:
        """Clear the cache if it is very large."""
        for kept in (self.values, self.keys, self.lines):
            if len(kept) > KEPT:
                kept.clear()


def read(text: str, scalars: Scalars, limits: Limits = DEFAULT) -> JSON:
    """Return the data of an ordinary text. UnusualError for any other."""
    if limits.scalar_length < SHORT:
        scalars = Scalars(scalars.value, scalars.key)
    scalars.trim()
    if len(text) >= LONG:
        found = read_lines(text, scalars.lines, scalars.value, scalars.key, limits)
        if found is not None:
            return found
    get = events(text)
    try:
        data = _read(get, _first(get), scalars, limits)
        if type(get()) is not DocumentEnd or type(get()) is not StreamEnd:
            raise UnusualError
    except YAMLError:
        raise UnusualError from None
    return data


def _first(get: Next) -> Any:
    """Return the first event of the root of the only document."""
    get()
    start: Any = get()
    if type(start) is not DocumentStart or start.version or start.tags:
        raise UnusualError
    return get()


def _read(  # noqa: C901, PLR0912, PLR0915 - one loop with local names: most of a run's time is spent here
    get: Next, event: Any, scalars: Scalars, limits: Limits
) -> JSON:
    """Return the data of the node that begins with `event`."""
    deepest, longest = limits.depth, limits.scalar_length
    value, values, key, keys = scalars.value, scalars.values, scalars.key, scalars.keys
    outer: list[Any] = []
    root: list[Any] = []
    holder: Any = root  # the innermost open collection
    name = ""
    while True:  # `event` begins a value of `holder`
        kind = type(event)
        if event.anchor or event.tag:
            raise UnusualError
        item: Any
        if kind is Scalar:
            item = event.value
            if len(item) > longest:
                raise UnusualError
            if not event.style:
                if item in values:  # here and for keys in place of a function, whose call would cost a tenth of the loop
                    item = values[item]
                elif len(item) > SHORT:
                    item = value(item)
                else:
                    values[item] = item = value(item)
        else:
            item = {} if kind is MappingStart else []
        if type(holder) is dict:
            holder[name] = item
        else:
            holder.append(item)
        if kind is not Scalar:
            outer.append(holder)
            holder = item
            if len(outer) > deepest:
                raise UnusualError
        while holder is not root:
            event = get()
            if type(holder) is list:
                if type(event) is not SequenceEnd:
                    break
            elif type(event) is Scalar:
                name = event.value
                if not event.style:
                    if name in keys:
                        name = keys[name]
                    elif len(name) > SHORT:
                        name = key(name)
                    else:
                        keys[name] = name = key(name)
                if name in holder or event.anchor or event.tag:
                    raise UnusualError
                event = get()
                if type(event) is Scalar and not event.style and event.value in values and not (event.anchor or event.tag):
                    holder[name] = values[event.value]
                    continue
                break
            elif type(event) is not MappingEnd:
                raise UnusualError
            holder = outer.pop()
        if holder is root:
            data: JSON = root[0]
            return data


# Ordinary block YAML to data line by line, without a parser; most values files are of this kind, and most of their lines occur many times.
#
# Ordinary lines have at most one dash and one key, and a value that ends on them: a scalar that is plain or has quotes without escapes, or a
# list of plain scalars in brackets. Parsed lines are cached across texts.

_SCALAR, LATER, _LIST = 0, 1, 2
_UNKNOWN = (0, 0, None, 0, None)
_BLOCK_LINE = re.compile(
    r" *+(?:(-)(?: ++|$))?"
    r"(?:([A-Za-z0-9_][A-Za-z0-9_./-]{0,127}):(?: ++|$))?"
    r"(?:((?:[A-Za-z0-9_/.+~$(]|-(?=[A-Za-z0-9_.]))(?>(?: *+[A-Za-z0-9_/.+@=~$%(),;<>^!*&?|-]|:(?=[A-Za-z0-9_/.]))*))"
    r"|(\"[ !#-\[\]-~]*+\"|'[ -&(-~]*+')"
    r"|\[((?>(?:[A-Za-z0-9_/.][A-Za-z0-9_/.+-]*+(?:, *+(?=[A-Za-z0-9_/.])|(?=\])))*))\])?"
    r" *+(?:(?<= )#[ -~]*+)?"
)


def read_lines(text: str, known: Known, value: Convert, key: Convert, limits: Limits = DEFAULT) -> JSON:
    """Return the data of a text whose lines are all ordinary; None for any other text.

    known: what these converters made of lines before; this adds to it. value: converts a plain scalar; key: converts a plain key; both may raise UnusualError.
    """
    if len(text) > limits.scalar_length:
        return None
    return _read_block(text.split("\n"), known, value, key, limits.depth)


def _read_block(  # noqa: C901, PLR0912 - one loop with local names: it runs for every line of every layer
    lines: list[str], known: Known, value: Convert, key: Convert, deepest: int
) -> JSON:
    root: list[Any] = []
    holder: Any = root  # the innermost open collection
    name: Any = 0  # where it waits for a value that begins on a later line; None if it does not
    column = -1  # where its entries begin
    outer: list[tuple[Any, int]] = []
    for line in lines:
        found = known.get(line, _UNKNOWN)
        if found is _UNKNOWN:
            found = known[line] = _parsed(line, value, key)
        if not found:
            if found is None:
                return None
            continue
        dash, at, field, what, item = found
        if at == column and dash < 0 and name is None and what == _SCALAR and type(holder) is dict:  # nearly always
            if field in holder:
                return None
            holder[field] = item
            continue
        begin = at if dash < 0 else dash
        if name is not None and (begin > column or (begin == column and dash >= 0 and type(holder) is dict)):
            outer.append((holder, column))
            holder, column = _opened(holder, name, [] if dash >= 0 else {}), begin
        else:
            while column > begin:
                holder, column = outer.pop()
            if dash < 0 and column == begin and type(holder) is list:
                holder, column = outer.pop()
            if column != begin or (type(holder) is list) is (dash < 0):
                return None
        if dash >= 0 and field is not None:
            outer.append((holder, column))
            holder, column = _opened(holder, None, {}), at
        if len(outer) > deepest or (field is not None and field in holder):
            return None
        name = field if field is not None else len(holder)
        if what == _LIST:
            item = [*item]
        if field is not None:
            holder[field] = item
        else:
            holder.append(item)
        if what != LATER:
            name = None
    return root[0] if root else None


def _opened(holder: Any, name: Any, new: Any) -> Any:
    """Put a new collection where `name` waits for one, or at the end of a list."""
    if type(holder) is dict or (name is not None and name < len(holder)):
        holder[name] = new
    else:
        holder.append(new)
    return new


def line(text: str, scalars: Scalars) -> Line | tuple[()] | None:
    """Return what a line says, as `Known` has it."""
    known = scalars.lines
    if text not in known:
        known[text] = _parsed(text, scalars.value, scalars.key)
    return known[text]


def _parsed(line: str, value: Convert, key: Convert) -> Line | tuple[()] | None:
    """Read one line."""
    bare = line.lstrip(" ")
    if not bare or bare[0] == "#":
        return () if line.isascii() and (line.isprintable() or not line) else None
    found = _BLOCK_LINE.fullmatch(line)
    if found is None or not (found[1] or found[2]):
        return None
    dash, name, plain, quoted, listed = found.groups()
    begin = len(line) - len(bare)
    columns = (begin if dash else -1, found.start(2) if name else begin)
    try:
        field = key(name) if name else None
        if plain is not None:
            return (*columns, field, _SCALAR, value(plain))
        if quoted is not None:
            return (*columns, field, _SCALAR, quoted[1:-1])
        if listed is not None:
            return (*columns, field, _LIST, [value(one.strip(" ")) for one in listed.split(",")] if listed else [])
        return (*columns, field, LATER, value(""))
    except UnusualError:
        return None


# Where the keys and list elements of an ordinary text begin, which few runs ask for.

_KEY_LINE = r""" *+(?:\w++:(?: ++(?:[\w./~#][^\n]*+|"[^"\\\n]*+" *+|'[^'\\\n]*+' *+|\[[\w./]++(?>(?:, *+[\w./]++)*)\] *+)?)?|#[^\n]*+)?"""
_KEY_LINES = rf"(?>(?:{_KEY_LINE}\n)*){_KEY_LINE}"
"""A text each line of which is a key with its value; compiled on first use."""
_KEY = re.compile(r"\n( *)\w+:")
_STARTS = re.compile(r"^ *+(\w)\w*+:(?: *+(\[[^\n]*+))?", re.MULTILINE)
_WORD = re.compile(r"[\w./]+")


def starts(text: str) -> Iterator[int]:
    """Return the offsets of the root, keys and list elements of an ordinary text in the order of the data."""
    found = starts_of_lines(text)
    return iter((found[0], *found)) if found else starts_of_events(text)


def starts_of_lines(text: str) -> list[int]:
    """Return the offsets of keys and list elements if each line is a key with its value; [] for any other text, which is not read so fast."""
    found: list[int] = []
    for one in _STARTS.finditer(text) if is_of_lines(text) else ():
        found.append(one.start(1))
        if one[2]:
            found += [word.start() for word in _WORD.finditer(text, *one.span(2))]
    return found


def is_of_lines(text: str) -> bool:
    """Return whether each line of a text is a key with its value."""
    return not has_other_break(text) and re.fullmatch(_KEY_LINES, text) is not None


def starts_of_events(text: str) -> Iterator[int]:
    """Yield the offsets of the root, keys and list elements of any ordinary text."""
    get = events(text)
    event = _first(get)
    yield event.start_mark.index
    lists: list[bool] = []  # of the open collections, the innermost last
    is_key = False
    while True:
        if type(event) in ENDS:
            lists.pop()
        elif type(event) in STARTS:
            lists.append(type(event) is SequenceStart)
        if not lists:
            return
        is_key = not lists[-1] and not (is_key and type(event) is Scalar)
        event = get()
        if (is_key or lists[-1]) and type(event) not in ENDS:
            yield event.start_mark.index


def start_of(text: str, path: Sequence[str]) -> int | None:
    """Return the offset of the key at a path that is there, in a text each line of which is a key with its value."""
    lines, at = f"\n{text}", 0
    for key in path:
        first = _KEY.search(lines, at)
        begin = f"{first[0][: first.end(1) - first.start()]}{key}:" if first else ""
        at = lines.find(begin, first.start()) + len(begin) if first else -1
        if at < len(begin):
            return None
    return at - len(path[-1]) - len("\n:")
