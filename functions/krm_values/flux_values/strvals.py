"""Helm's `--set` syntax as `targetPath` uses it: `path=value` written into values, in place.

The same steps in the same order as helm.sh/helm/v4/pkg/strvals, because where the text ends early Helm has done some of them and
reports no error.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from krm_values._data import go_numbers
from krm_values._data.limits import DEFAULT, Budget, beyond
from krm_values._krm.plan import Origin
from krm_values._run.traced import Assigned, Hidden, List, Map, kind

if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._run.traced import Layer, Node

HIGHEST, DEEPEST = 65536, 30
_LISTS = 100  # indexes within each other; Helm has no limit
_EACH = 64  # bytes of an element
_LITERAL = re.compile(r"[\\,\[\]{}]")
_WORDS: dict[str, JSON] = {"true": True, "false": False, "null": None}
_INTEGER = re.compile(r"([+-]?)(?=[0-9])0*+([0-9]*)")
_DIGITS = 19
_MOST = 1 << 63
_LIST = re.compile(r"(?s)\{(?:[^}\\]|\\.)*\}?,?")
_ESCAPED = re.compile(r"(?s)\\.")
_SPACE = " \t\r\n"
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?")
_RUNS = {stops: re.compile(rf"(?s)([^\{chr(92).join(stops)}\\]+)|(.)") for stops in ("=[,.", "[.=", "]", ",", ",}")}


class StrvalsError(Exception):
    """Why Helm refuses a path or a value. `message` quotes nothing of the value."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def filling(limits: Limits = DEFAULT) -> Budget:
    """Return how many null elements the indices of all paths may add to lists. StrvalsError if it is exceeded."""
    most = limits.decoded_bytes // _EACH
    text = f"must not fill lists with more than {most:,} elements, found more"
    return Budget(most, lambda: StrvalsError(beyond(limits, "decoded_bytes", text)))


def write(
    values: Map,
    path: str,
    value: str,
    layer: Layer,
    *,
    literal: bool = False,
    secret: bool = False,
    budget: Budget | None = None,
) -> None:
    """Write a value at a path. literal: the value has no syntax. secret: keys in the value must not be shown."""
    if literal:
        value, as_text = _LITERAL.sub(r"\\\g<0>", value), True
    else:
        value, as_text = unquoted(value)
    parser = _Parser(f"{path}={value}", len(path) + 1, layer, as_text=as_text, secret=secret, budget=budget or filling())
    while not parser.key(values, 0):
        pass


def path_of(target: str) -> Path | None:
    """Return the path that a `targetPath` means, or None if Helm writes nothing: an empty key, an index at the beginning."""
    found = Map(_nobody)
    try:
        write(found, target, "0", _nobody)
    except StrvalsError:
        return None
    path: list[str | int] = []
    node: Node = found
    while not isinstance(node, Assigned):
        if not node:
            return None
        if isinstance(node, Map):
            key = next(iter(node))
            path.append(key)
            node = node[key]
        else:
            path.append(len(node) - 1)
            node = node[-1]
    return tuple(path)


def _nobody(_path: Path, value: JSON) -> Origin:
    return Origin("", value)


