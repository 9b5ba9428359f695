"""Plain scalars of a functionConfig or a resource that other readers read differently, or that lose digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import scalars, to_field
from krm_values._data.scalars.text import Float, Int, Text, is_disputed
from krm_values._golang.yaml.lints import kind_of
from krm_values._kit.planner.plan import Finding
from krm_values.layered_values import placed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

_FRACTION = re.compile(r"[-+]?[0-9_]*(?:\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)")
_WORDS = (
    "the API server reads a plain y, n, yes, no, on or off as true or false, kpt and kustomize as a string, as here; quote it,"
    " or write true or false"
)
_DIGITS = "the number does not keep its digits; quote it if they matter"


def findings_of(value: JSON, says: Any, at: Path, name: str) -> Iterator[Finding]:
    """Yield one finding per cause, at the first of its places. says: returns the origins of the layer's values. at: the path of this value."""
    found = [(path, scalar) for path, scalar in scalars(value, at) if isinstance(scalar, Text | Float | Int)]
    for kind, why, is_reported in (("retyped-scalar", _WORDS, _is_word), ("text-digits", _DIGITS, _loses_digits)):
        places = [(path, scalar) for path, scalar in found if is_reported(scalar)]
        if places:
            listed = suggest.several([f"`{to_field(path[len(at) :])}: {scalar.text}`" for path, scalar in places])
            origin = says(places[0][0], None)
            yield Finding("warning", kind, "30", f"layer {name}: {listed}: {why}", **placed.at(origin))


def _is_word(scalar: Any) -> bool:
    return isinstance(scalar, Text) and scalar.source == scalar.text and is_disputed(scalar.text)


def _loses_digits(scalar: Any) -> bool:
    """Return whether a number differs from how it looks; one with a fraction or an exponent may still be whole."""
    if not isinstance(scalar, Float) and not (isinstance(scalar, Int) and _FRACTION.fullmatch(scalar.text)):
        return False
    return kind_of(scalar.text, float(scalar), floats=True) == "digits"
