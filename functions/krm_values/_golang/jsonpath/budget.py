"""The state that all steps of one JSONPath share: the values below a value, and the number of values visited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.jsonpath.values import (
    NIL_LIST,
    RAW_BYTES,
    UNKNOWN,
    Byte,
    Hidden,
    Opaque,
    Pointer,
    Raw,
    Struct,
    WaitsError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._golang.jsonpath.values import GoValue

    Place: TypeAlias = Path | None  # None where it is not known, or where the value is part of the path itself
    Found: TypeAlias = tuple[GoValue, Place]
    Values: TypeAlias = Sequence[Found]

MOST = 200_000
"""Values that one walk may visit and make, all together."""


class TooFarError(Exception):
    """A walk that visits or makes too many values. Not a PathError, which an existence filter would take as an answer."""


class Steps:
    """The number of values that one walk may visit and make; `left` is what remains."""

    __slots__ = ("left", "most")

    def __init__(self, most: int = MOST) -> None:
        self.left = self.most = most


class Walk:
    """One walk. allow_missing: whether a missing field is allowed."""

    __slots__ = ("_steps", "allow_missing")

    def __init__(self, steps: Steps, *, allow_missing: bool) -> None:
        self._steps, self.allow_missing = steps, allow_missing

    def count(self, values: int) -> None:
        """Count values that are visited or made. TooFarError beyond the limit."""
        self._steps.left -= values
        if self._steps.left < 0:
            raise TooFarError

    def dereferenced(self, values: Values) -> Iterator[Found]:
        """Yield the values with pointers followed. WaitsError for a value that is not known yet."""
        self.count(len(values))
        for value, place in values:
            if value is UNKNOWN:
                raise WaitsError
            yield (value.value, place) if isinstance(value, Pointer) else (value, place)

    def parts(self, value: GoValue, place: Place) -> Values:
        """Return the values directly below a value: entries of a list or map, fields of a struct, bytes of a string."""
        if isinstance(value, dict | list | str):
            self.count(len(value))
        if isinstance(value, dict):
            return [(entry, below(place, key)) for key, entry in value.items()]
        if isinstance(value, list):
            return [(entry, below(place, index)) for index, entry in enumerate(value)]
        return [(part, None) for part in _hidden_parts(value)]


def below(place: Place, step: str | int) -> Place:
    """Return the path of a value one step below another."""
    return None if place is None else (*place, step)


def _hidden_parts(value: GoValue) -> Iterable[GoValue]:
    if isinstance(value, Struct):
        return value.parts
    if isinstance(value, str):
        return map(Byte, value.encode("utf-8", "surrogateescape"))
    if isinstance(value, Raw):
        return (NIL_LIST if value.value is None else RAW_BYTES,)
    if isinstance(value, Opaque):
        return (Hidden(value.inside),)
    return (Byte(0),) if isinstance(value, Hidden) else ()
