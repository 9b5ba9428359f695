"""The header of an SD: the fields that must be equal when two SDs become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.scalars.text import text_of
from krm_values._data.shown import described
from krm_values.envgene_sd import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.values import JSON

HEADER = ("version", "type", "deployMode")


def differing(one: dict[str, JSON], other: dict[str, JSON]) -> Iterator[tuple[str, str]]:
    """Yield the header fields that differ, compared as strings, with both values; a field on one side only differs."""
    for key in HEADER:
        if (key in one) != (key in other) or _text(one.get(key)) != _text(other.get(key)):
            yield key, f"found {_shown(one, key)} and {_shown(other, key)}"


def _shown(data: dict[str, JSON], key: str) -> str:
    return described(data[key]) if key in data else "nothing"


def _text(value: JSON) -> str:
    return canonical.text(value) if isinstance(value, dict | list) else text_of(value)