class _Parser:
    """The rest of the text. Each step returns whether the text ended in it, which ends all steps above it too.

    name: the key that a step belongs to, in backquotes; "" for one in the value.
    """

    __slots__ = ("_as_text", "_at", "_border", "_budget", "_layer", "_lists", "_secret", "_text")

    def __init__(self, text: str, border: int, layer: Layer, *, as_text: bool, secret: bool, budget: Budget) -> None:
        self._budget = budget
        self._text, self._at, self._border, self._lists = text, 0, border, 0
        self._layer, self._as_text, self._secret = layer, as_text, secret

    def key(self, values: Map, level: int) -> bool:
        """Read a key and what follows it."""
        key, stop = self._until("=[,.")
        name = f"`{key}`" if self._at <= self._border else ""
        if stop == "" and not key:
            return True
        if stop in ("", ","):
            raise _error(name, f"has no value after {_the(name)}")
        if self._secret and not name:
            key = Hidden(key)
        if stop == "[":
            return self._list(values, key, level, name)
        if stop == ".":
            return self._map(values, key, level, name)
        found = self._found(name)
        if key:
            values.put(key, self._assigned("") if found is None else found)
        return found is None

    def _map(self, values: Map, key: str, level: int, name: str) -> bool:
        if level >= DEEPEST:
            raise _error(name, f"has more than {DEEPEST} dots, which Helm refuses")
        inner = values.get(key, Map(self._layer))
        if not isinstance(inner, Map):
            raise _error(name, f"goes through {_the(name)}, which is {_is(inner)} and not a map")
        ended = self.key(inner, level + 1)
        if not ended and not inner:
            raise _error(name, f"has no key after {_the(name)}")
        if key and inner:
            values.put(key, inner)
        return ended

    def _list(self, values: Map, key: str, level: int, name: str) -> bool:
        index = self._index(name)
        if index is None:
            return True
        items = values.get(key, List(self._layer))
        if not isinstance(items, List):
            raise _error(name, f"has an index after {_the(name)}, which is {_is(items)} and not a list")
        items, ended = self._item(items, index, level, name)
        if key:
            values[key] = items
        return ended

    def _item(self, items: List, index: int, level: int, name: str) -> tuple[List, bool]:
        """Read what follows an index; return the list with it."""
        self._lists += 1
        if index < 0 or self._lists > _LISTS:
            raise _error(name, f"has an index below 0, or more than {_LISTS} nested indices")
        found = self._at_index(items, index, level, name)
        self._lists -= 1
        return found

    def _at_index(self, items: List, index: int, level: int, name: str) -> tuple[List, bool]:
        rest, stop = self._until("[.=")
        if rest:
            raise _error(name, "must have `[`, `.` or `=` after an index")
        if stop == "":
            return items, True
        if stop == "=":
            found = self._found(name)
            return self._with(items, index, self._assigned("") if found is None else found, name), False
        inner, ended = self._nested(items, index, level, name) if stop == "[" else self._inner(items, index, level)
        return (items, True) if ended or inner is None else (self._with(items, index, inner, name), False)

    def _nested(self, items: List, index: int, level: int, name: str) -> tuple[Node | None, bool]:
        """Return the list at an index with what follows the next index."""
        further = self._index(name)
        if further is None:
            return None, True
        found = items[index] if index < len(items) else None
        if found is None or (isinstance(found, Assigned) and found.value is None):
            found = List(self._layer)
        if not isinstance(found, List):
            raise _error(name, f"has an index after an item that is {_is(found)} and not a list")
        if index < len(items) and items[index] is found:
            items.apart = True
        return self._item(found, further, level, name)

    def _inner(self, items: List, index: int, level: int) -> tuple[Map, bool]:
        """Return the map at an index with what follows the dot."""
        found = items[index] if index < len(items) else None
        if not isinstance(found, Map):
            found = Map(self._layer)
        if index < len(items):
            items.put(index, found)
        return found, self.key(found, level)

    def _with(self, items: List, index: int, node: Node, name: str) -> List:
        """Return the list or, if it is too short, a longer one of the same items."""
        if index > HIGHEST:
            raise _error(name, f"has the index {index}, which is above {HIGHEST}")
        if len(items) <= index:
            self._budget.take(index - len(items))
            items = items.longer(index + 1, self._layer)
        items.put(index, node)
        return items

    def _index(self, name: str) -> int | None:
        """Read the number up to `]`; None if the text ends before it."""
        text, stop = self._until("]")
        if stop == "":
            return None
        found = integer(text)
        if found is None:
            raise _error(name, "must have a number between `[` and `]`")
        return found

    def _found(self, name: str) -> Node | None:
        """Read the value up to a comma, or a list in braces; None at the end of the text."""
        if self._at == len(self._text):
            return None
        if self._text[self._at] != "{":
            return self._typed(self._until(",")[0])
        self._at += 1
        found = List(self._layer)
        while True:
            text, stop = self._until(",}")
            if stop == "":
                text = "has a value that begins with `{` and must end with `}`: set `literal: true` if it is not a list"
                raise _error(name, text)
            found.append(self._typed(text))
            if stop == "}":
                self._at += self._text[self._at : self._at + 1] == ","
                return found

    def _typed(self, text: str) -> Assigned:
        return self._assigned(text if self._as_text else typed(text))

    def _assigned(self, value: JSON) -> Assigned:
        return Assigned(value, self._layer, ())

    def _until(self, stops: str) -> tuple[str, str]:
        """Read up to one of these characters; return the text and that character, "" at the end. A backslash escapes the next character."""
        found: list[str] = []
        text, run = self._text, _RUNS[stops]
        while piece := run.match(text, self._at):
            self._at = piece.end()
            if piece[1]:
                found.append(piece[1])
            elif piece[2] != "\\":
                return "".join(found), piece[2]
            elif self._at < len(text):
                found.append(text[self._at])
                self._at += 1
        return "".join(found), ""


