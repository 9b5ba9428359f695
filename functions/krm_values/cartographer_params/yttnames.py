"""What a body written for ytt names. It is read as text and not run, so what cannot be told counts as any name."""

from __future__ import annotations

import re

_CODE = re.compile(r"#@[^\n]*|\(@.*?@\)", re.DOTALL)
_ALIAS = re.compile(r"^#@\s*(\w+)\s*=\s*data\.values\.params\s*$", re.MULTILINE)
_NAMED = r"\s*(?:\.\s*(\w+)|\[\s*[\"']([^\"']+)[\"']\s*\]|,\s*[\"']([^\"']+)[\"'])"
_ALL = re.compile(r"\bvalues\b(?!\s*\.|\s*,\s*[\"'])|\[\s*[\"']params[\"']")
_OWNER = re.compile(r"\bspec\.params\b|\b(?:workload|deliverable)(?:\.spec)?\s*[,)]")


def params(text: str) -> frozenset[str]:
    """The params that its code names; "" where it may take any of them."""
    code = "\n".join(_CODE.findall(text))
    words = "|".join(map(re.escape, ("params", *_ALIAS.findall(code))))
    uses = re.findall(rf"(?<![\w\"'])(?<!\.spec\.)(?:{words})\b(?:{_NAMED})?", _ALIAS.sub("", code))
    return frozenset(["".join(use) for use in uses] + ([""] if _ALL.search(code) else []))


def takes_owner_params(text: str) -> bool:
    """Whether its code may read the params of the owner as the owner lists them."""
    return bool(_OWNER.search("\n".join(_CODE.findall(text))))
