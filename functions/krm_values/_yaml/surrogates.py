r"""JSON writes a character beyond U+FFFF as two escapes (`\ud83d\ude00`), which YAML parsers refuse.

The two are joined to YAML's `\U0001f600`, and spaces behind the closing quote fill the string up, so that every other token keeps its
place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

STRING = r'"(?>(?:[^"\\]|\\.)*)"'
_ESCAPE = r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)"


def join(text: str) -> str | None:
    """Return the text with joined escapes; None if it is not JSON or has no pair to join."""
    import json  # noqa: PLC0415 - only for such texts
    import re  # noqa: PLC0415

    if text.lstrip()[:1] not in ("{", "[", '"') or not re.search(r"\\u[dD][89abAB]", text):
        return None
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    joined = re.sub(STRING, lambda found: re.sub(_ESCAPE, _joined, found[0]).ljust(len(found[0])), text)
    return joined if joined != text else None


def _joined(found: re.Match[str]) -> str:
    high, low = found.groups()
    if high is None:
        return found[0]
    return f"\\U{0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF):08x}"
