"""Fields of resources [60-70]: where a path leads, and writing there."""

from __future__ import annotations

import base64
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.reference.layered_values.faults import Stop
from tests.reference.layered_values.kinds import Text
from tests.reference.layered_values.layers import document_in
from tests.reference.layered_values.paths import ABSENT, By, Every, Step

Json = Any
HOSTS = (
    "config.kubernetes.io/",
    "internal.config.kubernetes.io/",
    "krm-values.dev/",
    "internal.config.k8s.io/",
    "config.k8s.io/",
)
REMOVE = object()


@dataclass(frozen=True)
class Place:
    """Where a path leads in one resource: the steps that are there, those to make, and what is there."""

    at: tuple[Json, ...]
    rest: tuple[Step, ...]
    old: Json
    inside: bool = False

    @property
    def whole(self) -> tuple[Json, ...]:
        return (*self.at, *self.rest)


def guard(steps: tuple[Step, ...]) -> None:
    """Raise `identity` for fields that nobody writes [70]."""
    first, second, third = (*steps, None, None, None)[:3]
    if first in ("apiVersion", "kind", "status") or (first, second) in (("metadata", "name"), ("metadata", "namespace")):
        raise Stop("identity")
    if (first, second) == ("metadata", "annotations") and isinstance(third, str) and third.startswith(HOSTS):
        raise Stop("identity")


def places(value: Json, steps: tuple[Step, ...], at: tuple[Json, ...] = (), *, inside: bool = False) -> Iterator[Place]:
    """Every place that a path leads to [60, 68]."""
    if not steps:
        yield Place(at, (), value, inside)
        return
    step = steps[0]
    if isinstance(value, str):
        value, inside = document_in(value), True
    if value is None:
        yield Place(at, steps, ABSENT, inside)
        return
    if not isinstance(value, dict if _of_map(step) else list):
        raise Stop("target-type")
    found = list(_members(value, step))
    if not found:
        yield Place(at, steps, ABSENT, inside)
    for key in found:
        yield from places(value[key], steps[1:], (*at, key), inside=inside)


def _of_map(step: Step) -> bool:
    return isinstance(step, str) or (isinstance(step, Every) and not step.elements)


def _members(value: Json, step: Step) -> Iterator[Json]:
    if isinstance(step, Every):
        yield from range(len(value)) if step.elements else list(value)
    elif isinstance(step, By):
        yield from (
            number for number, member in enumerate(value) if isinstance(member, dict) and member.get(step.key) == step.text
        )
    elif isinstance(step, int):
        yield from [step] if step < len(value) else []
    elif step in value:
        yield step


def makeable(rest: tuple[Step, ...]) -> bool:
    """Whether steps can be made: keys and `[name=web]` [67]."""
    return all(isinstance(step, (str, By)) for step in rest)


class Changed:
    """A resource that is written to."""

    def __init__(self, item: Json) -> None:
        self.item = copy.deepcopy(item)

    def write(self, place: Place, new: Json) -> None:
        """Write, make or remove (REMOVE) a value. Texts that are led into become `Text`."""
        holder, steps = self.item, list(place.whole)
        if new is REMOVE and place.rest:
            return
        for number, step in enumerate(steps[:-1]):
            holder = _below(holder, step, steps[number + 1])
        last = steps[-1]
        if new is REMOVE and isinstance(holder, list):
            del holder[last]
        elif new is REMOVE:
            holder.pop(last, None)  # another target may have removed it
        elif isinstance(last, By):
            holder.append(new)
        else:
            holder[last] = new


def _below(holder: Json, step: Json, then: Json) -> Json:
    """What is at one step, made if it is not there."""
    empty: Json = [] if isinstance(then, (By, int)) else {}
    if isinstance(step, By):
        for member in holder:
            if isinstance(member, dict) and member.get(step.key) == step.text:
                return member
        holder.append({step.key: step.text})
        return holder[-1]
    if (isinstance(holder, dict) and holder.get(step) is None) or (isinstance(holder, list) and holder[step] is None):
        holder[step] = empty
    if isinstance(holder[step], str):
        holder[step] = Text(document_in(holder[step]))
    return holder[step].data if isinstance(holder[step], Text) else holder[step]


def secret_text(text: Json) -> Json:
    """A text as `data` of a Secret holds it."""
    return base64.b64encode(text.encode()).decode() if isinstance(text, str) else text


def bare(item: Json) -> Json:
    """A resource without the hosts' annotations and ours."""
    found = copy.deepcopy(item)
    annotations = found["metadata"].get("annotations")
    if isinstance(annotations, dict):
        kept = {key: text for key, text in annotations.items() if not key.startswith(HOSTS) or key.endswith("local-config")}
        found["metadata"]["annotations"] = kept
        if not kept:
            del found["metadata"]["annotations"]
    return found
