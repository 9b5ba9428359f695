"""Decides which values of an outcome are hidden, and renders decisions and operations without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT
from krm_values._explain import nested
from krm_values._explain.comments import holds_secret
from krm_values._kit.engine.generated import identity_of
from krm_values._kit.engine.state import annotations_of
from krm_values._kit.planner.item import Item, is_secret
from krm_values._kit.planner.withheld import ANY, HIDDEN, concealed, places

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.api.resolve import Outcome
    from krm_values._kit.engine.state import Decision
    from krm_values._kit.planner.plan import New


class Masking:
    """Shows an outcome's decisions with `<hidden>` for values that are in a Secret or come from one."""

    __slots__ = ("_found", "_outcome", "_shows")

    def __init__(self, outcome: Outcome, *, show_secrets: bool) -> None:
        self._shows, self._outcome = show_secrets, outcome
        self._found: dict[int, list[Path]] | None = None

    def _places(self, item: Item | New) -> Sequence[Path]:
        """Return where an item has values from Secrets, without those in texts; computed on first use."""
        if self._found is None:
            self._found = {}
            for decision in self._outcome.decisions:
                if decision.leaf is not None and decision.leaf.inner is None and decision.leaf.origin.secret:
                    self._found.setdefault(id(decision.item), []).append(decision.path)
        return self._found.get(id(item), ())

    def before(self, decision: Decision) -> tuple[Any, bool]:
        """Return the earlier value as it may be shown, and whether it is hidden as a whole."""
        hidden = not self._shows and decision.before is not ABSENT and self._hides_before(decision)
        return self._shown(decision, decision.before, decision.withheld, hidden=hidden)

    def after(self, decision: Decision) -> tuple[Any, bool]:
        """Return the same for the decided value."""
        hidden = not self._shows and decision.after is not ABSENT and hides_leaf(decision)
        own = decision.item.withheld if isinstance(decision.item, Item) else ()
        return self._shown(decision, decision.after, own, hidden=hidden)

    def _hides_before(self, decision: Decision) -> bool:
        """Return whether the earlier value is hidden. In a generated Secret, one that has changed may come from another Secret."""
        return hides_before(decision) and (hides_leaf(decision) or not decision.kept)

    def _shown(self, decision: Decision, value: Any, found: Sequence[Path], *, hidden: bool) -> tuple[Any, bool]:
        if hidden:
            return HIDDEN, True
        if self._shows or value is ABSENT:
            return value, False
        inner = decision.leaf is not None and decision.leaf.inner is not None
        known = found if inner else [*found, *self._places(decision.item)]
        if isinstance(value, dict | list) or known:
            value = concealed(value, decision.path, known)
        return value, value is HIDDEN


def hides_after(decision: Decision) -> bool:
    """Return whether the decided value must not be shown."""
    if decision.secret or _in_secret(decision.item) or _in_nested(decision):
        return True
    return decision.leaf is not None and nested.has_hidden(decision.leaf.origin)


def hides_leaf(decision: Decision) -> bool:
    """Return whether the decided value by itself must not be shown: in a generated Secret, the value of a ConfigMap may be."""
    leaf = decision.leaf
    if leaf is None or leaf.inner is None or isinstance(decision.item, Item):
        return hides_after(decision)
    return decision.secret or nested.has_hidden(leaf.origin) or _in_nested(decision)


def hides_before(decision: Decision) -> bool:
    """Return whether the earlier value must not be shown, since an earlier run may have written it."""
    return hides_after(decision) or (decision.leaf is not None and any(origin.secret for origin in decision.leaf.overridden))


def masked(outcome: Outcome, items: Sequence[Item]) -> list[dict[str, JSON]]:
    """Return the operations of `--patch` with `<hidden>` for every value that comes from a Secret, or is written into one."""
    seen = [*items, *(decision.item for decision in outcome.decisions if isinstance(decision.item, Item))]
    known = {item.number: item for item in seen}
    secrets = {item.number for item in seen if is_secret(item)}  # one that was turned into another kind is one still
    found: dict[int, list[Path]] = {item.number: [*item.withheld] for item in items if item.withheld}
    made = {item.marks.get("generated-from", ""): item.number for item in items if "generated-from" in item.marks}
    for decision in outcome.decisions:
        if hides_after(decision):
            item = decision.item
            number = item.number if isinstance(item, Item) else made.get(identity_of(item), -1)
            found.setdefault(number, []).append(tuple(ANY if isinstance(part, int) else part for part in decision.path))
    shown = [_masked(operation, found, secrets, known) for operation in outcome.operations]
    return outcome.redaction.operations(shown) if outcome.redaction else shown


def _in_nested(decision: Decision) -> bool:
    return nested.leads_into(decision.path) and nested.is_inside(decision.item.data, decision.path)


def _in_secret(item: Item | New) -> bool:
    return is_secret(item) if isinstance(item, Item) else item.is_secret


def _masked(
    operation: dict[str, JSON], found: dict[int, list[Path]], secrets: set[int], known: Mapping[int, Item]
) -> dict[str, JSON]:
    if "value" not in operation:
        return operation
    value = operation["value"]
    _, _, number, *parts = str(operation["path"]).split("/")
    path = tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)
    if not number.isdigit():
        return {**operation, "value": concealed(value, path, places(annotations_of(value), value))}
    item = known.get(int(number))
    if path and (int(number) in secrets or (item is not None and _holds(item, path))):
        return {**operation, "value": HIDDEN}
    return {**operation, "value": concealed(value, path, found.get(int(number), ()))}


def _holds(item: Item, path: tuple[str, ...]) -> bool:
    """Return whether a path leads into a Secret that an item holds, or to the annotations of such an item: undo records have earlier values."""
    if path[:2] == ("metadata", "annotations"):
        return holds_secret(item.data)
    parts = tuple(int(part) if part.isdigit() else part for part in path)
    return nested.leads_into(parts) and nested.is_inside(item.data, parts)


def hides(value: object) -> bool:
    """Return whether a part of a value is hidden; the string `<hidden>` of the input is not."""
    if isinstance(value, dict | list):
        return any(map(hides, value.values() if isinstance(value, dict) else value))
    return value is HIDDEN
