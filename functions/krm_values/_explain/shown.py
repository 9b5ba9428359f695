"""What may be shown: values and cells of a ledger, decisions and operations, with `HIDDEN` in place of what is in a Secret or comes from one.

What prints values of a ledger has them from here; `masking` says which ones must not be shown. Texts as a whole are another thing: `masked_text`
hides what is in the lines of a diff.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import edits
from krm_values._data.pointer import ABSENT, get, parts_of
from krm_values._explain.masking import hides_after, hides_before, hides_leaf, in_nested, is_from_secret, is_open
from krm_values._explain.model import AUTHORED
from krm_values._krm import names
from krm_values._krm.item import Item, is_secret, withholds
from krm_values._krm.plan import New
from krm_values._krm.taint import ANY, HIDDEN, concealed, holds_secret, is_text_with_secret, places
from krm_values._run.generated import identity_of
from krm_values._run.state import annotations_of, whole
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.comparer import Place
    from krm_values._explain.ledger import Ledger
    from krm_values._explain.model import Cell, Value
    from krm_values._explain.values import FinalValue
    from krm_values._run.resolve import Outcome
    from krm_values._run.state import Decision

__all__ = [
    "HIDDEN",
    "HiddenKeys",
    "Masking",
    "Shown",
    "as_in_file",
    "hidden_places",
    "hides",
    "hides_key",
    "is_withheld",
    "masked",
    "up_to_hidden",
]

_NAMES: tuple[Path, ...] = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
"""What an object is called is never hidden."""
_FIELDS: tuple[Path, ...] = (*_NAMES, ("type",))
"""The fields of a Secret that are no secret."""


class Shown:
    """Answers with what may be shown. A hidden value is `HIDDEN` as a whole; in a map or list only its hidden parts are."""

    __slots__ = ("_masks", "_redactions", "_shows")

    def __init__(self, ledger: Ledger, *, show_secrets: bool) -> None:
        self._shows = show_secrets
        self._redactions = [entry.outcome.redaction for entry in ledger.explanation.steps]
        self._masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in ledger.explanation.steps]

    @property
    def shows_all(self) -> bool:
        """Whether values of Secrets are shown, too."""
        return self._shows

    def value(self, one: Value) -> Any:
        """Return the value; ABSENT for a removed one."""
        if one.value is ABSENT:
            return ABSENT
        if one.decision is not None:
            return self.decided(one.decision, one.step)
        if self._shows:
            return one.value
        if one.path in _NAMES:
            return one.value
        hides = not is_open(one.item, one.path) and (is_withheld(one.item, one.path) or any(cell.secret for cell in one.cells))
        return HIDDEN if hides or self._is_derived(one) or is_text_with_secret(one.value) else one.value

    def decided(self, decision: Decision, step: int) -> Any:
        """Return what a step decided; ABSENT for what it removed."""
        return self._masks[step].after(decision)[0]

    def rendered(
        self,
        item: Item,
        place: Place,
        value: Any,
        near: FinalValue | None,
        decided: Mapping[tuple[Path, Path | None], FinalValue],
    ) -> Any:
        """Return a value of a rendered object. near: what a step decided there or around it. decided: all that steps decided of the object."""
        if self._shows:
            return value
        if near is not None:
            shown = self.decided(near.decision, near.step)
            if shown is HIDDEN:
                return self._parts(place, value, decided)
            if near.inner is None and place.inner is not None:
                return HIDDEN if is_withheld(item, place.path, place.inner) else concealed(value, place.path, ())
            rest = (*place.path[len(near.path) :], *(place.inner or ())[len(near.inner or ()) :])
            return get(shown, rest, HIDDEN)
        if place.path not in _FIELDS and is_withheld(item, place.path, place.inner):
            return self._parts(place, value, decided)
        return concealed(value, place.path, ())

    def _parts(self, place: Place, value: Any, decided: Mapping[tuple[Path, Path | None], FinalValue]) -> Any:
        """Return a hidden value with those parts that a step decided and that may be shown; HIDDEN if there are none."""
        if not isinstance(value, (dict, list)) or not value:
            return HIDDEN
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        parts = [(key, self._part(place.below(key), below, decided)) for key, below in entries]
        if all(part is HIDDEN for _, part in parts):
            return HIDDEN
        return dict(parts) if isinstance(value, dict) else [part for _, part in parts]

    def _part(self, place: Place, value: Any, decided: Mapping[tuple[Path, Path | None], FinalValue]) -> Any:
        found = decided.get((place.path, place.inner))
        shown = self.decided(found.decision, found.step) if found and not found.is_removed else HIDDEN
        return self._parts(place, value, decided) if shown is HIDDEN else shown

    def _is_derived(self, one: Value) -> bool:
        """Return whether a value that no decision is about has something of a Secret's value that another resource holds."""
        redaction = self._redactions[one.step] if one.step >= 0 else None
        return redaction is not None and isinstance(one.item, New) and redaction.hides_in(one.item, one.path)

    def before(self, one: Value) -> Any:
        """Return the value that the files have now; ABSENT if there is none, if it is the same, or if it is hidden."""
        if one.decision is None or one.decision.kept:
            return ABSENT
        value, hidden = self._masks[one.step].before(one.decision)
        return ABSENT if hidden else value

    def cell(self, one: Cell, of: Value | None = None) -> Any:
        """Return the value of a cell; ABSENT if it has parts instead of one of its own. of: the value for which a layer could be read, if it is none of its cells."""
        if one.value is ABSENT:
            return ABSENT
        if self._shows:
            return one.value
        if of is not None and of.decision is not None and of.decision.secret:
            return HIDDEN
        if one.secret:
            is_own = one.origin == AUTHORED and not one.way and one.inner is None
            return one.value if is_own and one.item is not None and is_open(one.item, one.path) else HIDDEN
        if one.item is not None and one.inner is not None and in_nested(one.item, one.path, one.inner):
            return HIDDEN
        found = one.item.withheld if isinstance(one.item, Item) and one.inner is None else ()
        return concealed(one.value, one.path, found) if found or isinstance(one.value, (dict, list, str)) else one.value


