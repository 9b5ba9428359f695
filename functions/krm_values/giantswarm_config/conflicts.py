"""Layers that disagree about the kind of a value: what the user should know of each."""

from __future__ import annotations

from krm_values._kit.item import Item
from krm_values._kit.layers import origin
from krm_values._kit.plan import Finding
from krm_values._kit.pointer import to_field
from krm_values._kit.results import title

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.layers import Clash
    from krm_values._kit.plan import Origin
    from krm_values._kit.pointer import Path

_WAY_OUT = {
    "56": "the later layer wins; make both the same kind if that is not meant",
    "65": "the Secret wins; make both the same kind if that is not meant",
    "66": "chart-operator drops the map; remove one of the two",
    "55": "an empty map clears nothing; write `null` to remove the key from the chart's defaults",
}


def within(clashes: Iterable[Clash]) -> Iterator[Finding]:
    """What one chain's layers disagree about: a map to or from a scalar or list, an empty map over a filled one."""
    yield from _told((_cause(clash, "56"), clash) for clash in clashes if _is_told(clash, ("map",)))


def between(clashes: Iterable[Clash]) -> Iterator[Finding]:
    """What the chain of Secrets and the one of ConfigMaps disagree about."""
    yield from _told((_cause(clash, "65"), clash) for clash in clashes if _is_told(clash, ("map", "list", "scalar")))


def _is_told(clash: Clash, kinds: tuple[str, ...]) -> bool:
    return clash.outcome == "nothing" or ("null" not in clash.kinds and any(kind in kinds for kind in clash.kinds))


def _cause(clash: Clash, rule: str) -> str:
    return {"nothing": "55", "kept": "66"}.get(clash.outcome, rule)


def _told(clashes: Iterable[tuple[str, Clash]]) -> Iterator[Finding]:
    """One finding per object and cause."""
    grouped: dict[tuple[Item, Path, str], list[Clash]] = {}
    for rule, clash in clashes:
        above = origin(clash.above)
        if isinstance(above.item, Item):
            grouped.setdefault((above.item, above.path, rule), []).append(clash)
    for (item, path, rule), entries in grouped.items():
        text = f"{', '.join(map(_one, entries))}: {_WAY_OUT[rule]}"
        if rule == "55":
            yield Finding("info", "empty-map", rule, text, item, path)
        else:
            yield Finding("warning", "conflict", rule, text, item, path)


def _one(clash: Clash) -> str:
    """`mode` (line 1) is a map over the scalar of ConfigMap team-a/base (line 3)."""
    below = clash.below.layer(clash.path, None)
    above = clash.above.layer(clash.path, None)
    what = "an empty map" if clash.outcome == "nothing" else f"a {clash.kinds[1]}"
    under = "filled map" if clash.outcome == "nothing" else clash.kinds[0]
    return f"`{to_field(clash.path)}`{_line(above)} is {what} over the {under} of {_named(below)}{_line(below)}"


def _named(found: Origin) -> str:
    return title(found.item) if found.item is not None else found.layer


def _line(found: Origin) -> str:
    return f" (line {found.line})" if found.line else ""


def is_dropped_for(value: object) -> bool:
    """Whether chart-operator keeps this value of the ConfigMap side where the Secret side has a map."""
    return bool(value)
