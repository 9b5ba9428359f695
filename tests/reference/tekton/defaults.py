"""What Tekton makes of the references in defaults [36, 45]."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.reference.tekton.context import Context
from tests.reference.tekton.params import Param, known_length
from tests.reference.tekton.values import Json, Reference, in_value, shape, text

EXPRESSION = re.compile(r"\$\(params(?:\.[^)]*|\[[^)]*)\)")


def warn_of_task(context: Context, authored: list[dict[str, Json]], given: set[str], *, elsewhere: bool = False) -> None:
    """[36] The used defaults that keep a reference, or take a default in place of a given value; of a referenced Task only those."""
    known, left = set(), {}
    defaults = {text(d.get("name")): d["default"] for d in authored if d.get("default") is not None}
    late = {name: text(value) for name, value in defaults.items() if shape(value) == "string" and "$(params." in text(value)}
    for name, value in defaults.items():
        if shape(value) == "array":
            known |= {f"{name}[{index}]" for index in range(len(value))}
        elif shape(value) == "object":
            known |= {f"{name}.{key}" for key in value}
        elif name not in late:
            known.add(name)
    for name, value in late.items():
        for found in EXPRESSION.findall(value):
            if found.removeprefix("$(params.").removesuffix(")") in known:
                left[name] = value.replace(found, "")
        if name in left:
            known.add(name)
    for name, value in defaults.items():
        reads = {reference.name for reference in in_value(value)}
        keeps = any(in_value(left.get(name, value)))
        if name not in given and (reads & given if elsewhere else keeps or reads & given):
            context.report.warn(name, "default")


def check_of_pipeline(
    context: Context, authored: list[dict[str, Json]], given: Iterable[Param], layer: dict[str, Param], *, stored: bool
) -> None:
    """[45] Defaults that fail, or keep a reference."""
    around, defaults = {param.name: param for param in given}, {text(d.get("name")): d.get("default") for d in authored}
    for name, value in defaults.items():
        if value is None or name in around:
            continue
        whole = shape(value) == "string"
        for reference in in_value(value):
            if reference.name not in layer:
                if whole and reference.dotted and not stored:
                    context.report.error(name)
            elif whole and not reference.dotted:
                context.report.warn(name, "default")
            elif not read(reference, around.get(reference.name), layer[reference.name], defaults, into=shape(value)):
                if whole:
                    context.report.error(name)
                else:
                    context.report.warn(name, "default")


def read(reference: Reference, given: Param | None, known: Param, defaults: dict[str, Json], *, into: str) -> bool:
    if reference.whole:
        return known.type in ("string", None) and reference.index != "*"
    if given is None:
        return defaults.get(reference.name) is None or (into == "object" and bool(reference.index))
    if reference.key:
        return given.type == "object" and (given.keys is None or reference.key in given.keys)
    length = known_length(given.value) if isinstance(given.value, list) else float("inf")
    return given.type == "array" and int(reference.index) < length
