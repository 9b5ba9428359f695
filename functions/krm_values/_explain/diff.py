"""The diff of all files of a rendered package, with values of Secrets and values from Secrets hidden."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.shown import inert, lines
from krm_values._explain import masked_text
from krm_values._explain.masked_text import Texts
from krm_values._explain.shown import hidden_places
from krm_values._krm import documents, names
from krm_values._krm.item import Item
from krm_values._krm.taint import holds_secret
from krm_values._run import tree
from krm_values._run.generated import header_of
from krm_values._run.unified_diff import unified

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

    from krm_values._data.pointer import Path
    from krm_values._explain.masked_text import Hidden, Row
    from krm_values._krm.documents import Documents
    from krm_values._krm.plan import New
    from krm_values._run.pipeline import Rendered
    from krm_values._run.unified_diff import Pair

    _Identity = tuple[str, str, str, str]
    Taken = Mapping[tuple[str, int] | _Identity, set[Path]]  # by path and index, of a generated object by identity


_UNDO = "undo."


@record
class _Part:
    """One document of a file: its identity, text, first line (from 0), hidden values, and decoded texts."""

    identity: _Identity
    text: str
    line: int
    hidden: Hidden
    decoded: Mapping[Path, list[Row]]


@record
class _Masks:
    """Of two states of the files: where values from Secrets are, and the texts of Secrets that steps wrote."""

    taken: Taken
    old: Texts
    new: Texts
    shows: bool


def diff(done: Rendered, *, show_secrets: bool, folder: str = "") -> str:
    """Return one unified diff, files in the order of their paths. folder: prefix of the paths in its headers."""
    known = Texts(done, show_secrets=show_secrets)
    masks = _Masks({} if show_secrets else _taken(done), known, known, show_secrets)
    changes = tree.changes(done.loaded)
    return "".join(_of_file(one.path, done.loaded.contents.get(one.path), one.new, masks, folder) for one in changes)


def diff_of(before: Rendered, after: Rendered, *, show_secrets: bool) -> str:
    """Return the diff between the files of two states of a package."""
    taken: dict[tuple[str, int] | _Identity, set[Path]] = {}
    for state in () if show_secrets else (before, after):
        for place, found in _taken(state).items():
            taken.setdefault(place, set()).update(found)
    one, other = (Texts(state, show_secrets=show_secrets) for state in (before, after))
    old, new = tree.contents(before.loaded), tree.contents(after.loaded)
    paths = sorted(path for path in {*old, *new} if old.get(path) != new.get(path))
    masks = _Masks(taken, one, other, show_secrets)
    return "".join(_of_file(path, old.get(path), new.get(path), masks) for path in paths)


def _of_file(path: str, old: bytes | None, new: bytes | None, masks: _Masks, folder: str = "") -> str:
    before, after = (None if content is None else content.decode() for content in (old, new))
    sources = [documents.read(content or b"", path) for content in (old, new)]
    found: dict[_Identity, set[Path]] = {}  # what either state says of a resource counts for both
    items = [item for source in sources for item in source.items]
    for item in items:
        here = masks.taken.get((path, item.position.index), ()), masks.taken.get(_identity(item), ())
        found.setdefault(_identity(item), set()).update(item.withheld, *here)
    holders = {_identity(item) for item in items if holds_secret(item.data)}
    for item in (item for item in items if _identity(item) in holders):  # their undo records have earlier values
        found[_identity(item)] |= {
            ("metadata", "annotations", f"{names.GROUP}/{mark}") for mark in item.marks if mark.startswith(_UNDO)
        }
    one, other = (
        [_part(source, item, found[_identity(item)], known) for item in source.items]
        for source, known in zip(sources, (masks.old, masks.new), strict=True)
    )
    shown = posixpath.join(folder, path)
    return unified(shown, before, after, *(_shown(*sides, masks) for sides in ((one, other, "-"), (other, one, "+"))))


def _shown(parts: list[_Part], others: list[_Part], side: str, masks: _Masks) -> dict[int, str | list[Pair]]:
    """Return the lines of a file that are printed differently, given the other state of the file."""
    by_identity = {part.identity: part for part in others}
    shown: dict[int, str | list[Pair]] = {}
    for part in parts:
        other = by_identity.get(part.identity)
        if not masks.shows:
            shown |= masked_text.lines(part.text, part.hidden, part.line)
        decoded = other.decoded if other else {}
        spread = masked_text.decoded_lines(part.text, part.hidden, part.decoded, decoded, side, kept=_kept(part, other))
        shown |= {part.line + number: lines for number, lines in spread.items()}
    return shown


def _kept(part: _Part, other: _Part | None) -> set[Path]:
    """Return the places of the hidden values that are written alike in both states."""
    if other is None or not part.decoded:
        return set()
    texts = masked_text.held(other.text, other.hidden)
    return {path for path, text in masked_text.held(part.text, part.hidden).items() if texts.get(path) == text}


def _part(source: Documents, item: Item, found: set[Path], known: Texts) -> _Part:
    text = source.text(item.number)
    hidden = masked_text.hidden(text, found)
    return _Part(_identity(item), text, item.position.line - 1, hidden, known.rows(item, hidden))


def _identity(item: Item) -> _Identity:
    return item.api_version, item.kind, item.namespace, item.name


def _taken(done: Rendered) -> Taken:
    """Return the places that must not be shown, because steps wrote or found values from Secrets there."""
    found: dict[tuple[str, int] | _Identity, set[Path]] = {}
    for entry in done.ran:
        for item, path in hidden_places(entry.outcome):
            found.setdefault(_place(item), set()).add(path)
    return found


def _place(item: Item | New) -> tuple[str, int] | _Identity:
    if isinstance(item, Item):
        return item.position.path, item.position.index
    kind, _, namespace, name = header_of(item.data)
    version = item.data.get("apiVersion") if isinstance(item.data, dict) else ""
    return str(version), kind, namespace, name


# Prints a unified diff, in colour if requested.

_GREEN, _RED, _BOLD, _CYAN, _OFF = "\x1b[32m", "\x1b[31m", "\x1b[1m", "\x1b[36m", "\x1b[0m"
_COLOURS = (("---", _BOLD), ("+++", _BOLD), ("@@", _CYAN), ("+", _GREEN), ("-", _RED))


def print_diff(text: str, out: TextIO, *, colours: bool) -> None:
    """Print a diff. For a terminal, control characters of files are escaped; elsewhere the diff can be applied.

    A line that a host of a pipeline would take for a command is escaped everywhere: a diff with such a line cannot be applied.
    """
    text = inert(lines(text) if out.isatty() else text)
    if not colours:
        out.write(text)
        return
    for line in text.split("\n")[:-1]:
        colour = next((code for start, code in _COLOURS if line.startswith(start)), "")
        out.write(f"{colour}{line}{_OFF}\n" if colour else f"{line}\n")
