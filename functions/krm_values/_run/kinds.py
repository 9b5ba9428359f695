"""The entries on kinds of findings: what a finding of the kind means, an example, how to fix it.

They stand in `findings.md` beside each function, and beside this module for the findings of all functions. `krm-values docs KIND` prints them, and
they are the help of SARIF's rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._run import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.values import JSON

FILE = "findings.md"
_HEADING = re.compile(r"^## (\S+)\n", re.MULTILINE)
_SENTENCE = re.compile(r"(?s).*?\.(?=\s|$)")


@record
class Entry:
    """What is written on a kind of finding, as Markdown. owner: the function that reports it, "" for all."""

    kind: str
    owner: str
    text: str

    @property
    def title(self) -> str:
        """The kind and whose it is."""
        return f"{self.kind}, a finding of {self.owner or 'all functions'}"


def entries(kind: str) -> list[Entry]:
    """Return the entries on a kind: several if functions mean different things by it, that of all functions first."""
    return [entry for entry in every() if entry.kind == kind]


def every() -> Iterator[Entry]:
    """Yield all entries, those of all functions first."""
    for owner, page in registry.texts(FILE).items():
        _, *parts = _HEADING.split(page)
        for kind, text in zip(parts[::2], parts[1::2], strict=True):
            yield Entry(kind, owner, text.strip() + "\n")


def as_markdown(found: list[Entry]) -> str:
    """Return entries as one page."""
    return "\n".join(f"# {entry.title}\n\n{entry.text}" for entry in found)


def sarif_rules(kinds: list[str]) -> list[dict[str, JSON]]:
    """Return the rules of SARIF, with help for each kind that has an entry."""
    known: dict[str, list[Entry]] = {}
    for entry in every():
        known.setdefault(entry.kind, []).append(entry)
    return [{"id": kind, **_help(known.get(kind, []))} for kind in kinds]


def _help(found: list[Entry]) -> dict[str, JSON]:
    if not found:
        return {}
    text = as_markdown(found)
    first = _SENTENCE.match(found[0].text)
    short = " ".join((first[0] if first else found[0].text).split())
    return {"shortDescription": {"text": short}, "help": {"text": text, "markdown": text}}
