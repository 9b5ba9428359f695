"""The path of a transformation's source: a client-go JSONPath with exactly one result and without missing names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._golang.jsonpath import budget, evaluate
from krm_values._golang.jsonpath.budget import Steps
from krm_values._golang.jsonpath.nodes import PathError
from krm_values._golang.jsonpath.values import plain, unstructured
from krm_values._kit.planner.undo_record.entries import WithheldSecret

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue

__all__ = ["PathError", "Sources", "one"]

MOST = 2_000_000
"""Steps that all source paths of a run may take: values visited or made."""


class Sources:
    """The objects that source paths read, each converted once, and the remaining budget of steps."""

    __slots__ = ("_objects", "left")

    def __init__(self) -> None:
        self.left = MOST
        self._objects: dict[int, tuple[JSON, GoValue]] = {}

    def unstructured(self, data: JSON) -> GoValue:
        """Return an object as the API server stores it. Raises PathError if it refuses it."""
        if id(data) not in self._objects:
            self._objects[id(data)] = data, _unstructured(data)
        found = self._objects[id(data)][1]
        if isinstance(found, ValueError):
            raise PathError(f"reads an object that the API server refuses: {found}")
        return found


def one(path: str, data: JSON, title: str, sources: Sources) -> tuple[Path, JSON]:
    """Return (path, value) of the one value that a path finds in an object; the path is () for text in the source path itself.

    title: of the object, for messages. Raises PathError if nothing or several values are found, and if it does not parse.
    """
    if not sources.left:
        raise PathError(f"is not followed: the source paths of this run have taken {MOST:,} steps")
    steps = Steps(min(budget.MOST, sources.left))
    try:
        pieces = evaluate.find(sources.unstructured(data), path, allow_missing=False, steps=steps)
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
    return place, _known(get(data, place), title)


def _unstructured(data: JSON) -> GoValue | ValueError:
    try:
        return unstructured(data)
    except ValueError as error:
        return error


def _known(value: object, title: str) -> JSON:
    if _is_withheld(value):
        raise PathError(f"reads a value of {title} that was overwritten and is not known: write it there again")
    return value  # type: ignore[return-value]


def _is_withheld(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_is_withheld, value.values()))
    return any(map(_is_withheld, value)) if isinstance(value, list) else isinstance(value, WithheldSecret)
