"""Conflicts: layers that disagree about the kind of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._kit.layers.merge import origin
from krm_values._kit.planner import places
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Clash
    from krm_values._kit.planner.plan import Origin


def findings_of(clashes: Iterable[tuple[str, Clash]], advice: Mapping[str, str], empty: str) -> Iterator[Finding]:
    """Yield one finding per object, field and rule; for an empty map over a filled one only an information.

    clashes: each with the rule that describes the outcome. advice: the end of a finding's message, by rule. empty: the end of the message
    about an empty map.
    """
    grouped: dict[tuple[Item, Path, str, bool], list[str]] = {}
    firsts: dict[tuple[Item, Path, str, bool], Origin] = {}
    for rule, clash in clashes:
        above = origin(clash.above)
        if isinstance(above.item, Item):
            key = (above.item, above.path[:2], rule, clash.outcome == "nothing")
            group, _ = grouped.setdefault(key, []), firsts.setdefault(key, clash.above.layer(clash.path, None))
            if (text := _sentence(clash)) not in group:
                group.append(text)
    for key, entries in grouped.items():
        item, path, rule, clears_nothing = key
        listed = ", ".join(entries)
        if clears_nothing:
            yield Finding("info", "empty-map", rule, f"{listed}: {empty}", item, path, at=firsts[key])
        else:
            yield Finding("warning", "conflict", rule, f"{listed}: {advice[rule]}", item, path, at=firsts[key])


def _sentence(clash: Clash) -> str:
    """Format a conflict: `mode` (line 1) is a map over the scalar of ConfigMap team-a/base (line 3)."""
    below = clash.below.layer(clash.path, None)
    above = clash.above.layer(clash.path, None)
    what = "an empty map" if clash.outcome == "nothing" else f"a {clash.kinds[1]}"
    under = "filled map" if clash.outcome == "nothing" else clash.kinds[0]
    return f"`{to_field(clash.path)}`{_line(above)} is {what} over the {under} of {_named(below)}{_line(below)}"


def _named(found: Origin) -> str:
    return title(found.item) if found.item is not None else found.layer


def _line(found: Origin) -> str:
    line = places.line_of(found) if found.place[0] else ""
    return f" ({line})" if line else ""
