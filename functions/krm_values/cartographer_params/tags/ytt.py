"""What a body written for ytt names. It is read as text and not run, so what cannot be told counts as any name."""

from __future__ import annotations

import re

_ALIAS = re.compile(r"^#@\s*(\w+)\s*=\s*data\.values\.params\s*$", re.MULTILINE)
_NAMED = r"\s*(?:\.\s*(\w+)|\[\s*[\"']([^\"']+)[\"']\s*\]|,\s*[\"']([^\"']+)[\"'])"
_WORD = re.compile(rf"(?<![\w\"'])(?<!\.spec\.)(\w+)\b(?=(?:{_NAMED})?)")
_ALL = re.compile(r"\bvalues\b(?!\s*\.|\s*,\s*[\"'])|\[\s*[\"']params[\"']")
_OWNER = re.compile(r"\bspec\.params\b|\b(?:workload|deliverable)(?:\.spec)?\s*[,)]")


def params(text: str) -> frozenset[str]:
    """The params that its code names; "" where it may take any of them."""
    code = _code(text)
    words = {"params", *_ALIAS.findall(code)}
    found = ("".join(named) for word, *named in _WORD.findall(_ALIAS.sub("", code)) if word in words)
    return frozenset([*found, *([""] if _ALL.search(code) else [])])


def takes_owner_params(text: str) -> bool:
    """Whether its code may read the params of the owner as the owner lists them."""
    return bool(_OWNER.search(_code(text)))


def _code(text: str) -> str:
    """What ytt runs: the lines behind `#@`, and what stands inside `(@` and `@)`."""
    inside = (piece.partition("@)") for piece in text.split("(@")[1:])
    return "\n".join([*re.findall(r"#@[^\n]*", text), *(code for code, closed, _ in inside if closed)])
