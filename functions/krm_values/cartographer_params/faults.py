"""Why a step is not stamped, in words: what waits for run time, what is not rendered, what is wrong in its template."""

from __future__ import annotations

from krm_values._kit.plan import Finding
from krm_values.cartographer_params.templates import BODY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values.cartographer_params.rendering import Rendered
    from krm_values.cartographer_params.stamping import Target
    from krm_values.cartographer_params.template import Fault

_ALIASES = ("source", "image", "config")


def of_stamping(target: Target, rendered: Rendered) -> Iterator[Finding]:
    """What the user should know of a step's rendering."""
    owner = target.owner
    for fault in rendered.faults:
        yield _fault(target, fault)
    if rendered.state == "waiting":
        named = ", ".join(f"`$({expression})$`" for expression in rendered.waiting)
        way = "" if not target.step else "; give the outputs in `stepOutputs` to stamp it now"
        yield owner.say("info", "103", "waiting", f"{target.what} waits for run time: {named}{way}", step=target.step)
    if rendered.state == "notRendered":
        text = f"{target.what} is not rendered: its {target.template.kind} `{target.template.name}` is written for ytt; set `ytt: true` and name the program with --ytt"
        yield owner.say("warning", "80", "not-rendered", text, step=target.step)


def _fault(target: Target, fault: Fault) -> Finding:
    owner = target.owner
    what = f"`$({fault.expression})$`" if fault.expression else "a number"
    text = f"{what} {fault.fact}{_hint(fault)} ({target.what} of {owner.label})"
    tags = {"owner": owner.key, **({"step": target.step} if target.step else {})}
    rule = "65" if fault.missing else "66"
    return Finding("error", "expression", rule, text, target.template.item, (*BODY, *fault.path), None, tags)


def _hint(fault: Fault) -> str:
    """The way out of what leads nowhere."""
    first = fault.expression.lstrip("{.").partition(".")[0].partition("[")[0]
    if fault.expression.lstrip("{.").startswith("params[?"):
        return "; params are a map: write `params.name`"
    if not fault.missing:
        return ""
    if first == "params":
        return "; no layer sets it: give the template a default, or set it in the chain or the owner"
    if first in _ALIASES:
        return f"; `{first}` exists only where exactly one {first} can arrive: write `{first}s.<name>`"
    if first == "owner":
        return "; write `workload` or `deliverable`"
    return ""
