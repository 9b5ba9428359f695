"""What the rules are applied to: the package, the config, the object at work, the findings; and what is used of a layer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.reference.tekton.layers import Report
from tests.reference.tekton.params import Param
from tests.reference.tekton.values import Json, Reference

ALL = "*"  # all keys of an object


@dataclass
class Context:
    items: list[dict[str, Json]]
    implicit: bool
    references: bool
    defaults: bool
    report: Report
    item: dict[str, Json] = field(default_factory=dict)

    @property
    def stored(self) -> bool:
        """Whether the object is a Pipeline, which gets values from later runs."""
        return self.item.get("kind") == "Pipeline"


@dataclass
class Used:
    """Names that a spec reads from its layer, and the keys it reads of each (ALL: the object as a whole, under another name)."""

    keys: dict[str, set[str]] = field(default_factory=dict)

    def add(self, name: str, keys: Iterable[str] = ()) -> None:
        self.keys.setdefault(name, set()).update(keys)

    def read(self, found: Iterable[Reference]) -> None:
        for reference in found:
            self.add(reference.name, {reference.key} - {""})

    def __contains__(self, name: str) -> bool:
        return name in self.keys


@dataclass
class Taken:
    """What a task takes: the names passed to it, the enums it has, the keys it needs of objects."""

    passed: list[Param] = field(default_factory=list)
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keys: dict[str, set[str]] = field(default_factory=dict)


def added(params: Iterable[Param], context: Context) -> list[dict[str, Json]]:
    """[10, 12, 24, 25] The declarations that are added. A result whose type nobody knows cannot be declared [4, 23]."""
    made = []
    for param in params:
        kind = param.type or param.declared_as
        if kind:
            made.append({"name": param.name, "type": kind, **carried(param, context)})
        elif not param.broken and context.stored:
            context.report.error(param.name)
        elif not param.broken:
            context.report.warn(param.name, "result-type")
    return made


def carried(param: Param, context: Context) -> dict[str, Json]:
    """[24, 25]"""
    if param.type != "object":
        return param.carried if context.implicit else {}
    derived = {"properties": {key: {"type": "string"} for key in param.keys or ()}}
    return derived | {key: value for key, value in param.carried.items() if context.implicit or key != "description"}
