"""Values of `targetPath` entries that Helm's `--set` syntax does not take literally."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from krm_values._data.scalars import go
from krm_values._kit.layers.references import label
from krm_values._kit.planner.plan import Finding
from krm_values.flux_values.release import VERSIONS
from krm_values.flux_values.strvals import unquoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values.flux_values.layer_reader import LoadedEntry
    from krm_values.flux_values.release import Release

_LITERAL_VERSION = VERSIONS[0]
_LIST = re.compile(r"(?s)\{(?:[^}\\]|\\.)*\}?,?")
_ESCAPED = re.compile(r"(?s)\\.")
_SPACE = " \t\r\n"
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?")


def findings_of(release: Release, loaded: Iterable[LoadedEntry]) -> Iterator[Finding]:
    """Report a value that is split, becomes a list or loses its backslashes, and a number that becomes a string or changes."""
    for entry in loaded:
        reference = entry.reference
        if not reference.target or reference.literal or not entry.text:
            continue
        at, whose = (*reference.path, "targetPath"), f"the value of {label(reference)} (key `{reference.key}`)"
        if causes := list(_causes(entry.text)):
            text = f"{whose} {' and '.join(causes)}: {_advice(release)}"
            yield Finding("warning", "set-syntax", "S26", text, release.item, at)
        elif text := _number_fault(entry.text):
            yield Finding("warning", "set-number", "S27", f"{whose} is a number {text}", release.item, at)


def _causes(text: str) -> Iterator[str]:
    value, _ = unquoted(text)
    is_list = value.startswith("{")
    rest = _ESCAPED.sub("", _LIST.sub("", value, count=1) if is_list else value)
    if is_list:
        yield "begins with a brace, which makes it a list"
    if "," in rest or (is_list and rest):
        yield "has a comma, which begins another `key=value`"
    if "\\" in value:
        yield "has a backslash, which is dropped"


def _number_fault(text: str) -> str:
    """Return why `targetPath` does not keep a value that YAML reads as a number; an empty string if it does, or for other values."""
    value, is_quoted = unquoted(text.strip(_SPACE))
    if is_quoted or not _is_number(value):
        return ""
    if not _PLAIN_NUMBER.fullmatch(value):
        return "that `targetPath` keeps as a string or rewrites: write it as a decimal number, or in quotes"
    if value != text:
        return "that `targetPath` keeps as a string because of the space or line break around it: write it without"
    return ""


def _is_number(text: str) -> bool:
    found = go.resolve(text)
    return isinstance(found, int | float) and not isinstance(found, bool) and math.isfinite(found)


def _advice(release: Release) -> str:
    if release.item.version == _LITERAL_VERSION:
        return "set `literal: true` if that is not intended"
    return f"change the release to {_LITERAL_VERSION} and set `literal: true` if that is not intended"
