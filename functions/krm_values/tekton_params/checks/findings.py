"""Makes the findings of this function: the param first, then what is wrong and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._kit.planner.plan import Finding, part_of

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values.tekton_params.findings import EarlierOutput
    from krm_values.tekton_params.pipelines import Task


@record
class Place:
    """What findings are about: the object, what earlier runs may have written in it, and the pipeline task's label and name ("" outside)."""

    item: Item
    earlier: EarlierOutput | None = None
    task: str = ""
    name: str = ""

    def within(self, task: Task) -> Place:
        """Return the place of one task of the pipeline."""
        return replace(self, task=task.label, name=task.name)

    def error(
        self, rule: str, kind: str, path: Path, param: str, text: str, *, found: JSON = None, old: str = "", part: str = ""
    ) -> Finding:
        """Make an error. old: the param whose lines of an earlier run may be the cause. part: the part of the string at `path` that is meant."""
        message = _about(param, text + (self.earlier.advice(self.item, old) if old and self.earlier else ""))
        inside = part_of(self.item, path, part)
        return Finding("error", kind, rule, message, self.item, path, found, self._tags(param), inside)

    def warning(
        self, rule: str, kind: str, path: Path, param: str, text: str, *, found: JSON = None, part: str = ""
    ) -> Finding:
        """Make a warning. part: the part of the string at `path` that is meant."""
        inside = part_of(self.item, path, part)
        return Finding("warning", kind, rule, _about(param, text), self.item, path, found, self._tags(param), inside)

    def _tags(self, param: str) -> dict[str, str]:
        tags = {"task": self.name or self.task} if self.task else {}
        return {**tags, "param": param} if param else tags


def _about(param: str, text: str) -> str:
    return f"{param}: {text}" if param else text
