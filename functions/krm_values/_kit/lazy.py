"""Values that are made when somebody asks for them: what only `explain` reads costs a run nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")


def lazy(make: Callable[[], Iterable[T]]) -> Sequence[T]:
    """A sequence that is made once, when first looked at; equal to any other that holds the same."""
    return _Lazy(make)  # type: ignore[return-value]  # importing collections.abc for its base would cost every run


class _Lazy:
    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Iterable[Any]]) -> None:
        self._make = make
        self._made: tuple[Any, ...] | None = None

    def _all(self) -> tuple[Any, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, index: int) -> Any:
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return self._all() == tuple(other) if isinstance(other, _Lazy | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())
