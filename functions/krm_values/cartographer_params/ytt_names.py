"""The params to which a ytt body refers. It is searched as text and not run: an undetermined name counts as any name."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"#@[^\n]*")
_ALIAS = re.compile(r"(?m)^#@\s*(\w+)\s*=\s*data\.values\.params\s*$")
_NAMED = r"\s*(?:\.\s*(\w+)|\[\s*[\"']([^\"']+)[\"']\s*\]|,\s*[\"']([^\"']+)[\"'])"
_WORD = re.compile(rf"(?<![\w\"'])(?<!\.spec\.)(\w+)\b(?=(?:{_NAMED})?)")
_ALL = re.compile(r"\bvalues\b(?!\s*\.|\s*,\s*[\"'])|\[\s*[\"']params[\"']")
_OWNER = re.compile(r"\bspec\.params\b|\b(?:workload|deliverable)(?:\.spec)?\s*[,)]")


def params(text: str) -> frozenset[str]:
    """Return the params to which its code refers; "" if it may refer to any."""
    code = _code(text)
    words = {"params", *_ALIAS.findall(code)}
    found = ("".join(named) for word, *named in _WORD.findall(_ALIAS.sub("", code)) if word in words)
    return frozenset([*found, *([""] if _ALL.search(code) else [])])


def takes_owner_params(text: str) -> bool:
    """Return whether its code may read `spec.params` of the owner."""
    return bool(_OWNER.search(_code(text)))


def _code(text: str) -> str:
    """Return the code that ytt runs: the rest of lines after `#@`, and the text between `(@` and `@)`."""
    inside = (piece.partition("@)") for piece in text.split("(@")[1:])
    return "\n".join([*_COMMENT.findall(text), *(code for code, closed, _ in inside if closed)])
