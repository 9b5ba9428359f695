"""Makes the findings of this function: the param first, then what is wrong and how to fix it.

What an earlier run may have written counts as authored, so where it causes an error, the message lists it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._data.record import record, replace
from krm_values._krm import places
from krm_values._krm.plan import part_of
from krm_values.tekton_params.params import is_added_form, key_reference
from krm_values.tekton_params.params import values as values_of
from krm_values.tekton_params.pipelines import EACH, Pipeline, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.pipelines import Task

_SHOWN = 20
_UNKNOWN = ("unknown-param", "unknown-in-pipeline")
_BARE = frozenset(("name", "type", "properties", "enum"))


@record
class Reporter:
    """Reports findings about an object. earlier: what earlier runs may have written in it. task, name: of the pipeline task ("" outside).

    unknown: the names that errors on references have called unknown, so that the checks of unused names, which run later, do not report the
    same typo once more; None if they do not run.
    """

    item: Item
    report: Report
    earlier: EarlierOutput | None = None
    task: str = ""
    name: str = ""
    unknown: set[str] | None = None

    def within(self, task: Task) -> Reporter:
        """Return the reporter for one task of the pipeline."""
        return replace(self, task=task.label, name=task.name)

    def error(
        self, kind: str, rule: str, path: Path, param: str, text: str, *, old: str = "", part: str = "", **more: Any
    ) -> None:
        """Report an error. old: the param whose lines of an earlier run may be the cause. part: the part of the string at `path` that is meant.

        more: other fields of the finding.
        """
        if self.unknown is not None and kind in _UNKNOWN:
            self.unknown.update((param, param.partition(".")[0].partition("[")[0]))
        advice = self.earlier.advice(self.item, old) if old and self.earlier else ""
        self.report.error(kind, rule, _about(param, text + advice), self.item, path, **self._more(path, param, part), **more)

    def warning(self, kind: str, rule: str, path: Path, param: str, text: str, *, part: str = "", **more: Any) -> None:
        """Report a warning. part: the part of the string at `path` that is meant. more: other fields of the finding."""
        self.report.warning(kind, rule, _about(param, text), self.item, path, **self._more(path, param, part), **more)

    def _more(self, path: Path, param: str, part: str) -> dict[str, Any]:
        tags = {"task": self.name or self.task} if self.task else {}
        return {"tags": {**tags, "param": param} if param else tags, "inside": part_of(self.item, path, part)}


class EarlierOutput:
    """The entries of an object that have the form in which an earlier run would have written them, by param; searched once."""

    __slots__ = ("_found", "_root")

    def __init__(self, root: Pipeline | Task) -> None:
        self._root = root
        self._found: dict[str, list[Path]] | None = None

    def advice(self, item: Item, name: str) -> str:
        """Return advice that lists the first lines that an earlier run may have written for a param; "" if there are none."""
        if self._found is None:
            self._found = {}
            found = _of_pipeline(self._root) if isinstance(self._root, Pipeline) else _of_task(self._root, {})
            for param, path in found:
                self._found.setdefault(param, []).append(path)
        paths = self._found.get(name, [])
        shown = ", ".join(f"`{to_field(path)}`{_line(item, path)}" for path in paths[:_SHOWN])
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        return f"; if an earlier run wrote them, delete these and run again: {shown}{more}" if paths else ""


def is_bare(declaration: Declaration) -> bool:
    """Return whether a declaration has no other keys than one that mode `propagate` adds to a pipeline for an enum of its tasks.

    One that mode `implicit` added may have a description and a default; it is known by its equality with the outer one.
    """
    return _BARE.issuperset(declaration.data)


def _about(param: str, text: str) -> str:
    return f"{param}: {text}" if param else text


def _line(item: Item, path: Path) -> str:
    line, _ = places.exactly(item, path)
    return f" (line {line})" if line else ""


def _of_pipeline(pipeline: Pipeline) -> Iterator[tuple[str, Path]]:
    """Yield the entries and keys that have the form that this function writes, each with the param's name."""
    declared: dict[str, list[Declaration]] = {}
    for one in pipeline.declarations:
        declared.setdefault(one.name, []).append(one)
        if is_bare(one):
            yield one.name, one.path
    for task in pipeline.tasks:
        yield from _of_task(task, declared)


def _of_task(task: Task, outer: Mapping[str, list[Declaration]]) -> Iterator[tuple[str, Path]]:
    for value in task.values:
        name = value.name
        if is_added_form(value.value, name):
            yield name, value.path
        elif isinstance(value.value, dict):
            keys = (key for key, text in value.value.items() if text == key_reference(name, key))
            yield from ((name, (*value.path, "value", key)) for key in keys)
    for path, entries in walk(task.body, task.spec, ("steps", EACH, "params")) if task.is_embedded else ():
        yield from ((value.name, value.path) for value in values_of(entries, path) if is_added_form(value.value, value.name))
    for one in task.declarations:
        if is_bare(one) or any(one.data == copied.data for copied in outer.get(one.name, ())):
            yield one.name, one.path
    if task.inner:
        yield from _of_pipeline(task.inner)
