"""The value of a plain scalar: numbers as both of Go's YAML readers have them, words as YAML 1.2 has them.

Source: go.yaml.in/yaml v2.4.2 and v3.0.4, `resolve.go`, which agree on numbers.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from krm_values._data.go_numbers import key_text, read_number, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Self, TypeAlias, TypeVar

    from krm_values._data.values import JSON

    Tags: TypeAlias = Mapping[Any, tuple[JSON, str]]
    Holder = TypeVar("Holder", dict[str, JSON], list[JSON])


_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_SPECIAL = {
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_CASED = {"True": True, "TRUE": True, "False": False, "FALSE": False}
_DISPUTED = frozenset(word for base in ("y", "n", "yes", "no", "on", "off") for word in (base, base.capitalize(), base.upper()))
_FIRST = frozenset("0123456789+-.")
_NUMERIC = frozenset("0123456789abcdefABCDEFxXoO+-._,:tTzZ iInN")  # the characters of numbers, dates and times
_BASED = ("0x", "0o", "0b")
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_FLOAT = re.compile(r"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]+)(?:[eE][-+]?[0-9]*)?")
_SHORT = 18  # decimal digits that always fit into 64 bits
EXACT = 1 << 53
"""Up to this every whole number is exact as a 64-bit float."""
_SAFE = re.compile(r"[-+./=0-9A-Za-z_~]+")
_MARKS = str.maketrans("123456789", "0" * 9)
_STANDARD = "tag:yaml.org,2002:"


class Float(float):
    """A float that remembers its source: `text` without tag and quotes, `source` as a copy is written."""

    __slots__ = ("source", "text")

    text: str
    source: str

    def __new__(cls, text: str, value: float | None = None, source: str = "") -> Self:
        made = super().__new__(cls, float(text) if value is None else value)
        made.text, made.source = text, source or text
        return made

    def __reduce__(self) -> tuple[type[Float], tuple[str, float, str]]:
        return Float, (self.text, float(self), self.source)


class Int(int):
    """A whole number that Python would write differently (`0777`, `1_000`, `5.0`) and that remembers its source, as Float does."""

    text: str
    source: str

    def __new__(cls, value: int, text: str, source: str = "") -> Self:
        made = super().__new__(cls, value)
        made.text, made.source = text, source or text
        return made

    def __reduce__(self) -> tuple[type[Int], tuple[int, str, str]]:
        return Int, (int(self), self.text, self.source)


class Text(str):
    """A string with a tag (`!!str 0775`, `!!binary aGk=`), or a plain one that some readers do not take for a string (`1:30`, `yes`).

    It remembers its source, as Float does, so that readers give a copy the same meaning as the original.
    """

    __slots__ = ("source", "text")

    text: str
    source: str

    def __new__(cls, value: str, text: str, source: str) -> Self:
        made = super().__new__(cls, value)
        made.text, made.source = text, source
        return made

    def __reduce__(self) -> tuple[type[Text], tuple[str, str, str]]:
        return Text, (str(self), self.text, self.source)


def is_bare(value: Text) -> bool:
    """Return whether the source of a string has neither tag nor quotes."""
    return value.source == value


def text_of(value: JSON) -> str:
    """Return a scalar as it was written: `2.10`, `0777`, `true`; "" for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return str(value)
    return str(getattr(value, "text", value))


def source_of(value: JSON) -> str:
    """Return what a copy of a scalar is written as, tag included; "" if the scalar does not remember it."""
    return str(getattr(value, "source", ""))


def read_plain(text: str) -> JSON:
    """Return the value of an unquoted scalar: null, boolean, number or string. A float without fraction is a whole number."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _FIRST:
        return _TEXTS.get(text, text)
    if _DIGITS.issuperset(text) and len(text) <= _SHORT and text[0] != "0":
        return int(text)
    if text in _SPECIAL:
        return Float(text, _SPECIAL[text])
    value = read_number(text)
    if value is not None:
        return written(value, text)
    return Text(text, text, text) if _NUMERIC.issuperset(text) and is_ambiguous(text) else text


def plain_key(text: str) -> str:
    """Return the text that Go's readers make of an unquoted map key: of a number the shortest that means it; words stay as they are."""
    if text[:1] not in _FIRST and text not in _CASED:
        return text
    value = _CASED.get(text, read_number(text) if text[:1] in _FIRST else None)
    name = None if value is None else json_key(value)
    return text if name is None else name


