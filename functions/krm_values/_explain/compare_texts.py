"""Differences as text for people, as JSON and as Markdown for a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._data.printable import inert, json_text, printable
from krm_values._explain import layout
from krm_values._explain.differences import ADDED, CHANGED, REMOVED, shown
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._explain.differences import Difference
    from krm_values._explain.states import Entry

API_VERSION, KIND = "krm-values.dev/v1alpha1", "Comparison"
_INDENT = "  "
_LONGEST = 200  # of a value in Markdown


def plain(differences: Iterable[Difference], width: int, *, names_winner: bool = False) -> Iterator[str]:
    """Yield a line for each value, below its resource. names_winner: name the next winner instead of the cause."""
    title = None
    for one in differences:
        if one.title != title:
            yield from [""] * (title is not None)
            title = one.title
            yield inert(layout.cut(printable(title), width))
        values = _values(one)
        because = f"because {one.at} {one.because}" if one.because else ""
        if names_winner:
            because = f"next winner {one.winner}" if one.winner else ""
        yield from map(inert, _wrapped([printable(f"{one.field} {values}"), printable(because)], width))


def _wrapped(cells: list[str], width: int) -> Iterator[str]:
    """Return a value and its cause: on one line if they fit, else each wrapped."""
    if all(layout.columns(cell) + len(_INDENT) <= width for cell in cells):
        return layout.stacked(cells, width, _INDENT)
    value, cause = cells
    further = _INDENT * 3
    return (
        line for text, first in ((value, _INDENT), (cause, further)) for line in layout.wrapped(text, width, first, further)
    )


def as_json(differences: Iterable[Difference]) -> str:
    """Return one document: {apiVersion, kind: Comparison, differences}."""
    found: list[JSON] = [_entry(one) for one in differences]
    return json_text(emit.as_json({"apiVersion": API_VERSION, "kind": KIND, "differences": found}, indent=2)) + "\n"


def markdown(differences: Sequence[Difference]) -> Iterator[str]:
    """Yield a list below a heading for each resource. Everything that comes from a package is in a code span, where no markup has an effect."""
    if not differences:
        yield "No value differs."
    title = None
    for one in differences:
        if one.title != title:
            yield from [""] * (title is not None)
            title = one.title
            yield from (f"### {code(title)}", "")
        yield f"- {code(one.field)}: {_marked(one)}" + (f", because {code(one.at)} {one.because}" if one.because else "")


def code(text: str) -> str:
    """Return a string as a code span, fenced by more backticks than it contains in a row."""
    text = layout.cut(printable(text), _LONGEST)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if not text or text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{space}{text or ' '}{space}{fence}"


def _values(one: Difference) -> str:
    match one.kind:
        case kind if kind == ADDED:
            return f"added: {shown(one.after)}"
        case kind if kind == REMOVED:
            return f"removed: {shown(one.before)}"
        case kind if kind == CHANGED:
            hides = one.before is not None and one.before.hidden and one.after is not None and one.after.hidden
            return "<hidden>, changed" if hides else f"{shown(one.before)} -> {shown(one.after)}"
        case _:
            return f"{shown(one.after)}, from {_layer(one.after)} and no longer from {_layer(one.before)}"


def _marked(one: Difference) -> str:
    match one.kind:
        case kind if kind == ADDED:
            return f"{code(shown(one.after))} added"
        case kind if kind == REMOVED:
            return f"{code(shown(one.before))} removed"
        case kind if kind == CHANGED:
            return f"{code(shown(one.before))} → {code(shown(one.after))}"
        case _:
            return f"{code(shown(one.after))}, from {code(_layer(one.after))} and no longer from {code(_layer(one.before))}"


def _layer(entry: Entry | None) -> str:
    return entry.way.origin.layer if entry and entry.way else ""


def _entry(one: Difference) -> dict[str, JSON]:
    entry = one.after or one.before
    found: dict[str, JSON] = {"resource": dict(entry.reference) if entry else {}, "path": to_field(one.path)}
    if one.inner is not None:
        found["inner"] = to_field(one.inner)
    found["change"] = one.kind
    for name, side in (("before", one.before), ("after", one.after)):
        if side is not None:
            found[name] = _side(side)
    return {**found, "because": f"{one.at} {one.because}"} if one.because else found


def _side(entry: Entry) -> dict[str, JSON]:
    found: dict[str, JSON] = {"value": None, "hidden": True} if entry.hidden else {"value": entry.shown}
    if entry.way is None:
        return found
    found["layer"] = entry.way.origin.layer
    end = next(entry.way.ends())
    return {**found, "file": end.file, "line": end.line} if end.line else found
