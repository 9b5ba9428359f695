"""The parts of a parsed path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from typing import TypeAlias

    Node: TypeAlias = "Field | Wildcard | Recursive | Slice | Union | Filter | Text | Literal | Identifier"
    Nodes: TypeAlias = tuple[Node, ...]


class PathError(Exception):
    """A path that cannot be parsed or followed.

    fact: the error, as a predicate of the expression. missing: whether a field was missing, the only error that an absent field can cause.
    partial: the values that upstream returns beside the error; an existence filter takes them as a result.
    """

    def __init__(self, fact: str, partial: tuple[object, ...] = (), *, missing: bool = False) -> None:
        super().__init__(fact)
        self.fact, self.partial, self.missing = fact, partial, missing


@record
class Field:
    """`.name`, backslashes removed."""

    name: str


@record
class Wildcard:
    """`.*`."""


@record
class Recursive:
    """`..`."""


@record
class Slice:
    """`[start:end:step]`, None for omitted parts. `[3]` is derived: its end is start + 1."""

    start: int | None
    end: int | None
    step: int | None
    derived: bool


@record
class Union:
    """`[0,'name',1:3]`."""

    branches: tuple[Nodes, ...]


@record
class Filter:
    """`[?(left operator right)]`; the operator of an existence test is "exists"."""

    left: Nodes
    operator: str
    right: Nodes


@record
class Text:
    """A quoted string: one result, whatever precedes it."""

    value: str


@record
class Literal:
    """A number or boolean: one result for each preceding value."""

    value: bool | int | float


@record
class Identifier:
    """A bare word. None has a meaning, but the error comes only when it is evaluated."""

    name: str
