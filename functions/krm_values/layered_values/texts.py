"""The documents of a YAML or JSON text, as Go reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import record
from krm_values._golang.yaml import read as goyaml
from krm_values._kit.layers.embedded import Embedded
from krm_values._kit.planner.item import is_secret
from krm_values._kit.planner.plan import Finding, Inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.yaml.read import GoText
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report

_DOCUMENT = "document"
_RULES = {**dict.fromkeys((_DOCUMENT, "boolean", "digits", "date"), "30"), "duplicate": "32"}
ENCRYPTED = "ENC["


@record
class Document:
    """One document of a text. number: from 1, not counting empty ones."""

    number: int
    text: GoText

    @property
    def data(self) -> JSON:
        return self.text.data


def documents(item: Item, path: Path, text: str, limits: Limits, report: Report) -> list[Document]:
    """Return the documents of a text that are not empty; none, with a finding, if it cannot be read.

    Lines are those of the whole text. Lints of the text are reported.
    """
    found: list[Document] = []
    try:
        for document in _read(text, limits, is_secret=is_secret(item)):
            report.extend(_findings(item, path, text, document))
            if document.data is not None:
                found.append(Document(len(found) + 1, document))
    except InputError as error:
        inside = Inside(text, error.line, error.column) if error.line else None
        report.error("text", "33", error.message, item, path, inside=inside)
        return []
    return found


def nested(text: str, limits: Limits) -> GoText | None:
    """Return the one document, a map or list, of a text within a text; None for any other text."""
    try:
        found = goyaml.read(text, limits=limits)
    except InputError:
        return None
    is_other = any(fact.kind in (_DOCUMENT, "sops") for fact in found.lints)
    return found if isinstance(found.data, dict | list) and not is_other else None


def is_encrypted(text: str, found: list[Document]) -> bool:
    """Return whether SOPS has encrypted a text."""
    return text.startswith(ENCRYPTED) or any(
        isinstance(one.data, dict) and isinstance(one.data.get("sops"), dict) for one in found
    )


def _read(text: str, limits: Limits, *, is_secret: bool) -> Iterator[GoText]:
    """Yield each document, parsed behind as many empty lines as precede it."""
    while True:
        read = goyaml.read(text, secret=is_secret, limits=limits)
        further = [fact.line for fact in read.lints if fact.kind == _DOCUMENT]
        yield read
        if not further:
            return
        text = _from(text, further[0])


def _from(text: str, line: int) -> str:
    """Return the text from the document on whose content begins on a line, with the lines before it made empty."""
    lines = text.split("\n")
    begin = line - 1
    while begin > 0 and not lines[begin].startswith("---") and not lines[begin - 1].startswith("..."):
        begin -= 1
    return "\n" * begin + "\n".join(lines[begin:])


def _findings(item: Item, path: Path, raw: str, document: GoText) -> Iterator[Finding]:
    """Yield the kit's findings on a text, except those on further documents, which are read here."""
    for finding in Embedded(item, path, document, raw=raw).findings(_RULES):
        if finding.kind != f"text-{_DOCUMENT}":
            yield finding
