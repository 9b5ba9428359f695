"""The inputs of a step: known outputs of other steps, those not known yet, and those that never arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._golang.jsonpath.values import UNKNOWN
from krm_values._kit.planner.plan import Finding
from krm_values.cartographer_params.kind_names import ALLOWED, DELIVERY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import New
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Input, Step

_LISTS = {"source": "sources", "image": "images", "config": "configs"}


@record
class Output:
    """The output of a step.

    state: `rendered`, `supplied`, `passThrough`, `waiting` or `failed`, "" if the step has no output. value: a map with `url` and
    `revision` of a source, any value of an image or config; None if it is not known. made: the object from which it was read, at
    these paths, in the order of the value's fields. config: where the functionConfig supplies it.
    """

    kind: str
    state: str
    value: JSON = None
    made: New | None = None
    paths: tuple[str, ...] = ()
    config: Path | None = None

    @property
    def is_known(self) -> bool:
        return self.state in ("rendered", "supplied", "passThrough")


@record
class Arrived:
    """An input and the output that arrives there. is_unreachable: it can never arrive."""

    input: Input
    output: Output
    is_unreachable: bool


def arrivals(step: Step, outputs: Mapping[str, Output]) -> list[Arrived]:
    """Return the state of each input of a step. outputs: of the earlier steps by name."""
    found = []
    for one in step.inputs:
        kind = "source" if one.kind == "deployment" else one.kind
        output = outputs.get(one.resource)
        fits = output is not None and output.kind == kind
        found.append(Arrived(one, output if output and fits else Output(kind, "waiting"), not fits))
    return found


def context(arrived: list[Arrived]) -> dict[str, Any]:
    """Return the part of a template's context that comes from other steps, with UNKNOWN for what is not known."""
    made: dict[str, Any] = {key: {} for key in _LISTS.values()}
    made["deployment"] = None
    for one in arrived:
        if one.input.kind == "deployment":
            made["deployment"] = _value(one, "")
        else:
            made[_LISTS[one.input.kind]][one.input.name] = _value(one, one.input.name)
    return made | dict(_aliases(arrived))


def known(arrived: list[Arrived]) -> list[Arrived]:
    """Return the inputs whose output is known."""
    return [one for one in arrived if one.output.is_known]


def unreachable(chain: Chain, hints: Hints) -> Iterator[Finding]:
    """Yield a warning for each input that never arrives: from a later step or the step itself, or, in a delivery, from no fitting step."""
    before: dict[str, str] = {}
    every = {step.name: step.output for step in chain.steps if step.name}
    unclear = {step.name for step in chain.steps if step.kind not in ALLOWED[chain.kind]}
    for step in chain.steps:
        for one in step.inputs:
            kind = "source" if one.kind == "deployment" else one.kind
            path, tags = (*one.path, "resource"), {"step": step.name}
            if one.resource in every and one.resource not in before:
                where = "itself" if one.resource == step.name else "a later step"
                text = f"never arrives: it is the output of {where}, and a step sees the outputs of earlier steps only; found {{found}}"
                yield Finding("warning", "forward-reference", "100", text, chain.item, path, one.resource, tags)
            elif chain.kind == DELIVERY and not one.resource:
                text = "never arrives: it must name a step of the delivery; found nothing"
                yield Finding("warning", "no-such-output", "27", text, chain.item, path, None, tags)
            elif chain.kind == DELIVERY and every.get(one.resource) != kind and one.resource not in unclear:
                why = (
                    f"has no {kind} as output" if one.resource in every else f"does not exist{hints.hint(one.resource, every)}"
                )
                text = f"never arrives: the step `{one.resource}` {why}"
                yield Finding("warning", "no-such-output", "27", text, chain.item, path, one.resource, tags)
        before[step.name] = step.output


def named(arrived: list[Arrived]) -> Iterator[tuple[tuple[str, ...], Output, int]]:
    """Yield each name by which a tag may refer to a known value, the output that has it, and the place of the path that reads it."""
    for one in known(arrived):
        kind = one.input.kind
        begin = ("deployment",) if kind == "deployment" else (_LISTS[kind], one.input.name)
        for place, field in enumerate(_fields(one)):
            yield (*begin, field), one.output, place
    for kind, one in _only(known(arrived)):
        for place, field in enumerate(_fields(one)):
            yield (kind, field) if kind == "source" else (kind,), one.output, place


def _fields(one: Arrived) -> tuple[str, ...]:
    return ("url", "revision") if one.output.kind == "source" else (one.output.kind,)


def _aliases(arrived: list[Arrived]) -> Iterator[tuple[str, Any]]:
    """Yield the short names `source`, `image` and `config` with what they mean."""
    for kind, one in _only(arrived):
        value = _value(one, one.input.name)
        yield kind, value if kind == "source" or value is UNKNOWN else value[kind]


def _only(arrived: list[Arrived]) -> Iterator[tuple[str, Arrived]]:
    """Yield each kind of which exactly one input can arrive, or only one is declared, and that input."""
    for kind in _LISTS:
        declared = [one for one in arrived if one.input.kind == kind]
        coming = [one for one in declared if not one.is_unreachable] or declared
        if len(coming) == 1:
            yield kind, coming[0]


def _value(one: Arrived, name: str) -> Any:
    if not one.output.is_known:
        return UNKNOWN
    if one.output.kind == "source" and isinstance(one.output.value, dict):
        return {**one.output.value, "name": name}
    return {one.output.kind: one.output.value, "name": name}
