"""What an earlier run may have written of a param: it counts as the author's, so it is named where it is in the way."""

from __future__ import annotations

from krm_values._kit import places
from krm_values._kit.pointer import to_field
from krm_values.tekton_params.pipelines import Pipeline
from krm_values.tekton_params.spelling import is_ours, key_reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.item import Item
    from krm_values._kit.pointer import Path
    from krm_values.tekton_params.params import Declaration
    from krm_values.tekton_params.pipelines import Task

_BARE = frozenset(("name", "type", "properties", "enum"))


def advice(item: Item, root: Pipeline | Task, name: str) -> str:
    """The way out where what an earlier run wrote is the cause: every such line."""
    paths = _of_pipeline(root, name) if isinstance(root, Pipeline) else _of_task(root, name, ())
    listed = ", ".join(f"`{to_field(path)}`{_line(item, path)}" for path in paths)
    return f"; if an earlier run wrote them, delete these and run again: {listed}" if listed else ""


def is_bare(declaration: Declaration) -> bool:
    """Whether a declaration has only what an added one has."""
    return _BARE.issuperset(declaration.data)


def _line(item: Item, path: Path) -> str:
    """Its line in the file, where that is known."""
    line, _ = places.exactly(item, path)
    return f" (line {line})" if line else ""


def _of_pipeline(pipeline: Pipeline, name: str) -> Iterator[Path]:
    """The entries and keys for a name that are shaped as we would have written them."""
    declared = [one for one in pipeline.declarations if one.name == name]
    yield from (one.path for one in declared if is_bare(one))
    for task in pipeline.tasks:
        yield from _of_task(task, name, declared)


def _of_task(task: Task, name: str, outer: Iterable[Declaration]) -> Iterator[Path]:
    for value in task.values:
        if value.name == name and is_ours(value.value, name):
            yield value.path
        elif value.name == name and isinstance(value.value, dict):
            yield from ((*value.path, "value", key) for key, text in value.value.items() if text == key_reference(name, key))
    for one in task.declarations:
        if one.name == name and (is_bare(one) or any(one.data == copied.data for copied in outer)):
            yield one.path
    if task.inner:
        yield from _of_pipeline(task.inner, name)
