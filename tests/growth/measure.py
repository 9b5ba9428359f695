"""Counts of what a piece of work does."""

from __future__ import annotations

import cProfile
import gc
import multiprocessing
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TypeAlias

from krm_values._data import suggest
from krm_values._go import yaml_parser
from krm_values._yaml import decode

Work: TypeAlias = Callable[[], object]
KEPT = (yaml_parser._NUMBERS, yaml_parser._FLOATS, decode._ORDINARY)
"""What readers keep of the scalars of earlier texts."""
NEAR = 20
"""How many words a misspelt one is compared with here: the 1,000 of a run are a bend, which needs large sizes to be none."""
MOST = 2.3
"""How much more calls a second doubling may add than the first one: 2 is linear, 4 quadratic."""


@dataclass(frozen=True)
class Dimension:
    """What grows. make: prepares work of a size, which does not count; n: the smallest size."""

    name: str
    make: Callable[[int], Work]
    n: int = 25

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Growth:
    """Calls at n, 2n and 4n."""

    sizes: tuple[int, int, int]
    calls: tuple[int, int, int]
    by_function: tuple[Counter[str], Counter[str], Counter[str]]

    @property
    def ratio(self) -> float:
        """What the second doubling adds to what the first one adds: what a run does anyway is in neither."""
        return ratio(*self.calls)

    def worst(self) -> list[str]:
        """The functions whose calls grow most, for a message."""
        first, second, third = self.by_function
        grown = [(third[name] - 2 * second[name] + first[name], name) for name in third]
        return [f"{name}: {first[name]:,}, {second[name]:,}, {third[name]:,}" for _, name in sorted(grown, reverse=True)[:8]]


def ratio(small: int, middle: int, large: int) -> float:
    """How much the second doubling adds beside the first; 0 if both add next to nothing, as where a program is waited for."""
    if max(small, middle, large) < 1.01 * min(small, middle, large):
        return 0
    return (large - middle) / max(middle - small, 1)


def growth(dimension: Dimension) -> Growth:
    """Calls at three sizes; none of the sizes finds what another has cached."""
    sizes = dimension.n, 2 * dimension.n, 4 * dimension.n
    dimension.make(2)()  # imports, and what is made once
    first, second, third = (_calls(dimension, size) for size in sizes)
    return Growth(sizes, (first.total(), second.total(), third.total()), (first, second, third))


def _calls(dimension: Dimension, size: int) -> Counter[str]:
    """Count in a copy of this process. EOFError if the work fails there, which prints why."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_count, args=(dimension, size, sender))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: other threads are not copied; the work has none
        child.start()
    sender.close()
    try:
        found: Counter[str] = receiver.recv()
    finally:
        child.join()
        receiver.close()
    return found


def _count(dimension: Dimension, size: int, sender: Connection) -> None:
    gc.disable()  # as in a run; it is no call
    suggest._MOST = NEAR
    work = dimension.make(size)
    for scalars in KEPT:
        for kept in (scalars.values, scalars.keys, scalars.lines):
            kept.clear()
    sender.send(calls(work))


def calls(work: Work) -> Counter[str]:
    """Calls of Python and of C functions, by the interpreter's own profiler."""
    profile = cProfile.Profile(subcalls=False)
    profile.runcall(work)
    found: Counter[str] = Counter()
    for entry in profile.getstats():
        code = entry.code
        name = (
            code
            if isinstance(code, str)
            else f"{code.co_filename.rpartition('krm_values/')[2]}:{code.co_firstlineno} {code.co_name}"
        )
        found[name] += entry.callcount
    return found


def seconds(work: Work) -> float:
    """The processor's time, without the collector of cycles, as in a run."""
    gc.collect()
    gc.disable()
    began = time.process_time()
    try:
        work()
    finally:
        gc.enable()
    return time.process_time() - began
