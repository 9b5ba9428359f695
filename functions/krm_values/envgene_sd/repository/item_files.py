"""The place in a file of what a finding is about: an item's `spec` is a whole file of the repository, SD_DATA the whole text of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import UserError
from krm_values._data.record import replace
from krm_values._kit.kio import documents
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Origin
from krm_values.envgene_sd.repository import files as repository
from krm_values.envgene_sd.repository.faults import DESCRIPTOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path as Directory

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Finding


def in_files(root: Directory, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings; those about an item get their place in the file that the item was read from."""
    known: dict[str, Item | None] = {}
    for finding in findings:
        path = finding.item.position.path if isinstance(finding.item, Item) else ""
        if path and path not in known:
            known[path] = _file(root, path)
        file = known.get(path)
        yield replace(finding, at=Origin("file", None, file, _path(finding))) if file else finding


def in_data(text: str, file: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings; those about SD_DATA get their place in the file that its text came from, "" for stdin."""
    found = [*findings]
    is_about = [one.item is None and bool(one.config) and one.config[0] == "SD_DATA" for one in found]  # type: ignore[index]
    items = documents.read(text.encode(), file).items if any(is_about) else []
    for finding, about in zip(found, is_about, strict=True):
        at = Origin("SD_DATA", None, items[0], (finding.config or ())[1:]) if about and items else None
        yield replace(finding, at=at) if at else finding


def _path(finding: Finding) -> Path:
    return finding.path[1:] if finding.path[:1] == ("spec",) else ()


def _file(root: Directory, path: str) -> Item | None:
    """Return a file as an item; None if it cannot be read, as for an item that was fetched."""
    try:
        content = repository.read(root, path, DESCRIPTOR)
    except UserError:
        return None
    return next(iter(documents.read(content.raw, content.path).items), None)
