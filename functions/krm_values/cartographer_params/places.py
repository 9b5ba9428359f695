"""Places of findings about stamped objects: those of the template from which they were stamped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._kit.planner.plan import Finding, Origin
from krm_values.cartographer_params.templates import BODY, YTT

if TYPE_CHECKING:
    from krm_values._kit.planner.plan import New, Note
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.templates import Template


@record
class Stamped:
    """A stamped object, the template that it was stamped from, for whom, and in which step ("" of a Runnable)."""

    made: New
    template: Template
    owner: Owner
    step: str

    def finding(self, finding: Finding) -> Finding:
        """Return a finding about the object with its place in the template, the step and the owner."""
        path = YTT if self.template.body is None else (*BODY, *finding.path)
        step = f"the step `{self.step}`" if self.step else "the run template"
        text = f"{finding.message} (stamped by {step} of {self.owner.label})"
        return replace(finding, message=text, at=Origin("template", None, self.template.item, path))


class Stampings:
    """The objects that were stamped in a run."""

    __slots__ = ("_by_object",)

    def __init__(self) -> None:
        self._by_object: dict[int, Stamped] = {}

    def add(self, stamped: Stamped) -> None:
        """Add an object."""
        self._by_object[id(stamped.made)] = stamped

    def placed(self, one: Finding | Note) -> Finding | Note:
        """Return a finding about a stamped object with its place; anything else unchanged."""
        stamped = self._by_object.get(id(one.item)) if isinstance(one, Finding) and one.at is None else None
        return stamped.finding(one) if stamped and isinstance(one, Finding) else one
