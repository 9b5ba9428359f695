"""The proof that an edited text reads as intended, though only the edited sections of it are read again.

The text before the edits was read: its root is a block map. A section is a key of the root with all up to the line of the next key, or up to
the end of the text. An edited text is the old one with some of its sections replaced. The claim: if `CONDITIONS` hold for each
section that an edit meets, the whole text reads as the old data with the new values of these keys.

Proof, from the first section to the last. At the first character of a section's key the parser is between two tokens, in no bracket, in a
map at the key's column: so it was when it read the old text, where each key of the root begins its line, and what came before
ends as it did, because the next line still begins with the same key at the same column. There plain scalars end, whose lines
are deeper than their map; block scalars, whose content is deeper, too; and comments, with their line. A quoted scalar and a flow
collection do not look at columns, but a new section that left one open could not be read alone. From this place on the parser
does with the section what it does with the section alone, for nothing else is left of what it read before, except the anchors: there
the section would use or hide none, because an ordinary text has none, and it takes none away. Where the section ends, a line
has ended, the document has not, and the next key, or the end of the text, follows in the same state.

What is not proved is read again as a whole; nothing is refused because its proof fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.record import record
from krm_values._yaml.decode import ordinary
from krm_values._yaml.edit import render
from krm_values._yaml.encoding import has_other_break
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._yaml.edit.render import RenderContext
    from krm_values._yaml.edit.tree import Branch

_MARKER = "\n..."  # at the beginning of a line it ends a document, wherever it is


@record
class Section:
    """A section before and after the edits; `begin` and `end` are its offsets in the old text, `head` is the length of its key and colon."""

    key: str
    begin: int
    end: int
    head: int
    before: str
    after: str
    anchored: bool = False  # whether it defined an anchor before the edits


def changed(context: RenderContext) -> list[Section] | None:
    """Return the sections that were opened for edits, rendered; None where the root is not a block map or got other entries.

    Lines end in LF or CRLF: then each key of a block map begins its line.
    """
    root, source, text = context.root, context.source, context.source.text
    if root.flow or tuple(root.entries) != root.original:
        return None
    found = []
    for index, entry in enumerate(root.entries):
        if entry.value is entry.old or entry.key is None:
            continue
        begin, end = source.line_start(entry.start), len(text)
        if index + 1 < len(root.entries):
            end = source.line_start(root.entries[index + 1].start)
        after = text[begin : entry.head] + render.value_text(context, root, entry, (root.node,)) + text[entry.end : end]
        before = text[begin:end]
        found.append(
            Section(entry.key, begin, end, entry.head - begin, before, after, "&" in before and _is_anchored(root, index))
        )
    return found


def spliced(text: str, sections: Iterable[Section]) -> str:
    """Return a text with these sections replaced."""
    parts, at = [], 0
    for section in sections:
        parts += [text[at : section.begin], section.after]
        at = section.end
    return "".join([*parts, text[at:]])


def is_proved(section: Section, value: JSON, limits: Limits) -> bool:
    """Return whether a section, wherever it is, reads as the map of its key and this value."""
    return all(condition(section, value, limits) for condition in CONDITIONS)


def _is_anchored(root: Branch, index: int) -> bool:
    keys, items = root.node.keys, root.node.items
    return any(node.anchor for found in (keys[index], items[index]) for node in walk(found))


def _begins_alike(section: Section, _value: JSON, _limits: Limits) -> bool:
    return section.after[: section.head] == section.before[: section.head]


def _ends_its_line(section: Section, _value: JSON, _limits: Limits) -> bool:
    return section.after.endswith("\n")


def _ends_no_document(section: Section, _value: JSON, _limits: Limits) -> bool:
    return _MARKER not in section.after


def _has_lines(section: Section, _value: JSON, _limits: Limits) -> bool:
    """Return whether its lines end in LF or CRLF only: a marker could follow any other line break."""
    return not has_other_break(section.after)


def _took_no_anchor(section: Section, _value: JSON, _limits: Limits) -> bool:
    return not section.anchored


def _reads_as_meant(section: Section, value: JSON, limits: Limits) -> bool:
    """Return whether it reads alone, without anchors, aliases, tags and directives, as the map of its key and the value."""
    found = ordinary(section.after, limits)
    return found is not None and data_edits.same(found, {section.key: value})


CONDITIONS: tuple[Callable[[Section, JSON, Limits], bool], ...] = (
    _begins_alike,
    _ends_its_line,
    _ends_no_document,
    _has_lines,
    _took_no_anchor,
    _reads_as_meant,
)
"""What must hold for each section that an edit meets."""