def _error(name: str, text: str) -> StrvalsError:
    if name:
        return StrvalsError(text)
    return StrvalsError(f"has a comma in its value, and what follows it {text}: write `\\,`, or set `literal: true`")


def _the(name: str) -> str:
    return name or "a key"


def _is(node: Node) -> str:
    found = kind(node)
    return found if found == "null" else f"a {found}"


def unquoted(text: str) -> tuple[str, bool]:
    """Return a value without its quotes, and whether it had any, which makes it a string."""
    if text[:1] == text[-1:] and text[:1] in ("'", '"'):
        return text.strip("'\""), True
    return text, False


def typed(text: str) -> JSON:
    """Return the value that Helm makes of a string."""
    word = text.casefold() if len(text) in (4, 5) else text
    if word in _WORDS and len(word) == len(text):
        return _WORDS[word]
    if text == "0":
        return 0
    found = integer(text) if text[:1] != "0" else None
    return text if found is None else found


def integer(text: str) -> int | None:
    """Return a 64-bit integer, or None if the string is not one."""
    match = _INTEGER.fullmatch(text)
    if not match or len(match[2]) > _DIGITS:
        return None
    found = int(match[1] + (match[2] or "0"))
    return found if -_MOST <= found < _MOST else None


def changes(text: str) -> list[str]:
    """Return what the syntax does to a value that is meant literally: it becomes a list, is split, loses its backslashes."""
    value, _ = unquoted(text)
    is_list = value.startswith("{")
    rest = _ESCAPED.sub("", _LIST.sub("", value, count=1) if is_list else value)
    found = ["begins with a brace, which makes it a list"] if is_list else []
    if "," in rest or (is_list and rest):
        found.append("has a comma, which begins another `key=value`")
    if "\\" in value:
        found.append("has a backslash, which is dropped")
    return found


def misread(text: str) -> str:
    """Return what a value that YAML reads as a number, a boolean or null becomes instead, as a predicate; "" for one that stays, and for other values."""
    value, is_quoted = unquoted(text.strip(_SPACE))
    if is_quoted:
        return ""
    around = "keeps as a string because of the space or line break around it: write it without"
    word = typed(value)
    if word is None or isinstance(word, bool):
        return f"is a boolean or null that `targetPath` {around}" if value != text else ""
    number = go_numbers.resolve(value)
    if not isinstance(number, (int, float)) or isinstance(number, bool) or not math.isfinite(number):
        return ""
    if not _PLAIN_NUMBER.fullmatch(value):
        return "is a number that `targetPath` keeps as a string or rewrites: write it as a decimal number, or in quotes"
    return f"is a number that `targetPath` {around}" if value != text else ""
