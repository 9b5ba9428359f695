"""Rendering of a template for an owner: by its tags, or by ytt (rules 80 to 83); and why an object waits, fails or is not rendered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import record
from krm_values._go import encoding_json
from krm_values._go.jsonpath import UNKNOWN, plain
from krm_values._krm.plan import Finding, line_of, part_of
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.blueprints import BODY, YTT
from krm_values.cartographer_params.kinds import CONTEXT, INPUTS
from krm_values.cartographer_params.tags import OWNERS, Fault, context_of, stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.jsonpath import GoValue
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Inside, New, Origin, Severity
    from krm_values.cartographer_params.blueprints import Template
    from krm_values.cartographer_params.owner import Owner
    from krm_values.cartographer_params.paths import RunBudget

    Renderer: TypeAlias = Callable[[str, Mapping[str, str]], str]  # the body and the data values as JSON texts; YttError

_BEYOND = 1 << 63
_YTT_LINE = re.compile(r"stdin\.yml:(\d+)|\bline (\d+)\b")
_GUESS = "; did you mean "
_UNSET = "; no layer sets it: give the template a default, or set it in the chain or the owner"


@record
class StampTarget:
    """What is stamped: for whom, in which step ("" of a Runnable), from which template, with which labels, after which objects.

    inputs: says where the values of other steps come from, by the names in a tag that mean them.
    """

    owner: Owner
    step: str
    template: Template
    labels: Mapping[str, str]
    feeds: tuple[New, ...] = ()
    inputs: Callable[[], Mapping[tuple[str, ...], Origin]] = dict

    @property
    def what(self) -> str:
        return f"the step `{self.step}`" if self.step else "its run template"

    def finding(self, severity: Severity, rule: str, kind: str, predicate: str) -> Finding:
        """Return a finding about the step or run template."""
        return self.owner.finding(severity, rule, kind, f"{self.what} {predicate}", step=self.step)

    @property
    def is_mutable(self) -> bool:
        """Whether the controller updates the object; that of a Runnable is made anew."""
        return bool(self.step) and self.template.lifecycle == "mutable"


@record
class Rendered:
    """The result of rendering. state: `stamped`, `waiting` (for these expressions), `failed` (by these faults) or `notRendered`."""

    state: str
    value: JSON = None
    waiting: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def render(
    template: Template, values: Mapping[str, Any], typed: Mapping[str, GoValue], renderer: Renderer | None, budget: RunBudget
) -> Rendered:
    """Render a template. values, typed: the plain and the typed values of its context. budget: that of the run."""
    if template.body is None:
        return _ytt(template.ytt, {**values, **typed}, renderer)
    try:
        context = context_of(values, **typed)
    except ValueError as error:  # a number that came with an input
        return Rendered("failed", faults=(Fault((), "", f"an input cannot be read: {error}"),))
    stamped = stamp(template.body, context, budget)
    if stamped.faults:
        return Rendered("failed", faults=stamped.faults)
    if stamped.waiting:
        return Rendered("waiting", waiting=stamped.waiting)
    return Rendered("stamped", stamped.value)


def _ytt(body: str, context: Mapping[str, GoValue], renderer: Renderer | None) -> Rendered:
    """Render a ytt body. A failure while an input is not known counts as waiting, because its cause cannot be determined."""
    if renderer is None:
        return Rendered("notRendered")
    known, missing = without_unknown(context)
    try:
        return Rendered("stamped", run_ytt(body, known, renderer))
    except YttError as error:
        if missing:
            return Rendered("waiting", waiting=tuple(sorted(missing)))
        return Rendered("failed", faults=(Fault((), "", error.fact),))


class YttError(Exception):
    """A body that was not rendered. fact: the reason, as a predicate of the body."""

    def __init__(self, fact: str) -> None:
        super().__init__(fact)
        self.fact = fact


def without_unknown(context: Mapping[str, GoValue]) -> tuple[dict[str, GoValue], list[str]]:
    """Return a context without the unknown outputs, as at run time before they arrive, and the names of their inputs.

    An input that has not arrived is left out, and so is its short name; a deployment is null.
    """
    found: dict[str, GoValue] = {}
    missing = []
    for key, value in context.items():
        if key == "deployment" and value is UNKNOWN:
            found[key] = None
            missing.append(key)
        elif isinstance(value, dict):
            found[key] = {name: below for name, below in value.items() if below is not UNKNOWN}
            missing += [f"{key}.{name}" for name in value if name not in found[key]]
        elif value is not UNKNOWN:
            found[key] = value
    return found, missing


def run_ytt(body: str, context: Mapping[str, GoValue], renderer: Renderer) -> JSON:
    """Return the object that a ytt body renders: the first document of the program's output.

    context: as `without_unknown` returns it, including typed owners, which are passed as JSON. Raises YttError.
    """
    from krm_values._go import yaml  # noqa: PLC0415 - few runs render with ytt

    text = renderer(body, {key: encoding_json.text(plain(value)) for key, value in context.items()})
    try:
        found = yaml.read(text, floats=False).data
    except InputError as error:
        raise YttError(f"renders something that is not YAML: {error}") from error
    if not isinstance(found, dict):
        what = "nothing" if found is None else "something that is not an object"
        raise YttError(f"renders {what}; its first document must be an object")
    return _as_controller(found)


def _as_controller(value: JSON) -> JSON:
    """Return plain data as a controller reads it: a whole number beyond 64 bits becomes a float (rule 75)."""
    if isinstance(value, dict):
        return {key: _as_controller(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_as_controller(below) for below in value]
    return encoding_json.number(value) if isinstance(value, int) and not -_BEYOND <= value < _BEYOND else value


def findings(target: StampTarget, rendered: Rendered) -> Iterator[Finding]:
    """Yield why a template was not stamped."""
    for fault in rendered.faults:
        yield _fault(target, fault)
    if rendered.state == "waiting":
        named = ", ".join(f"`$({expression})$`" for expression in rendered.waiting)
        advice = "; give the outputs in `stepOutputs` to stamp it now" if target.step else ""
        yield target.finding("info", "103", "waiting", f"waits for run time: {named}{advice}")
    if rendered.state == "notRendered":
        named = f"its {target.template.kind} `{target.template.name}` is written for ytt"
        text = f"is not rendered: {named}; set `ytt: true` and name the program with --ytt"
        yield target.finding("warning", "80", "not-rendered", text)


def _fault(target: StampTarget, fault: Fault) -> Finding:
    owner, template = target.owner, target.template
    rule, hint = _diagnosis(fault, is_run=not target.step) if template.body is not None else _of_ytt(fault)
    what = f"`$({fault.expression})$` " if fault.expression else ""
    text = f"{what}{_with_hint(fault.fact, hint)} ({target.what} of {owner.label})"
    tags = {"owner": owner.key, **({"step": target.step} if target.step else {})}
    path = (*(YTT if template.body is None else BODY), *fault.path)
    return Finding(
        "error", "expression", rule, text, template.item, path, None, tags, inside=_inside(template.item, path, fault)
    )


def _inside(item: Item, path: Path, fault: Fault) -> Inside | None:
    """Return the place of the tag, or of the line that ytt names, within a string of several lines."""
    if fault.expression:
        return part_of(item, path, f"$({fault.expression})$")
    named = _YTT_LINE.search(fault.fact)
    return line_of(item, path, int(named[1] or named[2])) if named else None


def _with_hint(fact: str, hint: str) -> str:
    """Return a message with at most one advice: that of a broken rule, else the guess within the fact, else that of an unset param."""
    if not hint or _GUESS not in fact:
        return fact + hint
    return fact if hint == _UNSET else fact.partition(_GUESS)[0] + hint


def _of_ytt(fault: Fault) -> tuple[str, str]:
    is_comment = "Non-ytt comment" in fault.fact
    return ("83", "; write `#!` for a comment, and `#@` for code") if is_comment else ("81", "")


def _diagnosis(fault: Fault, *, is_run: bool) -> tuple[str, str]:
    """Return the rule that a tag breaks, and advice or ""."""
    expression = fault.expression
    if expression.lstrip("{.").startswith("params[?"):
        return "65", "; params are a map: write `params.<name>`"
    names = paths.names(expression)
    if names is None:
        return ("70", "; double quotes do not parse") if '["' in expression else ("66", "")
    first = names[0] if names else ""
    if is_run and first not in ("runnable", "selected"):
        return "15", "; a run template sees `runnable` and `selected` only"
    if first == "params" and len(names) > 1:
        return _of_param(fault, len(names))
    if fault.missing:
        return _of_absent(first)
    return ("64" if fault.is_null else "66"), ""


def _of_param(fault: Fault, depth: int) -> tuple[str, str]:
    if fault.is_null:
        return "64", ""
    if depth > 2 or not fault.missing:
        return ("70" if paths.ESCAPE in fault.fact else "69"), ""
    return "65", _UNSET


def _of_absent(first: str) -> tuple[str, str]:
    if first in INPUTS.values():
        return "72", f"; it exists only if exactly one {first} can arrive: write `{first}s.<name>`"
    if first in OWNERS:
        return "73", ""
    if first == "selected":
        return "15", "; the Runnable has no `spec.selector`"
    if first not in CONTEXT:
        return "71", "; write `workload` or `deliverable`" if first == "owner" else ""
    return "65", ""
