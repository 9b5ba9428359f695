"""Finds the fields of a path in plain data, and what has to be created for absent ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.shown import type_of
from krm_values.layered_values.fault import FieldError
from krm_values.layered_values.paths import AnyKey, Each, Match

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values.layered_values.paths import Segments


@record
class Place:
    """A place on a path. left: the remaining segments; none for an existing field.

    in_text: whether they continue inside a text.
    """

    path: Path
    left: Segments = ()
    in_text: bool = False


def places(value: Any, left: Segments, path: Path = ()) -> Iterator[Place]:
    """Yield every place that a path matches. FieldError if it continues below something that has no such parts."""
    if not left:
        yield Place(path)
    elif isinstance(value, str):
        yield Place(path, left, in_text=True)
    elif value is None:
        yield Place(path, left)
    else:
        yield from _below(value, left, path)


def _below(value: Any, left: Segments, path: Path) -> Iterator[Place]:
    first, rest = left[0], left[1:]
    found: list[str | int] = []
    if isinstance(first, str | AnyKey) and isinstance(value, dict):
        found = [*value] if isinstance(first, AnyKey) else [key for key in (first,) if key in value]
    elif isinstance(first, int | Each | Match) and isinstance(value, list):
        found = [index for index, one in enumerate(value) if _means(first, index, one)]
    else:
        wanted = "a map" if isinstance(first, str | AnyKey) else "a list"
        raise FieldError(
            "target-type", "60", f"is of type {type_of(value)}, and the path continues as below {wanted}", path=path
        )
    if not found:
        yield Place(path, left)
    for part in found:
        yield from places(value[part], rest, (*path, part))


def _means(segment: int | Each | Match, index: int, element: Any) -> bool:
    if isinstance(segment, Match):
        return isinstance(element, dict) and element.get(segment.key) == segment.text
    return isinstance(segment, Each) or segment == index


def check_makeable(left: Segments) -> None:
    """Raise FieldError if the remaining path has anything but keys and elements by name, so that it cannot be created."""
    for segment in left:
        if not isinstance(segment, str | Match):
            raise FieldError("no-field", "67", "is absent and cannot be created: only keys and `[name=value]` can")


def created(data: Any, place: Place, value: Any) -> tuple[Path, Any, Path]:
    """Return the same as `made` for a place that was absent at first, in data that other targets have written to since; everything that remains can be created."""
    now = next(places(get(data, place.path), place.left, place.path))
    return (now.path, value, now.path) if not now.left else made(get(data, now.path), now, value)


def made(container: Any, place: Place, value: Any) -> tuple[Path, Any, Path]:
    """Return how a field is created: the path of the put, the value there, and the path of the field itself.

    All remaining segments of the place are keys or name an element.
    """
    if container is None:
        whole, inner = _nested(place.left, value)
        return place.path, whole, (*place.path, *inner)
    first, rest = place.left[0], place.left[1:]
    below, inner = _nested(rest, value)
    if isinstance(first, Match):
        at: Path = (*place.path, len(container))
        return at, _element(first, below, is_last=not rest), (*at, *inner)
    at = (*place.path, first)  # type: ignore[arg-type]
    return at, below, (*at, *inner)


def _nested(left: Segments, value: Any) -> tuple[Any, Path]:
    if not left:
        return value, ()
    below, inner = _nested(left[1:], value)
    if isinstance(left[0], Match):
        return [_element(left[0], below, is_last=len(left) == 1)], (0, *inner)
    return {left[0]: below}, (left[0], *inner)  # type: ignore[arg-type]


def _element(match: Match, below: Any, *, is_last: bool) -> Any:
    if is_last:
        return below
    return {match.key: match.text, **below}
