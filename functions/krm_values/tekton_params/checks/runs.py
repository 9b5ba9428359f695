"""Checks of a PipelineRun or TaskRun itself: its values, its workspaces, and the object of the list that it refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.resources import listed
from krm_values.tekton_params import check_names as names
from krm_values.tekton_params import check_values as conflicts
from krm_values.tekton_params.checks import pitfalls, unused
from krm_values.tekton_params.spec.references import has_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding
    from krm_values.tekton_params.checks.findings import Place
    from krm_values.tekton_params.params import Value
    from krm_values.tekton_params.scope.known import Scope
    from krm_values.tekton_params.scope.needs import Setting
    from krm_values.tekton_params.spec.manifest import Manifest

doubled = names.by_case


def of_values(place: Place, run: Manifest, values: tuple[Value, ...], given: Scope) -> Iterator[Finding]:
    """Check the values of a run, whether its pipeline or task is embedded or not."""
    path = (*run.spec_path, "params")
    yield from names.of_unquoted(place, run.field("params"), path)
    yield from names.twice_in_run(place, values)
    for value in values:
        if has_result(value.value):
            text = "a run's value cannot read the result of a task; pass it on the task that needs it"
            yield place.error("46", "result-in-run", (*value.path, "value"), value.name, text, found=value.value)
    yield from pitfalls.retyped(place, values)
    yield from pitfalls.run_values(place, values)
    if run.kind == "PipelineRun":
        yield from pitfalls.workspaces(place, run, given)


def of_names(place: Place, values: tuple[Value, ...]) -> Iterator[Finding]:
    """Check the characters of the names that a run passes to what it embeds."""
    yield from names.of_values(place, values)


def of_reference(place: Place, run: Manifest, values: tuple[Value, ...], given: Scope, setting: Setting) -> Iterator[Finding]:
    """Check a run against the Pipeline or Task that it refers to; nothing is added."""
    if not setting.references:
        return
    kind = run.kind.removesuffix("Run")
    path: Path = (*run.spec_path, "pipelineRef" if kind == "Pipeline" else "taskRef")
    reference = run.field(str(path[-1]))
    target = setting.lookup.target(kind, place.item, reference)
    if target:
        yield from conflicts.of_run(place, target.declarations, given, f"{kind} {target.item.label}", path)
        declared = frozenset(one.name for one in target.declarations)
        yield from unused.of_run(place, run.spec, values, declared, setting)
    yield from several(place, setting.lookup.candidates(kind, place.item, reference), kind, path)


def several(place: Place, found: list[Item], kind: str, path: Path) -> Iterator[Finding]:
    """Report a reference that may refer to more than one object of the list."""
    if len(found) > 1:
        places = listed(found)
        text = f"{len(found)} {kind}s named {found[0].label} are equally near ({places}), so none is looked up; keep one or set namespaces"
        yield place.warning("52", "several-targets", path, "", text)
