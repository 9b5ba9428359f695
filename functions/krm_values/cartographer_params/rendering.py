"""Findings on why a step is not stamped: it waits for run time, is not rendered, or its template has errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding, line_of, part_of
from krm_values.cartographer_params.names import parts
from krm_values.cartographer_params.paths import ESCAPE
from krm_values.cartographer_params.templates import BODY, YTT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Inside
    from krm_values.cartographer_params.render import Rendered
    from krm_values.cartographer_params.tags import Fault
    from krm_values.cartographer_params.target import Target

_YTT_LINE = re.compile(r"stdin\.yml:(\d+)|\bline (\d+)\b")
_GUESS = "; did you mean "
_UNSET = "; no layer sets it: give the template a default, or set it in the chain or the owner"
_ALIASES = ("source", "image", "config")
_TYPED = ("workload", "deliverable", "runnable")
_CONTEXT = (*_TYPED, *_ALIASES, "params", "sources", "images", "configs", "deployment", "labels")


def of_stamping(target: Target, rendered: Rendered) -> Iterator[Finding]:
    """Yield the findings on the rendering of a template."""
    owner = target.owner
    for fault in rendered.faults:
        yield _fault(target, fault)
    if rendered.state == "waiting":
        named = ", ".join(f"`$({expression})$`" for expression in rendered.waiting)
        advice = "; give the outputs in `stepOutputs` to stamp it now" if target.step else ""
        yield owner.finding("info", "103", "waiting", f"{target.what} waits for run time: {named}{advice}", step=target.step)
    if rendered.state == "notRendered":
        named = f"its {target.template.kind} `{target.template.name}` is written for ytt"
        text = f"{target.what} is not rendered: {named}; set `ytt: true` and name the program with --ytt"
        yield owner.finding("warning", "80", "not-rendered", text, step=target.step)


def _fault(target: Target, fault: Fault) -> Finding:
    owner = target.owner
    template = target.template
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
    names = parts(expression)
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
        return ("70" if ESCAPE in fault.fact else "69"), ""
    return "65", _UNSET


def _of_absent(first: str) -> tuple[str, str]:
    if first in _ALIASES:
        return "72", f"; it exists only if exactly one {first} can arrive: write `{first}s.<name>`"
    if first in _TYPED:
        return "73", ""
    if first == "selected":
        return "15", "; the Runnable has no `spec.selector`"
    if first not in _CONTEXT:
        return "71", "; write `workload` or `deliverable`" if first == "owner" else ""
    return "65", ""
