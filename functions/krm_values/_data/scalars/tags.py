"""Booleans and nulls with a tag: `!!bool "yes"` is true and cannot remember how it is written, so the map or list around it does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias, TypeVar

    from krm_values._data.values import JSON

    Tags: TypeAlias = Mapping[Any, tuple[JSON, str]]
    Holder = TypeVar("Holder", dict[str, JSON], list[JSON])


class TaggedMap(dict["str", "JSON"]):
    """A map that knows by key how a member is written, as long as it is that value; equal to a plain map."""

    __slots__ = ("tags",)

    tags: Tags


class TaggedList(list["JSON"]):
    """A list that knows it by index, as long as it has `size` elements."""

    __slots__ = ("size", "tags")

    size: int
    tags: Tags


def tagged(value: Holder, tags: Tags) -> Holder:
    """A map or list whose members are written like this; the value itself where there are no tags."""
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
    """What was made of a map or list, member by member, with what the original knows of those that are the same."""
    if type(original) is not TaggedMap and type(original) is not TaggedList:
        return made
    return tagged(made, dict(_known(original)))


def with_member(made: dict[str, JSON], key: str, value: JSON, holder: object, at: str | int) -> dict[str, JSON]:
    """A map with one member more: a value that stands in another map or list, and is written as it is there."""
    made[key] = value
    text = source(holder, at)
    return tagged(made, {key: (value, text)}) if text else made


def source(holder: object, key: str | int) -> str:
    """How a boolean or null is written that stands in a map or list; "" where that is not known."""
    return dict(_known(holder)).get(key, (None, ""))[1] if type(holder) is TaggedMap or type(holder) is TaggedList else ""


def _known(holder: Any) -> Iterator[tuple[str | int, tuple[JSON, str]]]:
    is_as_it_was = isinstance(holder, TaggedMap) or len(holder) == holder.size
    for key, (value, text) in holder.tags.items() if is_as_it_was else ():
        if (isinstance(holder, list) or key in holder) and holder[key] is value:
            yield key, (value, text)
