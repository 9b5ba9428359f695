"""What a plain scalar means: YAML 1.2 core, the reading kpt has of KRM text, and who else would read it differently."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from krm_values._kit.data import JSON

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_SPECIAL = {
    **dict.fromkeys(("nan", "NaN", "NAN"), float("nan")),
    **dict.fromkeys(("inf", "Inf", "INF"), float("inf")),
}
_OLD_WORDS = frozenset(
    word for base in ("y", "n", "yes", "no", "on", "off") for word in (base, base.capitalize(), base.upper())
)
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_LONGEST_BASED = 3_000  # of more digits Python makes no decimal ones
_MARKS = str.maketrans("123456789", "0" * 9)


class Float(float):
    """A float that remembers how it was written, so that `2.10` is never rewritten as `2.1`."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> Self:
        value = super().__new__(cls, _float(text))
        value.text = text
        return value

    def __reduce__(self) -> tuple[type[Float], tuple[str]]:
        return Float, (self.text,)


class Int(int):
    """A whole number that is not written as Python would write it (`0777`, `+5`, `0x1F`) and remembers how it is."""

    text: str

    def __new__(cls, value: int, text: str) -> Self:
        made = super().__new__(cls, value)
        made.text = text
        return made

    def __reduce__(self) -> tuple[type[Int], tuple[int, str]]:
        return Int, (int(self), self.text)


def text_of(value: JSON) -> str:
    """A scalar as it was written: `2.10`, `0777`, `true`; null is ""."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(getattr(value, "text", value))


def read_plain(text: str) -> JSON:
    """The value of an unquoted scalar under the YAML 1.2 core schema: null, bool, int, float or the text itself."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if first not in "0123456789+-.":
        return text
    if text.startswith("0o") and text[2:] and all(c in "01234567" for c in text[2:]):
        return _based(text, 8)
    if text.startswith("0x") and text[2:] and all(c in "0123456789abcdefABCDEF" for c in text[2:]):
        return _based(text, 16)
    body = text[1:] if first in "+-" else text
    if body and _DIGITS.issuperset(body):
        return _whole(text)
    if _is_float(body, signed=first in "+-"):
        return Float(text)
    return text


def is_retyped_by_11(text: str) -> bool:
    """Whether a YAML 1.1 reader (kubectl, sigs.k8s.io/yaml, PyYAML) gives this plain scalar another value than 1.2 does."""
    if text in _OLD_WORDS or text in ("=", "<<"):
        return True
    if not text or text[0] not in "0123456789+-.":
        return False
    signless = text[1:] if text[0] in "+-" else text
    body = signless.replace("_", "")
    if body[:2] in ("0o", "0b"):
        return bool(body[2:]) and set(body[2:]) <= set("01234567" if body[1] == "o" else "01")
    if len(body) > 1 and body[0] == "0" and _DIGITS.issuperset(body):
        return bool(body.lstrip("0")[1:]) or body[-1] in "89" or "_" in signless
    is_spaced = body != signless and body[:1] in tuple("0123456789.") and not isinstance(read_plain(body), str)
    return is_spaced or _is_base_60(body) or _is_date(text)


def is_ambiguous(text: str) -> bool:
    """Whether any YAML 1.1 or 1.2 reader might take this plain text for something else than a string."""
    if text in _WORDS or text in _OLD_WORDS or text in ("=", "<<"):
        return True
    if text[0] not in "0123456789+-.":
        return False
    body = text.lstrip("+-").replace("_", "").replace(",", "")
    if body[:2].lower() in ("0x", "0o", "0b") and _HEX.issuperset(body[2:]):
        return True
    return not isinstance(read_plain(body or "x"), str) or _is_sexagesimal(body) or _is_date(text)


def _is_sexagesimal(body: str) -> bool:
    *parts, last = body.split(":")
    return bool(parts) and all(part.isdigit() for part in parts) and last.replace(".", "", 1).isdigit()


def _is_base_60(body: str) -> bool:
    """What YAML 1.1 takes for degrees or hours, minutes and seconds: `12:30:45`."""
    first, *parts = body.split(":")
    whole, _, fraction = parts[-1].partition(".") if parts else ("", "", "")
    parts[-1:] = [whole]
    is_number = first.isdecimal() and (fraction or first[0] != "0" or "." in body) and (not fraction or fraction.isdecimal())
    return (
        len(body.split(":")) > 1
        and bool(is_number)
        and all(part.isdecimal() and len(part) < 3 and int(part) < 60 for part in parts)
    )


def _is_date(text: str) -> bool:
    day = text.translate(_MARKS).replace("T", " ").replace("t", " ").split()[0].split("-")
    return len(day) == 3 and day[0] == "0000" and day[1] in ("0", "00") and day[2] in ("0", "00")


def _based(text: str, base: int) -> JSON:
    return text if len(text) > _LONGEST_BASED else Int(int(text, base), text)


def _whole(text: str) -> JSON:
    try:
        value = int(text)
    except ValueError:  # more digits than Python converts: no number anybody can use
        return text
    return value if str(value) == text else Int(value, text)


def _is_float(body: str, *, signed: bool) -> bool:
    if body[:1] == "." and body[1:] in _SPECIAL:
        return not signed or body[1:].lower() == "inf"
    mantissa, mark, exponent = body.replace("E", "e").partition("e")
    whole, _, fraction = mantissa.partition(".")
    if not (whole or fraction) or not _DIGITS.issuperset(whole + fraction):
        return False
    if not mark:
        return True
    digits = exponent[1:] if exponent[:1] in ("+", "-") else exponent
    return bool(digits) and _DIGITS.issuperset(digits)


def _float(text: str) -> float:
    word = text.lstrip("+-.")
    if word in _SPECIAL:
        return -_SPECIAL[word] if text[0] == "-" else _SPECIAL[word]
    return float(text)