class HiddenKeys:
    """The places of values below keys that were in the value of a Secret. decided: the places of decisions, which have `HIDDEN` for such a key."""

    __slots__ = ("_below",)

    def __init__(self, decided: Iterable[Path]) -> None:
        self._below: dict[Any, Any] = {}
        for path in decided:
            below = self._below if hides_key(path) else {}
            for part in path:
                below = below.setdefault(part, {})

    def told(self, path: Path) -> Path:
        """Return the path of a value that no decision has as it may be shown: that of its decision, if one of its keys is hidden."""
        found: Path = ()
        below = self._below
        for part in path:
            key = part if part in below else HIDDEN
            if key not in below:
                break
            below, found = below[key], (*found, key)
        return found if hides_key(found) else path


class Masking:
    """Shows an outcome's decisions with `<hidden>` for values that are in a Secret or come from one."""

    __slots__ = ("_found", "_outcome", "_shows", "_taken")

    def __init__(self, outcome: Outcome, *, show_secrets: bool) -> None:
        self._shows, self._outcome = show_secrets, outcome
        self._found: dict[int, list[Path]] | None = None
        self._taken: set[tuple[int, Path]] | None = None

    def hides(self, decision: Decision) -> bool:
        """Return whether the decided value by itself is hidden."""
        return not self._shows and hides_leaf(decision)

    def shows_name(self, item: Item | New, path: Path) -> bool:
        """Return whether what stands at a path may be used as a name."""
        if self._shows:
            return True
        if self._taken is None:
            self._taken = {(id(one.item), one.path) for one in self._outcome.decisions if hides_leaf(one)}
        is_taken = any((id(item), path[:size]) in self._taken for size in range(len(path) + 1))
        return not is_taken and not is_withheld(item, path)

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
        if isinstance(value, (dict, list, str)) or known:
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


def is_withheld(item: Item | New, path: Path, inner: Path | None = None) -> bool:
    """Return whether the value at a place of an object must not be shown, whatever a step decided there."""
    hides = withholds(item, path) if isinstance(item, Item) else item.withholds(path)
    return hides or (inner is not None and in_nested(item, path, inner))


def as_in_file(item: Item, path: Path, inner: Path | None, value: Any) -> Any:
    """Return a value that a file has as it may be shown. inner: where it is in the text there."""
    if is_secret(item) or in_nested(item, path, inner) or (inner is not None and withholds(item, path)):
        return HIDDEN
    return concealed(value, path, item.withheld)


def hidden_places(outcome: Outcome) -> Iterator[tuple[Item | New, Path]]:
    """Yield the places of what steps decided where a value must not be shown, now or as it was before."""
    for decision in outcome.decisions:
        if hides_after(decision) or hides_before(decision):
            yield decision.item, decision.path
            if isinstance(decision.item, Item) and is_secret(decision.item):
                yield from (
                    (decision.item, field) for field in (("data",), ("stringData",))
                )  # also where it is turned into another kind


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
            if decision.before is not ABSENT and (is_from_secret(decision) or not is_open(item, decision.path)):
                replaced.setdefault(number, []).append(decision.path)
    for item in items:
        replaced.setdefault(item.number, []).extend(_keys_gone(item, outcome.edited.get(item.number)))
    replaced = {number: places for number, places in replaced.items() if places}
    told = [item for item in items if item.number in replaced and item.number not in outcome.removed]
    numbers = {item.number for item in told}
    operations = [one for item in told for one in _replacing(item, outcome.edited.get(item.number), replaced[item.number])]
    operations += [one for one in outcome.operations if _number(one) not in numbers]
    shown = [_masked(operation, found, secrets, known) for operation in operations]
    return outcome.redaction.operations(shown) if outcome.redaction else shown


def _keys_gone(item: Item, edited: str | None) -> list[Path]:
    """Return the places of maps and lists that an earlier run wrote out of a Secret and that are changed: their keys are not told."""
    wholes = [place for place in item.withheld if isinstance(get(item.data, place), (dict, list))] if edited is not None else []
    data = decode.data(edited) if wholes and edited is not None else None
    return [place for place in wholes if not data_edits.same(get(data, place), get(item.data, place))]


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
    _, number, *parts = parts_of(str(operation["path"]))
    path = tuple(parts)
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


def hides_key(path: Path) -> bool:
    """Return whether a key of a path is hidden; the key `<hidden>` of the input is not."""
    return any(part is HIDDEN for part in path)


def up_to_hidden(path: Path) -> Path:
    """Return a path up to its first hidden key: what is below may be of several keys."""
    return path[: 1 + next((size for size, part in enumerate(path) if part is HIDDEN), len(path))]


def hides(value: object) -> bool:
    """Return whether a part of a value is hidden; the string `<hidden>` of the input is not."""
    if isinstance(value, (dict, list)):
        return any(map(hides, value.values() if isinstance(value, dict) else value))
    return value is HIDDEN
