"""What a target of the fuzzing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


class Wrong(AssertionError):
    """A property that does not hold."""


@dataclass(frozen=True)
class Target:
    """`seeds`: inputs to begin with. `check` judges one input: what became of it in a word, or an exception that is a finding.

    tokens: words to put in; is_yaml: whether lines are changed as YAML has them; seconds: of a processor, for one input.
    """

    name: str
    seeds: Callable[[], list[bytes]]
    check: Callable[[bytes], str]
    tokens: list[bytes] = field(default_factory=list)
    is_yaml: bool = False
    seconds: float = 5.0


def require(holds: object, why: str) -> None:
    """Wrong where a property does not hold."""
    if not holds:
        raise Wrong(why)


def parts(data: bytes, count: int) -> list[bytes]:
    """The parts of an input of several texts, which a NUL byte separates."""
    found = data.split(b"\0", count - 1)
    return found + [b""] * (count - len(found))
