"""Parameters with several entries: one kind of separator, each entry `application:version` or `CLUSTER/ENV`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SEPARATORS = {"line breaks": "\n", "commas": ",", "semicolons": ";", "spaces": " "}


class MixedError(ValueError):
    """More than one kind of separator; the message lists them."""


def split(text: str) -> list[str]:
    """Return the entries of a parameter without empty ones. A line break may be typed as backslash and n. MixedError for mixed separators.

    Source: `split_multi_value_param` of EnvGene's `collections_helper.py`.
    """
    whole = text.replace("\\n", "\n").replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").strip()
    kinds = [kind for kind, separator in _SEPARATORS.items() if separator in whole]
    if len(kinds) > 1:
        raise MixedError(" and ".join(kinds))
    parts = whole.split(_SEPARATORS[kinds[0]]) if kinds else [whole]
    return [part for part in map(str.strip, parts) if part]


def is_version(entry: str) -> bool:
    """Return whether an entry is `application:version`, divided at the first colon."""
    application, _, version = entry.partition(":")
    return bool(application and version)


def is_environment(name: str) -> bool:
    """Return whether a name is exactly CLUSTER/ENV: two path segments that stay inside their folder and begin with no dot."""
    segments = name.split("/")
    return len(segments) == 2 and all(map(_is_segment, segments))


def _is_segment(text: str) -> bool:
    return bool(text.strip()) and not text.startswith(".") and ".." not in text and text.isprintable()


def distinct(found: Sequence[str]) -> tuple[str, ...]:
    """Return the entries without repetitions, in order."""
    return tuple(dict.fromkeys(found))
