"""What `explain --json` and `--patch` print: each decision with its origin and what it beat, secrets masked."""

from __future__ import annotations

from copy import deepcopy

from krm_values._kit import emit, plain, results
from krm_values._kit.item import Item, is_secret
from krm_values._kit.pointer import ABSENT, get, to_field, to_pointer
from krm_values._kit.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from krm_values._kit.apply import Decision
    from krm_values._kit.data import JSON
    from krm_values._kit.function import Outcome
    from krm_values._kit.plan import New, Origin
    from krm_values._kit.pointer import Path

API_VERSION, KIND = "krm-values.dev/v1alpha1", "Explanation"


@record
class Explained:
    """What one function decided: of a list, or as a step of a package's pipeline (`package` and `step` are empty otherwise)."""

    function: str
    outcome: Outcome
    package: str = ""
    step: str = ""


def document(explained: Iterable[Explained], *, show_secrets: bool) -> JSON:
    """The stable form of `--json`; the command line's manual describes it."""
    steps: list[JSON] = [_step(entry, show_secrets=show_secrets) for entry in explained]
    return {"apiVersion": API_VERSION, "kind": KIND, "steps": steps}


def fact(decision: Decision) -> str:
    """(resource, path, value, origin, beaten) as text, equal before and after the decision is carried out."""
    leaf = decision.leaf
    origins = [_origin(origin, show_secrets=True) for origin in ((leaf.origin, *leaf.beaten) if leaf else ())]
    for origin in origins:
        origin.pop("line", None)
    return emit.as_json([_resource(decision.item), to_pointer(decision.path), *_value(decision.after), *origins])


def masked(outcome: Outcome, items: Sequence[Item]) -> list[dict[str, JSON]]:
    """The operations of `--patch` with every value that comes out of a Secret, or goes into one, as `<hidden>`."""
    hidden = [(to_items(decision), decision.path) for decision in outcome.decisions if hides_after(decision)]
    secrets = {item.number for item in items if is_secret(item)}
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


def _step(entry: Explained, *, show_secrets: bool) -> JSON:
    outcome = entry.outcome
    decisions: list[JSON] = [_decision(decision, show_secrets=show_secrets) for decision in outcome.decisions]
    notes: list[JSON] = [{"topic": note.topic, "subject": note.subject, "data": note.data} for note in outcome.notes]
    findings: list[JSON] = [results.as_result(finding) for finding in outcome.findings]
    place: dict[str, JSON] = {"package": entry.package, "step": entry.step} if entry.step else {}
    return {"function": entry.function, **place, "decisions": decisions, "notes": notes, "findings": findings}


def _decision(decision: Decision, *, show_secrets: bool) -> JSON:
    shown = _resource(decision.item)
    number = decision.item.number if isinstance(decision.item, Item) else None
    entry: dict[str, JSON] = {"item": number, "resource": shown, **_file(decision.item)}
    entry |= {"path": to_field(decision.path), "pointer": to_pointer(decision.path), "kept": decision.kept}
    entry |= _said("before", decision.before, hidden=hides_before(decision) and not show_secrets)
    entry |= _said("after", decision.after, hidden=hides_after(decision) and not show_secrets)
    leaf = decision.leaf
    if leaf is None:
        return entry
    if leaf.inner is not None:
        entry["inner"] = to_field(leaf.inner)
    beaten: list[JSON] = [_origin(origin, show_secrets=show_secrets) for origin in leaf.beaten]
    return {**entry, "origin": _origin(leaf.origin, show_secrets=show_secrets), "beaten": beaten}


def _origin(origin: Origin, *, show_secrets: bool) -> dict[str, JSON]:
    entry: dict[str, JSON] = {"layer": origin.layer, **_said("value", origin.value, hidden=origin.secret and not show_secrets)}
    if origin.item is not None:
        entry |= {"resource": _resource(origin.item), **_file(origin.item), "path": to_field(origin.path)}
    if origin.inner is not None:
        entry["inner"] = to_field(origin.inner)
    if line := line_of(origin):
        entry["line"] = line
    if origin.facts:
        entry["facts"] = dict(origin.facts)
    if origin.via:
        entry["via"] = [_origin(step, show_secrets=show_secrets) for step in origin.via]
    return entry


def line_of(origin: Origin) -> int:
    """The line of the origin in its file, from 1; 0 where the file is not known as it stands."""
    if origin.line:
        return origin.line
    if not isinstance(origin.item, Item) or not origin.item.position.line:
        return 0
    offset = origin.item.reading.line(origin.path)
    return 0 if offset is None else origin.item.position.line + offset


def _said(name: str, value: object, *, hidden: bool) -> dict[str, JSON]:
    """The value under its name; nothing where there is none, `null` and `hidden` where it must not be shown."""
    if value is ABSENT:
        return {}
    if not hidden:
        return {name: value}  # type: ignore[dict-item]
    return {name: None, "hidden": True}


def _value(value: object) -> list[Any]:
    return [] if value is ABSENT else [value]


def _resource(item: Item | New) -> dict[str, JSON]:
    return results.reference(item)


def _file(item: Item | New) -> dict[str, JSON]:
    if not isinstance(item, Item) or not item.position.file:
        return {}
    return {"file": {"path": item.position.path, "index": item.position.index}}


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
