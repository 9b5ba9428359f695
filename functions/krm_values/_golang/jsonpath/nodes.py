"""The parts of a parsed path."""

from __future__ import annotations

from krm_values._data.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Node: TypeAlias = "Field | Wildcard | Recursive | Slice | Union | Filter | Text | Literal | Identifier"
    Nodes: TypeAlias = tuple[Node, ...]


class PathError(Exception):
    """A path that cannot be read or followed.

    fact: what is wrong, about the expression. missing: it led nowhere, the only kind that an absent field may cause.
    partial: what upstream still hands on beside the error; a filter that only tests existence takes it for a result.
    """

    def __init__(self, fact: str, partial: tuple[object, ...] = (), *, missing: bool = False) -> None:
        super().__init__(fact)
        self.fact, self.partial, self.missing = fact, partial, missing


@record
class Field:
    """`.name`, with the backslashes taken off."""

    name: str


@record
class Wildcard:
    """`.*`."""


@record
class Recursive:
    """`..`."""


@record
class Slice:
    """`[start:end:step]`, None where nothing is written. `[3]` is derived: its end is start + 1."""

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
    """`[?(left operator right)]`; the operator of a mere test is "exists"."""

    left: Nodes
    operator: str
    right: Nodes


@record
class Text:
    """A quoted text: one result, whatever came before it."""

    value: str


@record
class Literal:
    """A number or boolean: one result for each that came before it."""

    value: bool | int | float


@record
class Identifier:
    """A bare word. None of them means anything, but the error comes only when it is met."""

    name: str
