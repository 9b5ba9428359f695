"""The shape of a value: its type, and what is known about its keys, its length and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values.tekton_params import params
from krm_values.tekton_params.scope.known import UNKNOWN, Shape
from krm_values.tekton_params.spec.references import exact, exact_result, find
from krm_values.tekton_params.spec.references import replace as substitute

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values.tekton_params.scope.known import Results, Scope

_LONGEST = 10_000  # characters; a string that doubles from pipeline to pipeline would soon fill the memory


def shape_of(value: JSON, outer: Scope, results: Results) -> Shape:
    """Return the shape that a value has when the references in it are replaced."""
    if isinstance(value, list):
        return replace(literal(value), length=_length(value, outer)) if params.shape(value) == "array" else literal(value)
    if not isinstance(value, str):
        return literal(value)
    result = exact_result(value)
    if result is not None:
        found = Shape("string") if result.part else results(result)
        return found if found.type or result.star else Shape("string", sure=False)
    ref = exact(value)
    if ref is None or not ref.whole:
        return Shape("string", text=_substituted(value, outer))
    known = outer.get(ref.name)
    if known is None or known.type == "":
        return UNKNOWN
    if known.type == "string":
        return Shape("string", sure=known.shape.sure) if ref.index else known.shape
    return known.shape if ref.star else UNKNOWN


def literal(value: JSON) -> Shape:
    """Return the shape of a value as written; the text of a string with references of any kind is not known."""
    kind = params.shape(value)
    if kind == "array":
        return Shape(kind, length=len(value) if isinstance(value, list) else None)
    if kind == "object":
        return Shape(kind, keys=tuple(value) if isinstance(value, dict) else None)
    text = params.text(value)
    return Shape(kind, text=None if "$(" in text else text)


def _length(value: list[JSON], outer: Scope) -> int | None:
    total = 0
    for member in value:
        ref = exact(member)
        known = outer.get(ref.name) if ref and ref.whole else None
        length = known.shape.length if known and known.type != "string" else 1
        if length is None:
            return None
        total += length
    return total


def _substituted(text: str, outer: Scope) -> str | None:
    """Return a string with its references replaced; None if a value is not known or the string grows too long to compare."""
    found = {ref.name: outer[ref.name].shape.text for ref in find(text) if ref.name in outer}
    known = {name: text for name, text in found.items() if text is not None}
    if len(text) + sum(len(known.get(ref.name, "")) for ref in find(text)) > _LONGEST:
        return None
    done = substitute(text, known)
    return None if "$(" in done else done
