"""Ordinary block YAML to data line by line, without a parser; most values files are of this kind, and most of their lines occur many times.

Ordinary lines have at most one dash and one key, and a value that ends on them: a scalar that is plain or has quotes without escapes, or a
list of plain scalars in brackets. Parsed lines are cached across texts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import UnusualError
from krm_values._data.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON

    Line: TypeAlias = tuple[int, int, str | None, int, Any]
    """The columns of the dash (-1: none) and of what follows, the key, what the value is, and the value."""
    Known: TypeAlias = dict[str, "Line | tuple[()] | None"]
    """What lines say: nothing for blank lines and comments, None for those that are not ordinary."""
    Convert: TypeAlias = Callable[[str], Any]

_SCALAR, _LATER, _LIST = 0, 1, 2
_UNKNOWN = (0, 0, None, 0, None)
_LINE = re.compile(
    r" *+(?:(-)(?: ++|$))?"
    r"(?:([A-Za-z0-9_][A-Za-z0-9_./-]{0,127}):(?: ++|$))?"
    r"(?:((?:[A-Za-z0-9_/.+~$(]|-(?=[A-Za-z0-9_.]))(?>(?: *+[A-Za-z0-9_/.+@=~$%(),;<>^!*&?|-]|:(?=[A-Za-z0-9_/.]))*))"
    r"|(\"[ !#-\[\]-~]*+\"|'[ -&(-~]*+')"
    r"|\[((?>(?:[A-Za-z0-9_/.][A-Za-z0-9_/.+-]*+(?:, *+(?=[A-Za-z0-9_/.])|(?=\])))*))\])?"
    r" *+(?:(?<= )#[ -~]*+)?"
)


def read(text: str, known: Known, value: Convert, key: Convert, limits: Limits = DEFAULT) -> JSON:
    """Return the data of a text whose lines are all ordinary; None for any other text.

    known: what these converters made of lines before; this adds to it. value: converts a plain scalar; key: converts a plain key; both may raise UnusualError.
    """
    if len(text) > limits.scalar_length:
        return None
    return _read(text.split("\n"), known, value, key, limits.depth)


def _read(  # noqa: C901, PLR0912 - one loop with local names: it runs for every line of every layer
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
        if what != _LATER:
            name = None
    return root[0] if root else None


def _opened(holder: Any, name: Any, new: Any) -> Any:
    """Put a new collection where `name` waits for one, or at the end of a list."""
    if type(holder) is dict or (name is not None and name < len(holder)):
        holder[name] = new
    else:
        holder.append(new)
    return new


def _parsed(line: str, value: Convert, key: Convert) -> Line | tuple[()] | None:
    """Read one line."""
    bare = line.lstrip(" ")
    if not bare or bare[0] == "#":
        return () if line.isascii() and (line.isprintable() or not line) else None
    found = _LINE.fullmatch(line)
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
        return (*columns, field, _LATER, value(""))
    except UnusualError:
        return None
