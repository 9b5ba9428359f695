"""What `explain` prints for people: one row per value, and below it what else the functions said."""

from __future__ import annotations

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from krm_values._cli.explain.facts import place_of
from krm_values._cli.masking.outcomes import Masking
from krm_values._cli.masking.texts import CHANGED, UNCHANGED
from krm_values._data.errors import address
from krm_values._data.pointer import ABSENT, to_field
from krm_values._data.printable import printable
from krm_values._kit.planner import findings
from krm_values._kit.planner.item import Item
from krm_values._yaml import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from rich.console import RenderableType

    from krm_values._cli.explain.facts import Explained
    from krm_values._kit.engine.state import Decision
    from krm_values._kit.planner.plan import New, Note, Origin

_WIDEST = 60  # of a value; `--json` has it whole
_UNBOUNDED = 10_000  # a pipe has no width: nothing is wrapped


def show(explained: Sequence[Explained], out: TextIO, *, show_secrets: bool) -> None:
    """Print the tables. On a terminal they fit its width and have colours (unless NO_COLOR is set); elsewhere each row is a line."""
    console = Console(file=out, width=None if out.isatty() else _UNBOUNDED, highlight=False)
    parts: list[RenderableType] = []
    for number, entry in enumerate(explained):
        parts += [Text()] * bool(number) + _step(entry, show_secrets=show_secrets)
    if out.isatty():
        console.print(Group(*parts))
        return
    with console.capture() as captured:
        console.print(Group(*parts))
    out.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def _step(entry: Explained, *, show_secrets: bool) -> list[RenderableType]:
    parts: list[RenderableType] = []
    if entry.step:
        parts.append(_text(f"{entry.package or '.'}: {entry.step}: {entry.function}", style="bold"))
    if entry.outcome.decisions:
        masking = Masking(entry.outcome, show_secrets=show_secrets)
        parts.append(_table(entry.outcome.decisions, masking, show_secrets=show_secrets))
    else:
        parts.append(Text(f"{entry.function} decides no value here"))
    parts += [_text(_note(note)) for note in entry.outcome.notes]
    return parts


def _table(decisions: Sequence[Decision], masking: Masking, *, show_secrets: bool) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("RESOURCE", "PATH", "BEFORE", "AFTER", "ORIGIN", "BEATEN"):
        table.add_column(title, overflow="fold")
    last = None
    for decision in decisions:
        first, last = decision.item is not last, decision.item
        cells = _cells(decision, masking, show_secrets=show_secrets)
        table.add_row(_text(_named(decision.item) if first else ""), *map(Text, cells), style="dim" if decision.kept else None)
    return table


def _cells(decision: Decision, masking: Masking, *, show_secrets: bool) -> tuple[str, str, str, str, str]:
    leaf = decision.leaf
    path = to_field(decision.path) + (f" » {to_field(leaf.inner)}" if leaf is not None and leaf.inner is not None else "")
    before, (decided, hidden) = _value(masking.before(decision)[0]), masking.after(decision)
    if hidden and decision.before is not ABSENT:
        after = UNCHANGED if decision.kept else CHANGED
    else:
        after = "kept" if decision.kept else _value(decided)
    if leaf is None:
        return printable(path), printable(before), printable(after), "", ""
    winner, *beaten = (
        _said(origin, decision.item, hides=not show_secrets and (decision.secret or origin.secret))
        for origin in (leaf.origin, *leaf.beaten)
    )
    return printable(path), printable(before), printable(after), winner, "\n".join(beaten)


def _said(origin: Origin, item: Item | New, *, hides: bool) -> str:
    """A layer's address and its value."""
    address = _origin(origin, item)
    if hides:
        return printable(f"{address} = {findings.HIDDEN}")  # a null, too
    return printable(address if origin.value is None else f"{address} = {_value(origin.value)}")


def _origin(origin: Origin, item: Item | New) -> str:
    """Layer and address: file, line and column where they are known, else the resource, unless it is the row's own."""
    if origin.inner is not None:
        return _embedded(origin)
    place = ""
    if isinstance(origin.item, Item) and origin.item.position.file:
        place = address(origin.item.position.source, *place_of(origin))
    elif origin.item is not None and origin.item is not item:
        place = findings.title(origin.item)
    named = ", ".join(f"{key} {origin.facts[key]}" for key in ("step", "param") if key in origin.facts)
    return " ".join(part for part in (origin.layer, f"({named})" if named else "", place, to_field(origin.path)) if part)


def _embedded(origin: Origin) -> str:
    """Layer and address of a value in a text."""
    priority = f"(priority {origin.facts['priority']})" if "priority" in origin.facts else ""
    file = address(origin.item.position.source, *place_of(origin)) if isinstance(origin.item, Item) else ""
    named = findings.title(origin.item) if origin.item is not None else ""
    path = f"{to_field(origin.path)} » {to_field(origin.inner or ())}"
    return " ".join(part for part in (origin.layer, priority, file, named, path) if part)


def _named(item: Item | New) -> str:
    file = item.position.path if isinstance(item, Item) else ""
    return f"{file} {findings.title(item)}".strip()


def _value(value: object) -> str:
    if value is ABSENT:
        return ""
    if value is findings.HIDDEN:
        return findings.HIDDEN
    text = emit.flow(value)  # type: ignore[arg-type]
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _text(text: str, style: str = "") -> Text:
    return Text(printable(text), style=style)


def _note(note: Note) -> str:
    return f"{note.topic} {note.subject}: {emit.flow(note.data)}"
