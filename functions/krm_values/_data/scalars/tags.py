"""Booleans and nulls with a tag: `!!bool "yes"` is true, and the map or list around it remembers how it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias, TypeVar

    from krm_values._data.values import JSON

    Tags: TypeAlias = Mapping[Any, tuple[JSON, str]]
    Holder = TypeVar("Holder", dict[str, JSON], list[JSON])


class TaggedMap(dict["str", "JSON"]):
    """A map that remembers the source text of members by key, as long as their value stays; it equals a plain map."""

    __slots__ = ("tags",)

    tags: Tags


class TaggedList(list["JSON"]):
    """A list that remembers the source text of elements by index, as long as it has `size` elements."""

    __slots__ = ("size", "tags")

    size: int
    tags: Tags


def tagged(value: Holder, tags: Tags) -> Holder:
    """Return a map or list with the source text of these members; the value itself if there are no tags."""
    if not tags:
        return value
    if isinstance(value, dict):
        members = TaggedMap(value)
        members.tags = tags
        return members
    elements = TaggedList(value)
    elements.tags, elements.size = tags, len(value)
    return elements


def like(original: object, made: Holder) -> Holder:
    """Return `made`, a copy or selection of a map or list, with the source text of those members that are still the same."""
    if type(original) is not TaggedMap and type(original) is not TaggedList:
        return made
    return tagged(made, dict(_known(original)))


def with_member(made: dict[str, JSON], key: str, value: JSON, holder: object, at: str | int) -> dict[str, JSON]:
    """Add a member of another map or list to a map, together with its source text."""
    made[key] = value
    text = source(holder, at)
    return tagged(made, {key: (value, text)}) if text else made


def source(holder: object, key: str | int) -> str:
    """Return the source text of a boolean or null in a map or list; "" if it is not known."""
    return dict(_known(holder)).get(key, (None, ""))[1] if type(holder) is TaggedMap or type(holder) is TaggedList else ""


def _known(holder: Any) -> Iterator[tuple[str | int, tuple[JSON, str]]]:
    is_as_it_was = isinstance(holder, TaggedMap) or len(holder) == holder.size
    for key, (value, text) in holder.tags.items() if is_as_it_was else ():
        if (isinstance(holder, list) or key in holder) and holder[key] is value:
            yield key, (value, text)
