"""Frozen value classes with slots, and sequences that are computed on first use.

100 frozen dataclasses add 130 ms to the start of a process, 100 records 8 ms.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")

_USES = 200
"""Records of a class that are made before an `__init__` is compiled for it; compiling takes as long as making them."""
_store = object.__setattr__


@dataclass_transform(frozen_default=True, kw_only_default=False)
def record(cls: type[T]) -> type[T]:
    """Turn annotated names into slots, an `__init__` in their order, equality, hash and repr.

    A class attribute is the default of its field. Defaults are shared, so they must be immutable. A name that begins with `_`, with a
    default, is for what is computed once from the others (`keep`): it is not part of equality, hash and repr, and copies begin without it.
    """
    public = tuple([name for name in cls.__annotations__ if not name.startswith("_")])
    fields = (*public, *(name for name in cls.__annotations__ if name.startswith("_")))
    defaults = {name: cls.__dict__[name] for name in fields if name in cls.__dict__}
    body = {k: v for k, v in cls.__dict__.items() if k not in defaults and k not in {"__dict__", "__weakref__"}}
    numbers = {name: number for number, name in enumerate(public)}
    own = {"__slots__": fields, "__match_args__": public, "_values": _values_of(public), "_numbers": numbers}
    made: Any = type(cls.__name__, cls.__bases__, {**own, **_SHARED, **body})
    made.__init__ = _init(made, fields, defaults)
    return made  # type: ignore[no-any-return]


def replace(value: T, /, **changes: Any) -> T:
    """Return a copy of a record with some fields changed."""
    values, numbers = [*value._values], value._numbers  # type: ignore[attr-defined]  # noqa: SLF001 - of a record
    others = {}
    for name, changed in changes.items():
        if name in numbers:
            values[numbers[name]] = changed
        else:
            others[name] = changed
    return type(value)(*values, **others)  # what is left is no field, as the error says


def keep(value: object, field: str, result: object) -> None:
    """Cache a value that was computed from a record in one of its fields whose name begins with `_`."""
    _store(value, field, result)


def lazy(make: Callable[[], Iterable[T]], make_some: Callable[[Any], Iterable[T]] | None = None) -> Sequence[T]:
    """Return a sequence that is computed on first use; it equals any other lazy sequence or tuple with the same elements.

    make_some: makes at least the elements that `at_least` asks for.
    """
    return _Lazy(make, make_some)  # type: ignore[return-value]  # it has what its users need of a sequence


def at_least(found: Sequence[T], asked: object) -> Iterable[T]:
    """Return at least the requested elements: for a lazy sequence those that `make_some` makes for the request, else all."""
    return found.some(asked) if isinstance(found, _Lazy) else found


def _values_of(fields: tuple[str, ...]) -> Any:
    """Return the property of a class that has the values of these fields."""
    if len(fields) > 1:
        return property(attrgetter(*fields))
    return property(lambda self: tuple([getattr(self, name) for name in fields]))


def _init(made: Any, fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """Return an `__init__` that is replaced by a faster one after some uses: a process makes many records, but few of most classes."""
    left = [_USES]

    def __init__(self: object, *args: object, **named: object) -> None:
        left[0] -= 1
        rest, given = fields[len(args) :], defaults | named if named else defaults
        fits = len(args) <= len(fields) and not (named and named.keys() - rest)
        if left[0] < 0 or not fits or not all(map(given.__contains__, rest)):
            made.__init__ = _written(made, fields, defaults)
            made.__init__(self, *args, **named)  # where the arguments are wrong, this raises the error that Python has for it
            return
        for name, value in zip(fields, args):  # noqa: B905 - the others follow
            _store(self, name, value)
        for name in rest:
            _store(self, name, given[name])

    return __init__


def _written(made: Any, fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """Compile an `__init__` from source text: a loop over the fields takes three times as long."""
    parameters = ", ".join(f"{field}=_defaults[{field!r}]" if field in defaults else field for field in fields)
    body = "".join(f"    _set_{field}(self, {field})\n" for field in fields)
    setters = {f"_set_{field}": getattr(made, field).__set__ for field in fields}  # each takes a third of what `_store` takes
    names: dict[str, Any] = {**setters, "_defaults": defaults}
    exec(f"def __init__(self, {parameters}):\n{body or '    pass'}", names)  # noqa: S102 - only names of our own source, as dataclasses do
    names["__init__"].__qualname__ = f"{made.__name__}.__init__"
    return names["__init__"]


def _refuse(self: object, name: str, *_: object) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} is read-only")


def _eq(self: Any, other: Any) -> bool:
    return self._values == other._values if type(self) is type(other) else NotImplemented  # noqa: SLF001 - of the same class


def _hash(self: Any) -> int:
    return hash(self._values)


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__match_args__)})"


def _reduce(self: Any) -> tuple[Any, ...]:
    return type(self), self._values


_SHARED = {
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__reduce__": _reduce,
}
"""The methods that all records have in common."""


class _Lazy:
    __slots__ = ("_made", "_make", "_make_some")

    def __init__(self, make: Callable[[], Iterable[Any]], make_some: Callable[[Any], Iterable[Any]] | None = None) -> None:
        self._make, self._make_some = make, make_some
        self._made: tuple[Any, ...] | None = None

    def _all(self) -> tuple[Any, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    def some(self, asked: object) -> Iterable[Any]:
        return self._all() if self._made is not None or self._make_some is None else self._make_some(asked)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, index: int) -> Any:
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return self._all() == tuple(other) if isinstance(other, (_Lazy, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())
