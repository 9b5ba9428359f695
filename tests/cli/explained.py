"""A package as `explain` sees it, in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._explain import steps, values
from krm_values._explain.ways import Trace, Way
from krm_values._krm.plan import RESOURCE
from krm_values._run import pipeline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from krm_values._explain.values import FinalValue


def explained(directory: Path) -> dict[tuple[str, str, object, object], FinalValue]:
    """The values by resource, file and place."""
    done = pipeline.rendered(directory, skip_foreign=False, follow_links=False)
    resources = values.collect(Trace(steps.of_package(done)))
    return {(one.title, one.file, value.path, value.inner): value for one in resources for value in one.values}


def ends_of(way: Way) -> Iterator[Way]:
    """Where a way ends: the layers that derive from no other, and those that wrote a part of a string."""
    if not way.via or any(below.origin.layer == RESOURCE for below in way.via):
        yield way
    for below in way.via:
        yield from ends_of(below)


def ends(value: FinalValue) -> list[Way]:
    """Where the ways of the layer that won and of those it overrides end."""
    return [end for way in value.ways for end in ends_of(way)]


def through(value: FinalValue) -> set[tuple[str, int]]:
    """Every file and line on the ways of a value."""
    return {(one.file, one.place[0]) for way in value.ways for one in way.all()}
