"""A function, and its one way to run: plan everything, then apply all of it or nothing."""

from __future__ import annotations

from krm_values._kit import names
from krm_values._kit.apply import State
from krm_values._kit.errors import EditError, InputError
from krm_values._kit.plan import Drop, Finding, Mark, Move, New, Note, Put
from krm_values._kit.record import record, replace
from krm_values._kit.results import in_order
from krm_values._kit.select import Resources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Protocol

    from krm_values._kit.apply import Decision
    from krm_values._kit.plan import JSON, Item, Plan

    class Carrier(Protocol):
        """What items came in: a ResourceList or files."""

        @property
        def items(self) -> Sequence[Item]: ...
        @property
        def is_json(self) -> bool: ...
        def text(self, number: int) -> str: ...
        def crossing(self, number: int) -> int: ...


_IDS = ("internal.config.kubernetes.io/id", "config.k8s.io/id")
_RESOURCE_ID = "kpt-resource-id"


@record
class Function:
    """A function as its folder declares it: `Function(__name__, "config:TektonParams", plan.plan)`.

    model: module and class of the config's model, imported when a config is read. record: whether an undo record is kept.
    tools: what a run may be handed. commands: the module with further subcommands.
    """

    package: str
    model: str
    plan: Callable[[Any, Resources, Any], Plan]
    record: Callable[[Any], bool] | None = None
    tools: tuple[str, ...] = ()
    commands: str = ""

    @property
    def name(self) -> str:
        """As an argument: `tekton-params`."""
        return names.argument(self.package)

    def load_model(self) -> Any:
        """The pydantic model of the functionConfig."""
        module, _, attribute = self.model.partition(":")
        return getattr(__import__(f"{self.package}.{module}", fromlist=[attribute]), attribute)


@record
class Outcome:
    """What a run decided. With an error finding nothing is edited, removed or added.

    edited: new text by item number. added: (data, the New it comes from). operations: RFC 6902, paths from /items/N of the input.
    """

    findings: tuple[Finding, ...]
    edited: Mapping[int, str]
    removed: frozenset[int]
    added: tuple[tuple[JSON, New], ...]
    operations: tuple[dict[str, JSON], ...]
    decisions: tuple[Decision, ...]
    notes: tuple[Note, ...]

    @property
    def failed(self) -> bool:
        return any(finding.severity == "error" for finding in self.findings)


def resolve(function: Function, config: object, carrier: Carrier, tools: object = None) -> Outcome:
    """Run a function's planner over the items and apply what it decided."""
    repeats, findings = _repeats(carrier)
    items = [item for item in carrier.items if item.number not in repeats]
    decided = list(function.plan(config, Resources(items), tools))
    findings += [entry for entry in decided if isinstance(entry, Finding)]
    findings += [_unreadable(item, item.error) for item in items if item.error]
    states, removed = _apply(decided, findings)
    edited = _texts(states, carrier, findings) if not _fails(findings, config) else {}
    ordered = in_order(_strict(finding) if getattr(config, "strict", False) else finding for finding in findings)
    failed = _fails(ordered, config)
    return Outcome(
        ordered,
        {} if failed else edited,
        frozenset() if failed else frozenset(repeats | removed),
        (),
        () if failed else _operations(states, repeats | removed),
        tuple(decision for state in states.values() for decision in state.decisions),
        tuple(entry for entry in decided if isinstance(entry, Note)),
    )


def _apply(decided: Sequence[object], findings: list[Finding]) -> tuple[dict[int, State], set[int]]:
    states: dict[int, State] = {}
    removed: set[int] = set()
    for entry in decided:
        if not isinstance(entry, Put | Drop | Move | Mark) or isinstance(entry.item, New):
            continue
        if isinstance(entry, Drop) and not entry.path:
            removed.add(entry.item.number)
            continue
        state = states.setdefault(entry.item.number, State(entry.item))
        try:
            _step(state, entry)
        except EditError as error:
            findings.append(_refused(entry.item, error))
    return states, removed


def _step(state: State, entry: Put | Drop | Move | Mark) -> None:
    match entry:
        case Put():
            state.put(entry)
        case Drop():
            state.drop(entry)
        case Move():
            state.move(entry)
        case Mark():
            state.mark(f"{names.GROUP}/{entry.name}", entry.value)


def _texts(states: dict[int, State], carrier: Carrier, findings: list[Finding]) -> dict[int, str]:
    """The edited items' new texts; what the editor refuses becomes a finding."""
    texts: dict[int, str] = {}
    for number, state in states.items():
        if not state.edits:
            continue
        if state.resized:
            for key in _IDS:
                state.unmark(key)
        try:
            texts[number], notes = _edited(state, carrier)
        except (EditError, InputError) as error:
            findings.append(_refused(state.item, error))
            continue
        findings += [Finding("info", "rewritten", None, note, state.item) for note in notes]
    return texts


def _edited(state: State, carrier: Carrier) -> tuple[str, list[str]]:
    from krm_values._kit.splice import Editor  # noqa: PLC0415 - only where something is edited

    number = state.item.number
    if line := carrier.crossing(number):
        raise EditError("an anchor or alias crosses the border of this item: write the block out", line)
    editor = Editor(carrier.text(number), is_json=carrier.is_json)
    for edit in state.edits:
        match edit.op:
            case "put":
                editor.put(edit.path, edit.value, insert=edit.insert, after=edit.after, flow=edit.flow)
            case "remove":
                editor.remove(edit.path)
            case _:
                editor.move(edit.path, edit.to)
    return editor.text(), editor.notes


def _operations(states: dict[int, State], gone: set[int]) -> tuple[dict[str, JSON], ...]:
    """Edits first, by the input's numbers; then removals from the end, so that no number shifts before it is used."""
    edits = [operation for number in sorted(states) if number not in gone for operation in states[number].operations]
    removals: list[dict[str, JSON]] = [{"op": "remove", "path": f"/items/{number}"} for number in sorted(gone, reverse=True)]
    return (*edits, *removals)


def _repeats(carrier: Carrier) -> tuple[set[int], list[Finding]]:
    """Items that a host sent twice: byte-equal, with the same kpt-resource-id."""
    seen: dict[tuple[str, str, str, str], list[Item]] = {}
    repeats: set[int] = set()
    findings = []
    for item in carrier.items:
        earlier = seen.setdefault((item.api_version, item.kind, item.namespace, item.name), [])
        text = carrier.text(item.number).strip() if earlier else ""
        if _RESOURCE_ID in text and any(carrier.text(other.number).strip() == text for other in earlier):
            repeats.add(item.number)
            findings.append(
                Finding("warning", "repeat", None, "was sent twice by overlapping selectors; the repeat is dropped", item)
            )
            continue
        earlier.append(item)
    return repeats, findings


def _fails(findings: Sequence[Finding], config: object) -> bool:
    strict = bool(getattr(config, "strict", False))
    return any(finding.severity == "error" or (strict and finding.severity == "warning") for finding in findings)


def _strict(finding: Finding) -> Finding:
    return replace(finding, severity="error") if finding.severity == "warning" else finding


def _unreadable(item: Item, error: InputError) -> Finding:
    place = f"line {error.line} of the resource, column {error.column}: " if error.line else ""
    return Finding("error", "unreadable", None, f"{place}{error.message}", item)


def _refused(item: Item, error: EditError | InputError) -> Finding:
    place = f"line {error.line} of the resource: " if error.line else ""
    return Finding("error", "edit", None, f"{place}{error.message}", item)