def json_key(value: JSON) -> str | None:
    """Return the JSON key that a scalar becomes as a map key; None where Go has none for it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return key_text(value) if value is None or isinstance(value, (str, bool, int, float)) else None


def read_tagged(text: str, tag: str, *, plain: bool) -> JSON:
    """Return the value of a scalar with a tag. UnfitTagError where Go refuses the tag."""
    value = resolve(text, tag, plain=plain)
    if value is None or isinstance(value, bool):
        return value
    source = tagged_source(text, tag, plain=plain)
    return Text(value, text, source) if isinstance(value, str) else written(value, text, source)


def tagged_source(text: str, tag: str, *, plain: bool) -> str:
    """Return a scalar with its tag, as a copy is written."""
    return f"{_shown(tag)} {text if plain and _SAFE.fullmatch(text) else quoted(text)}"


def written(value: float, text: str, source: str = "") -> JSON:
    """Return a number with its source text; a plain number if Python writes it the same way."""
    if type(value) is float:
        if not value.is_integer() or abs(value) > EXACT or (not value and math.copysign(1, value) < 0):
            return Float(text, value, source)
        value = int(value)
    return value if not source and str(value) == text else Int(int(value), text, source)


def is_float(value: Int) -> bool:
    """Return whether a whole number is written as a float: `5.0`, `1e3`, `08`."""
    return isinstance(read_number(value.text), float)


def is_disputed(text: str) -> bool:
    """Return whether YAML readers disagree about a plain scalar: a boolean in YAML 1.1, a string in YAML 1.2."""
    return text in _DISPUTED


def is_ambiguous(text: str) -> bool:
    """Return whether some YAML 1.1 or 1.2 reader may not take this plain scalar for a string."""
    if text in _WORDS or text in _DISPUTED or text in ("=", "<<"):
        return True
    if text[0] not in _FIRST:
        return False
    body = text.lstrip("+-").replace("_", "").replace(",", "")
    if body[:2].lower() in _BASED and _HEX.issuperset(body[2:].lstrip("+-")):
        return True
    if text in _SPECIAL or "." + body.lstrip(".") in _SPECIAL or _FLOAT.fullmatch(body):
        return True
    return read_number(text) is not None or _is_sexagesimal(body) or _is_date(text)


_TEXTS: dict[str, str] = {text: Text(text, text, text) for text in (*_DISPUTED, "=", "<<")}


def _is_sexagesimal(body: str) -> bool:
    *parts, last = body.split(":")
    return bool(parts) and all(part.isdigit() for part in parts) and last.replace(".", "", 1).isdigit()


def _is_date(text: str) -> bool:
    day = text.translate(_MARKS).replace("T", " ").replace("t", " ").split()[0].split("-")
    return len(day) == 3 and day[0] == "0000" and day[1] in ("0", "00") and day[2] in ("0", "00")


def _shown(tag: str) -> str:
    """Return a tag as it is written in a text without directives."""
    if tag.startswith(_STANDARD):
        return "!!" + tag.removeprefix(_STANDARD)
    return tag if tag.startswith("!") else f"!<{tag}>"


# Booleans and nulls with a tag: `!!bool "yes"` is true, and the map or list around it remembers how it is written.


class TaggedMap(dict["str", "JSON"]):
    """A map that remembers the source text of members by key, as long as their value stays; it equals a plain map."""

    __slots__ = ("tags",)

    tags: Tags


class TaggedList(list["JSON"]):
    """A list that remembers the source text of elements by index, as long as it has `size` elements."""

    __slots__ = ("size", "tags")

    size: int
    tags: Tags


def tagged(value: Holder, tags: Tags) -> Holder:
    """Return a map or list with the source text of these members; the value itself if there are no tags."""
    if not tags:
        return value
    if isinstance(value, dict):
        members = TaggedMap(value)
        members.tags = tags
        return members
    elements = TaggedList(value)
    elements.tags, elements.size = tags, len(value)
    return elements


def like(original: object, made: Holder) -> Holder:
    """Return `made`, a copy or selection of a map or list, with the source text of those members that are still the same."""
    if type(original) is not TaggedMap and type(original) is not TaggedList:
        return made
    return tagged(made, dict(_known(original)))


def with_member(made: dict[str, JSON], key: str, value: JSON, holder: object, at: str | int) -> dict[str, JSON]:
    """Add a member of another map or list to a map, together with its source text."""
    made[key] = value
    text = source(holder, at)
    return tagged(made, {key: (value, text)}) if text else made


def source(holder: object, key: str | int) -> str:
    """Return the source text of a boolean or null in a map or list; "" if it is not known."""
    return dict(_known(holder)).get(key, (None, ""))[1] if type(holder) is TaggedMap or type(holder) is TaggedList else ""


def _known(holder: Any) -> Iterator[tuple[str | int, tuple[JSON, str]]]:
    is_as_it_was = isinstance(holder, TaggedMap) or len(holder) == holder.size
    for key, (value, text) in holder.tags.items() if is_as_it_was else ():
        if (isinstance(holder, list) or key in holder) and holder[key] is value:
            yield key, (value, text)


# Double-quoted strings that YAML and JSON both read, and which characters need an escape in them.

_INVISIBLE = frozenset("\u2028\u2029\ufeff\ufffe\uffff")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\b": "\\b"}


def quoted(text: str) -> str:
    """Return the double-quoted form; characters that YAML forbids or that are invisible are escaped."""
    return '"' + "".join(_ESCAPES.get(c) or (c if shows(c) else _escape(c)) for c in text) + '"'


def shows(c: str) -> bool:
    """Return whether YAML allows a character unescaped and it is visible."""
    return " " <= c <= "~" or (c >= "\xa0" and c not in _INVISIBLE and not _is_surrogate(c))


def _is_surrogate(c: str) -> bool:
    return "\ud800" <= c <= "\udfff"


def _escape(c: str) -> str:
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_printable(text: str) -> bool:
    """Return whether a string can be written on one line without escapes (a tab cannot: it is invisible)."""
    return text.isprintable() or all(map(shows, text))
