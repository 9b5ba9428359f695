"""The path of a transformation's source: client-go's JSONPath with one result, and no name in it may be missing."""

from __future__ import annotations

from krm_values._data.pointer import get
from krm_values._golang.jsonpath import budget, evaluate
from krm_values._golang.jsonpath.budget import Steps
from krm_values._golang.jsonpath.nodes import PathError
from krm_values._golang.jsonpath.values import plain, unstructured
from krm_values._kit.planner.undo_record.entries import WithheldSecret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue

__all__ = ["PathError", "Sources", "one"]

MOST = 2_000_000
"""Values that all source paths of a run may visit and make on their way."""


class Sources:
    """The objects that source paths lead into, each made ready once, and the steps that all paths may still take."""

    __slots__ = ("_held", "left")

    def __init__(self) -> None:
        self.left = MOST
        self._held: dict[int, tuple[JSON, GoValue]] = {}

    def held(self, data: JSON) -> GoValue:
        """An object as the API server holds it. PathError where it does not."""
        if id(data) not in self._held:
            self._held[id(data)] = data, _unstructured(data)
        found = self._held[id(data)][1]
        if isinstance(found, ValueError):
            raise PathError(f"leads into what the API server does not take: {found}")
        return found


def one(path: str, data: JSON, title: str, sources: Sources) -> tuple[Path, JSON]:
    """The one value that a path finds in an object, and its place; () is the place of what stands in the path itself.

    title: what the object is called in a fault. PathError where nothing or several are found, and where it cannot be read.
    """
    if not sources.left:
        raise PathError(f"is not followed: the source paths of this run have taken {MOST:,} steps")
    steps = Steps(min(budget.MOST, sources.left))
    try:
        pieces = evaluate.find(sources.held(data), path, allow_missing=False, steps=steps)
    except PathError as error:
        fact = f"finds nothing in {title}: it {error.fact}" if error.missing else error.fact
        raise PathError(fact) from error
    finally:
        sources.left -= steps.most - max(steps.left, 0)
    if len(pieces) > 1:
        raise PathError(f"has {len(pieces)} parts, in braces and beside them, and each is a value of its own: keep one")
    found = [entry for piece in pieces for entry in piece]
    if len(found) != 1:
        raise PathError(f"finds {f'{len(found)} values' if found else 'nothing'} in {title}, one is needed")
    value, place = found[0]
    if place is None:
        return (), plain(value)
    return place, _kept(get(data, place), title)


def _unstructured(data: JSON) -> GoValue | ValueError:
    try:
        return unstructured(data)
    except ValueError as error:
        return error


def _kept(value: object, title: str) -> JSON:
    if _is_unkept(value):
        raise PathError(
            f"leads to what {title} held before it was overwritten, which is not known: write the value there again"
        )
    return value  # type: ignore[return-value]


def _is_unkept(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_is_unkept, value.values()))
    return any(map(_is_unkept, value)) if isinstance(value, list) else isinstance(value, WithheldSecret)
