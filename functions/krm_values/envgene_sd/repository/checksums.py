"""Checksums of artifacts: those that a server announces, and those in files beside the artifact."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from krm_values._data.shown import described

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = ("sha256", "sha1")  # the better one first
HEADERS = ("X-Checksum-Sha256", "X-Checksum-Sha1", "ETag")
_DIGITS = {"sha256": 64, "sha1": 40}
_HEX = re.compile(r"[0-9A-Fa-f]+")
_TAGGED = re.compile(r"\{SHA1\{([0-9A-Fa-f]{40})\}\}")  # how Nexus writes an ETag
_SHOWN = 20


class ChecksumError(Exception):
    """A wrong or invalid checksum."""


def announced(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the checksums in a reply's headers, by name, in lower case. ChecksumError for an invalid one."""
    given = {name: headers.get(f"X-Checksum-{name.capitalize()}", "").strip() for name in NAMES}
    tagged = _TAGGED.search(headers.get("ETag", ""))
    if tagged and not given["sha1"]:
        given["sha1"] = tagged[1]
    return {name: _checked(name, text) for name, text in given.items() if text}


def of_file(name: str, body: bytes) -> str:
    """Return the checksum in a file beside an artifact: its first word; a file name may follow. ChecksumError for an invalid one."""
    words = body[: _DIGITS[name] * 4].decode("ascii", "replace").split(maxsplit=1)
    return _checked(name, words[0] if words else "")


def check(name: str, wanted: str, body: bytes) -> None:
    """Raise ChecksumError with both checksums unless the body has this one."""
    found = hashlib.new(name, body, usedforsecurity=False).hexdigest()
    if found != wanted:
        raise ChecksumError(f"has the {name} {found}, expected {wanted}")


def _checked(name: str, text: str) -> str:
    if len(text) != _DIGITS[name] or not _HEX.fullmatch(text):
        shown = text[:_SHOWN] + ("..." if len(text) > _SHOWN else "")
        raise ChecksumError(f"must be a {name} of {_DIGITS[name]} hexadecimal digits, found {described(shown)}")
    return text.lower()
