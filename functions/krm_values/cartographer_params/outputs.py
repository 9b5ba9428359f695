"""The output of a step, as far as it can be known without a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.cartographer_params import paths
from krm_values.cartographer_params.inputs import Output
from krm_values.cartographer_params.kind_names import DEPLOYMENT, SOURCE

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import New
    from krm_values._kit.planner.report import Report
    from krm_values.cartographer_params.budget import Room
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.templates import Template


def rendered(owner: Owner, step: Step, template: Template, made: New, report: Report, *, room: Room) -> Output:
    """Return the output that is read from a stamped object; `waiting` if its template is not mutable or the path finds nothing.

    room: what is left for the paths of the run.
    """
    waiting = Output(step.output, "waiting" if step.output else "")
    if not step.output or step.kind == DEPLOYMENT or template.lifecycle != "mutable":
        return waiting
    faults: dict[str, str] = {}
    values = [_read(path, made.data, room, faults) for path in template.outputs.values() if path]
    for path, fact in faults.items():
        text = f"the output of the step `{step.name}` is not known: {path} of {template.kind} `{template.name}` {fact}"
        report.add(owner.finding("error" if room.is_full else "warning", "101", "output-path", text, step=step.name))
    if len(values) < len(template.outputs) or any(value is None for value in values):
        return waiting
    named = " and ".join(f"`{path}`" for path in template.outputs.values())
    text = f"the {step.output} of the step `{step.name}` is read from {named} of the rendered object, which is correct unless a controller rewrites it"
    report.add(owner.finding("info", "107", "rendered-output", text, step=step.name))
    value: JSON = {"url": values[0], "revision": values[1]} if step.kind == SOURCE else values[0]
    return Output(step.output, "rendered", value, made, tuple(template.outputs.values()))


def _read(path: str, stamped: JSON, room: Room, faults: dict[str, str]) -> JSON:
    """Return the value at an output path; None if there is none. faults: gets the errors of paths."""
    try:
        return paths.on_object(path, stamped, room.paths)
    except paths.PathError as error:
        if not error.missing:
            faults[path] = error.fact
        return None
