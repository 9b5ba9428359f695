"""Which values must not be shown: those in Secrets, also in one that another resource holds, and those that come from one.

`Masking` shows the decisions of an outcome without them, `masked` its operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import edits
from krm_values._data.pointer import ABSENT, get
from krm_values._krm import names
from krm_values._krm.item import Item, is_secret
from krm_values._krm.taint import ANY, HIDDEN, concealed, is_secret_data, places
from krm_values._run.generated import identity_of
from krm_values._run.state import annotations_of, whole
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import New, Origin
    from krm_values._run.resolve import Outcome
    from krm_values._run.state import Decision

_FIELDS = ("data", "stringData")


class Masking:
    """Shows an outcome's decisions with `<hidden>` for values that are in a Secret or come from one."""

    __slots__ = ("_found", "_outcome", "_shows")

    def __init__(self, outcome: Outcome, *, show_secrets: bool) -> None:
        self._shows, self._outcome = show_secrets, outcome
        self._found: dict[int, list[Path]] | None = None

    def before(self, decision: Decision) -> tuple[Any, bool]:
        """Return the earlier value as it may be shown, and whether it is hidden as a whole.

        In a generated Secret, one that has changed may come from another Secret.
        """
        hidden = not self._shows and decision.before is not ABSENT and hides_before(decision)
        return self._shown(
            decision, decision.before, decision.withheld, hidden=hidden and (hides_leaf(decision) or not decision.kept)
        )

    def after(self, decision: Decision) -> tuple[Any, bool]:
        """Return the same for the decided value."""
        hidden = not self._shows and decision.after is not ABSENT and hides_leaf(decision)
        own = decision.item.withheld if isinstance(decision.item, Item) else ()
        return self._shown(decision, decision.after, own, hidden=hidden)

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

    def _places(self, item: Item | New) -> Sequence[Path]:
        """Return where an item has values from Secrets, without those in texts; computed on first use."""
        if self._found is None:
            self._found = {}
            for decision in self._outcome.decisions:
                if decision.leaf is not None and decision.leaf.inner is None and decision.leaf.origin.secret:
                    self._found.setdefault(id(decision.item), []).append(decision.path)
        return self._found.get(id(item), ())


def hides_leaf(decision: Decision) -> bool:
    """Return whether the decided value by itself must not be shown: in a generated Secret, the value of a ConfigMap may be."""
    leaf = decision.leaf
    if leaf is None or leaf.inner is None or isinstance(decision.item, Item):
        return hides_after(decision)
    return decision.secret or has_hidden(leaf.origin) or in_nested(decision.item, decision.path)


def hides_after(decision: Decision) -> bool:
    """Return whether the decided value must not be shown."""
    item = decision.item
    in_secret = is_secret(item) if isinstance(item, Item) else item.is_secret
    if decision.secret or in_secret or in_nested(item, decision.path):
        return True
    return decision.leaf is not None and has_hidden(decision.leaf.origin)


def hides_before(decision: Decision) -> bool:
    """Return whether the earlier value must not be shown, since an earlier run may have written it."""
    return hides_after(decision) or (decision.leaf is not None and any(origin.secret for origin in decision.leaf.overridden))


def has_hidden(origin: Origin) -> bool:
    """Return whether a layer's value, or one that it derives from, must not be shown."""
    return any(map(is_hidden, origin.trail())) if origin.via else is_hidden(origin)


def is_hidden(origin: Origin) -> bool:
    """Return whether a layer's value is in a Secret, in one that a resource holds, or where a value from one is."""
    return origin.in_secret or (origin.item is not None and in_nested(origin.item, origin.path))


def in_nested(item: Item | New, path: Path) -> bool:
    """Return whether a path leads into the values of a Secret that a resource holds, as a template does."""
    if "data" not in path[1:] and "stringData" not in path[1:]:
        return False  # the resource is not read for this
    return any(part in _FIELDS and is_secret_data(get(item.data, path[:depth])) for depth, part in enumerate(path) if depth)


def holds_secret(data: object) -> bool:
    """Return whether data is a Secret, or contains one."""
    if isinstance(data, dict):
        return is_secret_data(data) or any(map(holds_secret, data.values()))
    return isinstance(data, list) and any(map(holds_secret, data))


def masked(outcome: Outcome, items: Sequence[Item]) -> list[dict[str, JSON]]:
    """Return the operations of `--patch` with `<hidden>` for every value that comes from a Secret, or is written into one.

    Of such a value there is one, whether or not it is equal to the one that it replaces.
    """
    seen = [*items, *(decision.item for decision in outcome.decisions if isinstance(decision.item, Item))]
    known = {item.number: item for item in seen}
    secrets = {item.number for item in seen if is_secret(item)}  # one that was turned into another kind is one still
    found: dict[int, list[Path]] = {item.number: [*item.withheld] for item in items if item.withheld}
    made = {item.marks.get(names.MADE_FROM, ""): item.number for item in items if names.MADE_FROM in item.marks}
    replaced: dict[int, list[Path]] = {}
    for decision in outcome.decisions:
        if hides_after(decision):
            item = decision.item
            number = item.number if isinstance(item, Item) else made.get(identity_of(item), -1)
            found.setdefault(number, []).append(tuple(ANY if isinstance(part, int) else part for part in decision.path))
            if decision.before is not ABSENT and decision.path[0] != "metadata":
                replaced.setdefault(number, []).append(decision.path)
    told = [item for item in items if item.number in replaced and item.number not in outcome.removed]
    numbers = {item.number for item in told}
    operations = [one for item in told for one in _replacing(item, outcome.edited.get(item.number), replaced[item.number])]
    operations += [one for one in outcome.operations if _number(one) not in numbers]
    shown = [_masked(operation, found, secrets, known) for operation in operations]
    return outcome.redaction.operations(shown) if outcome.redaction else shown


def _number(operation: dict[str, JSON]) -> int:
    """Return the number of the item that an operation is about, -1 for a new one."""
    number = str(operation["path"]).split("/")[2]
    return int(number) if number.isdigit() else -1


def _replacing(item: Item, edited: str | None, replaced: Sequence[Path]) -> Iterator[dict[str, JSON]]:
    """Yield the operations that edit an item, as if each of its hidden values replaced another one."""
    data = whole(item.data, item.reading.annotations)
    old, new = concealed(data, (), replaced), concealed(data if edited is None else decode.data(edited), (), replaced)
    old = _with_sign(old)
    for edit in [*edits(old, new)]:
        yield data_edits.operation(edit, old, ("items", item.number))
        edit.apply(old)


def _with_sign(value: Any) -> Any:
    """Return a value in which each hidden part is another one than a hidden part is elsewhere."""
    if isinstance(value, dict):
        return {key: _with_sign(below) for key, below in value.items()}
    if isinstance(value, list):
        return [*map(_with_sign, value)]
    return f"{HIDDEN}, replaced" if value is HIDDEN else value


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
    return in_nested(item, tuple(int(part) if part.isdigit() else part for part in path))


def hides(value: object) -> bool:
    """Return whether a part of a value is hidden; the string `<hidden>` of the input is not."""
    if isinstance(value, dict | list):
        return any(map(hides, value.values() if isinstance(value, dict) else value))
    return value is HIDDEN
