"""Rendering of a template's body with a context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values.cartographer_params import ytt
from krm_values.cartographer_params.tags import Fault, context_of, stamp

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue
    from krm_values.cartographer_params.budget import Room
    from krm_values.cartographer_params.templates import Template
    from krm_values.cartographer_params.ytt import Renderer


@record
class Rendered:
    """The result of rendering. state: `stamped`, `waiting` (for these expressions), `failed` (by these faults) or `notRendered`."""

    state: str
    value: JSON = None
    waiting: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def render(
    template: Template, plain: Mapping[str, Any], typed: Mapping[str, GoValue], renderer: Renderer | None, room: Room
) -> Rendered:
    """Render a template. plain, typed: the plain and the typed values of its context. room: the budget of all objects of a run."""
    if template.body is None:
        return _ytt(template.ytt, {**plain, **typed}, renderer)
    try:
        context = context_of(plain, **typed)
    except ValueError as error:  # a number that came with an input
        return Rendered("failed", faults=(Fault((), "", f"an input cannot be read: {error}"),))
    stamped = stamp(template.body, context, room)
    if stamped.faults:
        return Rendered("failed", faults=stamped.faults)
    if stamped.waiting:
        return Rendered("waiting", waiting=stamped.waiting)
    return Rendered("stamped", stamped.value)


def _ytt(body: str, context: Mapping[str, GoValue], renderer: Renderer | None) -> Rendered:
    """Render a ytt body. A failure while an input is not known counts as waiting, because its cause cannot be determined."""
    if renderer is None:
        return Rendered("notRendered")
    known, missing = ytt.known(context)
    try:
        return Rendered("stamped", ytt.rendered(body, known, renderer))
    except ytt.YttError as error:
        if missing:
            return Rendered("waiting", waiting=tuple(sorted(missing)))
        return Rendered("failed", faults=(Fault((), "", error.fact),))
