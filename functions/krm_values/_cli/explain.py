"""What `explain` shows of an outcome: which values are secret, and the patch with these masked."""

from __future__ import annotations

from copy import deepcopy

from krm_values._kit import places, plain, results
from krm_values._kit.item import Item, is_secret
from krm_values._kit.pointer import ABSENT, get, to_pointer
from krm_values._kit.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from krm_values._kit.apply import Decision
    from krm_values._kit.data import JSON
    from krm_values._kit.function import Outcome
    from krm_values._kit.plan import New, Origin
    from krm_values._kit.pointer import Path


@record
class Explained:
    """What one function decided: of a list, or as a step of a package's pipeline (`package` and `step` are empty otherwise)."""

    function: str
    outcome: Outcome
    package: str = ""
    step: str = ""


def masked(outcome: Outcome, items: Sequence[Item]) -> list[dict[str, JSON]]:
    """The operations of `--patch` with every value that comes out of a Secret, or goes into one, as `<hidden>`."""
    hidden = [(to_items(decision), decision.path) for decision in outcome.decisions if hides_after(decision)]
    seen = (decision.item for decision in outcome.decisions if isinstance(decision.item, Item))
    secrets = {item.number for item in (*items, *seen) if is_secret(item)}  # one that was turned into another kind is one still
    return [_masked(operation, hidden, secrets) for operation in deepcopy(list(outcome.operations))]


def hides_after(decision: Decision) -> bool:
    """Whether the decided value must not be shown."""
    return _in_secret(decision.item) or (decision.leaf is not None and decision.leaf.origin.secret)


def hides_before(decision: Decision) -> bool:
    """Whether the value that stood there must not be shown: an earlier run may have written it."""
    return hides_after(decision) or (decision.leaf is not None and any(origin.secret for origin in decision.leaf.beaten))


def to_items(decision: Decision) -> str:
    """Where the operations on the decision's item begin: `/items/3`, of a generated object `/items/-`."""
    return f"/items/{decision.item.number}" if isinstance(decision.item, Item) else "/items/-"


def line_of(origin: Origin) -> int:
    """The line of the origin in its file, from 1; 0 where the file is not known as it stands."""
    return places.of_origin(origin)[0]


def _in_secret(item: Item | New) -> bool:
    if isinstance(item, Item):
        return is_secret(item)
    return isinstance(item.data, dict) and item.data.get("kind") == "Secret" and item.data.get("apiVersion") == "v1"


def _masked(operation: dict[str, JSON], hidden: list[tuple[str, Path]], secrets: set[int]) -> dict[str, JSON]:
    if "value" not in operation:
        return operation
    pointer = str(operation["path"])
    if any(pointer.startswith(f"/items/{number}/") for number in secrets) or _is_secret_data(operation["value"]):
        return {**operation, "value": results.HIDDEN}
    for items, path in hidden:
        whole = items + to_pointer(path)
        if whole == pointer or pointer.startswith(whole + "/"):
            return {**operation, "value": results.HIDDEN}
        if whole.startswith(pointer + "/"):
            _hide_inside(operation, path[-(whole.count("/") - pointer.count("/")) :])
    return operation


def _hide_inside(operation: dict[str, JSON], path: Path) -> None:
    value: Any = operation["value"]
    if get(value, path, ABSENT) is not ABSENT:
        plain.put(value, path, results.HIDDEN)


def _is_secret_data(value: JSON) -> bool:
    return isinstance(value, dict) and value.get("kind") == "Secret" and value.get("apiVersion") == "v1"
